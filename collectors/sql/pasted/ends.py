"""Search for the ends of a range among what the grammar makes of the operands of a condition."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from sqlglot import exp

from prunescope.collectors.errors import PrunescopeError
from prunescope.collectors.predicates.bind import bind
from prunescope.collectors.predicates.calendar import NANOS_PER_DAY, NANOS_PER_SECOND
from prunescope.collectors.predicates.literals import LiteralValue
from prunescope.collectors.predicates.model import (
    FALSE,
    BoundComparison,
    Column,
    Comparison,
    Predicate,
    PredicateLeaf,
    all_of,
)
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.predicates.simplify import simplified
from prunescope.collectors.predicates.walks import fold
from prunescope.collectors.sql.constants.values import CannotConvert, Null
from prunescope.collectors.sql.dialects import dialect_of
from prunescope.collectors.sql.functions.folding import comparable, folded
from prunescope.collectors.sql.pasted.draws import Draw, Drawing, with_beginnings
from prunescope.collectors.sql.pasted.grammar import bases, beginning, moved
from prunescope.collectors.sql.pasted.operands import with_values
from prunescope.collectors.sql.text.nodes import copy_of, rebuilt
from prunescope.collectors.sql.text.parse import parse_condition
from prunescope.collectors.types import NANOS_PER_UNIT

_SLACK = NANOS_PER_SECOND
"""Trino rounds to milliseconds what it formats, so that days begin half of one early: where no SQL
is right, an end may be as much further out."""
_SECOND, _DAY = NANOS_PER_SECOND, NANOS_PER_DAY
_LENGTHS = {
    "YEAR": (365 * _DAY, 366 * _DAY),
    "QUARTER": (90 * _DAY, 92 * _DAY),
    "MONTH": (28 * _DAY, 31 * _DAY),
    "WEEK": (7 * _DAY, 7 * _DAY),
    "DAY": (_DAY, _DAY),
    "HOUR": (3_600 * _SECOND, 3_600 * _SECOND),
    "MINUTE": (60 * _SECOND, 60 * _SECOND),
    "SECOND": (_SECOND, _SECOND),
}
"""Lengths of units, in nanoseconds."""
_CLOCK_CHANGE = 3_600 * _SECOND
"""Days and longer units may be as much longer or shorter."""
_LOWER = {Op.GT, Op.GT_EQ}

Ends = Mapping[BoundComparison, str]
"""SQL of the values of comparisons, with marks before the names of operands."""


@dataclass(frozen=True, slots=True)
class Search:
    """The draws to which ends are held, the first one being that of the query's own values."""

    drawing: Drawing
    draws: tuple[Draw, ...]

    def ends(self) -> Ends | None:
        """SQL of the value of each comparison of the range; None where one has none."""
        found = {}
        for place, comparison in enumerate(self.draws[0].comparisons):
            end = self._end(place)
            if end is None:
                return None
            found[comparison] = end
        return found

    def is_exact(self, ends: Ends) -> bool | None:
        """True if the range with these ends, read as a query would be, has the same rows as the
        condition in all draws, False if it has more; None if it lacks some in any draw."""
        exact = True
        for draw in self.draws:
            told = self._read(ends, draw)
            if told is None or not _has_all(told, draw.range.predicate):
                return None
            exact = exact and draw.range.is_whole and told == draw.range.predicate
        for other in self.drawing.others():
            if other is None:
                return None
            if other.range.predicate != FALSE:
                told = self._read(ends, other)
                if told is None or not _has_all(told, other.range.predicate):
                    return None
        return exact

    def _end(self, place: int) -> str | None:
        """An end that is right in all draws, or else one that is little further out."""
        near = None
        for sql in self._candidates(place):
            distances = [self._distance(sql, place, draw) for draw in self.draws]
            if all(each == 0 for each in distances):
                return sql
            is_near = all(each is not None and 0 <= each <= _SLACK for each in distances)
            near = sql if near is None and is_near else near
        return near

    def _candidates(self, place: int) -> Iterator[str]:
        """Bases that are near an end of the query's own, and those that are a unit away from it."""
        own, dialect = self.draws[0], self.drawing.dialect
        comparison = own.comparisons[place]
        away = []
        for base in bases(comparison.field.type, self.drawing.operands.each, dialect):
            distance = self._distance(base, place, own)
            if distance is not None:
                away.append((base, distance))
                if 0 <= distance <= _SLACK:
                    yield base
        for base, distance in away:
            sign = "+" if (distance > 0) == (comparison.op in _LOWER) else "-"
            kind, units = comparison.field.type, _units_of(abs(distance))
            yield from (moved(base, sign, unit, kind, dialect) for unit in units)

    def _distance(self, sql: str, place: int, draw: Draw) -> int | None:
        """Distance of a value from an end, in nanoseconds: positive outside of the range, negative
        within it, 0 for the end. None for what is neither a time nor the end itself."""
        end = draw.comparisons[place]
        value = self._value(sql, draw)
        if value is None:
            return None
        path = Column(tuple(end.field.name.split(".")))
        moments = dialect_of(self.drawing.dialect).plain_are_moments
        bound = bind(
            Comparison(end.op, path, (value,)),
            self.drawing.schema,
            time_zone=draw.session.time_zone,
            plain_are_moments=moments,
        )
        if bound == end:
            return 0
        size = NANOS_PER_UNIT.get(end.field.type)
        match bound:
            case BoundComparison(end.op, values=(int() as found,)) if size and end.op is not Op.EQ:
                (wanted,) = end.values
                assert isinstance(wanted, int)
                return (wanted - found if end.op in _LOWER else found - wanted) * size
        return None

    def _value(self, sql: str, draw: Draw) -> LiteralValue | None:
        """The value of SQL with the values of a draw; None where it has none."""
        operands, dialect = self.drawing.operands.each, self.drawing.dialect
        names = [f"operand_{place}" for place in range(len(operands))]

        def filled(node: exp.Expr) -> exp.Expr:
            if not isinstance(node, exp.Column):
                return node
            return copy_of(draw.trees[names.index(node.name)])

        try:
            tree = _parsed(with_values(sql, operands, names), dialect)
            value = comparable(folded(rebuilt(tree, filled), draw.session))
        except (PrunescopeError, CannotConvert):
            return None
        return None if isinstance(value, Null) else value

    def _read(self, ends: Ends, draw: Draw) -> Predicate | None:
        """The range with these ends and the values of a draw; None where it is not known."""
        sql = with_values(self._sql(ends), self.drawing.operands.each, draw.values)
        try:
            found = self.drawing.read(sql, draw.session.time_zone)
        except PrunescopeError:
            return None
        return None if found is None or not found.is_whole else found.predicate

    def _sql(self, ends: Ends) -> str:
        dialect = self.drawing.dialect

        def compared(leaf: PredicateLeaf) -> str:
            assert isinstance(leaf, BoundComparison)
            parts = leaf.field.name.split(".")
            name = ".".join(exp.to_identifier(part, quoted=True).sql(dialect) for part in parts)
            if leaf.op is Op.STARTS_WITH:
                return f"{name} LIKE {beginning(ends[leaf])}"
            return f"{name} {leaf.op.value} {ends[leaf]}"

        whole = self.draws[0].range.predicate
        return fold(whole, compared, " AND ".join, lambda parts: f"({' OR '.join(parts)})")


def _units_of(length: int) -> Sequence[str]:
    """The units that may be so long, in nanoseconds."""
    return [
        unit
        for unit, (least, most) in _LENGTHS.items()
        if least - (margin := _CLOCK_CHANGE if least >= _DAY else _SLACK) <= length <= most + margin
    ]


@lru_cache(maxsize=4_096)
def _parsed(sql: str, dialect: str) -> exp.Expr:
    """The tree of an end, which has no literal of a query, and is not to be changed."""
    return parse_condition(sql, dialect)


def _has_all(range_: Predicate, predicate: Predicate) -> bool:
    """True if a range has all rows of another one."""
    return (
        range_ == predicate or with_beginnings(simplified(all_of(predicate, range_))) == predicate
    )
