import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pytest

from prunescope.collectors.parquet.bloom_filters import (
    HEADER_BYTES,
    filter_length,
    hashes,
    might_contain,
    read_filter,
)
from prunescope.collectors.parquet.thrift_types import MalformedParquet
from tests.collectors.parquet.files import CASES, Chunk, only_chunk, physical_values, write

BLOOM = {"bloom_filter_options": {"x": {"ndv": 100, "fpp": 0.01}}, "use_dictionary": False}


def contains(chunk: Chunk, values: list[Any]) -> list[bool]:
    blocks = read_filter(chunk.bytes_of(chunk.layout.bloom_filter))
    hashed = hashes(values, chunk.layout.conversion)
    assert hashed is not None
    return list(might_contain(blocks, hashed[0]).tolist())


_NOT_ASKED = ("int as long", "date as timestamp")


@pytest.mark.parametrize("name", [name for name in CASES if name not in _NOT_ASKED])
def test_every_value_is_found(tmp_path: Path, name: str) -> None:
    kind, type_name, values = CASES[name]
    path = tmp_path / "f.parquet"
    write(path, kind, [*values, None], **BLOOM)
    chunk = only_chunk(path, type_name)
    present = [v for v in physical_values(chunk.values, type_name) if v not in (None, 0.0)]
    assert all(contains(chunk, present))


def test_few_absent_values_are_found(tmp_path: Path) -> None:
    path = tmp_path / "f.parquet"
    write(path, pa.int64(), range(100), **BLOOM)
    found = contains(only_chunk(path, "long"), list(range(1_000, 11_000)))
    assert sum(found) < 300, "1 % of 10,000, and some"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        pytest.param("milliseconds", 1, id="finer-than-the-file"),
        pytest.param("fixed", b"abcd", id="too-long"),
        pytest.param("decimal in 4 bytes", Decimal("99999999999.99"), id="too-many-digits"),
    ],
)
def test_what_the_column_cannot_hold_is_in_no_filter(tmp_path: Path, name: str, value: Any) -> None:
    kind, type_name, values = CASES[name]
    path = tmp_path / "f.parquet"
    write(path, kind, values, **BLOOM)
    assert contains(only_chunk(path, type_name), [value]) == []


@pytest.mark.parametrize("written", [0.0, -0.0])
@pytest.mark.parametrize("asked", [0.0, -0.0])
def test_zeros_equal_each_other_with_either_sign(
    tmp_path: Path, written: float, asked: float
) -> None:
    path = tmp_path / "f.parquet"
    write(path, pa.float64(), [written], **BLOOM)
    assert any(contains(only_chunk(path, "double"), [asked]))


@pytest.mark.parametrize("name", _NOT_ASKED)
def test_promoted_integers_are_not_asked_about(tmp_path: Path, name: str) -> None:
    kind, type_name, values = CASES[name]
    path = tmp_path / "f.parquet"
    write(path, kind, values, **BLOOM)
    assert hashes([5], only_chunk(path, type_name).layout.conversion) is None


def test_doubles_are_rounded_for_files_of_floats(tmp_path: Path) -> None:
    path = tmp_path / "f.parquet"
    write(path, pa.float32(), [0.1], **BLOOM)
    assert contains(only_chunk(path, "double"), [0.1]) == [True]


def test_types_that_readers_do_not_ask_about(tmp_path: Path) -> None:
    path = tmp_path / "f.parquet"
    write(path, pa.timestamp("ns"), [5], **BLOOM)
    assert hashes([5], only_chunk(path, "timestamp_ns").layout.conversion) is None


def test_decimals_in_byte_arrays_have_many_forms(tmp_path: Path) -> None:
    path = tmp_path / "f.parquet"
    duckdb.connect().execute(
        f"COPY (SELECT 1.5::DECIMAL(38, 2) AS x) TO '{path}' (FORMAT parquet)"
    ).fetchall()
    conversion = only_chunk(path, "decimal(38,2)").layout.conversion
    assert json.dumps(conversion.width) == "16", "DuckDB stores it in a fixed length"
    variable = type(conversion)(
        conversion.type_name, "BYTE_ARRAY", conversion.form, 0, is_ordered=True
    )
    assert hashes([Decimal("1.5")], variable) is None


def test_the_header_tells_the_length(tmp_path: Path) -> None:
    path = tmp_path / "f.parquet"
    write(path, pa.int64(), [1], **BLOOM)
    chunk = only_chunk(path, "long")
    place = chunk.layout.bloom_filter
    assert place is not None
    start = chunk.content[place.offset : place.offset + HEADER_BYTES]
    assert filter_length(start) == place.length


@pytest.mark.parametrize("cut", [0, 1, 10, 40])
def test_a_filter_that_is_cut_off(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "f.parquet"
    write(path, pa.int64(), [1], **BLOOM)
    chunk = only_chunk(path, "long")
    with pytest.raises(MalformedParquet):
        read_filter(chunk.bytes_of(chunk.layout.bloom_filter)[:cut])


def test_nothing_asked_is_nothing_found() -> None:
    blocks = np.full((1, 8), 0xFFFFFFFF, np.uint32)
    assert might_contain(blocks, np.array([], np.uint64)).tolist() == []
