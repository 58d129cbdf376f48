"""Every operator against the partition summaries of manifests.

Each table is one batch of containers, described above it; an expectation has one letter per
container: T can match, F cannot, ? unknown. Only F prunes.
"""

import pyarrow as pa
import pytest

from prunescope.audit_jobs.pruning.rules import PYICEBERG
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.statistics import from_summaries
from tests.audit_jobs.pruning.judging import (
    DOUBLE,
    INT,
    METADATA_RULES,
    STRING,
    by_column,
    flags,
    ints,
)

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
