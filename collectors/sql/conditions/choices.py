"""Conditions on CASE, IF and COALESCE, as conditions on what they choose from: `CASE WHEN a = 1
THEN 'x' ELSE 'y' END = 'x'` is `a = 1`, `coalesce(a, b) >= 5` is `a >= 5 OR a IS NULL AND b >= 5`.
The greatest or least of columns and constants is such a choice as well; NULLIF is its column.
So are decode(), elements of maps of constants, and choices between conditions: `coalesce(a = 1,
false)` is `a = 1`. Engines push none of these, but Trino some of those that `sole_cases` has."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sqlglot import exp

from collectors.predicates.model import FALSE, TRUE, Reason
from collectors.sql.conditions.cases import as_case, condition_of, is_case, parts_of
from collectors.sql.conditions.compared import (
    are_exact,
    are_left_out,
    is_exact,
    may_be_text,
    of_subject,
    others_of,
)
from collectors.sql.conditions.constant_choices import holds
from collectors.sql.conditions.leaf_rewrite import Around, Convert, LeafRewrite, Replacement
from collectors.sql.conditions.no_case import no_case
from collectors.sql.constants.session import Session
from collectors.sql.constants.terms import cast_to_text, period_of
from collectors.sql.constants.values import CannotConvert
from collectors.sql.dialects import dialect_of
from collectors.sql.text.boolean import AllOf, AnyOf, Formula, Leaf, formula, own_columns

_MAX_ARMS = 16
_COMPARED = (
    exp.EQ,
    exp.NEQ,
    exp.LT,
    exp.LTE,
    exp.GT,
    exp.GTE,
    exp.In,
    exp.Between,
)

_PARTS = (exp.Quarter, exp.Month, exp.WeekOfYear, exp.Day, exp.DayOfMonth, exp.DayOfYear)
_CHOICES = (exp.Case, exp.If, exp.Nvl2, exp.Greatest, exp.Least, exp.Nullif, exp.Try)

_OPPOSITE: dict[type[exp.Expr], type[exp.Binary]] = {
    exp.GT: exp.LTE,
    exp.GTE: exp.LT,
    exp.LT: exp.GTE,
    exp.LTE: exp.GT,
}


def may_choose(subject: exp.Expr) -> bool:
    """Whether an expression chooses from others, for some literals in it."""
    subject = subject.unnest()
    if isinstance(subject, exp.Coalesce):
        is_bare = isinstance(subject.this.unnest(), exp.Column | exp.Dot)
        return not is_bare or any(map(own_columns, subject.expressions))
    return isinstance(subject, _CHOICES) or as_case(subject) is not None


def choice(leaf: Leaf, around: Around) -> Replacement | None:
    """What a leaf says of the columns of a choice that it compares; None for any other leaf."""
    expression, session, convert = leaf.expression, around.session, around.convert
    if not _is_read(expression, session.dialect):
        return None
    match expression:
        case exp.Coalesce(this=condition, expressions=[exp.Boolean() as otherwise]):
            return _known_or(leaf, condition, otherwise)
        case exp.Case() | exp.If():
            return _chosen(leaf, expression, session)
    if not _may_compare(expression):
        return None
    if expression.args.get("query") or expression.args.get("unnest"):
        return None
    subject = expression.this.unnest()
    if len(own_columns(expression)) > len(own_columns(subject)):
        return None  # another side has columns as well
    match subject:
        case exp.Coalesce(this=exp.Nullif(), expressions=[default]) if not own_columns(default):
            return _after_nullif(leaf, subject, default, session, convert)
        case exp.Coalesce(this=exp.Func() as operand, expressions=[default]):
            return _or_default(leaf, operand, default, session, convert)
        case exp.Coalesce():
            return _first_known(leaf, subject, session)
        case exp.Try(this=operand) if own_columns(operand):
            # What would be an error is null, and matches nothing, negated or not.
            is_sure = period_of(operand, session.dialect) is not None
            return Replacement(of_subject(leaf, operand), is_sure, True)
        case exp.Nullif(this=exp.Expr() as operand, expression=other) if own_columns(operand):
            if own_columns(other):
                return None
            # The rows that become null are none of those that are left, or some of them.
            return Replacement(
                of_subject(leaf, operand), are_left_out(leaf, [other], session, convert)
            )
        case exp.Greatest() | exp.Least():
            return _extreme(leaf, subject, around)
        case exp.Nvl2(this=column, args={"true": known, "false": unknown}):
            is_null = exp.Is(this=column.copy(), expression=exp.Null())
            chosen = exp.If(this=is_null, true=unknown.copy(), false=known.copy())
            return _case(leaf, chosen, session, convert)
        case exp.Nullif() | exp.Nvl2() | exp.Try():
            return None
    return _case(leaf, as_case(subject) or subject, session, convert)


def _is_read(expression: exp.Expr, dialect: str) -> bool:
    known = dialect_of(dialect)
    subject = expression.this if isinstance(expression, _COMPARED) else expression
    return known.is_measured or (known.has_standard_cases and is_case(subject.unnest()))


def _may_compare(expression: exp.Expr) -> bool:
    """Whether a leaf compares a choice, or asks whether a CASE is null."""
    if isinstance(expression, exp.Is) and isinstance(expression.expression, exp.Null):
        return isinstance(expression.this.unnest(), exp.Case | exp.If)
    return isinstance(expression, _COMPARED) and may_choose(expression.this)


def _or_default(
    leaf: Leaf, operand: exp.Expr, default: exp.Expr, session: Session, convert: Convert
) -> Replacement | None:
    """What a function of a column is compared with, if its default does not match: then nulls do
    not, as without it. Of others, nothing tells where the function is null."""
    if own_columns(default) or not own_columns(operand):
        return None
    # Of numbers, the default may be of another type, in which they are compared.
    dialect = session.dialect
    is_text = cast_to_text(operand, dialect) is not None or isinstance(operand, exp.TimeToStr)
    is_of_date = isinstance(operand, _PARTS) or period_of(operand, dialect) is not None
    # Spark makes text of what has a default that is one.
    is_made_text = dialect_of(dialect).is_spark and default.is_string != is_text
    if not (is_text or is_of_date) or is_made_text:
        return None
    try:
        of_default = convert(of_subject(leaf, default))
    except CannotConvert:
        return None
    return Replacement(of_subject(leaf, operand), True, True) if of_default == FALSE else None


def _after_nullif(
    leaf: Leaf, subject: exp.Coalesce, default: exp.Expr, session: Session, convert: Convert
) -> Replacement | None:
    """What is said of a column with a default for null, and for a value: what holds without that
    value, and the value where the default matches."""
    operand, value = subject.this.this, subject.this.expression
    constants = (value, default, *others_of(leaf))
    are_texts = all(constant.is_string for constant in constants)
    is_bare = isinstance(operand.unnest(), exp.Column | exp.Dot)
    if not is_bare or not (are_texts or all(map(is_exact, constants))):
        return None
    is_equal = isinstance(leaf.expression, exp.EQ | exp.In) and not leaf.negated
    if not is_equal and may_be_text(leaf, [default], session):
        return None
    arms = [of_subject(leaf, operand)]
    try:
        is_default = convert(of_subject(leaf, default)) != FALSE
    except CannotConvert:
        return None
    if is_default:
        is_null = exp.Is(this=operand.copy(), expression=exp.Null())
        is_value = exp.EQ(this=operand.copy(), expression=value.copy())
        arms += [Leaf(is_null, False), Leaf(is_value, False)]
    return Replacement(AnyOf(tuple(arms)), False)


def _first_known(leaf: Leaf, subject: exp.Coalesce, session: Session) -> Replacement | None:
    """The first column that is not null is compared, or the constant after all of them."""
    candidates = [subject.this, *subject.expressions]
    if len(candidates) > _MAX_ARMS:
        return None
    *columns, last = candidates
    if not all(isinstance(column, exp.Column | exp.Dot) for column in columns):
        return None
    arms: list[Formula] = []
    nulls: list[Formula] = []
    for candidate in candidates:
        arms.append(AllOf((*nulls, of_subject(leaf, candidate))))
        nulls.append(Leaf(exp.Is(this=candidate.copy(), expression=exp.Null()), False))
    if own_columns(last) and not isinstance(last, exp.Column | exp.Dot):
        return None
    is_text = may_be_text(leaf, [leaf.expression], session)
    if is_text and not isinstance(leaf.expression, exp.EQ | exp.In):
        return None
    return Replacement(AnyOf(tuple(arms)), not is_text)


def _extreme(leaf: Leaf, subject: exp.Greatest | exp.Least, around: Around) -> Replacement | None:
    """The greatest is above a value where one of them is, and below it where none is above it; the
    least the other way round. A column that is null counts for Trino, and not for Spark."""
    opposite = _OPPOSITE.get(type(leaf.expression))
    candidates = [subject.this, *subject.expressions]
    columns = [candidate for candidate in candidates if own_columns(candidate)]
    others = [candidate for candidate in candidates if not own_columns(candidate)]
    are_bare = all(isinstance(column, exp.Column | exp.Dot) for column in columns)
    if leaf.negated or opposite is None or not are_bare or not all(map(is_exact, others)):
        return None
    session = around.session
    if len(columns) > 1 and not are_exact(leaf):
        return None
    # A column of text may be cast to the type of the constants.
    is_no_text = len(columns) == 1 and around.type_of(columns[0]) not in (None, "string")
    if may_be_text(leaf, (), session) and not is_no_text:
        return None
    if isinstance(leaf.expression, exp.GT | exp.GTE) == isinstance(subject, exp.Greatest):
        # A column that is null makes null of all in Trino, and is left out in Spark.
        is_all = len(columns) == 1 and are_left_out(leaf, others, session, around.convert)
        return Replacement(
            AnyOf(tuple(of_subject(leaf, candidate) for candidate in candidates)), is_all
        )
    if len(columns) > 1:
        # In Spark one that is text would make text of the others, which has another order.
        are_of_one_order = dialect_of(session.dialect).is_trino
        all_of_them = AllOf(tuple(of_subject(leaf, candidate) for candidate in candidates))
        return Replacement(all_of_them, False) if are_of_one_order else None
    other = opposite(this=columns[0].copy(), expression=leaf.expression.expression.copy())
    is_null = exp.Is(this=columns[0].copy(), expression=exp.Null())
    column = AnyOf((Leaf(other, True), Leaf(is_null, False)))
    return Replacement(AllOf((column, *(of_subject(leaf, constant) for constant in others))), False)


def _known_or(leaf: Leaf, condition: exp.Expr, otherwise: exp.Boolean) -> Replacement | None:
    """A condition that is neither true nor false counts as `otherwise`. Where that matches, nothing
    says which rows these are."""
    if bool(otherwise.this) != leaf.negated:
        return None
    return Replacement(formula(condition, negated=leaf.negated), True)


def _chosen(leaf: Leaf, expression: exp.Case | exp.If, session: Session) -> Replacement | None:
    """Those cases hold whose conditions do, and of which the chosen one does."""
    base, cases, default = parts_of(expression)
    if len(cases) > _MAX_ARMS:
        return None
    arms: list[Formula] = []
    others = 0
    is_all = True
    for case in cases:
        value = case.args["true"]
        if _is_constant(value, leaf.negated):
            others += 1
            continue
        # A row of an earlier case may be one of this as well.
        is_all = is_all and not others
        arms.append(AllOf((_when(base, case), formula(value, negated=leaf.negated))))
        others += not _is_constant(value, not leaf.negated)
    if default is not None and not _is_constant(default, leaf.negated):
        is_all = False
        otherwise = no_case(_conditions(base, cases), session)
        arms.append(AllOf((*otherwise, formula(default, negated=leaf.negated))))
    return Replacement(AnyOf(tuple(arms)), is_all) if arms else None


def _is_constant(value: exp.Expr, holds: bool) -> bool:
    """Whether a condition is the constant that is given; null is false, whether negated or not."""
    return isinstance(value, exp.Null) or (
        isinstance(value, exp.Boolean) and bool(value.this) == holds
    )


def _conditions(base: exp.Expr | None, cases: Iterable[exp.Expr]) -> list[exp.Expr]:
    return [condition_of(base, case) for case in cases]


def _when(base: exp.Expr | None, case: exp.Expr) -> Formula:
    return formula(condition_of(base, case))


def _case(
    leaf: Leaf, subject: exp.Case | exp.If, session: Session, convert: Convert
) -> Replacement | None:
    """Those cases hold whose value does."""
    base, cases, default = parts_of(subject)
    if len(cases) > _MAX_ARMS:
        return None
    if default is None and isinstance(leaf.expression, exp.Is):
        default = exp.Null()
    values = [case.args["true"] for case in cases] + ([] if default is None else [default])
    are_chosen = any(map(own_columns, values))
    is_ordered = not isinstance(leaf.expression, exp.EQ | exp.In)
    if are_chosen and is_ordered and may_be_text(leaf, values, session):
        return None
    if are_chosen and len(values) > 1 and not are_exact(leaf):
        return None
    held: list[Formula] = []
    others: list[exp.Expr] = []
    # A column may be made text of.
    is_all = not are_chosen
    if default is not None and (arm := _held(leaf, default, convert)) is not None:
        is_all = False
        before = _that_may_hold(_conditions(base, cases), default, leaf, session)
        held.append(AllOf((*no_case(before, session), *arm)))
    for case in cases:
        arm = _held(leaf, case.args["true"], convert)
        if arm is None:
            others.append(case)
            continue
        # A row of an earlier case may be one of this as well.
        is_all = is_all and not others
        # Of one value, the cases are others anyway.
        earlier = () if base is not None else no_case(_conditions(base, others), session)
        held.append(AllOf((*earlier, _when(base, case), *arm)))
    return Replacement(AnyOf(tuple(held)), is_all) if held else None


def _that_may_hold(
    conditions: Sequence[exp.Expr], chosen: exp.Expr, leaf: Leaf, session: Session
) -> list[exp.Expr]:
    """The conditions that may hold of what is chosen, if it is one of the values of a leaf."""
    column = chosen.unnest()
    is_one_of = isinstance(leaf.expression, exp.EQ | exp.In) and not leaf.negated
    if not is_one_of or not isinstance(column, exp.Column | exp.Dot):
        return [*conditions]

    def may_hold(condition: exp.Expr, value: exp.Expr) -> bool:
        told = condition.transform(lambda node: value.copy() if node == column else node)
        return holds(told, session) is not False

    values = others_of(leaf)
    return [one for one in conditions if any(may_hold(one, value) for value in values)]


def _held(leaf: Leaf, value: exp.Expr, convert: Convert) -> tuple[Formula, ...] | None:
    """What has to hold besides for the leaf to hold of a value: nothing, or the same of a column;
    None where it does not. Raises CannotConvert where that is not known."""
    arm = of_subject(leaf, value.unnest())
    is_known = isinstance(value.unnest(), exp.Column | exp.Dot)
    if is_known:
        return (arm,)
    if own_columns(value):
        raise CannotConvert(Reason.FUNCTION)
    found = convert(of_subject(leaf, value))
    if found not in (TRUE, FALSE):
        raise CannotConvert(Reason.FUNCTION)
    return () if found == TRUE else None


REWRITE = LeafRewrite(
    may_concern=lambda subject, *_: may_choose(subject),
    replace=choice,
)
