from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pytest

from prunescope.collectors.parquet.dictionaries import dictionary_values
from prunescope.collectors.parquet.layouts import has_other_pages
from prunescope.collectors.parquet.thrift_types import MalformedParquet, PageEncodingStats
from tests.collectors.parquet.files import CASES, Chunk, chunks, only_chunk, physical_values, write

# Of a page's header in Thrift's compact protocol: the struct 7, and its first two fields.
THREE_VALUES, TWO_VALUES = b"\x4c\x15\x06\x15\x00", b"\x4c\x15\x04\x15\x00"


def dictionary(chunk: Chunk) -> list[Any]:
    found = dictionary_values(chunk.bytes_of(chunk.layout.dictionary), chunk.layout)
    return list(found.to_pylist())


@pytest.mark.parametrize("name", CASES)
def test_a_dictionary_holds_the_distinct_values(tmp_path: Path, name: str) -> None:
    kind, type_name, values = CASES[name]
    path = tmp_path / "f.parquet"
    write(path, kind, [*values, None, *values, None], row_group_size=len(values) + 1)
    for chunk in chunks(path, type_name):
        expected = set(physical_values(chunk.values, type_name)) - {None}
        found = dictionary(chunk)
        assert set(found) == expected
        assert len(found) == len(expected)


@pytest.mark.parametrize("codec", ["none", "snappy", "gzip", "brotli", "zstd", "lz4"])
def test_every_codec(tmp_path: Path, codec: str) -> None:
    path = tmp_path / "f.parquet"
    write(path, pa.string(), ["a" * 100, "b" * 100] * 50, compression=codec)
    assert dictionary(only_chunk(path, "string")) == [b"a" * 100, b"b" * 100]


@pytest.mark.parametrize("as_integer", [True, False], ids=["integer", "fixed"])
@pytest.mark.parametrize("precision", [9, 18])
def test_decimals_as_writers_store_them(tmp_path: Path, precision: int, as_integer: bool) -> None:
    path = tmp_path / "f.parquet"
    kind = pa.decimal128(precision, 2)
    write(path, kind, ["-1.25", "7.00"], store_decimal_as_integer=as_integer)
    chunk = only_chunk(path, f"decimal({precision},2)")
    assert dictionary(chunk) == chunk.values.to_pylist()


def test_a_dictionary_of_duckdb(tmp_path: Path) -> None:
    path = tmp_path / "f.parquet"
    duckdb.connect().execute(
        f"COPY (SELECT 'v' || (i % 9) AS x FROM range(5000) t(i)) TO '{path}' (FORMAT parquet)"
    ).fetchall()
    assert set(dictionary(only_chunk(path, "string"))) == {b"v%d" % n for n in range(9)}


def test_a_chunk_that_fell_back_to_other_pages_has_no_usable_dictionary(tmp_path: Path) -> None:
    path = tmp_path / "f.parquet"
    values = [f"value {number}" for number in range(5_000)]
    write(path, pa.string(), values, dictionary_pagesize_limit=1_000, data_page_size=1_000)
    assert only_chunk(path, "string").layout.dictionary is None


def test_a_chunk_without_dictionary(tmp_path: Path) -> None:
    path = tmp_path / "f.parquet"
    write(path, pa.string(), ["a"], use_dictionary=False)
    assert only_chunk(path, "string").layout.dictionary is None


# Encodings of parquet.thrift.
PLAIN, PLAIN_DICTIONARY, RLE, BIT_PACKED, RLE_DICTIONARY = 0, 2, 3, 4, 8


def stats(page_type: int, encoding: int, count: int) -> PageEncodingStats:
    found = PageEncodingStats()
    found.page_type, found.encoding, found.count = page_type, encoding, count
    return found


@pytest.mark.parametrize(
    ("pages", "encodings", "expected"),
    [
        pytest.param([stats(0, 8, 4)], [PLAIN, RLE], False, id="dictionary-pages"),
        pytest.param([stats(3, 8, 4), stats(2, 0, 1)], [PLAIN], False, id="data-pages-v2"),
        pytest.param([stats(0, 8, 4), stats(0, 0, 1)], [RLE], True, id="fell-back"),
        pytest.param([stats(0, 8, 4), stats(0, 0, 0)], [RLE], False, id="no-such-page"),
        pytest.param(None, [PLAIN_DICTIONARY, RLE, BIT_PACKED], False, id="format-1"),
        pytest.param(None, [PLAIN_DICTIONARY, PLAIN], True, id="format-1-fell-back"),
        pytest.param(None, [RLE_DICTIONARY, RLE], True, id="format-2-does-not-tell"),
        pytest.param(None, [PLAIN], True, id="plain"),
    ],
)
def test_which_chunks_have_other_pages(
    pages: list[PageEncodingStats] | None, encodings: list[int], expected: bool
) -> None:
    assert has_other_pages(pages, encodings) is expected


def test_a_page_that_lies_about_its_values(tmp_path: Path) -> None:
    path = tmp_path / "f.parquet"
    write(path, pa.int64(), [1, 2], compression="none")
    chunk = only_chunk(path, "long")
    page = chunk.bytes_of(chunk.layout.dictionary)
    with pytest.raises(MalformedParquet):
        dictionary_values(page[:-1], chunk.layout)


@pytest.mark.parametrize(
    ("kind", "type_name", "values"),
    [
        pytest.param(pa.int64(), "long", [1, 2, 3], id="numbers"),
        pytest.param(pa.binary(2), "fixed[2]", [b"aa", b"bb", b"cc"], id="fixed-length"),
        pytest.param(pa.string(), "string", ["a", "b", "c"], id="byte-arrays"),
    ],
)
def test_a_page_that_hides_values_is_refused(
    tmp_path: Path, kind: pa.DataType, type_name: str, values: list[Any]
) -> None:
    path = tmp_path / "f.parquet"
    write(path, kind, values, compression="none")
    chunk = only_chunk(path, type_name)
    page = chunk.bytes_of(chunk.layout.dictionary)
    # The header's last field but one: three values (in zigzag), PLAIN.
    assert page.count(THREE_VALUES) == 1
    with pytest.raises(MalformedParquet, match="another number of values"):
        dictionary_values(page.replace(THREE_VALUES, TWO_VALUES), chunk.layout)


def test_a_compressed_dictionary_of_nothing(tmp_path: Path) -> None:
    path = tmp_path / "f.parquet"
    write(path, pa.string(), [None, None], compression="snappy")
    assert dictionary(only_chunk(path, "string")) == []


def test_values_beyond_their_type_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "f.parquet"
    write(path, pa.timestamp("ms"), [-(2**63)])
    chunk = only_chunk(path, "timestamp")
    with pytest.raises(MalformedParquet, match="beyond the range"):
        dictionary_values(chunk.bytes_of(chunk.layout.dictionary), chunk.layout)


def test_data_pages_are_no_dictionaries(tmp_path: Path) -> None:
    path = tmp_path / "f.parquet"
    write(path, pa.int64(), [1, 2])
    chunk = only_chunk(path, "long")
    place = chunk.layout.dictionary
    assert place is not None
    with pytest.raises(MalformedParquet, match="not a dictionary page"):
        dictionary_values(chunk.content[place.offset + place.length :], chunk.layout)
