"""Texts that are put together and taken apart, of constants. Each function raises CannotConvert
where engines differ, or where a value is of another kind."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from collectors.sql.constants.call import Call
from collectors.sql.constants.casts import as_text
from collectors.sql.constants.session import Session
from collectors.sql.constants.values import NULL, Folded, is_int, not_constant
from collectors.sql.dialects import dialect_of

# What is longer is no bound of a column, and texts of texts grow without end.
_LONGEST = 10_000


def text_of(value: Folded, session: Session) -> str:
    """The text that an argument is; Spark casts others to one."""
    if not isinstance(value, str) and not dialect_of(session.dialect).has_java_time:
        raise not_constant()
    return as_text(value, session)


def concatenated(values: Sequence[Folded], session: Session) -> Folded:
    """concat() and ||, which are NULL with a NULL."""
    if any(value is NULL for value in values) and dialect_of(session.dialect).is_measured:
        return NULL
    return "".join(text_of(value, session) for value in values)


def joined(values: Sequence[Folded], session: Session) -> Folded:
    """concat_ws() of its separator and others, which skips NULLs."""
    if not values or values[0] is NULL:
        raise not_constant()
    separator, *others = values
    texts = [text_of(value, session) for value in others if value is not NULL]
    return text_of(separator, session).join(texts)


def padded(call: Call, value: Folded, length: Folded, fill: Folded) -> str:
    """lpad(), which cuts what is longer."""
    text = text_of(value, call.session)
    is_left = call.expression.args.get("is_left")
    if not is_left or not is_int(length) or length < 0 or not isinstance(fill, str) or not fill:
        raise not_constant()
    if length > _LONGEST:
        raise not_constant()
    missing = max(0, length - len(text))
    return (fill * missing)[:missing] + text[:length]


def part(call: Call, value: Folded, start: Folded, length: Folded | None = None) -> str:
    """substr(): the characters from a place on, counted from 1, at most so many."""
    text = text_of(value, call.session)
    if not is_int(start) or start < 1:
        raise not_constant()
    if length is None:
        return text[start - 1 :]
    if not is_int(length) or length < 0:
        raise not_constant()
    return text[start - 1 : start - 1 + length]


def beginning(call: Call, value: Folded, length: Folded) -> str:
    """Spark's left()."""
    if not is_int(length) or length < 0:
        raise not_constant()
    return text_of(value, call.session)[:length]


def replaced(call: Call, value: Folded, old: Folded, new: Folded) -> str:
    """replace() of a text that is not empty."""
    if not isinstance(old, str) or not isinstance(new, str) or not old:
        raise not_constant()
    found = text_of(value, call.session).replace(old, new)
    if len(found) > _LONGEST:
        raise not_constant()
    return found


def cased(call: Call, value: Folded) -> str:
    """lower() and upper(), of the letters on which all agree."""
    if not isinstance(value, str) or not value.isascii():
        raise not_constant()
    return value.lower() if isinstance(call.expression, exp.Lower) else value.upper()
