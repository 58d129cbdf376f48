"""Points in time as query logs spell them."""

from __future__ import annotations

import datetime as dt
import re
from decimal import Decimal

_EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)

# 1e11 s is the year 5138, and 1e11 ms is March 1973: no query log reaches either.
_FIRST_MILLISECONDS = 10**11
_LAST_MILLISECONDS = 10**14

_NUMBER = re.compile(r"[0-9]{1,20}(?:\.[0-9]{1,20})?")
_ISO_8601 = re.compile(
    r"(?P<local>[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]+)?)?)"
    r"\s*(?P<zone>Z|UTC|GMT|[+-][0-9]{2}(?::?[0-9]{2})?)?",
    re.IGNORECASE,
)


def parse_instant(value: object) -> dt.datetime | None:
    """`value` as an aware datetime in UTC (microseconds, finer digits dropped), or None where
    it is not a point in time.

    - ISO-8601 text with date and time, `T` or a blank between them; the zone is `Z`, `UTC`,
      `GMT` or an offset, and UTC where it is absent. A date alone is no point in time.
    - Numbers, and text that is a number: epoch seconds, possibly fractional, below 1e11, epoch
      milliseconds from there to 1e14. Zero and less stand for "unset" in logs.
    - datetime; naive ones are UTC.
    """
    match value:
        case bool():
            return None
        case dt.datetime():
            return _from_datetime(value)
        case int() | float() | Decimal():
            return _from_epoch(value)
        case str():
            return _from_text(value.strip())
        case _:
            return None


def _from_datetime(value: dt.datetime) -> dt.datetime | None:
    try:
        # A subclass (pandas.Timestamp) must not leak into the result: rebuild it. Its missing
        # value NaT is a datetime too, and raises ValueError here.
        plain = dt.datetime.combine(value.date(), value.time(), value.tzinfo or dt.UTC)
        return plain.astimezone(dt.UTC)
    except (ValueError, OverflowError):
        return None


def _from_epoch(value: float | Decimal) -> dt.datetime | None:
    if isinstance(value, Decimal) and not value.is_finite():
        return None
    if not 0 < value < _LAST_MILLISECONDS:
        return None
    if value < _FIRST_MILLISECONDS:
        return _EPOCH + dt.timedelta(microseconds=int(value * 1_000_000))
    return _EPOCH + dt.timedelta(microseconds=int(value * 1_000))


def _from_text(value: str) -> dt.datetime | None:
    if _NUMBER.fullmatch(value):
        return _from_epoch(Decimal(value))
    found = _ISO_8601.fullmatch(value)
    if found is None:
        return None
    zone = (found["zone"] or "Z").upper()
    offset = "+00:00" if zone in {"Z", "UTC", "GMT"} else zone
    try:
        return dt.datetime.fromisoformat(found["local"] + offset).astimezone(dt.UTC)
    except (ValueError, OverflowError):
        return None
