"""Conditions to write in the place of those of a file, or beside them, with their own values."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from sqlglot import exp

from prunescope.audit_jobs.checking.conditions import FileScan, Placed
from prunescope.collectors.errors import PrunescopeError
from prunescope.collectors.predicates.model import (
    Always,
    BoundComparison,
    Or,
    Predicate,
    PredicateLeaf,
    all_of,
    conjuncts,
)
from prunescope.collectors.predicates.render import render
from prunescope.collectors.predicates.simplify import simplified
from prunescope.collectors.predicates.walks import comparisons, leaves, map_leaves
from prunescope.collectors.sql.conditions.own_clocks import on_own_clock
from prunescope.collectors.sql.constants.values import CannotConvert
from prunescope.collectors.sql.extraction.extract import condition
from prunescope.collectors.sql.functions.folding import may_read_clock
from prunescope.collectors.sql.planners.profiles import bind_pushed
from prunescope.collectors.sql.ranges.solved import solved
from prunescope.collectors.sql.text.boolean import AllOf, Leaf, own_columns
from prunescope.collectors.sql.text.boolean import leaves as tests_of
from prunescope.collectors.sql.text.spans import covered, span_of
from prunescope.collectors.types import is_floating

_PLAIN_TIMES = ("timestamp", "timestamp_ns")


@dataclass(frozen=True, slots=True)
class Rewrite:
    """A condition to write. `is_exact` tells that it selects the same rows as those of the file,
    and can stand in their place; else it holds more, and belongs beside them."""

    sql: str
    is_exact: bool


def rewrite(
    scan: FileScan, conditions: Sequence[Placed], text: str, zones: Sequence[str]
) -> Rewrite | None:
    """The range to write for some conditions of a scan, which stand in the `text` of their file;
    None where none is known that the engine pushes. It is exact if the search of ranges proves
    that, in sessions of all `zones` alike."""
    if not all(each.is_conjunct for each in conditions) or any(map(_reads_clock, conditions)):
        return None
    names = _names_in(text, scan, conditions)
    if names is None:
        return None
    found = _exact(scan, conditions, zones)
    if found is not None:
        sql = _written(found, scan, names)
        if sql is not None:
            return Rewrite(sql, is_exact=True)
    known = [
        part
        for each in conditions
        for part in conjuncts(each.predicate)
        if all(isinstance(leaf, BoundComparison) and leaf.written for leaf in leaves(part))
    ]
    sql = _written(all_of(*known), scan, names) if known else None
    return None if sql is None else Rewrite(sql, is_exact=False)


def _reads_clock(placed: Placed) -> bool:
    return any(may_read_clock(test.expression) for test in tests_of(placed.condition))


def _exact(scan: FileScan, conditions: Sequence[Placed], zones: Sequence[str]) -> Predicate | None:
    """The predicate that is equivalent to conditions, whatever the zone; None if none is known."""
    tests = [c.condition for c in conditions if c.is_whole and isinstance(c.condition, Leaf)]
    if len(tests) < len(conditions):
        return None
    found = {_solved(scan, tests, zone) for zone in zones}
    only = found.pop()
    if found or only is None or any(is_floating(leaf.field.type) for leaf in comparisons(only)):
        return None
    return only


def _solved(scan: FileScan, tests: Sequence[Leaf], zone: str) -> Predicate | None:
    session = replace(scan.session, started_at=None, time_zone=zone)
    reader = scan.placed.filter.reader(session)
    try:
        read = [on_own_clock(test, reader) for test in tests]
    except CannotConvert:
        return None
    found, readers = [leaf for leaf, _ in read], [own for _, own in read]
    if any((own.session, own.types) != (readers[0].session, readers[0].types) for own in readers):
        return None
    whole = found[0] if len(found) == 1 else AllOf(tuple(found))
    said = solved(whole, readers[0].told_beside(whole))
    if said is None or not said.is_exact:
        return None
    bound = simplified(replace(scan.binder, time_zone=zone).whole(said.predicate))
    return bound if all(isinstance(leaf, BoundComparison) for leaf in leaves(bound)) else None


def _names_in(text: str, scan: FileScan, conditions: Sequence[Placed]) -> Mapping[str, str] | None:
    """The columns of conditions, by their full names in lower case, as the text calls them where
    the conditions stand; None where that is not known."""
    found: dict[str, str] = {}
    for each in conditions:
        for test in tests_of(each.condition):
            span = span_of(test.expression)
            words = None if span is None else scan.words.get(span)
            if words is None or test.is_made:
                return None
            written, own = own_columns(words), own_columns(test.expression)
            if len(written) != len(own):
                return None
            for column, table_column in zip(written, own, strict=True):
                place = covered(column)
                path = scan.placed.filter.path_of(table_column)
                if place is None or path is None:
                    return None
                found.setdefault(".".join(path).lower(), place.of(text))
    return found


def _written(predicate: Predicate, scan: FileScan, names: Mapping[str, str]) -> str | None:
    """A predicate as SQL of the file, if that says the same when it is read again, and the engine
    pushes all of it."""
    if isinstance(predicate, Always):
        return None
    if any(leaf.field.name.lower() not in names for leaf in comparisons(predicate)):
        return None
    own = {leaf.field.name: _quoted(leaf.field.name, scan) for leaf in comparisons(predicate)}
    said = _sql(predicate, scan, own.__getitem__)
    if not _says(said, predicate, scan):
        return None
    return _sql(predicate, scan, lambda name: names[name.lower()])


def _quoted(name: str, scan: FileScan) -> str:
    parts = (exp.to_identifier(part, quoted=True) for part in name.split("."))
    return ".".join(part.sql(dialect=scan.session.dialect) for part in parts)


def _sql(predicate: Predicate, scan: FileScan, name: Callable[[str], str]) -> str:
    def named(leaf: PredicateLeaf) -> Predicate:
        assert isinstance(leaf, BoundComparison)
        return replace(leaf, field=leaf.field._replace(name=name(leaf.field.name)))

    text = render(map_leaves(predicate, named))
    if isinstance(predicate, Or):
        text = f"({text})"
    profile = None if scan.planner is None else scan.planner.profile
    is_plain = all(leaf.field.type in _PLAIN_TIMES for leaf in comparisons(predicate))
    if profile is not None and profile.pushdown.casts_plain_times and is_plain:
        return text.replace("TIMESTAMP '", "TIMESTAMP_NTZ '")
    return text


def _says(sql: str, predicate: Predicate, scan: FileScan) -> bool:
    session, schema = scan.session, scan.binder.schema
    asked = {"time_zone": session.time_zone, "types": schema.types}
    try:
        whole = scan.binder.whole(condition(sql, session.dialect, **asked))  # type: ignore[arg-type]
        if simplified(whole) != predicate:
            return False
        if scan.planner is None:
            return True
        pushed = bind_pushed(
            scan.planner,
            condition(sql, session.dialect, planner=scan.planner, **asked),  # type: ignore[arg-type]
            schema,
            time_zone=session.time_zone,
            plain_are_moments=scan.binder.plain_are_moments,
        )
    except PrunescopeError:
        return False
    return set(conjuncts(simplified(pushed))) >= set(conjuncts(predicate))
