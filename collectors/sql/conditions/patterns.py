"""LIKE, and tests for a prefix, as comparisons of a column of texts."""

from __future__ import annotations

from dataclasses import replace

from sqlglot import exp

from prunescope.collectors.predicates.literals import LiteralValue
from prunescope.collectors.predicates.model import (
    FALSE,
    Column,
    Comparison,
    Predicate,
    Reason,
    Written,
    all_of,
)
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.predicates.walks import written_as
from prunescope.collectors.sql.conditions.comparisons import compare_value
from prunescope.collectors.sql.conditions.reader import Reader, TextCast, Wrapped
from prunescope.collectors.sql.constants.terms import Term
from prunescope.collectors.sql.constants.values import CannotConvert, Null
from prunescope.collectors.sql.dialects import dialect_of
from prunescope.collectors.sql.text.boolean import Leaf, own_columns


def text_match(leaf: Leaf, reader: Reader) -> Predicate:
    """`subject LIKE pattern`, with or without ESCAPE, and tests for a prefix; raises CannotConvert
    if nothing of the pattern is known."""
    expression, negated = leaf.expression, leaf.negated
    escape: str | None = None
    if isinstance(expression, exp.Escape):
        character = reader.literal(expression.expression)
        if not isinstance(character, str) or not isinstance(expression.this, exp.Like):
            raise CannotConvert(Reason.LIKE_PATTERN)
        expression, escape = expression.this, character
    negated = negated != bool(expression.args.get("negate"))
    if isinstance(expression.expression, exp.Any | exp.All):
        raise CannotConvert(Reason.LIKE_PATTERN)
    subject = reader.term(expression.this)
    if isinstance(subject, TextCast):
        subject = subject.column
    else:
        subject = reader.column(expression.this)
    if own_columns(expression.expression):
        raise CannotConvert(Reason.COLUMN_TO_COLUMN)
    pattern = reader.literal(expression.expression)
    if isinstance(expression, exp.StartsWith) and isinstance(pattern, str):
        return _starting(subject, pattern, "%", negated, leaf, reader)
    return matched(subject, pattern, escape, negated, leaf, reader)


def matched(  # a pattern has this many parts
    subject: Term | Wrapped,
    pattern: LiteralValue | Null,
    escape: str | None,
    negated: bool,
    leaf: Leaf,
    reader: Reader,
) -> Predicate:
    """`subject LIKE pattern`; raises CannotConvert if nothing of the pattern is known."""
    if isinstance(pattern, Null):
        return FALSE
    if not isinstance(pattern, str):
        raise CannotConvert(Reason.LIKE_PATTERN)
    prefix, rest = split_pattern(pattern, escape, reader.session.dialect)
    return _starting(subject, prefix, rest, negated, leaf, reader)


def _starting(  # likewise
    subject: Term | Wrapped, prefix: str, rest: str, negated: bool, leaf: Leaf, reader: Reader
) -> Predicate:
    """The predicate of texts with a prefix, followed by the rest of a pattern."""
    if not rest:
        found = compare_value(Op.NOT_EQ if negated else Op.EQ, subject, prefix, leaf, reader)
        return replace(found, of_text=True) if isinstance(found, Comparison) else found
    is_prefix = rest.strip("%") == ""
    assert isinstance(subject, Column)
    planner = reader.planner
    if not prefix and planner is not None and not planner.profile.pushdown.pushes_any_text:
        raise CannotConvert(Reason.LIKE_PATTERN)
    if is_prefix:
        return _starts_with(subject, prefix, negated=negated)
    whole = reader.unsupported(Reason.LIKE_PATTERN, leaf)
    if negated or not prefix:
        return whole
    starts = _starts_with(subject, prefix)
    return all_of(written_as(Written(whole.text, whole.redacted), starts), whole)


def _starts_with(column: Column, prefix: str, *, negated: bool = False) -> Predicate:
    if not prefix:
        return FALSE if negated else Comparison(Op.NOT_NULL, column)
    return Comparison(Op.NOT_STARTS_WITH if negated else Op.STARTS_WITH, column, (prefix,))


def split_pattern(pattern: str, escape: str | None, dialect: str) -> tuple[str, str]:
    """The literal text before the first wildcard of a LIKE pattern, and the rest from there.

    `escape` is that of an ESCAPE clause, "" for none in effect. Without the clause Trino has no
    escape character and Spark has the backslash; elsewhere a backslash is not read. Raises
    CannotConvert (LIKE_PATTERN) for that, and for an escape of anything but a wildcard or
    itself, which is an error in the engines.
    """
    if escape is None:
        escape = dialect_of(dialect).like_escape
        if escape is None and "\\" in pattern:
            raise CannotConvert(Reason.LIKE_PATTERN)
    prefix = ""
    characters = iter(enumerate(pattern))
    for index, character in characters:
        if character == escape:
            _, escaped = next(characters, (index, ""))
            if escaped not in ("%", "_", escape):
                raise CannotConvert(Reason.LIKE_PATTERN)
            prefix += escaped
        elif character in "%_":
            return prefix, pattern[index:]
        else:
            prefix += character
    return prefix, ""
