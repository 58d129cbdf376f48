"""Values of constants beside those that an engine tells, and their types."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from collectors.predicates.instants import parse_timestamp
from collectors.predicates.literals import Timestamp
from collectors.sql.constants.folding import fold
from collectors.sql.constants.numbers import single
from collectors.sql.constants.session import Session
from collectors.sql.constants.values import (
    NULL,
    CannotConvert,
    Exact,
    Folded,
    Padded,
    Single,
    Whole,
)
from collectors.sql.text.parse import parse_condition

Row = Sequence[str | None]
Ask = Callable[[str], Row]
"""The only row of a SELECT, as texts; raises what the engine does for those that it refuses."""


@dataclass(frozen=True)
class Told:
    """How an engine tells a value: expressions of a type, of its text, and of a time's moment."""

    dialect: str
    zone: str
    ask: Ask
    refusal: type[Exception]
    text_of: Callable[[str, Folded], str]


@dataclass(frozen=True)
class Compared:
    """How many of some expressions are known, those that the engine refuses, and those that differ
    from it: the expression, its value, and the type and text that the engine has."""

    drawn: int
    known: int
    refused: Sequence[str]
    faults: Sequence[tuple[str, Folded, str | None, str | None]]

    def __str__(self) -> str:
        return (
            f"{self.drawn} drawn, {self.known} known, {len(self.refused)} refused by the engine, "
            f"{len(self.faults)} differ"
        )


def compared(expressions: Sequence[str], told: Told, together: int = 40) -> Compared:
    """What the engine tells of the expressions that are known."""
    found = {}
    for sql in expressions:
        session = Session(told.dialect, time_zone=told.zone, doubles_quotes=True)
        try:
            found[sql] = fold(parse_condition(sql, told.dialect), session)
        except CannotConvert:
            continue
    asked = list(found)
    refused, faults = [], []
    for start in range(0, len(asked), together):
        batch = asked[start : start + together]
        for sql, answer in zip(batch, _answers(batch, found, told), strict=True):
            if answer is None:
                refused.append(sql)
            elif not is_told(found[sql], *answer, told):
                faults.append((sql, found[sql], *answer))
    return Compared(len(expressions), len(found), refused, faults)


def _answers(
    batch: Sequence[str], found: dict[str, Folded], told: Told
) -> Iterator[tuple[str | None, str | None] | None]:
    """The type and the text of each; None where the engine refuses it."""
    columns = [
        column for sql in batch for column in (f"typeof({sql})", told.text_of(sql, found[sql]))
    ]
    try:
        row = told.ask(f"SELECT {', '.join(columns)}")
    except told.refusal:
        if len(batch) == 1:
            yield None
            return
        half = len(batch) // 2
        yield from _answers(batch[:half], found, told)
        yield from _answers(batch[half:], found, told)
        return
    yield from zip(row[::2], row[1::2], strict=True)


def is_told(value: Folded, kind: str | None, text: str | None, told: Told) -> bool:
    """Whether a value is of the type and the text that an engine tells."""
    if value is NULL or text is None:
        return value is NULL and text is None
    return _is_typed(value, kind or "", told.dialect) and _is_same(value, text)


def _is_same(value: Folded, text: str) -> bool:
    match value:
        case Timestamp():
            moment = parse_timestamp(text)
            # Beyond the calendar, engines write in ways of their own.
            return text[:1] in "+-0" if moment is None else moment.nanos == value.nanos
        case bool():
            return text == str(value).lower()
        case int():
            return text == str(int(value))
        case Exact():
            return text == f"{value:f}"
        case Decimal():
            return Decimal(text) == value
        case Single():
            return repr(single(float(text))) == repr(value)
        case Padded():
            return text.rstrip(" ") == value
        case float():
            found = float(text.replace("Infinity", "inf"))
            return repr(found) == repr(float(value))
        case bytes():
            return text.lower() == value.hex()
    return text == str(value)


_WHOLE = {
    "tinyint": 8, "smallint": 16, "int": 32, "integer": 32, "bigint": 64, "hugeint": 128,
}  # fmt: skip


def _is_typed(value: Folded, kind: str, dialect: str) -> bool:
    kind = kind.lower()
    match value:
        case bool():
            return kind == "boolean"
        case int():
            return kind in _WHOLE and (not isinstance(value, Whole) or value.bits == _WHOLE[kind])
        case Decimal():
            told = kind.replace(" ", "")
            is_typed = isinstance(value, Exact)
            return (
                told == f"decimal({value.precision},{value.scale})"
                if is_typed
                else (told.startswith("decimal"))
            )
        case Single():
            return kind in ("float", "real")
        case float():
            return kind == "double"
        case Padded():
            return kind.startswith("char")
        case str():
            return kind.startswith(("varchar", "string"))
        case bytes():
            return kind in ("varbinary", "binary", "blob")
        case Timestamp():
            return _is_timestamp(value, kind, dialect)
    return kind == "date"


def _is_timestamp(value: Timestamp, kind: str, dialect: str) -> bool:
    if dialect == "spark":
        return kind == ("timestamp_ntz" if value.is_ntz else "timestamp")
    own = "" if value.digits is None or dialect != "trino" else f"({value.digits})"
    return kind.startswith(f"timestamp{own}") and kind.endswith("zone") == value.zoned
