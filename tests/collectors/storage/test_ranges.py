import errno
import threading
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from types import SimpleNamespace

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from prunescope.collectors.storage import limits
from prunescope.collectors.storage.files import Storage
from prunescope.collectors.storage.in_flight import AHEAD, PATIENCE, ROOM, SLOW, concurrently
from prunescope.collectors.storage.parquet_tail import TAIL
from prunescope.collectors.storage.ranges import (
    ByteRange,
    RangeRequest,
    coalesce,
    read_ranges,
    read_tails,
)
from prunescope.collectors.storage.unreadable import FileMissing, FileUnreadable, Kind, unreadable

HERE = Storage()


def parquet(columns: int = 1) -> bytes:
    """A file with one row; its footer grows with its columns."""
    sink = BytesIO()
    pq.write_table(pa.table({f"column_{n}": [n] for n in range(columns)}), sink)
    return sink.getvalue()


SMALL = parquet()
WIDE = parquet(columns=800)
assert len(WIDE) > 2 * TAIL


def footer(content: bytes) -> bytes:
    length = int.from_bytes(content[-8:-4], "little") + 8
    return content[-length:]


@pytest.mark.parametrize(
    "error_of_size",
    [
        pytest.param(0, id="right"),
        pytest.param(None, id="unknown"),
        pytest.param(1, id="one-too-many"),
        pytest.param(-1, id="one-too-few"),
        pytest.param(10**9, id="beyond-the-end"),
        pytest.param(-(10**9), id="negative"),
    ],
)
@pytest.mark.parametrize(
    "content", [pytest.param(SMALL, id="short"), pytest.param(WIDE, id="longer-than-the-tail")]
)
def test_a_tail_holds_the_footer_whatever_the_manifest_says_of_the_size(
    tmp_path: Path, content: bytes, error_of_size: int | None
) -> None:
    path = tmp_path / "a.parquet"
    path.write_bytes(content)
    size = None if error_of_size is None else len(content) + error_of_size
    (tail,) = read_tails([(HERE, str(path), size)])
    assert isinstance(tail, bytes)
    assert tail.endswith(footer(content))
    assert pq.read_metadata(pa.BufferReader(tail)) == pq.read_metadata(path)


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"", id="empty"),
        pytest.param(b"PAR1", id="magic-only"),
        pytest.param(b"PAR1\xff\xff\xff\xffPAR1", id="footer-longer-than-the-file"),
        pytest.param(b"x" * 100_000, id="something-else"),
    ],
)
def test_of_what_is_no_parquet_file_the_last_bytes_are_handed_over(
    tmp_path: Path, content: bytes
) -> None:
    path = tmp_path / "a.parquet"
    path.write_bytes(content)
    assert list(read_tails([(HERE, str(path), len(content))])) == [content[-TAIL:]]


def test_one_file_that_cannot_be_read_stops_no_other(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(SMALL)
    names = ["a", "gone", ".", "a"]
    first, gone, folder, last = read_tails([(HERE, str(tmp_path / name), 10) for name in names])
    assert first == last == SMALL
    assert isinstance(gone, FileMissing)
    assert isinstance(folder, FileUnreadable)
    assert not isinstance(folder, FileMissing)


def test_ranges_come_back_as_they_were_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"0123456789")
    ranges = (ByteRange(8, 2), ByteRange(0, 3), ByteRange(2, 4), ByteRange(8, 2), ByteRange(5, 0))
    (found,) = read_ranges([RangeRequest(HERE, str(path), ranges)])
    assert found == (b"89", b"012", b"2345", b"89", b"")


@pytest.mark.parametrize(
    "outside",
    [
        pytest.param((9, 2), id="ends-too-late"),
        pytest.param((10, 1), id="starts-at-the-end"),
        pytest.param((0, 1 << 60), id="longer-than-any-memory"),
        pytest.param((-2, 2), id="starts-before-the-file"),
        pytest.param((2, -2), id="of-negative-length"),
    ],
)
def test_a_range_that_is_not_in_the_file_is_told(tmp_path: Path, outside: tuple[int, int]) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"0123456789")
    ranges = (ByteRange(0, 2), ByteRange(*outside))
    (found,) = read_ranges([RangeRequest(HERE, str(path), ranges)])
    assert isinstance(found, FileUnreadable)
    assert found.kind is (Kind.TOO_LARGE if outside[1] > limits.RANGE else Kind.SHORT)


@pytest.mark.parametrize(
    ("ranges", "expected"),
    [
        pytest.param([], [], id="none"),
        pytest.param([(5, 0)], [], id="of-no-length"),
        pytest.param([(0, 10), (10, 10)], [[0, 1]], id="adjacent"),
        pytest.param([(0, 10), (15, 10)], [[0, 1]], id="hole-as-long-as-allowed"),
        pytest.param([(0, 10), (16, 10)], [[0], [1]], id="hole-too-long"),
        pytest.param([(10, 10), (0, 10)], [[1, 0]], id="in-any-order"),
        pytest.param([(0, 10), (2, 3), (14, 1)], [[0, 1, 2]], id="contained"),
        pytest.param([(0, 20), (20, 20), (40, 1)], [[0, 1], [2]], id="not-longer-than-allowed"),
        pytest.param([(0, 90), (92, 5)], [[0], [1]], id="one-longer-than-allowed"),
    ],
)
def test_ranges_close_together_are_read_at_once(
    ranges: list[tuple[int, int]], expected: list[list[int]]
) -> None:
    assert coalesce([ByteRange(*one) for one in ranges], gap=5, longest=40) == expected


ranges_in_a_file = st.lists(
    st.builds(ByteRange, st.integers(0, 300), st.integers(0, 60)), max_size=20
)


@given(ranges_in_a_file, st.integers(0, 50), st.integers(1, 100))
def test_no_merged_read_is_wasteful_or_long(
    ranges: list[ByteRange], gap: int, longest: int
) -> None:
    groups = coalesce(ranges, gap=gap, longest=longest)
    assert sorted(n for group in groups for n in group) == [
        number for number, (_, length) in enumerate(ranges) if length
    ]
    for group in groups:
        stop = ranges[group[0]].offset
        for number in group:
            assert ranges[number].offset - stop <= gap
            stop = max(stop, sum(ranges[number]))
        assert len(group) == 1 or stop - ranges[group[0]].offset <= longest


@given(ranges_in_a_file)
def test_coalescing_changes_no_byte(
    tmp_path_factory: pytest.TempPathFactory, ranges: list[ByteRange]
) -> None:
    content = bytes(n % 251 for n in range(400))
    path = tmp_path_factory.getbasetemp() / "ranges"
    path.write_bytes(content)
    (found,) = read_ranges([RangeRequest(HERE, str(path), tuple(ranges))])
    assert found == tuple(content[offset : offset + length] for offset, length in ranges)


def test_results_are_in_order_while_a_slow_item_holds_up_no_other() -> None:
    others = threading.Barrier(3)

    def read(number: int) -> int:
        if number in (0, 5, 7):  # 0 is done only when the last items are
            others.wait(timeout=10)
        return number

    assert list(concurrently(read, range(8), in_flight=3)) == list(range(8))


@pytest.mark.parametrize(("share", "waiting"), [(1, 4), (4, 1), (8, 1)])
def test_no_more_bytes_are_read_than_there_is_room_for(share: int, waiting: int) -> None:
    begun: list[int] = []

    def read(number: int) -> int:
        begun.append(number)
        return number

    results = concurrently(read, range(20), size=lambda _: share * ROOM // 4)
    for number in range(20):
        assert next(results) == number
        assert len(begun) <= number + 1 + waiting
    assert next(results, None) is None


def test_no_more_items_are_drawn_than_may_wait() -> None:
    drawn: list[int] = []

    def items() -> Iterator[int]:
        for number in range(100):
            drawn.append(number)
            yield number

    results = concurrently(lambda number: number, items(), in_flight=2)
    assert next(results) == 0
    assert len(drawn) == 2 * AHEAD
    results.close()  # type: ignore[attr-defined]  # it is a generator
    assert len(drawn) == 2 * AHEAD


def test_near_files_are_read_by_who_asks_until_some_were_slow(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    readers: dict[int, threading.Thread] = {}
    seconds = [0.0]
    clock = SimpleNamespace(perf_counter=lambda: seconds[0])
    monkeypatch.setattr("prunescope.collectors.storage.in_flight.time", clock)

    def read(number: int) -> int:
        readers[number] = threading.current_thread()
        if number > 0:
            seconds[0] += 2 * SLOW
        return number

    far = PATIENCE // 2
    found = concurrently(read, range(PATIENCE + 5), is_near=lambda number: number != far)
    assert list(found) == list(range(PATIENCE + 5))
    here = {number for number, reader in readers.items() if reader is threading.current_thread()}
    assert here == set(range(PATIENCE + 2)) - {far}


def test_near_files_of_which_some_are_slow_are_read_by_who_asks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    readers = set[threading.Thread]()
    seconds = [0.0]
    clock = SimpleNamespace(perf_counter=lambda: seconds[0])
    monkeypatch.setattr("prunescope.collectors.storage.in_flight.time", clock)

    def read(number: int) -> int:
        readers.add(threading.current_thread())
        seconds[0] += 2 * SLOW if number % PATIENCE else 0
        return number

    found = concurrently(read, range(PATIENCE * 4), is_near=lambda _: True)
    assert list(found) == list(range(PATIENCE * 4))
    assert readers == {threading.current_thread()}


def test_an_error_of_the_reader_itself_is_not_swallowed() -> None:
    def read(_: int) -> int:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        list(concurrently(read, [1]))


AWS = "When reading information for key 'k' in bucket 'b': AWS Error {} operation: text"


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        pytest.param(FileNotFoundError(), Kind.MISSING, id="missing"),
        pytest.param(OSError(errno.ENAMETOOLONG, ""), Kind.MISSING, id="too-long-a-name"),
        pytest.param(OSError(errno.ELOOP, ""), Kind.MISSING, id="link-to-itself"),
        pytest.param(NotADirectoryError(), Kind.MISSING, id="below-a-file"),
        pytest.param(ValueError("embedded null byte"), Kind.MISSING, id="nul"),
        pytest.param(PermissionError(), Kind.REFUSED, id="refused"),
        pytest.param(TimeoutError(), Kind.TRANSIENT, id="time-out"),
        pytest.param(ConnectionResetError(), Kind.TRANSIENT, id="reset"),
        pytest.param(ConnectionRefusedError(), Kind.UNREACHABLE, id="nobody-listens"),
        pytest.param(OSError(22, "range"), Kind.SHORT, id="fsspec-past-the-end"),
        pytest.param(RuntimeError("any"), Kind.UNREACHABLE, id="anything-else"),
        pytest.param(
            OSError(AWS.format("UNKNOWN (HTTP status 429) during GetObject")),
            Kind.THROTTLED,
            id="too-many-requests",
        ),
        pytest.param(
            OSError(AWS.format("UNKNOWN (HTTP status 400) during HeadObject")),
            Kind.BAD_REQUEST,
            id="expired-token",
        ),
        pytest.param(
            OSError(AWS.format("NO_SUCH_BUCKET during GetObject")), Kind.MISSING, id="no-bucket"
        ),
        pytest.param(
            OSError("AWS Error VALIDATION during GetObject operation: Response checksums mismatch"),
            Kind.DAMAGED,
            id="other-checksum",
        ),
        pytest.param(
            RuntimeError("Expected checksum a did not match calculated checksum: b"),
            Kind.DAMAGED,
            id="fsspec-other-checksum",
        ),
    ],
)
def test_errors_are_told_apart(error: Exception, expected: Kind) -> None:
    found = unreadable("s3://lake/a", error)
    assert found.kind is expected
    assert isinstance(found, FileNotFoundError) == (expected is Kind.MISSING)


def test_an_error_names_the_file_and_quotes_no_client() -> None:
    found = unreadable("s3://lake/a", OSError("https://store/a?signature=abc"))
    assert str(found).startswith("s3://lake/a: ")
    assert "abc" not in str(found)


def test_an_iteration_that_is_given_up_waits_for_no_read() -> None:
    """The cycle collector may end it where a lock is held that the reads need to end."""
    go_on = threading.Event()
    ended: list[int] = []

    def read(item: int) -> int:
        if item:
            go_on.wait(5)
            ended.append(item)
        return item

    found = concurrently(read, range(3), in_flight=2)
    try:
        assert next(iter(found)) == 0
        del found
        assert ended == []
    finally:
        go_on.set()
