"""The audit table of advice: `layout_advice`."""

from __future__ import annotations

from pyiceberg.types import DoubleType, IntegerType, LongType, StringType, TimestamptzType

from audit_jobs.results.audit_table import AuditTable, Column

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
            "advised, inside_files (only what is in files is to be changed), keep_as_is, or a code "
            "that says why there is no advice",
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
        Column("row_group_bytes", LongType(), "Advised bytes of row groups; null: as they are"),
        Column(
            "bloom_filters", StringType(), "Columns to have bloom filters as well", container="list"
        ),
        Column("read_bytes_now", DoubleType(), "Bytes of row groups that a scan keeps as it is"),
        Column("read_bytes", DoubleType(), "Bytes of row groups that it would keep as advised"),
        Column("read_bytes_low", DoubleType(), "Lower end of the 90 % interval of read_bytes"),
        Column("read_bytes_high", DoubleType(), "Upper end of it"),
        Column(
            "manifests_by",
            StringType(),
            "Partition fields in whose order manifests should be; null: as they are",
            container="list",
        ),
        Column("manifest_bytes", LongType(), "Bytes of data manifests of the current spec"),
        Column("opened_bytes_now", DoubleType(), "Bytes of them that planning a scan opens"),
        Column("opened_bytes", DoubleType(), "Bytes that it would open in that order"),
        Column("opened_bytes_low", DoubleType(), "Lower end of the 90 % interval of opened_bytes"),
        Column("opened_bytes_high", DoubleType(), "Upper end of it"),
        Column(
            "could_skip",
            DoubleType(),
            "Bytes that joins, dynamic filters, LIMIT, min() and max() of the window could skip, "
            "by bounds, beyond filters",
            container="map",
        ),
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
        Column("written_row_group_bytes", LongType(), "Bytes of row groups of its new files"),
        Column(
            "written_bloom_filters",
            StringType(),
            "Columns of which these will have bloom filters",
            container="list",
        ),
        Column(
            "sequence_number",
            LongType(),
            "That of its last commit; 0 if commits have none",
        ),
    ),
)
