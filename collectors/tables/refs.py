"""The snapshot that a branch or tag names."""

from __future__ import annotations

import datetime as dt
from itertools import islice

from prunescope.collectors.errors import SnapshotNotFound
from prunescope.collectors.tables.metadata import Snapshot, TableMetadata

_MAIN = "main"
_TOLD = 20
"""Refs that a message names."""


def snapshot_of_ref(
    metadata: TableMetadata, ref: str, moment: dt.datetime | None = None
) -> Snapshot:
    """The snapshot that a tag names, or that was the head of a branch at `moment` (with a time
    zone); without one, its head.

    Metadata has a log of the main branch alone. Of another, the head was the newest ancestor of
    today's head that was there, unless the branch has been replaced or rolled back since. Raises
    SnapshotNotFound if there is no such ref, or what is left of its snapshots does not reach back,
    and UnreadableMetadata if the metadata does not have the snapshot that it names.
    """
    if ref not in metadata.refs and (ref != _MAIN or metadata.current_snapshot_id is None):
        some = list(islice(metadata.refs, _TOLD))
        more = ", …" if len(metadata.refs) > _TOLD else ""
        raise SnapshotNotFound(
            f"No such branch or tag in {metadata.location}. Known: "
            f"{', '.join(sorted(some)) or 'none'}{more}."
        )
    if ref == _MAIN and moment is not None:
        return metadata.snapshot_as_of(moment)
    head = metadata.head_of(ref) if ref in metadata.refs else metadata.current_snapshot()
    assert head is not None
    if moment is None or ref in metadata.tags:
        return head
    found = metadata.past.lineage.at(head.snapshot_id, moment)
    if found is None:
        raise SnapshotNotFound(
            f"the branch that is asked for, of {metadata.location}, has no snapshot from before "
            "the time that is asked for, or it was expired"
        )
    return metadata.snapshots[found]
