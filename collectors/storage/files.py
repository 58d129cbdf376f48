"""Files of a table, read from where they are now."""

from __future__ import annotations

import hashlib
import os
import threading
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from stat import S_ISREG
from typing import IO, TYPE_CHECKING, cast

from prunescope.collectors.errors import TableError
from prunescope.collectors.storage.cache import Cache
from prunescope.collectors.storage.clock import Clock
from prunescope.collectors.storage.locations import local_path, shown, storage_root
from prunescope.collectors.storage.places import Places, normal
from prunescope.collectors.storage.unreadable import FileMissing, FileUnreadable, Kind
from prunescope.collectors.storage.vended import Vended

if TYPE_CHECKING:
    from pyiceberg.io import FileIO

LONGEST_LOCATION = 8_192
"""Characters: paths of Linux have 4,096 bytes at most, keys of object stores 1,024. To follow the
links of a path takes the square of its length."""

_STORES = (
    *("s3.endpoint", "s3.proxy-uri", "hdfs.host", "hdfs.port", "gcs.service.host", "hf.endpoint"),
    *("adls.account-name", "adls.account-host", "adls.connection-string"),
    *("adls.blob-storage-authority", "adls.dfs-storage-authority", "py-io-impl"),
)
"""Properties of PyIceberg 0.11's FileIOs that decide which store a location is in."""
_ENDPOINTS = ("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL")
"""Environment variables that clients of S3 read if no property names an endpoint."""

_CREATING = threading.Lock()
"""A cache lets racing threads create several clients, each with connections of its own."""


@dataclass(frozen=True, slots=True)
class Storage:
    """The places of a table's files, and how to open them. Small, and safe to send to executors.

    `path_map` maps location prefixes of the metadata to where the files were moved; the longest
    matching prefix wins. `properties` configure PyIceberg's FileIO (credentials, endpoints) for
    anything that is not a local path. Files are read only in `places`; None is anywhere, for paths
    that no table chooses. `clock` runs while files are read. Decoded content is kept in `cache`, if
    there is one. `vended` has the credentials in force now, if a catalog hands them out with the
    table.
    """

    path_map: tuple[tuple[str, str], ...] = ()
    properties: Mapping[str, str] = field(default_factory=dict, repr=False)
    places: Places | None = None
    clock: Clock = field(default_factory=Clock, repr=False, compare=False)
    cache: Cache | None = None
    vended: Vended | None = field(default=None, repr=False, compare=False)

    def locate(self, location: str) -> str:
        """The location after mapping."""
        if not self.path_map:
            return location
        matching = [pair for pair in self.path_map if location.startswith(pair[0])]
        if not matching:
            return location
        prefix, target = max(matching, key=lambda pair: len(pair[0]))
        return target + location[len(prefix) :]

    def store_of(self, located: str) -> str:
        """A key that tells apart the stores in which a mapped location may be, as far as this
        process knows: the same bucket may be another one at another endpoint. Empty for local
        files, and if only the location tells stores apart."""
        if local_path(located) is not None:
            return ""
        return _fingerprint(tuple(self.properties.get(name) for name in _STORES))

    def may_read(self, location: str) -> bool:
        """True if the location, after mapping, is in an allowed place and not too long for any
        file."""
        located = self.locate(location)
        if len(located) > LONGEST_LOCATION:
            return False
        return self.places is None or self.places.has(located)

    def permitted(self, location: str) -> str:
        """The location after mapping; for a local file the path with all links followed, because
        that path was checked. Raises FileUnreadable if it is in none of the places."""
        located = self.locate(location)
        if len(located) > LONGEST_LOCATION:
            raise FileMissing(located, "its name is too long")
        found = normal(located)
        opened = located if local_path(located) is None else found
        if self.places is not None and not self.places.has_normal(found):
            raise FileUnreadable(opened, Kind.NOT_ALLOWED)
        return opened

    def open(self, location: str) -> IO[bytes]:
        """A seekable stream of the file.

        Raises FileNotFoundError if there is none, OSError if it cannot be read, and TableError
        if no FileIO knows the location's scheme.
        """
        located = self.permitted(location)
        if local_path(located) is not None:
            return _open_regular(located, self.locate(location))
        try:
            file_io = self.file_io(located)
            with _CREATING:
                file = file_io.new_input(located)
            return cast(IO[bytes], file.open())
        except (ValueError, ImportError) as error:
            raise _unopened(located, error) from error

    def file_io(self, located: str) -> FileIO:
        """PyIceberg's FileIO for a mapped location that is not local: one for all files of a
        bucket. Raises TableError if no FileIO knows the location's scheme."""
        properties = self.properties
        if self.vended is not None:
            properties = {**properties, **self.vended.properties()}
        try:
            with _CREATING:
                return _file_io(tuple(sorted(properties.items())), storage_root(located))
        except (ValueError, ImportError) as error:
            raise _unopened(located, error) from error


@lru_cache(maxsize=64)
def _fingerprint(named: tuple[str | None, ...]) -> str:
    """A hash of the named values, empty if there are none: a connection string holds a secret."""
    of_process = [os.environ.get(name) for name in _ENDPOINTS]
    if not any((*named, *of_process)):
        return ""
    return hashlib.sha256(repr((named, of_process)).encode()).hexdigest()[:32]


def _open_regular(path: str, location: str) -> IO[bytes]:
    """Opens regular files only: devices and pipes may never end, and opening them is using them."""
    if not S_ISREG(os.stat(path).st_mode):  # noqa: PTH116  # as with the rest: no Path
        raise FileUnreadable(location, Kind.NOT_A_FILE)
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOFOLLOW)
    if not S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise FileUnreadable(location, Kind.NOT_A_FILE)
    return os.fdopen(descriptor, "rb")


def _unopened(located: str, error: Exception) -> TableError:
    # A client that takes a location for invalid quotes it, and credentials may stand in it.
    said = str(error) if isinstance(error, ImportError) else type(error).__name__
    return TableError(
        f"no FileIO opens {located.partition(':')[0]}:// locations like {shown(located)}: {said}; "
        "install PyIceberg's extra for it, or map the prefix with --path-map"
    )


@lru_cache(maxsize=64)
def _file_io(properties: tuple[tuple[str, str], ...], root: str) -> FileIO:
    """The FileIO of a bucket, made once, with its connections."""
    # Local files need none of it, and it takes a second to import.
    from pyiceberg.io import load_file_io  # noqa: PLC0415

    with warnings.catch_warnings():
        # Of an unknown scheme PyIceberg warns first; the error that follows says it better.
        warnings.simplefilter("ignore", UserWarning)
        return load_file_io(dict(properties), root)
