"""The spool: what it says is kept is in its files."""

from __future__ import annotations

import os
import resource
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from prunescope.audit_jobs.errors import BadConfiguration
from prunescope.audit_jobs.receiver.spool import Observer, Rolling, Spool, SpoolFailed
from prunescope.collectors.queries.listing import expand_paths
from prunescope.collectors.storage.files import Storage


def lines_in(directory: Path) -> list[bytes]:
    """The lines that an audit of the directory finds."""
    try:
        files = expand_paths([str(directory)], Storage())
    except FileNotFoundError:
        return []
    return [line for file in files for line in Path(file).read_bytes().splitlines()]


def until(condition: Callable[[], bool]) -> None:
    for _ in range(400):
        if condition():
            return
        time.sleep(0.025)
    pytest.fail("it never came to that")


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
    spool = Spool(tmp_path, Rolling(size=10), Observer(rolled=rolled.append))
    for number in range(4):
        spool.append("trino", b"%08d" % number).result(timeout=10)
    spool.close()
    assert len(list(tmp_path.glob("trino/[!.]*.jsonl"))) == 2
    assert rolled == ["trino", "trino"]


def test_names_sort_by_time(tmp_path: Path) -> None:
    spool = Spool(tmp_path, Rolling(size=1))
    for number in range(12):
        spool.append("trino", b"%d" % number).result(timeout=10)
    spool.close()
    assert lines_in(tmp_path) == [b"%d" % number for number in range(12)]


def test_files_roll_by_age_without_a_new_line(tmp_path: Path) -> None:
    spool = Spool(tmp_path, Rolling(age=0.05))
    spool.append("trino", b"one").result(timeout=10)
    until(lambda: lines_in(tmp_path) == [b"one"])
    spool.close()


def test_a_caller_that_gives_up_stops_nothing(tmp_path: Path) -> None:
    spool = Spool(tmp_path)
    given_up = [spool.append("trino", b"%d" % number) for number in range(100)]
    assert not any(future.cancel() for future in given_up)
    spool.append("trino", b"last").result(timeout=10)
    spool.close()
    assert len(lines_in(tmp_path)) == 101


def test_what_is_kept_is_no_business_of_others(tmp_path: Path) -> None:
    spool = Spool(tmp_path / "in")
    spool.append("trino", b"one").result(timeout=10)
    spool.close()
    made = [tmp_path / "in", *(tmp_path / "in" / "trino").iterdir()]
    assert all(not path.stat().st_mode & 0o007 for path in made)


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
        pytest.param(b"one\n" + b"x" * 3_000_000, [b"one"], id="a long torn line"),
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


@contextmanager
def files_up_to(size: int) -> Iterator[None]:
    """Files of this process become no longer: a disk that is full. Tests' own output may be one."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)


def test_a_line_that_is_not_written_is_not_in_the_files(tmp_path: Path) -> None:
    failures: list[None] = []
    spool = Spool(tmp_path, observer=Observer(failed=lambda: failures.append(None)))
    with files_up_to(1_000):
        spool.append("trino", b"a" * 600).result(timeout=10)
        with pytest.raises(SpoolFailed):
            spool.append("trino", b"b" * 600).result(timeout=10)
        assert failures
        # What was kept before is published at once; what follows goes to another file.
        until(lambda: lines_in(tmp_path) == [b"a" * 600])
        spool.append("trino", b"c" * 600).result(timeout=10)
        assert spool.is_healthy
        spool.close()
    assert lines_in(tmp_path) == [b"a" * 600, b"c" * 600]


@pytest.mark.slow
def test_health_returns_with_the_disk_and_without_a_line(tmp_path: Path) -> None:
    spool = Spool(tmp_path)
    with files_up_to(0):
        with pytest.raises(SpoolFailed):
            spool.append("trino", b"one").result(timeout=10)
        assert not spool.is_healthy
    until(lambda: spool.is_healthy)
    spool.close()
    assert lines_in(tmp_path) == []


def test_what_a_removed_file_would_take_with_it_is_not_acknowledged(tmp_path: Path) -> None:
    spool = Spool(tmp_path)
    spool.append("trino", b"one").result(timeout=10)
    (written,) = (tmp_path / "trino").iterdir()
    written.unlink()
    with pytest.raises(SpoolFailed):
        spool.append("trino", b"two").result(timeout=10)
    spool.append("trino", b"two again").result(timeout=10)
    assert spool.is_healthy
    spool.close()
    assert lines_in(tmp_path) == [b"two again"]


@pytest.mark.parametrize(
    "plant",
    [
        pytest.param(lambda path, _: path.mkdir(), id="a folder"),
        pytest.param(lambda path, other: path.symlink_to(other), id="a link"),
        pytest.param(lambda path, other: path.hardlink_to(other), id="another name"),
        pytest.param(lambda path, _: os.mkfifo(path), id="a pipe"),
        pytest.param(lambda path, _: path.symlink_to("nowhere"), id="a link to nothing"),
    ],
)
def test_what_is_left_over_of_nobody_stays_as_it_is(
    tmp_path: Path, plant: Callable[[Path, Path], None]
) -> None:
    other = tmp_path / "other"
    other.write_bytes(b"no line end")
    left = tmp_path / "in" / "trino" / ".20240101T000000.000000Z-000001.jsonl.open"
    left.parent.mkdir(parents=True)
    plant(left, other)
    spool = Spool(tmp_path / "in")
    spool.append("trino", b"one").result(timeout=10)
    spool.close()
    assert other.read_bytes() == b"no line end"
    assert os.path.lexists(left)
    assert lines_in(tmp_path / "in") == [b"one"]


@pytest.mark.parametrize("name", [".lock", f".probe-{os.getpid()}"], ids=["the lock", "the probe"])
def test_a_planted_link_is_not_followed(tmp_path: Path, name: str) -> None:
    other = tmp_path / "other"
    other.write_bytes(b"kept")
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / name).symlink_to(other)
    with suppress(BadConfiguration):
        spool = Spool(folder)
        with files_up_to(0), pytest.raises(SpoolFailed):
            spool.append("trino", b"one").result(timeout=10)
        until(lambda: spool.is_healthy)
        spool.close()
    assert other.read_bytes() == b"kept"


@pytest.mark.parametrize("kind", ["trino", "reports"])
@pytest.mark.parametrize("leads_to", ["other", "nowhere"])
def test_a_folder_of_a_kind_that_leads_elsewhere_is_refused(
    tmp_path: Path, kind: str, leads_to: str
) -> None:
    left = tmp_path / "other" / ".20240101T000000.000000Z-000001.jsonl.open"
    left.parent.mkdir()
    left.write_bytes(b"no line end")
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / kind).symlink_to(tmp_path / leads_to)
    with pytest.raises(BadConfiguration, match=f"in/{kind} is a symbolic link"):
        Spool(tmp_path / "in")
    (tmp_path / "in" / kind).unlink()
    Spool(tmp_path / "in").close()
    assert left.read_bytes() == b"no line end"


def test_a_folder_that_becomes_a_link_is_not_written_into(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    spool = Spool(tmp_path / "in")
    (tmp_path / "in" / "reports").symlink_to(tmp_path / "other")
    with pytest.raises(SpoolFailed):
        spool.append("reports", b"one").result(timeout=10)
    spool.close()
    assert not list((tmp_path / "other").iterdir())
