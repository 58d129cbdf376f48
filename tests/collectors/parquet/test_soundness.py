"""Footers that contradict themselves are corrupt, and Arrow, which would end the process for some
of them, is not asked."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from prunescope.collectors.tables.footers import FooterUnreadable
from prunescope.collectors.tables.row_samples import RowsOfFile, rows_of_files
from tests.footers import footer_of, parquet_file

# Thrift's compact protocol: 0x15 is the next field, an i32, and 0x18 the next, bytes of a length.
TYPE_OF_CHUNK = b"\x1c\x15\x04\x19"  # a struct, its field 1 is 2 for INT64, its field 2 a list
LOWER, UPPER = (bytes([8, n, 0, 0, 0, 0, 0, 0, 0]) for n in (1, 2))  # of eight bytes
SIZES = b"\x3c\x29\x06\x19\x26\x00\x04\x00"  # no repetition levels, two definition levels
TWO, MINUS_TWO = b"\x16\x04", b"\x16\x03"  # the next field, an i64: counts of rows and values
GROUP_OF_ONE = b"\x19\x1c\x19\x1c\x26"  # a list of one row group, whose field 1 is one of one chunk


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file of one column of longs, 1 and 2."""
    path = tmp_path / "f.parquet"
    field = pa.field("x", pa.int64(), metadata={b"PARQUET:field_id": b"1"})
    table = pa.table({"x": pa.array([1, 2])}, schema=pa.schema([field]))
    pq.write_table(table, path, use_dictionary=False, compression="none", store_schema=False)
    return path


def change(path: Path, old: bytes, new: bytes) -> None:
    """Puts other bytes into a footer, once at least."""
    content = path.read_bytes()
    length = int.from_bytes(content[-8:-4], "little")
    pages, footer = content[: -8 - length], content[-8 - length : -8]
    assert old in footer
    footer = footer.replace(old, new)
    path.write_bytes(pages + footer + len(footer).to_bytes(4, "little") + b"PAR1")


def rows_of(path: Path) -> list[int]:
    """Of the only column."""
    (found,) = rows_of_files([parquet_file(str(path), [(1, "long")])], seed=1)
    assert isinstance(found, RowsOfFile)
    values: list[int] = found.rows.columns[1, "long"].lower.to_pylist()
    return values


def test_the_file_itself_is_sound(path: Path) -> None:
    footer = footer_of(str(path), [(1, "long")])
    chunks = footer.chunks[1, "long"]
    assert (chunks.lower, chunks.upper) == ([1], [2])
    whole = pq.read_metadata(path)
    assert footer.sizes == [whole.row_group(0).column(0).total_compressed_size]
    assert rows_of(path) == [1, 2]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param(TYPE_OF_CHUNK, b"\x1c\x15\x0c\x19", id="a-chunk-of-another-type"),
        pytest.param(LOWER, b"\x03\x01\x00\x00", id="a-lower-bound-of-three-bytes"),
        pytest.param(UPPER, b"\x07" + UPPER[1:8], id="an-upper-bound-of-seven-bytes"),
        pytest.param(TWO, MINUS_TWO, id="less-than-no-rows"),
        pytest.param(GROUP_OF_ONE, b"\x19\x1c\x19\x0c\x26", id="a-row-group-without-chunks"),
    ],
)
def test_what_contradicts_itself_is_corrupt(path: Path, old: bytes, new: bytes) -> None:
    change(path, old, new)
    with pytest.raises(FooterUnreadable, match="unread_corrupt"):
        footer_of(str(path), [(1, "long")])


def test_arrow_is_not_asked_for_what_it_does_not_survive(path: Path) -> None:
    """A histogram of levels that has another length than its column has levels: rows are read, by
    what Arrow is given in place of the footer."""
    change(path, SIZES, b"\x3c\x29\x06\x19\x36\x00\x04\x02\x00")
    footer_of(str(path), [(1, "long")])
    assert rows_of(path) == [1, 2]
