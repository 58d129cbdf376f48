"""What is really asked of an object store for footers and other ranges, counted on the wire."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from prunescope.collectors.storage.cache import Cache
from prunescope.collectors.storage.parquet_tail import TAIL
from prunescope.collectors.storage.ranges import (
    MAX_GAP,
    ByteRange,
    RangeRequest,
    read_ranges,
    read_tails,
)
from prunescope.collectors.storage.unreadable import FileUnreadable, Kind
from prunescope.collectors.tables.footers import Footer, ParquetFile, read_footers
from tests.integration.object_store.clients import CONTENT, methods, parquet, storage, tail
from tests.object_store import PROGRAM, ObjectStore, serve

pytestmark = pytest.mark.slow

WIDE = parquet(columns=800)


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


def test_what_is_kept_of_one_store_is_nothing_of_another(
    store: ObjectStore, require_program: Callable[[str], Path], tmp_path: Path
) -> None:
    cache = Cache(str(tmp_path / "kept"), 1 << 30)
    contents = [parquet(1, row_group_size=rows) for rows in (100, 200)]
    size = max(map(len, contents))
    read = []
    with serve(require_program(PROGRAM), tmp_path / "other") as other:
        stores = (store, other)
        for one, content in zip(stores, contents, strict=True):
            # Files of one name and one size.
            location = one.put(
                "same.parquet", content[:4] + bytes(size - len(content)) + content[4:]
            )
        for one in stores * 2:
            reading = replace(storage(one), cache=cache)
            (footer,) = read_footers([ParquetFile(location, size, reading, ())])
            assert isinstance(footer, Footer)
            read.append((len(footer.records), footer.from_cache))
    assert read == [(10, False), (5, False), (10, True), (5, True)]
