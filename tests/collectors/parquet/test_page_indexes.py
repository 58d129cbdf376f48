from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from prunescope.collectors.parquet.page_indexes import Pages, decode_pages
from prunescope.collectors.parquet.thrift_types import MalformedParquet
from tests.collectors.parquet.files import CASES, Chunk, chunks, only_chunk, physical_values, write

# In Thrift's compact protocol: empty lists of booleans, of two of strings; and of structs.
NO_BOUNDS, NO_PAGES = b"\x19\x01\x19\x08\x19\x08\x00", b"\x19\x0c\x00"
INDEXED: dict[str, Any] = {"write_page_index": True, "write_batch_size": 1}


def pages(chunk: Chunk) -> Pages:
    return decode_pages(
        chunk.bytes_of(chunk.layout.column_index),
        chunk.bytes_of(chunk.layout.offset_index),
        chunk.layout,
        chunk.records,
    )


@pytest.mark.parametrize("name", [name for name in CASES if name != "uuid"])
def test_pages_say_what_is_in_them(tmp_path: Path, name: str) -> None:
    kind, type_name, values = CASES[name]
    path = tmp_path / "f.parquet"
    rows = [*values, None, None, *values, *([None] * 4)]
    write(path, kind, rows, max_rows_per_page=2, row_group_size=12, **INDEXED)
    for chunk in chunks(path, type_name):
        found = pages(chunk)
        assert len(found.size) == -(-chunk.records // 2)
        assert found.records.sum() == chunk.records
        everything = physical_values(chunk.values, type_name)
        for number, first in enumerate(found.first_row.tolist()):
            here = everything[first : first + int(found.records[number])]
            present = [value for value in here if value is not None]
            assert found.null_count[number].as_py() == len(here) - len(present)
            assert found.lower[number].as_py() == (min(present) if present else None)
            assert found.upper[number].as_py() == (max(present) if present else None)


def test_values_without_an_order_have_no_bounds(tmp_path: Path) -> None:
    kind, type_name, values = CASES["uuid"]
    path = tmp_path / "f.parquet"
    write(path, kind, values, max_rows_per_page=1, **INDEXED)
    found = pages(only_chunk(path, type_name))
    assert found.lower.to_pylist() == found.upper.to_pylist() == [None, None]
    assert found.null_count.to_pylist() == [0, 0]


def test_pages_of_nan_have_no_bounds(tmp_path: Path) -> None:
    path = tmp_path / "f.parquet"
    nan = float("nan")
    write(path, pa.float64(), [1.0, 2.0, nan, nan], max_rows_per_page=2, **INDEXED)
    chunk = only_chunk(path, "double")
    if chunk.layout.column_index is not None:  # a writer may leave out the index altogether
        assert pages(chunk).lower.to_pylist() == [1.0, None]


def test_a_file_without_indexes(tmp_path: Path) -> None:
    path = tmp_path / "f.parquet"
    write(path, pa.int64(), [1])
    layout = only_chunk(path, "long").layout
    assert (layout.column_index, layout.offset_index) == (None, None)


def test_indexes_of_different_lengths_are_refused(tmp_path: Path) -> None:
    one, two = tmp_path / "1.parquet", tmp_path / "2.parquet"
    write(one, pa.int64(), [1, 2], max_rows_per_page=1, **INDEXED)
    write(two, pa.int64(), [1], max_rows_per_page=1, **INDEXED)
    first, second = only_chunk(one, "long"), only_chunk(two, "long")
    with pytest.raises(MalformedParquet, match="different lengths"):
        decode_pages(
            first.bytes_of(first.layout.column_index),
            second.bytes_of(second.layout.offset_index),
            first.layout,
            2,
        )


def test_rows_beyond_the_row_group_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "f.parquet"
    write(path, pa.int64(), [1, 2, 3], max_rows_per_page=1, **INDEXED)
    chunk = only_chunk(path, "long")
    with pytest.raises(MalformedParquet, match="out of order"):
        decode_pages(
            chunk.bytes_of(chunk.layout.column_index),
            chunk.bytes_of(chunk.layout.offset_index),
            chunk.layout,
            1,
        )


def test_bounds_of_another_width_are_refused(tmp_path: Path) -> None:
    narrow, wide = tmp_path / "n.parquet", tmp_path / "w.parquet"
    write(narrow, pa.int32(), [1], **INDEXED)
    write(wide, pa.int64(), [1], **INDEXED)
    chunk, other = only_chunk(narrow, "long"), only_chunk(wide, "long")
    with pytest.raises(MalformedParquet, match="no values of their type"):
        decode_pages(
            other.bytes_of(other.layout.column_index),
            other.bytes_of(other.layout.offset_index),
            chunk.layout,
            1,
        )


def test_bounds_of_fixed_length_may_be_cut_off(tmp_path: Path) -> None:
    long, short = tmp_path / "l.parquet", tmp_path / "s.parquet"
    write(long, pa.binary(100), [b"a" * 100], **INDEXED)
    write(short, pa.binary(), [b"a" * 64], **INDEXED)
    cut = only_chunk(short, "binary")
    found = decode_pages(
        cut.bytes_of(cut.layout.column_index),
        cut.bytes_of(cut.layout.offset_index),
        only_chunk(long, "fixed[100]").layout,
        1,
    )
    assert found.lower.to_pylist() == [b"a" * 64]


def test_more_nulls_than_rows_are_refused(tmp_path: Path) -> None:
    many, one = tmp_path / "m.parquet", tmp_path / "o.parquet"
    write(many, pa.int64(), [1, None, None], **INDEXED)
    write(one, pa.int64(), [1], **INDEXED)
    nulls, place = only_chunk(many, "long"), only_chunk(one, "long")
    with pytest.raises(MalformedParquet, match="more nulls than rows"):
        decode_pages(
            nulls.bytes_of(nulls.layout.column_index),
            place.bytes_of(place.layout.offset_index),
            place.layout,
            1,
        )


def test_an_index_without_pages_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "f.parquet"
    write(path, pa.int64(), [1])
    with pytest.raises(MalformedParquet, match="without pages"):
        decode_pages(NO_BOUNDS, NO_PAGES, only_chunk(path, "long").layout, 1)
