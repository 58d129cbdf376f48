"""Condition of a table by its metadata alone: snapshots to expire, the statistics that writers
keep, the sort order."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass

from prunescope.collectors.tables.metadata import TableMetadata
from prunescope.collectors.tables.metrics_modes import COLUMN_PREFIX, DEFAULT_MODE, MetricsModes
from prunescope.collectors.tables.properties import count_of

_MAX_AGE = dt.timedelta(days=5)


@dataclass(frozen=True, slots=True)
class Condition:
    """Condition of a table by its metadata. `expirable` counts the snapshots that
    `expire_snapshots` would remove with the table's settings. `metrics` is the default metrics
    mode, `column_metrics` the mode of some columns; if a table has more than `metrics_columns`
    columns, the others have no metrics, unless `metrics` was set (Iceberg's table properties).
    `sorted_by` and `partitioned_by` name the columns of the sort order and of the current spec."""

    snapshots: int
    expirable: int
    metrics: str
    column_metrics: Mapping[str, str]
    metrics_columns: int | None
    sorted_by: tuple[str, ...]
    partitioned_by: tuple[str, ...]


def condition_of(metadata: TableMetadata, now: dt.datetime) -> Condition:
    """The condition of a table, by its metadata."""
    properties = metadata.properties
    schema = metadata.schema(None)
    names = {column.field_id: column.name for column in schema.columns}
    spec = metadata.specs(schema)[metadata.default_spec_id]
    modes = MetricsModes.of(metadata)
    return Condition(
        snapshots=len(metadata.snapshots),
        expirable=_expirable(metadata, now),
        metrics=modes.default or DEFAULT_MODE,
        column_metrics={
            key.removeprefix(COLUMN_PREFIX): value
            for key, value in properties.items()
            if key.startswith(COLUMN_PREFIX)
        },
        metrics_columns=modes.inferred if modes.default is None else None,
        sorted_by=tuple(names[id_] for id_ in metadata.sort_columns if id_ in names),
        partitioned_by=tuple(
            dict.fromkeys(
                names[field.source_id]
                for field in spec.fields
                if field.transform != "void" and field.source_id in names
            )
        ),
    )


def _expirable(metadata: TableMetadata, now: dt.datetime) -> int:
    """The number of snapshots that are older than `history.expire.max-snapshot-age-ms` (5 days),
    beyond the newest `history.expire.min-snapshots-to-keep` (1), and that no branch or tag names.
    """
    age = count_of(metadata.properties, "history.expire.max-snapshot-age-ms")
    least = count_of(metadata.properties, "history.expire.min-snapshots-to-keep")
    newest = sorted(metadata.snapshots.values(), key=lambda s: s.timestamp, reverse=True)
    kept = {*metadata.refs.values(), metadata.current_snapshot_id}
    return sum(
        _is_older(snapshot.timestamp, now, age)
        for snapshot in newest[1 if least is None else max(1, least) :]
        if snapshot.snapshot_id not in kept
    )


def _is_older(moment: dt.datetime, now: dt.datetime, milliseconds: int | None) -> bool:
    try:
        limit = _MAX_AGE if milliseconds is None else dt.timedelta(milliseconds=milliseconds)
    except OverflowError:
        return False
    return now - moment > limit
