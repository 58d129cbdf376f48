"""Places in which the files of a table may be: whoever writes its metadata must not choose the
files that are read."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from prunescope.collectors.storage.locations import is_place, local_path, normal_scheme

_UNSEEN = str.maketrans("", "", "\t\n\r")
"""Python's parsers of addresses, through which clients get a location, leave these out."""


@dataclass(frozen=True, slots=True)
class Places:
    """Prefixes of locations: folders, buckets, servers, or schemes (`s3://`)."""

    prefixes: tuple[str, ...]

    @classmethod
    def of(cls, locations: Iterable[str]) -> Places:
        """The places that locations name."""
        return cls(tuple(dict.fromkeys(normal(location) for location in locations)))

    def has(self, location: str) -> bool:
        """True if a location is in one of the places after all links are followed."""
        return self.has_normal(normal(location))

    def has_normal(self, normal: str) -> bool:
        """True if a normal location is in one of the places."""
        if ".." in normal.split("/"):
            return False
        return any(
            normal == prefix or normal.startswith(prefix if prefix[-1] == "/" else f"{prefix}/")
            for prefix in self.prefixes
        )


def normal(location: str) -> str:
    """A location in the one form by which files are told apart: for a local one the path, with all
    links followed."""
    local = local_path(location)
    if local is not None:
        # A mapping of all files names none.
        try:
            return _real(local or "/")
        except ValueError:
            return local  # with a NUL in it, say: no file has it
    seen = location.translate(_UNSEEN)
    scheme, rest = normal_scheme(seen), seen.partition(":")[2]
    if rest.strip("/") == "":
        return f"{scheme}://"
    return f"{scheme}:{rest.rstrip('/')}"


def _real(path: str) -> str:
    """The path with all links followed. Linux tells it of an open file, even if only its name was
    opened, in a third of the time that looking at each part of the path takes."""
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
    properties: Mapping[str, Any],
    answered: Iterable[str],
    allowed: Iterable[str],
    path_map: tuple[tuple[str, str], ...],
) -> Places:
    """Places for the files of a table: the catalog's warehouse; places that the catalog itself
    `answered` for the table, unless they are local; places that the configuration allows; and the
    targets of mapped paths. Nothing that the table's metadata says is a place."""
    warehouse = str(properties.get("warehouse", ""))
    named = [warehouse] if is_place(warehouse) else []
    named += [place for place in answered if is_place(place) and local_path(place) is None]
    return Places.of([*named, *allowed, *(target for _, target in path_map)])


def of_metadata_file(
    location: str, allowed: Iterable[str], path_map: tuple[tuple[str, str], ...]
) -> Places:
    """The folder of a table whose metadata file somebody named, and the places allowed besides."""
    local = local_path(location)
    named = above_metadata(location if local is None else os.path.realpath(local))
    return Places.of([named, *allowed, *(target for _, target in path_map)])


def above_metadata(location: str) -> str:
    """The folder of a table by its metadata file: the one above `metadata`, else the file's own."""
    folder = location.rpartition("/")[0]
    return folder.removesuffix("/metadata") or "/"
