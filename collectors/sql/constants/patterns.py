"""Regular expressions on constants: those that mean the same to Java, to Trino's library and to
Python, of visible ASCII. Each function raises CannotConvert for others."""

from __future__ import annotations

import re

from collectors.sql.constants.call import LONGEST, Call
from collectors.sql.constants.texts import text_of
from collectors.sql.constants.values import NULL, Folded, is_int, not_constant
from collectors.sql.dialects import dialect_of

_ESCAPED = r"\\[dDwWsS.^$|?*+()\[\]{}\\/-]"
_RANGE = "[a-z]-[a-z]|[A-Z]-[A-Z]|[0-9]-[0-9]"
_SINGLE = rf"{_RANGE}|[\w .,:;=#@%/!?*+|()$<>'\"]|{_ESCAPED}"
_CLASS = rf"\[\^?(?:-|-?(?:{_SINGLE})+-?)\]"
_REPEATED = r"[*+?]\??|\{[0-9]{1,2}(?:,[0-9]{0,2})?\}"
_PIECE = rf"(?:[\w .,:;=#@%/!~<>'\"&-]|{_ESCAPED}|{_CLASS})(?:{_REPEATED})?"
_GROUP = rf"\((?:\?:)?(?:{_PIECE})+(?:\|(?:{_PIECE})+)*\)"
_BRANCH = rf"(?:{_PIECE}|{_GROUP})+"
_KNOWN = re.compile(rf"\^?{_BRANCH}(?:\|{_BRANCH})*\$?", re.ASCII)
_VISIBLE = re.compile("[ -~]*")
# A search takes steps by the power of what is repeated.
_LONGEST_PATTERN = 100
_LONGEST_REPEATED = 100
_MOST_REPEATED = 3


def replaced(call: Call, value: Folded, pattern: Folded, new: Folded) -> str:
    """regexp_replace() of what is not empty, by what names no group."""
    text, found = _searched(call, value, pattern)
    if not isinstance(new, str) or "$" in new or "\\" in new or _finds_nothing(found, text):
        raise not_constant()
    return found.sub(lambda _: new, text)


def extracted(call: Call, value: Folded, pattern: Folded, group: Folded) -> Folded:
    """regexp_extract(): a group of what is found first. Where there is none, Spark has an empty
    text and Trino NULL."""
    text, known = _searched(call, value, pattern)
    if not is_int(group) or not 0 <= group <= known.groups:
        raise not_constant()
    found = known.search(text)
    if found is not None and found[group] is not None:
        return found[group]
    return NULL if dialect_of(call.session.dialect).is_trino else ""


def split(call: Call, value: Folded, pattern: Folded) -> tuple[str, ...]:
    """Spark's split()."""
    text, found = _searched(call, value, pattern)
    if found.groups or _finds_nothing(found, text):
        raise not_constant()
    return tuple(found.split(text))


def _searched(call: Call, value: Folded, pattern: Folded) -> tuple[str, re.Pattern[str]]:
    """A text, and what is searched in it."""
    text = text_of(value, call.session)
    if not isinstance(pattern, str) or len(pattern) > _LONGEST_PATTERN or "||" in pattern:
        raise not_constant()
    repeated = sum(map(pattern.count, "*+?{"))
    if repeated > _MOST_REPEATED or len(text) > (_LONGEST_REPEATED if repeated else LONGEST):
        raise not_constant()
    if not _KNOWN.fullmatch(pattern) or not _VISIBLE.fullmatch(text):
        raise not_constant()
    try:
        return text, re.compile(pattern, re.ASCII)
    except re.error:
        raise not_constant() from None


def _finds_nothing(pattern: re.Pattern[str], text: str) -> bool:
    """Whether it finds an empty text somewhere, after which engines go on otherwise."""
    return any(not found[0] for found in pattern.finditer(text))
