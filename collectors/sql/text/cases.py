"""CASE and IN, other forms that are equivalent to them, and ranges of which not both ends are
constants, as the two comparisons that they are."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from prunescope.collectors.sql.text.boolean import own_nodes
from prunescope.collectors.sql.text.nodes import copy_of, is_column


def parts_of(
    subject: exp.Case | exp.If,
) -> tuple[exp.Expr | None, list[exp.Expr], exp.Expr | None]:
    """The operand that cases are compared with, if any, the cases, and the default."""
    base = subject.this if isinstance(subject, exp.Case) else None
    default = subject.args.get("default") or subject.args.get("false")
    return base, subject.args.get("ifs") or [subject], default


def condition_of(base: exp.Expr | None, case: exp.Expr) -> exp.Expr:
    """The condition of a case."""
    when: exp.Expr = case.this
    return when if base is None else exp.EQ(this=base.copy(), expression=when.copy())


def as_case(subject: exp.Expr) -> exp.Case | None:
    """`decode(a, 'x', 1, 0)`, ClickHouse's `multiIf(a = 'x', 1, 0)`, and an element of a map of
    constants, as the CASE that chooses the same; None for anything else. A key that is null would
    be one of nulls."""
    default: exp.Expr | None = None
    match subject:
        case exp.Anonymous(this=str() as name, expressions=[*rest, otherwise]) if (
            name.lower() == "multiif" and rest and not len(rest) % 2
        ):
            pairs = zip(rest[::2], rest[1::2], strict=True)
            ifs = [exp.If(this=when.copy(), true=then.copy()) for when, then in pairs]
            return exp.Case(ifs=ifs, default=otherwise.copy())
        case exp.DecodeCase(expressions=[base, *rest]):
            keys, values = rest[: len(rest) // 2 * 2 : 2], rest[1::2]
            default = rest[-1] if len(rest) % 2 else None
        case exp.Bracket(
            this=exp.Map(args={"keys": exp.Array() as of_keys, "values": exp.Array() as of_values})
            | exp.VarMap(args={"keys": exp.Array() as of_keys, "values": exp.Array() as of_values}),
            expressions=[base],
        ):
            keys, values = of_keys.expressions, of_values.expressions
        case _:
            return None
    are_literals = all(isinstance(key, exp.Literal) for key in keys)
    kinds = {key.args.get("is_string") for key in keys}
    if (
        not are_literals
        or len(kinds) != 1
        or len(set(keys)) < len(keys)
        or len(keys) != len(values)
    ):
        return None
    cases = [
        exp.If(this=key.copy(), true=value.copy()) for key, value in zip(keys, values, strict=True)
    ]
    return exp.Case(
        this=base.copy(), ifs=cases, default=None if default is None else default.copy()
    )


def as_in(expression: exp.Expr) -> exp.In | None:
    """`contains(ARRAY['a', 'b'], c)`, `c IN UNNEST(['a', 'b'])` and `c = ANY(ARRAY['a', 'b'])` as
    the IN that finds the same; None for anything else. Items that are null, or of several kinds,
    would be found otherwise."""
    match expression:
        case exp.In(this=column, args={"unnest": exp.Unnest(expressions=[listed])}):
            pass
        case (
            exp.EQ(this=column, expression=exp.Any(this=listed))
            | exp.ArrayContains(this=listed, expression=column)
        ):
            pass
        case _:
            return None
    array = listed.unnest()
    if not isinstance(array, exp.Array) or not isinstance(column, exp.Expr):
        return None
    items = [item.unnest() for item in array.expressions]
    kinds = {_kind_of(item) for item in items}
    if len(kinds) != 1 or None in kinds:
        return None
    return exp.In(this=column.copy(), expressions=[item.copy() for item in items])


def _kind_of(item: exp.Expr) -> str | None:
    """The kind of a constant of an array: a number, a text, or the type that it is cast to."""
    match item:
        case exp.Literal():
            return str(item.is_string)
        case exp.Cast(this=exp.Literal(), to=kind):
            return str(kind.this)
    return None


def with_split_ranges(tree: exp.Expr, nodes: Sequence[exp.Expr]) -> exp.Expr:
    """Replaces `x BETWEEN a AND b` by `x >= a AND x <= b` if an end reads a column or a query, so
    that the condition by the other end is not lost with it. `nodes` are all nodes of the tree.
    Spark's parser splits them all (AstBuilder.withPredicate); Trino is not known to split these.
    Only columns are written twice, of which no literal has to be filled. Changes the tree."""
    for node in nodes:
        if isinstance(node, exp.Between) and _is_split(node):
            comparisons = exp.And(
                this=exp.GTE(this=node.this, expression=node.args["low"]),
                expression=exp.LTE(this=copy_of(node.this), expression=node.args["high"]),
            )
            whole = exp.Paren(this=comparisons)
            if node is tree:
                return whole
            node.replace(whole)
    return tree


def _is_split(between: exp.Between) -> bool:
    ends = (between.args["low"], between.args["high"])
    is_plain = is_column(between.this) and not between.args.get("symmetric")
    return is_plain and any(
        isinstance(node, exp.Column | exp.Query) for end in ends for node in own_nodes(end)
    )
