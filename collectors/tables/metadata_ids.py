"""The ids by which parts of table metadata name each other.

What names nothing, or two things, is no metadata of any state of a table: Iceberg refuses most of
it (`TableMetadata` and `TableMetadataParser` of 1.11), and whoever takes the next best for it
counts another table, or an empty one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any, TypeVar

from prunescope.collectors.json_fields import LONG_BITS, identity, whole

_Part = TypeVar("_Part")

_LONGS = 1 << LONG_BITS
_MAIN = "main"
_NONE = -1


class Contradiction(ValueError):
    """Two parts of a table's metadata exclude each other."""


def by_id(pairs: Iterable[tuple[int, _Part]], listed: str) -> dict[int, _Part]:
    """The parts of a list by their ids. Raises Contradiction for two of one id."""
    found: dict[int, _Part] = {}
    for part_id, part in pairs:
        if found.setdefault(part_id, part) != part:
            raise Contradiction(f"{listed} has two of the id {part_id}")
    return found


def named(raw: Mapping[str, Any], key: str, known: Collection[int], listed: str) -> int:
    """The id of a list that a key names, or the only one if there is no such key. Raises
    Contradiction for an id that is not in the list."""
    value = raw.get(key)
    if value is None:
        if len(known) != 1:
            raise Contradiction(f"{key} is missing, and {listed} has {len(known)} entries")
        return next(iter(known))
    if whole(value, key) not in known:
        raise Contradiction(f"{key} is {value}, and {listed} has no such id")
    return int(value)


def same_64_bits(snapshot_id: int) -> int:
    """The other number that a writer may have for a snapshot: ids of 2^63 and more, which some
    make, are signed in Avro and Java."""
    return snapshot_id + _LONGS if snapshot_id < 0 else snapshot_id - _LONGS


def current_snapshot_id(
    raw: Mapping[str, Any],
    snapshots: Collection[int],
    refs: Mapping[str, int],
    history: Collection[object],
) -> int | None:
    """The current snapshot; None for a table without one.

    Such a table has no branch `main`, and no log of what was current: to remove the branch, as to
    replace a table does, empties the log (Iceberg Java 1.11, PyIceberg 0.12). It may have snapshots
    that are staged, or of other branches. Raises Contradiction.
    """
    key = "current-snapshot-id"
    value, main = raw.get(key), refs.get(_MAIN)
    if value is None or value == _NONE:
        said = f"{key} is {'missing' if key not in raw else value}"
        if main is not None:
            raise Contradiction(f"{said}, and the branch main is at snapshot {main}")
        if history and snapshots:
            raise Contradiction(f"{said}, and snapshot-log says what was current")
        if key not in raw and snapshots and not refs:
            raise Contradiction(f"{said}, and there are {len(snapshots)} snapshots")
        return None
    current = identity(value, key)
    if main is not None and main not in (current, same_64_bits(current)):
        raise Contradiction(f"{key} is {current}, and the branch main is at snapshot {main}")
    for one in (current, same_64_bits(current)):
        if one in snapshots:
            return one
    raise Contradiction(f"{key} is {current}, and snapshots has no such id")
