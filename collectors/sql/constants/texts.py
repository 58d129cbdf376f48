"""Functions that build and take apart constant texts. Each function raises CannotConvert if engines
differ, or a value is of another kind."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from sqlglot import exp

from prunescope.collectors.sql.constants.call import LONGEST, Call
from prunescope.collectors.sql.constants.casts import as_text
from prunescope.collectors.sql.constants.session import Session
from prunescope.collectors.sql.constants.values import NULL, Folded, is_int, not_constant
from prunescope.collectors.sql.dialects import dialect_of

# What Trino's trim() strips, in ASCII: Character.isWhitespace().
_BLANKS = "\t\n\v\f\r\x1c\x1d\x1e\x1f "
_STRIP = {"LEADING": str.lstrip, "TRAILING": str.rstrip}
# Letters of which the case depends on others beside them, or on the language.
_BY_CONTEXT = frozenset("\u03a3\u0130")
_NO_CHARACTER = 0xFFFE  # the last bits of code points that are kept free
_OLD = unicodedata.ucd_3_2_0
_WORDS = re.compile("[A-Za-z ]*")


def text_of(value: Folded, session: Session) -> str:
    """The text of an argument; Spark casts other values to text."""
    if not isinstance(value, str) and not dialect_of(session.dialect).casts_to_text:
        raise not_constant()
    return as_text(value, session)


def concatenated(values: Sequence[Folded], session: Session, *, skips_nulls: bool) -> Folded:
    """concat() and ||, which are NULL with a NULL unless they skip NULLs."""
    dialect = dialect_of(session.dialect)
    if any(value is NULL for value in values):
        if not dialect.is_measured and not dialect.has_documented_dates:
            raise not_constant()
        if not skips_nulls:
            return NULL
        values = [value for value in values if value is not NULL]
    return "".join(text_of(value, session) for value in values)


def joined(values: Sequence[Folded], session: Session) -> Folded:
    """concat_ws(), whose first value is the separator; skips NULLs, and joins elements of
    arrays."""
    if not values or values[0] is NULL:
        raise not_constant()
    separator, *others = values
    if others == [NULL] and dialect_of(session.dialect).has_joda_time:
        raise not_constant()  # of a NULL that is an array, it is one
    texts: list[str] = []
    for value in others:
        if isinstance(value, tuple):
            texts.extend(value)
        elif value is not NULL:
            texts.append(text_of(value, session))
    return text_of(separator, session).join(texts)


def padded(call: Call, value: Folded, length: Folded, fill: Folded = " ") -> str:
    """lpad() and rpad(), which truncate longer texts. Spark's fill with spaces by default."""
    text = text_of(value, call.session)
    if not is_int(length) or not 0 <= length <= LONGEST or not isinstance(fill, str) or not fill:
        raise not_constant()
    padding = (fill * (length - len(text)))[: max(0, length - len(text))]
    cut = text[:length]
    return padding + cut if call.expression.args.get("is_left") else cut + padding


def part(call: Call, value: Folded, start: Folded, length: Folded | None = None) -> str:
    """substr(): at most `length` characters from a place, counted from 1, or back from the end. For
    places before the first, Trino returns nothing, and Spark and DuckDB the rest; in Spark, 0 is
    the first place, too."""
    text, dialect = text_of(value, call.session), dialect_of(call.session.dialect)
    if not is_int(start) or not (length is None or is_int(length)):
        raise not_constant()
    if length is not None and length < 0:
        raise not_constant()
    first = start - 1 if start > 0 else len(text) + start
    if start == 0 or first < 0:
        if dialect.has_joda_time:
            return ""
        if not dialect.has_hive_functions and not dialect.has_strftime:
            raise not_constant()
        if start == 0:
            first = 0 if dialect.has_hive_functions else -1
    end = len(text) if length is None else max(0, first + length)
    return text[max(0, first) : end]


def beginning(call: Call, value: Folded, length: Folded) -> str:
    """Spark's left()."""
    if not is_int(length) or length < 0:
        raise not_constant()
    return text_of(value, call.session)[:length]


def ending(call: Call, value: Folded, length: Folded) -> str:
    """Spark's right()."""
    if not is_int(length) or length < 1:
        raise not_constant()
    return text_of(value, call.session)[-length:]


def replaced(call: Call, value: Folded, old: Folded, new: Folded = "") -> str:
    """replace() of a text that is not empty, by default with nothing."""
    if not isinstance(old, str) or not isinstance(new, str) or not old:
        raise not_constant()
    text = text_of(value, call.session)
    if text.count(old) * len(new) > LONGEST:
        raise not_constant()
    return text.replace(old, new)


def trimmed(call: Call, value: Folded, characters: Folded | None = None) -> str:
    """trim(), ltrim(), rtrim() and btrim(), of any of some characters. By default, Trino, BigQuery
    and DuckDB strip white space, which is unknown here beyond ASCII, and others strip spaces."""
    text = text_of(value, call.session)
    dialect = dialect_of(call.session.dialect)
    if characters is None and not dialect.has_joda_time:
        characters = " "
        if dialect.forgets_zones and text.strip() != text.strip(" "):
            raise not_constant()
    elif characters is None:
        characters = _BLANKS
        if text.strip() != text.strip(_BLANKS):
            raise not_constant()
    if not isinstance(characters, str) or not characters:
        raise not_constant()
    return _STRIP.get(call.expression.text("position"), str.strip)(text, characters)


def translated(call: Call, value: Folded, old: Folded, new: Folded) -> str:
    """translate(): each character of `old` becomes the one at its place in `new`, or is removed if
    there is none; the first of several equal ones counts."""
    if not isinstance(old, str) or not isinstance(new, str):
        raise not_constant()
    pairs = {character: new[at : at + 1] for at, character in reversed([*enumerate(old)])}
    return "".join(pairs.get(each, each) for each in text_of(value, call.session))


def repeated(call: Call, value: Folded, times: Folded) -> str:
    """Spark's repeat()."""
    text = text_of(value, call.session)
    if not is_int(times) or times < 0 or times * len(text) > LONGEST:
        raise not_constant()
    return text * times


def spaces(call: Call, count: Folded) -> str:
    """Spark's space()."""
    return repeated(call, " ", count)


def length(call: Call, value: Folded) -> int:
    """length() of a text, in code points."""
    return len(text_of(value, call.session))


def place(call: Call, value: Folded, found: Folded, start: Folded = 1) -> int:
    """The place, counted from 1, of a text's first occurrence in another at or after `start`; 0 if
    there is none."""
    if not isinstance(found, str) or not is_int(start) or start < 1:
        raise not_constant()
    text = text_of(value, call.session)
    if start > len(text) + 1:
        raise not_constant()
    return text.find(found, start - 1) + 1


def begins(call: Call, value: Folded, part: Folded) -> bool:
    """starts_with() and startswith()."""
    return text_of(value, call.session).startswith(text_of(part, call.session))


def ends(call: Call, value: Folded, part: Folded) -> bool:
    """ends_with() and endswith()."""
    return text_of(value, call.session).endswith(text_of(part, call.session))


def holds(call: Call, value: Folded, part: Folded) -> bool:
    """contains() of a text."""
    return text_of(part, call.session) in text_of(value, call.session)


def titled(call: Call, value: Folded) -> str:
    """Spark's initcap(), of words that end at spaces in every version."""
    text = text_of(value, call.session)
    if not _WORDS.fullmatch(text):
        raise not_constant()
    return " ".join(map(str.capitalize, text.split(" ")))


def cased(call: Call, value: Folded) -> str:
    """lower() and upper(), of letters on which all engines agree."""
    if not isinstance(value, str):
        raise not_constant()
    if isinstance(call.expression, exp.Lower):
        return in_lower_case(value, call.session)
    return "".join(_in_upper_case(each, call.session) for each in value)


def in_lower_case(text: str, session: Session) -> str:
    """The text that lower() returns. ClickHouse's lower() changes ASCII alone."""
    if text.isascii():
        return text.lower()
    if dialect_of(session.dialect).plain_are_moments:
        return "".join(each.lower() if each.isascii() else each for each in text)
    return "".join(map(_one_in_lower_case, text))


def of_unicode_in_lower_case(_call: Call, value: Folded) -> str:
    """ClickHouse's lowerUTF8()."""
    if not isinstance(value, str):
        raise not_constant()
    return "".join(map(_one_in_lower_case, value))


def _one_in_lower_case(letter: str) -> str:
    """The lower case of a letter, fixed since Unicode 3.2 and independent of letters around it."""
    found = letter.lower()
    if found == letter and _has_no_case(letter):
        return letter
    if letter in _BY_CONTEXT or len(found) != 1 or not _is_old(letter, found):
        raise not_constant()
    return found


def _in_upper_case(letter: str, session: Session) -> str:
    """The upper case of a letter, in Spark one or several letters."""
    if letter.isascii():
        return letter.upper()
    dialect = dialect_of(session.dialect)
    if dialect.plain_are_moments:
        return letter
    found = letter.upper()
    if found == letter and _has_no_case(letter):
        return letter
    if not _is_old(letter, found) or (len(found) != 1 and not dialect.has_java_time):
        raise not_constant()
    return found


def _has_no_case(letter: str) -> bool:
    """True if a character is no letter, and never will be one."""
    category = unicodedata.category(letter)
    return category[0] in "SPZN" or ord(letter) & _NO_CHARACTER == _NO_CHARACTER


def _is_old(*texts: str) -> bool:
    return all(_OLD.category(each) != "Cn" for text in texts for each in text)


def unicode_text(text: str, escape: object) -> str:
    """The text of `U&'…'`, whose characters may be written as four or six digits behind a mark."""
    mark = re.escape(escape.name if isinstance(escape, exp.Expr) else "\\")
    pattern = rf"{mark}(?:({mark})|\+([0-9A-Fa-f]{{6}})|([0-9A-Fa-f]{{4}}))"

    def character(found: re.Match[str]) -> str:
        own, *digits = found.groups()
        return own or chr(int("".join(filter(None, digits)), 16))

    return re.sub(pattern, character, text)


_PLACE = re.compile(r"%(?:%|(?:-?[1-9][0-9]?)?s|(?:[0-]?[1-9][0-9]?)?d)")


def pieces_of(pattern: str) -> list[str]:
    """The pieces of a pattern: every second one is a placeholder, the others are texts. Raises
    CannotConvert for placeholders of other values than texts and whole numbers."""
    if "%" in _PLACE.sub("", pattern):
        raise not_constant()
    found = [""]
    last = 0
    for place in _PLACE.finditer(pattern):
        found[-1] += pattern[last : place.start()]
        last = place.end()
        if place[0] == "%%":
            found[-1] += "%"
        else:
            found += [place[0], ""]
    found[-1] += pattern[last:]
    return found


def printed(_call: Call, pattern: Folded, *values: Folded) -> Folded:
    """Texts (%s) and whole numbers (%s, %d) at their placeholders, which may have a width. NULL
    becomes the word `null` there; a NULL pattern gives NULL."""
    if pattern is NULL:
        return NULL
    if not isinstance(pattern, str):
        raise not_constant()
    pieces = pieces_of(pattern)
    if len(pieces) // 2 != len(values):
        raise not_constant()
    for at, value in enumerate(values):
        pieces[2 * at + 1] = _in_place(pieces[2 * at + 1], value)
    return "".join(pieces)


def _in_place(place: str, value: Folded) -> str:
    if value is NULL:
        return place.replace("%0", "%").replace("d", "s") % "null"
    if not is_int(value) and not (place[-1] == "s" and isinstance(value, str)):
        raise not_constant()
    return place % value
