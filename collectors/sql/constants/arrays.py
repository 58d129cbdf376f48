"""Functions that split, join and index constant arrays of texts. Each function raises CannotConvert
if engines differ or fail."""

from __future__ import annotations

from prunescope.collectors.sql.constants.call import LONGEST, Call
from prunescope.collectors.sql.constants.texts import text_of
from prunescope.collectors.sql.constants.values import NULL, Folded, fails, is_int, not_constant
from prunescope.collectors.sql.dialects import dialect_of


def array(_call: Call, *values: Folded) -> tuple[str, ...]:
    """An array of texts that is written out."""
    texts = tuple(value for value in values if isinstance(value, str))
    if len(texts) != len(values):
        raise not_constant()
    return texts


def split(call: Call, value: Folded, separator: Folded) -> tuple[str, ...]:
    """Trino's split() with a plain text as separator."""
    return tuple(_parts(call, value, separator))


def element(call: Call, items: Folded, *places: Folded) -> Folded:
    """The element of an array at a place: element_at() counts from 1, and back from the end; a
    place in brackets counts from 0, as the parser leaves it."""
    if not isinstance(items, tuple) or len(places) != 1 or not is_int(places[0]):
        raise not_constant()
    place, counts_back = places[0], bool(call.expression.args.get("offset"))
    if not counts_back and 0 <= place < len(items):
        return items[place]
    if counts_back and 0 < abs(place) <= len(items):
        return items[place - 1 if place > 0 else place]
    if call.expression.args.get("safe") and (place or not counts_back):
        return NULL
    raise fails() if dialect_of(call.session.dialect).is_strict else not_constant()


def joined(_call: Call, items: Folded, separator: Folded) -> str:
    """array_join()."""
    if not isinstance(items, tuple) or not isinstance(separator, str):
        raise not_constant()
    if len(items) * len(separator) > LONGEST:
        raise not_constant()
    return separator.join(items)


def split_part(call: Call, value: Folded, separator: Folded, place: Folded) -> Folded:
    """The part at a place, counted from 1, and except in Trino also back from the end. Beyond the
    parts, Trino returns NULL and others an empty text."""
    absent_is_null = dialect_of(call.session.dialect).absent_is_null
    parts = _parts(call, value, separator)
    if not is_int(place) or place == 0 or (absent_is_null and place < 0):
        raise not_constant()
    if abs(place) > len(parts):
        return NULL if absent_is_null else ""
    return parts[place - 1 if place > 0 else place]


def before(call: Call, value: Folded, separator: Folded, count: Folded) -> str:
    """Spark's substring_index(): the first `count` parts, or the last ones if `count` is
    negative."""
    # What overlaps itself is found otherwise from the end.
    if not is_int(count) or not isinstance(separator, str) or len(separator) != 1:
        raise not_constant()
    parts = _parts(call, value, separator)
    return separator.join(parts[:count] if count >= 0 else parts[count:])


def turned(call: Call, items: Folded) -> Folded:
    """reverse() of an array, or of a text."""
    if isinstance(items, tuple):
        return items[::-1]
    return text_of(items, call.session)[::-1]


def _parts(call: Call, value: Folded, separator: Folded) -> list[str]:
    if not isinstance(separator, str) or not separator:
        raise not_constant()
    return text_of(value, call.session).split(separator)
