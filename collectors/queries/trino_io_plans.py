"""Results of Trino's EXPLAIN (TYPE IO, FORMAT JSON): the domains that it pushes to each table
(io.trino.sql.planner.planprinter.IoPlanPrinter, Trino 482)."""

from __future__ import annotations

import datetime as dt
import json
import re
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation
from typing import Any

from collectors.predicates.instants import parse_date, parse_timestamp
from collectors.predicates.model import (
    FALSE,
    Column,
    Comparison,
    LiteralValue,
    Op,
    Predicate,
    Reason,
    Unsupported,
    all_of,
    any_of,
)
from collectors.queries.instants import parse_instant
from collectors.queries.json_input import UnreadableInput, decode_object, text
from collectors.queries.observed import ObservedQuery, ObservedScan, Rejected, TableName
from collectors.queries.reading import MAX_LINE, read_lines
from collectors.tables.storage import Storage

SOURCE = "trino_io_plans"

_BASE_TYPE = re.compile(r"[a-z ]+")


def read_plans(path: str, storage: Storage) -> Iterator[ObservedQuery | Rejected]:
    """The plans in a file: JSON lines, or, as Trino prints them, one document over many lines."""
    document = bytearray()
    for location, line in read_lines(path, storage, SOURCE):
        if isinstance(line, Rejected):
            yield line
        elif document or line.rstrip() == b"{":
            document += line
            if len(document) > MAX_LINE:
                message = f"longer than {MAX_LINE} bytes"
                yield Rejected(SOURCE, path, "line_too_long", message)
                return
        else:
            yield from_json(line, location)
    if document:
        yield from_json(bytes(document), path)


def from_json(line: str | bytes, location: str) -> ObservedQuery | Rejected:
    """The query whose plan a JSON object is: the plan itself, or an envelope with it (or its
    text) in `plan`, and `query_id`, `started_at`, `user`. Never raises for what a line holds.

    Reasons of a Rejected: `malformed_json`, `malformed_plan`.
    """
    try:
        document = decode_object(line, not_an_object="malformed_plan")
        return ObservedQuery(
            source=SOURCE,
            query_id=text(document.get("query_id")) or location,
            sql=None,
            dialect="trino",
            started_at=parse_instant(document.get("started_at")),
            user=text(document.get("user")),
            engine="trino",
            time_zone="UTC",
            scans=tuple(_scan(entry) for entry in _tables(document)),
            plan_known=True,
        )
    except UnreadableInput as error:
        return Rejected(SOURCE, location, error.code, str(error))


def _tables(document: dict[str, Any]) -> list[Any]:
    plan = document.get("plan", document)
    if isinstance(plan, str):
        plan = decode_object(plan, not_an_object="malformed_plan")
    tables = plan.get("inputTableColumnInfos") if isinstance(plan, dict) else None
    if not isinstance(tables, list):
        raise UnreadableInput(
            "malformed_plan",
            "there is no 'inputTableColumnInfos'; expected EXPLAIN (TYPE IO, FORMAT JSON)",
        )
    return tables


def _scan(entry: Any) -> ObservedScan:
    match entry:
        case {"table": {"catalog": str(catalog), "schemaTable": {"schema": s, "table": t}}}:
            name = TableName(catalog, (str(s),), str(t))
        case _:
            raise UnreadableInput("malformed_plan", "an input of the plan names no table")
    constraint = entry.get("constraint")
    if isinstance(constraint, dict) and constraint.get("none") is True:
        return ObservedScan(name, None, {}, pushed=FALSE)
    columns = (constraint if isinstance(constraint, dict) else entry).get("columnConstraints")
    parts = [_column(column) for column in (columns if isinstance(columns, list) else ())]
    return ObservedScan(name, None, {}, pushed=all_of(*parts))


def _column(constraint: Any) -> Predicate:
    match constraint:
        case {"columnName": str(name), "type": kind, "domain": {"ranges": list(ranges), **domain}}:
            column = Column((name,))
        case _:
            raise UnreadableInput("malformed_plan", "a column constraint of the plan is malformed")
    try:
        base = _base_type(kind)
        values = any_of(*(_range(column, base, part) for part in ranges))
        points = [p.values[0] for p in _parts(values) if _is_point(p)]
        if len(points) > 1 and len(points) == len(ranges):
            values = Comparison(Op.IN, column, tuple(points))
    except (ValueError, InvalidOperation, TypeError, KeyError):
        shown = f"domain of {name}"
        return Unsupported(Reason.NOT_CONSTANT, shown, shown, (name,))
    if domain.get("nullsAllowed") is True:
        return any_of(values, Comparison(Op.IS_NULL, column))
    return values


def _parts(predicate: Predicate) -> tuple[Any, ...]:
    return getattr(predicate, "children", (predicate,))


def _is_point(part: Any) -> bool:
    return isinstance(part, Comparison) and part.op is Op.EQ


def _base_type(kind: Any) -> str:
    """The name of a type without its parameters; types can be objects in old versions."""
    name = kind if isinstance(kind, str) else json.dumps(kind)
    found = _BASE_TYPE.match(re.sub(r"\([^)]*\)", "", name.lower()))
    if found is None:
        raise ValueError("no type")
    return found[0].strip()


def _range(column: Column, base: str, part: Any) -> Predicate:
    """One range of a domain; ABOVE a low value and BELOW a high one leave the value out."""
    low, high = part["low"], part["high"]
    if not isinstance(low, dict) or not isinstance(high, dict):
        raise TypeError("a bound is no object")
    bounds = []
    if low.get("value") is not None:
        op = Op.GT_EQ if low["bound"] == "EXACTLY" else Op.GT
        bounds.append(Comparison(op, column, (_value(low["value"], base),)))
    if high.get("value") is not None:
        op = Op.LT_EQ if high["bound"] == "EXACTLY" else Op.LT
        bounds.append(Comparison(op, column, (_value(high["value"], base),)))
    if len(bounds) == 2 and bounds[0].values == bounds[1].values:
        return Comparison(Op.EQ, column, bounds[0].values)
    return all_of(*bounds) if bounds else Comparison(Op.NOT_NULL, column)


def _value(value: Any, base: str) -> LiteralValue:
    """A bound as Trino casts it to varchar. Raises ValueError for types that are not read."""
    printed = str(value)
    match base:
        case "boolean":
            return {"true": True, "false": False}[printed.lower()]
        case "tinyint" | "smallint" | "integer" | "bigint":
            return int(printed)
        case "decimal":
            return Decimal(printed)
        case "double" | "real":
            return float(printed)
        case "varchar" | "char":
            return printed
        case "uuid":
            return printed
        case "date":
            return _known(parse_date(printed))
        case "time":
            return dt.time.fromisoformat(printed)
        case "timestamp" | "timestamp with time zone":
            return _known(parse_timestamp(printed))
    raise ValueError(base)


def _known(value: LiteralValue | None) -> LiteralValue:
    if value is None:
        raise ValueError("no such time")
    return value
