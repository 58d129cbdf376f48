"""The audit tables: their columns, partitioning and documentation."""

from __future__ import annotations

from dataclasses import dataclass, fields

from pyiceberg.partitioning import PartitionField, PartitionSpec
from pyiceberg.schema import Schema
from pyiceberg.transforms import DayTransform
from pyiceberg.types import (
    BooleanType,
    DoubleType,
    IcebergType,
    IntegerType,
    ListType,
    LongType,
    MapType,
    NestedField,
    StringType,
    TimestamptzType,
)

from audit_jobs.pruning.summary import ScanPlanSummary

FUNNELS: tuple[str, ...] = tuple(f.name for f in fields(ScanPlanSummary) if f.type == "Funnel")
"""The funnels of a ScanPlanSummary, in its order."""

STAGES: tuple[str, ...] = ("total", "considered", "kept")
"""The counts of a Funnel: every funnel has one column for each."""

ESTIMATED: tuple[str, ...] = ("row_groups", "row_group_bytes", "row_group_records")
"""The funnels that may be estimated from a sample of footers."""

POTENTIAL: tuple[str, ...] = ("manifests", "data_files", "bytes", "row_groups", "page_records")
"""The funnels of which what the statistics allow is stored beside the engine's own plan."""

PASSES: tuple[str, ...] = ("manifests", "data_files", "row_groups")
"""The passes in which conjuncts are counted."""

KEPT_RATIOS: tuple[str, ...] = ("manifests", "data_files", "bytes", "records")
"""The funnels of which table_health has the ratio over all scans of the window."""

_WHAT = {
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
_SOURCES = {
    "statistics": "Considered row groups that statistics",
    "dictionary": "Considered row groups that a dictionary",
    "bloom": "Considered row groups that a bloom filter",
}
_DELETES = {
    "position_delete_files": "Position delete files",
    "equality_delete_files": "Equality delete files",
    "deletion_vectors": "Deletion vectors",
}
_WHERE = {
    "total": "in the snapshot",
    "considered": "that reach the pass",
    "kept": "that survive the pass",
}


@dataclass(frozen=True, slots=True)
class Column:
    """A column; `type` is a primitive, or the element or value type of `list` or `map`."""

    name: str
    type: IcebergType
    doc: str
    required: bool = False
    container: str | None = None


@dataclass(frozen=True, slots=True)
class AuditTable:
    """An audit table: a name within the namespace, what a row is, and its columns."""

    name: str
    comment: str
    columns: tuple[Column, ...]

    def schema(self) -> Schema:
        """A schema with fresh field ids: the ids of an existing table are its own."""
        nested_id = len(self.columns)
        result = []
        for field_id, column in enumerate(self.columns, start=1):
            kind = column.type
            if column.container == "list":
                nested_id += 1
                kind = ListType(nested_id, column.type, element_required=True)
            elif column.container == "map":
                nested_id += 2
                kind = MapType(nested_id - 1, StringType(), nested_id, column.type, True)
            result.append(NestedField(field_id, column.name, kind, column.required, column.doc))
        return Schema(*result)


def day_of_window(schema: Schema) -> PartitionSpec:
    """Partitioned by the day (in UTC) in which the audited window starts."""
    source = schema.find_field("window_start").field_id
    return PartitionSpec(PartitionField(source, 1000, DayTransform(), "window_start_day"))


_IDENTITY = (
    Column(
        "run_id",
        StringType(),
        "Identifies the run; a row counts only if audit_runs has its run",
        required=True,
    ),
    Column(
        "window_start", TimestamptzType(), "Start of the audited window, inclusive", required=True
    ),
    Column("window_end", TimestamptzType(), "End of the audited window, exclusive", required=True),
)

AUDIT_RUNS = AuditTable(
    "audit_runs",
    "One finished run. Committed last: a run is visible only through its row here",
    (
        *_IDENTITY,
        Column("started_at", TimestamptzType(), "When the run started", required=True),
        Column("finished_at", TimestamptzType(), "When the run had replayed all", required=True),
        Column("duration_seconds", DoubleType(), "From started_at to finished_at", required=True),
        Column(
            "status",
            StringType(),
            "succeeded; partial if tables, queries or causes failed; failed if the run's own sums "
            "were wrong, and nothing was published",
            required=True,
        ),
        Column(
            "versions",
            StringType(),
            "Versions of the programs and libraries that ran",
            container="map",
        ),
        Column("queries", LongType(), "Inputs by outcome, each input once", container="map"),
        Column("tables", LongType(), "Tables that the queries read"),
        Column(
            "tables_failed",
            StringType(),
            "Tables that could not be read, with the reason",
            container="map",
        ),
        Column(
            "tables_set_aside",
            StringType(),
            "Tables whose rows contradict each other and are withheld, with what contradicts",
            container="map",
        ),
        Column(
            "tables_unmeasured",
            StringType(),
            "Tables whose layout or rows could not be measured, with the reason",
            container="map",
        ),
        Column(
            "causes_failed",
            StringType(),
            "Causes that could not be judged, as CAUSE of TABLE, with the reason",
            container="map",
        ),
        Column("footers_read", LongType(), "Parquet footers that the run read"),
        Column("footers_unread", LongType(), "Parquet footers that the run could not read"),
        Column(
            "metadata",
            LongType(),
            "Manifests and footers that were read, and that came from the cache, footers that "
            "`max_footers` left out; and the bytes and requests of each kind of metadata",
            container="map",
        ),
        Column(
            "read_bytes",
            LongType(),
            "Bytes that the run read of manifest lists, manifests and data files",
        ),
        Column("scans", LongType(), "Rows of this run in scan_plans"),
        Column(
            "findings",
            LongType(),
            "Findings by severity, without those that are suppressed",
            container="map",
        ),
    ),
)

SCAN_PLANS = AuditTable(
    "scan_plans",
    "One table scan of one query, or a query or an input without any",
    (
        *_IDENTITY,
        Column("scan_key", StringType(), "Identifies the scan within its run", required=True),
        Column("source", StringType(), "Kind of the query log", required=True),
        Column("location", StringType(), "Where in the log the input stands"),
        Column("query_id", StringType(), "The engine's id of the query"),
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
            "pushed",
            StringType(),
            "The part of it that the engine gives to the planner; null if unknown",
        ),
        *(
            Column(
                f"{funnel}_{stage}", LongType(), f"{_WHAT[funnel]} {_WHERE[stage]}; null if unknown"
            )
            for funnel in FUNNELS
            for stage in STAGES
        ),
        *(
            Column(
                f"potential_{funnel}_kept",
                LongType(),
                f"{_WHAT[funnel]} that survive all that the statistics allow; null if unknown",
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
        *(
            Column(f"row_groups_pruned_by_{source}", LongType(), f"{what} rules out first")
            for source, what in _SOURCES.items()
        ),
        *(
            Column(f"{kind}_kept", LongType(), f"{what} that the planner indexes")
            for kind, what in _DELETES.items()
        ),
        *(
            Column(
                f"dangling_{kind}",
                LongType(),
                f"{what} that it indexes and that apply to no data file of the snapshot",
            )
            for kind, what in _DELETES.items()
        ),
        Column("footers_needed", LongType(), "Kept files whose footers the scan needs"),
        Column("footers_skipped", LongType(), "Those of them that the run's budget left out"),
        Column("footers_unread", LongType(), "Those of them that could not be read"),
        Column("old_spec_files", LongType(), "Kept data files under another spec than new files"),
        Column("old_spec_bytes", LongType(), "Bytes of these files"),
        Column(
            "matching_share",
            DoubleType(),
            "Share of the table's rows that match the filter, from sampled rows; null if none",
        ),
        Column("matching_share_low", DoubleType(), "Lower end of its 95 % interval"),
        Column("matching_share_high", DoubleType(), "Upper end of its 95 % interval"),
        Column("matching_rows", LongType(), "Rows that were sampled"),
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
            "What comparing observed with replayed data files says: a verdict (agrees, "
            "prunes_more, over_read, over_prune) or the blind spot that allows none",
        ),
    ),
)

CONJUNCTS = AuditTable(
    "conjuncts",
    "One AND-ed part of a scan's filter, and what it alone rules out",
    (
        *_IDENTITY,
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

FINDINGS = AuditTable(
    "findings",
    "One cause of bad pruning, for one shape of query on a table or for the table itself",
    (
        *_IDENTITY,
        Column(
            "finding_key",
            StringType(),
            "Identifies the finding within its run, and is the same in other runs",
            required=True,
        ),
        Column("rank", IntegerType(), "Place within the run, from 1: most at stake first"),
        Column("cause", StringType(), "The cause, as the documentation names it", required=True),
        Column("severity", StringType(), "critical, high, medium, low or info", required=True),
        Column("confidence", StringType(), "How sure the cause is: high, medium or low"),
        Column("catalog", StringType(), "Catalog of the table"),
        Column("namespace", StringType(), "Namespace of the table, its parts joined by dots"),
        Column("table", StringType(), "Name of the table"),
        Column(
            "fingerprint",
            StringType(),
            "The queries that it is about, as in scan_plans; null where it is about the table",
        ),
        Column("conjunct", StringType(), "The condition to blame, ? for literals"),
        Column("columns", StringType(), "Columns that it concerns", container="list"),
        Column("lost_at", StringType(), "The pass at which pruning was lost"),
        Column("sentence", StringType(), "What is wrong, for people", required=True),
        Column("scans", LongType(), "Scans that it concerns", required=True),
        Column(
            "bytes_read",
            LongType(),
            "Bytes of the data files that they keep; of manifests, for scattered_manifests",
            required=True,
        ),
        Column(
            "bytes_at_stake",
            LongType(),
            "Those of them that the fix lets a planner skip; null if unknown",
        ),
        Column("evidence", StringType(), "What shows the cause, as a JSON object"),
        Column("fix_spark", StringType(), "Statements of Spark SQL, in order", container="list"),
        Column("fix_trino", StringType(), "Statements of Trino, in order", container="list"),
        Column("rewrite", StringType(), "A condition to write instead, ? for literals"),
        Column("advice", StringType(), "What no statement does, and what to mind"),
        Column("documentation", StringType(), "Where the cause is explained"),
        Column("suppressed", StringType(), "Why nobody needs to be told; null if not suppressed"),
    ),
)

SMALL_FINDINGS = AuditTable(
    "small_findings",
    "Likewise, of those that are below the thresholds: the most bytes at stake first",
    FINDINGS.columns,
)

TABLE_HEALTH = AuditTable(
    "table_health",
    "The layout of one table's current snapshot",
    (
        *_IDENTITY,
        Column("catalog", StringType(), "Catalog of the table"),
        Column("namespace", StringType(), "Namespace of the table, its parts joined by dots"),
        Column("table", StringType(), "Name of the table", required=True),
        Column(
            "snapshot_id",
            LongType(),
            "The measured snapshot, its 64 bits read as signed",
            required=True,
        ),
        Column("spec_id", IntegerType(), "Partition spec of new files", required=True),
        Column("measured", DoubleType(), "Share of data manifests that were read", required=True),
        Column("manifests", LongType(), "Data manifests", required=True),
        Column("manifest_bytes", LongType(), "Bytes of data manifests", required=True),
        Column(
            "manifest_depth",
            DoubleType(),
            "Manifests whose summaries hold a given partition; 1 is perfect, null if unpartitioned",
        ),
        Column("data_files", LongType(), "Data files", required=True),
        Column("records", LongType(), "Records of data files", required=True),
        Column("bytes", LongType(), "Bytes of data files", required=True),
        Column("target_file_bytes", LongType(), "The size that writers aim at", required=True),
        Column("small_files", LongType(), "Files below a quarter of that size", required=True),
        Column("files_by_spec", LongType(), "Data files by partition spec", container="map"),
        Column("position_delete_files", LongType(), "Position delete files", required=True),
        Column("equality_delete_files", LongType(), "Equality delete files", required=True),
        Column("deletion_vectors", LongType(), "Deletion vectors", required=True),
        Column("partitions", LongType(), "Partitions of the current spec, about"),
        Column("partition_files", DoubleType(), "Files of the median partition"),
        Column("partition_bytes", DoubleType(), "Bytes of the median partition"),
        Column(
            "partition_fields",
            StringType(),
            "Partition fields of new files; null if one is of an unknown kind",
            container="list",
        ),
        Column("sort_columns", StringType(), "Columns of the sort order", container="list"),
        Column(
            "added_since",
            LongType(),
            "Nine in ten data files were added by commits of this sequence number or later; null "
            "if manifests do not tell",
        ),
        Column("scans", LongType(), "Replayed scans of the table in the window", required=True),
        Column(
            "hidden_filters",
            LongType(),
            "Those of them that keep every data file, with conditions that the log does not show",
        ),
        *(
            Column(
                f"{funnel}_kept_ratio",
                DoubleType(),
                f"{_WHAT[funnel]} kept by these scans, as a share of all: a ratio of sums",
            )
            for funnel in KEPT_RATIOS
        ),
    ),
)

COLUMN_HEALTH = AuditTable(
    "column_health",
    "How well the bounds of one column, by which scans filter, tell a table's data files apart",
    (
        *_IDENTITY,
        Column("catalog", StringType(), "Catalog of the table"),
        Column("namespace", StringType(), "Namespace of the table, its parts joined by dots"),
        Column("table", StringType(), "Name of the table", required=True),
        Column("column", StringType(), "The column's full name", required=True),
        Column("field_id", IntegerType(), "Its field id", required=True),
        Column("type", StringType(), "Its Iceberg type", required=True),
        Column("bounded", DoubleType(), "Share of data files with bounds of it"),
        Column("overlap", DoubleType(), "Share of other files whose range overlaps a file's"),
        Column("depth", DoubleType(), "Files whose range holds a given value; 1 is perfect"),
        Column("common_bounds", DoubleType(), "Share of files with the same truncated bound"),
        Column("impossible", LongType(), "Files whose statistics contradict themselves"),
        Column(
            "ranges",
            DoubleType(),
            "Ranges of up to 100 files, as shares of the domain by rank: low, high, low, high, …",
            container="list",
        ),
    ),
)

LAYOUT_ADVICE = AuditTable(
    "layout_advice",
    "What was advised for one table, and what it promised. All rows of a run come in one commit",
    (
        Column("run_id", StringType(), "Identifies what was advised at once", required=True),
        Column(
            "window_start",
            TimestamptzType(),
            "Start of the part of the log that it rests on, inclusive",
            required=True,
        ),
        Column("window_end", TimestamptzType(), "End of it, exclusive", required=True),
        Column("advised_at", TimestamptzType(), "When it was advised", required=True),
        Column("catalog", StringType(), "Catalog of the table"),
        Column("namespace", StringType(), "Namespace of the table, its parts joined by dots"),
        Column("table", StringType(), "Name of the table", required=True),
        Column(
            "outcome",
            StringType(),
            "advised, keep_as_is, or a code that says why there is no advice",
            required=True,
        ),
        Column("message", StringType(), "Explains such a code"),
        Column("partition", StringType(), "Advised partition fields", container="list"),
        Column("order", StringType(), "Advised order: sort, zorder or hilbert"),
        Column("columns", StringType(), "Columns of that order", container="list"),
        Column("bytes", LongType(), "Bytes of the table's data files"),
        Column("files", LongType(), "Data files of the table"),
        Column("kept_bytes_now", DoubleType(), "Bytes that a scan keeps as it is, on average"),
        Column("kept_files_now", DoubleType(), "Data files that it keeps"),
        Column("kept_bytes", DoubleType(), "Bytes that it would keep of the advised layout"),
        Column("kept_bytes_low", DoubleType(), "Lower end of the 90 % interval of kept_bytes"),
        Column("kept_bytes_high", DoubleType(), "Upper end of it"),
        Column("kept_files", DoubleType(), "Data files that it would keep"),
        Column("least_bytes", DoubleType(), "Bytes of the rows that match: no layout keeps less"),
        Column("break_even_days", DoubleType(), "Days until the rewrite is outweighed"),
        Column("fix_spark", StringType(), "Statements of Spark SQL, in order", container="list"),
        Column("fix_trino", StringType(), "Statements of Trino, in order", container="list"),
        Column(
            "fingerprints",
            DoubleType(),
            "How often each shape of query ran in the window",
            container="map",
        ),
        Column(
            "snapshot_id",
            LongType(),
            "The table's snapshot then, its 64 bits read as signed",
        ),
        Column("spec_id", IntegerType(), "Its partition spec of new files"),
        Column(
            "partition_fields",
            StringType(),
            "The fields of that; null if one is of an unknown kind",
            container="list",
        ),
        Column("sort_columns", StringType(), "The columns of its sort order", container="list"),
        Column(
            "sequence_number",
            LongType(),
            "That of its last commit; 0 if commits have none",
        ),
    ),
)

ALL_TABLES = (
    AUDIT_RUNS,
    SCAN_PLANS,
    CONJUNCTS,
    FINDINGS,
    SMALL_FINDINGS,
    TABLE_HEALTH,
    COLUMN_HEALTH,
    LAYOUT_ADVICE,
)
"""Every audit table."""
