import base64
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pyarrow.parquet.encryption as pe
import pytest

from prunescope.collectors.parquet.dictionaries import dictionary_values
from prunescope.collectors.parquet.footer_parts import head_of, parts_of
from prunescope.collectors.parquet.layouts import chunk_layouts
from prunescope.collectors.parquet.thrift_types import FileMetaData, decode
from prunescope.collectors.parquet.values import conversion_of
from tests.collectors.parquet.files import only_chunk, write

# Fields of ColumnMetaData and FileMetaData in Thrift's compact protocol: how far the id is from
# that of the field before, the type, and the value.
DATA_AT_100_DICTIONARY_AT_4 = b"\x26\xc8\x01\x26\x08"
DATA_AT_4_DICTIONARY_AT_0 = b"\x26\x88\x00\x26\x00"
TYPE_DEFINED_ORDER = b"\x19\x1c\x1c\x00\x00"
OTHER_ORDER = b"\x19\x1c\x2c\x00\x00"


class Unprotected(pe.KmsClient):  # type: ignore[misc]  # pyarrow has no types
    """Keys wrapped by their names."""

    def wrap_key(self, key_bytes: bytes, master_key_identifier: str) -> bytes:
        return base64.b64encode(master_key_identifier.encode() + key_bytes)

    def unwrap_key(self, wrapped_key: bytes, master_key_identifier: str) -> bytes:
        return base64.b64decode(wrapped_key)[len(master_key_identifier) :]


def footer(path: Path) -> tuple[bytes, Any]:
    content = path.read_bytes()
    # pyarrow's serialized_size leaves out the signature of a file with encrypted columns.
    length = int.from_bytes(content[-8:-4], "little")
    return content[-length - 8 : -8], pq.read_metadata(path)


def encrypted(path: Path) -> None:
    """A file with a plain footer of which column `x` is encrypted, and `y` is not."""
    factory = pe.CryptoFactory(lambda _: Unprotected())
    properties = factory.file_encryption_properties(
        pe.KmsConnectionConfig(),
        pe.EncryptionConfiguration(
            footer_key="footer", column_keys={"column": ["x"]}, plaintext_footer=True
        ),
    )
    table = pa.table({"x": ["a", "b"], "y": ["a", "b"]})
    with pq.ParquetWriter(path, table.schema, encryption_properties=properties) as writer:
        writer.write_table(table)


def test_encrypted_columns_are_told_from_the_footer_and_left_out(tmp_path: Path) -> None:
    path = tmp_path / "f.parquet"
    encrypted(path)
    thrift, metadata = footer(path)
    assert decode(FileMetaData, thrift)[0].encryption_algorithm is not None
    conversion = conversion_of(metadata.schema.column(1), "string")
    assert conversion is not None
    assert list(
        chunk_layouts(parts_of(thrift, len(head_of(thrift)), 2), {0: conversion, 1: conversion})[0]
    ) == [1]


def test_other_files_have_no_encrypted_columns(tmp_path: Path) -> None:
    path = tmp_path / "f.parquet"
    write(path, pa.string(), ["a"])
    assert decode(FileMetaData, footer(path)[0])[0].encryption_algorithm is None


def test_a_dictionary_without_an_offset_is_the_first_page(tmp_path: Path) -> None:
    path = tmp_path / "f.parquet"
    write(path, pa.int64(), range(10), compression="none")
    content = path.read_bytes()
    assert content.count(DATA_AT_100_DICTIONARY_AT_4) == 1
    path.write_bytes(content.replace(DATA_AT_100_DICTIONARY_AT_4, DATA_AT_4_DICTIONARY_AT_0))
    chunk = only_chunk(path, "long")
    page = chunk.bytes_of(chunk.layout.dictionary)
    assert dictionary_values(page, chunk.layout).to_pylist() == list(range(10))


@pytest.mark.parametrize(
    ("order", "is_used"),
    [
        pytest.param(TYPE_DEFINED_ORDER, True, id="of-the-type"),
        pytest.param(OTHER_ORDER, False, id="another"),
    ],
)
def test_bounds_of_pages_in_an_unknown_order_are_not_used(
    tmp_path: Path, order: bytes, is_used: bool
) -> None:
    path = tmp_path / "f.parquet"
    write(path, pa.string(), ["a", "b"], write_page_index=True)
    content = path.read_bytes()
    assert content.count(TYPE_DEFINED_ORDER) == 1
    path.write_bytes(content.replace(TYPE_DEFINED_ORDER, order))
    layout = only_chunk(path, "string").layout
    assert (layout.column_index is not None) is is_used
    assert layout.offset_index is not None


@pytest.mark.parametrize(
    ("written", "codec"),
    [
        pytest.param("none", "UNCOMPRESSED", id="none"),
        pytest.param("snappy", "SNAPPY", id="snappy"),
        pytest.param("zstd", "ZSTD", id="zstd"),
        pytest.param("lz4", "LZ4_RAW", id="lz4"),
    ],
)
def test_the_codec_is_named_as_in_the_format(tmp_path: Path, written: str, codec: str) -> None:
    path = tmp_path / "f.parquet"
    write(path, pa.string(), ["a"], compression=written)
    assert only_chunk(path, "string").layout.codec == codec
