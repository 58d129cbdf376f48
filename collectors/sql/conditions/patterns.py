"""LIKE, and regular expressions of which the start of the text is known."""

from __future__ import annotations

import re
from dataclasses import replace

from sqlglot import exp

from collectors.predicates.literals import LiteralValue
from collectors.predicates.model import (
    FALSE,
    Column,
    Comparison,
    Predicate,
    Reason,
    Written,
    all_of,
    any_of,
)
from collectors.predicates.operators import Op
from collectors.predicates.walks import written_as
from collectors.sql.conditions.comparisons import compare_value
from collectors.sql.conditions.like import expression_prefixes, split_pattern
from collectors.sql.conditions.reader import Reader, TextCast, Wrapped
from collectors.sql.constants.terms import Term, reason_for
from collectors.sql.constants.values import CannotConvert, Null
from collectors.sql.dialects import dialect_of
from collectors.sql.rewrites.rewrite import Beginning, Rewritten
from collectors.sql.rewrites.time_texts import TimeText, starting_with
from collectors.sql.text.boolean import Leaf, own_columns

_YEAR = re.compile("[0-9]{4}")
_NUMBER = re.compile("[1-9][0-9]*")


def has_texts(subject: Term | Wrapped) -> bool:
    """Whether a subject that is no column has texts that patterns tell something of."""
    return isinstance(subject, Rewritten) and subject.rewrite.starting is not None


def text_match(leaf: Leaf, reader: Reader) -> Predicate:
    """`subject LIKE pattern`, with or without ESCAPE, and calls that say how a text begins; raises
    CannotConvert where nothing of the pattern is known."""
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
    elif not has_texts(subject):
        subject = reader.column(expression.this)
    if own_columns(expression.expression):
        raise CannotConvert(Reason.COLUMN_TO_COLUMN)
    pattern = reader.literal(expression.expression)
    if isinstance(expression, exp.StartsWith) and isinstance(pattern, str):
        return _starting(subject, pattern, "%", negated, leaf, reader)
    return matched(subject, pattern, escape, negated, leaf, reader)


def expression_match(expression: exp.RegexpLike, leaf: Leaf, reader: Reader) -> Predicate:
    """A regular expression of which the start of the text is known. No engine makes anything of
    it. Raises CannotConvert for others, where it is negated, and with a planner."""
    if leaf.negated or reader.planner is not None or expression.args.get("flag"):
        raise CannotConvert(Reason.FUNCTION)
    subject = reader.term(expression.this)
    if not has_texts(subject):
        subject = reader.column(expression.this)
    if own_columns(expression.expression):
        raise CannotConvert(Reason.COLUMN_TO_COLUMN)
    pattern = reader.literal(expression.expression)
    prefixes = expression_prefixes(pattern) if isinstance(pattern, str) else ()
    if not prefixes:
        raise CannotConvert(Reason.FUNCTION)
    whole = reader.unsupported(Reason.LIKE_PATTERN, leaf)
    starts = any_of(*(_begun(subject, prefix, leaf, reader) for prefix in prefixes))
    return all_of(written_as(Written(whole.text, whole.redacted), starts), whole)


def _begun(subject: Term | Wrapped, prefix: str, leaf: Leaf, reader: Reader) -> Predicate:
    if isinstance(subject, Rewritten) and subject.rewrite.starting is not None:
        session = reader.session_of(leaf.expression)
        return subject.rewrite.starting(subject.found, Beginning(prefix), session)[0]
    assert isinstance(subject, Column)
    return _starts_with(subject, prefix)


def matched(  # a pattern has this many parts
    subject: Term | Wrapped,
    pattern: LiteralValue | Null,
    escape: str | None,
    negated: bool,
    leaf: Leaf,
    reader: Reader,
) -> Predicate:
    """`subject LIKE pattern`; raises CannotConvert where nothing of the pattern is known."""
    if isinstance(pattern, Null):
        return FALSE
    if not isinstance(pattern, str):
        raise CannotConvert(Reason.LIKE_PATTERN)
    prefix, rest = split_pattern(pattern, escape, reader.session.dialect)
    return _starting(subject, prefix, rest, negated, leaf, reader)


def _starting(  # likewise
    subject: Term | Wrapped, prefix: str, rest: str, negated: bool, leaf: Leaf, reader: Reader
) -> Predicate:
    """A text that starts with a prefix, with the rest of a pattern after it."""
    if not rest:
        found = compare_value(Op.NOT_EQ if negated else Op.EQ, subject, prefix, leaf, reader)
        return replace(found, of_text=True) if isinstance(found, Comparison) else found
    is_prefix = rest.strip("%") == ""
    if isinstance(subject, Rewritten) and subject.rewrite.starting is not None:
        found, session = subject.found, reader.session_of(leaf.expression)
        beginning = Beginning(prefix, negated=negated, is_open=is_prefix)
        selected, is_all = subject.rewrite.starting(found, beginning, session)
        if is_all:
            return selected
        text = leaf.expression.this
        reason = reason_for(text.this if isinstance(text, exp.Like) else text)
        return all_of(selected, reader.unsupported(reason, leaf))
    assert isinstance(subject, Column)
    planner = reader.planner
    if not prefix and planner is not None and not planner.profile.pushes_any_text:
        raise CannotConvert(Reason.LIKE_PATTERN)
    if is_prefix:
        if planner is None and dialect_of(reader.session.dialect).has_java_time:
            return _of_any_type(subject, prefix, negated, leaf, reader)
        return _starts_with(subject, prefix, negated=negated)
    whole = reader.unsupported(Reason.LIKE_PATTERN, leaf)
    if negated or not prefix:
        return whole
    starts = _starts_with(subject, prefix)
    return all_of(written_as(Written(whole.text, whole.redacted), starts), whole)


def _of_any_type(
    column: Column, prefix: str, negated: bool, leaf: Leaf, reader: Reader
) -> Predicate:
    """A column that starts with a prefix, of which Spark makes text where it is a time or a number.
    What is known of a part of the prefix alone is left, as there is no more to say where it is
    text."""
    plain = _starts_with(column, prefix, negated=negated)
    is_year, is_number = _YEAR.match(prefix), not negated and _NUMBER.fullmatch(prefix)
    if column.transform is not None or not (is_year or is_number):
        return plain
    assert isinstance(plain, Comparison)
    selected: Predicate = replace(plain, of_digits=bool(is_number))
    if is_year:
        found = TimeText(column.path, is_date=False)
        beginning = Beginning(prefix, negated=negated)
        of_times, is_all = starting_with(found, beginning, reader.session_of(leaf.expression))
        selected = of_times if is_all else selected
    return written_as(reader.written(leaf), selected)


def _starts_with(column: Column, prefix: str, *, negated: bool = False) -> Predicate:
    if not prefix:
        return FALSE if negated else Comparison(Op.NOT_NULL, column)
    return Comparison(Op.NOT_STARTS_WITH if negated else Op.STARTS_WITH, column, (prefix,))
