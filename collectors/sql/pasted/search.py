"""Ends of a range as SQL of the names of a condition's literals: found by enumeration, and checked
against what the search of ranges says of the condition with several other literals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from sqlglot import exp

from collectors.errors import PrunescopeError
from collectors.predicates.bind import bind
from collectors.predicates.calendar import NANOS_PER_DAY, NANOS_PER_SECOND
from collectors.predicates.model import (
    FALSE,
    And,
    BoundComparison,
    Column,
    Comparison,
    Predicate,
    Unsupported,
    all_of,
    any_of,
    conjuncts,
)
from collectors.predicates.operators import Op
from collectors.predicates.simplify import simplified
from collectors.predicates.text_order import after_all_of
from collectors.predicates.walks import comparisons, fold, leaves
from collectors.schema import Schema
from collectors.sql.constants.folding import folded, comparable
from collectors.sql.constants.session import Session
from collectors.sql.constants.slot import Slot
from collectors.sql.constants.values import NULL, CannotConvert, Folded
from collectors.sql.dialects import dialect_of
from collectors.sql.extraction.extract import condition as predicate_of
from collectors.sql.extraction.extract import session_of
from collectors.sql.pasted.grammar import UNITS, bases, beginning, is_known, moved
from collectors.sql.pasted.operands import (
    MARK,
    Operands,
    operands_of,
    with_names,
    with_values,
)
from collectors.sql.text.nodes import rebuilt
from collectors.sql.text.parse import parse_condition
from collectors.types import NANOS_PER_UNIT

_MOST_OPERANDS = 4
_FEWEST_DRAWS = 2
"""Other literals that a form has to hold for."""
_MOST_ENDS = 4
_ZONES = ("UTC", "America/New_York", "Asia/Kolkata")
"""Sessions may be anywhere: a form has to hold in each of these."""
_SLACK = NANOS_PER_SECOND
"""Trino rounds to milliseconds what it formats, so that days begin half of one early: where no SQL
is right, an end may be as much further out."""
_LENGTHS = {
    "YEAR": (365 * NANOS_PER_DAY, 366 * NANOS_PER_DAY),
    "QUARTER": (89 * NANOS_PER_DAY, 93 * NANOS_PER_DAY),
    "MONTH": (27 * NANOS_PER_DAY, 32 * NANOS_PER_DAY),
    "WEEK": (7 * NANOS_PER_DAY - _SLACK, 7 * NANOS_PER_DAY + _SLACK),
    "DAY": (23 * NANOS_PER_SECOND * 3_600, 25 * NANOS_PER_SECOND * 3_600),
    "HOUR": (3_600 * NANOS_PER_SECOND - _SLACK, 3_600 * NANOS_PER_SECOND + _SLACK),
    "MINUTE": (60 * NANOS_PER_SECOND - _SLACK, 60 * NANOS_PER_SECOND + _SLACK),
    "SECOND": (NANOS_PER_SECOND - _SLACK, NANOS_PER_SECOND + _SLACK),
}
"""How far the ends of units are from their beginnings, in nanoseconds."""
_LOWER, _UPPER = {Op.GT, Op.GT_EQ}, {Op.LT, Op.LT_EQ}
_ENDS = _LOWER | _UPPER | {Op.EQ, Op.STARTS_WITH}


@dataclass(frozen=True, slots=True)
class Pasted:
    """The range of a condition: its predicate with the condition's own literals, the SQL of the
    value of each of its comparisons, with `:name` for literals, and the condition with these
    names. `is_exact` tells that it holds no more rows for literals that look alike."""

    predicate: Predicate
    ends: Mapping[BoundComparison, str]
    condition: str
    is_exact: bool


@dataclass(frozen=True, slots=True)
class _Draw:
    """Literals of a condition, the range that it means with them, whether it means no more, and the
    session in which it does."""

    values: tuple[str, ...]
    predicate: Predicate
    is_exact: bool
    session: Session

    @property
    def leaves(self) -> tuple[BoundComparison, ...]:
        return tuple(comparisons(self.predicate))


def pasted(sql: str, dialect: str, schema: Schema, columns: Sequence[str]) -> Pasted | None:
    """The range of a condition on `columns`, said by the names of its literals; None where that is
    not known, or in no few words. Columns of the condition may have anything before their names."""
    if not is_known(dialect):
        return None
    try:
        tree = parse_condition(sql, dialect)
        named = _with_own_names(tree, columns)
        if named is None:
            return None
        tried = None
        for of_comparisons in (False, True):
            operands = operands_of(named, dialect, of_comparisons=of_comparisons)
            if operands.each and operands.sql != tried:
                found = _found(operands, dialect, schema)
                if found is not None:
                    shown = operands_of(tree, dialect, of_comparisons=of_comparisons).shown
                    return replace(found, condition=shown)
            tried = operands.sql
    except PrunescopeError:
        return None
    return None


def _with_own_names(tree: exp.Expr, columns: Sequence[str]) -> exp.Expr | None:
    """A condition with its columns as the table calls them; None where one is not known."""
    known = {name.casefold(): name for name in columns}
    unknown = []

    def own(node: exp.Expr) -> exp.Expr:
        if not isinstance(node, exp.Column):
            return node
        parts = [part.name for part in node.parts]
        ends = (".".join(parts[start:]).casefold() for start in range(len(parts)))
        name = next((known[end] for end in ends if end in known), None)
        if name is None and len(known) == 1:
            name = next(iter(known.values()))
        if name is None:
            unknown.append(node)
            return node
        first, *fields = (exp.to_identifier(part, quoted=True) for part in name.split("."))
        return exp.column(first) if not fields else exp.column(fields[-1], *reversed((first, *fields[:-1])))

    changed = rebuilt(tree, own)
    return None if unknown else changed


def _found(operands: Operands, dialect: str, schema: Schema) -> Pasted | None:
    each = operands.each
    if len(each) > _MOST_OPERANDS:
        return None
    own = _draw(operands, tuple(one.own for one in each), dialect, schema, 0)
    if own is None or not 0 < len(own.leaves) <= _MOST_ENDS:
        return None
    if len(own.leaves) != sum(1 for _ in leaves(own.predicate)):
        return None
    if any(leaf.op not in _ENDS for leaf in own.leaves):
        return None
    draws = [own]
    for place, values in enumerate(zip(*(one.alike for one in each), strict=True), 1):
        draw = _draw(operands, values, dialect, schema, place)
        if draw is None:
            return None
        if draw.predicate == FALSE:
            continue
        if _shape(draw.predicate) != _shape(own.predicate):
            return None
        draws.append(draw)
    if len(draws) <= _FEWEST_DRAWS:
        return None
    search = _Search(operands, dialect, schema, tuple(draws))
    ends = {}
    for place, leaf in enumerate(own.leaves):
        end = search.end(place)
        if end is None:
            return None
        ends[leaf] = end
    is_exact = search.is_exact(ends)
    if is_exact is None:
        return None
    told = {
        leaf: with_names(beginning(end) if leaf.op is Op.STARTS_WITH else end)
        for leaf, end in ends.items()
    }
    return Pasted(own.predicate, told, operands.shown, is_exact)


def _draw(
    operands: Operands, values: tuple[str, ...], dialect: str, schema: Schema, place: int
) -> _Draw | None:
    """What a condition means with some literals; None where that is not known."""
    zone = _zone(dialect, schema, place)
    found = _read(operands.with_values(values), dialect, schema, zone)
    session = session_of(dialect, None, zone, None)
    return None if found is None else _Draw(values, *found, session)


@lru_cache(maxsize=4_096)
def _parsed(sql: str, dialect: str) -> exp.Expr:
    """The tree of an end without literals of queries, which is not to be changed."""
    return parse_condition(sql, dialect)


def _literal(sql: str, dialect: str) -> exp.Expr:
    return parse_condition(sql, dialect)


def _zone(dialect: str, schema: Schema, place: int) -> str | None:
    """The zone of a draw's session; None where it has to make no difference."""
    if dialect_of(dialect).plain_are_moments:
        return _ZONES[0]  # the only one in which ranges are known
    is_zoned = any(column.type.startswith("timestamptz") for column in schema.columns)
    return _ZONES[place % len(_ZONES)] if is_zoned else None


def _read(
    sql: str, dialect: str, schema: Schema, zone: str | None
) -> tuple[Predicate, bool] | None:
    """The range of a condition, and whether that is all that it means; None where there is none."""
    found = predicate_of(sql, dialect, time_zone=zone, types=schema.types)
    moments = dialect_of(dialect).plain_are_moments
    bound = bind(found, schema, time_zone=zone, plain_are_moments=moments)
    parts = conjuncts(bound)
    known = [part for part in parts if not isinstance(part, Unsupported)]
    short = simplified(all_of(*known))
    if short != FALSE and any(not isinstance(leaf, BoundComparison) for leaf in leaves(short)):
        return None
    return _with_beginnings(short), len(known) == len(parts)


def _with_beginnings(predicate: Predicate) -> Predicate:
    """A predicate that says of texts how they begin where a range does."""

    def together(parts: Sequence[Predicate]) -> Predicate:
        match [*parts]:
            case [
                BoundComparison(Op.GT_EQ, field, (bytes() as start,)),
                BoundComparison(Op.LT, other, (bytes() as end,)),
            ] if field == other and (after_all_of(start.decode()) or "").encode() == end:
                return BoundComparison(Op.STARTS_WITH, field, (start,))
        return all_of(*parts)

    return fold(predicate, lambda leaf: leaf, together, lambda parts: any_of(*parts))


def _shape(predicate: Predicate) -> object:
    """What a range says but for the values of its ends."""
    return fold(
        predicate,
        lambda leaf: (leaf.op, leaf.field, len(leaf.values)) if isinstance(leaf, BoundComparison) else leaf,
        lambda parts: ("and", *parts),
        lambda parts: ("or", *parts),
    )


@dataclass(frozen=True, slots=True)
class _Search:
    """The draws to which ends are held, the first one being the query's own."""

    operands: Operands
    dialect: str
    schema: Schema
    draws: tuple[_Draw, ...]

    def end(self, place: int) -> str | None:
        """The SQL of the value of one comparison of the range, exact where such is found; with
        marks before names."""
        kind = self.draws[0].leaves[place].field.type
        near: str | None = None
        for sql in self._candidates(place, kind):
            distances = [self._distance(sql, place, draw) for draw in self.draws]
            if all(each == 0 for each in distances):
                return sql
            if near is None and all(each is not None and 0 <= each <= _SLACK for each in distances):
                near = sql
        return near

    def _candidates(self, place: int, kind: str) -> Iterator[str]:
        """Bases that are near an end of the query's own, or a unit away from it."""
        own = self.draws[0]
        away = []
        for base in bases(kind, self.operands.each, self.dialect):
            distance = self._distance(base, place, own)
            if distance is None:
                continue
            if abs(distance) <= _SLACK:
                yield base
            away.append((base, distance))
        for base, distance in away:
            sign = self._sign(place, distance)
            for unit in UNITS:
                least, most = _LENGTHS[unit]
                if least <= abs(distance) + _SLACK and abs(distance) - _SLACK <= most:
                    yield moved(base, sign, unit, self.dialect)
            if 0 < -distance <= _SLACK:
                yield moved(base, sign, "SECOND", self.dialect)

    def _sign(self, place: int, distance: int) -> str:
        is_lower = self.draws[0].leaves[place].op in _LOWER
        return "+" if (distance > 0) == is_lower else "-"

    def _distance(self, sql: str, place: int, draw: _Draw) -> int | None:
        """How far out of an end a value is, in nanoseconds where it is a time; negative if it is
        within. None where it is no value of the column."""
        leaf = draw.leaves[place]
        try:
            value = self._value(sql, draw)
        except (PrunescopeError, CannotConvert):
            return None
        if value is NULL:
            return None
        moments = dialect_of(self.dialect).plain_are_moments
        try:
            unbound = Comparison(leaf.op, Column(tuple(leaf.field.name.split("."))), (comparable(value),))
        except CannotConvert:
            return None
        zone = draw.session.time_zone
        bound = bind(unbound, self.schema, time_zone=zone, plain_are_moments=moments)
        if bound == leaf:
            return 0
        if not isinstance(bound, BoundComparison) or bound.op is not leaf.op:
            return None
        size = NANOS_PER_UNIT.get(leaf.field.type)
        match bound.values, leaf.values:
            case (int() as found,), (int() as wanted,) if size is not None and leaf.op not in (Op.EQ,):
                further = (wanted - found) * size
                return further if leaf.op in _LOWER else -further
        return None

    def _value(self, sql: str, draw: _Draw) -> Folded:
        """The value of SQL with the literals of a draw."""
        names = [f"operand_{place}" for place in range(len(self.operands.each))]
        tree = _parsed(with_values(sql, self.operands.each, names), self.dialect)

        def filled(node: exp.Expr) -> exp.Expr:
            if not isinstance(node, exp.Column):
                return node
            return _literal(draw.values[names.index(node.name)], self.dialect)

        return folded(rebuilt(tree, filled), draw.session)

    def is_exact(self, ends: Mapping[BoundComparison, str]) -> bool | None:
        """Whether a range holds the same rows as the condition for all draws; None where it may
        lose some, with these literals or with others."""
        found = []
        for draw in self.draws:
            range_ = self._range(ends, draw.values, draw.session.time_zone)
            if range_ is None or not _holds_all(range_, draw.predicate):
                return None
            found.append(draw.is_exact and range_ == draw.predicate)
        each = self.operands.each
        others = [one.others or one.alike for one in each] if any(o.others for o in each) else []
        for place, values in enumerate(zip(*others)):
            draw = _draw(self.operands, values, self.dialect, self.schema, place)
            if draw is None:
                return None
            range_ = self._range(ends, values, draw.session.time_zone)
            if draw.predicate != FALSE and (
                range_ is None or not _holds_all(range_, draw.predicate)
            ):
                return None
        return all(found)

    def _range(
        self, ends: Mapping[BoundComparison, str], values: Sequence[str], zone: str | None
    ) -> Predicate | None:
        sql = self._sql(self.draws[0].predicate, ends)
        text = with_values(sql, self.operands.each, values)
        try:
            found = _read(text, self.dialect, self.schema, zone)
        except PrunescopeError:
            return None
        return None if found is None or not found[1] else found[0]

    def _sql(self, predicate: Predicate, ends: Mapping[BoundComparison, str]) -> str:
        def of_leaf(leaf: Predicate) -> str:
            assert isinstance(leaf, BoundComparison)
            name = ".".join(
                exp.to_identifier(part, quoted=True).sql(self.dialect)
                for part in leaf.field.name.split(".")
            )
            if leaf.op is Op.STARTS_WITH:
                return f"{name} LIKE {beginning(ends[leaf])}"
            return f"{name} {leaf.op.value} {ends[leaf]}"

        return fold(
            predicate,
            of_leaf,
            " AND ".join,
            lambda parts: f"({' OR '.join(parts)})",
        )


def _holds_all(range_: Predicate, predicate: Predicate) -> bool:
    """Whether a range has all rows of another one."""
    both = simplified(all_of(predicate, range_))
    return _with_beginnings(both) == predicate or range_ == predicate
