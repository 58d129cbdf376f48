"""What is really asked of an object store, counted on the wire, and what its failures become."""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyiceberg.io import InputFile
from pyiceberg.io.pyarrow import PyArrowFileIO

from collectors.errors import TableError, UnreadableMetadata
from collectors.storage.files import Storage
from collectors.storage.in_flight import IN_FLIGHT
from collectors.storage.one_request import LONGEST, read_by_one_request
from collectors.storage.parquet_tail import TAIL
from collectors.storage.ranges import (
    MAX_GAP,
    ByteRange,
    RangeRequest,
    read_ranges,
    read_tails,
)
from collectors.storage.sources import ROUNDS
from collectors.storage.unreadable import FileMissing, FileUnreadable, Kind
from collectors.tables.entries import UNKNOWN
from collectors.tables.entry_readers import read_entries
from collectors.tables.manifest_list import Manifest
from collectors.tables.manifests import ManifestEntries, Together, read_manifest, read_manifests
from tests.collectors.tables.avro_files import SYNC
from tests.collectors.tables.made_manifests import MAPS, made, plain, same
from tests.object_store import (
    ACCESS_KEY,
    BUCKET,
    PROGRAM,
    SECRET_KEY,
    Cut,
    Fault,
    ObjectStore,
    Reply,
    serve,
)

pytestmark = pytest.mark.slow

SLOW_DOWN = Reply(503, "SlowDown")
SDK_ATTEMPTS = 3
"""Of Arrow's S3 client, by default."""


class OtherFileIO(PyArrowFileIO):
    """A FileIO of a user, of which nothing is known but its interface."""

    def new_input(self, location: str) -> InputFile:  # type: ignore[override]
        """As its parent does."""
        return super().new_input(location)


@pytest.fixture(scope="module")
def running(
    require_program: Callable[[str], Path], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[ObjectStore]:
    with serve(require_program(PROGRAM), tmp_path_factory.mktemp("store")) as store:
        yield store


@pytest.fixture
def store(running: ObjectStore) -> ObjectStore:
    running.forget()
    return running


@pytest.fixture(params=["arrow", "fsspec", "other"])
def client(request: pytest.FixtureRequest) -> str:
    if request.param == "fsspec":
        pytest.importorskip("s3fs")
    return str(request.param)


_FILE_IO = {
    "arrow": "pyiceberg.io.pyarrow.PyArrowFileIO",
    "fsspec": "pyiceberg.io.fsspec.FsspecFileIO",
    "other": f"{__name__}.OtherFileIO",
}


def storage(store: ObjectStore, client: str = "arrow", **more: str) -> Storage:
    named = {f"s3.{name.replace('_', '-')}": value for name, value in more.items()}
    return Storage(properties=store.properties | {"py-io-impl": _FILE_IO[client]} | named)


def parquet(columns: int = 1, **options: Any) -> bytes:
    sink = BytesIO()
    table = pa.table({f"column_{n}": pa.array(range(1000)) for n in range(columns)})
    pq.write_table(table, sink, **options)
    return sink.getvalue()


CONTENT = parquet(columns=20)
WIDE = parquet(columns=800)
assert len(CONTENT) > TAIL


def tail(store: ObjectStore, location: str, size: int | None, client: str = "arrow") -> bytes:
    (found,) = read_tails([(storage(store, client), location, size)])
    assert isinstance(found, bytes), found
    return found


def failure(store: ObjectStore, location: str, client: str = "arrow") -> FileUnreadable:
    (found,) = read_tails([(storage(store, client), location, len(CONTENT))])
    assert isinstance(found, FileUnreadable)
    return found


def methods(store: ObjectStore, location: str) -> list[str]:
    return [method for method, _ in store.of(location)]


def test_a_footer_is_one_get_and_no_head(store: ObjectStore, client: str) -> None:
    location = store.put("a.parquet", CONTENT)
    found = tail(store, location, len(CONTENT), client)
    whole = pq.read_metadata(BytesIO(CONTENT))
    assert pq.read_metadata(BytesIO(found)) == whole
    assert store.of(location)[-1] == (
        "GET",
        f"bytes={len(CONTENT) - TAIL}-{len(CONTENT) - 1}",
    )
    assert len(store.of(location)) == (2 if client == "other" else 1)


def test_a_long_footer_is_a_second_get(store: ObjectStore, client: str) -> None:
    location = store.put("wide.parquet", WIDE)
    found = tail(store, location, len(WIDE), client)
    assert pq.read_metadata(BytesIO(found)).num_columns == 800
    assert methods(store, location).count("GET") == 2


@pytest.mark.parametrize(
    "options",
    [
        pytest.param({}, id="defaults"),
        pytest.param({"write_page_index": True, "store_schema": False}, id="page-index"),
        pytest.param({"row_group_size": 100, "use_dictionary": False}, id="row-groups"),
    ],
)
def test_a_footer_that_arrow_read_is_handed_over_byte_by_byte(
    store: ObjectStore, options: dict[str, Any]
) -> None:
    content = parquet(**options)
    location = store.put("a.parquet", content)
    length = int.from_bytes(content[-8:-4], "little") + 8
    assert tail(store, location, len(content))[-length:] == content[-length:]


@pytest.mark.parametrize("error", [-100, 100, 10**7], ids=["few", "many", "beyond"])
def test_a_wrong_size_is_asked_for_once(store: ObjectStore, client: str, error: int) -> None:
    location = store.put("a.parquet", CONTENT)
    found = tail(store, location, len(CONTENT) + error, client)
    assert pq.read_metadata(BytesIO(found)).num_columns == 20
    assert methods(store, location).count("HEAD") <= 1
    assert methods(store, location).count("GET") <= 2


def test_an_unknown_size_is_asked_for_once(store: ObjectStore, client: str) -> None:
    location = store.put("a.parquet", CONTENT)
    tail(store, location, None, client)
    assert methods(store, location) == ["HEAD", "GET"]


@pytest.mark.parametrize(
    ("client", "expected"),
    [("arrow", ["GET", "HEAD", "GET"]), ("fsspec", ["GET", "HEAD"]), ("other", ["HEAD", "GET"])],
    indirect=["client"],
)
def test_what_is_no_parquet_file_is_read_at_most_twice(
    store: ObjectStore, client: str, expected: list[str]
) -> None:
    location = store.put("a.parquet", b"x" * len(CONTENT))
    assert tail(store, location, len(CONTENT), client) == b"x" * TAIL
    assert methods(store, location) == expected


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


def test_ranges_that_lie_close_together_are_one_get(store: ObjectStore, client: str) -> None:
    content = bytes(4 * MAX_GAP)
    location = store.put("a", content)
    ranges = tuple(
        ByteRange(offset, 10) for offset in (0, 1000, MAX_GAP, 3 * MAX_GAP, 3 * MAX_GAP + 20)
    )
    request = RangeRequest(storage(store, client), location, ranges)
    assert list(read_ranges([request])) == [(bytes(10),) * 5]
    asked = [range_ for method, range_ in store.of(location) if method == "GET"]
    if client == "fsspec":
        assert methods(store, location) == ["GET", "GET"]
    else:
        assert methods(store, location) == ["HEAD", "GET", "GET"]
    assert asked == [
        f"bytes=0-{MAX_GAP + 9}",
        f"bytes={3 * MAX_GAP}-{3 * MAX_GAP + 29}",
    ]


@pytest.mark.parametrize("offset", [-5, 5, 20], ids=["before", "ends-after", "after"])
def test_a_range_that_is_not_in_the_file_is_told(
    store: ObjectStore, client: str, offset: int
) -> None:
    location = store.put("a", b"0123456789")
    request = RangeRequest(storage(store, client), location, (ByteRange(offset, 6),))
    (found,) = read_ranges([request])
    assert isinstance(found, FileUnreadable)
    assert found.kind is Kind.SHORT


@pytest.mark.parametrize("in_flight", [1, 4])
def test_no_more_requests_are_in_flight_than_allowed(
    store: ObjectStore, client: str, in_flight: int
) -> None:
    locations = [store.put(f"many/{number}.parquet", CONTENT) for number in range(24)]
    store.delay = 0.02
    reading = storage(store, client)
    found = list(
        read_tails([(reading, one, len(CONTENT)) for one in locations], in_flight=in_flight)
    )
    assert all(isinstance(one, bytes) for one in found)
    assert store.most_in_flight == in_flight


@pytest.mark.parametrize(
    "fault", [SLOW_DOWN, Reply(500, "InternalError"), Cut(), Cut(100)], ids=str
)
def test_two_failures_in_a_row_are_outlived(store: ObjectStore, client: str, fault: Fault) -> None:
    location = store.put("a.parquet", CONTENT)
    store.fail("a.parquet", fault, fault)
    found = tail(store, location, len(CONTENT), client)
    assert pq.read_metadata(BytesIO(found)).num_columns == 20


def test_what_arrow_gives_up_is_tried_again_later(store: ObjectStore) -> None:
    location = store.put("a.parquet", CONTENT)
    store.fail("a.parquet", *[SLOW_DOWN] * SDK_ATTEMPTS)
    tail(store, location, len(CONTENT))
    assert len(store.of(location)) == SDK_ATTEMPTS + 1


def test_a_store_that_stays_busy_is_given_up_and_stops_no_other_file(store: ObjectStore) -> None:
    busy = store.put("busy.parquet", CONTENT)
    idle = store.put("idle.parquet", CONTENT)
    store.fail("busy.parquet", *[SLOW_DOWN] * 100)
    reading = storage(store)
    first, second = read_tails([(reading, one, len(CONTENT)) for one in (busy, idle)])
    assert isinstance(first, FileUnreadable)
    assert first.kind is Kind.THROTTLED
    assert len(store.of(busy)) == ROUNDS * SDK_ATTEMPTS
    assert isinstance(second, bytes)


def test_a_missing_file_is_told_and_not_asked_for_again(store: ObjectStore, client: str) -> None:
    location = f"s3://{BUCKET}/gone.parquet"
    assert isinstance(failure(store, location, client), FileMissing)
    assert len(store.of(location)) == 1
    (found,) = read_ranges([RangeRequest(storage(store, client), location, (ByteRange(0, 1),))])
    assert isinstance(found, FileMissing)


@pytest.mark.parametrize(
    "credentials",
    [
        pytest.param({"secret_access_key": "notTheSecret"}, id="wrong-secret"),
        pytest.param(
            {"anonymous": "true", "access_key_id": "", "secret_access_key": ""}, id="anonymous"
        ),
    ],
)
def test_refused_access_is_told_and_not_tried_again(
    store: ObjectStore, client: str, credentials: dict[str, str]
) -> None:
    location = store.put("a.parquet", CONTENT)
    reading = storage(store, client, **credentials)
    (found,) = read_tails([(reading, location, len(CONTENT))])
    assert isinstance(found, FileUnreadable)
    assert found.kind is Kind.REFUSED
    assert len(store.of(location)) == 1


def test_no_error_shows_credentials(store: ObjectStore, client: str) -> None:
    location = store.put("a.parquet", CONTENT)
    # As real stores do: their answers quote what they were sent.
    store.fail("a.parquet", Reply(403, f"InvalidAccessKeyId: {ACCESS_KEY} {SECRET_KEY}"))
    error = failure(store, location, client)
    shown = "".join(traceback.format_exception(error)) + repr(error)
    assert ACCESS_KEY not in shown
    assert SECRET_KEY not in shown


def test_a_store_that_is_not_there_is_told(store: ObjectStore, client: str) -> None:
    location = f"s3://{BUCKET}/a.parquet"
    reading = storage(store, client, endpoint="http://127.0.0.1:1")
    (found,) = read_tails([(reading, location, len(CONTENT))])
    assert isinstance(found, FileUnreadable)
    assert found.kind is Kind.UNREACHABLE
