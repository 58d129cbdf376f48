"""A column that is compared as another type than it has: text with dates, above all.

The engine converts every value of the column, so the planner gets nothing. Tables that came from
Hive have such columns: its partition values were text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from prunescope.audit_jobs.findings.added_conditions import with_its_place
from prunescope.audit_jobs.findings.building import of_group
from prunescope.audit_jobs.findings.cause import Cause
from prunescope.audit_jobs.findings.condition import Condition, columns_in
from prunescope.audit_jobs.findings.engines import dialect_for, identifier, sql_of
from prunescope.audit_jobs.findings.model import Confidence, Finding, Fix
from prunescope.audit_jobs.findings.opaque import named, opaque_conditions, partition_fields
from prunescope.audit_jobs.findings.parsed_texts import way_out_of_parsed
from prunescope.audit_jobs.findings.partition_values import (
    as_far_as_planned,
    as_values_tell,
    is_told_by_values,
)
from prunescope.audit_jobs.findings.usage import Group, TableUsage
from prunescope.collectors.predicates.model import Reason
from prunescope.collectors.predicates.render import render

_ID = "type_mismatch"

_LITERALS = {
    "dates": re.compile(
        r" DATE '| AS DATE\)|\b(TO_)?DATE\w*\(|\bFROM_ISO8601_DATE\(|\bTRUNC\("
        r"|\b(EXTRACT|YEAR\w*|QUARTER|MONTH\w*|WEEK\w*|DAY\w*|LAST_DAY\w*|NEXT_DAY|ADD_MONTHS)\(",
        re.IGNORECASE,
    ),
    "timestamps": re.compile(r" TIMESTAMP '| AS TIMESTAMP\b", re.IGNORECASE),
}
_SORTS = {"dates": "2026-01-31", "timestamps": "2026-01-31 00:00:00"}
"""Forms of text that sort as the values for which they stand."""
NUMBERS = "numbers"
_TO_NUMBER = re.compile(r"CAST\(.* AS (?:INT|INTEGER|BIGINT|DECIMAL|DOUBLE)\b", re.IGNORECASE)
_NUMBER = re.compile(r"(?:[=<>]|\bIN \(|\bBETWEEN) ?-?[0-9]", re.IGNORECASE)
_OF_TYPE: dict[str | None, str] = {
    "string": "'…'",
    "date": "DATE '2026-01-31'",
    "timestamp": "TIMESTAMP '2026-01-31 00:00:00'",
    "timestamptz": "TIMESTAMP '2026-01-31 00:00:00 UTC'",
}
"""Forms of the literals of some types."""


def find(usage: TableUsage) -> Iterator[Finding]:
    """One finding per group, for columns of one type that are compared with one other type: those
    of year, month and day go together."""
    for group in usage.groups:
        found: dict[tuple[str | None, str], list[Condition]] = {}
        for columns, conditions in opaque_conditions(usage, group, [Reason.TYPE_MISMATCH]):
            kinds = _type(usage, columns[0]), _compared_with(conditions[0])
            found.setdefault(kinds, []).extend(conditions)
        for (kind, other), conditions in found.items():
            finding = _of_columns(usage, group, conditions, kind, other)
            finding = as_values_tell(usage, group, finding, conditions)
            yield as_far_as_planned(usage, group, finding)


def _type(usage: TableUsage, column: str) -> str | None:
    found = usage.schema.by_path((column,))
    return found[0].type if len(found) == 1 else None


def _of_columns(
    usage: TableUsage, group: Group, conditions: list[Condition], kind: str | None, other: str
) -> Finding:
    partition = partition_fields(usage, conditions)
    columns = columns_in(conditions)
    column = identifier(group, columns[0])
    parsed = way_out_of_parsed(" AND ".join(map(sql_of, conditions)), column, dialect_for(group))
    advice = _advice(column, kind, other) if parsed is None else parsed[1]
    return of_group(
        usage,
        group,
        _ID,
        confidence=Confidence.HIGH,
        conjunct=" AND ".join(c.text for c in conditions),
        columns=columns,
        lost_at="manifests" if partition else "data_files",
        sentence=(
            f"The filter compares {named(usage, columns)}, of type {kind or 'nested'}, with "
            f"{other}: the engine casts the column and pushes nothing down."
        ),
        bytes_at_stake=None,
        evidence={
            "partition_fields": partition,
            "column_type": kind,
            "conditions": len(conditions),
        },
        fix=Fix(advice=with_its_place(advice, group, columns[:1])),
    )


def _compared_with(condition: Condition) -> str:
    text = render(condition.predicate)
    if _TO_NUMBER.search(text):
        return NUMBERS
    marked = (name for name, mark in _LITERALS.items() if mark.search(text))
    return next(marked, NUMBERS if _NUMBER.search(text) else "values of another type")


def _advice(column: str, kind: str | None, other: str) -> str:
    if kind == "string" and other == NUMBERS:
        return (
            f"Compare text with text, {column} = '…', written as the values are: where "
            "they are padded with zeros, '03' is not '3'. Ranges of numbers are ranges of text "
            "only where all are of one length."
        )
    if kind == "string" and other in _SORTS:
        text = _SORTS[other]
        return (
            f"If it is always written as {text}, text sorts as {other} do: compare it "
            f"with text, such as {column} >= '{text}'. A partition column of the right type "
            "serves every way of writing the condition."
        )
    named = "" if kind is None else f", {kind}"
    example = f", such as {_OF_TYPE[kind]}" if kind in _OF_TYPE else ""
    return f"Compare {column} with literals of its own type{named}{example}."


def _is_told(_group: Group, condition: Condition) -> bool:
    return is_told_by_values(condition, [Reason.TYPE_MISMATCH])


CAUSE = Cause(_ID, "Implicit cast of a column", find, of_condition=_is_told)
