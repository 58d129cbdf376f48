"""LIKE and ILIKE of constants. Each function raises CannotConvert for patterns that engines of the
dialect read differently."""

from __future__ import annotations

import re

from sqlglot import exp

from prunescope.collectors.sql.constants.call import LONGEST, Fold
from prunescope.collectors.sql.constants.session import Session
from prunescope.collectors.sql.constants.texts import in_lower_case
from prunescope.collectors.sql.constants.values import NULL, Folded, not_constant
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
