"""Footers and ranges of Parquet files that are kept: read once, and the same."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard

from prunescope.collectors.storage.cache import Cache
from prunescope.collectors.storage.cached_parts import place_of
from prunescope.collectors.storage.files import Storage
from prunescope.collectors.storage.kept_ranges import keep_ranges, kept_ranges
from prunescope.collectors.storage.places import Places
from prunescope.collectors.storage.ranges import ByteRange, RangeRequest, read_ranges
from prunescope.collectors.storage.sealed import unseal
from prunescope.collectors.storage.traffic import bytes_read
from prunescope.collectors.tables.footers import Footer, ParquetFile, read_footers


@pytest.fixture
def storage(tmp_path: Path) -> Storage:
    return Storage(cache=Cache(str(tmp_path / "kept"), 1 << 30))


@pytest.fixture
def file(tmp_path: Path, storage: Storage) -> ParquetFile:
    field = pa.field("n", pa.int64(), metadata={b"PARQUET:field_id": b"1"})
    sink = BytesIO()
    table = pa.table({"n": pa.array(range(1_000))}, pa.schema([field]))
    pq.write_table(table, sink, row_group_size=100)
    path = tmp_path / "f.parquet"
    path.write_bytes(sink.getvalue())
    return ParquetFile(str(path), len(sink.getvalue()), storage, ((1, "long"),))


def footer(file: ParquetFile) -> Footer:
    (found,) = read_footers([file])
    assert isinstance(found, Footer)
    return found


def test_a_footer_is_read_once(file: ParquetFile) -> None:
    first = footer(file)
    before = bytes_read()
    again = footer(file)
    assert bytes_read() == before
    assert (first.from_cache, again.from_cache) == (False, True)
    assert again.chunks == first.chunks
    assert again.thrift == first.thrift


def test_a_kept_footer_tells_of_other_columns_too(file: ParquetFile) -> None:
    footer(replace(file, columns=()))
    again = footer(file)
    assert again.from_cache
    assert again.chunks[1, "long"].lower[3] == 300


def test_files_that_cannot_be_read_stay_what_they_are(file: ParquetFile, tmp_path: Path) -> None:
    broken = tmp_path / "broken.parquet"
    broken.write_bytes(b"PAR1 and nothing more PAR1")
    files = [
        file,
        replace(file, path=str(tmp_path / "gone.parquet")),
        replace(file, path=str(broken), size=26),
        file,
    ]
    for _ in range(2):
        found = [one if isinstance(one, Exception) else "read" for one in read_footers(files)]
        assert [str(one) for one in found] == ["read", "unread_missing", "unread_corrupt", "read"]


def test_a_damaged_footer_is_read_anew(file: ParquetFile) -> None:
    first = footer(file)
    assert file.storage.cache is not None
    (kept,) = Path(file.storage.cache.path).rglob("*.kept")
    whole = kept.read_bytes()
    for place in range(0, len(whole), 13):
        damaged = bytearray(whole)
        damaged[place] ^= 1
        kept.write_bytes(damaged)
        again = footer(file)
        assert not again.from_cache
        assert again.chunks == first.chunks


def kept_instead(file: ParquetFile, content: bytes) -> None:
    """Has something else under the only key, whole and sealed as if it were kept."""
    cache = file.storage.cache
    assert cache is not None
    (kept,) = Path(cache.path).rglob("*.kept")
    found = unseal(kept.read_bytes())
    assert found is not None
    cache.put(found[0], content)


NO_CONTENT = {
    "empty": b"",
    "not packed": b"garbage",
    "packed garbage": zstandard.compress(b"garbage"),
    "packed nothing": zstandard.compress(b""),
    "cut": zstandard.compress(bytes(200))[:-3],
    "a range beyond the end": zstandard.compress((5).to_bytes(8, "little") * 2),
    "a range of less than nothing": zstandard.compress(b"\xff" * 16),
}


@pytest.mark.parametrize("content", NO_CONTENT.values(), ids=NO_CONTENT)
def test_what_is_no_footer_is_read_anew(file: ParquetFile, content: bytes) -> None:
    first = footer(file)
    kept_instead(file, content)
    again = footer(file)
    assert (again.from_cache, again.chunks) == (False, first.chunks)
    assert footer(file).from_cache


@pytest.mark.parametrize("content", NO_CONTENT.values(), ids=NO_CONTENT)
def test_what_are_no_ranges_is_read_anew(file: ParquetFile, content: bytes) -> None:
    request = RangeRequest(file.storage, file.path, (ByteRange(0, 4),), file.size)
    assert list(read_ranges([request])) == [(b"PAR1",)]
    kept_instead(file, content)
    assert list(read_ranges([request])) == [(b"PAR1",)]


def test_ranges_are_read_once_and_added_to(file: ParquetFile) -> None:
    content = Path(file.path).read_bytes()
    asked = [
        (ByteRange(4, 10), ByteRange(100, 5)),
        (ByteRange(100, 5), ByteRange(0, 4), ByteRange(0, 0)),
        (ByteRange(0, 4), ByteRange(4, 10)),
    ]
    read = []
    for ranges in asked:
        before = bytes_read()
        (found,) = read_ranges([RangeRequest(file.storage, file.path, ranges, file.size)])
        assert found == tuple(content[o : o + n] for o, n in ranges)
        read.append(bytes_read() - before)
    assert (read[0] > 0, read[1:]) == (True, [4, 0])


def test_ranges_of_files_of_unknown_size_are_not_kept(file: ParquetFile) -> None:
    for _ in range(2):
        before = bytes_read()
        list(read_ranges([RangeRequest(file.storage, file.path, (ByteRange(0, 4),))]))
        assert bytes_read() == before + 4


def test_nothing_is_told_of_a_file_that_may_not_be_read(file: ParquetFile) -> None:
    footer(file)
    elsewhere = replace(file.storage, places=Places.of(["/nowhere"]))
    assert place_of(elsewhere, file.path, file.size, "footer 1") is None
    (found,) = read_footers([replace(file, storage=elsewhere)])
    assert str(found) == "unread_not_allowed"


def test_no_ranges_are_some(file: ParquetFile) -> None:
    place = place_of(file.storage, file.path, file.size, "ranges 1")
    assert place is not None
    assert kept_ranges(place) == {}
    keep_ranges(place, {(0, 0): b"", (7, 2): b"ab"})
    assert kept_ranges(place) == {(0, 0): b"", (7, 2): b"ab"}
