"""Every operator against every state of the statistics, at every granularity.

Each table is one batch of containers, described above it; an expectation has one letter per
container: T can match, F cannot, ? unknown. Only F prunes.
"""

import itertools
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from audit_jobs.pruning.algebra import evaluate
from audit_jobs.pruning.rules import FLOOR, ICEBERG_1_11, PYICEBERG, Rules
from audit_jobs.pruning.scans import Scan
from audit_jobs.pruning.shapes import shapes
from audit_jobs.pruning.tristate import TriState, all_of
from collectors.predicates.model import (
    FALSE,
    TRUE,
    And,
    BoundComparison,
    Column,
    Comparison,
    Field,
    Op,
    Or,
    Predicate,
    Reason,
    Unsupported,
)
from collectors.statistics import (
    ColumnStatistics,
    Statistics,
    columns_of,
    constant,
    from_counts,
    from_summaries,
    from_values,
)
from tests.audit_jobs.pruning.judging import letters, states

METADATA_RULES = ICEBERG_1_11.metrics
PARTITION_RULES = ICEBERG_1_11.partitions
ROW_GROUP_RULES = ICEBERG_1_11.row_groups

NAN = float("nan")
INT = Field(1, "x", "int")
DOUBLE = Field(2, "d", "double")
STRING = Field(3, "s", "string")
UNSUPPORTED = Unsupported(Reason.FUNCTION, "f(x)", "f(x)")


def by_column(
    op: Op, values: tuple[Any, ...], field: Field, column: ColumnStatistics, rules: Rules
) -> str:
    count = len(column.lower)
    statistics = Statistics(count, constant(False, count), {(field.field_id, field.type): column})
    return states(BoundComparison(op, field, values), statistics, rules)


def ints(*values: int | None) -> pa.Array:
    return pa.array(values, pa.int64())


def flags(text: str) -> pa.BooleanArray:
    return pa.array([{"T": True, "F": False, "?": None}[letter] for letter in text], pa.bool_())


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


@pytest.mark.parametrize(
    ("op", "values", "expected"),
    [
        pytest.param(Op.LT, (5,), "TFFF", id="lt"),
        pytest.param(Op.NOT_EQ, (5,), "TFTF", id="ne"),
        pytest.param(Op.NOT_IN, (3, 5), "FFTF", id="not-in"),
        pytest.param(Op.IS_NULL, (), "FFFT", id="is-null"),
    ],
)
def test_in_sql_a_null_partition_value_matches_nothing_else(
    op: Op, values: tuple[int, ...], expected: str
) -> None:
    column = from_values(ints(3, 5, 7, None))
    assert by_column(op, values, INT, column, FLOOR.partitions) == expected


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


def test_strings_are_ordered_by_code_points() -> None:
    column = from_values(pa.array([b"z", "é".encode(), "\U0001f600".encode()], pa.binary()))
    assert by_column(Op.GT, ("é".encode(),), STRING, column, PARTITION_RULES) == "FFT"
    assert by_column(Op.STARTS_WITH, ("é".encode(),), STRING, column, PARTITION_RULES) == "FTF"


# 3 to 7; 5 only; 3 to 7 and nulls; all null; no bounds, no nulls; no summary; bounds that could
# not be decoded; 5 only, nulls unknown; no lower; no upper.
INT_SUMMARIES = from_summaries(
    ints(3, 5, 3, None, None, None, None, 5, None, 3),
    ints(7, 5, 7, None, None, None, None, 5, 7, None),
    has_lower=flags("TTTFF?TTFT"),
    has_upper=flags("TTTFF?TTTF"),
    contains_null=flags("FFTTF?F?FF"),
    contains_nan=None,
)


@pytest.mark.parametrize(
    ("op", "values", "expected"),
    [
        pytest.param(Op.LT, (3,), "FFFFF??FFF", id="lt-at-lower"),
        pytest.param(Op.LT, (4,), "TFTFF??FFT", id="lt-inside"),
        pytest.param(Op.LT_EQ, (3,), "TFTFF??FFT", id="le-at-lower"),
        pytest.param(Op.GT, (7,), "FFFFF??FFF", id="gt-at-upper"),
        pytest.param(Op.GT, (6,), "TFTFF??FTF", id="gt-inside"),
        pytest.param(Op.GT_EQ, (7,), "TFTFF??FTF", id="ge-at-upper"),
        pytest.param(Op.EQ, (2,), "FFFFF??FFF", id="eq-below"),
        pytest.param(Op.EQ, (5,), "TTTFF??TFF", id="eq-inside"),
        pytest.param(Op.EQ, (8,), "FFFFF??FFF", id="eq-above"),
        pytest.param(Op.IN, (1, 9), "FFFFF??FFF", id="in-around-is-tested-per-value"),
        pytest.param(Op.IN, (1, 5), "TTTFF??TFF", id="in-one-inside"),
        pytest.param(Op.NOT_EQ, (5,), "TFTT?????T", id="ne-the-single-value"),
        pytest.param(Op.NOT_IN, (4, 5), "TFTT?????T", id="not-in-with-the-single-value"),
        pytest.param(Op.IS_NULL, (), "FFTTF?F?FF", id="is-null"),
        pytest.param(Op.NOT_NULL, (), "TTTFT?TTTT", id="not-null"),
    ],
)
def test_integer_summaries(op: Op, values: tuple[int, ...], expected: str) -> None:
    assert by_column(op, values, INT, INT_SUMMARIES, METADATA_RULES) == expected


# 3 to 7 without NaN; with NaN; NaN unknown; all NaN; all null; nulls, NaN unknown; nulls and
# NaN; 5 only without NaN; 5 only, NaN unknown; no bounds, no nulls, NaN unknown.
DOUBLE_SUMMARIES = from_summaries(
    pa.array([3.0, 3.0, 3.0, None, None, None, None, 5.0, 5.0, None], pa.float64()),
    pa.array([7.0, 7.0, 7.0, None, None, None, None, 5.0, 5.0, None], pa.float64()),
    has_lower=flags("TTTFFFFTTF"),
    has_upper=flags("TTTFFFFTTF"),
    contains_null=flags("FFFFTTTFFF"),
    contains_nan=flags("FT?TF?TF??"),
)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        pytest.param((1, 9), "TTTFF??TFF", id="around"),
        pytest.param((1, 2), "FFFFF??FFF", id="below"),
        pytest.param((8, 9), "FFFFF??FFF", id="above"),
    ],
)
def test_pyiceberg_judges_lists_by_their_range_in_summaries(
    values: tuple[int, ...], expected: str
) -> None:
    assert by_column(Op.IN, values, INT, INT_SUMMARIES, PYICEBERG.summaries) == expected


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


@pytest.mark.parametrize(
    ("op", "values", "expected"),
    [
        pytest.param(Op.LT, (4.0,), "TTTFFFFFFF", id="lt"),
        pytest.param(Op.GT, (6.0,), "TTTFFFFFFF", id="gt"),
        pytest.param(Op.EQ, (5.0,), "TTTFFFFTTF", id="eq"),
        pytest.param(Op.NOT_EQ, (5.0,), "TTTTTTTF??", id="ne-needs-no-nan"),
        pytest.param(Op.IS_NAN, (), "FT?TF?TF??", id="is-nan"),
        pytest.param(Op.NOT_NAN, (), "TTTFTTTTT?", id="not-nan-skips-only-all-nan"),
        pytest.param(Op.NOT_NULL, (), "TTTTF?TTTT", id="not-null-needs-no-nan-to-prune"),
        pytest.param(Op.IS_NULL, (), "FFFFTTTFFF", id="is-null"),
    ],
)
def test_double_summaries(op: Op, values: tuple[float, ...], expected: str) -> None:
    assert by_column(op, values, DOUBLE, DOUBLE_SUMMARIES, METADATA_RULES) == expected


STRING_SUMMARIES = from_summaries(
    pa.array([b"abx", b"aba", None, None, b"aa"], pa.binary()),
    pa.array([b"abz", b"abz", None, None, b"ab"], pa.binary()),
    has_lower=flags("TTFTT"),
    has_upper=flags("TTFTT"),
    contains_null=flags("FTTFF"),
    contains_nan=None,
)


@pytest.mark.parametrize(
    ("op", "prefix", "expected"),
    [
        pytest.param(Op.STARTS_WITH, b"ab", "TTF?T", id="starts-with"),
        pytest.param(Op.STARTS_WITH, b"abb", "FTF?F", id="starts-with-longer-than-an-upper"),
        pytest.param(Op.NOT_STARTS_WITH, b"ab", "FTT?T", id="not-starts-with-keeps-nulls"),
    ],
)
def test_string_summaries(op: Op, prefix: bytes, expected: str) -> None:
    assert by_column(op, (prefix,), STRING, STRING_SUMMARIES, METADATA_RULES) == expected


@pytest.mark.parametrize(
    ("op", "values", "expected"),
    [
        # A null sorts before all values; the residual then decides, so unknown, not true.
        pytest.param(Op.LT, (5,), "TFF?", id="lt-keeps-null"),
        pytest.param(Op.LT_EQ, (5,), "TTF?", id="le-keeps-null"),
        pytest.param(Op.GT, (5,), "FFTF", id="gt"),
        pytest.param(Op.GT_EQ, (5,), "FTTF", id="ge"),
        pytest.param(Op.EQ, (5,), "FTFF", id="eq"),
        pytest.param(Op.NOT_EQ, (5,), "TFTT", id="ne-keeps-null"),
        pytest.param(Op.IN, (3, 5), "TTFF", id="in"),
        pytest.param(Op.IN, (4, 6), "FFFF", id="in-gaps"),
        pytest.param(Op.NOT_IN, (3, 5), "FFTT", id="not-in-keeps-null"),
        pytest.param(Op.IS_NULL, (), "FFFT", id="is-null"),
        pytest.param(Op.NOT_NULL, (), "TTTF", id="not-null"),
    ],
)
def test_integer_partition_values(op: Op, values: tuple[int, ...], expected: str) -> None:
    column = from_values(ints(3, 5, 7, None))
    assert by_column(op, values, INT, column, PARTITION_RULES) == expected


@pytest.mark.parametrize(
    ("op", "values", "expected"),
    [
        pytest.param(Op.LT, (5.0,), "TF?F", id="lt-keeps-null-not-nan"),
        pytest.param(Op.GT, (3.0,), "F?FT", id="gt-keeps-nan-not-null"),
        pytest.param(Op.EQ, (5.0,), "FFFT", id="eq"),
        pytest.param(Op.IN, (3.0, 4.0), "TFFF", id="in"),
        pytest.param(Op.NOT_EQ, (5.0,), "TTTF", id="ne-keeps-null-and-nan"),
        pytest.param(Op.IS_NAN, (), "FTFF", id="is-nan"),
        pytest.param(Op.NOT_NAN, (), "TFTT", id="not-nan-keeps-null"),
        pytest.param(Op.IS_NULL, (), "FFTF", id="is-null"),
        pytest.param(Op.NOT_NULL, (), "TTFT", id="not-null-keeps-nan"),
    ],
)
def test_double_partition_values(op: Op, values: tuple[float, ...], expected: str) -> None:
    column = from_values(pa.array([3.0, NAN, None, 5.0], pa.float64()))
    assert by_column(op, values, DOUBLE, column, PARTITION_RULES) == expected


@pytest.mark.parametrize(
    ("op", "prefix", "expected"),
    [
        pytest.param(Op.STARTS_WITH, b"ab", "TTFF", id="starts-with"),
        pytest.param(Op.STARTS_WITH, b"abc", "TFFF", id="starts-with-longer-than-a-value"),
        pytest.param(Op.NOT_STARTS_WITH, b"ab", "FFTT", id="not-starts-with-keeps-null"),
        pytest.param(Op.NOT_STARTS_WITH, b"abc", "FTTT", id="not-starts-with-longer"),
    ],
)
def test_string_partition_values(op: Op, prefix: bytes, expected: str) -> None:
    column = from_values(pa.array([b"abc", b"ab", None, b"b"], pa.binary()))
    assert by_column(op, (prefix,), STRING, column, PARTITION_RULES) == expected


@pytest.mark.parametrize(
    ("size", "rules", "expected"),
    [
        pytest.param(200, METADATA_RULES, "FF?", id="files-200"),
        pytest.param(201, METADATA_RULES, "?F?", id="files-201-keeps-all-but-all-null"),
        pytest.param(200, ROW_GROUP_RULES, "FF?", id="row-groups-200"),
        pytest.param(201, ROW_GROUP_RULES, "?F?", id="row-groups-201"),
        pytest.param(5000, PARTITION_RULES, "FF?", id="partition-values-have-no-limit"),
    ],
)
def test_long_in_lists(size: int, rules: Rules, expected: str) -> None:
    column = from_counts(
        ints(3, None, None),
        ints(7, None, None),
        null_count=ints(0, 10, None),
        nan_count=None,
        value_count=ints(10, 10, 10),
    )
    assert by_column(Op.IN, tuple(range(100, 100 + size)), INT, column, rules) == expected


@pytest.mark.parametrize(
    "predicate",
    [
        TRUE,
        UNSUPPORTED,
        BoundComparison(Op.EQ, INT, (5,)),
        BoundComparison(Op.NOT_EQ, INT, (9,)),
        BoundComparison(Op.IS_NULL, INT),
        BoundComparison(Op.EQ, Field(99, "y", "int"), (5,)),
    ],
    ids=str,
)
def test_empty_containers_match_nothing(predicate: Predicate) -> None:
    column = from_counts(
        ints(3, 3, 3),
        ints(7, 7, 7),
        null_count=ints(1, 1, 1),
        nan_count=None,
        value_count=ints(9, 9, 9),
    )
    statistics = Statistics(3, flags("TF?"), {(1, "int"): column})
    empty, filled, unsaid = list(states(predicate, statistics, METADATA_RULES))
    assert empty == "F"
    assert filled != "F"
    assert unsaid == "?"


@pytest.mark.parametrize(
    ("predicate", "expected"),
    [
        pytest.param(TRUE, "TT", id="true"),
        pytest.param(FALSE, "FF", id="false"),
        pytest.param(UNSUPPORTED, "??", id="unsupported"),
        pytest.param(And((UNSUPPORTED, FALSE)), "FF", id="unsupported-and-false"),
        pytest.param(Or((UNSUPPORTED, TRUE)), "TT", id="unsupported-or-true"),
        pytest.param(Or((UNSUPPORTED, FALSE)), "??", id="unsupported-or-false"),
        pytest.param(BoundComparison(Op.EQ, INT, (5,)), "??", id="column-without-statistics"),
        pytest.param(BoundComparison(Op.IS_NULL, INT), "??", id="unary-without-statistics"),
    ],
)
def test_what_needs_no_statistics(predicate: Predicate, expected: str) -> None:
    statistics = Statistics(2, constant(False, 2), {})
    assert states(predicate, statistics, METADATA_RULES) == expected


LEFT, RIGHT = BoundComparison(Op.IS_NULL, INT), BoundComparison(Op.IS_NULL, DOUBLE)
PAIRS = list(itertools.product("TF?", repeat=2))


@pytest.mark.parametrize(
    ("predicate", "expected"),
    [
        #                                    TTTFFF???
        #                                    TF?TF?TF?
        pytest.param(And((LEFT, RIGHT)), "TF?FFF?F?", id="and"),
        pytest.param(Or((LEFT, RIGHT)), "TTTTF?T??", id="or"),
        pytest.param(And((LEFT, RIGHT, LEFT)), "TF?FFF?F?", id="and-of-three"),
        pytest.param(Or((And((LEFT, RIGHT)), LEFT)), "TTTFFF???", id="absorption"),
    ],
)
def test_kleene_truth_tables(predicate: Predicate, expected: str) -> None:
    table = {
        LEFT: tristate_of("".join(left for left, _ in PAIRS)),
        RIGHT: tristate_of("".join(right for _, right in PAIRS)),
    }
    (shape,) = shapes([Scan(0, predicate)])
    found = all_of(
        [
            evaluate(tree, lambda place: table[shape.leaves[place.number].comparison(0)])
            for tree in shape.conjuncts
        ]
    )
    assert letters(found, 9) == expected


def tristate_of(text: str) -> TriState:
    possible, shown = ([letter in kinds for letter in text] for kinds in ("T?", "T"))
    return TriState(np.array([possible]), np.array([shown]))


def test_an_unbound_predicate_is_refused() -> None:
    with pytest.raises(TypeError, match="bound"):
        shapes([Scan(0, Comparison(Op.IS_NULL, Column(("x",))))])


def test_columns_are_found_in_order_of_first_use() -> None:
    nested = And((Or((RIGHT, LEFT)), UNSUPPORTED, LEFT, TRUE))
    assert list(columns_of([nested, RIGHT])) == [(2, "double"), (1, "int")]
