"""The audit tables of scans: `scan_plans` and `conjuncts`."""

from __future__ import annotations

from dataclasses import fields

from pyiceberg.types import (
    BooleanType,
    DoubleType,
    IntegerType,
    LongType,
    StringType,
    TimestamptzType,
)

from prunescope.audit_jobs.pruning.summary import ScanPlanSummary
from prunescope.audit_jobs.results.audit_table import IDENTITY, AuditTable, Column
from prunescope.audit_jobs.results.counters import COUNTERS

FUNNELS: tuple[str, ...] = tuple(f.name for f in fields(ScanPlanSummary) if f.type == "Funnel")
"""The funnels of a ScanPlanSummary, in its order."""

FUNNEL_COUNTS: tuple[str, ...] = ("total", "considered", "kept")
"""The counts of a Funnel: every funnel has one column for each."""

ESTIMATED: tuple[str, ...] = ("row_groups", "row_group_bytes", "row_group_records")
"""The funnels that may be estimated from a sample of footers."""

POTENTIAL: tuple[str, ...] = ("manifests", "data_files", "bytes", "row_groups", "page_records")
"""The funnels of which what the statistics allow is stored beside the engine's own plan."""

PASSES: tuple[str, ...] = ("manifests", "data_files", "row_groups")
"""The passes in which conjuncts are counted."""

CONTAINERS = {
    "manifests": "Data manifests",
    "delete_manifests": "Delete manifests",
    "data_files": "Data files",
    "delete_files": "Delete files",
    "bytes": "Bytes of data files",
    "records": "Records of data files",
    "row_groups": "Row groups of data files",
    "row_group_bytes": "Compressed bytes of row groups",
    "row_group_records": "Records of row groups",
    "pages": "Pages of the filter's columns",
    "page_bytes": "Compressed bytes of pages of the filter's columns",
    "page_records": "Records of row groups with column indexes",
}
"""Containers that each funnel counts."""

_WHERE = {
    "total": "in the snapshot",
    "considered": "that reach the pass",
    "kept": "that survive the pass",
}


SCAN_PLANS = AuditTable(
    "scan_plans",
    "One table scan of one query, or a query or an input without any",
    (
        *IDENTITY,
        Column(
            "scan_key",
            StringType(),
            "Identifies the scan within its run; the same in each run of one secret",
            required=True,
        ),
        Column("source", StringType(), "Kind of the query log", required=True),
        Column("location", StringType(), "Where in the log the input stands; null for queries"),
        Column(
            "query_id",
            StringType(),
            "The engine's id of the query, or its place in a log that has none",
        ),
        Column("query_outcome", StringType(), "What became of the whole query", required=True),
        Column(
            "inputs",
            LongType(),
            "Inputs that the row stands for: more than 1 for lines of one log that were rejected "
            "for one reason, beyond the first ones",
        ),
        Column("outcome", StringType(), "replayed, or a code that says why not", required=True),
        Column("message", StringType(), "Explains an outcome other than replayed"),
        Column("engine", StringType(), "The engine that ran the query"),
        Column("engine_version", StringType(), "The engine's version"),
        Column("planner", StringType(), "The rules by which the scan was planned"),
        Column("user", StringType(), "Who ran the query"),
        Column("started_at", TimestamptzType(), "When the query started"),
        Column("fingerprint", StringType(), "Hash of the query's shape, without literals"),
        Column("catalog", StringType(), "Catalog of the table"),
        Column("namespace", StringType(), "Namespace of the table, its parts joined by dots"),
        Column("table", StringType(), "Name of the table"),
        Column(
            "snapshot_id",
            LongType(),
            "The replayed snapshot, its 64 bits read as signed; null for an empty table",
        ),
        Column("schema_id", IntegerType(), "The schema that the filter was bound to"),
        Column(
            "spec_ids",
            IntegerType(),
            "Partition specs of the snapshot's data manifests",
            container="list",
        ),
        Column("predicate", StringType(), "The filter on this table, ? for literals"),
        Column(
            "written",
            StringType(),
            "The filter as the query writes it, ? for literals; null where predicate says the same",
        ),
        Column(
            "pushed",
            StringType(),
            "The part of it that the engine gives to the planner; null if unknown",
        ),
        *(
            Column(
                f"{funnel}_{count}",
                LongType(),
                f"{CONTAINERS[funnel]} {_WHERE[count]}; null if unknown",
            )
            for funnel in FUNNELS
            for count in FUNNEL_COUNTS
        ),
        *(
            Column(
                f"potential_{funnel}_kept",
                LongType(),
                f"{CONTAINERS[funnel]} that survive all that the statistics allow; null if unknown",
            )
            for funnel in POTENTIAL
        ),
        *(
            Column(
                f"{funnel}_kept_{end}",
                LongType(),
                f"{what} of the 95 % interval of {funnel}_kept, where footers were sampled",
            )
            for funnel in ESTIMATED
            for end, what in (("low", "Lower end"), ("high", "Upper end"))
        ),
        *(Column(counter.column, LongType(), counter.text) for counter in COUNTERS),
        Column(
            "matching_share",
            DoubleType(),
            "Share of the table's rows that match the filter, from sampled rows; null if none",
        ),
        Column("matching_share_low", DoubleType(), "Lower end of its 95 % interval"),
        Column("matching_share_high", DoubleType(), "Upper end of its 95 % interval"),
        Column("matching_rows", LongType(), "Rows that were sampled"),
        Column(
            "false_kept_bytes",
            LongType(),
            "Bytes of kept data files without a matching row, from sampled rows; null if none",
        ),
        Column("false_kept_bytes_low", LongType(), "The least that they may be; null if unknown"),
        Column("false_kept_bytes_high", LongType(), "The most that they may be; null if unknown"),
        Column(
            "unread",
            LongType(),
            "Kept data files whose row groups are unknown, by cause",
            container="map",
        ),
        Column(
            "observed",
            LongType(),
            "Counts that the engine reported of the scan, by the "
            "names of Iceberg's ScanMetricsResult",
            container="map",
        ),
        Column(
            "agreement",
            StringType(),
            "What comparing observed with replayed data files says: a judgement (agrees, "
            "prunes_more, over_read, over_prune) or the blind spot that allows none",
        ),
    ),
)

CONJUNCTS = AuditTable(
    "conjuncts",
    "One AND-ed part of a scan's filter, and what it alone rules out",
    (
        *IDENTITY,
        Column("scan_key", StringType(), "The scan in scan_plans", required=True),
        Column("position", IntegerType(), "Place within the filter, from 0", required=True),
        Column("predicate", StringType(), "The conjunct, ? for literals", required=True),
        Column(
            "class",
            StringType(),
            "enforced by partitioning, unenforced, unsupported, or found at runtime",
            required=True,
        ),
        Column("remaining", BooleanType(), "The engine evaluates it above the scan"),
        Column("pushed", BooleanType(), "The engine gives it to the planner; null if unknown"),
        Column("columns", StringType(), "Columns that the conjunct reads", container="list"),
        Column("operators", StringType(), "Operators of its comparisons", container="list"),
        Column("manifests_pruned", LongType(), "Considered manifests that it alone rules out"),
        Column("data_files_pruned", LongType(), "Considered data files that it alone rules out"),
        Column(
            "row_groups_pruned",
            LongType(),
            "Considered row groups that it alone rules out; null if that pass did not run",
        ),
        Column("manifests_reason", StringType(), "Why it rules out no manifest"),
        Column("data_files_reason", StringType(), "Why it rules out no data file"),
        Column("row_groups_reason", StringType(), "Why it rules out no row group"),
        Column(
            "matching_share",
            DoubleType(),
            "Share of the table's rows that match it alone, from sampled rows; null if none",
        ),
    ),
)
