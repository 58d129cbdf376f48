"""The files under paths, folders and globs, wherever PyIceberg's Arrow FileIO reaches."""

from __future__ import annotations

import glob
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING

from collectors.tables.storage import Storage, local_path

if TYPE_CHECKING:
    from pyarrow.fs import FileSystem

_MAGIC = "*?["


def expand_paths(patterns: Sequence[str], storage: Storage) -> list[str]:
    """The files that paths, folders and glob patterns name, sorted, each once. `*` in a remote
    pattern matches slashes too.

    Hidden files and markers (`.crc`, `_SUCCESS`) are left out of folders. Raises
    FileNotFoundError for a pattern that matches nothing, and what PyArrow raises (OSError) for
    storage that cannot be listed.
    """
    files: dict[str, None] = {}
    for pattern in patterns:
        located = storage.locate(pattern)
        local = local_path(located)
        found = sorted(_local(local) if local is not None else _remote(located, storage))
        if not found:
            raise FileNotFoundError(pattern)
        files.update(dict.fromkeys(found))
    return list(files)


def _local(pattern: str) -> Iterator[str]:
    for match in glob.glob(pattern, recursive=True):  # noqa: PTH207  # any root
        path = Path(match)
        inside = path.rglob("*") if path.is_dir() else [path]
        for file in inside:
            if file.is_file() and (file == path or _is_data(file.name)):
                yield str(file)


def _remote(pattern: str, storage: Storage) -> Iterator[str]:
    from pyiceberg.io.pyarrow import PyArrowFileIO  # noqa: PLC0415

    file_io = PyArrowFileIO(dict(storage.properties))
    scheme, netloc, path = PyArrowFileIO.parse_location(pattern)
    prefix = pattern[: len(pattern) - len(path)] if pattern.endswith(path) else f"{scheme}://"
    filesystem: FileSystem = file_io.fs_by_scheme(scheme, netloc)
    for found in list_files(filesystem, path):
        yield prefix + found


def list_files(filesystem: FileSystem, pattern: str) -> Iterator[str]:
    """The files of a file system that a path, a folder or a pattern names."""
    from pyarrow.fs import FileSelector, FileType  # noqa: PLC0415

    wildcard = min((pattern.find(c) for c in _MAGIC if c in pattern), default=-1)
    if wildcard < 0:
        (info,) = filesystem.get_file_info([pattern])
        if info.type == FileType.File:
            yield info.path
            return
    folder = pattern if wildcard < 0 else pattern[:wildcard].rpartition("/")[0]
    selector = FileSelector(folder.rstrip("/"), allow_not_found=True, recursive=True)
    for info in filesystem.get_file_info(selector):
        is_wanted = wildcard < 0 or fnmatchcase(info.path, pattern)
        if info.type == FileType.File and is_wanted and _is_data(info.base_name):
            yield info.path


def _is_data(name: str) -> bool:
    return not name.startswith((".", "_"))
