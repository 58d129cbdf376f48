"""Rows as containers of one row each: values of every type, nulls, NaN, absent columns."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from prunescope.collectors.statistics import ColumnKey, Statistics
from prunescope.collectors.storage.files import Storage
from prunescope.collectors.tables.footers import ParquetFile
from prunescope.collectors.tables.row_samples import (
    MAX_ROWS,
    RowsOfFile,
    physical_array,
    rows_of_files,
)

UTC = dt.UTC
MOMENT = dt.datetime(2024, 4, 3, 12, 30, 0, 123456)


def with_ids(names: dict[str, pa.DataType]) -> pa.Schema:
    """A schema whose fields have the ids 1, 2, …, as Iceberg writes them."""
    return pa.schema(
        [
            pa.field(name, kind, metadata={b"PARQUET:field_id": str(field_id).encode()})
            for field_id, (name, kind) in enumerate(names.items(), start=1)
        ]
    )


def write(path: Path, columns: dict[str, pa.Array], **options: Any) -> None:
    schema = with_ids({name: array.type for name, array in columns.items()})
    pq.write_table(pa.table(list(columns.values()), schema=schema), path, **options)


def file(path: Path, *columns: ColumnKey) -> ParquetFile:
    return ParquetFile(str(path), path.stat().st_size, Storage(), columns)


def read_rows(files: Sequence[ParquetFile], seed: int) -> list[Statistics]:
    return [one.rows for one in rows_of_files(files, seed) if isinstance(one, RowsOfFile)]


@pytest.mark.parametrize(
    ("type_name", "values", "expected"),
    [
        ("boolean", pa.array([True, None]), [1, None]),
        ("int", pa.array([3, None], pa.int32()), [3, None]),
        ("long", pa.array([3, None], pa.int32()), [3, None]),
        ("float", pa.array([1.5], pa.float32()), [1.5]),
        ("double", pa.array([1.5], pa.float32()), [1.5]),
        ("date", pa.array([dt.date(1970, 1, 3)]), [2]),
        ("time", pa.array([dt.time(0, 0, 1)], pa.time64("us")), [1_000_000]),
        ("time", pa.array([dt.time(0, 0, 1)], pa.time32("ms")), [1_000_000]),
        ("timestamp", pa.array([MOMENT], pa.timestamp("us")), [1712147400123456]),
        ("timestamp", pa.array([MOMENT], pa.timestamp("ns")), [1712147400123456]),
        ("timestamp_ns", pa.array([MOMENT], pa.timestamp("us")), [1712147400123456000]),
        (
            "timestamptz",
            pa.array([MOMENT.replace(tzinfo=UTC)], pa.timestamp("us", "UTC")),
            [1712147400123456],
        ),
        ("decimal(9,2)", pa.array([Decimal("1.25")], pa.decimal128(5, 2)), [Decimal("1.25")]),
        ("string", pa.array(["é"]), ["é".encode()]),
        ("string", pa.array(["é"]).dictionary_encode(), ["é".encode()]),
        ("binary", pa.array([b"\x01"]), [b"\x01"]),
        ("fixed[2]", pa.array([b"ab"], pa.binary(2)), [b"ab"]),
        ("uuid", pa.array([uuid.UUID(int=7).bytes], pa.binary(16)), [uuid.UUID(int=7).bytes]),
    ],
)
def test_values_in_physical_form(type_name: str, values: pa.Array, expected: list[Any]) -> None:
    assert physical_array(values, type_name).to_pylist() == expected


def test_rows_are_containers_of_one_value(tmp_path: Path) -> None:
    path = tmp_path / "rows.parquet"
    write(path, {"n": pa.array([1, None, 3]), "x": pa.array([0.5, float("nan"), None])})
    n, x, absent = (1, "long"), (2, "double"), (9, "string")

    (rows,) = read_rows([file(path, n, x, absent)], seed=1)

    assert rows.count == 3
    assert rows.columns[n].lower.to_pylist() == rows.columns[n].upper.to_pylist() == [1, None, 3]
    assert rows.columns[n].all_null.to_pylist() == [False, True, False]
    assert rows.columns[x].lower.to_pylist() == [0.5, None, None]
    assert rows.columns[x].all_nan.to_pylist() == [False, True, False]
    assert rows.columns[absent].all_null.to_pylist() == [True, True, True]


def nested(fields: list[pa.Field]) -> pa.Schema:
    return pa.schema([pa.field("id", pa.int64(), metadata=number(1)), *fields])


def number(field_id: int) -> dict[bytes, bytes]:
    return {b"PARQUET:field_id": str(field_id).encode()}


def test_fields_of_structs_are_values_of_their_row(tmp_path: Path) -> None:
    """Null where the struct is, and where a struct on the way is."""
    city = pa.field("city", pa.string(), metadata=number(4))
    inner = pa.field("place", pa.struct([city]), metadata=number(3))
    address = pa.field("address", pa.struct([inner]), metadata=number(2))
    path = tmp_path / "rows.parquet"
    rows = [
        {"id": 1, "address": {"place": {"city": "Rome"}}},
        {"id": 2, "address": {"place": {"city": None}}},
        {"id": 3, "address": {"place": None}},
        {"id": 4, "address": None},
    ]
    pq.write_table(pa.Table.from_pylist(rows, schema=nested([address])), path)
    key = (4, "string")
    (found,) = read_rows([file(path, key, (1, "long"))], seed=1)
    assert found.columns[key].lower.to_pylist() == [b"Rome", None, None, None]
    assert found.columns[key].all_null.to_pylist() == [False, True, True, True]
    assert found.columns[1, "long"].lower.to_pylist() == [1, 2, 3, 4]


def test_names_with_dots_are_no_fields(tmp_path: Path) -> None:
    """Which of two columns of one path is meant cannot be told: neither is sampled."""
    b = pa.field("b", pa.int64(), metadata=number(3))
    a = pa.field("a", pa.struct([b]), metadata=number(2))
    dotted = pa.field("a.b", pa.int64(), metadata=number(4))
    path = tmp_path / "rows.parquet"
    pq.write_table(
        pa.Table.from_pylist([{"id": 1, "a": {"b": 2}, "a.b": 3}], schema=nested([a, dotted])),
        path,
    )
    (found,) = read_rows([file(path, (1, "long"), (3, "long"), (4, "long"))], seed=1)
    assert set(found.columns) == {(1, "long")}
    pq.write_table(pa.Table.from_pylist([{"id": 1, "a.b": 3}], schema=nested([dotted])), path)
    (found,) = read_rows([file(path, (4, "long"))], seed=1)
    assert found.columns[4, "long"].lower.to_pylist() == [3]


def test_a_file_that_cannot_be_read_has_no_rows(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.parquet", tmp_path / "bad.parquet"
    write(good, {"n": pa.array([1])})
    bad.write_bytes(b"PAR1 this is no Parquet file PAR1")
    missing = ParquetFile(str(tmp_path / "none.parquet"), 100, Storage(), ((1, "long"),))
    rows = rows_of_files([file(bad, (1, "long")), missing, file(good, (1, "long"))], seed=1)
    assert [isinstance(one, RowsOfFile) for one in rows] == [False, False, True]


def test_of_many_rows_a_random_part_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "many.parquet"
    write(path, {"n": pa.array(range(3 * MAX_ROWS))}, row_group_size=3 * MAX_ROWS)
    (rows,) = read_rows([file(path, (1, "long"))], seed=1)
    values = rows.columns[1, "long"].lower.to_pylist()
    assert len(set(values)) == len(values) == MAX_ROWS
    assert sum(values) / MAX_ROWS == pytest.approx(1.5 * MAX_ROWS, rel=0.05)


@pytest.mark.parametrize(
    ("limits", "row_groups"),
    [
        pytest.param({}, 8, id="all"),
        pytest.param({"MAX_ROW_GROUPS": 3}, 3, id="some"),
        pytest.param({"MAX_BYTES": 20_000}, 2, id="no more bytes"),
        pytest.param({"MAX_BYTES": 100}, 0, id="none is so small"),
    ],
)
def test_rows_are_those_of_several_row_groups(
    limits: dict[str, int],
    row_groups: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Rows in order of a column, of which each row group has 8,000 bytes."""
    for name, limit in limits.items():
        monkeypatch.setattr(f"prunescope.collectors.tables.row_samples.{name}", limit)
    path = tmp_path / "ordered.parquet"
    plain = {"use_dictionary": False, "compression": "none", "row_group_size": 1_000}
    write(path, {"n": pa.array(range(8_000))}, **plain)
    (found,) = rows_of_files([file(path, (1, "long"))], 1, 400)
    if found is None:
        assert not row_groups
        return
    assert isinstance(found, RowsOfFile)
    values = found.rows.columns[1, "long"].lower.to_pylist()
    assert len(values) == 400
    assert values == sorted(values)
    assert len({value // 1_000 for value in values}) == row_groups
    assert found.part == row_groups / 8


def test_a_column_of_another_type_is_unknown(tmp_path: Path) -> None:
    path = tmp_path / "other.parquet"
    write(path, {"n": pa.array(["x"])})
    (rows,) = read_rows([file(path, (1, "long"))], seed=1)
    assert rows.columns == {}
