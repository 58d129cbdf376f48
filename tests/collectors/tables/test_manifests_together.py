"""Manifests that are read together say what each says by itself, whatever the others are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prunescope.collectors.errors import UnreadableMetadata
from prunescope.collectors.storage.cache import Cache
from prunescope.collectors.storage.files import Storage
from prunescope.collectors.tables.avro import AvroContent
from prunescope.collectors.tables.avro_lanes import Unusual
from prunescope.collectors.tables.entry_readers import at_once
from prunescope.collectors.tables.kept_entries import DECODER
from prunescope.collectors.tables.manifest_list import Manifest
from prunescope.collectors.tables.manifests import ManifestEntries, read_manifest, read_manifests
from tests.collectors.tables.avro_files import file
from tests.collectors.tables.made_manifests import (
    MAPS,
    WANTED,
    made,
    manifests,
    plain,
    same,
    schema,
)

PLAIN = {7: {"partition": [None], "maps": dict.fromkeys(MAPS)}}
COUNTS = (300, 1, 40, 200, 7)


@pytest.fixture
def listed(tmp_path: Path) -> list[Manifest]:
    return [
        written(tmp_path / f"{place}.avro", made(PLAIN if count > 7 else {}, count=count), count)
        for place, count in enumerate(COUNTS)
    ]


def written(path: Path, content: bytes, files: int) -> Manifest:
    path.write_bytes(content)
    number = 100 + files
    return Manifest(str(path), len(content), 0, False, files, None, None, sequence_number=number)


def read(listed: Sequence[Manifest], storage: Storage) -> tuple[dict[int, Any], int]:
    """By place, the entries of each manifest as rows, or why it cannot be read; and how many times
    manifests were read together."""
    found: dict[int, Any] = {}
    several = 0
    for places, entries in read_manifests(listed, storage, columns=None):
        several += len(places) > 1
        for own, place in enumerate(places):
            assert place not in found
            found[place] = entries
            if isinstance(entries, ManifestEntries):
                found[place] = plain(entries.chosen([own]).parts)
    return found, several


def alone(manifest: Manifest) -> list[dict[str, Any]]:
    found = read_manifest(
        manifest.path,
        Storage(),
        columns=None,
        sequence_number=manifest.sequence_number,
        length=manifest.length,
        live_files=manifest.live_files,
    )
    return plain(found.parts)


@pytest.mark.parametrize("is_kept", [False, True])
def test_each_has_its_own_entries(listed: list[Manifest], tmp_path: Path, is_kept: bool) -> None:
    storage = Storage(cache=Cache(str(tmp_path / "kept"), 1 << 30) if is_kept else None)
    for _ in range(2):
        found, several = read(listed, storage)
        assert several > 0
        assert sorted(found) == list(range(len(listed)))
        for place, manifest in enumerate(listed):
            same(found[place], alone(manifest))


def test_one_that_cannot_be_read_is_told_of_and_no_other(
    listed: list[Manifest], tmp_path: Path
) -> None:
    content = Path(listed[2].path).read_bytes()
    listed[2] = written(tmp_path / "cut.avro", content[: len(content) // 2], 40)
    listed[3] = replace(listed[3], path=str(tmp_path / "gone.avro"))
    listed[4] = replace(listed[4], length=listed[4].length + 1, live_files=8)
    for _ in range(2):
        found, _ = read(listed, Storage(cache=Cache(str(tmp_path / "kept"), 1 << 30)))
        for place in (2, 3, 4):
            assert isinstance(found[place], UnreadableMetadata)
            assert Path(listed[place].path).name in str(found[place])
        for place in (0, 1):
            same(found[place], alone(listed[place]))


def test_what_was_kept_and_is_damaged_is_read_anew(listed: list[Manifest], tmp_path: Path) -> None:
    storage = Storage(cache=Cache(str(tmp_path / "kept"), 1 << 30))
    before, _ = read(listed, storage)
    assert storage.cache is not None
    for place, content in enumerate((b"whole, and something else", b"")):
        manifest = listed[place]
        storage.cache.put(f"{DECODER}\n{manifest.length}\n{manifest.path}", content)
    reads = list(read_manifests(listed, storage, columns=None))
    cached = sum(e.from_cache for _, e in reads if isinstance(e, ManifestEntries))
    assert cached == len(listed) - 2
    after, _ = read(listed, storage)
    assert repr(after) == repr(before)


def test_some_of_those_that_were_read_together(listed: list[Manifest]) -> None:
    ((places, entries),) = [
        found for found in read_manifests(listed, Storage(), columns=None) if len(found.places) > 1
    ]
    assert isinstance(entries, ManifestEntries)
    rows = np.split(np.array(plain(entries.parts)), np.cumsum(entries.counts)[:-1])
    for own in range(len(places)):
        others = [place for place in range(len(places)) if place != own]
        some = entries.chosen(others)
        assert some.counts == [entries.counts[place] for place in others]
        same(plain(some.parts), [row for place in others for row in rows[place]])
    assert entries.chosen(range(len(places))) is entries


@pytest.mark.parametrize("is_kept", [False, True])
def test_manifests_without_entries_are_read_together(tmp_path: Path, is_kept: bool) -> None:
    empty = file(schema(["long"]))
    deleted = made({n: {"status": 2} for n in range(60)})
    listed = [written(tmp_path / f"{place}.avro", empty, 0) for place in range(9)]
    assert sum(manifest.length for manifest in listed) > 16 << 10  # or each is read alone
    storage = Storage(cache=Cache(str(tmp_path / "kept"), 1 << 30) if is_kept else None)
    more = [*listed, *(written(tmp_path / f"d{n}.avro", deleted, 0) for n in range(2))]
    for some in (listed, more, more):
        assert read(some, storage)[0] == {place: [] for place in range(len(some))}


@settings(deadline=None)
@given(st.lists(manifests(), min_size=2, max_size=4), st.booleans())
@pytest.mark.slow
def test_many_read_at_once_are_what_each_is(
    made: list[tuple[bytes, list[Any]]], alike: bool
) -> None:
    some = [made[0], made[0], *made[1:]] if alike else made
    try:
        reads = list(at_once([AvroContent(content, WANTED) for content, _ in some]))
    except Unusual:
        return
    found: dict[int, list[dict[str, Any]]] = {place: [] for place in range(len(some))}
    for of_part in reads:
        ends = np.cumsum(of_part.counts).tolist()
        for place, start, stop in zip(of_part.places, [0, *ends], ends, strict=False):
            found[place] += plain([of_part.entries.slice(start, stop)])
    for place, (_, live) in enumerate(some):
        same(found[place], live)
