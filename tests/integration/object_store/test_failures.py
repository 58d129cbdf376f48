"""What the failures of an object store become."""

from __future__ import annotations

import traceback
from io import BytesIO

import pyarrow.parquet as pq
import pytest

from prunescope.collectors.storage.random_access import ROUNDS
from prunescope.collectors.storage.ranges import ByteRange, RangeRequest, read_ranges, read_tails
from prunescope.collectors.storage.unreadable import FileMissing, FileUnreadable, Kind, table_error
from tests.integration.object_store.clients import CONTENT, storage, tail
from tests.object_store import (
    ACCESS_KEY,
    BUCKET,
    SECRET_KEY,
    SLOW_DOWN,
    Cut,
    Fault,
    ObjectStore,
    Reply,
)

pytestmark = pytest.mark.slow

SDK_ATTEMPTS = 3
"""Of Arrow's S3 client, by default."""


def failure(store: ObjectStore, location: str, client: str = "arrow") -> FileUnreadable:
    (found,) = read_tails([(storage(store, client), location, len(CONTENT))])
    assert isinstance(found, FileUnreadable)
    return found


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


def test_a_token_that_has_expired_is_no_storage_that_does_not_answer(
    store: ObjectStore, client: str
) -> None:
    location = store.put("a.parquet", CONTENT)
    store.fail("a.parquet", *[Reply(400, "ExpiredToken")] * 100)
    error = table_error("a file", failure(store, location, client))
    assert error.code == "access_denied"
    assert "credentials" in str(error)


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
