"""The spool: what it says is kept is in its files."""

from __future__ import annotations

import resource
import signal
import time
from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path

import pytest

from audit_jobs.errors import BadConfiguration
from audit_jobs.receiver.spool import Limits, Observer, Spool, SpoolFailed, SpoolFull


def lines_in(directory: Path) -> list[bytes]:
    files = sorted(directory.glob("*/[!.]*.jsonl"))
    return [line for file in files for line in file.read_bytes().splitlines()]


def test_lines_are_kept_by_kind_and_published_at_the_end(tmp_path: Path) -> None:
    spool = Spool(tmp_path)
    done = [spool.append("trino", b"one"), spool.append("reports", b"two")]
    for future in done:
        future.result(timeout=10)
    assert lines_in(tmp_path) == [], "files being written are hidden"
    spool.close()
    assert {file.parent.name: file.read_bytes() for file in tmp_path.glob("*/[!.]*")} == {
        "trino": b"one\n",
        "reports": b"two\n",
    }


def test_files_roll_by_size(tmp_path: Path) -> None:
    rolled: list[str] = []
    spool = Spool(tmp_path, Limits(roll_bytes=10), Observer(rolled=rolled.append))
    for number in range(4):
        spool.append("trino", b"%08d" % number).result(timeout=10)
    spool.close()
    assert len(list(tmp_path.glob("trino/[!.]*.jsonl"))) == 2
    assert rolled == ["trino", "trino"]


def test_files_roll_by_age_without_a_new_line(tmp_path: Path) -> None:
    spool = Spool(tmp_path, Limits(roll_seconds=0.05))
    spool.append("trino", b"one").result(timeout=10)
    for _ in range(200):
        if lines_in(tmp_path):
            break
        time.sleep(0.05)
    assert lines_in(tmp_path) == [b"one"]
    spool.close()


def test_a_second_process_is_refused(tmp_path: Path) -> None:
    spool = Spool(tmp_path)
    with pytest.raises(BadConfiguration, match="another process"):
        Spool(tmp_path)
    spool.close()
    Spool(tmp_path).close()


def test_a_directory_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(BadConfiguration, match="cannot be written"):
        Spool(tmp_path / "file")


@pytest.mark.parametrize(
    ("left", "expected"),
    [
        pytest.param(b"one\ntwo\n", [b"one", b"two"], id="whole lines"),
        pytest.param(b"one\ntw", [b"one"], id="a torn line was never acknowledged"),
        pytest.param(b"tw", [], id="only a torn line"),
        pytest.param(b"", [], id="nothing"),
    ],
)
def test_what_a_killed_process_left_is_recovered(
    tmp_path: Path, left: bytes, expected: list[bytes]
) -> None:
    (tmp_path / "trino").mkdir()
    (tmp_path / "trino" / ".20240101T000000.000000Z-000001.jsonl.open").write_bytes(left)
    Spool(tmp_path).close()
    assert lines_in(tmp_path) == expected
    assert not list(tmp_path.glob("*/.*.open"))


def test_more_than_it_holds_is_refused_and_nothing_is_lost(tmp_path: Path) -> None:
    spool = Spool(tmp_path, Limits(waiting=100))
    kept: list[Future[None]] = []
    refused = 0
    for _ in range(200):
        try:
            kept.append(spool.append("trino", b"x" * 40))
        except SpoolFull:
            refused += 1
    with pytest.raises(SpoolFull):
        spool.append("trino", b"x" * 200)
    spool.close()
    assert refused
    assert all(future.exception() is None for future in kept)
    assert len(lines_in(tmp_path)) == len(kept)
    assert spool.waiting == 0


@pytest.fixture
def file_size_limit() -> Iterator[int]:
    """Files of this process cannot grow beyond some bytes: a disk that is full."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1_000, before[1]))
    yield 1_000
    resource.setrlimit(resource.RLIMIT_FSIZE, before)
    signal.signal(signal.SIGXFSZ, handler)


def test_a_full_disk_fails_the_line_and_the_next_ones_go_on(
    tmp_path: Path, file_size_limit: int
) -> None:
    failures: list[None] = []
    spool = Spool(tmp_path, observer=Observer(failed=lambda: failures.append(None)))
    spool.append("trino", b"a" * 600).result(timeout=10)
    with pytest.raises(SpoolFailed):
        spool.append("trino", b"b" * file_size_limit).result(timeout=10)
    assert not spool.is_ready
    spool.append("trino", b"c" * 600).result(timeout=10)
    assert spool.is_ready
    spool.close()
    assert lines_in(tmp_path) == [b"a" * 600, b"c" * 600]
    assert failures
