"""Ranges of which not both ends are constants, as the two comparisons that they are."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from prunescope.collectors.sql.text.boolean import own_nodes
from prunescope.collectors.sql.text.nodes import copy_of, is_column


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
