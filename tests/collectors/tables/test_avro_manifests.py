"""Manifests and manifest lists that are damaged, or lie: unreadable, and never taken for less."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyiceberg.typedef import Record

from prunescope.collectors.errors import UnreadableMetadata
from prunescope.collectors.storage.files import Storage
from prunescope.collectors.tables import avro_blocks
from prunescope.collectors.tables.avro import AvroContent
from prunescope.collectors.tables.manifest_list import read_manifest_list
from prunescope.collectors.tables.manifests import ManifestEntries, read_manifest
from tests.collectors.tables.avro_files import file
from tests.collectors.tables.test_manifest_list import FULL, snapshot
from tests.collectors.tables.test_manifest_list import write as write_list
from tests.collectors.tables.test_manifests import ADDED, METRICS, REQUIRED, long
from tests.collectors.tables.test_manifests import write as write_manifest


def manifest(folder: Path) -> tuple[Path, int]:
    """A manifest of three blocks, in which 30 files are added."""
    numbers = {n: n for n in range(1, 8)}
    values = {n: long(n) for n in range(1, 8)}
    rows: list[tuple[int, tuple[Any, ...]]] = [
        (ADDED, (f"/{n}", "PARQUET", Record(n), 1, 1, numbers, numbers, {}, values, values, [4]))
        for n in range(30)
    ]
    path = folder / "m.avro"
    written = write_manifest(path, (*REQUIRED, *METRICS), *rows[:10])
    one = Path(written).read_bytes()
    header = avro_blocks.read_header(one)
    parts = [one]
    for start in (10, 20):
        more = Path(write_manifest(folder / "b.avro", (*REQUIRED, *METRICS), *rows[start:][:10]))
        content = more.read_bytes()
        end = avro_blocks.read_header(content).end
        parts.append(content[end:-16] + header.sync)
    path.write_bytes(b"".join(parts))
    return path, len(rows)


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path, rows = manifest(tmp_path_factory.mktemp("manifest"))
    content = path.read_bytes()
    assert len(entries(content, path)) == rows
    return content


def entries(content: bytes, path: Path, length: int | None = None) -> ManifestEntries:
    path.write_bytes(content)
    size = len(content) if length is None else length
    return read_manifest(str(path), Storage(), columns=None, length=size, live_files=30)


def live_or_unreadable(content: bytes, path: Path, length: int) -> int | None:
    """The number of entries, None for what is told to be unreadable."""
    try:
        return len(entries(content, path, length))
    except UnreadableMetadata:
        return None


@pytest.mark.slow
def test_a_manifest_that_is_cut_anywhere_is_unreadable(real: bytes, tmp_path: Path) -> None:
    for end in range(0, len(real), 7):
        assert live_or_unreadable(real[:end], tmp_path / "m.avro", len(real)) is None


def unpacked(content: bytes) -> bytes:
    """The same file without compression."""
    header = avro_blocks.read_header(content)
    schema = json.loads(header.metadata["avro.schema"])
    return file(schema["fields"], *avro_blocks.blocks(content, header))


@given(st.data())
def test_a_bit_that_flipped_loses_no_entry(real: bytes, data: st.DataObject) -> None:
    content = data.draw(st.sampled_from([real, unpacked(real)]))
    place = data.draw(st.integers(0, len(content) - 1))
    changed = bytearray(content)
    changed[place] ^= 1 << data.draw(st.integers(0, 7))
    wanted: dict[int, Any] = {0: None, 2: dict.fromkeys((100, 103, 109, 125))}
    try:
        found = len(list(AvroContent(bytes(changed), wanted).records()))
    except Exception:  # noqa: BLE001  # all that `read_manifest` takes for unreadable
        return
    assert found == 30


def listed(folder: Path, content: bytes, **summary: str) -> int:
    path = folder / "list.avro"
    path.write_bytes(content)
    of = snapshot(str(path))
    read_from = type(of)(7, of.timestamp, str(path), (), None, summary)
    return len(read_manifest_list(read_from, Storage()))


def test_a_list_without_manifests_is_empty_only_where_the_snapshot_has_no_files(
    tmp_path: Path,
) -> None:
    written = write_list(tmp_path / "list.avro", FULL, ("/m", 1, 0, None, 0, 1, 0, 1, 0))
    assert written.manifest_list is not None
    whole = Path(written.manifest_list).read_bytes()
    cut = whole[: avro_blocks.read_header(whole).end]
    assert listed(tmp_path, whole, **{"total-data-files": "1"}) == 1
    assert listed(tmp_path, cut, **{"total-data-files": "0"}) == 0
    assert listed(tmp_path, cut) == 0
    for kind in ("data", "delete"):
        with pytest.raises(UnreadableMetadata):
            listed(tmp_path, cut, **{f"total-{kind}-files": "1"})


@pytest.mark.parametrize(
    ("short_of", "live_files", "read"),
    [
        pytest.param(0, 40, True, id="count-is-wrong"),
        pytest.param(100, 30, True, id="length-is-wrong"),
        pytest.param(100, 31, False, id="both"),
        pytest.param(100, None, False, id="count-unknown"),
    ],
)
def test_a_manifest_falls_short_of_its_list_in_bytes_and_files(
    real: bytes, tmp_path: Path, short_of: int, live_files: int | None, read: bool
) -> None:
    path = tmp_path / "m.avro"
    path.write_bytes(real)
    listed_as: dict[str, Any] = {"length": len(real) + short_of, "live_files": live_files}
    if read:
        assert len(read_manifest(str(path), Storage(), columns=(), **listed_as)) == 30
    else:
        with pytest.raises(UnreadableMetadata):
            read_manifest(str(path), Storage(), columns=(), **listed_as)
