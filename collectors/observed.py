"""Records that query sources yield: one ObservedQuery per query, one ScanReport per report of a
scan that names no query, or one Rejected per input that is neither."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from prunescope.collectors.effects import Effect
from prunescope.collectors.needed_rows import NeededRows
from prunescope.collectors.predicates.model import Predicate

_PATH = re.compile(r"[/\\=]")
# Before a path, in Spark and its like: parquet.`s3://…`, and parquet.`may.parquet`.
_PLAIN = re.compile(r"[\w$-]+")
_FORMATS = frozenset(
    ("avro", "binaryfile", "csv", "delta", "hudi", "iceberg", "json", "orc", "parquet", "text")
)


@dataclass(frozen=True, slots=True)
class TableName:
    """A table as a query names it; parts that the query left out are None until resolved.

    `catalogs` are the names that engines have for its catalog, by engine, where these are known:
    they tell no two tables apart, and are what statements for an engine name it by."""

    catalog: str | None
    namespace: tuple[str, ...]
    table: str
    catalogs: tuple[tuple[str, str], ...] = field(default=(), compare=False, repr=False)

    def __str__(self) -> str:
        return ".".join([*([self.catalog] if self.catalog else []), *self.namespace, self.table])

    def named_in(self, engine: str) -> TableName:
        """The name in statements for an engine."""
        return replace(self, catalog=dict(self.catalogs).get(engine, self.catalog))

    @property
    def shown(self) -> TableName:
        """The name as it is shown where no catalog is known to have the table: with `?` for what
        may be the path of files, as values stand in such (`s3://lake/email=…`)."""
        parts = (*self.namespace, self.table)
        if _PATH.search(self.catalog or ""):
            return TableName(None, (), "?")
        for number, part in enumerate(parts):
            is_of_format = number > 0 and parts[number - 1].lower() in _FORMATS
            if _PATH.search(part) or (is_of_format and not _PLAIN.fullmatch(part)):
                return TableName(self.catalog, parts[:number], "?")
        return self


Effects = tuple[tuple[TableName, Effect], ...]
"""Effects of a query on rows that tables have, each table and effect once."""


class Clause(StrEnum):
    """The clause of a query to which a further condition on a table's columns can be added, so that
    it drops rows of that table and no others."""

    WHERE = "WHERE"
    ON = "ON"
    NONE = "none"
    """None has one: a join, or a MERGE, keeps all rows of the table."""
    ABSENCE = "absence"
    """The query asks for rows that the table lacks (NOT EXISTS): without rows, it lacks more."""


@dataclass(frozen=True, slots=True)
class PlanText:
    """The filters of a scan node as Spark prints them, joined by commas: readable only with the
    table's schema (`prunescope.collectors.predicates.plan_text`). Empty for a scan without
    filters."""

    text: str


@dataclass(frozen=True, slots=True)
class RowFilter:
    """The conditions that Spark checks on the rows of a scan, as Catalyst prints them but for the
    numbers behind the names of columns: readable only with the table's schema
    (`prunescope.collectors.sql.catalyst.conditions`). `is_shown` is False if the log does not show
    all of them."""

    conditions: tuple[str, ...] = ()
    is_shown: bool = True


ALL_ROWS = RowFilter()
"""No condition."""


@dataclass(frozen=True, slots=True)
class ObservedScan:
    """The scan of one table that a query read, as its engine reported it.

    `snapshot_id` and `ref` (a branch or tag) are None if the engine did not report them. `counters`
    holds only counts that were reported, by the names of Iceberg's ScanMetricsResult with
    underscores (`result_data_files`, `scanned_data_manifests`, …) and `physical_input_bytes`,
    `physical_input_rows`.

    `pushed` is the filter that the engine handed to the planner, None if unknown. `runtime` are
    filters that the engine found while the query ran: unbound `Unsupported` leaves of
    Reason.RUNTIME, which no planning can use; `collected` are the predicates on columns (unbound)
    that these imply, if the log has their values. `row_filter` is the filter that the engine
    checked on the rows that it read, pushed or not. From a plan come `joined`, the columns of the
    table by which joins restrict its rows, and `needed`, the rows that the query needs of those
    that pass the filter.
    """

    table: TableName
    snapshot_id: int | None
    counters: Mapping[str, int]
    ref: str | None = None
    pushed: PlanText | Predicate | None = None
    runtime: tuple[Predicate, ...] = ()
    row_filter: RowFilter = ALL_ROWS
    collected: tuple[Predicate, ...] = ()
    joined: tuple[str, ...] = ()
    needed: NeededRows | None = None


@dataclass(frozen=True, slots=True)
class Reference:
    """A table or view that a query refers to, directly or not, as the engine describes it.

    `view_sql` is the text of a view. `row_filters` are conditions, as SQL, that access control adds
    to every scan of the table; `masked` are columns that queries see changed, so that a condition
    on such a column says nothing of the values stored.
    """

    name: TableName
    view_sql: str | None = None
    row_filters: tuple[str, ...] = ()
    masked: tuple[str, ...] = ()


Parameter = str | tuple[str, str]
"""The value of a parameter as a SQL literal, with its name where the text has `:name` for it."""


@dataclass(frozen=True, slots=True)
class ObservedQuery:
    """One query of a log.

    `sql` is the text to parse, with `parameters` for its `?`, in order, and its `:name`; None
    where the log has no text, only `scans`. `started_at` is in UTC; `time_zone` is the
    session's IANA zone or fixed offset. `iceberg_version` is that of the library within the
    engine. Whatever the log does not say is None.

    `plan_known` tells that `scans` are all that the engine planned: the text names no more.
    `traits` says what its plan has, if that is in the log: `join`, `write` (it changes a table),
    `merge`; `effects` is what that plan shows to be done to rows that tables have.
    `traceparent` is the query's span, as W3C's Trace Context writes it. `place` tells where it
    stands in a log that has no id of it: `query_id` is then one of ours.
    """

    source: str
    query_id: str
    sql: str | None
    dialect: str
    started_at: dt.datetime | None = None
    catalog: str | None = None
    schema: str | None = None
    user: str | None = None
    engine: str | None = None
    engine_version: str | None = None
    iceberg_version: str | None = None
    time_zone: str | None = None
    parameters: tuple[Parameter, ...] = ()
    scans: tuple[ObservedScan, ...] = ()
    references: tuple[Reference, ...] = ()
    plan_known: bool = False
    traits: frozenset[str] = frozenset()
    traceparent: str | None = None
    effects: Effects = ()
    place: str | None = None


@dataclass(frozen=True, slots=True)
class ScanReport:
    """An Iceberg ScanReport: the counts of one scan without its query. The filter's shape is known,
    its literals are not: the literals in `scan.pushed` are Iceberg's placeholders.

    `location` says where the report stands. `reported_at` (UTC) is None if unknown.
    """

    source: str
    location: str
    scan: ObservedScan
    engine: str | None = None
    engine_version: str | None = None
    reported_at: dt.datetime | None = None


@dataclass(frozen=True, slots=True)
class Rejected:
    """An input that is not a readable query: its place, a stable reason code (`malformed_json`,
    `missing_sql`, …), and a message without any of its content. `inputs` is the number of inputs
    that it stands for: more than one if a log has many of a kind."""

    source: str
    location: str
    reason: str
    message: str
    query_id: str | None = None
    inputs: int = 1
