"""Withholding the rows of single tables from a run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial

import pyarrow as pa
import pyarrow.compute as pc

from prunescope.audit_jobs.findings.model import Finding
from prunescope.audit_jobs.records import REPLAYED
from prunescope.audit_jobs.results.keys import inputs_of
from prunescope.audit_jobs.results.result import AuditResult
from prunescope.audit_jobs.results.rows import ScanRows
from prunescope.audit_jobs.results.sums import (
    Parts,
    RunSums,
    TableKey,
    key_of,
    merged,
    parts_of,
    run_sums,
)
from prunescope.audit_jobs.status import Status
from prunescope.collectors.outcomes import Outcome

_STAY = {
    *("run_id", "window_start", "window_end", *TableKey._fields),
    *("scan_key", "source", "location", "query_id", "query_outcome", "inputs", "outcome"),
    *("message", "engine", "engine_version", "planner", "user", "started_at", "fingerprint"),
}
"""The columns of scan_plans that tell nothing of a table's metadata."""


def set_aside(result: AuditResult, tables: Mapping[TableKey, str]) -> AuditResult:
    """The result without the results for some tables, each with a message that gives the reason.
    Their queries keep a row, with the outcome SET_ASIDE, so that every input still has one outcome.
    """
    if not tables:
        return result
    found = result.rows.each(partial(_counted, tables=tables))
    moved = sum(inputs for inputs, _ in found)
    sums = [parts for _, parts in found if parts is not None]
    of_run = run_sums(merged(sums)) if sums else RunSums()
    queries = Counter(result.run.queries)
    queries.subtract({REPLAYED: moved})
    queries.update({Outcome.SET_ASIDE: moved})
    run = replace(
        result.run,
        status=Status.PARTIAL,
        queries={outcome: count for outcome, count in queries.items() if count},
        tables=len(of_run.tables),
        tables_set_aside={
            **result.run.tables_set_aside,
            **{str(name): message for name, message in tables.items()},
        },
    )
    return replace(
        result,
        run=run,
        rows=result.rows.changed(partial(_without, tables=tables)),
        sums=of_run,
        health=tuple(health for health in result.health if key_of(health.table) not in tables),
        findings=_of_others(result.findings, tables),
        small_findings=_of_others(result.small_findings, tables),
    )


def _of_others(findings: Iterable[Finding], tables: Mapping[TableKey, str]) -> tuple[Finding, ...]:
    return tuple(found for found in findings if key_of(found.table) not in tables)


def _counted(
    parts: Iterable[ScanRows], tables: Mapping[TableKey, str]
) -> Iterator[tuple[int, Parts | None]]:
    """The number of inputs whose outcome changes, and the sums of the remaining rows."""
    moved = 0
    sums: Parts | None = None
    for part in parts:
        stripped = _stripped(part, tables)
        moved += len(_moved(stripped.scan_plans))
        more = parts_of(_told(stripped).scan_plans)
        sums = more if sums is None else merged((sums, more))
    yield moved, sums


def _without(part: ScanRows, tables: Mapping[TableKey, str]) -> ScanRows:
    return _told(_stripped(part, tables))


def of_table(scan_plans: pa.Table, key: TableKey) -> pa.ChunkedArray:
    """Mask of the rows about a table."""
    found = [
        pc.is_null(scan_plans[name])
        if value is None
        else pc.fill_null(pc.equal(scan_plans[name], value), False)
        for name, value in key._asdict().items()
    ]
    return pc.and_(pc.and_(found[0], found[1]), found[2])


def _stripped(part: ScanRows, tables: Mapping[TableKey, str]) -> ScanRows:
    plans = part.scan_plans
    why = pa.nulls(len(plans), pa.large_string())
    for name, message in tables.items():
        why = pc.if_else(of_table(plans, name), message, why)
    about = pc.is_valid(why)
    if not pc.any(about).as_py():
        return part
    lost = pc.and_(about, pc.equal(plans["outcome"], REPLAYED))
    columns = {}
    for name in plans.column_names:
        values = plans[name]
        if name == "outcome":
            values = pc.if_else(lost, Outcome.SET_ASIDE, values)
        elif name == "message":
            values = pc.if_else(lost, why, values)
        elif name not in _STAY:
            values = _emptied(values, about)
        columns[name] = values
    hidden = plans["scan_key"].filter(about)
    shown = pc.invert(pc.is_in(part.conjuncts["scan_key"], hidden.combine_chunks()))
    return replace(
        part,
        scan_plans=pa.table(columns, schema=plans.schema),
        conjuncts=part.conjuncts.filter(shown),
    )


def _emptied(values: pa.ChunkedArray, about: pa.ChunkedArray) -> pa.ChunkedArray:
    """The values, null for the rows in the mask `about`."""
    places = pc.if_else(about, None, pa.array(range(len(values)), pa.int64()))
    return values.take(places)


def _moved(scan_plans: pa.Table) -> pa.Array:
    """The replayed inputs with a scan that is set aside."""
    about = pc.and_(
        pc.equal(scan_plans["outcome"], Outcome.SET_ASIDE),
        pc.equal(scan_plans["query_outcome"], REPLAYED),
    )
    return pc.unique(inputs_of(scan_plans["scan_key"].filter(about)))


def _told(part: ScanRows) -> ScanRows:
    """The part with the new outcome of inputs with a scan that is set aside: a part has all rows of
    each input."""
    plans = part.scan_plans
    those = pc.is_in(inputs_of(plans["scan_key"]), _moved(plans))
    outcomes = pc.if_else(those, Outcome.SET_ASIDE, plans["query_outcome"])
    place = plans.column_names.index("query_outcome")
    field = plans.schema.field(place)
    return replace(part, scan_plans=plans.set_column(place, field, outcomes))
