"""Every operator against the metrics of files and row groups.

Each table is one batch of containers, described above it; an expectation has one letter per
container: T can match, F cannot, ? unknown. Only F prunes.
"""

import pyarrow as pa
import pytest

from prunescope.audit_jobs.pruning.rules import FLOOR, PYICEBERG, Rules
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.statistics import from_counts
from tests.audit_jobs.pruning.judging import (
    DOUBLE,
    INT,
    METADATA_RULES,
    NAN,
    ROW_GROUP_RULES,
    STRING,
    by_column,
    ints,
)

# 3 to 7; 5 only; 3 to 7 and nulls; no lower; no upper; no bounds; all null;
# 5 only, null count unknown; nothing known.
INT_METRICS = from_counts(
    ints(3, 5, 3, None, 3, None, None, 5, None),
    ints(7, 5, 7, 7, None, None, None, 5, None),
    null_count=ints(0, 0, 2, 0, 0, 0, 10, None, None),
    nan_count=None,
    value_count=ints(10, 10, 10, 10, 10, 10, 10, 10, None),
)
INT_METRICS_TABLE = [
    pytest.param(Op.LT, (3,), "FFF?F?FF?", id="lt-at-lower"),
    pytest.param(Op.LT, (4,), "TFT?T?FF?", id="lt-inside"),
    pytest.param(Op.LT, (9,), "TTT?T?FT?", id="lt-above"),
    pytest.param(Op.LT_EQ, (2,), "FFF?F?FF?", id="le-below"),
    pytest.param(Op.LT_EQ, (3,), "TFT?T?FF?", id="le-at-lower"),
    pytest.param(Op.GT, (7,), "FFFF??FF?", id="gt-at-upper"),
    pytest.param(Op.GT, (6,), "TFTT??FF?", id="gt-inside"),
    pytest.param(Op.GT, (1,), "TTTT??FT?", id="gt-below"),
    pytest.param(Op.GT_EQ, (8,), "FFFF??FF?", id="ge-above"),
    pytest.param(Op.GT_EQ, (7,), "TFTT??FF?", id="ge-at-upper"),
    pytest.param(Op.EQ, (2,), "FFF?F?FF?", id="eq-below"),
    pytest.param(Op.EQ, (3,), "TFT???FF?", id="eq-at-lower"),
    pytest.param(Op.EQ, (5,), "TTT???FT?", id="eq-inside"),
    pytest.param(Op.EQ, (7,), "TFT???FF?", id="eq-at-upper"),
    pytest.param(Op.EQ, (8,), "FFFF??FF?", id="eq-above"),
    pytest.param(Op.IN, (1, 2), "FFF?F?FF?", id="in-below"),
    pytest.param(Op.IN, (1, 9), "FFF???FF?", id="in-around-is-tested-per-value"),
    pytest.param(Op.IN, (1, 5), "TTT???FT?", id="in-one-inside"),
    pytest.param(Op.IN, (4, 6), "TFT???FF?", id="in-gap-around-single-value"),
    pytest.param(Op.IS_NULL, (), "FFTFFFT??", id="is-null"),
    pytest.param(Op.NOT_NULL, (), "TTTTTTF??", id="not-null"),
]
# Iceberg's metrics evaluator looks at no upper bound of IN without a lower one.
INT_IN_ABOVE = (Op.IN, (8, 9))
INT_NOT_EQUAL_TABLE = [
    pytest.param(Op.NOT_EQ, (5,), "TFT?T?T??", id="ne-the-single-value"),
    pytest.param(Op.NOT_EQ, (4,), "TTT?T?TT?", id="ne-another-value"),
    pytest.param(Op.NOT_IN, (5, 6), "TFT?T?T??", id="not-in-with-the-single-value"),
    pytest.param(Op.NOT_IN, (4, 6), "TTT?T?TT?", id="not-in-without-it"),
]


@pytest.mark.parametrize("rules", [METADATA_RULES, ROW_GROUP_RULES], ids=["files", "row-groups"])
@pytest.mark.parametrize(("op", "values", "expected"), INT_METRICS_TABLE)
def test_integer_metrics(op: Op, values: tuple[int, ...], expected: str, rules: Rules) -> None:
    assert by_column(op, values, INT, INT_METRICS, rules) == expected


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        pytest.param(METADATA_RULES, "FFF???FF?", id="files-need-a-lower-bound"),
        pytest.param(ROW_GROUP_RULES, "FFFF??FF?", id="row-groups"),
        pytest.param(FLOOR.metrics, "FFFF??FF?", id="floor"),
    ],
)
def test_lists_above_an_upper_bound_without_a_lower_one(rules: Rules, expected: str) -> None:
    assert by_column(*INT_IN_ABOVE, INT, INT_METRICS, rules) == expected


@pytest.mark.parametrize(
    ("op", "values", "expected"),
    [
        pytest.param(Op.NOT_EQ, (5,), "TFT?T?FF?", id="ne-the-single-value"),
        pytest.param(Op.NOT_EQ, (4,), "TTT?T?FT?", id="ne-another-value"),
        pytest.param(Op.NOT_IN, (5, 6), "TFT?T?FF?", id="not-in-with-the-single-value"),
        pytest.param(Op.NOT_IN, (4, 6), "TTT?T?FT?", id="not-in-without-it"),
        pytest.param(Op.LT, (9,), "TTT?T?FT?", id="lt-above"),
    ],
)
def test_in_sql_a_negation_matches_no_null(op: Op, values: tuple[int, ...], expected: str) -> None:
    assert by_column(op, values, INT, INT_METRICS, FLOOR.metrics) == expected


@pytest.mark.parametrize(("op", "values", "expected"), INT_NOT_EQUAL_TABLE)
def test_not_equal_prunes_files_of_one_value(
    op: Op, values: tuple[int, ...], expected: str
) -> None:
    assert by_column(op, values, INT, INT_METRICS, METADATA_RULES) == expected


@pytest.mark.parametrize(("op", "values", "expected"), INT_NOT_EQUAL_TABLE)
def test_not_equal_never_prunes_row_groups(op: Op, values: tuple[int, ...], expected: str) -> None:
    assert by_column(op, values, INT, INT_METRICS, ROW_GROUP_RULES) == "?" * len(expected)


# 3 to 7 without NaN; with NaN; all NaN; 3 to 7, NaN count unknown; lower NaN; 5 only without
# NaN; with NaN; NaN count unknown; all null; both bounds NaN; all null, NaN count unknown.
DOUBLE_METRICS = from_counts(
    pa.array([3.0, 3.0, None, 3.0, NAN, 5.0, 5.0, 5.0, None, NAN, None], pa.float64()),
    pa.array([7.0, 7.0, None, 7.0, 7.0, 5.0, 5.0, 5.0, None, NAN, None], pa.float64()),
    null_count=ints(0, 0, 0, 0, 0, 0, 0, 0, 10, 0, 10),
    nan_count=ints(0, 2, 10, None, None, 0, 1, None, 0, None, None),
    value_count=ints(*[10] * 11),
)


@pytest.mark.parametrize(
    ("op", "values", "expected"),
    [
        pytest.param(Op.LT, (3.0,), "FFFFTFFFFTF", id="lt-at-lower-keeps-nan-lower"),
        pytest.param(Op.LT, (4.0,), "TTFTTFFFFTF", id="lt-inside"),
        pytest.param(Op.LT_EQ, (2.0,), "FFFFTFFFFTF", id="le-below-keeps-nan-lower"),
        pytest.param(Op.GT, (7.0,), "FFFFFFFFFTF", id="gt-at-upper"),
        pytest.param(Op.GT, (6.0,), "TTFTTFFFFTF", id="gt-inside"),
        pytest.param(Op.GT_EQ, (8.0,), "FFFFFFFFFTF", id="ge-above"),
        pytest.param(Op.EQ, (5.0,), "TTFTTTTTFTF", id="eq-inside"),
        pytest.param(Op.EQ, (8.0,), "FFFFFFFFFTF", id="eq-above-uses-the-upper-beside-nan"),
        pytest.param(Op.IN, (1.0, 9.0), "FFFF?FFFF?F", id="in-around-keeps-nan-lower"),
        pytest.param(Op.IN, (1.0, 5.0), "TTFT?TTTF?F", id="in-one-inside"),
        pytest.param(Op.NOT_EQ, (5.0,), "TTTTTFT?TTT", id="ne-needs-nan-count-zero"),
        pytest.param(Op.NOT_IN, (4.0, 5.0), "TTTTTFT?TTT", id="not-in-needs-nan-count-zero"),
        pytest.param(Op.IS_NAN, (), "FTT??FT?F?F", id="is-nan"),
        pytest.param(Op.NOT_NAN, (), "TTF??TT?T??", id="not-nan"),
        pytest.param(Op.IS_NULL, (), "FFFFFFFFTFT", id="is-null"),
        pytest.param(Op.NOT_NULL, (), "TTTTTTTTFTF", id="not-null-keeps-all-nan"),
    ],
)
def test_double_metrics(op: Op, values: tuple[float, ...], expected: str) -> None:
    assert by_column(op, values, DOUBLE, DOUBLE_METRICS, METADATA_RULES) == expected


# ab to ad; abc only; abcx to abcz; a to b; no lower; no upper; all null; abcx to abcz and
# nulls; null count unknown; ab to ac (truncated); aa to ab; nothing known.
STRING_METRICS = from_counts(
    pa.array(
        [b"ab", b"abc", b"abcx", b"a", None, b"abb", None, b"abcx", b"abcx", b"ab", b"aa", None],
        pa.binary(),
    ),
    pa.array(
        [b"ad", b"abc", b"abcz", b"b", b"abz", None, None, b"abcz", b"abcz", b"ac", b"ab", None],
        pa.binary(),
    ),
    null_count=ints(0, 0, 0, 0, 0, 0, 10, 2, None, 0, 0, None),
    nan_count=None,
    value_count=ints(*[10] * 11, None),
)


@pytest.mark.parametrize("rules", [METADATA_RULES, ROW_GROUP_RULES], ids=["files", "row-groups"])
@pytest.mark.parametrize(
    ("op", "value", "expected"),
    [
        pytest.param(Op.STARTS_WITH, b"abc", "TTTT??FTTTF?", id="starts-with"),
        pytest.param(Op.STARTS_WITH, b"abd", "TFFT??FFFTF?", id="starts-with-above-some"),
        pytest.param(Op.STARTS_WITH, b"abaa", "TFFT?FFFFTF?", id="starts-with-below-some"),
        pytest.param(Op.NOT_STARTS_WITH, b"abc", "TFFTTTTT?TT?", id="not-starts-with"),
        pytest.param(Op.NOT_STARTS_WITH, b"ab", "TFFT??TT?TT?", id="not-starts-with-shorter"),
        pytest.param(Op.NOT_STARTS_WITH, b"abcd", "TTTTTTTTTTT?", id="not-starts-with-longer"),
        pytest.param(Op.EQ, b"abcq", "TFFT??FFFTF?", id="eq-between-truncated-bounds"),
        pytest.param(Op.LT, b"ab", "FFFT?FFFFFT?", id="lt-at-truncated-lower"),
        pytest.param(Op.GT, b"ac", "TFFTF?FFFFF?", id="gt-at-rounded-upper"),
    ],
)
def test_string_metrics(op: Op, value: bytes, expected: str, rules: Rules) -> None:
    assert by_column(op, (value,), STRING, STRING_METRICS, rules) == expected


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        pytest.param(METADATA_RULES, "FFFT??FFFFF?", id="files-need-a-lower-bound"),
        pytest.param(ROW_GROUP_RULES, "FFFTF?FFFFF?", id="row-groups"),
        pytest.param(FLOOR.metrics, "FFFTF?FFFFF?", id="floor"),
    ],
)
def test_prefixes_above_an_upper_bound_without_a_lower_one(rules: Rules, expected: str) -> None:
    assert by_column(Op.STARTS_WITH, (b"b",), STRING, STRING_METRICS, rules) == expected


def test_in_sql_what_does_not_start_with_a_prefix_is_not_null() -> None:
    found = by_column(Op.NOT_STARTS_WITH, (b"abc",), STRING, STRING_METRICS, FLOOR.metrics)
    assert found == "TFFTTTFFFTT?"


def test_not_equal_prunes_strings_only_where_both_bounds_are_the_value() -> None:
    found = by_column(Op.NOT_EQ, (b"abc",), STRING, STRING_METRICS, METADATA_RULES)
    assert found == "TFTT?TTTTTT?"


@pytest.mark.parametrize(
    ("rules", "equal", "listed"),
    [
        pytest.param(METADATA_RULES, "F", "?", id="iceberg"),
        pytest.param(PYICEBERG.metrics, "?", "?", id="pyiceberg"),
        pytest.param(FLOOR.metrics, "F", "F", id="floor"),
    ],
)
def test_an_upper_bound_beside_a_lower_one_of_nan(rules: Rules, equal: str, listed: str) -> None:
    at = DOUBLE_METRICS.lower.to_pylist().index(5.0) - 1
    assert by_column(Op.EQ, (8.0,), DOUBLE, DOUBLE_METRICS, rules)[at] == equal
    assert by_column(Op.IN, (8.0, 9.0), DOUBLE, DOUBLE_METRICS, rules)[at] == listed
