"""Explanations of filters: the containers of a table that each pass keeps."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any

from prunescope.audit_jobs.api import html
from prunescope.audit_jobs.api.documents import answer_of, arrow_of
from prunescope.audit_jobs.api.naming import (
    CONFIG,
    Config,
    known_dialect,
    known_zone,
    open_iceberg,
    open_named,
    path_of,
    planner_named,
)
from prunescope.audit_jobs.errors import BadArgument, NotReplayed
from prunescope.audit_jobs.records import REPLAYED
from prunescope.audit_jobs.units import size

if TYPE_CHECKING:
    import pyarrow as pa
    from pyiceberg.expressions import BooleanExpression
    from pyiceberg.table import Table as IcebergTable

    from prunescope.audit_jobs.jobs.questions import Question
    from prunescope.collectors.sql.planners.profiles import Planner

_BYTES = ("bytes", "row_group_bytes", "page_bytes")
_SHOWN = ("manifests", "data_files", "row_groups", "bytes")


@dataclass(frozen=True, slots=True)
class PassCounts:
    """Numbers of one kind of containers: in the snapshot, reaching the pass, surviving it. None is
    unknown. `kept_interval` is set if `kept` is an estimate: its interval of 95 %."""

    total: int | None
    considered: int | None
    kept: int | None
    kept_interval: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class KeptCounts:
    """Numbers of containers of each kind that are kept. None is unknown."""

    manifests: int | None
    delete_manifests: int | None
    delete_files: int | None
    data_files: int | None
    row_groups: int | None
    bytes: int | None
    records: int | None
    row_group_bytes: int | None
    row_group_records: int | None
    pages: int | None
    page_bytes: int | None
    page_records: int | None


@dataclass(frozen=True, slots=True)
class FooterCounts:
    """Kept files whose footers were needed, read, left out of a sample, and could not be read."""

    needed: int
    read: int
    skipped: int
    unread: int


@dataclass(frozen=True, slots=True)
class ExplainedConjunct:
    """An AND-ed part of a filter, and the number of containers that it rules out by itself.
    `class_` is the key `class` of JSON."""

    predicate: str
    written: str | None
    class_: str
    remaining: bool
    pushed_by: Mapping[str, bool]
    manifests_pruned: int | None
    data_files_pruned: int | None
    row_groups_pruned: int | None
    reasons: Mapping[str, str]
    reason: str | None


@dataclass(frozen=True, slots=True)
class Explanation:
    """One scan, as it would be planned: docs/explain.md has each attribute, as a key of JSON.

    `kept_files` is None unless files were asked for. `more_scans` are the further ones of a query
    that scans the table more than once. `notes` concern all numbers: a planner may be newer than
    any known one.
    """

    table: str
    snapshot_id: int | None
    predicate: str
    written: str | None
    planner: str | None
    pushed: str | None
    manifests: PassCounts
    delete_manifests: PassCounts
    delete_files: PassCounts
    data_files: PassCounts
    row_groups: PassCounts
    bytes: PassCounts
    records: PassCounts
    row_group_bytes: PassCounts
    row_group_records: PassCounts
    pages: PassCounts
    page_bytes: PassCounts
    page_records: PassCounts
    potential: KeptCounts
    row_groups_by: Mapping[str, int | None]
    delete_files_by: Mapping[str, int | None]
    dangling_delete_files: Mapping[str, int | None]
    footers: FooterCounts
    spec_ids: tuple[int, ...]
    conjuncts: tuple[ExplainedConjunct, ...]
    unread: Mapping[str, int]
    kept_files: tuple[str, ...] | None = None
    more_scans: tuple[Explanation, ...] = ()
    notes: tuple[str, ...] = ()

    def to_arrow(self) -> pa.Table:
        """A row for each pass: `pass`, `total`, `considered`, `kept`. Those of `more_scans` are in
        their own tables."""
        passes = [field.name for field in fields(KeptCounts)]
        counts = arrow_of(PassCounts, [getattr(self, name) for name in passes])
        return counts.drop_columns(["kept_interval"]).add_column(0, "pass", [passes])

    def _repr_html_(self) -> str:
        """The funnel, for a notebook."""
        return "".join(_html(scan) for scan in (self, *self.more_scans))


def _html(scan: Explanation) -> str:
    parts = [
        html.paragraph(f"{scan.table}, snapshot {scan.snapshot_id}"),
        html.code(f"WHERE {scan.written or scan.predicate}"),
    ]
    if scan.written:
        parts.append(html.paragraph(f"implied range: {scan.predicate}"))
    if scan.planner is not None:
        pushed = "nothing" if scan.pushed == "TRUE" else scan.pushed
        parts.append(html.paragraph(f"{scan.planner} pushes down {pushed}"))
    numbers = ("total", "considered", "kept", "best case", "pruned")
    rows = [_row(name, getattr(scan, name), getattr(scan.potential, name)) for name in _SHOWN]
    parts.append(html.table(("pass", *numbers), rows, numbers=numbers))
    parts += map(html.paragraph, scan.notes)
    return "".join(parts)


def _row(name: str, counts: PassCounts, least: int | None) -> tuple[str, ...]:
    shown = [_count(name, count) for count in (counts.total, counts.considered, counts.kept, least)]
    return name.replace("_", " "), *shown, _share(counts)


def _count(name: str, count: int | None) -> str:
    if name in _BYTES:
        return size(count)
    return "unknown" if count is None else f"{count:,}"


def _share(counts: PassCounts) -> str:
    if counts.considered is None or counts.kept is None:
        return "unknown"
    return f"{1 - counts.kept / counts.considered:.0%}" if counts.considered else "–"


def explain(  # noqa: PLR0913  # all that an answer depends on
    table: str | IcebergTable,
    where: str | BooleanExpression | None = None,
    *,
    sql: str | None = None,
    planner: str | None = None,
    dialect: str | None = None,
    time_zone: str = "UTC",
    snapshot_id: int | None = None,
    ref: str | None = None,
    as_of: dt.datetime | None = None,
    max_footers: int | None = None,
    list_files: bool = False,
    config: Config = CONFIG,
) -> Explanation:
    """Plans one filter of a table, and counts what each pass keeps. Reads metadata only.

    Args:
        table: `catalog.namespace.table` of the configuration, or a table of PyIceberg.
        where: A SQL condition, or an expression of PyIceberg. Without one, all rows are asked for.
        sql: A whole query that reads the table, instead of `where`.
        planner: The engine that plans, such as `trino-482` or `spark-3.5/1.9.2`: with what it
            pushes down, by its rules. By default the whole filter, by the rules of the newest
            Iceberg.
        dialect: The dialect of the SQL, by default that of the planner's engine, else Trino's.
        time_zone: The session's, for times without a zone. Expressions have them in UTC.
        snapshot_id: The snapshot to plan; or
        ref: a branch or tag; or
        as_of: the snapshot that was current then. By default the current one.
        max_footers: Read about so many Parquet footers, and estimate the rest.
        list_files: Return the paths of kept files.
        config: The path of the configuration, of which catalogs and tables are used.

    Raises:
        NotReplayed: The filter cannot be parsed, names a column that there is not, …: `outcome`.
        TableNotFound, SnapshotNotFound, CatalogUnavailable, BadConfiguration, BadArgument: Nothing
            could be asked. All are a PrunescopeError.
    """
    if where is not None and sql is not None:
        raise BadArgument("give at most one of where and sql")
    if sum(one is not None for one in (snapshot_id, ref, as_of)) > 1:
        raise BadArgument("give at most one of snapshot_id, ref and as_of")
    chosen = None if planner is None else planner_named(planner)
    question = _question(where, sql, dialect or _dialect_of(chosen), time_zone)
    moment = None if as_of is None else as_of.astimezone(dt.UTC)
    if isinstance(table, str):
        opened = open_named(table, path_of(config), moment)
    else:
        opened = open_iceberg(table)

    from prunescope.audit_jobs.jobs import explain as explaining
    from prunescope.collectors.sql.planners.profiles import beyond_known
    from prunescope.collectors.sql.scopes.time_travel import Version

    [answer] = explaining.explain(
        opened,
        Version(snapshot_id, ref, moment),
        [question],
        as_of=moment,
        planner=chosen,
        list_files=list_files,
        max_footers=max_footers,
    )
    notes = () if chosen is None else beyond_known(chosen)
    return replace(explanation_of(answer), notes=notes)


def explanation_of(answer: Mapping[str, Any]) -> Explanation:
    """The explanation that an answer in JSON holds. Raises NotReplayed if it, or a further scan of
    its query, holds none."""
    for scan in (answer, *answer.get("more_scans", ())):
        if scan["outcome"] != REPLAYED:
            raise NotReplayed(scan["outcome"], scan["message"])
    return answer_of(Explanation, _named(answer))


def _named(answer: Mapping[str, Any]) -> dict[str, Any]:
    """An answer by names that Python has no other use for."""
    conjuncts = [{**part, "class_": part["class"]} for part in answer["conjuncts"]]
    more = [_named(scan) for scan in answer.get("more_scans", ())]
    return {**answer, "conjuncts": conjuncts, "more_scans": more}


def _dialect_of(planner: Planner | None) -> str:
    from prunescope.collectors.sql.dialects import dialect_named_by

    named = None if planner is None else dialect_named_by(planner.engine)
    return named or "trino"


def _question(
    where: str | BooleanExpression | None, sql: str | None, dialect: str, time_zone: str
) -> Question:
    from prunescope.audit_jobs.jobs.questions import Question

    named, zone = known_dialect(dialect), known_zone(time_zone)
    if sql is not None:
        return Question(sql=sql, dialect=named, time_zone=zone)
    if where is None or isinstance(where, str):
        return Question(where="TRUE" if where is None else where, dialect=named, time_zone=zone)

    from prunescope.collectors.errors import QueryError
    from prunescope.collectors.predicates.expression_json import parse_expression

    try:
        # PyIceberg writes times with a zone without it, in UTC.
        return Question(expression=parse_expression(json.loads(where.model_dump_json())))
    except QueryError as error:
        raise NotReplayed(error.code, str(error)) from error
