"""The files of a spool. A file has a hidden name (`.….jsonl.open`) while it is written, so that
nobody reads it, and is published by its name without these. Names sort by time.

Writing is durable when a function has returned: fsync of the file, and of its folder where a name
changed. All raise OSError.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import errno
import os
import stat
import time
from dataclasses import dataclass, field
from pathlib import Path

_OPEN = ".open"
_BLOCK = 1 << 20
# Queries hold people's data: others than the owner and the group have no business here.
_FILE_MODE, _FOLDER_MODE = 0o640, 0o750


class FolderIsLink(OSError):
    """The folder of a kind is a symbolic link. `filename` is the folder."""


@dataclass(slots=True)
class OpenFile:
    """A file being written. `kept` bytes of it are durable; `opened` is its monotonic time."""

    path: Path
    descriptor: int
    opened: float = field(default_factory=time.monotonic)
    kept: int = 0
    _is_torn: bool = False
    _is_renamed: bool = False

    def append(self, data: bytes) -> None:
        """Adds whole lines. If that fails the file ends in a torn line, until it is published.
        Raises FileNotFoundError if the file has no name any more: it ends with this process."""
        self._is_torn = True
        unwritten = memoryview(data)
        while unwritten:
            unwritten = unwritten[os.write(self.descriptor, unwritten) :]
        os.fsync(self.descriptor)
        if not os.fstat(self.descriptor).st_nlink:
            raise FileNotFoundError(errno.ENOENT, "the file was removed", str(self.path))
        self.kept += len(data)
        self._is_torn = False

    def publish(self) -> None:
        """Gives the file its name, without what is not durable; removes it if nothing is. May be
        called again if it failed, but for FileNotFoundError: then somebody has removed the file."""
        if self._is_torn:
            os.ftruncate(self.descriptor, self.kept)
            os.fsync(self.descriptor)
            self._is_torn = False
        if not self._is_renamed:
            try:
                _rename_or_remove(self.path, self.kept)
            except FileNotFoundError:
                os.close(self.descriptor)
                raise
            self._is_renamed = True
        _sync_folder(self.path.parent)
        os.close(self.descriptor)


def folders(directory: Path) -> list[Path]:
    """The folders of kinds that are in a directory. Raises FolderIsLink, also for a link that leads
    nowhere."""
    found = sorted(path for path in directory.iterdir() if not path.name.startswith("."))
    return [require_own(path) for path in found if not path.is_file()]


def require_own(folder: Path) -> Path:
    """The folder of a kind, or what will be one. Raises FolderIsLink: what a link leads to may be
    anybody's."""
    if folder.is_symlink():
        raise FolderIsLink(errno.ELOOP, "it is a symbolic link", str(folder))
    return folder


def create(folder: Path, number: int) -> OpenFile:
    """A new file in the folder of a kind, which is made if need be. The number tells files of one
    process apart. Raises FolderIsLink."""
    make_folder(require_own(folder))
    now = dt.datetime.now(dt.UTC).strftime("%Y%m%dT%H%M%S.%fZ")
    path = folder / f".{now}-{number:06}.jsonl{_OPEN}"
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND
    descriptor = os.open(path, flags, _FILE_MODE)
    try:
        _sync_folder(folder)
    except OSError:
        os.close(descriptor)
        with contextlib.suppress(OSError):
            path.unlink()
        raise
    return OpenFile(path, descriptor)


def recover(directory: Path) -> list[Path]:
    """Publishes what an earlier process left open in the folders of a directory, and returns the
    paths. A last line without an end was never acknowledged, and is cut off. What this process
    would not have made stays as it is: links, whose target may be anybody's, and folders. Raises
    FolderIsLink."""
    recovered = []
    left = (path for folder in folders(directory) for path in sorted(folder.glob(f".*{_OPEN}")))
    for path in left:
        if not is_sole_name(path.lstat()):
            continue
        with os.fdopen(os.open(path, os.O_RDWR | os.O_NOFOLLOW), "r+b") as stream:
            kept = _whole_lines(stream.fileno())
            stream.truncate(kept)
            os.fsync(stream.fileno())
        published = _rename_or_remove(path, kept)
        _sync_folder(path.parent)
        if kept:
            recovered.append(published)
    return recovered


def is_sole_name(status: os.stat_result) -> bool:
    """True if a status, not followed, is that of a regular file with no other name."""
    return stat.S_ISREG(status.st_mode) and status.st_nlink == 1


def probe(directory: Path) -> None:
    """Writes and removes a file."""
    path = directory / f".probe-{os.getpid()}"
    path.unlink(missing_ok=True)  # of a process that was killed
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _FILE_MODE)
    try:
        os.write(descriptor, b"\n")
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
        path.unlink()


def make_folder(folder: Path) -> None:
    """Makes a folder, and those above it that are missing."""
    if folder.is_dir():
        return
    make_folder(folder.parent)
    folder.mkdir(mode=_FOLDER_MODE, exist_ok=True)
    _sync_folder(folder.parent)


def _whole_lines(descriptor: int) -> int:
    """The bytes of a file up to its last line end."""
    end = os.fstat(descriptor).st_size
    while end:
        start = max(0, end - _BLOCK)
        found = os.pread(descriptor, end - start, start).rfind(b"\n")
        if found >= 0:
            return start + found + 1
        end = start
    return 0


def _rename_or_remove(path: Path, kept: int) -> Path:
    published = path.with_name(path.name.removeprefix(".").removesuffix(_OPEN))
    if kept:
        path.rename(published)
    else:
        path.unlink()
    return published


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
