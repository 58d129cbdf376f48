"""The product's answers on conditions beside what Spark hands to Iceberg, and Iceberg's counts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Context, Decimal
from functools import cached_property
from math import inf
from typing import Any, TypeGuard

from prunescope.audit_jobs.jobs.explain import explain
from prunescope.audit_jobs.jobs.questions import Question
from prunescope.collectors.predicates.model import (
    FALSE,
    TRUE,
    And,
    BoundComparison,
    Field,
    Or,
    Predicate,
    Unsupported,
    all_of,
    any_of,
    conjuncts,
)
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.predicates.plan_text import parse_plan_filters
from prunescope.collectors.schema import Schema
from prunescope.collectors.sql.extraction.extract import extract
from prunescope.collectors.sql.planners.profiles import Planner, bind_pushed
from prunescope.collectors.sql.scopes.time_travel import CURRENT
from prunescope.collectors.sql.text.parse import parse
from prunescope.collectors.tables.catalog import Table
from tests.differential.spark.conditions import Condition

COUNTERS: Mapping[str, tuple[str, str, str]] = {
    "totalDataManifest": ("total_data_manifests", "manifests", "total"),
    "scannedDataManifests": ("scanned_data_manifests", "manifests", "kept"),
    "resultDataFiles": ("result_data_files", "data_files", "kept"),
    "totalDataFileSize": ("total_file_size_in_bytes", "bytes", "kept"),
}
"""Counters as Spark names them, as Iceberg does, and the funnel and stage that they are here."""

Counters = Mapping[str, tuple[int, int | None]]
"""Iceberg's count and the product's, which is None where it has none."""


_FLOATS = 3.5e38
_EXACT = Context(prec=60)


@dataclass(frozen=True)
class Asked:
    """A condition on a table, and what Spark makes of it: the text of the filters (None without a
    scan), and Iceberg's counters."""

    number: int
    table: str
    condition: Condition
    filters: str | None
    counters: Mapping[str, int]


@dataclass(frozen=True)
class Compared:
    """What Spark pushes, what the profile says that it does, and the counts of both; `audited` is
    the row of `scan_plans` of this very query."""

    asked: Asked
    schema: Schema
    theirs: Predicate
    ours: Predicate
    answer: Mapping[str, Any]
    audited: Mapping[str, Any] | None

    @cached_property
    def pushed(self) -> tuple[frozenset[Predicate], frozenset[Predicate]]:
        """The conjuncts that only Spark pushes, and those that only the profile does."""
        theirs, ours = _normal(self.theirs), _normal(self.ours)
        return theirs - ours, ours - theirs

    @cached_property
    def explained(self) -> Counters:
        """The counters of which Iceberg's and those of `explain` differ, with both."""
        funnels = COUNTERS.items() if self.answer["outcome"] == "replayed" else ()
        return self._different(
            {name: self.answer[funnel][stage] for name, (_, funnel, stage) in funnels}
        )

    @cached_property
    def audit(self) -> Counters:
        """The counters of which Iceberg's and the audit's differ, with both: those that it observed
        in the log, and those of its own plan."""
        row = self.audited or {}
        observed = dict(row.get("observed") or ())
        planned = {
            name: row.get(f"{funnel}_{stage}") for name, (_, funnel, stage) in COUNTERS.items()
        }
        seen = {name: observed.get(iceberg) for name, (iceberg, _, _) in COUNTERS.items()}
        return {**self._different(planned), **self._different(seen)}

    def _different(self, ours: Mapping[str, int | None]) -> Counters:
        return {
            name: (count, ours.get(name))
            for name, count in self.asked.counters.items()
            if name in COUNTERS and ours.get(name) != count
        }


def compare(
    table: Table, planner: Planner, asked: Iterable[Asked], audited: Mapping[int, Mapping[str, Any]]
) -> list[Compared]:
    """What the product answers on conditions of one table that Spark planned; `audited` are rows by
    the number of what was asked."""
    wanted = list(asked)
    schema = table.metadata.schema(None)
    questions = [
        Question(
            str(one.number),
            where=one.condition.sql,
            dialect="spark",
            time_zone=one.condition.zone,
        )
        for one in wanted
    ]
    answers = explain(table, CURRENT, questions, planner=planner)
    return [
        Compared(
            one,
            schema,
            FALSE if one.filters is None else parse_plan_filters(one.filters, schema),
            _pushed(table, schema, planner, one),
            answer,
            audited.get(one.number),
        )
        for one, answer in zip(wanted, answers, strict=True)
    ]


def _pushed(table: Table, schema: Schema, planner: Planner, asked: Asked) -> Predicate:
    zone = asked.condition.zone
    (scan,) = extract(
        parse(f"SELECT * FROM {table.name} WHERE {asked.condition.sql}", "spark"),
        dialect="spark",
        columns={table.name: schema.top_level_names},
        time_zone=zone,
        planner=planner,
    )
    assert scan.pushed is not None
    return bind_pushed(planner, scan.pushed, schema, time_zone=zone)


def _normal(predicate: Predicate) -> frozenset[Predicate]:
    """The conjuncts in one form of several that mean the same, but for null checks of structs, by
    which nothing is planned."""
    found = map(alike, conjuncts(predicate))
    return frozenset(p for p in found if p != TRUE and not isinstance(p, Unsupported))


def alike(predicate: Predicate) -> Predicate:
    """The same predicate for all ways of writing it: a list and an OR of its values, `> 5` and
    `>= 6` of whole numbers, and `!=`, which lets nulls through for Iceberg, and an OR with IS
    NULL."""
    match predicate:
        case Or(children):
            found = frozenset(map(alike, children))
            found -= {_null(leaf.field) for leaf in found if _is(leaf, Op.NOT_EQ)}
            if any(_null(leaf.field) in found for leaf in found if _is(leaf, Op.NOT_NULL)):
                return TRUE
            equal = [leaf for leaf in found if _is(leaf, Op.EQ, Op.IN)]
            if len(equal) == len(found) and len({leaf.field for leaf in equal}) == 1:
                return _listed(Op.IN, equal[0].field, [v for leaf in equal for v in leaf.values])
            return any_of(*sorted(found, key=repr))
        case And(children):
            return all_of(*sorted(frozenset(map(alike, children)), key=repr))
        case BoundComparison(op, Field(type="float") as field, (float(value),)) if value > _FLOATS:
            return BoundComparison(op, field, (inf,))
        case BoundComparison(Op.IN | Op.NOT_IN as op, field, values):
            return _listed(op, field, values)
        case BoundComparison(Op.GT, field, (value,)) if (step := _step(field)) is not None:
            return BoundComparison(Op.GT_EQ, field, (_sum(value, step),))
        case BoundComparison(Op.LT, field, (value,)) if (step := _step(field)) is not None:
            return BoundComparison(Op.LT_EQ, field, (_sum(value, -step),))
    return predicate


def _sum(value: Any, step: Any) -> Any:
    return _EXACT.add(value, step) if isinstance(value, Decimal) else value + step


def _is(predicate: Predicate, *ops: Op) -> TypeGuard[BoundComparison]:
    return isinstance(predicate, BoundComparison) and predicate.op in ops


def _null(field: Field) -> Predicate:
    return BoundComparison(Op.IS_NULL, field)


def _listed(op: Op, field: Field, values: Iterable[Any]) -> Predicate:
    found = tuple(sorted(set(values)))
    if len(found) == 1:
        op = Op.EQ if op is Op.IN else Op.NOT_EQ
    return BoundComparison(op, field, found)


def _step(field: Field) -> Any:
    """The distance of neighbours of a type."""
    if field.type in ("int", "long", "date", "timestamp", "timestamptz"):
        return 1
    if field.type.startswith("decimal"):
        return Decimal(1).scaleb(-int(field.type.rstrip(") ").split(",")[1]))
    return None
