"""Every operator against the partition values of files.

Each table is one batch of containers, described above it; an expectation has one letter per
container: T can match, F cannot, ? unknown. Only F prunes.
"""

import pyarrow as pa
import pytest

from prunescope.audit_jobs.pruning.rules import FLOOR
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.statistics import from_values
from tests.audit_jobs.pruning.judging import (
    DOUBLE,
    INT,
    NAN,
    PARTITION_RULES,
    STRING,
    by_column,
    ints,
)


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


def test_strings_are_ordered_by_code_points() -> None:
    column = from_values(pa.array([b"z", "é".encode(), "\U0001f600".encode()], pa.binary()))
    assert by_column(Op.GT, ("é".encode(),), STRING, column, PARTITION_RULES) == "FFT"
    assert by_column(Op.STARTS_WITH, ("é".encode(),), STRING, column, PARTITION_RULES) == "FTF"


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
