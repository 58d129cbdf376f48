from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from thrift.protocol.TCompactProtocol import TCompactProtocol

from prunescope.collectors.parquet import thrift_types
from prunescope.collectors.parquet.footer_parts import head_of, parts_of
from prunescope.collectors.parquet.thrift_types import (
    ColumnChunk,
    FileMetaData,
    MalformedParquet,
    OffsetIndex,
    Structure,
    decode,
)
from tests.collectors.parquet.files import write


@pytest.fixture(params=["compiled", "python"])
def decoder(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """thrift's compiled decoder, and the one that is used where there was no C compiler."""
    if request.param == "python":
        monkeypatch.setattr(thrift_types, "TCompactProtocolAccelerated", TCompactProtocol)


@pytest.mark.usefixtures("decoder")
def test_a_footer_is_read_to_its_end(tmp_path: Path) -> None:
    path = tmp_path / "f.parquet"
    write(path, pa.int64(), [1, 2, 3], row_group_size=1, write_page_index=True)
    metadata = pq.read_metadata(path)
    thrift = path.read_bytes()[-metadata.serialized_size - 8 : -8]
    _, length = decode(FileMetaData, thrift + b"what follows")
    assert length == len(thrift)
    parts = parts_of(thrift, len(head_of(thrift)), 1)
    assert [group.num_rows for group in parts.row_groups()] == [1, 1, 1]
    found = list(parts.chunks(ColumnChunk, [0]))
    assert len(found) == metadata.num_row_groups == parts.count == parts.records == 3
    for chunks in found:
        column = chunks[0]
        assert column.meta_data is not None
        assert column.meta_data.codec == 1
        assert column.offset_index_offset is not None
        assert column.meta_data.encoding_stats is not None
        assert len(column.meta_data.encoding_stats) == 2
    assert list(parts.chunks(ColumnChunk, [], [1])) == [{}]


@pytest.mark.usefixtures("decoder")
@pytest.mark.parametrize("structure", [FileMetaData, OffsetIndex])
@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b"\x1c" * 1_000_000, id="structures-without-end"),
        pytest.param(b"\x19" * 1_000_000, id="lists-without-end"),
        pytest.param(b"\x19\xfc\xff\xff\xff\xff\x07", id="a-list-longer-than-the-data"),
        pytest.param(b"\x18\xff\xff\xff\xff\x07", id="a-string-longer-than-the-data"),
    ],
)
def test_hostile_bytes_are_refused(structure: type[Structure], data: bytes) -> None:
    with pytest.raises(MalformedParquet):
        decode(structure, data)
