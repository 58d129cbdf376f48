"""Manifests: their live entries, as arrays."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, ParamSpec, TypeVar

from collectors.errors import UnreadableMetadata
from collectors.storage import limits
from collectors.storage.files import Storage
from collectors.storage.in_flight import concurrently
from collectors.storage.kept import Place, fetch, place_of
from collectors.storage.one_request import read_by_one_request
from collectors.storage.sources import is_local, read_whole
from collectors.storage.unreadable import FileMissing, FileUnreadable, table_error
from collectors.tables import kept_entries
from collectors.tables.entries import (
    Entries,
)
from collectors.tables.entry_readers import read_entries
from collectors.tables.manifest_list import Manifest

P = ParamSpec("P")
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class ManifestEntries:
    """The live entries of one manifest, in order; whether they were read one by one though they
    are many; and whether they were kept from an earlier run, so that nothing was read."""

    path: str
    parts: Sequence[Entries]
    one_by_one: bool = False
    from_cache: bool = False

    def __len__(self) -> int:
        return sum(map(len, self.parts))

    def partitions(self) -> list[dict[int, Any]]:
        """The partition tuple of every entry, as field id to value."""
        found: list[dict[int, Any]] = []
        for part in self.parts:
            fields = [values.to_pylist() for values in part.partition.values()]
            tuples = zip(*fields, strict=True) if fields else [()] * len(part)
            found += [dict(zip(part.partition, values, strict=True)) for values in tuples]
        return found


def read_manifest(
    path: str,
    storage: Storage,
    *,
    columns: Collection[int] | None,
    sequence_number: int | None = None,
    length: int = 0,
    live_files: int | None = None,
) -> ManifestEntries:
    """The live entries of a manifest (added and existing ones).

    `columns` are those of which metrics are wanted, None all. They are most of a manifest, and
    skipped where none is wanted; of what is in the cache, others are not looked at.
    `sequence_number` is the manifest's own, which added entries inherit. `length` in bytes and
    `live_files` are what its list says: a file that was cut between two blocks is an Avro file too,
    and there are tables whose list is wrong in one of them, so what falls short of both is taken
    for cut. Raises UnreadableMetadata if the manifest is missing, truncated or no Avro file, and
    TableTooSlow.
    """
    listed = Manifest(path, length, 0, False, live_files, None, None, sequence_number)
    (read,) = read_manifests([listed], storage, columns=columns)
    return read()


def read_manifests(
    listed: Sequence[Manifest], storage: Storage, *, columns: Collection[int] | None
) -> Iterator[Callable[[], ManifestEntries]]:
    """For each manifest, in order, a function that returns or raises what `read_manifest` does.
    The bytes of many are read at once, ahead of those that are decoded."""
    places = [_place(one, storage) for one in listed]
    fetch(places)
    pairs = list(zip(listed, places, strict=True))
    contents = concurrently(
        partial(_bytes_of, storage),
        pairs,
        size=lambda pair: pair[0].length,
        is_near=lambda pair: is_local(storage, pair[0].path),
    )
    for (one, place), content in zip(pairs, contents, strict=True):
        yield partial(_entries, one, storage, columns, place, content)


def is_kept(listed: Manifest, storage: Storage) -> bool:
    """Whether this machine has kept what is in a manifest, whole or not."""
    place = _place(listed, storage)
    return place is not None and place.cache.has(place.key)


@dataclass(frozen=True, slots=True)
class _Content:
    """The bytes of a manifest, or what is kept of it; `is_sure` that they are all of it."""

    data: bytes
    is_kept: bool = False
    is_sure: bool = True


def _place(listed: Manifest, storage: Storage) -> Place | None:
    try:
        return place_of(storage, listed.path, listed.length, kept_entries.DECODER)
    except ValueError:  # no file can have this name, as reading it will tell
        return None


def _bytes_of(storage: Storage, pair: tuple[Manifest, Place | None]) -> _Content | BaseException:
    listed, place = pair
    try:
        kept = None if place is None else place.get()
        if kept is not None:
            return _Content(kept, is_kept=True)
        if listed.live_files is not None:
            found = _read(listed, read_by_one_request, storage, listed.path, listed.length)
            if found is not None:
                return _Content(found, is_sure=False)
        return _Content(_read(listed, read_whole, storage, listed.path, limits.MANIFEST))
    except BaseException as error:  # noqa: BLE001  # raised where it is of this manifest alone
        return error


def _read(listed: Manifest, read: Callable[P, Result], *args: P.args, **kwargs: P.kwargs) -> Result:
    """What is read of a manifest's file. Raises TableError."""
    try:
        return read(*args, **kwargs)
    except FileMissing as error:
        raise UnreadableMetadata(
            f"manifest {listed.path} does not exist; was its snapshot expired, or the table moved "
            "(--path-map FROM=TO)?"
        ) from error
    except FileUnreadable as error:
        raise table_error("a manifest", error) from error


def _entries(
    listed: Manifest,
    storage: Storage,
    columns: Collection[int] | None,
    place: Place | None,
    content: _Content | BaseException,
) -> ManifestEntries:
    if isinstance(content, BaseException):
        raise content
    if content.is_kept:
        assert place is not None
        known = _kept(listed, place, content.data, columns)
        if known is not None:
            return known
    elif content.is_sure:
        return _decoded(listed, storage, columns, place, content.data)
    else:
        # The file may have another size than its list says: then it is read after all.
        with suppress(UnreadableMetadata):
            return _decoded(listed, storage, columns, place, content.data, is_sure=False)
    data = _read(listed, read_whole, storage, listed.path, limits.MANIFEST)
    return _decoded(listed, storage, columns, place, data)


def _decoded(
    listed: Manifest,
    storage: Storage,
    columns: Collection[int] | None,
    place: Place | None,
    data: bytes,
    *,
    is_sure: bool = True,
) -> ManifestEntries:
    with_metrics = columns is None or bool(columns)
    is_kept = place is not None and with_metrics

    def each(part: Entries) -> tuple[Entries, bytes | None]:
        return part.narrowed(columns), kept_entries.kept(part) if is_kept else None

    with storage.clock.running():
        try:
            read, one_by_one = read_entries(data, each, with_metrics=with_metrics)
            live = sum(len(part) for part, _ in read)
            if not (_is_whole(listed, len(data), live) if is_sure else live == listed.live_files):
                raise EOFError(f"{len(data)} of {listed.length} bytes")  # noqa: TRY301
        except Exception as error:  # PyIceberg's decoder fails in many ways on malformed input
            raise UnreadableMetadata(
                f"manifest {listed.path} cannot be decoded ({type(error).__name__}); it is "
                "truncated, corrupt or not a manifest"
            ) from error
        kept = [content for _, content in read if content is not None]
        if kept and len(kept) == len(read) and place is not None:
            place.put(kept_entries.packed(kept, len(data)))
    parts = [part.inheriting(listed.sequence_number) for part, _ in read]
    return ManifestEntries(listed.path, parts, one_by_one)


def _is_whole(listed: Manifest, size: int, live: int) -> bool:
    return size >= listed.length or (listed.live_files is not None and live >= listed.live_files)


def _kept(
    listed: Manifest, place: Place, content: bytes, columns: Collection[int] | None
) -> ManifestEntries | None:
    try:
        entries, size = kept_entries.opened(content, columns)
    except Exception:  # noqa: BLE001  # Arrow raises many kinds, and it is as good as damaged
        place.forget()
        return None
    if not _is_whole(listed, size, sum(map(len, entries))):
        return None
    parts = [part.inheriting(listed.sequence_number) for part in entries]
    return ManifestEntries(listed.path, parts, from_cache=True)
