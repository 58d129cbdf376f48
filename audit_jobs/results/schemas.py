"""The audit tables of runs, findings and layouts, and all of them."""

from __future__ import annotations

from pyiceberg.types import DoubleType, IntegerType, LongType, StringType, TimestamptzType

from prunescope.audit_jobs.results.audit_table import IDENTITY, AuditTable, Column
from prunescope.audit_jobs.results.scan_schemas import CONJUNCTS, CONTAINERS, SCAN_PLANS

KEPT_RATIOS: tuple[str, ...] = ("manifests", "data_files", "bytes", "records")
"""The funnels of which table_health has the ratio over all scans of the window."""

AUDIT_RUNS = AuditTable(
    "audit_runs",
    "One finished run. Committed last: a run is visible only through its row here",
    (
        *IDENTITY,
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
            "Versions of the programs and libraries that ran, and of the columns of these tables",
            container="map",
        ),
        Column("queries", LongType(), "Inputs by outcome, each input once", container="map"),
        Column("tables", LongType(), "Tables that the queries read"),
        Column(
            "tables_failed",
            StringType(),
            "Tables that could not be read, with the reason: the first 1,000",
            container="map",
        ),
        Column("tables_failed_count", LongType(), "How many tables that are"),
        Column(
            "tables_set_aside",
            StringType(),
            "Tables whose rows contradict each other and are withheld, with what contradicts: the "
            "first 1,000",
            container="map",
        ),
        Column("tables_set_aside_count", LongType(), "How many tables that are"),
        Column(
            "tables_unmeasured",
            StringType(),
            "Tables whose layout or rows could not be measured, with the reason: the first 1,000",
            container="map",
        ),
        Column("tables_unmeasured_count", LongType(), "How many tables that are"),
        Column(
            "causes_failed",
            StringType(),
            "Causes that could not be judged, as CAUSE of TABLE, with the reason: the first 1,000",
            container="map",
        ),
        Column("causes_failed_count", LongType(), "How many causes that are"),
        Column(
            "newer_planners",
            LongType(),
            "Queries of planners that are newer than any known one, by what they were planned as",
            container="map",
        ),
        Column(
            "footers_read", LongType(), "Parquet footers that the run could read, now or before"
        ),
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

FINDINGS = AuditTable(
    "findings",
    "One cause of bad pruning, for one shape of query on a table or for the table itself",
    (
        *IDENTITY,
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
        Column(
            "step", StringType(), "What to do, in a few words; null where there is nothing to do"
        ),
        Column("fix_spark", StringType(), "Statements of Spark SQL, in order", container="list"),
        Column("fix_trino", StringType(), "Statements of Trino, in order", container="list"),
        Column("rewrite", StringType(), "A condition to write instead, ? for literals"),
        Column("advice", StringType(), "What no statement does, and what to mind"),
        Column("documentation", StringType(), "Where the cause is explained"),
        Column("suppressed", StringType(), "Why nobody needs to be told; null if not suppressed"),
        Column(
            "example_query_id",
            StringType(),
            "The engine's id of the query that reads most of those that it is about; null where "
            "the log has none",
        ),
        Column("example_user", StringType(), "Who ran that query"),
        Column("example_started_at", TimestamptzType(), "When that query started"),
        Column("example_source", StringType(), "Kind of the log that has that query"),
        Column("example_place", StringType(), "Where it stands in a log that has no id of it"),
        Column("example_link", StringType(), "Its page, by findings.query_links"),
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
        *IDENTITY,
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
            "sequence_number",
            LongType(),
            "Sequence number of the snapshot's commit; null where commits have none",
        ),
        Column(
            "added_since",
            LongType(),
            "Nine in ten data files were added by commits of this sequence number or later; null "
            "if manifests do not tell",
        ),
        Column(
            "listed_since",
            LongType(),
            "Nine in ten data files are listed in manifests of such commits; null likewise",
        ),
        Column(
            "written_row_group_bytes",
            LongType(),
            "Bytes of row groups of new files; null if no property says",
        ),
        Column(
            "written_bloom_filters",
            StringType(),
            "Columns of which new files will have bloom filters",
            container="list",
        ),
        Column("scans", LongType(), "Replayed scans of the table in the window", required=True),
        Column(
            "hidden_filters",
            LongType(),
            "Those of them that keep every data file, with conditions that the log does not show",
        ),
        Column(
            "false_keep_rate",
            DoubleType(),
            "Share of the bytes of kept files in files without a matching row, from sampled rows",
        ),
        Column("false_keep_rate_low", DoubleType(), "The least that it may be"),
        Column("false_keep_rate_high", DoubleType(), "The most that it may be"),
        *(
            Column(
                f"{funnel}_kept_ratio",
                DoubleType(),
                f"{CONTAINERS[funnel]} kept by these scans, as a share of all: a ratio of sums",
            )
            for funnel in KEPT_RATIOS
        ),
    ),
)

COLUMN_HEALTH = AuditTable(
    "column_health",
    "How well the bounds of one column, by which scans filter, tell a table's data files apart",
    (
        *IDENTITY,
        Column("catalog", StringType(), "Catalog of the table"),
        Column("namespace", StringType(), "Namespace of the table, its parts joined by dots"),
        Column("table", StringType(), "Name of the table", required=True),
        Column("column", StringType(), "The column's full name", required=True),
        Column("field_id", IntegerType(), "Its field id", required=True),
        Column("type", StringType(), "Its Iceberg type", required=True),
        Column("bounded", DoubleType(), "Share of data files with bounds of it"),
        Column("overlap", DoubleType(), "Share of other files whose range overlaps a file's"),
        Column(
            "depth",
            DoubleType(),
            "Files whose range holds the lowest value of one, on average; 1 is perfect",
        ),
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

SCHEMA_VERSION = 2
"""The version of the audit tables' columns: every release that adds some has another one. A run
records its own in `audit_runs.versions`."""

RUN_TABLES = (
    AUDIT_RUNS,
    SCAN_PLANS,
    CONJUNCTS,
    FINDINGS,
    SMALL_FINDINGS,
    TABLE_HEALTH,
    COLUMN_HEALTH,
)
"""The audit tables that each run writes."""
