"""The outcomes that an input, a scan or a question can have: the only list of them."""

from __future__ import annotations

from enum import Enum, StrEnum, auto
from typing import Self


class Standing(Enum):
    """The verdict of an outcome on its input."""

    FINE = auto()
    """Nothing is wrong with the input."""
    NOTHING_TO_JUDGE = auto()
    """Nothing is wrong with the input, and no row of an Iceberg table is read for it."""
    FAULT = auto()
    """The input should have been replayed, and could not be."""


class Outcome(StrEnum):
    """A stable code, its meaning, the remedy, and its verdict on an input. Meaning and remedy are
    the Markdown of docs/audit.md; there is no remedy if nothing is to be done."""

    meaning: str
    remedy: str | None
    standing: Standing

    def __new__(
        cls, code: str, meaning: str, remedy: str | None, standing: Standing = Standing.FAULT
    ) -> Self:
        """Makes a code that is also its text, so that it can stand wherever a text is wanted."""
        member = str.__new__(cls, code)
        member._value_ = code
        member.meaning = meaning
        member.remedy = remedy
        member.standing = standing
        return member

    REPLAYED = (
        "replayed",
        "every scan of an Iceberg table was planned",
        None,
        Standing.FINE,
    )
    NO_ICEBERG_TABLE = (
        "no_iceberg_table",
        "the query reads no table of a configured catalog",
        "if it does, name its catalog under `catalogs`, or what engines call that under `aliases`",
        Standing.NOTHING_TO_JUDGE,
    )
    NOT_A_QUERY = (
        "not_a_query",
        "DDL, SHOW, SET, …",
        None,
        Standing.NOTHING_TO_JUDGE,
    )
    ALWAYS_FALSE = (
        "always_false",
        (
            "no row can satisfy the filter (`a = 1 AND a = 2`, for an engine that sees it): the "
            "query reads nothing, and counts in no average"
        ),
        None,
        Standing.NOTHING_TO_JUDGE,
    )
    NOT_SCANNED = (
        "not_scanned",
        (
            "the engine planned no scan for it, as it needed none or answered from metadata; or, "
            "as the message says, nothing in its text reads the tables that it names"
        ),
        None,
        Standing.FINE,
    )
    REPEATED = (
        "repeated",
        "the same query is in the log twice, as a listener that gets no answer sends it again",
        None,
        Standing.FINE,
    )
    REPORT_MATCHED = (
        "report_matched",
        (
            "a scan report belongs to a replayed scan, whose row has the report's counts ([ADR "
            "8](adr/0008-scan-reports-are-evidence.md))"
        ),
        None,
        Standing.FINE,
    )
    REPORT_UNMATCHED = (
        "report_unmatched",
        "a scan report fits no scan of the audited queries by table, snapshot and shape of filter",
        None,
        Standing.FINE,
    )
    REPORT_AMBIGUOUS = (
        "report_ambiguous",
        "a scan report fits scans with different literals by table, snapshot and shape of filter",
        None,
        Standing.FINE,
    )
    UNKNOWN_DIALECT = (
        "unknown_dialect",
        "the record names an engine whose dialect is not known, and names no dialect",
        "set the source's `dialect`",
    )
    UNPARSEABLE = (
        "unparseable",
        (
            "the SQL cannot be parsed in its dialect, or does not tell what it reads: EXECUTE of "
            "what is no constant text, tables named by values that the log does not have, blocks "
            "with branches"
        ),
        (
            "see the message. If the SQL cannot be parsed, check the source's `dialect`; if it is "
            "right, the parser does not know the syntax"
        ),
    )
    TOO_COMPLEX = (
        "too_complex",
        (
            "the SQL takes more work than one text may: 30,000 steps (visits of tokens and nodes, "
            "of some microseconds each) and 50 for each of its characters, 1,500,000 at most, to "
            "read it, and as much to find its scans; or 30 s of CPU time. Or it is nested too "
            "deeply, or in a way that makes the parser read it over and over (`ARRAY[` ten deep). "
            "Most queries take 3 to 10 steps for a character. Steps grow in proportion to the "
            "length of lists and of chains of AND, OR, UNION and joins, but not with views and "
            "common table expressions that double each other"
        ),
        "write it with less nesting",
    )
    TOO_MANY_COMPLEX = (
        "too_many_complex",
        (
            "the SQL takes more steps than are usual, which is 5,000 and 10 for each of its "
            "characters, and other texts of its log (of each part, where it is read in parts) or "
            "of the task that finds scans took the 20,000,000 that are there for such texts. "
            "All that take no more than is usual are read: most take a tenth of it"
        ),
        "exclude generated queries of this kind from the log",
    )
    UNKNOWN_COLUMN = (
        "unknown_column",
        (
            "a filter compares constants with a column that the snapshot's schema does not have "
            "(names inside other expressions may be variables). The message shows the name only "
            "if another schema of the table has it: what is no column may be a text"
        ),
        "check the name, and that the catalog and schema of the session are those of the query",
    )
    TABLE_NOT_FOUND = (
        "table_not_found",
        "no catalog knows the table, or there is no metadata file where the configuration says",
        "check whether it was dropped or renamed, and what the catalog's credentials may see",
    )
    TABLE_FAILED = (
        "table_failed",
        "the table cannot be opened",
        "see the message",
    )
    CATALOG_UNAVAILABLE = (
        "catalog_unavailable",
        "the catalog of the table does not answer, even when it is asked again, or refuses",
        "see the message; `prunescope doctor` says what of the catalog works",
    )
    SNAPSHOT_NOT_FOUND = (
        "snapshot_not_found",
        "the snapshot was expired, or the table did not exist when the query ran",
        "audit before snapshots expire, or keep snapshots for longer",
    )
    UNREADABLE_METADATA = (
        "unreadable_metadata",
        (
            "a metadata file, manifest list or manifest is missing, truncated, corrupt or "
            "encrypted, contradicts itself, or takes too much memory"
        ),
        "the message names the file: restore it, or repair the table",
    )
    UNKNOWN_FORMAT_VERSION = (
        "unknown_format_version",
        "the table has a version of Iceberg's format that is newer than 3, the last known here",
        "none for now: no replay of such a table would be one of its planner's",
    )
    ACCESS_DENIED = (
        "access_denied",
        (
            "the storage refused access to a file of the table: the credentials are wrong, have "
            "expired, or may not read it"
        ),
        "give the audit's credentials the right to read the table's folder",
    )
    STORAGE_THROTTLED = (
        "storage_throttled",
        "the storage asked for fewer requests, even after retries",
        "run again when the storage is less busy",
    )
    STORAGE_UNREACHABLE = (
        "storage_unreachable",
        "the storage failed or did not answer, even after retries",
        "check the endpoint and the region",
    )
    STORAGE_TOO_SLOW = (
        "storage_too_slow",
        "the storage began to send a file and did not finish in time",
        "run again; check the network between the storage and the audit",
    )
    TABLE_TOO_SLOW = (
        "table_too_slow",
        (
            "reading the table took longer than `table_timeout_seconds`: "
            "[above](#what-a-table-may-have-read)"
        ),
        "rewrite its manifests, or raise `table_timeout_seconds`",
    )
    WORKER_KILLED = (
        "worker_killed",
        (
            "each process of Spark that worked on the table, the log or the queries was ended by "
            "the system, mostly for its memory, or crashed: [above](#what-a-table-may-have-read)"
        ),
        "see the message; give Spark's workers more memory, or Spark fewer cores",
    )
    OUT_OF_MEMORY = (
        "out_of_memory",
        "a process had no memory left for the table, the log or the query",
        "give the process, or Spark's workers, more memory",
    )
    LOCATION_NOT_ALLOWED = (
        "location_not_allowed",
        (
            "a file of the table is outside the places where [its files may be "
            "read](#what-a-table-may-have-read)"
        ),
        "if it may be read, add the line that the message has: `locations.allow`",
    )
    NOT_A_FILE = (
        "not_a_file",
        "a file of the table is a device, pipe or folder",
        "ask the table's owner: no engine writes such files",
    )
    FILE_TOO_LARGE = (
        "file_too_large",
        (
            "a file of the table, of a log (1 TiB), or of SQL, is larger than files of its kind "
            "should be"
        ),
        "for a table, rewrite its manifests; let what writes a log begin another file",
    )
    QUERY_FAILED = (
        "query_failed",
        "the engine failed the query before it read anything",
        "the engine's log says why",
    )
    MALFORMED_JSON = (
        "malformed_json",
        "a line of the log is not JSON",
        "check that the log was not cut off or reformatted",
    )
    MALFORMED_EVENT = (
        "malformed_event",
        "a line of the log is not an event, or has a field of the wrong type",
        "check what writes the log",
    )
    MALFORMED_RECORD = (
        "malformed_record",
        "a record of the log is not an object, or has a field of the wrong type",
        "check what writes the log, and the source's `fields`",
    )
    MALFORMED_PLAN = (
        "malformed_plan",
        "a line of the log is not a plan as `EXPLAIN (TYPE IO)` prints it",
        "check what writes the log",
    )
    MALFORMED_REPORT = (
        "malformed_report",
        "a line of the log is not a scan report as Iceberg writes it",
        "check what writes the log",
    )
    MALFORMED_EXPRESSION = (
        "malformed_expression",
        "a filter of a scan report is not an expression of Iceberg's",
        "check what writes the log",
    )
    NOT_A_SCAN_REPORT = (
        "not_a_scan_report",
        "a report of another kind, or no report at all",
        None,
    )
    NOT_A_COMPLETED_QUERY = (
        "not_a_completed_query",
        "an event of a query that had not ended, of a part of a query, or of something else",
        "have the engine log, or the export select, only completed queries",
    )
    MISSING_SQL = (
        "missing_sql",
        "the record has no SQL text",
        "have the log source write it, or set the source's `fields`",
    )
    TRUNCATED_SQL = (
        "truncated_sql",
        "the log source cut the text off: the lost part could widen a condition",
        "raise the length of texts that the log source keeps, if it has a setting for that",
    )
    LINE_TOO_LONG = (
        "line_too_long",
        "a line of the log is longer than 64 MiB",
        "check what writes the log",
    )
    TOO_MANY_VALUES = (
        "too_many_values",
        "a line of the log has more than 1,000,000 values",
        "check what writes the log",
    )
    LOG_TOO_SLOW = (
        "log_too_slow",
        (
            "reading a log takes longer than `log_timeout_seconds`; it, or each share of its "
            "parts, is read up to that point"
        ),
        "check what writes the log; raise `log_timeout_seconds`",
    )
    UNREADABLE_PLAN = (
        "unreadable_plan",
        (
            "a scan node of a Spark plan has an unknown form or was redacted; the other scans "
            "of its query are replayed"
        ),
        "see [what Spark has to print](logs/spark.md)",
    )
    TRUNCATED_PLAN = (
        "truncated_plan",
        "a scan node of a Spark plan was cut short; the other scans of its query are replayed",
        "find out what shortens the lines of the event log",
    )
    AMBIGUOUS_PLAN = (
        "ambiguous_plan",
        (
            "a scan node of a Spark plan can be read in two ways, as Spark prints strings "
            "without quotes; the other scans of its query are replayed"
        ),
        None,
    )
    MISSING_FILE = (
        "missing_file",
        "a file of a rolling event log is missing",
        "keep all files of a log until the log is audited",
    )
    UNREADABLE_FILTER = (
        "unreadable_filter",
        "the filters that a Spark plan prints cannot be read with the table's schema",
        None,
    )
    AMBIGUOUS_FILTER = (
        "ambiguous_filter",
        "the filters that a Spark plan prints can be read in more than one way",
        None,
    )
    UNPACKS_TOO_MUCH = (
        "unpacks_too_much",
        "a log unpacks to more than 16 MiB and 256 times its size; it is read up to that point",
        "check what writes the log",
    )
    ROW_GROUP_TOO_LARGE = (
        "row_group_too_large",
        (
            "a row group of a log in Parquet has pages of more than 64 MiB; the log is read up "
            "to that point"
        ),
        "export it in smaller row groups",
    )
    UNSUPPORTED_CODEC = (
        "unsupported_codec",
        (
            "a log is compressed in a way that is not read (lzf, bzip2, xz, zip; zstd with a "
            "window of more than 128 MiB), or is ORC, Avro or SQLite"
        ),
        (
            "write text, or compress with gzip or zstd (`--long=27` at most); set "
            "`spark.eventLog.compression.codec` to `zstd`"
        ),
    )
    NO_SUCH_FILE = (
        "no_such_file",
        "there is no file in a place where a source says that its log is",
        "check the source's `paths`",
    )
    UNREADABLE_FILE = (
        "unreadable_file",
        "a log, or a file of SQL, cannot be read to its end",
        "see the message: missing rights, an encoding other than UTF-8, or a damaged file",
    )
    TEMPLATE = (
        "template",
        "a file that `check` reads is a template of dbt or Jinja",
        "compile the file first",
    )
    MALFORMED_QUESTION = (
        "malformed_question",
        "a line that `explain --where-file` reads is not a question",
        'write `{"where": …}` or `{"sql": …}`',
    )
    TABLE_NOT_SCANNED = (
        "table_not_scanned",
        "the query that `explain` is asked about does not read the table",
        "ask about a table that it reads",
    )
    SET_ASIDE = (
        "set_aside",
        (
            "rows of a table that the query reads contradict each other, or do not fit the "
            "audit tables: all rows of the table are withheld"
        ),
        "please report it, with the message of `tables_set_aside`",
    )
    INTERNAL_ERROR = (
        "internal_error",
        "an error that nobody foresaw",
        "please report it",
    )


NOTHING_TO_JUDGE = frozenset(o for o in Outcome if o.standing is Standing.NOTHING_TO_JUDGE)
"""Outcomes of inputs for which no row of an Iceberg table is read."""

CLEAN = frozenset(o for o in Outcome if o.standing is not Standing.FAULT)
"""Outcomes of inputs with which nothing is wrong."""
