"""The spans of tables and passes: made on the driver from what tasks tell of themselves."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from opentelemetry import trace
from opentelemetry.trace import Link

from prunescope.audit_jobs.planning.driver import Replay
from prunescope.audit_jobs.planning.effort import Contexts
from prunescope.audit_jobs.planning.timing import (
    MANIFEST,
    MANIFEST_LIST,
    METADATA_KINDS,
    ROW_GROUP,
    TIMED,
    PassTiming,
)
from prunescope.audit_jobs.spans import Attributes, remote_context, tracer
from prunescope.collectors.observed import TableName

MAX_LINKS = 100
"""Queries that a table's span is linked with; an SDK keeps 128 by default."""

_COUNTS = {
    MANIFEST_LIST: ("manifests_kept",),
    MANIFEST: ("data_files_considered", "data_files_kept"),
    ROW_GROUP: ("row_groups_considered", "row_groups_kept"),
}


@dataclass(slots=True)
class _Table:
    name: TableName
    snapshots: set[int]
    scans: int
    sums: Counter[str]
    timings: dict[str, list[PassTiming]] = field(default_factory=lambda: defaultdict(list))
    error: str | None = None


def record_passes(
    names: Mapping[str, TableName],
    scans: Mapping[str, int],
    contexts: Contexts,
    replay: Replay,
    queries: Mapping[TableName, Iterable[str]],
) -> None:
    """Records a span `table` for each table that was worked on, and below it one for each pass,
    with the times that tasks noted: from the first that took the table up until the last was
    done. `names` and `scans` have the tables, and how many distinct scans they have, by the text
    that names them in contexts, `queries` the traceparents of queries that read them: their spans
    are linked.

    Counts are sums over the distinct scans that were planned.
    """
    tables = {
        name: _Table(
            names[name],
            {id_ for context in of_table.values() for id_ in context.snapshots},
            scans[name],
            replay.sums.get(name, Counter()),
        )
        for name, of_table in contexts.items()
    }
    for task in replay.tasks:
        for timing in task.timings:
            tables[timing.table].timings[timing.name].append(timing)
    for failure in replay.failures:
        if failure.table in tables:
            tables[failure.table].error = failure.why.code
    for table in tables.values():
        if table.timings:
            _record(table, queries.get(table.name, ()))


def _record(table: _Table, queries: Iterable[str]) -> None:
    every = [timing for found in table.timings.values() for timing in found]
    span = tracer().start_span(
        "table",
        context=remote_context(every[0].traceparent),
        start_time=min(timing.started for timing in every),
        attributes=_identity(table),
        links=_links(queries),
    )
    if table.error is not None:
        span.set_attribute("error.type", table.error)
        span.set_status(trace.StatusCode.ERROR, table.error)
    of_table = trace.set_span_in_context(span)
    for name in TIMED:
        timings = table.timings.get(name)
        if timings:
            child = tracer().start_span(
                name,
                context=of_table,
                start_time=min(timing.started for timing in timings),
                attributes={
                    "prunescope.tasks": len(timings),
                    f"prunescope.{METADATA_KINDS[name]}": sum(t.containers for t in timings),
                    **{f"prunescope.{count}": table.sums[count] for count in _COUNTS[name]},
                },
            )
            child.end(max(timing.ended for timing in timings))
    span.end(max(timing.ended for timing in every))


def _identity(table: _Table) -> Attributes:
    name = table.name
    attributes: dict[str, str | int] = {
        "db.system.name": "iceberg",
        "db.namespace": ".".join([*([name.catalog] if name.catalog else []), *name.namespace]),
        "db.collection.name": name.table,
        "iceberg.table.name": str(name),
        "prunescope.snapshots": len(table.snapshots),
        "prunescope.scans": table.scans,
    }
    if len(table.snapshots) == 1:
        (attributes["iceberg.snapshot.id"],) = table.snapshots
    return attributes


def _links(queries: Iterable[str]) -> list[Link]:
    contexts = (
        trace.get_current_span(remote_context(parent)).get_span_context()
        for parent in dict.fromkeys(queries)
    )
    return [Link(context) for context in contexts if context.is_valid][:MAX_LINKS]
