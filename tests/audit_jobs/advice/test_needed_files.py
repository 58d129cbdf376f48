"""Files that hold few rows that are needed: DuckDB answers from them alone as it does from all."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

import duckdb
import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from prunescope.audit_jobs.advice.needed_files import Column, Files, Needed, may_fail, needed_files
from prunescope.audit_jobs.pruning.ordered import ordered
from prunescope.collectors.needed_rows import AnyRows, Extremes, FewRows, FirstRows
from prunescope.collectors.predicates.model import (
    TRUE,
    And,
    BoundComparison,
    Field,
    Or,
    Predicate,
    Reason,
    Unsupported,
)
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.statistics import from_counts

X, Y = Field(1, "x", "double"), Field(2, "y", "long")
Value = float | None


@pytest.fixture(scope="module")
def database() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as found:
        found.execute("CREATE TABLE t (file BIGINT, x DOUBLE, y BIGINT)")
        yield found


def _is_nan(value: Value) -> bool:
    return value is not None and math.isnan(value)


def _column(files: list[list[Value]], wider: float, known: Sequence[bool]) -> Column:
    """Bounds may be wider than the values, as those of texts are, and not be there."""
    numbers = [[v for v in rows if v is not None and not _is_nan(v)] for rows in files]
    told = [bool(found) and is_known for found, is_known in zip(numbers, known, strict=True)]
    pairs = list(zip(numbers, told, strict=True))
    statistics = from_counts(
        pa.array([min(n) - wider if k else None for n, k in pairs], pa.float64()),
        pa.array([max(n) + wider if k else None for n, k in pairs], pa.float64()),
        null_count=_counts([rows.count(None) for rows in files], known),
        nan_count=_counts([sum(map(_is_nan, rows)) for rows in files], known),
        value_count=_counts([len(rows) for rows in files], known),
    )
    return Column("double", ordered(statistics))


def _counts(counted: Sequence[int], known: Sequence[bool]) -> pa.Array:
    pairs = zip(counted, known, strict=True)
    return pa.array([count if is_known else None for count, is_known in pairs], pa.int64())


_values = st.sampled_from([None, math.nan, *map(float, range(-4, 5))])
_tables = st.lists(st.lists(_values, min_size=1, max_size=3), min_size=2, max_size=5)


@given(
    files=_tables,
    wider=st.sampled_from([0.0, 0.5, 2.0]),
    data=st.data(),
    needed=st.builds(FirstRows, st.just("x"), st.integers(0, 6), st.booleans(), st.booleans()),
)
def test_the_first_rows_are_in_the_files(
    database: duckdb.DuckDBPyConnection,
    files: list[list[Value]],
    wider: float,
    data: st.DataObject,
    needed: FirstRows,
) -> None:
    nulls = "FIRST" if needed.nulls_first else "LAST"
    order = f"x {'DESC' if needed.descending else 'ASC'} NULLS {nulls}"
    sql = (
        "SELECT x FROM t WHERE y = 1 AND file IN (SELECT * FROM kept) "
        f"ORDER BY {order} LIMIT {needed.count}"
    )
    _check(database, sql, needed, files, wider, data)


@pytest.mark.parametrize(
    ("functions", "needed"),
    [
        ("min(x)", Extremes(("x",))),
        ("max(x)", Extremes((), ("x",))),
        ("min(x), max(x)", Extremes(("x",), ("x",))),
    ],
)
@given(files=_tables, wider=st.sampled_from([0.0, 0.5, 2.0]), data=st.data())
def test_the_extremes_are_in_the_files(  # see _check
    database: duckdb.DuckDBPyConnection,
    functions: str,
    needed: Extremes,
    files: list[list[Value]],
    wider: float,
    data: st.DataObject,
) -> None:
    sql = f"SELECT {functions} FROM t WHERE y = 1 AND file IN (SELECT * FROM kept)"
    _check(database, sql, needed, files, wider, data)


@given(files=_tables, data=st.data(), count=st.integers(0, 8))
def test_any_rows_are_in_the_files(
    database: duckdb.DuckDBPyConnection, files: list[list[Value]], data: st.DataObject, count: int
) -> None:
    sql = (
        "SELECT count(*) FROM "
        f"(SELECT 1 FROM t WHERE y = 1 AND file IN (SELECT * FROM kept) LIMIT {count})"
    )
    _check(database, sql, AnyRows(count), files, 0.0, data)


def _check(  # a case has this many parts
    database: duckdb.DuckDBPyConnection,
    sql: str,
    needed: FewRows,
    files: list[list[Value]],
    wider: float,
    data: st.DataObject,
) -> None:
    """Files are ones of which all rows pass `y = 1` (sure), of which some do, or which the filter
    rules out."""
    kinds = data.draw(st.lists(st.sampled_from("aasn"), min_size=len(files), max_size=len(files)))
    told = st.sampled_from([True, True, True, False])
    known = data.draw(st.lists(told, min_size=len(files), max_size=len(files)))
    rows = [
        (number, value, {"a": 1, "s": place % 2, "n": 0}[kind])
        for number, (kind, values) in enumerate(zip(kinds, files, strict=True))
        for place, value in enumerate(values)
    ]
    found = needed_files(needed, _files(files, kinds), {"x": _column(files, wider, known)})
    everything = list(range(len(files)))
    assert repr(_answer(database, sql, rows, np.flatnonzero(found.files).tolist())) == repr(
        _answer(database, sql, rows, everything)
    )


def _files(files: Sequence[Sequence[Value]], kinds: Sequence[str]) -> Files:
    return Files(
        np.array([len(values) for values in files]),
        np.ones(len(files), np.bool_),
        np.array([kind != "n" for kind in kinds]),
        np.array([kind == "a" for kind in kinds]),
    )


def _answer(
    database: duckdb.DuckDBPyConnection,
    sql: str,
    rows: list[tuple[int, Value, int]],
    kept: list[int],
) -> list[tuple[object, ...]]:
    database.execute("DELETE FROM t")
    database.executemany("INSERT INTO t VALUES (?, ?, ?)", rows)
    listed = ", ".join(f"({number})" for number in (*kept, -1))
    return database.execute(f"WITH kept(file) AS (VALUES {listed}) {sql}").fetchall()


def _of_days(lower: list[int | None], upper: list[int | None], null: list[int]) -> Column:
    count = len(lower)
    statistics = from_counts(
        pa.array(lower, pa.int64()),
        pa.array(upper, pa.int64()),
        null_count=pa.array(null, pa.int64()),
        nan_count=None,
        value_count=pa.array([10] * count, pa.int64()),
    )
    return Column("date", ordered(statistics))


def _ten_each(count: int, *, sure: bool = True, parquet: bool = True) -> Files:
    everyone = np.ones(count, np.bool_)
    return Files(np.full(count, 10), everyone & parquet, everyone, everyone & sure)


DAYS = _of_days([1, 2, 3, None], [1, 2, 3, None], [0, 0, 5, 10])


def _read(found: Needed) -> list[int]:
    read: list[int] = np.flatnonzero(found.files).tolist()
    return read


@pytest.mark.parametrize(
    ("needed", "expected"),
    [
        (FirstRows("d", 10, descending=False, nulls_first=False), [0]),
        (FirstRows("d", 11, descending=False, nulls_first=False), [0, 1]),
        (FirstRows("d", 10, descending=False, nulls_first=True), [0, 2, 3]),
        # The newest file has nulls: how many days of it there are, nobody counted.
        (FirstRows("d", 5, descending=True, nulls_first=False), [1, 2]),
        (FirstRows("d", 0, descending=False, nulls_first=True), []),
        (AnyRows(25), [0, 1, 2]),
        (AnyRows(41), [0, 1, 2, 3]),
        (AnyRows(0), []),
        (Extremes((), ("d",)), [2]),
        (Extremes(("d",), ("d",)), [0, 2]),
    ],
)
def test_what_is_read_of_four_files(needed: FewRows, expected: list[int]) -> None:
    assert _read(needed_files(needed, _ten_each(4), {"d": DAYS})) == expected


def test_files_of_which_some_rows_may_not_match_are_not_counted_on() -> None:
    first = FirstRows("d", 1, descending=False, nulls_first=False)
    for needed in (first, AnyRows(1), Extremes(("d",))):
        assert _read(needed_files(needed, _ten_each(3, sure=False), {"d": _days(3)})) == [0, 1, 2]


@pytest.mark.parametrize(
    "needed",
    [
        FirstRows("x", 1, descending=False, nulls_first=False),
        FirstRows("x", 1, descending=True, nulls_first=False),
        Extremes(("x",)),
        Extremes((), ("x",)),
    ],
)
def test_files_that_may_have_nan_are_read(needed: FewRows) -> None:
    """Of three files, the last one has a NaN, and nobody knows of the first one."""
    column = _column([[1.0], [2.0], [3.0, math.nan]], 0.0, [True] * 3)
    unknown = replace(column.bounds.column, has_nan=pa.array([None, False, True]))
    read = _read(needed_files(needed, _ten_each(3), {"x": Column("double", ordered(unknown))}))
    assert {0, 2} <= set(read)


def _days(count: int) -> Column:
    return _of_days(list(range(count)), list(range(count)), [0] * count)


@pytest.mark.parametrize(
    ("files", "column", "expected"),
    [
        pytest.param(_ten_each(4), DAYS, True, id="each file tells"),
        pytest.param(_ten_each(4, sure=False), DAYS, False, id="a filter or deletes"),
        pytest.param(_ten_each(4, parquet=False), DAYS, False, id="another format"),
        pytest.param(
            _ten_each(2), _of_days([1, None], [2, None], [0, 0]), False, id="a file without bounds"
        ),
        pytest.param(_ten_each(4), Column("string", DAYS.bounds), False, id="bounds that are cut"),
        pytest.param(_ten_each(4), Column("double", DAYS.bounds), False, id="NaN"),
    ],
)
def test_what_metadata_answers(files: Files, column: Column, *, expected: bool) -> None:
    found = needed_files(Extremes((), ("d",)), files, {"d": column})
    assert found.in_metadata is expected


_leaf = st.builds(
    lambda op, field, value: BoundComparison(op, field, (value,)),
    st.sampled_from([Op.LT, Op.GT_EQ, Op.EQ, Op.NOT_EQ]),
    st.sampled_from([X, Y]),
    st.integers(-2, 2).map(float),
) | st.sampled_from(
    [BoundComparison(op, X) for op in (Op.IS_NULL, Op.NOT_NULL, Op.IS_NAN, Op.NOT_NAN)]
)
_trees: st.SearchStrategy[Predicate] = st.recursive(
    _leaf | st.just(TRUE),
    lambda inner: (
        st.builds(lambda a, b: And((a, b)), inner, inner)
        | st.builds(lambda a, b: Or((a, b)), inner, inner)
    ),
    max_leaves=4,
)


@given(predicate=_trees, x=_values, y=st.none() | st.integers(-2, 2))
def test_a_row_passes_or_may_fail(predicate: Predicate, x: Value, y: int | None) -> None:
    row = {"x": x, "y": y}
    assert _passes(predicate, row) or _passes(may_fail(predicate), row)


def test_what_is_not_read_may_fail() -> None:
    assert may_fail(Unsupported(Reason.FUNCTION, "f(x)", "f(x)", ("x",))) == TRUE


def _passes(predicate: Predicate, row: dict[str, Value]) -> bool:
    match predicate:
        case And(children):
            return all(_passes(child, row) for child in children)
        case Or(children):
            return any(_passes(child, row) for child in children)
        case BoundComparison(op, field, values):
            return _compares(op, row[field.name], values)
    return predicate == TRUE


def _compares(op: Op, value: Value, values: Sequence[object]) -> bool:
    is_nan = _is_nan(value)
    match op:
        case Op.IS_NULL:
            return value is None
        case Op.NOT_NULL:
            return value is not None
        case Op.IS_NAN:
            return is_nan
        case Op.NOT_NAN:
            return not is_nan
    if value is None or is_nan:
        return False
    (other,) = values
    assert isinstance(other, float)
    return {
        Op.LT: value < other,
        Op.GT_EQ: value >= other,
        Op.EQ: value == other,
        Op.NOT_EQ: value != other,
    }[op]
