"""Manifests that are kept: the same entries, without reading the manifest."""

from __future__ import annotations

import struct
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
from prunescope.collectors.storage.places import Places
from prunescope.collectors.tables.avro import AvroContent
from prunescope.collectors.tables.avro_lanes import Cells
from prunescope.collectors.tables.entries import NULL_COUNTS, VALUE_COUNTS, Entries
from prunescope.collectors.tables.entry_readers import one_by_one
from prunescope.collectors.tables.kept_entries import DECODER, Opened, kept, opened, packed
from prunescope.collectors.tables.manifests import ManifestEntries, read_manifest
from tests.collectors.tables.made_manifests import MAPS, WANTED, made, manifests, plain, same


@pytest.fixture
def storage(tmp_path: Path) -> Storage:
    return Storage(cache=Cache(str(tmp_path / "kept"), 1 << 30))


@pytest.fixture
def manifest(tmp_path: Path) -> Path:
    path = tmp_path / "m.avro"
    path.write_bytes(made({7: {"partition": [None], "maps": dict.fromkeys(MAPS)}}, count=300))
    return path


def read(path: Path, storage: Storage, **listed: Any) -> ManifestEntries:
    listed = {"columns": None, "length": path.stat().st_size, "live_files": 300} | listed
    return read_manifest(str(path), storage, **listed)


def kept_of(entries: Entries) -> list[dict[str, Any]]:
    """Entries as rows of plain values, as they are kept: the least count of all is as unknown as
    any other below 0."""
    return [
        {name: value for name, value in row.items() if name[0] != "m" or value != -(2**63)}
        for row in plain([entries])
    ]


def together(contents: Sequence[bytes], columns: set[int] | None) -> Opened:
    """What manifests of one layout are opened as."""
    (found,) = opened(contents, columns)
    return found


def test_a_manifest_is_read_once(manifest: Path, storage: Storage) -> None:
    first = read(manifest, storage, sequence_number=5)
    again = read(manifest, storage, sequence_number=5)
    assert (first.from_cache, again.from_cache) == (False, True)
    same(plain(again.parts), plain(first.parts))
    assert first.parts[0].sequence_numbers.tolist() == [5] * 300
    # The number is inherited from the list that is read now.
    assert read(manifest, storage, sequence_number=6).parts[0].sequence_numbers[0] == 6


def test_only_wanted_columns_are_looked_at(manifest: Path, storage: Storage) -> None:
    whole = read(manifest, storage)
    one = read(manifest, storage, columns={2})
    assert one.from_cache
    assert {column for found in one.parts[0].metrics.values() for column in found} == {2}
    for map_id in MAPS:
        assert one.parts[0].metric(map_id, 2).equals(whole.parts[0].metric(map_id, 2))
    none = read(manifest, storage, columns=())
    assert none.from_cache
    assert not any(none.parts[0].metrics.values())


def test_what_no_condition_asked_of_is_kept_for_others(manifest: Path, storage: Storage) -> None:
    first = read(manifest, storage, columns=())
    assert not any(first.parts[0].metrics.values())
    assert read(manifest, storage, columns=()).from_cache
    again = read(manifest, storage)
    assert again.from_cache
    assert any(again.parts[0].metrics.values())


@pytest.mark.parametrize("length", [0, 1])
def test_another_length_is_another_manifest(manifest: Path, storage: Storage, length: int) -> None:
    read(manifest, storage)
    assert not read(manifest, storage, length=length).from_cache


def test_what_its_list_says_of_a_manifest_counts_each_time(
    manifest: Path, storage: Storage
) -> None:
    longer = manifest.stat().st_size + 1
    assert len(read(manifest, storage, length=longer)) == 300
    assert read(manifest, storage, length=longer).from_cache
    with pytest.raises(UnreadableMetadata):
        read(manifest, storage, length=longer, live_files=301)


def test_a_manifest_in_a_place_that_is_not_allowed_is_not_told_from_the_cache(
    manifest: Path, storage: Storage
) -> None:
    read(manifest, storage)
    elsewhere = Storage(cache=storage.cache, places=Places.of(["/nowhere"]))
    with pytest.raises(Exception, match=r"locations: \{allow:"):
        read(manifest, elsewhere)


def test_a_damaged_file_is_read_anew(manifest: Path, storage: Storage) -> None:
    first = read(manifest, storage)
    assert storage.cache is not None
    (file,) = Path(storage.cache.path).rglob("*.kept")
    whole = file.read_bytes()
    for place in range(0, len(whole), 499):
        damaged = bytearray(whole)
        damaged[place] ^= 0x10
        file.write_bytes(damaged)
        again = read(manifest, storage)
        assert not again.from_cache
        assert again.parts[0].paths.equals(first.parts[0].paths)
    assert read(manifest, storage).from_cache


def test_what_is_no_entry_of_ours_is_read_anew(manifest: Path, storage: Storage) -> None:
    read(manifest, storage)
    assert storage.cache is not None
    key = f"{DECODER}\n{manifest.stat().st_size}\n{manifest}"
    assert storage.cache.get(key) is not None
    storage.cache.put(key, b"whole, and something else")
    assert not read(manifest, storage).from_cache
    assert read(manifest, storage).from_cache


@pytest.mark.parametrize("wanted", [{0}, {15, 16}, {39}, {3, 77}, {77}, set(range(16)), None])
def test_columns_of_any_frame_are_found(wanted: set[int] | None) -> None:
    content = made({7: {"partition": [None], "maps": dict.fromkeys(MAPS)}}, count=300)
    (entries,) = one_by_one(AvroContent(content, WANTED))
    metrics = {
        NULL_COUNTS: {column: Cells(None, np.arange(300) + column) for column in range(40)},
        VALUE_COUNTS: {column: Cells(None, np.arange(300) * column) for column in range(0, 40, 3)},
    }
    (found,) = kept(replace(entries, metrics=metrics), np.array([300]))
    assert found is not None
    (again,) = together([packed([found], 1)], wanted).parts
    for map_id, by_column in metrics.items():
        there = {column for column in by_column if wanted is None or column in wanted}
        assert set(again.metrics[map_id]) == there
        for column in there:
            assert again.metric(map_id, column).to_pylist() == by_column[column].values.tolist()


def test_manifests_of_other_columns_each_are_kept() -> None:
    (entries,) = one_by_one(AvroContent(made({}, count=30), WANTED))
    cells = {column: Cells(np.arange(3) + 3 * column, np.full(3, column)) for column in range(10)}
    found = kept(replace(entries, metrics={NULL_COUNTS: cells}), np.full(10, 3))
    for column, content in enumerate(found):
        assert content is not None
        (again,) = together([packed([content], 1)], None).parts
        assert {own: c.values.tolist() for own, c in again.metrics[NULL_COUNTS].items()} == {
            column: [column] * 3
        }
    # Of one manifest it would be too much.
    assert kept(replace(entries, metrics={NULL_COUNTS: cells}), np.array([30])) == [None]


@pytest.mark.parametrize("size", [9, 40, 400])
def test_a_part_that_is_cut_is_no_part(size: int) -> None:
    content = made({7: {"partition": [None], "maps": dict.fromkeys(MAPS)}}, count=300)
    (entries,) = one_by_one(AvroContent(content, WANTED))
    (found,) = kept(entries, np.array([len(entries)]))
    assert found is not None
    with pytest.raises((ValueError, struct.error)):
        list(opened([packed([found], 1)[:size]], None))


@settings(deadline=None, max_examples=25)
@given(manifests())
def test_entries_of_any_kind_are_kept_as_they_are(made: tuple[bytes, list[Any]]) -> None:
    content, _ = made
    (entries,) = one_by_one(AvroContent(content, WANTED))
    (found,) = kept(entries, np.array([len(entries)]))
    if found is not None:
        one = together([packed([found, found], 77)], None)
        assert (one.sizes, one.counts.tolist()) == ([77], [2 * len(entries)])
        same(plain(one.parts), kept_of(entries) * 2)
        three = together([packed([found], size) for size in (1, 2, 3)], None)
        assert (three.sizes, three.counts.tolist()) == ([1, 2, 3], [len(entries)] * 3)
        same(plain(three.parts), kept_of(entries) * 3)


@settings(deadline=None, max_examples=25)
@given(st.lists(manifests(), min_size=2, max_size=5))
def test_manifests_of_any_kinds_are_opened_together(made: list[tuple[bytes, list[Any]]]) -> None:
    read = [next(one_by_one(AvroContent(content, WANTED))) for content, _ in made]
    some = [
        (entries, found)
        for entries in read
        for found in kept(entries, np.array([len(entries)]))
        if found is not None
    ]
    groups = list(opened([packed([found], 1) for _, found in some], None))
    assert sorted(place for group in groups for place in group.places) == list(range(len(some)))
    for group in groups:
        expected = [some[place][0] for place in group.places]
        assert group.counts.tolist() == [len(entries) for entries in expected]
        same(plain(group.parts), [row for entries in expected for row in kept_of(entries)])
