"""Tables that a query of Trino read, as reported in `ioMetadata.inputs[]` of an event."""

from __future__ import annotations

import re

from prunescope.collectors.observed import ObservedScan, TableName
from prunescope.collectors.queries.json_input import text
from prunescope.collectors.types import MAX_INT64

# Trino's name -> the name of Iceberg's ScanMetricsResult. As quoted from
# IcebergSplitSource.getMetrics of Trino 482, `dataManifests` and `deleteManifests` are the
# *scanned* manifests, not those in the snapshot; `dataFiles`, `dataFileSizeBytes` and the
# skipped manifests were checked there too. `deletionVectorFiles` is from trinodb/trino#28067.
# `skippedDataFiles`, `equalityDeleteFiles` and `positionalDeleteFiles` are taken at their name.
# All reach an event's inputs with trinodb/trino#28871 (2026); before it, `connectorMetrics`
# held no split metrics (trinodb/trino#28870).
_SCAN_METRICS = {
    "dataFiles": "result_data_files",
    "dataFileSizeBytes": "total_file_size_in_bytes",
    "dataManifests": "scanned_data_manifests",
    "skippedDataManifests": "skipped_data_manifests",
    "skippedDataFiles": "skipped_data_files",
    "deleteManifests": "scanned_delete_manifests",
    "skippedDeleteManifests": "skipped_delete_manifests",
    "equalityDeleteFiles": "equality_delete_files",
    "positionalDeleteFiles": "positional_delete_files",
    "deletionVectorFiles": "dvs",
}

# Totals of the snapshot's summary, which Trino passes on as text (IcebergInputInfo).
_SNAPSHOT_TOTALS = {
    "totalRecords": "snapshot_total_records",
    "totalDataFiles": "snapshot_total_data_files",
    "totalDeleteFiles": "snapshot_total_delete_files",
}

_PHYSICAL_INPUT = {
    "physicalInputBytes": "physical_input_bytes",
    "physicalInputRows": "physical_input_rows",
}

# Trino's LongCount; an Optional that was wrapped; java.util.OptionalLong without its Jackson
# module.
_WRAPPERS = ("total", "value", "asLong")
_DIGITS = re.compile(r"[0-9]{1,19}")


def read_scans(event: dict[str, object]) -> tuple[ObservedScan, ...]:
    """One scan per entry of `ioMetadata.inputs` that names a table, in order: a self-join
    yields two. Counters that are absent or not whole numbers stay absent, never 0.

    The schema is one namespace part, as Trino names it, also where it holds a nested Iceberg
    namespace. For a table that is planned more than once (task retries), Trino's counts are
    sums.
    """
    inputs = _section(event, "ioMetadata").get("inputs")
    if not isinstance(inputs, list):
        return ()
    scans = (_scan(entry) for entry in inputs if isinstance(entry, dict))
    return tuple(scan for scan in scans if scan is not None)


def _scan(entry: dict[str, object]) -> ObservedScan | None:
    table = text(entry.get("table"))
    if table is None:
        return None
    schema = text(entry.get("schema"))
    info = _section(entry, "connectorInfo")
    counters = (
        _counters(entry, _PHYSICAL_INPUT)
        | _counters(_section(entry, "connectorMetrics"), _SCAN_METRICS)
        | _counters(info, _SNAPSHOT_TOTALS)
    )
    return ObservedScan(
        table=TableName(
            catalog=text(entry.get("catalogName")),
            namespace=() if schema is None else (schema,),
            table=table,
        ),
        snapshot_id=_whole_number(info.get("snapshotId")),
        counters=counters,
    )


def _counters(reported: dict[str, object], names: dict[str, str]) -> dict[str, int]:
    counts = {ours: _whole_number(reported.get(theirs)) for theirs, ours in names.items()}
    return {name: count for name, count in counts.items() if count is not None}


def _whole_number(value: object) -> int | None:
    if isinstance(value, dict):
        value = next((value[key] for key in _WRAPPERS if key in value), None)
    if isinstance(value, str) and _DIGITS.fullmatch(value):
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        return None
    return value if 0 <= value <= MAX_INT64 else None


def _section(parent: dict[str, object], name: str) -> dict[str, object]:
    section = parent.get(name)
    return section if isinstance(section, dict) else {}
