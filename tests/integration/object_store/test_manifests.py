"""What is really asked of an object store for manifests, and what is read of them then."""

from __future__ import annotations

import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from prunescope.collectors.errors import TableError, UnreadableMetadata
from prunescope.collectors.storage.in_flight import IN_FLIGHT
from prunescope.collectors.storage.one_request import LONGEST, read_by_one_request
from prunescope.collectors.tables.entries import UNKNOWN
from prunescope.collectors.tables.entry_readers import read_entries
from prunescope.collectors.tables.manifest_list import Manifest
from prunescope.collectors.tables.manifests import (
    ManifestEntries,
    Together,
    read_manifest,
    read_manifests,
)
from tests.collectors.tables.avro_files import SYNC
from tests.collectors.tables.made_manifests import MAPS, made, plain, same
from tests.integration.object_store.clients import methods, storage
from tests.object_store import SLOW_DOWN, Cut, ObjectStore, Reply

pytestmark = pytest.mark.slow

MANIFEST = made({7: {"maps": dict.fromkeys(MAPS)}}, count=300)
"""Larger than a connection's buffer."""


def manifest(store: ObjectStore, location: str, client: str, **listed: int) -> ManifestEntries:
    return read_manifest(location, storage(store, client), columns=None, **listed)


def test_a_manifest_is_one_get_and_no_head(store: ObjectStore, client: str) -> None:
    location = store.put("m.avro", MANIFEST)
    found = manifest(store, location, client, length=len(MANIFEST), live_files=300)
    parts, _ = read_entries(
        [MANIFEST], lambda read: read.entries.inheriting(UNKNOWN), with_metrics=True
    )
    same(plain(found.parts), plain(parts))
    assert methods(store, location) == (["HEAD", "GET"] if client == "other" else ["GET"])


@pytest.mark.parametrize("size", [1, 70_000, LONGEST - 1, LONGEST + 1])
def test_any_bytes_are_read_by_one_request(store: ObjectStore, client: str, size: int) -> None:
    content = np.random.default_rng(size).bytes(size)
    location = store.put("any.avro", content)
    found = read_by_one_request(storage(store, client), location, size)
    is_read = client == "fsspec" or (client == "arrow" and size <= LONGEST)
    assert found == (content if is_read else None)
    assert methods(store, location) == ["GET"] * is_read


@pytest.mark.parametrize("error", [-20_000, -1, 1, 20_000])
def test_a_manifest_of_another_size_than_its_list_says_is_read_whole(
    store: ObjectStore, client: str, error: int
) -> None:
    location = store.put("m.avro", MANIFEST)
    listed = len(MANIFEST) + error
    assert len(manifest(store, location, client, length=listed, live_files=300)) == 300


# The marker, at the end of the header, is always there.
@pytest.mark.parametrize(
    "missing", [1, 20_000, len(MANIFEST) - MANIFEST.index(SYNC) - len(SYNC) - 100]
)
def test_a_manifest_that_was_cut_is_unreadable(
    store: ObjectStore, client: str, missing: int
) -> None:
    # Each file has a marker of its own: what memory holds of others is not taken for its end.
    own = MANIFEST.replace(SYNC, missing.to_bytes(len(SYNC), "big"))
    location = store.put("m.avro", own[:-missing])
    with pytest.raises(UnreadableMetadata):
        manifest(store, location, client, length=len(own), live_files=300)


@pytest.mark.parametrize(
    ("reply", "code"),
    [(None, "unreadable_metadata"), (Reply(403, "AccessDenied"), "access_denied")],
    ids=["missing", "refused"],
)
def test_a_manifest_that_cannot_be_read_says_why(
    store: ObjectStore, client: str, reply: Reply | None, code: str
) -> None:
    location = "s3://lake/missing.avro"
    if reply is not None:
        location = store.put("refused.avro", MANIFEST)
        store.fail("refused.avro", *[reply] * 30)
    with pytest.raises(TableError) as raised:
        manifest(store, location, client, length=len(MANIFEST), live_files=300)
    assert raised.value.code == code


def listed_manifests(store: ObjectStore) -> list[Manifest]:
    locations = [store.put(f"{number}.avro", MANIFEST) for number in range(40)]
    return [Manifest(one, len(MANIFEST), 0, False, 300, None, None) for one in locations]


def entries_of(reads: Iterable[Together]) -> dict[int, int]:
    """How many each manifest has, by its place."""
    found: dict[int, int] = {}
    for places, entries in reads:
        assert isinstance(entries, ManifestEntries)
        found.update(zip(places, entries.counts, strict=True))
    return found


def test_manifests_are_read_whatever_happens_to_one(store: ObjectStore, client: str) -> None:
    listed = listed_manifests(store)
    store.fail("7.avro", SLOW_DOWN)
    store.fail("9.avro", Cut(100))
    reads = read_manifests(listed, storage(store, client), columns=())
    assert entries_of(reads) == dict.fromkeys(range(40), 300)


def test_as_many_manifests_are_on_their_way_as_may_be(store: ObjectStore) -> None:
    reads = read_manifests(listed_manifests(store), storage(store), columns=())
    store.hanging = ("*.avro",)
    with ThreadPoolExecutor(1) as pool:
        reading = pool.submit(entries_of, reads)
        deadline = time.monotonic() + 60
        while store.most_in_flight < IN_FLIGHT and time.monotonic() < deadline:
            time.sleep(0.01)
        store.hanging = ()
        assert reading.result() == dict.fromkeys(range(40), 300)
    assert store.most_in_flight == IN_FLIGHT
