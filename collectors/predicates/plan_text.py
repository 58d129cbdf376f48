"""Filters as Iceberg prints them into Spark's plans (Spark3Util.describe, Iceberg 1.1 to 1.11):

    ts IS NOT NULL, ts >= 1709337600000000, (country = 'DE' OR id IN (1, 2)), day(ts) = 19784

Names and strings are printed without quoting or escaping, so a text can have several readings,
or none without the table's schema. Where it has exactly one in which no string holds a quote,
that one is meant; otherwise all readings are followed, and a text with more than one is refused.

So one kind of value is misread: one that holds filters of this schema, quotes included. The text
of `c = "x', c = 'y"` is also the text of two filters, as is that of any two string filters.
"""

from __future__ import annotations

import heapq
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from prunescope.collectors.errors import QueryError
from prunescope.collectors.outcomes import Outcome
from prunescope.collectors.partitioning import result_type
from prunescope.collectors.predicates.bind import bind
from prunescope.collectors.predicates.literals import LiteralValue
from prunescope.collectors.predicates.model import (
    FALSE,
    TRUE,
    Column,
    Comparison,
    Predicate,
    Reason,
    Unsupported,
    all_of,
    any_of,
)
from prunescope.collectors.predicates.operators import UNARY, Op
from prunescope.collectors.predicates.plan_values import read_value
from prunescope.collectors.predicates.walks import negate
from prunescope.collectors.schema import Schema, SchemaColumn

# Steps of the search. A filter of a thousand conditions takes about ten thousand.
_MAX_STEPS = 200_000

_OPERATORS = {
    " = ": Op.EQ,
    " != ": Op.NOT_EQ,
    " < ": Op.LT,
    " <= ": Op.LT_EQ,
    " > ": Op.GT,
    " >= ": Op.GT_EQ,
}
_UNARY = {" IS NULL": Op.IS_NULL, " IS NOT NULL": Op.NOT_NULL}
_NAN = {"is_nan(": Op.IS_NAN, "not_nan(": Op.NOT_NAN}
_PREFIXES = {" LIKE '": Op.STARTS_WITH, " NOT LIKE '": Op.NOT_STARTS_WITH}
_LISTS = {" IN (": Op.IN, " NOT IN (": Op.NOT_IN}
_TRANSFORM = re.compile(r"(?:bucket|truncate)\[\d{1,9}\](?=\()|(?:year|month|day|hour)(?=\()")


class UnreadablePlanFilter(QueryError):
    """The text of a scan node's filters has no reading with the table's schema."""

    code = Outcome.UNREADABLE_FILTER


class AmbiguousPlanFilter(QueryError):
    """The text of a scan node's filters has more than one reading."""

    code = Outcome.AMBIGUOUS_FILTER


def parse_plan_filters(text: str, schema: Schema) -> Predicate:
    """The bound predicate that the comma-joined filters of a scan node stand for; TRUE for none.

    Dates are days and timestamps microseconds since the epoch, as Iceberg prints them. Raises
    UnreadablePlanFilter and AmbiguousPlanFilter; neither message holds any of the text.
    """
    if not text:
        return TRUE
    try:
        readings = _Search(text, schema, quotes_in_strings=False).readings()
        if not readings:
            readings = _Search(text, schema, quotes_in_strings=True).readings()
    except RecursionError:
        raise _unreadable("are nested too deeply") from None
    if not readings:
        raise _unreadable("cannot be read with the table's schema")
    if len(readings) > 1:
        raise AmbiguousPlanFilter(
            "the filters of a scan node can be read in more than one way, because Spark prints "
            "names and strings without quoting; they cannot be replayed"
        )
    return readings[0]


def _unreadable(problem: str) -> UnreadablePlanFilter:
    return UnreadablePlanFilter(
        f"the filters of a scan node {problem}; check that the log is of this table, and that "
        "Spark did not shorten its plans (spark.sql.maxMetadataStringLength)"
    )


@dataclass(frozen=True, slots=True)
class _Term:
    column: SchemaColumn
    transform: str | None

    @property
    def value_type(self) -> str | None:
        """The type of the values that the term is compared with."""
        if self.transform is None:
            return self.column.type
        return result_type(self.transform, self.column.type)


_Found = tuple[int, Predicate]
"""The end of what was read of a text, and the predicate that it means."""

_Item = TypeVar("_Item")
_Chain = tuple["_Chain[_Item]", _Item] | None
"""A sequence as its beginning and its last item: beginnings are shared."""


class _Search:
    """All readings of one text."""

    def __init__(self, text: str, schema: Schema, *, quotes_in_strings: bool) -> None:
        self._text = text
        self._schema = schema
        self._names = [(column.name, column) for column in schema.columns]
        self._quotes_in_strings = quotes_in_strings
        self._filters: dict[int, list[_Found]] = {}
        self._steps = 0

    def readings(self) -> list[Predicate]:
        """Readings of the whole text: one, none, or two that prove that there are several."""
        whole = (
            (end, all_of(*filters))
            for end, filters in self._sequences(0, self._filter)
            if end == len(self._text)
        )
        return [predicate for _, predicate in _few(whole)]

    def _filter(self, start: int) -> list[_Found]:
        if start not in self._filters:
            self._filters[start] = _few(self._readings(start))
        return self._filters[start]

    def _sequences(
        self, start: int, items: Callable[[int], Iterable[tuple[int, _Item]]]
    ) -> Iterator[tuple[int, list[_Item]]]:
        """The sequences of items from `start`, joined by commas, that end where the text or a
        bracket does. Of those that reach the same place at most two are followed."""
        reached: dict[int, list[_Chain[_Item]]] = {start: [None]}
        places = [start]
        while places:
            place = heapq.heappop(places)
            before = reached.pop(place)
            for end, item in items(place):
                self._step()
                chains: list[_Chain[_Item]] = [(chain, item) for chain in before]
                if end == len(self._text) or self._text.startswith(")", end):
                    for chain in chains:
                        found = list(_unchained(chain))
                        self._step(len(found))
                        yield end, found
                if self._text.startswith(", ", end):
                    if end + 2 not in reached:
                        heapq.heappush(places, end + 2)
                    reached[end + 2] = (reached.get(end + 2, []) + chains)[:2]

    def _readings(self, start: int) -> Iterator[_Found]:
        self._step()
        text = self._text
        for word, constant in (("true", TRUE), ("false", FALSE)):
            if text.startswith(word, start):
                yield start + len(word), constant
        if text.startswith("NOT (", start):
            for end, inner in self._filter(start + len("NOT (")):
                if text.startswith(")", end):
                    yield end + 1, negate(inner)
        if text.startswith("(", start):
            yield from self._pair(start + 1)
        for word, op in _NAN.items():
            if text.startswith(word, start):
                for end, term in self._terms(start + len(word)):
                    if text.startswith(")", end):
                        yield from self._bound(end + 1, op, term, ())
        for end, term in self._terms(start):
            yield from self._comparison(end, term)

    def _pair(self, start: int) -> Iterator[_Found]:
        for middle, left in self._filter(start):
            for word, combine in ((" AND ", all_of), (" OR ", any_of)):
                if self._text.startswith(word, middle):
                    for end, right in self._filter(middle + len(word)):
                        if self._text.startswith(")", end):
                            yield end + 1, combine(left, right)

    def _terms(self, start: int) -> Iterator[tuple[int, _Term]]:
        for name, column in self._names:
            if name and self._text.startswith(name, start):
                yield start + len(name), _Term(column, None)
        transform = _TRANSFORM.match(self._text, start)
        if transform is not None:
            inner = transform.end() + 1
            for name, column in self._names:
                if self._text.startswith(f"{name})", inner):
                    yield inner + len(name) + 1, _Term(column, transform[0])

    def _comparison(self, start: int, term: _Term) -> Iterator[_Found]:
        text = self._text
        for word, op in _UNARY.items():
            if text.startswith(word, start):
                yield from self._bound(start + len(word), op, term, ())
        for word, op in _OPERATORS.items():
            if text.startswith(word, start):
                for end, value in self._values(start + len(word), term.value_type):
                    yield from self._bound(end, op, term, (value,))
        for word, op in _PREFIXES.items():
            if text.startswith(word, start) and term.value_type == "string":
                first = start + len(word)
                for end in self._ends(first, "%'"):
                    yield from self._bound(end + 2, op, term, (text[first:end],))
        for word, op in _LISTS.items():
            if text.startswith(word, start):
                for end, values in self._items(start + len(word), term.value_type):
                    yield from self._bound(end, op, term, values)

    def _items(
        self, start: int, value_type: str | None
    ) -> Iterator[tuple[int, tuple[LiteralValue, ...]]]:
        """The lists of values from `start` to a closing bracket."""
        for end, values in self._sequences(start, lambda at: self._values(at, value_type)):
            if self._text.startswith(")", end):
                yield end + 1, tuple(values)

    def _values(self, start: int, value_type: str | None) -> Iterator[tuple[int, LiteralValue]]:
        if value_type == "string":
            if self._text.startswith("'", start):
                for end in self._ends(start + 1, "'"):
                    yield end + 1, self._text[start + 1 : end]
            return
        found = None if value_type is None else read_value(self._text, start, value_type)
        if found is not None:
            yield found

    def _ends(self, start: int, mark: str) -> Iterator[int]:
        """Every place from `start` at which a string may end."""
        end = self._text.find(mark, start)
        while end >= 0:
            self._step()
            if not self._quotes_in_strings and "'" in self._text[start:end]:
                return
            yield end
            end = self._text.find(mark, end + 1)

    def _bound(
        self, end: int, op: Op, term: _Term, values: tuple[LiteralValue, ...]
    ) -> Iterator[_Found]:
        leaf = Comparison(op, Column(term.column.path, term.transform), values)
        predicate = bind(leaf, self._schema, folds_like_iceberg=True)
        # Spark pushes null checks of structs, lists and maps; nothing prunes by them.
        readable = not isinstance(predicate, Unsupported) or (
            predicate.reason is Reason.NOT_PRIMITIVE and op in UNARY
        )
        if readable:
            yield end, predicate

    def _step(self, steps: int = 1) -> None:
        self._steps += steps
        if self._steps > _MAX_STEPS:
            raise _unreadable("have too many possible readings")


def _few(found: Iterable[_Found]) -> list[_Found]:
    """At most two different readings for each end: the second proves that there are several."""
    kept: dict[int, dict[Predicate, None]] = {}
    for end, predicate in found:
        readings = kept.setdefault(end, {})
        if len(readings) < 2:
            readings[predicate] = None
    return [(end, predicate) for end, readings in kept.items() for predicate in readings]


def _unchained(chain: _Chain[_Item]) -> Iterator[_Item]:
    items = []
    while chain is not None:
        chain, item = chain
        items.append(item)
    return reversed(items)
