"""Values of every primitive type, in the form in which rows hold them: whole numbers for dates
(days), times and timestamps (microseconds), bytes for binary, fixed and UUID."""

from __future__ import annotations

import datetime as dt
import math
import uuid
from decimal import Decimal
from typing import Any

from hypothesis import strategies as st

from prunescope.collectors.predicates.literals import Timestamp

EPOCH = dt.date(1970, 1, 1)
DAYS = ((dt.date.min - EPOCH).days, (dt.date.max - EPOCH).days)
MICROS_PER_DAY = 86_400_000_000
MICROS = (DAYS[0] * MICROS_PER_DAY, (DAYS[1] + 1) * MICROS_PER_DAY - 1)

TYPES = (
    "boolean",
    "int",
    "long",
    "float",
    "double",
    "decimal(9, 2)",
    "decimal(18, 4)",
    "decimal(38, 10)",
    "decimal(38, 0)",
    "date",
    "time",
    "timestamp",
    "timestamptz",
    "string",
    "binary",
    "fixed[3]",
    "uuid",
)

_LONG_PREFIX = "prefix-of-20-letters"
_STRINGS = st.one_of(
    st.sampled_from(
        [
            "",
            "a",
            "aa",
            "ab",
            "b",
            "é",
            "\ud7ff",
            "\U0001f600",
            "\U0010ffff" * 17,
            "a" * 16,
            "a" * 17,
            "ab" + "\U0010ffff" * 15,
            _LONG_PREFIX,
            _LONG_PREFIX + "\x00",
        ]
    ),
    st.text(max_size=4).map(lambda tail: _LONG_PREFIX + tail),
    st.text(max_size=6),
)
_BYTES = st.one_of(
    st.sampled_from([b"", b"\x00", b"\xff" * 16, b"\xff" * 17, b"prefix-of-20-letters\xff"]),
    st.binary(max_size=5),
)


def values(type_name: str) -> st.SearchStrategy[Any]:
    """Non-null values, with the awkward ones often."""
    match type_name:
        case "boolean":
            return st.booleans()
        case "int":
            return _whole(-(2**31), 2**31 - 1)
        case "long":
            return _whole(-(2**63), 2**63 - 1)
        case "float":
            return st.floats(width=32)
        case "double":
            return st.floats()
        case "date":
            return _whole(*DAYS, near=400)
        case "time":
            return st.integers(0, MICROS_PER_DAY - 1)
        case "timestamp" | "timestamptz":
            day = st.integers(-800, 800).map(lambda days: days * MICROS_PER_DAY)
            return st.one_of(_whole(*MICROS), day, day.map(lambda micros: micros - 1))
        case "string":
            return _STRINGS
        case "binary":
            return _BYTES
        case "fixed[3]":
            return st.one_of(
                st.sampled_from([bytes(3), b"\xff" * 3]), st.binary(min_size=3, max_size=3)
            )
        case "uuid":
            return st.one_of(
                st.sampled_from([bytes(16), b"\xff" * 16]), st.binary(min_size=16, max_size=16)
            )
    precision, scale = decimal_shape(type_name)
    limit = 10**precision - 21  # so that truncate[20] of the smallest still fits
    return _whole(-limit, limit).map(lambda unscaled: decimal_of(unscaled, scale))


def _whole(low: int, high: int, near: int = 20) -> st.SearchStrategy[int]:
    return st.one_of(
        st.integers(-near, near),
        st.sampled_from([low, low + 1, high - 1, high]),
        st.integers(low, high),
    )


def decimal_shape(type_name: str) -> tuple[int, int]:
    """Precision and scale of `decimal(P, S)`."""
    precision, scale = type_name.removeprefix("decimal(").removesuffix(")").split(", ")
    return int(precision), int(scale)


def decimal_of(unscaled: int, scale: int) -> Decimal:
    """Exact where Decimal's arithmetic rounds to 28 digits."""
    return Decimal((int(unscaled < 0), tuple(map(int, str(abs(unscaled)))), -scale))


@st.composite
def literals(draw: st.DrawFn, type_name: str, pool: tuple[Any, ...]) -> Any:
    """What SQL could compare a column with: a value that its rows hold, one beside it, one that
    the type cannot hold exactly, or any other; as SQL writes it."""
    held = bool(pool) and draw(st.booleans())
    value: Any = draw(st.sampled_from(pool) if held else values(type_name))
    match type_name:
        case "int" | "long":
            return draw(
                st.sampled_from(
                    [value, value, value - 1, value + 1, Decimal(value) + Decimal("0.5")]
                )
            )
        case "date":
            shown = date_of(value)
            noon = Timestamp((value * MICROS_PER_DAY + MICROS_PER_DAY // 2) * 1_000, zoned=False)
            return draw(st.sampled_from([shown, shown, shown.isoformat(), noon]))
        case "time":
            return time_of(value)
        case "timestamp" | "timestamptz":
            shift = draw(st.sampled_from([0, 0, 0, 1_000, -1_000, 500]))
            return Timestamp(value * 1_000 + shift, zoned=type_name == "timestamptz")
        case "uuid":
            return draw(st.sampled_from([value, str(uuid.UUID(bytes=value))]))
        case "decimal(9, 2)":
            units = draw(st.sampled_from(["0", "0.01", "-0.01", "0.005"]))
            return value + Decimal(units)
        case _:
            return value


def is_nan(value: Any) -> bool:
    return isinstance(value, float) and math.isnan(value)


def date_of(days: int) -> dt.date:
    return EPOCH + dt.timedelta(days=days)


def time_of(micros: int) -> dt.time:
    seconds, micros = divmod(micros, 1_000_000)
    minutes, second = divmod(seconds, 60)
    return dt.time(minutes // 60, minutes % 60, second, micros)
