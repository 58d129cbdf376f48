"""The product's answers on scans beside what Trino makes of them."""

from __future__ import annotations

import datetime as dt
import math
import struct
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property
from typing import Any

import numpy as np

from prunescope.audit_jobs.jobs.explain import explain
from prunescope.audit_jobs.jobs.questions import Question
from prunescope.audit_jobs.pruning.conjunct_classes import ENFORCED, UNENFORCED, UNSUPPORTED
from prunescope.collectors.predicates.bind import bind
from prunescope.collectors.predicates.column_domains import MAX_RANGES, Domains, domains_of, spanned
from prunescope.collectors.predicates.domains import Domain, Range, intersection, union
from prunescope.collectors.predicates.model import (
    And,
    BoundComparison,
    Or,
    Predicate,
    Unsupported,
    conjuncts,
)
from prunescope.collectors.predicates.render import render
from prunescope.collectors.schema import Schema
from prunescope.collectors.sql.extraction.extract import condition
from prunescope.collectors.sql.planners.profiles import as_expression, bind_pushed, planner_of
from prunescope.collectors.sql.scopes.time_travel import CURRENT
from prunescope.collectors.tables.catalog import Table
from tests.differential.trino.conditions import Condition
from tests.differential.trino.engine import VERSION, Scan
from tests.differential.trino.engine import Domains as TrinoDomains

PLANNER = planner_of("trino", VERSION)
assert PLANNER is not None

ColumnDomains = Mapping[str, Domain]
"""The domain of each column that a scan limits, by the column's dotted name."""


@dataclass(frozen=True)
class Compared:
    """One scan as Trino plans it (None where it plans no scan at all), and as the product does."""

    table: str
    condition: Condition
    theirs: Scan | None
    answer: Mapping[str, Any]
    whole: Predicate
    pushed: ColumnDomains | None
    schema: Schema
    types: Mapping[str, str]
    required: frozenset[str]
    identities: frozenset[str]

    @property
    def failure(self) -> str | None:
        """Why the product has no answer."""
        return None if self.answer["outcome"] == "replayed" else self.answer["message"]

    @cached_property
    def files(self) -> tuple[int, int]:
        """How many files Trino alone reads, and the product alone keeps."""
        theirs = frozenset(self.theirs.files if self.theirs else ())
        ours = frozenset(self.answer.get("kept_files", ()))
        return len(theirs - ours), len(ours - theirs)

    @cached_property
    def domains(self) -> dict[str, tuple[Domain | None, Domain | None]]:
        """The columns of which Trino's domain and the product's differ, with both. The column ""
        stands for a filter that lets nothing through."""
        theirs = self.their_domains
        ours = None if self.pushed is None else self._known(self.pushed)
        if theirs is None or ours is None:
            return {} if theirs is ours else {"": (None, None)}
        names = {*theirs, *ours}
        pairs = {name: (theirs.get(name), ours.get(name)) for name in sorted(names)}
        return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}

    @cached_property
    def claimed(self) -> frozenset[str]:
        """The columns of which the product's domain lets less through than Trino's."""
        return frozenset(
            name
            for name, (theirs, ours) in self.domains.items()
            if self._is_claim(name, theirs, ours)
        )

    def _is_claim(self, name: str, theirs: Domain | None, ours: Domain | None) -> bool:
        if name == "":
            return self.their_domains is not None
        if theirs is None or ours is None:
            return ours is not None
        kind = self.types[name]
        return _plain(kind, union([ours, theirs])) != _plain(kind, ours)

    @cached_property
    def their_domains(self) -> ColumnDomains | None:
        """The domains that Trino's connector took."""
        if self.theirs is None or self.theirs.enforced is None or self.theirs.unenforced is None:
            return None
        by_column: dict[str, list[Domain]] = {}
        for part in (self.theirs.enforced, self.theirs.unenforced):
            for name, domain in _domains(part):
                by_column.setdefault(name, []).append(domain)
        found = {name: intersection(domains) for name, domains in by_column.items()}
        return self._known(found)

    def _known(self, found: ColumnDomains) -> ColumnDomains | None:
        """The domains in one form, without those that hold of every value; a required column is
        never null, though Trino pushes that it may be."""
        plain = {
            name: replace(domain, nulls=domain.nulls and name not in self.required)
            for name, domain in (
                (name, _plain(self.types[name], domain)) for name, domain in found.items()
            )
        }
        if any(domain.is_empty for domain in plain.values()):
            return None
        return {
            name: domain
            for name, domain in plain.items()
            if not domain.is_everything and not (name in self.required and domain.is_null_check)
        }

    @cached_property
    def classes(self) -> dict[str, tuple[str, str]]:
        """The conjuncts of which Trino's class and the product's differ, with both. A conjunct
        counts as enforced for Trino if no column of it is filtered above the scan, otherwise as
        unenforced if the connector took a domain of one of them, else as unsupported. Scans with
        another filter further up, where columns are no longer known by name, are left out."""
        if self.theirs is None or self.pushed is None or self.failure or self.theirs.higher:
            return {}
        parts = conjuncts(self.whole)
        found = {}
        for part, said in zip(parts, self.answer["conjuncts"], strict=True):
            others = frozenset().union(*(columns(other) for other in parts if other is not part))
            theirs = self._their_class(columns(part))
            if columns(part) and not columns(part) & others and theirs != said["class"]:
                found[render(part)] = (theirs, said["class"])
        return found

    def _their_class(self, names: frozenset[str]) -> str:
        assert self.theirs is not None
        taken = {*(self.theirs.enforced or {}), *(self.theirs.unenforced or {})}
        if not names & self.theirs.filtered:
            return ENFORCED
        return UNENFORCED if names & taken else UNSUPPORTED

    @property
    def is_equal(self) -> bool:
        """Whether nothing differs."""
        return not (self.failure or any(self.files) or self.domains or self.classes)


def columns(predicate: Predicate) -> frozenset[str]:
    """The dotted names of the columns that a bound predicate reads."""
    match predicate:
        case And(children) | Or(children):
            return frozenset().union(*map(columns, children))
        case BoundComparison(_, field):
            return frozenset({field.name})
        case Unsupported(columns=names):
            return frozenset(names)
    return frozenset()


def compare(table: Table, scans: Iterable[tuple[Condition, Scan | None]]) -> list[Compared]:
    """What the product answers on conditions that Trino planned."""
    asked = list(scans)
    name = table.name.table
    schema = table.metadata.schema(None)
    identities = frozenset(
        column.name
        for spec in table.metadata.specs(schema).values()
        for field in spec.fields
        if field.transform == "identity" and (column := schema.by_id(field.source_id)) is not None
    )
    questions = [
        Question(str(number), where=found.sql, time_zone=found.zone)
        for number, (found, _) in enumerate(asked)
    ]
    answers = explain(table, CURRENT, questions, planner=PLANNER, list_files=True)
    compared = []
    for (found, scan), answer in zip(asked, answers, strict=True):
        now = dt.datetime.now(dt.UTC)
        whole, pushed = (
            condition(
                found.sql,
                "trino",
                started_at=now,
                time_zone=found.zone,
                planner=planner,
                types=schema.types,
            )
            for planner in (None, PLANNER)
        )
        bound = bind_pushed(PLANNER, pushed, schema, time_zone=found.zone)
        compared.append(
            Compared(
                name,
                found,
                scan,
                answer,
                bind(whole, schema, time_zone=found.zone),
                _by_name(domains_of(as_expression(PLANNER, bound))),
                schema,
                {column.name: column.type for column in schema.columns},
                frozenset(column.name for column in schema.columns if column.required),
                identities,
            )
        )
    return compared


def _by_name(domains: Domains | None) -> ColumnDomains | None:
    return None if domains is None else {field.name: found for field, found in domains.items()}


def _plain(kind: str, domain: Domain) -> Domain:
    """The domain as the connector plans by it, in one form of several that mean the same: of types
    with neighbours, bounds are among their range, and ranges that touch are one. Whether NaN is
    let through shows in files alone: Trino's domains never hold it."""
    found = spanned(domain) if len(domain.ranges) > MAX_RANGES else domain
    closed = (_closed(kind, part) for part in found.ranges)
    merged: list[Range] = []
    for part in union([Domain(tuple(closed), found.nulls)]).ranges:
        before = merged[-1].high if merged else None
        if isinstance(before, int) and isinstance(part.low, int) and before + 1 == part.low:
            part = replace(part, low=merged.pop().low)  # noqa: PLW2901
        if not _is_empty(part):
            merged.append(part)
    return Domain(tuple(merged), found.nulls)


def _is_empty(part: Range) -> bool:
    return part.low is not None and part.high is not None and bool(part.low > part.high)  # type: ignore[operator]


def _closed(kind: str, part: Range) -> Range:
    low, high = (_number(kind, value) for value in (part.low, part.high))
    if isinstance(low, int):
        low += not part.low_in
    if isinstance(high, int):
        high -= not part.high_in
    if kind == "boolean":
        low, high = low or 0, 1 if high is None else high
    if kind in ("float", "real"):
        low = _single(low, math.inf, is_in=part.low_in)
        high = _single(high, -math.inf, is_in=part.high_in)
    is_text = isinstance(low if low is not None else high, bytes)
    is_double = kind == "double"
    return Range(
        low,
        high,
        low_in=part.low_in if is_text or is_double else low is not None,
        high_in=part.high_in if is_text or is_double else high is not None,
    )


def _number(kind: str, value: Any) -> Any:
    """Decimals as whole numbers of their last digit."""
    if not isinstance(value, Decimal):
        return value
    sign, digits, exponent = value.as_tuple()
    assert isinstance(exponent, int)
    scale = int(kind.rstrip(") ").split(",")[1])
    return int(f"{'-' if sign else ''}{''.join(map(str, digits))}") * 10 ** (exponent + scale)


def _single(value: Any, towards: float, *, is_in: bool) -> Any:
    """The first number of single precision from a bound on."""
    if value is None:
        return None
    with np.errstate(over="ignore"):
        found = np.float32(value)
    inside = float(found) > value if towards > 0 else float(found) < value
    if inside or (is_in and float(found) == value):
        return float(found)
    return float(np.nextafter(found, np.float32(towards)))


def _domains(found: TrinoDomains) -> Iterable[tuple[str, Domain]]:
    for name, domain in found.items():
        ranges = tuple(_range(domain["type"], part) for part in domain["ranges"])
        yield name, Domain(ranges, nulls=domain["nulls"])


def _range(kind: str, part: Sequence[Any]) -> Range:
    low, low_in, high, high_in = part
    return Range(_value(kind, low), _value(kind, high), low_in, high_in)


def _value(kind: str, value: Any) -> Any:
    """Trino's own form of a value as the product's physical form."""
    if value is None:
        return None
    name = kind.split("(", maxsplit=1)[0]
    match name:
        case "real":
            return struct.unpack(">f", struct.pack(">i", value))[0]
        case "double":
            return float(value)
        case "decimal":
            scale = int(kind.rstrip(")").split(",")[1])
            digits = f"{int(value):+0{scale + 2}d}"
            whole, fraction = digits[: len(digits) - scale], digits[len(digits) - scale :]
            return Decimal(f"{whole}.{fraction}")
        case "varchar" | "varbinary" | "uuid" | "char":
            return bytes.fromhex(value)
        case "time":
            return value // 1_000_000
        case "boolean":
            return int(value)
    return value
