"""Lines kept in files: an append that has returned survives a crash.

A directory has a folder per kind of line. One thread writes; appends of many callers share one
fsync. Files are rolled by size, by age, and at the end.
"""

from __future__ import annotations

import fcntl
import logging
import os
import queue
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from prunescope.audit_jobs.errors import BadConfiguration
from prunescope.audit_jobs.receiver import spool_files
from prunescope.audit_jobs.receiver.spool_files import FolderIsLink, OpenFile
from prunescope.collectors.errors import what_failed

_MAX_BATCH = 1_000
_RETRY_SECONDS = 1.0
_LOCK = ".lock"

_log = logging.getLogger(__name__)


class SpoolFailed(Exception):
    """A line could not be written; it is not kept."""


@dataclass(frozen=True, slots=True)
class Rolling:
    """The size in bytes and the age in seconds at which a file is finished."""

    size: int = 64 << 20
    age: float = 300.0


@dataclass(frozen=True, slots=True)
class Observer:
    """Observer of the spool, for metrics: seconds of a commit, the kind of a finished file, a
    failure of the disk."""

    committed: Callable[[float], None] = lambda _seconds: None
    rolled: Callable[[str], None] = lambda _kind: None
    failed: Callable[[], None] = lambda: None


@dataclass(slots=True)
class _Line:
    kind: str
    data: bytes
    kept: Future[None] = field(default_factory=Future)


class Spool:
    """The files of one directory. One process at a time; `append` may be called from any thread,
    and bounds nothing: callers do.

    Raises BadConfiguration if the directory cannot be used, or is used by another process. What
    an earlier process left open is recovered first.

    While the disk fails, every append fails, nothing that was kept is lost, and writing is tried
    again every second; so health returns by itself.
    """

    def __init__(
        self, directory: Path, rolling: Rolling | None = None, observer: Observer | None = None
    ) -> None:
        self._directory = directory
        self._rolling = rolling or Rolling()
        self._observer = observer or Observer()
        self._files: dict[str, OpenFile] = {}
        self._finished: list[tuple[str, OpenFile]] = []
        self._number = 0
        self._lines: queue.SimpleQueue[_Line | None] = queue.SimpleQueue()
        self._is_healthy = True
        self._lock = _locked(directory)
        try:
            recovered = spool_files.recover(directory)
        except FolderIsLink as error:
            self._lock.close()
            raise BadConfiguration(
                f"{error.filename} is a symbolic link, which is not followed; remove it, or "
                "receive into the directory that has the folder"
            ) from error
        except OSError as error:
            self._lock.close()
            raise _unusable(directory, error) from error
        for path in recovered:
            _log.info("recovered a file", extra={"fields": {"file": str(path)}})
        self._writer = threading.Thread(target=self._run, name="spool", daemon=True)
        self._writer.start()

    @property
    def is_alive(self) -> bool:
        """True if anything is written at all; if not, only a new process helps."""
        return self._writer.is_alive()

    @property
    def is_healthy(self) -> bool:
        """True if the last write succeeded."""
        return self._is_healthy and self.is_alive

    def append(self, kind: str, line: bytes) -> Future[None]:
        """Adds a line (without its end) to the files of a kind. The future, which cannot be
        cancelled, is done once the line is durable, or has failed with SpoolFailed. Raises
        SpoolFailed if nothing is written any more."""
        if not self.is_alive:
            raise SpoolFailed
        entry = _Line(kind, line + b"\n")
        entry.kept.set_running_or_notify_cancel()
        self._lines.put(entry)
        return entry.kept

    def close(self) -> None:
        """Writes the waiting lines, and finishes all files."""
        self._lines.put(None)
        self._writer.join()
        self._lock.close()

    def _run(self) -> None:
        has_ended = False
        while not has_ended:
            batch = self._batch()
            has_ended = None in batch
            lines = [line for line in batch if line is not None]
            if lines:
                self._commit(lines)
            elif not self._is_healthy:
                self._probe()
            self._roll(everything=has_ended)
            self._publish()

    def _batch(self) -> list[_Line | None]:
        """The waiting lines; none if another task is due before a line comes."""
        due = [file.opened + self._rolling.age for file in self._files.values()]
        if self._finished or not self._is_healthy:
            due.append(time.monotonic() + _RETRY_SECONDS)
        timeout = max(0.0, min(due) - time.monotonic()) if due else None
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
            except (OSError, MemoryError) as error:
                self._failed(error)
                for line in of_kind:
                    line.kept.set_exception(SpoolFailed())
            else:
                self._succeeded()
                for line in of_kind:
                    line.kept.set_result(None)
        self._observer.committed(time.monotonic() - started)

    def _write(self, kind: str, data: bytes) -> None:
        file = self._files.get(kind)
        if file is None:
            self._number += 1
            file = spool_files.create(self._directory / kind, self._number)
            self._files[kind] = file
        try:
            file.append(data)
        except OSError:
            # What the kernel has of this file after a failed fsync is not known: none is added.
            self._finished.append((kind, self._files.pop(kind)))
            raise

    def _probe(self) -> None:
        try:
            spool_files.probe(self._directory)
        except OSError as error:
            self._failed(error)
        else:
            self._succeeded()

    def _roll(self, *, everything: bool) -> None:
        now = time.monotonic()
        for kind, file in list(self._files.items()):
            is_old = now - file.opened >= self._rolling.age
            if everything or is_old or file.kept >= self._rolling.size:
                self._finished.append((kind, self._files.pop(kind)))

    def _publish(self) -> None:
        waiting, self._finished = self._finished, []
        for kind, file in waiting:
            try:
                file.publish()
            except FileNotFoundError:
                # Trying again would not bring it back.
                fields = {"file": str(file.path)}
                _log.error("a file was removed while it was written", extra={"fields": fields})
            except OSError as error:
                self._failed(error)
                self._finished.append((kind, file))
            else:
                if file.kept:
                    self._observer.rolled(kind)

    def _failed(self, error: Exception) -> None:
        self._observer.failed()
        if self._is_healthy:
            told = {name: getattr(error, name, None) for name in ("errno", "filename")}
            fields = {"error": type(error).__name__, **told}
            _log.error("the disk fails; nothing is accepted", extra={"fields": fields})
        self._is_healthy = False

    def _succeeded(self) -> None:
        if not self._is_healthy:
            _log.info("the disk works again")
        self._is_healthy = True


def _locked(directory: Path) -> IO[bytes]:
    try:
        spool_files.make_folder(directory)
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW
        lock = os.fdopen(os.open(directory / _LOCK, flags, 0o640), "ab")
    except OSError as error:
        raise _unusable(directory, error) from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        lock.close()
        raise BadConfiguration(
            f"another process receives into {directory}; give each its own directory"
        ) from error
    return lock


def _unusable(directory: Path, error: OSError) -> BadConfiguration:
    return BadConfiguration(
        f"{directory} cannot be written ({what_failed(error)}); choose a directory of this user"
    )
