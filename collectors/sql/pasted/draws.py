"""The range that a condition means, with its own literals and with others that are drawn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sqlglot import exp

from prunescope.collectors.predicates.bind import bind
from prunescope.collectors.predicates.model import (
    FALSE,
    BoundComparison,
    Predicate,
    Unsupported,
    all_of,
    any_of,
    conjuncts,
)
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.predicates.simplify import simplified
from prunescope.collectors.predicates.text_order import after_all_of
from prunescope.collectors.predicates.walks import comparisons, fold, leaves
from prunescope.collectors.schema import Schema
from prunescope.collectors.sql.constants.session import Session
from prunescope.collectors.sql.dialects import dialect_of
from prunescope.collectors.sql.extraction.extract import condition, session_of
from prunescope.collectors.sql.pasted.operands import Operands
from prunescope.collectors.sql.text.parse import parse_condition

_ZONES = ("UTC", "America/New_York", "Asia/Kolkata")
"""Sessions may be anywhere: what holds in each of these is taken to hold in all."""
_ORDERS = 3
"""Orders in which values of several operands are drawn."""


@dataclass(frozen=True, slots=True)
class Range:
    """The range of its columns that a condition implies; `is_whole` if it implies no more."""

    predicate: Predicate
    is_whole: bool


@dataclass(frozen=True, slots=True)
class Draw:
    """Values of the operands of a condition, as SQL and as trees, the range that it means with
    them, and the session in which it does."""

    values: tuple[str, ...]
    trees: tuple[exp.Expr, ...]
    range: Range
    session: Session

    @property
    def comparisons(self) -> tuple[BoundComparison, ...]:
        """The comparisons of the range, in order."""
        return tuple(comparisons(self.range.predicate))


@dataclass(frozen=True, slots=True)
class Drawing:
    """Draws of the operands of a condition in a dialect, on columns of a schema."""

    operands: Operands
    dialect: str
    schema: Schema

    def own(self) -> Draw | None:
        """The values that the condition has; None where no range is known."""
        return self._draw(tuple(one.own for one in self.operands.each), 0)

    def alike(self) -> Iterator[Draw | None]:
        """Values that look like its own."""
        each = zip(*(one.alike for one in self.operands.each), strict=True)
        for place, values in enumerate(dict.fromkeys(each), 1):
            yield self._draw(values, place)

    def others(self) -> Iterator[Draw | None]:
        """Values that are no beginnings of units where its own are, such as lie to each other as
        its own do not (the first of two may be after the second, or far before it), and days on
        which clocks are changed."""
        each = self.operands.each
        rows: list[tuple[str, ...]] = []
        if any(one.others for one in each):
            rows += zip(*(one.others or one.alike for one in each), strict=True)
        if len({one.kind for one in each}) < len(each):
            rows += (
                tuple(one.alike[(start + place) % _ORDERS] for place, one in enumerate(each))
                for start in range(_ORDERS)
            )
        for place, values in enumerate(dict.fromkeys(rows)):
            yield self._draw(values, place)
        if self._is_zoned:
            for values in zip(*(one.changes for one in each), strict=True):
                yield self._draw(values, _ZONES.index("America/New_York"))

    def read(self, sql: str, zone: str | None) -> Range | None:
        """The range that a condition means in a session of a zone; None where there is none."""
        types = self.schema.types
        said = condition(sql, self.dialect, time_zone=zone, types=types)
        moments = dialect_of(self.dialect).plain_are_moments
        parts = conjuncts(bind(said, self.schema, time_zone=zone, plain_are_moments=moments))
        known = [part for part in parts if not isinstance(part, Unsupported)]
        short = simplified(all_of(*known))
        if short != FALSE and not all(isinstance(one, BoundComparison) for one in leaves(short)):
            return None
        return Range(with_beginnings(short), len(known) == len(parts))

    def _draw(self, values: tuple[str, ...], place: int) -> Draw | None:
        zone = self._zone(place)
        found = self.read(self.operands.with_values(values), zone)
        if found is None:
            return None
        trees = tuple(parse_condition(value, self.dialect) for value in values)
        return Draw(values, trees, found, session_of(self.dialect, None, zone, None))

    def _zone(self, place: int) -> str | None:
        """The zone of the session of a draw; None where it is to make no difference."""
        if self._is_zoned:
            return _ZONES[place % len(_ZONES)]
        # The only one in which ranges of such columns are known.
        return _ZONES[0] if dialect_of(self.dialect).plain_are_moments else None

    @property
    def _is_zoned(self) -> bool:
        return any(column.type.startswith("timestamptz") for column in self.schema.columns)


def with_beginnings(predicate: Predicate) -> Predicate:
    """A predicate that says of texts how they begin where a range means that."""

    def together(parts: Sequence[Predicate]) -> Predicate:
        match [*parts]:
            case [
                BoundComparison(Op.GT_EQ, field, (bytes() as start,)),
                BoundComparison(Op.LT, other, (bytes() as end,)),
            ] if field == other and (after_all_of(start.decode()) or "").encode() == end:
                return BoundComparison(Op.STARTS_WITH, field, (start,))
        return all_of(*parts)

    return fold(predicate, lambda leaf: leaf, together, lambda parts: any_of(*parts))


def shape(predicate: Predicate) -> object:
    """Key of a range apart from the values of its ends."""
    return fold(
        predicate,
        lambda leaf: (
            (leaf.op, leaf.field, len(leaf.values)) if isinstance(leaf, BoundComparison) else leaf
        ),
        lambda parts: ("and", *parts),
        lambda parts: ("or", *parts),
    )
