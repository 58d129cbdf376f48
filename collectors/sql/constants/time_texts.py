"""Constant dates and times, written as text in a pattern and read from it, as every engine of the
dialect does it."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping

from sqlglot import exp

from prunescope.collectors.predicates.calendar import (
    NANOS_PER_DAY,
    NANOS_PER_SECOND,
    date_of,
    nanos_of,
)
from prunescope.collectors.predicates.literals import Timestamp
from prunescope.collectors.sql.constants.clocks import at_digits, wall_of
from prunescope.collectors.sql.constants.day_parts import WRITTEN, written
from prunescope.collectors.sql.constants.session import Session
from prunescope.collectors.sql.constants.values import CannotConvert, Folded, fails, not_constant
from prunescope.collectors.sql.dialects import dialect_of

UNSAID = "%Y-%mstrict-%dstrict %Hstrict:%Mstrict:%Sstrict"
"""The default pattern of Spark's functions of Unix seconds, as sqlglot has it."""

_SEPARATORS = frozenset("-/.:, _0123456789")
_DIGITS = {"Y": 4, "m": 2, "d": 2, "H": 2, "M": 2, "S": 2}
_READ = frozenset(_DIGITS)
_UNITS = {
    **dict.fromkeys(("Y", "short year", "week year"), "year"),
    **dict.fromkeys(("m", "plain month", "month name", "short month name"), "month"),
    **dict.fromkeys(("d", "plain day"), "day"),
    **dict.fromkeys(("day name", "short day name"), "day of week"),
}
"""The units of parts that have several forms."""
# Parts with all their digits in patterns of strftime, as sqlglot has those of Trino and of Spark,
# and of Java. Other letters are refused.
_STRFTIME = {
    **{f"%{part}": part for part in _DIGITS},
    "%-m": "plain month",
    "%-d": "plain day",
    "%G": "week year",
    "%V": "week",
    "%v": "week",
    "%j": "day of year",
    "%y": "short year",
    "%B": "month name",
    "%b": "short month name",
    "%A": "day name",
    "%a": "short day name",
    "%W": "day name",
    "%f": "microseconds",
}
_SHORT = {"%T": "%H:%M:%S", "%F": "%Y-%m-%d"}
# Dialects read some letters otherwise, or, with an empty part, not at all.
_OWN_STRFTIME: Mapping[str, Mapping[str, str]] = {
    # Names are in the language of a session.
    "trino": dict.fromkeys(("%V", "%A", "%B", "%b", "%a", "%W"), ""),
    "bigquery": dict.fromkeys(("%v", "%W", "%f", "%-m", "%-d"), ""),
    "duckdb": dict.fromkeys(("%v", "%W"), ""),
    # %M is the name of a month, or by a setting the minute.
    "clickhouse": {
        **dict.fromkeys(("%v", "%B", "%b", "%A", "%W", "%f", "%-m", "%-d", "%M"), ""),
        "%i": "M",
    },
}
_STRICT = {
    "%Y": "Y",
    **{f"%{part}strict": part for part in "mdHMS"},
    "%-m": "plain month",
    "%-d": "plain day",
    "%y": "short year",
    "%B": "month name",
    "%b": "short month name",
    "%A": "day name",
    "%a": "short day name",
}
_OF_SNOWFLAKE = {f"%{part}": part for part in _DIGITS}
_QUOTED = frozenset("QWT")
"""Letters that stand for themselves in patterns with marks before the others."""
_DREMIO = {"YYYY": "Y", "MM": "m", "DD": "d", "HH24": "H", "MI": "M", "SS": "S"}
_SNOWFLAKE = {"MMMM": "", **_DREMIO}  # the name of a month is refused
_JAVA = {"yyyy": "Y", "MM": "m", "dd": "d", "HH": "H", "mm": "M", "ss": "S"}
_BY_NAME = {
    **dict.fromkeys(("format_datetime", "try_to_timestamp", "try_to_date"), _JAVA),
    **dict.fromkeys(("to_timestamp", "to_date"), _DREMIO),
    "try_strptime": {f"%{part}": part for part in _DIGITS},
}
_NANOSECONDS = 9
_WRITTEN_ZONE = re.compile(r"UTC|[A-Z][A-Za-z_]+(?:/[A-Z][A-Za-z_]+)+|[+-](?!00:00)\d{2}:\d{2}")
"""Zones that Trino writes as they were given."""
# Before, and after the year 9999, years are not of four digits in all engines.
_FIRST_YEAR = 1000


def time_text(value: Folded, pattern: object, session: Session) -> str:
    """The text of a date or time in a pattern; raises CannotConvert."""
    digits = dialect_of(session.dialect).formatted_digits
    if isinstance(value, Timestamp) and digits is not None:
        value = at_digits(value, digits)
    wall = wall_of(value, session)
    _require_digits(date_of(wall), session)
    return "".join(written(part, wall) for part in parts_of(pattern, session))


def _require_digits(day: dt.date, session: Session) -> None:
    """Raises CannotConvert for years that some engines write with fewer than four digits."""
    dialect = dialect_of(session.dialect)
    pads = dialect.has_known_functions or dialect.has_documented_dates
    if day.year < _FIRST_YEAR and not pads:
        raise not_constant()


def cast_text_of(value: Timestamp, session: Session) -> str:
    """The text to which a time is cast. Trino writes all digits of its type and its zone; others
    write as many digits as there are, on the session's clock."""
    dialect = dialect_of(session.dialect)
    wall = wall_of(value, session)
    day, nanos = date_of(wall), wall % NANOS_PER_DAY
    seconds, fraction = divmod(nanos, NANOS_PER_SECOND)
    _require_digits(day, session)
    clock = f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    written = f"{day.isoformat()} {clock}"
    if not dialect.has_joda_time:
        if value.zoned and not (dialect.has_java_time or dialect.plain_are_moments):
            raise not_constant()  # which others write with their distance from UTC
        return f"{written}.{fraction:09}".rstrip("0").rstrip(".") if fraction else written
    if value.digits is None or value.digits > _NANOSECONDS:
        raise not_constant()
    if value.digits:
        written += f".{fraction:09}"[: value.digits + 1]
    if not value.zoned:
        return written
    zone = value.zone or session.time_zone
    if zone is None or not _WRITTEN_ZONE.fullmatch(zone):
        raise not_constant()
    return f"{written} {zone}"


def read_time(text: Folded, pattern: object, session: Session) -> Timestamp:
    """The time without zone of a text with all digits of its pattern's parts, or in DuckDB with any
    number of digits: a date, in Spark and Trino at least a year and month, and any parts of a
    clock. Raises CannotConvert for other texts, and Fails for an invalid date."""
    parts = parts_of(pattern, session)
    names = [part for part in parts if part in _DIGITS]
    needed = {"Y", "m"} if dialect_of(session.dialect).is_measured else {"Y", "m", "d"}
    if not isinstance(text, str) or len({*names}) < len(names) or not needed <= {*names}:
        raise not_constant()
    if any(part in WRITTEN - _READ for part in parts):
        raise not_constant()
    is_greedy = dialect_of(session.dialect).has_strftime
    least, mode = ("1,", "+") if is_greedy else ("", "")
    expected = "".join(
        rf"(\d{{{least}{_DIGITS[part]}}}{mode})" if part in _DIGITS else re.escape(part)
        for part in parts
    )
    found = re.fullmatch(expected, text.strip(" ") if is_greedy else text, re.ASCII)
    if found is None:
        raise fails() if is_greedy and text.isascii() else _unread(text, parts)
    read = {name: int(digits) for name, digits in zip(names, found.groups(), strict=True)}
    try:
        day = dt.date(read["Y"], read["m"], read.get("d", 1))
        clock = dt.time(read.get("H", 0), read.get("M", 0), read.get("S", 0))
    except ValueError:
        raise fails() if read["Y"] else not_constant() from None
    seconds = clock.hour * 3600 + clock.minute * 60 + clock.second
    nanos = nanos_of(day) + seconds * NANOS_PER_SECOND
    return Timestamp(nanos, zoned=False, digits=dialect_of(session.dialect).formatted_digits)


def _unread(text: str, parts: list[str]) -> CannotConvert:
    """The failure of a text that matches no pattern, or the refusal of one whose numbers some
    engines read with fewer or more digits, signs or spaces."""
    lenient = "".join(
        r"\s*[+-]?\d+" if part in _DIGITS else r"\s*" + re.escape(part) for part in parts
    )
    return not_constant() if re.match(lenient, text) else fails()


def parts_of(pattern: object, session: Session) -> list[str]:
    """The parts of a pattern, as letters of strftime, and the texts between them. Raises
    CannotConvert if the engine is not known to read the pattern so."""
    dialect = dialect_of(session.dialect)
    is_known = dialect.has_known_functions or dialect.has_documented_dates
    if not isinstance(pattern, exp.Literal) or not is_known:
        raise not_constant()
    letters = _as_written(pattern)
    if letters is None and dialect.has_snowflake_patterns:
        letters = _OF_SNOWFLAKE
    elif letters is None:
        known = {**_STRFTIME, **_OWN_STRFTIME.get(session.dialect, {})}
        letters = _STRICT if dialect.has_hive_functions else known
    text = pattern.name.upper() if letters is _SNOWFLAKE else pattern.name
    for short, long in _SHORT.items():
        text = text.replace(short, long.replace("%M", "%i") if "%i" in letters else long)
    return _split(text, letters)


def _as_written(pattern: exp.Literal) -> Mapping[str, str] | None:
    """The letters of a pattern that sqlglot does not translate; None for other patterns."""
    match pattern.parent:
        case exp.Anonymous(this=str() as name):
            return _BY_NAME.get(name.lower())
        case exp.ParseDatetime():
            return _JAVA
        case exp.ToChar():
            return _SNOWFLAKE
        case exp.StrToUnix():  # to_unix_timestamp(), and not unix_timestamp()
            return None if "%" in pattern.name else _JAVA
    return None


def _split(pattern: str, letters: Mapping[str, str]) -> list[str]:
    quote = "'" if letters is _STRICT else ""
    plain = {f"{quote}{letter}{quote}": letter for letter in _QUOTED if "%Y" in letters}
    known = {**letters, **plain, **{letter: letter for letter in _SEPARATORS}}
    parts: list[str] = []
    before = None
    while pattern:
        found = next((each for each in known if pattern.startswith(each)), None)
        unit = None if found is None else _UNITS.get(known[found])
        # Java has other forms of parts whose letter stands more often than sqlglot knows.
        if found is None or not known[found] or (unit is not None and unit == before):
            raise not_constant()
        parts.append(known[found])
        before = unit
        pattern = pattern[len(found) :]
    return parts
