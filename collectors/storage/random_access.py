"""Byte ranges of one file, by as few requests as its client allows.

What a range costs on S3, counted by a proxy before a real server (Arrow 26, s3fs 2026.9):

    fsspec      one GET: `cat_file` does not ask for the size
    Arrow       one HEAD per opened file, one GET per range: Python cannot hand over a known size,
                but see `one_request`
    others      whatever the stream of the FileIO does

Who repeats requests: Arrow's S3 client does so twice, within three seconds, and other FileIOs
perhaps never, so `patiently` repeats on top of them: 3 × 3 requests at most for Arrow. fsspec's
clients have loops of their own, for S3 around botocore's (25 requests were counted), and
`patiently` adds nothing to them.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache, partial
from os import SEEK_END
from typing import IO, TYPE_CHECKING, Any, Protocol, TypeVar, cast
from urllib.parse import urlsplit

from prunescope.collectors.storage.credentials import told_credentials
from prunescope.collectors.storage.files import Storage
from prunescope.collectors.storage.locations import local_path
from prunescope.collectors.storage.traffic import count_read
from prunescope.collectors.storage.unreadable import (
    OF_CREDENTIALS,
    FileUnreadable,
    Kind,
    unreadable,
)

if TYPE_CHECKING:
    from pyiceberg.io import FileIO
    from pyiceberg.io.fsspec import FsspecFileIO

_Result = TypeVar("_Result")

ROUNDS = 3
"""The number of times that a file is tried while the storage is busy or the connection breaks."""

FIRST_WAIT = 1.0
LONGEST_WAIT = 20.0
"""Seconds. A wait is drawn between 0 and a bound that doubles each round: tasks that were
throttled together must not return together."""

FILE_SECONDS = 300.0
"""The seconds of one attempt to read a file, or ranges of it, from storage that is not local."""

_CREATING = threading.Lock()


class RandomAccessFile(Protocol):
    """A file whose ranges can be read, by one thread."""

    def read(self, start: int, stop: int) -> bytes:
        """The bytes from `start` to before `stop`; fewer where the file ends earlier."""

    def size(self, believed: int | None = None) -> int:
        """The file's size in bytes; `believed`, if given, where the real one costs a request."""


@dataclass(frozen=True, slots=True)
class _Stream:
    stream: IO[bytes]
    is_remote: bool

    def read(self, start: int, stop: int) -> bytes:
        # A stream may make room for all that is asked for, and corrupt files ask for anything.
        stop = min(stop, self.size())
        if start >= stop:
            return b""
        self.stream.seek(start)
        pieces = []
        while start < stop and (piece := self.stream.read(stop - start)):
            pieces.append(piece)
            start += len(piece)
            count_read(len(piece), int(self.is_remote))
        return b"".join(pieces)

    def size(self, believed: int | None = None) -> int:  # noqa: ARG002  # to open it has told
        # PyIceberg's protocol of a stream has `seek` return nothing.
        self.stream.seek(0, SEEK_END)
        return self.stream.tell()


@dataclass(frozen=True, slots=True)
class _FsspecFile:
    filesystem: Any
    location: str

    def read(self, start: int, stop: int) -> bytes:
        found: bytes = self.filesystem.cat_file(self.location, start=start, end=stop)
        count_read(len(found), 1)
        return found

    def size(self, believed: int | None = None) -> int:
        if believed is not None:
            return believed
        count_read(0, 1)
        return int(self.filesystem.size(self.location))


def read_whole(storage: Storage, path: str, limit: int) -> bytes:
    """A file of no more than so many bytes. Raises FileUnreadable or TableTooSlow, and nothing
    else."""

    def read() -> bytes:
        with opened(storage, path) as file:
            size = file.size()
            if size > limit:
                raise FileUnreadable(path, Kind.TOO_LARGE)
            content = file.read(0, size) if size else b""
            if len(content) < size:
                raise FileUnreadable(path, Kind.SHORT)
            return content

    return patiently(storage, path, read)


@contextmanager
def opened(storage: Storage, path: str) -> Iterator[RandomAccessFile]:
    """A file whose ranges can be read. Raises what its client raises."""
    filesystem = fsspec_filesystem(storage, path)
    if filesystem is not None:
        yield _FsspecFile(filesystem, storage.permitted(path))
        return
    is_remote = not is_local(storage, path)
    with storage.open(path) as stream:
        count_read(0, int(is_remote))  # to open it asks for its size
        yield _Stream(stream, is_remote)


def patiently(storage: Storage, path: str, read: Callable[[], _Result]) -> _Result:
    """Calls `read`, again with exponential back-off after transient failures, unless the file's
    client has done so. Raises FileUnreadable, or TableTooSlow if the storage's clock has run out,
    and nothing else."""
    with storage.clock.running():
        return _patiently(storage, path, read)


def _patiently(storage: Storage, path: str, read: Callable[[], _Result]) -> _Result:
    def attempt() -> _Result:
        storage.clock.check()
        try:
            # A thread of its own takes longer than most local files do.
            return within(_seconds(storage), read, path) if is_remote else read()
        except Exception as error:  # noqa: BLE001  # clients raise many kinds
            storage.clock.check()
            raise unreadable(path, error, told_credentials(storage, path)) from None

    is_remote = not is_local(storage, path)
    if not is_remote:
        return attempt()
    # Imports asyncio, which a run over local files need not wait for.
    from tenacity import (  # noqa: PLC0415
        Retrying,
        retry_if_exception,
        stop_after_attempt,
        wait_random_exponential,
    )

    rounds = Retrying(
        retry=retry_if_exception(lambda error: _repeats(storage, path, error)),
        stop=stop_after_attempt(ROUNDS),
        wait=wait_random_exponential(multiplier=FIRST_WAIT, max=LONGEST_WAIT),
        reraise=True,
    )
    return rounds(partial(_with_others, storage, path, attempt))


def _with_others(storage: Storage, path: str, attempt: Callable[[], _Result]) -> _Result:
    """Makes an attempt, and a second one with other credentials if those that a catalog handed out
    with the table are refused. Raises what the attempt raises."""
    vended = storage.vended
    if vended is None:
        return attempt()
    used = vended.properties()
    try:
        return attempt()
    except FileUnreadable as error:
        if error.kind not in OF_CREDENTIALS:
            raise
        if not vended.renew(used):
            kind = Kind.EXPIRED if vended.have_expired else error.kind
            raise FileUnreadable(path, kind, error.said, error.credentials) from None
    return attempt()


def _seconds(storage: Storage) -> float:
    return min(FILE_SECONDS, storage.clock.left)


def within(seconds: float, read: Callable[[], _Result], path: str) -> _Result:
    """Calls `read` with a time limit in seconds. Raises what `read` raises, or FileUnreadable when
    the time is up. Clients limit the wait for each byte only, and cannot be interrupted: a thread
    that is still waiting is left behind."""
    done: Future[_Result] = Future()

    def run() -> None:
        try:
            done.set_result(read())
        except BaseException as error:  # noqa: BLE001  # raised where the result is awaited
            done.set_exception(error)

    threading.Thread(target=run, name="reading", daemon=True).start()
    try:
        return done.result(seconds)
    except TimeoutError:
        if done.done():
            raise
        raise FileUnreadable(path, Kind.TOO_SLOW) from None


def _repeats(storage: Storage, path: str, error: BaseException) -> bool:
    transient = isinstance(error, FileUnreadable) and error.kind in (Kind.TRANSIENT, Kind.THROTTLED)
    return transient and fsspec_filesystem(storage, path) is None


def arrow_s3(storage: Storage, path: str) -> tuple[Any, str] | None:
    """Arrow's S3 filesystem, and the path in it, of a file that PyIceberg would read through
    that; else None. Raises TableError if no FileIO knows the location's scheme."""
    if is_local(storage, path):
        return None
    located = storage.permitted(path)
    from pyiceberg.io.pyarrow import PyArrowFileIO  # noqa: PLC0415  # slow to import

    file_io = storage.file_io(located)
    if not _opens_like(file_io, PyArrowFileIO):
        return None
    scheme, host, in_filesystem = PyArrowFileIO.parse_location(located, file_io.properties)
    with _CREATING:
        filesystem = cast(PyArrowFileIO, file_io).fs_by_scheme(scheme, host)
    return (filesystem, in_filesystem) if filesystem.type_name == "s3" else None


def fsspec_filesystem(storage: Storage, path: str) -> Any:
    """fsspec's filesystem of a file that PyIceberg would read through that, else None."""
    if is_local(storage, path):
        return None
    located = storage.permitted(path)
    from pyiceberg.io.fsspec import FsspecFileIO  # noqa: PLC0415  # slow to import

    file_io = storage.file_io(located)
    if not _opens_like(file_io, FsspecFileIO):
        return None
    parts = urlsplit(located)
    with _CREATING:
        return _shared_filesystem(cast(FsspecFileIO, file_io), parts.scheme, parts.hostname)


def is_local(storage: Storage, path: str) -> bool:
    """True if a file is local, whether or not it may be read: checking that follows links, which
    takes as long as reading one."""
    return local_path(storage.locate(path)) is not None


def _opens_like(file_io: FileIO, kind: type[FileIO]) -> bool:
    # A subclass may open files in a way of its own.
    return getattr(type(file_io), "new_input", None) is kind.new_input


@lru_cache(maxsize=64)
def _shared_filesystem(file_io: FsspecFileIO, scheme: str, host: str | None) -> Any:
    """A filesystem that all threads share. PyIceberg makes one per thread, each with connections of
    its own; but fsspec's clients run on one event loop, whichever thread calls."""
    return file_io.get_fs(scheme, host)
