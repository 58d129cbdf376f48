"""Manifests: their live entries, as arrays."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import accumulate, pairwise
from typing import Any, NamedTuple, ParamSpec, TypeVar

import numpy as np

from prunescope.collectors.arrays import IntArray
from prunescope.collectors.errors import UnreadableMetadata
from prunescope.collectors.storage import limits
from prunescope.collectors.storage.cached_parts import Place, fetch, has_kept, place_of
from prunescope.collectors.storage.files import Storage
from prunescope.collectors.storage.in_flight import concurrently
from prunescope.collectors.storage.one_request import read_by_one_request
from prunescope.collectors.storage.random_access import is_local, read_whole
from prunescope.collectors.storage.unreadable import FileMissing, FileUnreadable, table_error
from prunescope.collectors.tables import kept_entries
from prunescope.collectors.tables.avro import SCHEMA, notes_of
from prunescope.collectors.tables.avro_blocks import why_undecoded
from prunescope.collectors.tables.entries import UNKNOWN, Entries
from prunescope.collectors.tables.entry_readers import Read, read_entries
from prunescope.collectors.tables.manifest_list import Manifest

P = ParamSpec("P")
_Result = TypeVar("_Result")


_TOGETHER = 16_384
_BYTES_TOGETHER = 8 << 20
"""About how many entries, or bytes of manifests or of what is kept of them, are read together at
most: enough for array operations to dominate, few enough for a processor's cache."""


@dataclass(frozen=True, slots=True)
class ManifestEntries:
    """The live entries of some manifests, concatenated, in parts of any size: the number of entries
    of each manifest, the number of manifests that were read one by one though their entries are
    many, and the number that were kept from an earlier run, so that nothing was read."""

    counts: Sequence[int]
    parts: Sequence[Entries]
    one_by_one: int = 0
    from_cache: int = 0

    def __len__(self) -> int:
        return sum(self.counts)

    def chosen(self, places: Collection[int]) -> ManifestEntries:
        """The entries of the manifests at some places, in the same order."""
        is_chosen = np.isin(np.arange(len(self.counts)), list(places))
        if is_chosen.all():
            return self
        keep = np.repeat(is_chosen, self.counts)
        masks = _by_part(keep, self.parts)
        parts = [part.chosen(mask) for part, mask in zip(self.parts, masks, strict=True)]
        return ManifestEntries(np.array(self.counts)[is_chosen].tolist(), parts)


class Together(NamedTuple):
    """Manifests that were read together, by their places: their entries, or the error because of
    which none of them can be read."""

    places: Sequence[int]
    found: ManifestEntries | BaseException


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
    listed = Manifest(path, length, UNKNOWN, False, live_files, None, None, sequence_number)
    ((_, found),) = read_manifests([listed], storage, columns=columns)
    if isinstance(found, BaseException):
        raise found
    return found


def read_manifests(
    listed: Sequence[Manifest], storage: Storage, *, columns: Collection[int] | None
) -> Iterator[Together]:
    """All manifests, in any order, each with what `read_manifest` returns or raises for it.
    Manifests whose entries have the same fields are read together, some at a time. The bytes of
    many are fetched at once, ahead of those that are decoded."""
    places = [_place(one, storage) for one in listed]
    fetch(places)
    pairs = list(zip(listed, places, strict=True))
    contents = concurrently(
        partial(_bytes_of, storage),
        pairs,
        size=lambda pair: pair[0].length,
        is_near=lambda pair: is_local(storage, pair[0].path),
    )
    wanted = _Wanted(storage, columns)
    some: list[_Item] = []
    entries = size = 0
    for number, ((one, place), content) in enumerate(zip(pairs, contents, strict=True)):
        if isinstance(content, BaseException):
            yield Together((number,), content)
            continue
        some.append(_Item(number, one, place, content))
        entries += one.live_files or 1
        size += len(content.data)
        if entries >= _TOGETHER or size >= _BYTES_TOGETHER:
            yield from _read_together(some, wanted)
            some, entries, size = [], 0, 0
    yield from _read_together(some, wanted)


def is_kept(listed: Manifest, storage: Storage) -> bool:
    """True if this machine has kept the entries of a manifest, whole or not."""
    return has_kept(storage, listed.path, listed.length, kept_entries.DECODER)


@dataclass(frozen=True, slots=True)
class _Content:
    """The bytes of a manifest, or what is kept of it; `is_sure` if these are known to be
    complete."""

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


def _read(
    listed: Manifest, read: Callable[P, _Result], *args: P.args, **kwargs: P.kwargs
) -> _Result:
    """Calls `read`, which reads a manifest's file. Raises TableError."""
    try:
        return read(*args, **kwargs)
    except FileMissing as error:
        raise UnreadableMetadata(
            f"manifest {listed.path} does not exist; was its snapshot expired, or the table moved "
            "(--path-map FROM=TO)?"
        ) from error
    except FileUnreadable as error:
        raise table_error("a manifest", error) from error


@dataclass(frozen=True, slots=True)
class _Wanted:
    """The storage of manifests, and the columns whose metrics are wanted."""

    storage: Storage
    columns: Collection[int] | None

    @property
    def with_metrics(self) -> bool:
        """True if metrics are read: if there is a cache, also for later runs, which may want
        them."""
        return self.columns is None or bool(self.columns) or self.storage.cache is not None


@dataclass(frozen=True, slots=True)
class _Item:
    """A manifest by its number among those listed, and the content that is there."""

    number: int
    listed: Manifest
    place: Place | None
    content: _Content

    def is_whole(self, size: int, live: int) -> bool:
        """True if `size` bytes, with `live` entries, are the whole manifest."""
        if not (self.content.is_kept or self.content.is_sure):
            return live == self.listed.live_files
        listed = self.listed
        return size >= listed.length or (
            listed.live_files is not None and live >= listed.live_files
        )


def _read_together(items: Sequence[_Item], wanted: _Wanted) -> Iterator[Together]:
    alike: dict[tuple[bool, str], list[_Item]] = {}
    for item in items:
        # Manifests of one schema and spec mostly have the same header, but for its end.
        noted = {} if item.content.is_kept else notes_of(item.content.data)
        if (error := _of_another_spec(item.listed, noted)) is not None:
            yield Together((item.number,), error)
            continue
        key = noted.get(SCHEMA, "")
        alike.setdefault((item.content.is_kept, key), []).append(item)
    for (is_kept_, _), some in alike.items():
        read = _kept_together if is_kept_ else _decoded_together
        yield from read(some, wanted)


def _of_another_spec(listed: Manifest, noted: Mapping[str, str]) -> UnreadableMetadata | None:
    """The error of a manifest that notes another spec than its list has for it."""
    spec = noted.get("partition-spec-id", "")
    if listed.spec_id < 0 or not spec.isdecimal() or int(spec) == listed.spec_id:
        return None
    return UnreadableMetadata(
        f"manifest {listed.path} notes that it is of partition spec {spec}, and its list says "
        f"{listed.spec_id}; repair the table (rewrite_manifests of an earlier snapshot)"
    )


def _kept_together(items: Sequence[_Item], wanted: _Wanted) -> Iterator[Together]:
    try:
        opened = list(kept_entries.opened([item.content.data for item in items], wanted.columns))
    except Exception:  # noqa: BLE001  # Arrow raises many kinds, and it is as good as damaged
        if len(items) > 1:
            for item in items:
                yield from _kept_together([item], wanted)
            return
        (item,) = items
        assert item.place is not None
        item.place.forget()
        yield _anew(item, wanted)
        return
    for group in opened:
        own = [items[place] for place in group.places]
        of_each = zip(own, group.sizes, group.counts.tolist(), strict=True)
        whole = [item.is_whole(size, count) for item, size, count in of_each]
        counts = group.counts
        parts = _inheriting(group.parts, [item.listed for item in own], counts)
        entries = ManifestEntries(counts.tolist(), parts, from_cache=len(own))
        if not all(whole):
            yield from (_anew(i, wanted) for i, is_ in zip(own, whole, strict=True) if not is_)
            some = np.flatnonzero(whole).tolist()
            entries = replace(entries.chosen(some), from_cache=len(some))
            own = [own[place] for place in some]
        if own:
            yield Together([item.number for item in own], entries)


def _inheriting(
    parts: Sequence[Entries], listed: Sequence[Manifest], counts: IntArray
) -> list[Entries]:
    """Entries of manifests with the sequence numbers that they inherit."""
    numbers = [UNKNOWN if one.sequence_number is None else one.sequence_number for one in listed]
    of_entries = np.repeat(np.array(numbers, np.int64), counts)
    by_part = zip(parts, _by_part(of_entries, parts), strict=True)
    return [part.inheriting(inherited) for part, inherited in by_part]


def _by_part(values: Any, parts: Sequence[Entries]) -> list[Any]:
    """Splits values of the entries of all parts by part."""
    ends = list(accumulate(map(len, parts), initial=0))
    return [values[start:stop] for start, stop in pairwise(ends)]


def _decoded_together(items: Sequence[_Item], wanted: _Wanted) -> Iterator[Together]:
    """Decodes all manifests together, or, if that is impossible, each by itself."""
    try:
        yield Together([item.number for item in items], _decoded(items, wanted))
    except UnreadableMetadata as error:
        if len(items) > 1:
            for item in items:
                yield from _decoded_together([item], wanted)
            return
        (item,) = items
        # The file may have another size than its list says: then it is read after all.
        yield Together((item.number,), error) if item.content.is_sure else _anew(item, wanted)
    except Exception as error:  # noqa: BLE001  # as of a table that is too slow
        yield Together([item.number for item in items], error)


def _anew(item: _Item, wanted: _Wanted) -> Together:
    """A manifest that is read as a whole, whatever of it is there."""
    try:
        data = _read(item.listed, read_whole, wanted.storage, item.listed.path, limits.MANIFEST)
        found: ManifestEntries | BaseException = _decoded(
            [replace(item, content=_Content(data))], wanted
        )
    except BaseException as error:  # noqa: BLE001  # it is of this manifest alone
        found = error
    return Together((item.number,), found)


def _decoded(items: Sequence[_Item], wanted: _Wanted) -> ManifestEntries:
    """The entries of manifests of one schema, which are kept if there is a cache. Raises
    UnreadableMetadata and TableTooSlow."""
    kept: list[list[bytes | None]] = [[] for _ in items]
    counts = np.zeros(len(items), np.int64)

    def each(read: Read) -> Entries:
        counts[list(read.places)] += read.counts
        if wanted.with_metrics and any(items[place].place is not None for place in read.places):
            found = kept_entries.kept(read.entries, read.counts)
            for place, content in zip(read.places, found, strict=True):
                kept[place].append(content)
        return read.entries.narrowed(wanted.columns)

    with wanted.storage.clock.running():
        try:
            datas = [item.content.data for item in items]
            parts, one_by_one = read_entries(datas, each, with_metrics=wanted.with_metrics)
            for item, live in zip(items, counts.tolist(), strict=True):
                size = len(item.content.data)
                if not item.is_whole(size, live):
                    raise EOFError(f"{size} of {item.listed.length} bytes")  # noqa: TRY301
        except MemoryError:
            raise
        except Exception as error:  # PyIceberg's decoder fails in many ways on malformed input
            raise UnreadableMetadata(
                f"manifest {items[0].listed.path} cannot be decoded "
                f"{why_undecoded(error, 'manifest')}"
            ) from error
        for item, of_item in zip(items, kept, strict=True):
            some = [content for content in of_item if content is not None]
            if some and len(some) == len(of_item) and item.place is not None:
                item.place.put(kept_entries.packed(some, len(item.content.data)))
    parts = _inheriting(parts, [item.listed for item in items], counts)
    return ManifestEntries(counts.tolist(), parts, one_by_one=int(one_by_one))
