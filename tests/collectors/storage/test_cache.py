"""What is kept of metadata: found again as it was, or not at all."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from prunescope.collectors.storage.cache import Cache, why_not_trusted


def files(cache: Cache) -> list[Path]:
    return sorted(path for path in Path(cache.path).rglob("*") if path.is_file())


def on_disk(cache: Cache) -> int:
    return sum(path.stat().st_blocks * 512 for path in files(cache))


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    return Cache(str(tmp_path / "kept"), 1 << 20)


def test_what_was_kept_is_found_and_nothing_else(cache: Cache) -> None:
    assert cache.get("a") is None
    cache.put("a", b"one")
    cache.put("b", b"")
    assert (cache.get("a"), cache.get("b"), cache.get("c")) == (b"one", b"", None)
    cache.put("a", b"other")
    assert cache.get("a") == b"other"
    cache.forget("a")
    assert cache.get("a") is None


def test_only_the_owner_can_read_it(cache: Cache) -> None:
    old = os.umask(0)
    try:
        cache.put("a", b"bounds")
    finally:
        os.umask(old)
    (file,) = files(cache)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    assert stat.S_IMODE(Path(cache.path).stat().st_mode) == 0o700


def test_nobody_else_may_look_into_folders_above_it(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        Cache(str(tmp_path / "cache" / "of" / "ours"), 1 << 20).put("a", b"bounds")
    finally:
        os.umask(before)
    made = [tmp_path / "cache", tmp_path / "cache" / "of", tmp_path / "cache" / "of" / "ours"]
    assert [stat.S_IMODE(folder.stat().st_mode) for folder in made] == [0o700] * 3


def test_a_file_with_any_bit_flipped_is_thrown_away(cache: Cache) -> None:
    cache.put("key", b"content")
    (file,) = files(cache)
    whole = file.read_bytes()
    for place in range(len(whole) * 8):
        damaged = bytearray(whole)
        damaged[place // 8] ^= 1 << place % 8
        file.write_bytes(damaged)
        assert cache.get("key") is None
        assert not file.exists()
    for end in range(len(whole)):
        file.write_bytes(whole[:end])
        assert cache.get("key") is None


def test_a_file_of_another_key_is_none(cache: Cache) -> None:
    cache.put("a", b"one")
    (of_a,) = files(cache)
    cache.put("b", b"two")
    (of_b,) = set(files(cache)) - {of_a}
    of_a.rename(of_b)
    assert cache.get("b") is None


def _pipe(path: Path) -> None:
    os.mkfifo(path)


def _far_too_large(path: Path) -> None:
    path.touch()
    os.truncate(path, 1 << 40)


def _endless(path: Path) -> None:
    path.symlink_to("/dev/zero")


@pytest.mark.parametrize("make", [_pipe, _far_too_large, _endless, Path.mkdir])
def test_what_is_no_file_of_the_cache_is_not_read(
    cache: Cache, make: Callable[[Path], None]
) -> None:
    cache.put("a", b"one")
    (file,) = files(cache)
    file.unlink()
    make(file)
    assert cache.get("a") is None
    cache.put("a", b"two")
    assert cache.get("a") == (None if file.is_dir() else b"two")


def test_what_was_used_least_recently_goes_first(tmp_path: Path) -> None:
    cache = Cache(str(tmp_path / "kept"), 100_000)
    for number in range(8):
        cache.put(f"{number}", bytes(10_000))
        for file in files(cache):
            os.utime(file, (1_000, 1_000))
    assert cache.get("3") is not None  # used again
    for number in range(8, 14):
        cache.put(f"{number}", bytes(10_000))
    assert on_disk(cache) < 110_000
    assert all(cache.get(f"{n}") is not None for n in (3, *range(8, 14)))
    assert sum(cache.get(f"{n}") is not None for n in (0, 1, 2, 4, 5, 6, 7)) <= 2


def test_small_files_are_counted_as_what_they_take_of_the_disk(tmp_path: Path) -> None:
    cache = Cache(str(tmp_path / "kept"), 100_000)
    for number in range(200):
        cache.put(f"{number}", b"a footer")
    assert 50_000 < on_disk(cache) < 110_000
    smaller = Cache(cache.path, 20_000)
    smaller.sweep()
    assert 0 < on_disk(smaller) <= 20_000


@pytest.mark.slow
def test_what_a_killed_process_left_is_no_content_and_goes(cache: Cache) -> None:
    program = (
        "import os, sys\n"
        "from prunescope.collectors.storage.cache import Cache\n"
        "cache = Cache(sys.argv[1], 1 << 30)\n"
        "for number in range(10**9):\n"
        "    cache.put(str(number % 50), bytes([number % 50]) * 200_000)\n"
        "    if number == 60: print(flush=True)\n"
    )
    command = [sys.executable, "-c", program, cache.path]
    for _ in range(3):
        with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            process.stdout.readline()
            process.send_signal(signal.SIGKILL)
        found = [cache.get(str(number)) for number in range(50)]
        assert found == [bytes([number]) * 200_000 for number in range(50)]
    abandoned = Path(cache.path, "ab", "x.pending")
    abandoned.parent.mkdir(exist_ok=True)
    abandoned.write_bytes(b"half")
    cache.sweep()
    assert abandoned.exists()  # it may be being written
    os.utime(abandoned, (1_000, 1_000))
    cache.sweep()
    assert not abandoned.exists()


@pytest.mark.slow
def test_many_may_write_at_once(cache: Cache) -> None:
    found: list[bytes | None] = []

    def use(mine: int) -> None:
        for number in range(200):
            cache.put(str(number % 5), bytes([number % 5]) * 5_000)
            got = cache.get(str((number + mine) % 5))
            found.append(got)
            if got is not None:
                assert got == bytes([(number + mine) % 5]) * 5_000

    threads = [threading.Thread(target=use, args=(mine,)) for mine in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 800
    assert not [path for path in files(cache) if path.suffix != ".kept"]


def test_a_full_disk_keeps_nothing_and_fails_nothing(cache: Cache) -> None:
    program = (
        "import resource, signal, sys\n"
        "from prunescope.collectors.storage.cache import Cache\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))\n"  # writes fail beyond it
        "cache = Cache(sys.argv[1], 1 << 30)\n"
        "cache.put('large', bytes(100_000))\n"
        "cache.put('small', b'x')\n"
        "assert cache.get('large') is None and cache.get('small') == b'x'\n"
    )
    subprocess.run([sys.executable, "-c", program, cache.path], check=True)
    assert len(files(cache)) == 1


def test_a_place_that_is_no_directory_is_no_fault(tmp_path: Path) -> None:
    (tmp_path / "kept").write_text("a file")
    cache = Cache(str(tmp_path / "kept"), 100)
    cache.put("a", b"one")
    assert cache.get("a") is None


@pytest.mark.parametrize("mode", [0o770, 0o720, 0o702, 0o1777])
def test_a_folder_that_others_can_write_into_is_not_used(cache: Cache, mode: int) -> None:
    folder = Path(cache.path)
    folder.mkdir()
    folder.chmod(mode)
    why = why_not_trusted(cache.path)
    assert why is not None
    assert f"chmod go-w {cache.path}" in why
    cache.put("a", b"of anybody")
    assert cache.get("a") is None
    assert not cache.has("a")
    assert list(folder.iterdir()) == []
    folder.chmod(0o750)
    assert why_not_trusted(cache.path) is None


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder to another user")
def test_nor_one_of_another_user_or_behind_a_link_of_theirs(cache: Cache, tmp_path: Path) -> None:
    folder = Path(cache.path)
    folder.mkdir(mode=0o700)
    os.chown(folder, 65534, -1)
    assert "another user" in (why_not_trusted(cache.path) or "")
    os.chown(folder, 0, -1)
    (tmp_path / "link").symlink_to(folder)
    assert why_not_trusted(str(tmp_path / "link")) is None
    os.lchown(tmp_path / "link", 65534, -1)
    assert "another user" in (why_not_trusted(str(tmp_path / "link")) or "")
