"""The files under paths, folders and globs, wherever PyIceberg's Arrow FileIO reaches."""

from __future__ import annotations

import glob
from collections.abc import Iterator, Sequence
from contextlib import suppress
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING

from prunescope.collectors.storage.files import Storage
from prunescope.collectors.storage.locations import local_path
from prunescope.collectors.storage.unreadable import FileUnreadable, Kind

if TYPE_CHECKING:
    from pyarrow.fs import FileSystem

_WILDCARDS = "*?["


def expand_paths(patterns: Sequence[str], storage: Storage) -> dict[str, int]:
    """The files that paths, folders and glob patterns name, sorted, each once, with their sizes in
    bytes. `*` in a remote pattern matches slashes too.

    Hidden files and markers (`.crc`, `_SUCCESS`) are left out of folders. Raises
    FileNotFoundError for a pattern that matches nothing, and what PyArrow raises (OSError) for
    storage that cannot be listed.
    """
    files: dict[str, int] = {}
    for pattern in patterns:
        located = storage.locate(pattern)
        local = local_path(located)
        found = sorted(_local(local) if local is not None else list_remote(located, storage))
        if not found:
            raise FileNotFoundError(pattern)
        files.update(found)
    return files


def _local(pattern: str) -> Iterator[tuple[str, int]]:
    for match in glob.glob(pattern, recursive=True):  # noqa: PTH207  # any root
        path = Path(match)
        inside = path.rglob("*") if path.is_dir() else [path]
        for file in inside:
            if file.is_file() and (file == path or _is_data(file.name)):
                yield str(file), _size(file)


def _size(file: Path) -> int:
    # One that is gone by now is found to be missing when it is read.
    with suppress(OSError):
        return file.stat().st_size
    return 0


def list_remote(pattern: str, storage: Storage) -> Iterator[tuple[str, int]]:
    """The files of a location with a scheme, or of a pattern of such, with their sizes; raises as
    `expand_paths`."""
    from pyiceberg.io.pyarrow import PyArrowFileIO  # noqa: PLC0415

    # Only the folder is a URI: `?` and `[` have a meaning of their own in one.
    wildcard = _first_wildcard(pattern)
    root = pattern if wildcard is None else pattern[: pattern.rfind("/", 0, wildcard) + 1]
    scheme, netloc, path = PyArrowFileIO.parse_location(root)
    try:
        filesystem = PyArrowFileIO(dict(storage.properties)).fs_by_scheme(scheme, netloc)
    except (TypeError, ValueError) as error:  # Azure's without an account; an unknown scheme
        raise FileUnreadable(pattern, Kind.UNKNOWN_PLACE) from error
    for found, size in list_files(filesystem, path + pattern[len(root) :]):
        yield root.removesuffix(path) + found, size


def list_files(filesystem: FileSystem, pattern: str) -> Iterator[tuple[str, int]]:
    """The files of a file system that a path, a folder or a pattern names, with their sizes."""
    from pyarrow.fs import FileSelector, FileType  # noqa: PLC0415

    wildcard = _first_wildcard(pattern)
    if wildcard is None:
        (info,) = filesystem.get_file_info([pattern])
        if info.type == FileType.File:
            yield info.path, info.size or 0
            return
    folder = pattern if wildcard is None else pattern[:wildcard].rpartition("/")[0]
    selector = FileSelector(folder.rstrip("/"), allow_not_found=True, recursive=True)
    for info in filesystem.get_file_info(selector):
        is_wanted = wildcard is None or fnmatchcase(info.path, pattern)
        if info.type == FileType.File and is_wanted and _is_data(info.base_name):
            yield info.path, info.size or 0


def _first_wildcard(pattern: str) -> int | None:
    return min((pattern.find(c) for c in _WILDCARDS if c in pattern), default=None)


def _is_data(name: str) -> bool:
    return not name.startswith((".", "_"))
