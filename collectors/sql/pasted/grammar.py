"""SQL of the ends of ranges, made of the operands of a condition: in each dialect's words.

An end is a base, perhaps moved by one unit. Bases are casts of operands, what these are put
together to, and the beginnings of units. Nothing here tells which end is right: the search does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations, product

from prunescope.collectors.sql.dialects import dialect_of
from prunescope.collectors.sql.pasted.operands import Operand


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a dialect: its types of texts and of whole numbers; casts to times without and
    with a zone, and to such of UTC; dates of a year, of year and month, and of year, month and day;
    the beginning of a unit; an interval of `count` units; what is as many units as an operand says
    after a base, and before it; a time of so many seconds since 1970; and a day at which its
    functions end. A dialect that `moves_dates` compares times with a zone with such times alone,
    and moves none by months: the date is moved that a time is made of."""

    text: str
    whole: str
    plain: str
    zoned: str
    utc: str
    dates: tuple[str, str, str]
    start: str = "DATE_TRUNC('{unit}', {time})"
    interval: str = "INTERVAL '{count}' {unit}"
    several: tuple[str, str] = (
        "{base} + INTERVAL '1' {unit} * {count}",
        "{base} - INTERVAL '1' {unit} * {count}",
    )
    seconds: str = "FROM_UNIXTIME({count})"
    held: str = "DATE '{day}'"
    moves_dates: bool = False


def _of_function(name: str) -> tuple[str, str, str]:
    return f"{name}({{y}}, 1, 1)", f"{name}({{y}}, {{m}}, 1)", f"{name}({{y}}, {{m}}, {{d}})"


_OF_TRINO = Words(
    text="VARCHAR",
    whole="BIGINT",
    plain="CAST({value} AS TIMESTAMP)",
    zoned="CAST({value} AS TIMESTAMP WITH TIME ZONE)",
    utc="WITH_TIMEZONE(CAST({value} AS TIMESTAMP), 'UTC')",
    dates=(
        "CAST(FORMAT('%d-01-01', {y}) AS DATE)",
        "CAST(FORMAT('%d-%02d-01', {y}, {m}) AS DATE)",
        "CAST(FORMAT('%d-%02d-%02d', {y}, {m}, {d}) AS DATE)",
    ),
)
_OF_SPARK = Words(
    text="STRING",
    whole="BIGINT",
    plain="CAST({value} AS TIMESTAMP_NTZ)",
    zoned="CAST({value} AS TIMESTAMP)",
    utc="CAST(CAST({value} AS STRING) || ' 00:00:00 UTC' AS TIMESTAMP)",
    dates=_of_function("MAKE_DATE"),
    seconds="TIMESTAMP_SECONDS({count})",
)
_WORDS = {
    "trino": _OF_TRINO,
    "athena": _OF_TRINO,
    "presto": _OF_TRINO,
    "spark": _OF_SPARK,
    "databricks": _OF_SPARK,
    "duckdb": Words(
        text="VARCHAR",
        whole="BIGINT",
        plain="CAST({value} AS TIMESTAMP)",
        zoned="CAST({value} AS TIMESTAMPTZ)",
        utc="CAST(CAST({value} AS VARCHAR) || ' 00:00:00 UTC' AS TIMESTAMPTZ)",
        dates=_of_function("MAKE_DATE"),
        seconds="TO_TIMESTAMP({count})",
    ),
    "snowflake": Words(
        text="VARCHAR",
        whole="BIGINT",
        plain="CAST({value} AS TIMESTAMP_NTZ)",
        zoned="CAST({value} AS TIMESTAMP_TZ)",
        utc="CAST(CAST({value} AS VARCHAR) || ' 00:00:00 +00:00' AS TIMESTAMP_TZ)",
        dates=_of_function("DATE_FROM_PARTS"),
        interval="INTERVAL '{count} {unit}'",
        several=(
            "DATEADD({unit}, {count}, {base})",
            "DATEADD({unit}, -1 * {count}, {base})",
        ),
        seconds="TO_TIMESTAMP({count})",
    ),
    "bigquery": Words(
        text="STRING",
        whole="INT64",
        plain="CAST({value} AS DATETIME)",
        zoned="TIMESTAMP({value})",
        utc="TIMESTAMP({value}, 'UTC')",
        dates=_of_function("DATE"),
        start="DATE_TRUNC({time}, {unit})",
        interval="INTERVAL {count} {unit}",
        several=("{base} + INTERVAL {count} {unit}", "{base} - INTERVAL {count} {unit}"),
        seconds="TIMESTAMP_SECONDS({count})",
        moves_dates=True,
    ),
    "clickhouse": Words(
        text="String",
        whole="Int64",
        plain="toDateTime64({value}, 6)",
        zoned="toDateTime64({value}, 6)",
        utc="toDateTime64({value}, 6, 'UTC')",
        held="toDate32('{day}')",
        dates=_of_function("makeDate"),
        interval="INTERVAL {count} {unit}",
        several=("{base} + INTERVAL {count} {unit}", "{base} - INTERVAL {count} {unit}"),
    ),
}
_STARTS = ("YEAR", "QUARTER", "MONTH", "WEEK", "DAY", "HOUR")
_SPANS = ("DAY", "MONTH", "HOUR", "YEAR", "WEEK", "MINUTE", "SECOND")
_SHORTER = {"QUARTER": ("3", "MONTH"), "WEEK": ("7", "DAY")}
"""Units that some dialects have no intervals of."""


def is_known(dialect: str) -> bool:
    """True if ends can be written in a dialect."""
    return dialect in _WORDS


def moved(base: str, sign: str, unit: str, kind: str, dialect: str) -> str:
    """An end that is one unit after a base of an Iceberg type, or before it."""
    words = _WORDS[dialect]
    count, shorter = _SHORTER.get(unit, ("1", unit))
    interval = words.interval.format(count=count, unit=shorter)
    if words.moves_dates and kind.startswith("timestamptz"):
        before, after = words.zoned.split("{value}")
        date = base.removeprefix(before).removesuffix(after)
        return words.zoned.format(value=f"{date} {sign} {interval}")
    return f"{base} {sign} {interval}"


def bases(kind: str, operands: Sequence[Operand], dialect: str) -> Iterator[str]:
    """Values of a column of an Iceberg type, the plainest first, but for moves by a unit."""
    words = _WORDS[dialect]
    values = [one for one in operands if not one.is_interval]
    if kind == "date" or kind.startswith("timestamp"):
        yield from _times(kind, operands, values, words)
        yield from (words.held.format(day=day) for day in dialect_of(dialect).held_days or ())
        return
    yield from (one.sql for one in values)
    yield from (_texts if kind == "string" else _numbers)(values, words)


def beginning(text: str) -> str:
    """The pattern of texts that begin with one."""
    return f"CONCAT({text}, '%')"


def _times(
    kind: str, operands: Sequence[Operand], values: Sequence[Operand], words: Words
) -> Iterator[str]:
    plain = [*_plain_of(values, kind, words)]
    yield from plain
    numbers = [one.sql for one in values if not one.is_text]
    yield from (words.seconds.format(count=one) for one in numbers)
    for one in operands:
        if one.is_interval:
            yield from (f"{base} {sign} {one.sql}" for base in plain for sign in "-+")
    for number, one in product(numbers, values):
        if number != one.sql:  # a number alone is no span of itself
            for base in _plain_of([one], kind, words):
                for unit, move in product(_SPANS, words.several):
                    yield move.format(base=base, unit=unit, count=number)
    for base in plain:
        yield from (words.start.format(unit=unit, time=base) for unit in _STARTS)


def _plain_of(values: Sequence[Operand], kind: str, words: Words) -> Iterator[str]:
    if words.moves_dates and kind.startswith("timestamptz"):
        typed = [one.sql for one in values if one.is_typed]
        yield from (words.zoned.format(value=value) for value in [*typed, *_dates(values, words)])
        return
    yield from (one.sql for one in values if one.is_typed)
    yield from _dates(values, words)
    yield from _clocks(kind, values, words)


def _dates(values: Sequence[Operand], words: Words) -> Iterator[str]:
    for one in values:
        text = one.sql if one.is_text else f"CAST({one.sql} AS {words.text})"
        if one.is_text:
            yield f"CAST({one.sql} AS DATE)"
        if not one.is_typed:
            year, month, day = (f"SUBSTR({text}, {at})" for at in ("1, 4", "5, 2", "7, 2"))
            if not one.is_text:
                yield words.dates[0].format(y=one.sql)
            yield f"CAST({text} || '-01' AS DATE)"
            yield f"CAST({text} || '-01-01' AS DATE)"
            yield f"CAST({year} || '-' || {month} || '-' || {day} AS DATE)"
            yield f"CAST({year} || '-' || {month} || '-01' AS DATE)"
    numbers = [one.sql for one in values if not one.is_text]
    for count, date in enumerate(words.dates[1:], 2):
        for parts in permutations(numbers, count):
            yield date.format(**dict(zip("ymd"[:count], parts, strict=True)))


def _clocks(kind: str, values: Sequence[Operand], words: Words) -> Iterator[str]:
    times = [words.zoned, words.plain] if kind.startswith("timestamptz") else [words.plain]
    for time in times:
        for one in values:
            if one.is_text:
                yield time.format(value=one.sql)
                if not one.is_typed:
                    yield time.format(value=f"{one.sql} || ':00'")
                    yield time.format(value=f"{one.sql} || ':00:00'")
    if not kind.startswith("timestamptz"):
        yield from (words.plain.format(value=date) for date in _dates(values, words))
    else:
        dates = [*_dates(values, words)]
        yield from (words.zoned.format(value=date) for date in dates)
        texts = [one.sql for one in values if one.is_text]
        yield from (words.utc.format(value=value) for value in [*texts, *dates])


def _texts(values: Sequence[Operand], words: Words) -> Iterator[str]:
    yield from (f"CAST({one.sql} AS {words.text})" for one in values if not one.is_text)
    yield from (f"CAST({date} AS {words.text})" for date in _dates(values, words))


def _numbers(values: Sequence[Operand], words: Words) -> Iterator[str]:
    plain = [one.sql for one in values]
    plain += [f"CAST({one.sql} AS {words.whole})" for one in values if one.is_text]
    yield from plain[len(values) :]
    for one, other in permutations(plain, 2):
        yield from (f"{one} {sign} {other}" for sign in "-+*/")
        yield f"({one} + 1) * {other}"
    for one in plain:
        yield from (f"{one} {sign} 1" for sign in "-+")
    for one, other in permutations(plain, 2):
        yield from (f"{one} {sign} {other} {by} 1" for sign in "-+*" for by in "-+")
