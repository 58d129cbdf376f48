"""Functions of null, simplified for columns that are never null: `coalesce(id, 0) = 5` is `id = 5`.
Spark's optimizer reads them so for columns that are NOT NULL, with their surroundings
(SimplifyConditionals, BooleanSimplification and NullPropagation, as seen in 4.1.4).

Without types of columns, values are left alone if another value might change their type.
"""

from __future__ import annotations

from sqlglot import exp

from prunescope.collectors.sql.conditions.constant_choices import are_alike, with_values
from prunescope.collectors.sql.conditions.reader import Reader
from prunescope.collectors.sql.text.boolean import Formula, Leaf, own_columns
from prunescope.collectors.sql.text.cases import parts_of
from prunescope.collectors.sql.text.nodes import is_column

_OF_NULL = (exp.Coalesce, exp.Nvl2, exp.Case, exp.If, exp.Is, exp.NullSafeEQ, exp.NullSafeNEQ)
_SET_IF_OPERANDS_ARE = (
    *(exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE, exp.Between, exp.In, exp.Like),
    *(exp.And, exp.Or, exp.Not, exp.Paren),
)


def of_values(leaf: Leaf, reader: Reader) -> Formula | None:
    """The condition that a leaf becomes if none of its columns is null; None for a leaf that stays
    as it is, and for planners that do not use NOT NULL. Depends on no literal but true, false and
    NULL."""
    planner = reader.planner
    if (
        planner is None
        or not planner.profile.rewording.knows_required
        or not own_columns(leaf.expression)
    ):
        return None
    return with_values(leaf, _OF_NULL, lambda node, _: _value(node, reader))


def _value(node: exp.Expr, reader: Reader) -> exp.Expr | None:
    """The expression that a function of null becomes; None if it stays as it is."""
    match node:
        case exp.Coalesce(this=first, expressions=others):
            is_chosen = _is_set(first) and are_alike([first, *others], reader)
            return first if is_chosen else None
        case exp.Nvl2(this=tested, args={"true": known, "false": unknown}) if _is_set(tested):
            return known if are_alike([known, unknown], reader) else None
        case exp.Case() | exp.If():
            return _of_cases(node)
        case exp.Is(this=exp.Nullif(this=first, expression=second), expression=exp.Null()):
            are_set = _is_set(first) and _is_set(second) and are_alike([first, second], reader)
            return exp.EQ(this=first, expression=second) if are_set else None
        case exp.Is(this=tested, expression=exp.Boolean(this=wanted)):
            return _truth(tested, bool(wanted))
        case exp.NullSafeEQ(this=tested, expression=exp.Boolean(this=wanted)):
            return _truth(tested, bool(wanted))
        case exp.NullSafeNEQ(this=tested, expression=exp.Boolean(this=wanted)):
            return _truth(tested, not wanted)
    return None


def _of_cases(choice: exp.Case | exp.If) -> exp.Expr | None:
    """The only case of a choice between true and false; None for other choices."""
    base, cases, default = parts_of(choice)
    if base is not None or len(cases) != 1:
        return None
    chosen = cases[0].args["true"].unnest()
    otherwise = None if default is None else default.unnest()
    match chosen, otherwise:
        case exp.Boolean(this=wanted), exp.Boolean(this=other) if wanted != other:
            return _truth(cases[0].this, bool(wanted))
        case exp.Boolean(this=True), None | exp.Null() if choice.parent is None:
            return _truth(cases[0].this, wanted=True)
    return None


def _truth(condition: exp.Expr, wanted: bool) -> exp.Expr | None:
    """A condition that is never null, negated unless `wanted`; None for other conditions."""
    if not _is_set(condition):
        return None
    return condition if wanted else exp.Not(this=exp.paren(condition, copy=False))


def _is_set(expression: exp.Expr) -> bool:
    """True if a value is never null as long as no column is."""
    if is_column(expression) or isinstance(expression, exp.Literal | exp.Boolean):
        return True
    if isinstance(expression, exp.Is | exp.NullSafeEQ | exp.NullSafeNEQ):
        return True
    is_strict = isinstance(expression, _SET_IF_OPERANDS_ARE) and not expression.args.get("query")
    return is_strict and all(map(_is_set, expression.iter_expressions()))
