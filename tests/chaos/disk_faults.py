"""A disk that is full before a run is published."""

from __future__ import annotations

import os
import resource
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path

from tests.chaos.drivers import Drivers
from tests.chaos.publication import CLEAN, Outcome, Publication

FREE_BYTES = (0, 1 << 12, 1 << 13, 3 << 13, 1 << 15, 1 << 16, 3 << 15, 1 << 17, 1 << 18)
"""Bytes that are left, from nothing to what almost suffices: some write or other fails."""
_ROOM_TO_PRINT = 1 << 12
_NOTHING_DONE = 2
_SIZE = "64m"


@dataclass(frozen=True, slots=True)
class NoFileBeyond:
    """Lets this process write no file beyond so many bytes."""

    size: int

    def __call__(self) -> None:
        """From now on. Python ignores the signal, and gets an error instead."""
        resource.setrlimit(resource.RLIMIT_FSIZE, (self.size, self.size))


@contextmanager
def small_disk(folder: Path) -> Iterator[bool]:
    """A folder with a file system of its own; whether there is one, which takes a privilege."""
    folder.mkdir(parents=True)
    command = ["mount", "-t", "tmpfs", "-o", f"size={_SIZE}", "none", str(folder)]
    mounted = subprocess.run(command, capture_output=True, check=False).returncode == 0
    try:
        yield mounted
    finally:
        if mounted:
            subprocess.run(["umount", "--lazy", str(folder)], check=True)


@contextmanager
def only_free(folder: Path, size: int) -> Iterator[None]:
    """Leaves a file system no more than so many bytes."""
    ballast = folder / "ballast"
    disk = os.statvfs(folder)
    with ballast.open("wb") as file:
        os.posix_fallocate(file.fileno(), 0, max(1, disk.f_bavail * disk.f_frsize - size))
    try:
        yield
    finally:
        ballast.unlink()


def fill_the_disk(
    publication: Publication,
    drivers: Drivers,
    *,
    mounted: bool,
    sizes: Sequence[int] = FREE_BYTES,
) -> Iterator[Outcome]:
    """Runs that meet a full disk at some write or other: that of the publication's folder where it
    is a file system of its own, and else that no file can grow on."""
    for driver, size in zip(cycle(drivers), sizes, strict=False):
        log = publication.log(f"disk-{size}")
        if mounted:
            name = f"disk full but for {size} bytes"
            with only_free(publication.folder, size):
                code = driver.fork(log).exit_code()
        else:
            limit = max(size, _ROOM_TO_PRINT)
            name = f"no file beyond {limit} bytes"
            code = driver.fork(log, NoFileBeyond(limit)).exit_code()
        completed = code == CLEAN
        note = "" if code in (CLEAN, _NOTHING_DONE) else f"ended with {code}"
        yield publication.judged(name, log, injected=not completed, completed=completed, note=note)
