"""Where the files of a table may be: whoever writes its metadata must not choose what is read."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from collectors.storage.locations import local_path, storage_root

_SAME = {"s3a": "s3", "s3n": "s3", "gcs": "gs", "abfss": "abfs", "wasb": "abfs", "wasbs": "abfs"}
"""Schemes by which the same files are known."""

_STORES = {"s3", "gs", "oss", "abfs"}
"""Schemes whose locations name a bucket of the service that the catalog's properties choose; in
those of others (hdfs, viewfs) stands the server to ask."""

_WRITE_PATHS = ("write.data.path", "write.metadata.path", "write.object-storage.path")


@dataclass(frozen=True, slots=True)
class Places:
    """Prefixes of locations: folders, buckets, servers, or schemes (`s3://`)."""

    prefixes: tuple[str, ...]

    @classmethod
    def of(cls, locations: Iterable[str]) -> Places:
        """The places that locations name."""
        return cls(tuple(dict.fromkeys(normal(location) for location in locations)))

    def has(self, location: str) -> bool:
        """Whether a location is in one of the places, wherever links lead to."""
        return self.has_normal(normal(location))

    def has_normal(self, normal: str) -> bool:
        """The same of a location that is normal."""
        if ".." in normal.split("/"):
            return False
        return any(
            normal == prefix or normal.startswith(prefix if prefix[-1] == "/" else f"{prefix}/")
            for prefix in self.prefixes
        )


def normal(location: str) -> str:
    """A location by which files are told apart: of a local one the path, with all links
    followed."""
    local = local_path(location)
    if local is not None:
        # A mapping of all files names none.
        try:
            return _real(local or "/")
        except ValueError:
            return local  # with a NUL in it, say: no file has it
    scheme, _, rest = location.partition(":")
    scheme = _SAME.get(scheme.lower(), scheme.lower())
    if rest.strip("/") == "":
        return f"{scheme}://"
    return f"{scheme}:{rest.rstrip('/')}"


def _real(path: str) -> str:
    """The path with all links followed: Linux tells it of what is open, even if only to be named,
    in a third of the time in which each part of it can be looked at."""
    try:
        opened = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except (OSError, AttributeError):
        return os.path.realpath(path)
    try:
        found = os.readlink(f"/proc/self/fd/{opened}")  # noqa: PTH115  # as with the rest: no Path
    except OSError:
        return os.path.realpath(path)
    finally:
        os.close(opened)
    # What has no name, such as a pipe, is told otherwise.
    return found if found.startswith("/") else os.path.realpath(path)


def of_catalog(
    properties: Mapping[str, Any], metadata_location: str, path_map: tuple[tuple[str, str], ...]
) -> Places:
    """What a catalog implies: its warehouse, and the bucket or server of a metadata file, unless
    that is local, as the owner of a table may have chosen it; and whatever paths are mapped to."""
    warehouse = str(properties.get("warehouse", ""))
    named = [_root(warehouse)] if ":" in warehouse or warehouse.startswith("/") else []
    if local_path(metadata_location) is None:
        named.append(_root(metadata_location))
    return Places.of([*named, *(target for _, target in path_map)])


def of_metadata_file(location: str, path_map: tuple[tuple[str, str], ...]) -> Places:
    """What a metadata file implies that somebody named: the table's folder, or the bucket."""
    named = _root(location)
    local = local_path(location)
    if local is not None:
        folder = os.path.dirname(os.path.realpath(local))  # noqa: PTH120
        named = os.path.dirname(folder) if folder.endswith("/metadata") else folder  # noqa: PTH120
    return Places.of([named, *(target for _, target in path_map)])


def of_table(places: Places, location: str, properties: Mapping[str, str]) -> Places:
    """The places, and the buckets that a table names as its own: never local files, and never
    another server."""
    said = (location, *(properties.get(name, "") for name in _WRITE_PATHS))
    buckets = [_root(path) for path in said if _is_store(path)]
    return Places.of([*places.prefixes, *buckets])


def _is_store(location: str) -> bool:
    scheme = location.partition(":")[0].lower()
    return _SAME.get(scheme, scheme) in _STORES and not storage_root(location).endswith("://")


def _root(location: str) -> str:
    """The bucket or server of a location; of a local one, the folder itself."""
    return location if local_path(location) is not None else storage_root(location)
