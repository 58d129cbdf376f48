"""Leaves that compare one subject with constants, which may be evaluated later, or again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlglot import exp

from prunescope.collectors.predicates.literals import LiteralValue
from prunescope.collectors.predicates.model import FALSE, Predicate, all_of, any_of
from prunescope.collectors.predicates.operators import FLIPPED, NEGATED, SET, Op
from prunescope.collectors.predicates.walks import written_as
from prunescope.collectors.sql.conditions.comparisons import compare_value, member
from prunescope.collectors.sql.conditions.constant_choices import may_be_decided, without_queries
from prunescope.collectors.sql.conditions.patterns import matched
from prunescope.collectors.sql.conditions.reader import Reader, TextCast, Wrapped
from prunescope.collectors.sql.conditions.required import of_values
from prunescope.collectors.sql.conditions.simplified import compared_truth
from prunescope.collectors.sql.constants.terms import Term, reason_of_queries
from prunescope.collectors.sql.constants.values import CannotConvert, Null
from prunescope.collectors.sql.planners.profiles import Planner, refusal
from prunescope.collectors.sql.text.boolean import Leaf, nested_queries, own_columns
from prunescope.collectors.sql.text.nodes import IS_OF_ROWS

COMPARISONS: dict[type[exp.Expr], Op] = {
    exp.EQ: Op.EQ,
    exp.NEQ: Op.NOT_EQ,
    exp.LT: Op.LT,
    exp.LTE: Op.LT_EQ,
    exp.GT: Op.GT,
    exp.GTE: Op.GT_EQ,
}

_CHOICES = (exp.Coalesce, exp.Case, exp.If, exp.Nvl2)
"""Functions that are conditions rather than comparisons."""


@dataclass(frozen=True, slots=True, eq=False)
class Test:
    """A leaf that compares one `subject` with constants that are not evaluated yet: by each of
    `ops` with one constant, or by IN, NOT IN and LIKE (STARTS_WITH, or NOT_STARTS_WITH) with all.
    `is_plain` if the subject is a bare column."""

    leaf: Leaf
    ops: tuple[Op, ...]
    subject: Term | Wrapped
    constants: tuple[exp.Expr, ...]
    is_plain: bool

    def of(self, values: Sequence[LiteralValue | Null], reader: Reader) -> Predicate:
        """The predicate of the test for values of its constants; raises CannotConvert as a leaf
        does."""
        found = self._said(values, reader)
        return found if self.is_plain else written_as(reader.written(self.leaf), found)

    def _said(self, values: Sequence[LiteralValue | Null], reader: Reader) -> Predicate:
        first = self.ops[0]
        if first in SET:
            return member(self.subject, values, self.leaf, reader)
        if first in (Op.STARTS_WITH, Op.NOT_STARTS_WITH):
            is_negated = first is Op.NOT_STARTS_WITH
            return matched(self.subject, values[0], None, is_negated, self.leaf, reader)
        parts = [
            FALSE
            if isinstance(value, Null)
            else compare_value(op, self.subject, value, self.leaf, reader)
            for op, value in zip(self.ops, values, strict=True)
        ]
        if len(parts) == 1:
            return parts[0]
        return any_of(*parts) if self.leaf.negated else all_of(*parts)


def test_of(leaf: Leaf, reader: Reader) -> Test | None:
    """The test that is equivalent to a leaf for any values of its constants; None for other leaves.
    Raises CannotConvert for a leaf that says nothing of a column, whatever its constants are."""
    expression, negated = leaf.expression, leaf.negated
    if (
        may_be_decided(expression)
        or compared_truth(leaf) is not None
        or of_values(leaf, reader) is not None
        or reader.planned(leaf) is not leaf
    ):
        return None
    if not is_read_alike(leaf, reader):
        return None
    if without_queries(expression) is not None:
        return None
    if queries := nested_queries(expression):
        raise CannotConvert(reason_of_queries(queries))
    constants: tuple[exp.Expr, ...]
    match expression:
        case exp.EQ() | exp.NEQ() | exp.LT() | exp.LTE() | exp.GT() | exp.GTE():
            op = COMPARISONS[type(expression)]
            op = NEGATED[op] if negated else op
            subject, constants = expression.this, (expression.expression,)
            if own_columns(constants[0]):
                op, subject, constants = FLIPPED[op], constants[0], (subject,)
            ops: tuple[Op, ...] = (op,)
        case exp.Between() if not expression.args.get("symmetric"):
            ops = (Op.LT, Op.GT) if negated else (Op.GT_EQ, Op.LT_EQ)
            subject = expression.this
            constants = expression.args["low"], expression.args["high"]
        case exp.In() if _is_of_values(expression):
            ops, subject = (Op.NOT_IN if negated else Op.IN,), expression.this
            constants = tuple(expression.expressions)
        case exp.Like() if not isinstance(expression.expression, exp.Any | exp.All):
            is_negated = negated != bool(expression.args.get("negate"))
            ops = (Op.NOT_STARTS_WITH if is_negated else Op.STARTS_WITH,)
            subject, constants = expression.this, (expression.expression,)
        case _:
            return None
    if not own_columns(subject) or any(map(own_columns, constants)):
        return None
    if subject.find(exp.Tuple, exp.Literal):
        return None  # which makes it another one with others
    found = reader.term(subject)
    is_plain = compares_columns(expression)
    if len(ops) > 1 and not is_plain:
        return None
    if isinstance(expression, exp.Like) and isinstance(found, TextCast):
        found = found.column
    elif isinstance(expression, exp.Like):
        found = reader.column(subject)
    return Test(leaf, ops, found, constants, is_plain)


def _may_be_range(expression: exp.Expr, planner: Planner | None) -> bool:
    """True if a planner may read a list as a range, for other values in it."""
    if (
        planner is None
        or not planner.profile.rewording.reads_lists
        or not isinstance(expression, exp.In)
    ):
        return False
    return bool(expression.meta.get(IS_OF_ROWS)) or not compares_columns(expression)


def is_read_alike(leaf: Leaf, reader: Reader) -> bool:
    """True if a leaf on a bare column is read as it is without a planner. Raises CannotConvert for
    a leaf that the planner does not push."""
    planner = reader.planner
    if _may_be_range(leaf.expression, planner):
        return False
    is_pattern = isinstance(leaf.expression, exp.Like)
    if is_pattern and planner is not None and planner.profile.rewording.reads_patterns:
        return False
    require_pushable(leaf, planner)
    return True


def _is_of_values(expression: exp.In) -> bool:
    """True if a list holds values of one subject, rather than a query's or rows of several."""
    is_list = bool(expression.expressions) and not expression.args.get("unnest")
    return is_list and not isinstance(expression.this, exp.Tuple)


def compares_columns(expression: exp.Expr) -> bool:
    """True if a leaf compares bare columns. Does not look at constants: to compare with a double,
    engines cast decimals to doubles, so `9.5e0` is another condition than `9.5`."""
    return all(_is_operand(column, expression) for column in own_columns(expression))


def _is_operand(column: exp.Expr, of: exp.Expr) -> bool:
    while isinstance(column.parent, exp.Dot | exp.Paren):
        column = column.parent
    return column is of or (column.parent is of and not isinstance(of, _CHOICES))


def require_pushable(leaf: Leaf, planner: Planner | None) -> None:
    """Raises CannotConvert for a leaf that the planner, if there is one, does not push."""
    if planner is None:
        return
    reason = refusal(planner, leaf)
    if reason is not None:
        raise CannotConvert(reason)
