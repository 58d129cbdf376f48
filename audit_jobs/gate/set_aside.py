"""Withholding the rows of single tables from a run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

import pyarrow as pa
import pyarrow.compute as pc

from audit_jobs.records import REPLAYED
from audit_jobs.results.result import AuditResult
from audit_jobs.results.rows import ScanRows
from audit_jobs.results.sums import TableKey, key_of, summed

SET_ASIDE = "set_aside"
"""The outcome of a scan of a table whose rows are withheld."""

_STAY = {
    *("run_id", "window_start", "window_end", *TableKey._fields),
    *("scan_key", "source", "location", "query_id", "query_outcome", "inputs", "outcome"),
    *("message", "engine", "engine_version", "planner", "user", "started_at", "fingerprint"),
}
"""The columns of scan_plans that tell nothing of a table's metadata."""


def set_aside(result: AuditResult, tables: Mapping[TableKey, str]) -> AuditResult:
    """The result without what it found of some tables, each with a message that says why. Their
    queries keep a row, with the outcome SET_ASIDE, so that every input still has one outcome."""
    if not tables:
        return result
    stripped = [_stripped(part, tables) for part in result.rows]
    moved = _moved([part.scan_plans for part in stripped])
    rows = tuple(replace(part, scan_plans=_told(part.scan_plans, moved)) for part in stripped)
    queries = Counter(result.run.queries)
    queries.subtract({REPLAYED: len(moved)})
    queries.update({SET_ASIDE: len(moved)})
    sums = summed(part.scan_plans for part in rows)
    run = replace(
        result.run,
        status="partial",
        queries={outcome: count for outcome, count in queries.items() if count},
        tables=len(sums.tables),
        tables_set_aside={
            **result.run.tables_set_aside,
            **{str(name): message for name, message in tables.items()},
        },
    )
    return replace(
        result,
        run=run,
        rows=rows,
        sums=sums,
        health=tuple(health for health in result.health if key_of(health.table) not in tables),
        findings=tuple(found for found in result.findings if key_of(found.table) not in tables),
    )


def inputs_of(scan_keys: pa.ChunkedArray) -> pa.ChunkedArray:
    """The inputs of rows: queries have a row per scan (`12/0`), other inputs one."""
    return pc.replace_substring_regex(scan_keys, r"^(\d+)/.*$", r"\1")


def of_table(scan_plans: pa.Table, key: TableKey) -> pa.ChunkedArray:
    """Which rows are about a table."""
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
            values = pc.if_else(lost, SET_ASIDE, values)
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
    """Without those of some rows."""
    places = pc.if_else(about, None, pa.array(range(len(values)), pa.int64()))
    return values.take(places)


def _moved(scan_plans: Sequence[pa.Table]) -> pa.Array:
    """The inputs that were replayed, and of which a scan is set aside."""
    found = [
        inputs_of(
            plans["scan_key"].filter(
                pc.and_(
                    pc.equal(plans["outcome"], SET_ASIDE),
                    pc.equal(plans["query_outcome"], REPLAYED),
                )
            )
        )
        for plans in scan_plans
    ]
    chunks = [chunk for column in found for chunk in column.chunks]
    return (
        pc.unique(pa.chunked_array(chunks, pa.large_string()))
        if chunks
        else pa.array([], pa.large_string())
    )


def _told(scan_plans: pa.Table, moved: pa.Array) -> pa.Table:
    """With the outcome of inputs of which a scan is set aside."""
    those = pc.is_in(inputs_of(scan_plans["scan_key"]), moved)
    outcomes = pc.if_else(those, SET_ASIDE, scan_plans["query_outcome"])
    place = scan_plans.column_names.index("query_outcome")
    return scan_plans.set_column(place, scan_plans.schema.field(place), outcomes)
