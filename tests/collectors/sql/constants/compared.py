"""Values of constants beside those that an engine tells, and their types."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from prunescope.collectors.predicates.instants import parse_timestamp
from prunescope.collectors.predicates.literals import Timestamp
from prunescope.collectors.sql.constants.numbers import single
from prunescope.collectors.sql.constants.session import Session
from prunescope.collectors.sql.constants.values import (
    NULL,
    CannotConvert,
    Exact,
    Fails,
    Folded,
    Padded,
    Single,
    Whole,
)
from prunescope.collectors.sql.functions.folding import fold
from prunescope.collectors.sql.text.parse import parse_condition

_TOGETHER = 40  # expressions of one query
Asked = Callable[[Sequence[str], Sequence[str]], Sequence[tuple[str, str | None]]]
"""The type and the text of each of some expressions, which have the names c0, c1, … in those that
make texts of them. Raises what the engine does for those that it refuses."""


@dataclass(frozen=True)
class Told:
    """What an engine tells of values in a session of a zone."""

    dialect: str
    zone: str
    ask: Asked
    refusal: type[Exception]
    text_of: Callable[[str, Folded], str]


def by_typeof(rows: Callable[[str], Sequence[str | None]]) -> Asked:
    """Asks an engine that has typeof() for the only row of a SELECT."""

    def ask(expressions: Sequence[str], texts: Sequence[str]) -> Sequence[tuple[str, str | None]]:
        inner = ", ".join(f"{sql} AS c{n}" for n, sql in enumerate(expressions))
        outer = ", ".join(f"typeof(c{n}), {text}" for n, text in enumerate(texts))
        row = rows(f"SELECT {outer} FROM (SELECT {inner}) AS asked")
        return [(kind or "", text) for kind, text in zip(row[::2], row[1::2], strict=True)]

    return ask


@dataclass(frozen=True)
class Compared:
    """How many of some expressions are known, those of them that the engine refuses, and those that
    differ from it: the expression, its value (NULL of what should fail), and the type and text that
    the engine has."""

    drawn: int
    known: int
    refused: Sequence[str]
    faults: Sequence[tuple[str, Folded, str, str | None]]

    def __str__(self) -> str:
        return (
            f"{self.drawn} drawn, {self.known} known, {len(self.refused)} refused by the engine, "
            f"{len(self.faults)} differ"
        )


def compared(expressions: Sequence[str], told: Told) -> Compared:
    """Returns what the engine tells of the expressions that are known."""
    found: dict[str, Folded] = {}
    failing = []
    for sql in expressions:
        session = Session(told.dialect, time_zone=told.zone, doubles_quotes=True)
        try:
            found[sql] = fold(parse_condition(sql, told.dialect), session)
        except Fails:
            failing.append(sql)
        except CannotConvert:
            continue
    asked = list(found)
    refused: list[str] = []
    faults: list[tuple[str, Folded, str, str | None]] = []
    for sql in failing:
        (answer,) = _answers([sql], {sql: NULL}, told)
        if answer is not None and answer[1] is not None:
            faults.append((sql, NULL, *answer))
    for start in range(0, len(asked), _TOGETHER):
        batch = asked[start : start + _TOGETHER]
        for sql, answer in zip(batch, _answers(batch, found, told), strict=True):
            if answer is None:
                refused.append(sql)
            elif not is_told(found[sql], *answer, told):
                faults.append((sql, found[sql], *answer))
    return Compared(len(expressions), len(found), refused, faults)


def _answers(
    batch: Sequence[str], found: dict[str, Folded], told: Told
) -> Iterator[tuple[str, str | None] | None]:
    """The type and the text of each; None where the engine refuses it."""
    texts = [told.text_of(f"c{n}", found[sql]) for n, sql in enumerate(batch)]
    try:
        yield from told.ask(batch, texts)
    except told.refusal:
        if len(batch) == 1:
            yield None
            return
        half = len(batch) // 2
        yield from _answers(batch[:half], found, told)
        yield from _answers(batch[half:], found, told)


def is_told(value: Folded, kind: str, text: str | None, told: Told) -> bool:
    """Tells whether a value is of the type and the text that an engine tells."""
    if value is NULL or text is None:
        return value is NULL and text is None
    return _is_typed(value, kind, told.dialect) and _is_same(value, text, told)


def _is_same(value: Folded, text: str, told: Told) -> bool:
    match value:
        case Timestamp(is_ntz=False) if told.dialect == "spark":
            session = Session(told.dialect, time_zone=told.zone)
            instant = value.nanos if value.zoned else session.instant_nanos(value.nanos)
            return int(text) * 1_000 == instant
        case Timestamp():
            moment = parse_timestamp(text)
            # Beyond the calendar, engines write in ways of their own.
            return text[:1] in "+-0" if moment is None else moment.nanos == value.nanos
        case bool():
            return text == str(value).lower()
        case int():
            return text == str(int(value))
        case Exact():
            return f"{Decimal(text):f}" == f"{value:f}"
        case Decimal():
            return Decimal(text) == value
        case Single():
            return repr(single(float(text))) == repr(value)
        case Padded():
            return text.rstrip(" ") == value
        case float():
            return repr(float(text)) == repr(value)
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
        case Exact():
            return kind.replace(" ", "") == f"decimal({value.precision},{value.scale})"
        case Decimal():  # of any exact type
            return kind.startswith("decimal") or kind in _WHOLE
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
