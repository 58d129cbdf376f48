"""Lines kept in files: an append that has returned survives a crash.

A directory has a folder per kind of line. The file being written is hidden (`.….jsonl.open`), so
that nobody reads it; it is renamed when it is rolled: by size, by age, and at the end. Appends of
many callers share one fsync.
"""

from __future__ import annotations

import datetime as dt
import fcntl
import os
import queue
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from audit_jobs.errors import BadConfiguration

_OPEN = ".open"
_MAX_BATCH = 1_000
_LOCK = ".lock"


class SpoolFull(Exception):
    """More is waiting to be written than the spool holds."""


class SpoolFailed(Exception):
    """A line could not be written; it is not kept."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Bytes that may wait to be written, and the size in bytes and age in seconds at which a file
    is rolled."""

    waiting: int = 64 << 20
    roll_bytes: int = 64 << 20
    roll_seconds: float = 300.0


@dataclass(slots=True)
class Observer:
    """Told what the spool does, for metrics."""

    committed: Callable[[float], None] = lambda _seconds: None
    rolled: Callable[[str], None] = lambda _kind: None
    failed: Callable[[], None] = lambda: None


@dataclass(slots=True)
class _File:
    """A file being written; `kept` bytes of it are durable."""

    path: Path
    stream: IO[bytes]
    opened: float
    kept: int = 0


@dataclass(slots=True)
class _Line:
    kind: str
    data: bytes
    kept: Future[None] = field(default_factory=Future)


class Spool:
    """The files of one directory. One process at a time; `append` may be called from any thread.

    Raises BadConfiguration if the directory cannot be used, or is used by another process. What
    an earlier process left open is recovered first: its last line, if torn, was never
    acknowledged, and is cut off.
    """

    def __init__(
        self, directory: Path, limits: Limits | None = None, observer: Observer | None = None
    ) -> None:
        self._directory = directory
        self._limits = limits or Limits()
        self._observer = observer or Observer()
        self._files: dict[str, _File] = {}
        self._number = 0
        self._waiting = 0
        self._guard = threading.Lock()
        self._lines: queue.SimpleQueue[_Line | None] = queue.SimpleQueue()
        self._is_healthy = True
        self._lock = self._locked()
        self._recover()
        self._writer = threading.Thread(target=self._run, name="spool", daemon=True)
        self._writer.start()

    @property
    def waiting(self) -> int:
        """Bytes that wait to be written."""
        return self._waiting

    @property
    def is_ready(self) -> bool:
        """Whether the last write succeeded, and there is room for more."""
        return self._is_healthy and self._waiting < self._limits.waiting

    def append(self, kind: str, line: bytes) -> Future[None]:
        """Adds a line (without its end) to the files of a kind. The future is done once the line
        is durable, or has failed with SpoolFailed. Raises SpoolFull."""
        entry = _Line(kind, line + b"\n")
        with self._guard:
            if self._waiting + len(entry.data) > self._limits.waiting:
                raise SpoolFull
            self._waiting += len(entry.data)
        self._lines.put(entry)
        return entry.kept

    def close(self) -> None:
        """Writes what waits, and rolls all files."""
        self._lines.put(None)
        self._writer.join()
        self._lock.close()

    def _locked(self) -> IO[bytes]:
        try:
            self._directory.mkdir(parents=True, exist_ok=True)
            lock = (self._directory / _LOCK).open("ab")
        except OSError as error:
            raise BadConfiguration(
                f"{self._directory} cannot be written ({type(error).__name__}); choose a "
                "directory of this user"
            ) from error
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            lock.close()
            raise BadConfiguration(
                f"another process receives into {self._directory}; give each its own directory"
            ) from error
        return lock

    def _recover(self) -> None:
        for path in sorted(self._directory.glob(f"*/.*{_OPEN}")):
            content = path.read_bytes()
            whole = content[: content.rfind(b"\n") + 1]
            with path.open("r+b") as stream:
                stream.truncate(len(whole))
                os.fsync(stream.fileno())
            if whole:
                self._publish(path)
            else:
                path.unlink()

    def _run(self) -> None:
        ended = False
        while not ended:
            batch = self._batch()
            ended = None in batch
            lines = [line for line in batch if line is not None]
            if lines:
                self._commit(lines)
            self._roll(everything=ended)

    def _batch(self) -> list[_Line | None]:
        """What waits, at least one line, unless a file has to be rolled before one comes."""
        oldest = min((file.opened for file in self._files.values()), default=None)
        timeout = None
        if oldest is not None:
            timeout = max(0.0, oldest + self._limits.roll_seconds - time.monotonic())
        found: list[_Line | None] = []
        try:
            found.append(self._lines.get(timeout=timeout))
            while len(found) < _MAX_BATCH:
                found.append(self._lines.get_nowait())
        except queue.Empty:
            pass
        return found

    def _commit(self, lines: list[_Line]) -> None:
        started = time.monotonic()
        by_kind: dict[str, list[_Line]] = {}
        for line in lines:
            by_kind.setdefault(line.kind, []).append(line)
        for kind, of_kind in by_kind.items():
            try:
                self._write(kind, b"".join(line.data for line in of_kind))
            except OSError:
                self._is_healthy = False
                self._observer.failed()
                self._abandon(kind)
                for line in of_kind:
                    line.kept.set_exception(SpoolFailed())
            else:
                self._is_healthy = True
                for line in of_kind:
                    line.kept.set_result(None)
        with self._guard:
            self._waiting -= sum(len(line.data) for line in lines)
        self._observer.committed(time.monotonic() - started)

    def _write(self, kind: str, data: bytes) -> None:
        file = self._files.get(kind)
        if file is None:
            file = self._files[kind] = self._opened(kind)
        unwritten = memoryview(data)
        while unwritten:
            unwritten = unwritten[os.write(file.stream.fileno(), unwritten) :]
        os.fsync(file.stream.fileno())
        file.kept += len(data)

    def _opened(self, kind: str) -> _File:
        folder = self._directory / kind
        folder.mkdir(exist_ok=True)
        self._number += 1
        now = dt.datetime.now(dt.UTC).strftime("%Y%m%dT%H%M%S.%fZ")
        path = folder / f".{now}-{self._number:06}.jsonl{_OPEN}"
        stream = path.open("xb", buffering=0)
        _sync_folder(folder)
        _sync_folder(self._directory)
        return _File(path, stream, time.monotonic())

    def _abandon(self, kind: str) -> None:
        """Cuts a file back to what is durable, and rolls it; its disk may refuse even that."""
        file = self._files.pop(kind, None)
        if file is None:
            return
        try:
            os.ftruncate(file.stream.fileno(), file.kept)
            file.stream.close()
            if file.kept:
                self._publish(file.path)
            else:
                file.path.unlink()
        except OSError:
            self._observer.failed()

    def _roll(self, *, everything: bool) -> None:
        now = time.monotonic()
        for kind, file in list(self._files.items()):
            is_old = now - file.opened >= self._limits.roll_seconds
            if everything or is_old or file.kept >= self._limits.roll_bytes:
                del self._files[kind]
                file.stream.close()
                try:
                    self._publish(file.path)
                except OSError:
                    self._is_healthy = False
                    self._observer.failed()
                else:
                    self._observer.rolled(kind)

    def _publish(self, path: Path) -> None:
        path.rename(path.with_name(path.name.removeprefix(".").removesuffix(_OPEN)))
        _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    """Makes the names in a folder durable."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
