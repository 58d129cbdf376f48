"""Points in time as query logs spell them."""

from __future__ import annotations

import datetime as dt
import re
from decimal import Decimal

from prunescope.collectors.outcomes import Outcome
from prunescope.collectors.predicates.calendar import EPOCH_UTC
from prunescope.collectors.predicates.instants import parse_zone
from prunescope.collectors.queries.json_input import UnreadableInput

_PER_SECOND = (1, 10**3, 10**6, 10**9)
"""Units of epochs in a second."""
_FIRST = 10**11
"""So many seconds are the year 5138, and so many milliseconds March 1973: no query log reaches
either. Of finer units likewise."""

_NUMBER = re.compile(r"-?[0-9]{1,20}(?:\.[0-9]{1,20})?")
_ISO_8601 = re.compile(
    r"(?P<local>[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]+)?)?)"
    r"\s*(?P<zone>[A-Za-z][A-Za-z0-9_+/-]*|[+-][0-9]{2}(?::?[0-9]{2})?)?",
    re.IGNORECASE,
)


def told_instant(value: object, field: str, *, malformed: Outcome) -> dt.datetime | None:
    """`value` as `parse_instant` has it; None where it says that there is none: null, blank text,
    and zero, which stands for "unset" in logs. Raises UnreadableInput, naming `field`, for anything
    else: a query without a time is taken every night."""
    found = parse_instant(value)
    if found is None and not _is_unset(value):
        raise UnreadableInput(
            malformed,
            f"Field {field!r} is not a timestamp. Use ISO 8601 with date and time, or an epoch.",
        )
    return found


def _is_unset(value: object) -> bool:
    if isinstance(value, str):
        text = value.strip()
        return not text or (_NUMBER.fullmatch(text) is not None and Decimal(text) == 0)
    if isinstance(value, int | float | Decimal) and not isinstance(value, bool):
        return (not isinstance(value, Decimal) or value.is_finite()) and bool(value == 0)
    return value is None or isinstance(value, dt.datetime)  # pandas' NaT is one


def parse_instant(value: object) -> dt.datetime | None:
    """`value` as an aware datetime in UTC (microseconds, finer digits dropped), or None where
    it is not a point in time.

    - ISO-8601 text with date and time, `T` or a blank between them; the zone is `Z`, an offset or
      an IANA name, and UTC where it is absent. A date alone is no point in time.
    - Numbers, and text that is a number: epoch seconds, possibly fractional, below 1e11,
      milliseconds from there to 1e14, microseconds to 1e17, nanoseconds to 1e20.
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
    if not 0 < value < _FIRST * _PER_SECOND[-1]:
        return None
    unit = next(unit for unit in _PER_SECOND if value < _FIRST * unit)
    return EPOCH_UTC + dt.timedelta(microseconds=int(Decimal(value) * 1_000_000 / unit))


def _from_text(value: str) -> dt.datetime | None:
    if _NUMBER.fullmatch(value):
        return _from_epoch(Decimal(value))
    found = _ISO_8601.fullmatch(value)
    if found is None:
        return None
    zone = parse_zone(found["zone"] or "Z")
    if zone is None:
        return None
    try:
        return dt.datetime.fromisoformat(found["local"]).replace(tzinfo=zone).astimezone(dt.UTC)
    except (ValueError, OverflowError):
        return None
