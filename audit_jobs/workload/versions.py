"""Under which of its schemas a version of a table is read."""

from __future__ import annotations

import datetime as dt

from prunescope.collectors.schema import Schema
from prunescope.collectors.sql.planners.profiles import reads_heads
from prunescope.collectors.sql.scopes.time_travel import CURRENT, Version
from prunescope.collectors.tables.metadata import Snapshot, TableMetadata


def schema_of_version(
    metadata: TableMetadata,
    version: Version,
    snapshot: Snapshot | None,
    *,
    engine: str | None,
    moment: dt.datetime | None,
) -> Schema:
    """The schema under which an engine, None for Iceberg itself, reads a version that is found at
    `snapshot`: a branch under the table's, of `moment` (with a time zone) or of now, and a
    snapshot that is named by its id, a tag or a time under its own, be it the current one or not
    (Iceberg 1.11, SnapshotUtil.schemaFor)."""
    if snapshot is None or version == CURRENT:
        return metadata.schema(snapshot)
    is_branch = version.ref is not None and version.ref not in metadata.tags
    if is_branch and not reads_heads(engine):
        return _schema_at(metadata, moment, snapshot)
    return metadata.schema_of(snapshot)


def _schema_at(metadata: TableMetadata, moment: dt.datetime | None, read: Snapshot) -> Schema:
    """The table's schema at a time, which only commits date: its current one, unless a commit came
    later; then that of the last commit before, to any branch, else that of the snapshot that was
    `read`."""
    past = metadata.past
    if moment is None or past.newest is None or past.newest <= moment:
        return metadata.schema(None)
    found = past.commits.at(moment)
    return metadata.schema_of(read if found is None else metadata.snapshots[found])
