"""LIKE, ILIKE and GLOB of constants, and regular expressions on constants of visible ASCII: those
that mean the same to Java, Trino's library and Python. Each function raises CannotConvert for
patterns that engines of the dialect read differently."""

from __future__ import annotations

import re

from sqlglot import exp

from prunescope.collectors.sql.constants.call import LONGEST, Call, Fold
from prunescope.collectors.sql.constants.session import Session
from prunescope.collectors.sql.constants.texts import in_lower_case, text_of
from prunescope.collectors.sql.constants.values import NULL, Folded, is_int, not_constant
from prunescope.collectors.sql.dialects import dialect_of

_ESCAPABLE = frozenset("%_")
_MOST_WILD = 5  # of which a search takes steps by the power


def like(expression: exp.Expr, fold: Fold, session: Session) -> Folded:
    """LIKE, of one pattern or of any or all of several, with or without ESCAPE."""
    escape = dialect_of(session.dialect).like_escape
    if isinstance(expression, exp.Escape):
        told = fold(expression.expression)
        if not isinstance(told, str) or len(told) != 1:
            raise not_constant()
        escape, expression = told, expression.this
    if not isinstance(expression, exp.Like | exp.ILike):
        raise not_constant()
    value, listed = fold(expression.this), expression.expression
    if isinstance(listed, exp.Any | exp.All):
        found = [
            _holds(expression, value, fold(each), escape, session) for each in _patterns(listed)
        ]
        decided = isinstance(listed, exp.Any)
        return decided if decided in found else NULL if NULL in found else not decided
    return _holds(expression, value, fold(listed), escape, session)


def _patterns(listed: exp.Expr) -> list[exp.Expr]:
    match listed.this:
        case exp.Tuple(expressions=patterns):
            return patterns
        case exp.Paren(this=pattern):
            return [pattern]
    raise not_constant()


def _holds(
    expression: exp.Expr, value: Folded, pattern: Folded, escape: str | None, session: Session
) -> Folded:
    if value is NULL or pattern is NULL:
        return NULL
    if not isinstance(value, str) or not isinstance(pattern, str) or len(value) > LONGEST:
        raise not_constant()
    if isinstance(expression, exp.ILike):
        value, pattern = (in_lower_case(text, session) for text in (value, pattern))
    holds = re.fullmatch(regular_of_like(pattern, escape), value, re.DOTALL) is not None
    return holds != bool(expression.args.get("negate"))


def regular_of_like(pattern: str, escape: str | None) -> str:
    """The regular expression of a LIKE pattern; raises CannotConvert."""
    if (escape is None and "\\" in pattern) or pattern.count("%") > _MOST_WILD:
        raise not_constant()
    found, rest = [], iter(pattern)
    for each in rest:
        if escape and each == escape:
            escaped = next(rest, "")
            if escaped not in {*_ESCAPABLE, escape}:
                raise not_constant()
            found.append(re.escape(escaped))
        else:
            found.append({"%": ".*", "_": "."}.get(each) or re.escape(each))
    return "".join(found)


def regular_of_glob(pattern: str) -> str:
    """The regular expression of a GLOB pattern, with * for any characters and ? for one; raises
    CannotConvert for other patterns."""
    if "[" in pattern or "\\" in pattern or pattern.count("*") > _MOST_WILD:
        raise not_constant()
    return "".join({"*": ".*", "?": "."}.get(each) or re.escape(each) for each in pattern)


_ESCAPED = r"\\[dDwWsS.^$|?*+()\[\]{}\\/-]"
_RANGE = "[a-z]-[a-z]|[A-Z]-[A-Z]|[0-9]-[0-9]"
_SINGLE = rf"{_RANGE}|[\w .,:;=#@%/!?*+|()$<>'\"]|{_ESCAPED}"
_CLASS = rf"\[\^?(?:-|-?(?:{_SINGLE})+-?)\]"
_REPEATED = r"[*+?]\??|\{[0-9]{1,2}(?:,[0-9]{0,2})?\}"
_PIECE = rf"(?:[\w .,:;=#@%/!~<>'\"&-]|{_ESCAPED}|{_CLASS})(?:{_REPEATED})?"
_GROUP = rf"\((?:\?:)?\^?(?:{_PIECE})+(?:\|\^?(?:{_PIECE})+)*\)"
_BRANCH = rf"(?:{_PIECE}|{_GROUP})+"
_KNOWN = re.compile(rf"\^?{_BRANCH}\$?(?:\|\^?{_BRANCH}\$?)*", re.ASCII)
_PLAIN = re.compile(r"(?:[\w ,:;=#@%/!~<>'\"&-]|\\[.^$|?*+()\[\]{}\\/-]|\[[^\\^\]]\])*", re.ASCII)
_CLASS_OF_LETTERS = re.compile(r"\\[dDwWsS]")
_LINE_ENDS = frozenset("\n\v\f\r\x85\u2028\u2029")
_VISIBLE = re.compile("[ -~]*")
# A search takes steps by the power of what is repeated.
_LONGEST_PATTERN = 100
_LONGEST_REPEATED = 100
_MOST_REPEATED = 3


def replaced(call: Call, value: Folded, pattern: Folded, new: Folded) -> str:
    """regexp_replace() with a pattern that has no empty match in the text, and a replacement
    without groups."""
    text, found = _searched(call, value, pattern)
    if not isinstance(new, str) or "$" in new or "\\" in new or _finds_nothing(found, text):
        raise not_constant()
    return found.sub(lambda _: new, text)


def found(call: Call, value: Folded, pattern: Folded) -> bool:
    """regexp_like(): True if a text holds a match of a pattern, or in Snowflake is one."""
    text, known = _searched(call, value, pattern, takes_other_letters=True)
    is_whole = bool(call.expression.args.get("full_match"))
    return (known.fullmatch(text) if is_whole else known.search(text)) is not None


def is_of(call: Call, value: Folded, pattern: Folded) -> bool:
    """DuckDB's regexp_full_match(), and SIMILAR TO."""
    text, known = _searched(call, value, pattern, takes_other_letters=True)
    return known.fullmatch(text) is not None


def is_of_glob(_call: Call, value: Folded, pattern: Folded) -> bool:
    """GLOB."""
    if not isinstance(value, str) or not isinstance(pattern, str):
        raise not_constant()
    return re.fullmatch(regular_of_glob(pattern), value, re.DOTALL) is not None


def extracted(call: Call, value: Folded, pattern: Folded, group: Folded) -> Folded:
    """regexp_extract(): a group of the first match. Without one, Spark returns an empty text and
    Trino NULL."""
    text, known = _searched(call, value, pattern)
    if not is_int(group) or not 0 <= group <= known.groups:
        raise not_constant()
    found = known.search(text)
    if found is not None and found[group] is not None:
        return found[group]
    return NULL if dialect_of(call.session.dialect).absent_is_null else ""


def split(call: Call, value: Folded, pattern: Folded) -> tuple[str, ...]:
    """Spark's split()."""
    text, found = _searched(call, value, pattern, takes_other_letters=True)
    if found.groups or _finds_nothing(found, text):
        raise not_constant()
    return tuple(found.split(text))


def text_of_pattern(pattern: str) -> str | None:
    """The only text that matches a pattern; None if there are several."""
    if not _PLAIN.fullmatch(pattern):
        return None
    return re.sub(r"\\(.)|\[(.)\]", lambda found: found[1] or found[2], pattern)


def _searched(
    call: Call, value: Folded, pattern: Folded, *, takes_other_letters: bool = False
) -> tuple[str, re.Pattern[str]]:
    """A text and a compiled pattern. Letters beyond ASCII are allowed if `takes_other_letters` and
    the pattern has no classes of letters, because engines agree then."""
    text = text_of(value, call.session)
    if not isinstance(pattern, str) or not is_known(pattern):
        raise not_constant()
    if _repeated(pattern) and len(text) > _LONGEST_REPEATED:
        raise not_constant()
    is_plain = takes_other_letters and not _CLASS_OF_LETTERS.search(pattern)
    is_same = _VISIBLE.fullmatch(text) or (is_plain and not _LINE_ENDS & {*text})
    if not is_same:
        raise not_constant()
    return text, re.compile(pattern, re.ASCII)


def is_known(pattern: str) -> bool:
    """True if all engines read a pattern alike."""
    if len(pattern) > _LONGEST_PATTERN or "||" in pattern:
        return False
    if _repeated(pattern) > _MOST_REPEATED or not _KNOWN.fullmatch(pattern):
        return False
    try:
        re.compile(pattern, re.ASCII)
    except re.error:
        return False
    return True


def _repeated(pattern: str) -> int:
    """The number of repetitions in a pattern."""
    return sum(map(pattern.count, "*+?{"))


def _finds_nothing(pattern: re.Pattern[str], text: str) -> bool:
    """True if a pattern matches an empty text, after which engines continue differently."""
    return any(not found[0] for found in pattern.finditer(text))
