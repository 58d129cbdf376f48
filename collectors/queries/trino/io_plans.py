"""Results of Trino's EXPLAIN (TYPE IO, FORMAT JSON): the domains that it pushes to each table
(io.trino.sql.planner.planprinter.IoPlanPrinter, Trino 482)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from prunescope.collectors.observed import ObservedQuery, ObservedScan, Rejected, TableName
from prunescope.collectors.outcomes import Outcome
from prunescope.collectors.predicates.model import (
    FALSE,
    Column,
    Comparison,
    Predicate,
    Reason,
    Unsupported,
    all_of,
    any_of,
)
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.queries.instants import told_instant
from prunescope.collectors.queries.json_input import (
    UnreadableInput,
    decode_object,
    identifier,
    text,
)
from prunescope.collectors.queries.reading import read_json_lines
from prunescope.collectors.queries.trino.values import UnreadableValue, read_value
from prunescope.collectors.storage.files import Storage

SOURCE = "trino_io_plans"


def read_plans(path: str, storage: Storage) -> Iterator[ObservedQuery | Rejected]:
    """The plans in a file, one a line or as Trino prints them, over several lines."""
    return read_json_lines(path, storage, SOURCE, from_json)


def from_json(line: str | bytes, location: str) -> ObservedQuery | Rejected:
    """The query whose plan a JSON object is: the plan itself, or an envelope with it (or its
    text) in `plan`, and `query_id`, `started_at`, `user`. Never raises for what a line holds.

    Domains of types whose values are not printed exactly become Unsupported, as do those of
    columns that are named twice: IcebergMetadata.getColumnMetadata names a nested field without
    the fields around it.

    Reasons of a Rejected: `malformed_json`, `malformed_plan`.
    """
    try:
        document = decode_object(line, not_an_object=Outcome.MALFORMED_PLAN)
        scans = tuple(_scan(entry) for entry in _tables(document))
        started_at = told_instant(
            document.get("started_at"), "started_at", malformed=Outcome.MALFORMED_PLAN
        )
    except UnreadableInput as error:
        return Rejected(SOURCE, location, error.code, str(error))
    query_id = identifier(document.get("query_id"))
    return ObservedQuery(
        source=SOURCE,
        query_id=query_id or location,
        place=None if query_id else location,
        sql=None,
        dialect="trino",
        started_at=started_at,
        user=text(document.get("user")),
        engine="trino",
        scans=scans,
        plan_known=True,
    )


def _tables(document: dict[str, Any]) -> list[Any]:
    plan = document.get("plan", document)
    if isinstance(plan, str):
        plan = decode_object(plan, not_an_object=Outcome.MALFORMED_PLAN)
    tables = plan.get("inputTableColumnInfos") if isinstance(plan, dict) else None
    if not isinstance(tables, list):
        raise _malformed("there is no 'inputTableColumnInfos'")
    return tables


def _scan(entry: Any) -> ObservedScan:
    match entry:
        case {"table": {"catalog": catalog, "schemaTable": {"schema": schema, "table": table}}}:
            names = text(catalog), text(schema), text(table)
        case _:
            names = None, None, None
    match names:
        case str(catalog), str(schema), str(table):
            return ObservedScan(
                TableName(catalog, (schema,), table), None, {}, pushed=_filter(entry)
            )
    raise _malformed("an input names no table")


def _filter(entry: dict[str, Any]) -> Predicate:
    """The conjunction of an input's domains; old versions have them without `constraint`
    around."""
    constraint = entry.get("constraint", entry)
    if isinstance(constraint, dict) and constraint.get("none") is True:
        return FALSE
    columns = constraint.get("columnConstraints") if isinstance(constraint, dict) else None
    if not isinstance(columns, list):
        raise _malformed("an input has no 'columnConstraints'")
    named = [(_column_name(column), column) for column in columns]
    times = Counter(name for name, _ in named)
    return all_of(
        *(_domain(name, column) if times[name] == 1 else _unread(name) for name, column in named)
    )


def _column_name(constraint: Any) -> str:
    name = text(constraint.get("columnName")) if isinstance(constraint, dict) else None
    if name is None:
        raise _malformed("a column constraint names no column")
    return name


def _domain(name: str, constraint: dict[str, Any]) -> Predicate:
    domain = constraint.get("domain")
    # Old versions call the type `typeSignature`.
    kind = text(constraint.get("type")) or text(constraint.get("typeSignature"))
    match domain:
        case {"nullsAllowed": bool(nulls_allowed), "ranges": list(ranges)} if kind is not None:
            column = Column((name,))
        case _:
            return _unread(name)
    try:
        parts = [_range(column, kind, part) for part in ranges]
    except UnreadableValue:
        return _unread(name)
    points = [p.values[0] for p in parts if isinstance(p, Comparison) and p.op is Op.EQ]
    if len(points) == len(parts) > 1:
        parts = [Comparison(Op.IN, column, tuple(points))]
    if nulls_allowed:
        parts.append(Comparison(Op.IS_NULL, column))
    return any_of(*parts)


def _range(column: Column, kind: str, part: Any) -> Predicate:
    """One range. Of a bound without a value there is none; ABOVE a low value and BELOW a high
    one leave the value itself out."""
    match part:
        case {"low": {"bound": str(above), **low}, "high": {"bound": str(below), **high}}:
            first, last = low.get("value"), high.get("value")
        case _:
            raise UnreadableValue
    bounds = []
    if first is not None:
        op = {"EXACTLY": Op.GT_EQ, "ABOVE": Op.GT}.get(above)
        bounds.append(_bound(op, column, kind, first))
    if last is not None:
        op = {"EXACTLY": Op.LT_EQ, "BELOW": Op.LT}.get(below)
        bounds.append(_bound(op, column, kind, last))
    match bounds:
        case []:
            return Comparison(Op.NOT_NULL, column)
        case [Comparison(Op.GT_EQ, _, values), Comparison(Op.LT_EQ, _, same)] if values == same:
            return Comparison(Op.EQ, column, values)
    return all_of(*bounds)


def _bound(op: Op | None, column: Column, kind: str, value: object) -> Comparison:
    if op is None or not isinstance(value, str):
        raise UnreadableValue
    return Comparison(op, column, (read_value(value, kind),))


def _unread(name: str) -> Unsupported:
    shown = f"domain of {name}"
    return Unsupported(Reason.NOT_CONSTANT, shown, shown, (name,))


def _malformed(problem: str) -> UnreadableInput:
    return UnreadableInput(
        Outcome.MALFORMED_PLAN,
        f"{problem}; expected the result of EXPLAIN (TYPE IO, FORMAT JSON)",
    )
