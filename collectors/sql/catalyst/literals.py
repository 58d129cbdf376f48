"""Literals as Spark's Catalyst prints them, without quoting, as Spark SQL."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence

from sqlglot import exp

from prunescope.collectors.predicates.calendar import NANOS_PER_SECOND, nanos_of
from prunescope.collectors.sql.constants.session import Session
from prunescope.collectors.sql.constants.values import CannotConvert

_WHOLE = re.compile(r"-?[0-9]{1,19}")
_DECIMAL = re.compile(r"-?[0-9]{1,38}(?:\.[0-9]{1,38})?")
_DOUBLE = re.compile(r"-?[0-9]{1,17}\.[0-9]{1,17}(?:E-?[0-9]{1,3})?")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_TIMESTAMP = re.compile(
    r"(?P<date>[0-9]{4}-[0-9]{2}-[0-9]{2}) (?P<time>[0-9]{2}:[0-9]{2}:[0-9]{2})(?:\.[0-9]{1,6})?"
)
_BYTES = re.compile(r"0x((?:[0-9A-F]{2})*)")
_TEXTS = ("string", "uuid")
# Numbers that are exact as doubles or as Spark reads them from decimals.
_FACTOR = re.compile(r"[0-9]{1,12}\.[0-9]{1,6}")
_MIDNIGHT = re.compile(r"TIMESTAMP '([0-9]{4}-[0-9]{2}-[0-9]{2}) 00:00:00'")
_ROW = re.compile(r"\[([^\[\]]*)\]")
_BETWEEN_ROWS = re.compile(r"(?<=\]),(?=\[)")


def quoted(text: str) -> str:
    """A text as a literal of Spark SQL."""
    return exp.Literal.string(text).sql("spark")


def literal_sql(text: str, kind: str | None, session: Session) -> str | None:
    """A literal of an Iceberg type, or of one that is not known (None), as Spark SQL; None for
    what is no literal of the type, or can be more than one: a time that the session's clock
    reads twice. Texts are taken as they are."""
    match kind:
        case None:
            return text if _DECIMAL.fullmatch(text) else quoted(text)
        case "string" | "uuid":
            return quoted(text)
        case "boolean":
            return text.upper() if text in ("true", "false") else None
        case "int" | "long":
            return text if _WHOLE.fullmatch(text) else None
        case "float" | "double":
            return _floating(text, kind)
        case "date":
            return f"DATE '{text}'" if _DATE.fullmatch(text) else None
        case "timestamp":
            return f"TIMESTAMP_NTZ '{text}'" if _TIMESTAMP.fullmatch(text) else None
        case "timestamptz":
            return f"TIMESTAMP '{text}'" if _is_one_moment(text, session) else None
        case "binary":
            found = _BYTES.fullmatch(text)
            return f"X'{found[1]}'" if found else None
    if kind.startswith("decimal"):
        return text if _DECIMAL.fullmatch(text) else None
    return None


def factor_sql(text: str) -> str | None:
    """A double beside an operator of arithmetic, as queries write it: a whole number without a
    point, another one without an exponent. None for what is no such number."""
    if not _FACTOR.fullmatch(text):
        return None
    return text.removesuffix(".0")


def day_of(sql: str) -> str | None:
    """The day that a literal of a moment is the beginning of; None for others."""
    found = _MIDNIGHT.fullmatch(sql)
    return None if found is None else f"DATE '{found[1]}'"


def row_sql(text: str, kinds: Sequence[str | None], session: Session) -> str | None:
    """A row of literals (`[2026,2]`), of types whose values hold no comma."""
    found = _ROW.fullmatch(text)
    values = [] if found is None else found[1].split(",")
    if len(values) != len(kinds) or None in kinds or "string" in kinds:
        return None
    literals = [literal_sql(v, kind, session) for v, kind in zip(values, kinds, strict=True)]
    known = [literal for literal in literals if literal is not None]
    return f"({', '.join(known)})" if len(known) == len(values) else None


def rows_sql(text: str, kinds: Sequence[str | None], session: Session) -> str | None:
    """A list of rows (`[2026,1],[2026,2]`)."""
    rows = [row_sql(row, kinds, session) for row in _BETWEEN_ROWS.split(text)]
    known = [row for row in rows if row is not None]
    return f"({', '.join(known)})" if len(known) == len(rows) else None


def is_list_certain(items: Sequence[str], kind: str | None) -> bool:
    """True if items that were printed without quoting, joined by commas, can be no others: a text
    may hold a comma, or be the word null. A list of one item would be a comparison."""
    if kind is not None and kind not in _TEXTS:
        return True
    return len(items) == 2 and "null" not in items


def _floating(text: str, kind: str) -> str | None:
    """A floating-point number with an exponent: without one it would be a decimal."""
    name = kind.upper()
    if text in ("NaN", "Infinity", "-Infinity"):
        return f"CAST('{text}' AS {name})"
    if not _DOUBLE.fullmatch(text):
        return None
    exact = text if "E" in text else f"{text}E0"
    return f"CAST({exact} AS FLOAT)" if kind == "float" else exact


def _is_one_moment(text: str, session: Session) -> bool:
    found = _TIMESTAMP.fullmatch(text)
    if found is None:
        return False
    try:
        date = dt.date.fromisoformat(found["date"])
        time = dt.time.fromisoformat(found["time"])
        seconds = (time.hour * 60 + time.minute) * 60 + time.second
        return not session.is_ambiguous(nanos_of(date) + seconds * NANOS_PER_SECOND)
    except (ValueError, OverflowError, CannotConvert):
        return False
