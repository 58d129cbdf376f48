from typing import Any

import pyarrow as pa
import pytest

from prunescope.collectors.statistics import (
    ColumnStatistics,
    from_counts,
    from_summaries,
    from_values,
    unknown,
)

NAN = float("nan")
FACTS = ("has_null", "has_nan", "all_null", "all_nan", "none_low", "none_high")


def facts(column: ColumnStatistics) -> str:
    """One letter per fact of the only container: T, F, or ? for unknown."""
    return "".join(
        {True: "T", False: "F", None: "?"}[getattr(column, name)[0].as_py()] for name in FACTS
    )


def counted(
    lower: float | None,
    upper: float | None,
    nulls: int | None,
    nans: int | None,
    values: int | None,
    *,
    floating: bool = True,
) -> ColumnStatistics:
    return from_counts(
        pa.array([lower], pa.float64()),
        pa.array([upper], pa.float64()),
        null_count=pa.array([nulls], pa.int64()),
        nan_count=pa.array([nans], pa.int64()) if floating else None,
        value_count=pa.array([values], pa.int64()),
    )


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        pytest.param(counted(3, 7, 0, 0, 9), "FFFFFF", id="plain"),
        pytest.param(counted(3, 7, 2, 3, 9), "TTFFFF", id="some-of-each"),
        pytest.param(counted(None, None, 9, 0, 9), "TFTFTT", id="all-null"),
        pytest.param(counted(None, None, 0, 9, 9), "FTFTTT", id="all-nan"),
        pytest.param(counted(None, None, 9, None, 9), "T?T?TT", id="all-null-nan-unknown"),
        pytest.param(counted(None, None, 4, 5, 9), "TTFFFF", id="nulls-and-nan-only"),
        pytest.param(counted(None, None, 0, 0, 9), "FFFFFF", id="bounds-missing-is-not-all-null"),
        pytest.param(counted(None, None, None, None, 9), "??????", id="counts-unknown"),
        pytest.param(counted(3, None, None, None, 9), "????FF", id="a-bound-proves-a-value"),
        pytest.param(counted(None, 7, 0, 0, None), "FF??FF", id="value-count-unknown"),
        pytest.param(counted(None, None, 0, 0, None), "FF????", id="only-null-counts"),
        pytest.param(counted(None, None, 9, 0, 9, floating=False), "TFTFTT", id="no-nan-in-type"),
        pytest.param(
            counted(None, None, None, 0, 9, floating=False), "?F?F??", id="nulls-unknown-in-type"
        ),
    ],
)
def test_facts_from_counts(column: ColumnStatistics, expected: str) -> None:
    assert facts(column) == expected


@pytest.mark.parametrize(
    ("value", "expected", "bound"),
    [
        pytest.param(5.0, "FFFFFF", 5.0, id="value"),
        # A null satisfies every `<` and a NaN every `>`.
        pytest.param(None, "TFTFFT", None, id="null"),
        pytest.param(NAN, "FTFTTF", None, id="nan"),
    ],
)
def test_facts_from_values(value: float | None, expected: str, bound: float | None) -> None:
    column = from_values(pa.array([value], pa.float64()))
    assert facts(column) == expected
    assert (column.lower.to_pylist(), column.upper.to_pylist()) == ([bound], [bound])


@pytest.mark.parametrize(
    ("has_lower", "has_upper", "null", "nan", "expected"),
    [
        pytest.param(True, True, False, False, "FFFFFF", id="plain"),
        pytest.param(True, True, True, True, "TTFFFF", id="bounds-and-both"),
        pytest.param(False, False, True, False, "TFTFTT", id="all-null"),
        pytest.param(False, False, False, True, "FTFTTT", id="all-nan"),
        pytest.param(False, False, True, None, "T??FTT", id="nan-unknown"),
        pytest.param(False, False, True, True, "TTFFTT", id="nulls-and-nan"),
        pytest.param(None, None, None, None, "??????", id="not-summarised"),
        pytest.param(True, True, False, None, "F?FFFF", id="nan-unknown-with-bounds"),
    ],
)
def test_facts_from_summaries(
    has_lower: Any, has_upper: Any, null: Any, nan: Any, expected: str
) -> None:
    bounds = pa.nulls(1, pa.float64())
    column = from_summaries(
        bounds,
        bounds,
        has_lower=pa.array([has_lower], pa.bool_()),
        has_upper=pa.array([has_upper], pa.bool_()),
        contains_null=pa.array([null], pa.bool_()),
        contains_nan=pa.array([nan], pa.bool_()),
    )
    assert facts(column) == expected


def test_unknown_facts_are_null() -> None:
    assert unknown(3).to_pylist() == [None, None, None]
