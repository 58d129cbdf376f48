"""Filters as Iceberg prints them into Spark's plans (Spark3Util.describe, Iceberg 1.1 to 1.11):

    ts IS NOT NULL, ts >= 1709337600000000, (country = 'DE' OR id IN (1, 2)), day(ts) = 19784

Names and strings are printed without quoting or escaping, so a text can have several readings,
or none without the table's schema. All readings are followed, and a text with more than one is
refused: what is returned is what Iceberg was given.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

import numpy as np

from collectors.errors import QueryError
from collectors.partitioning import result_type
from collectors.predicates.bind import bind
from collectors.predicates.model import (
    FALSE,
    TRUE,
    Column,
    Comparison,
    LiteralValue,
    Op,
    Predicate,
    Timestamp,
    Unsupported,
    all_of,
    any_of,
    negate,
)
from collectors.tables.schema import Schema, SchemaColumn
from collectors.types import NANOS_PER_UNIT, decimal_parameters

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

_VALUES = {
    "boolean": re.compile(r"true|false"),
    "number": re.compile(r"-?\d{1,20}(?![\d.])"),
    "decimal": re.compile(r"-?\d{1,40}(?:\.\d{1,40})?(?:E[-+]?\d{1,3})?"),
    "floating": re.compile(r"-?(?:\d{1,40}\.\d{1,40}(?:E-?\d{1,3})?|Infinity)|NaN"),
    "uuid": re.compile(r"'?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'?"),
    "binary": re.compile(r"X'((?:[0-9A-Fa-f]{2})*)'"),
}


class UnreadablePlanFilter(QueryError):
    """The text of a scan node's filters has no reading with the table's schema."""

    code = "unreadable_filter"


class AmbiguousPlanFilter(QueryError):
    """The text of a scan node's filters has more than one reading."""

    code = "ambiguous_filter"


def parse_plan_filters(text: str, schema: Schema) -> Predicate:
    """The bound predicate that the comma-joined filters of a scan node stand for; TRUE for none.

    Dates are days and timestamps microseconds since the epoch, as Iceberg prints them. Raises
    UnreadablePlanFilter and AmbiguousPlanFilter; neither message holds any of the text.
    """
    if not text:
        return TRUE
    readings: dict[Predicate, None] = {}
    search = _Search(text, schema)
    try:
        for predicate in search.lists(0):
            readings[predicate] = None
            if len(readings) > 1:
                raise AmbiguousPlanFilter(
                    "the filters of a scan node can be read in more than one way, because Spark "
                    "prints names and strings without quoting; they cannot be replayed"
                )
    except RecursionError:
        raise _unreadable("are nested too deeply") from None
    if not readings:
        raise _unreadable("cannot be read with the table's schema")
    return next(iter(readings))


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
"""Where a reading ends, and what it means."""


class _Search:
    """All readings of one text."""

    def __init__(self, text: str, schema: Schema) -> None:
        self._text = text
        self._schema = schema
        self._names = [(column.name, column) for column in schema.columns]
        self._filters: dict[int, list[_Found]] = {}
        self._rests: dict[int, list[Predicate]] = {}
        self._steps = 0

    def lists(self, start: int) -> list[Predicate]:
        """At most two readings of the filters from `start` to the end of the text: the second
        proves that there is more than one."""
        if start in self._rests:
            return self._rests[start]
        readings: dict[Predicate, None] = {}
        for end, predicate in self._filter(start):
            if end == len(self._text):
                readings[predicate] = None
            elif self._text.startswith(", ", end):
                readings.update((all_of(predicate, rest), None) for rest in self.lists(end + 2))
            if len(readings) > 1:
                break
        self._rests[start] = list(readings)[:2]
        return self._rests[start]

    def _filter(self, start: int) -> list[_Found]:
        if start not in self._filters:
            self._filters[start] = list(dict.fromkeys(self._readings(start)))
        return self._filters[start]

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
        pending: list[tuple[int, tuple[LiteralValue, ...]]] = [(start, ())]
        while pending:
            self._step()
            place, before = pending.pop()
            for end, value in self._values(place, value_type):
                if self._text.startswith(")", end):
                    yield end + 1, (*before, value)
                if self._text.startswith(", ", end):
                    pending.append((end + 2, (*before, value)))

    def _values(self, start: int, value_type: str | None) -> Iterator[tuple[int, LiteralValue]]:
        if value_type == "string":
            if self._text.startswith("'", start):
                for end in self._ends(start + 1, "'"):
                    yield end + 1, self._text[start + 1 : end]
            return
        kind = _kind(value_type)
        found = None if kind is None else _VALUES[kind].match(self._text, start)
        if found is not None and value_type is not None:
            value = _value(found[0], value_type)
            if value is not None:
                yield found.end(), value

    def _ends(self, start: int, mark: str) -> Iterator[int]:
        """Every place from `start` at which a string may end."""
        end = self._text.find(mark, start)
        while end >= 0:
            self._step()
            yield end
            end = self._text.find(mark, end + 1)

    def _bound(
        self, end: int, op: Op, term: _Term, values: tuple[LiteralValue, ...]
    ) -> Iterator[_Found]:
        leaf = Comparison(op, Column(term.column.path, term.transform), values)
        predicate = bind(leaf, self._schema)
        if not isinstance(predicate, Unsupported):
            yield end, predicate

    def _step(self) -> None:
        self._steps += 1
        if self._steps > _MAX_STEPS:
            raise _unreadable("have too many possible readings")


def _kind(value_type: str | None) -> str | None:
    """The key in _VALUES for values of a type."""
    match value_type:
        case "boolean" | "uuid":
            return value_type
        case "int" | "long" | "date" | "timestamp" | "timestamptz":
            return "number"
        case "timestamp_ns" | "timestamptz_ns":
            return "number"
        case "float" | "double":
            return "floating"
        case None:
            return None
    if value_type.startswith("decimal"):
        return "decimal"
    return "binary" if value_type.startswith(("binary", "fixed")) else None


def _value(text: str, value_type: str) -> LiteralValue | None:
    match _kind(value_type):
        case "boolean":
            return text == "true"
        case "uuid":
            return text.strip("'")
        case "binary":
            return bytes.fromhex(text[2:-1])
        case "floating":
            number = float(text)
            return float(np.float32(number)) if value_type == "float" else number
        case "decimal":
            return _decimal(text, value_type)
        case _ if value_type == "date":
            return Timestamp(int(text) * NANOS_PER_UNIT["date"], zoned=False)
        case _ if value_type in NANOS_PER_UNIT:
            zoned = value_type.startswith("timestamptz")
            return Timestamp(int(text) * NANOS_PER_UNIT[value_type], zoned)
        case _:
            return int(text)


def _decimal(text: str, value_type: str) -> Decimal | None:
    try:
        value = Decimal(text)
    except InvalidOperation:
        return None
    exponent = value.as_tuple().exponent
    _, scale = decimal_parameters(value_type)
    return value if isinstance(exponent, int) and -exponent <= scale else None
