"""Long chains of AND, OR and UNION as balanced trees.

A parser makes a tree as deep as the chain is long. All that walks up to the root then takes time
that grows with the square of the length, and all that descends runs out of stack. The operators
are associative: a chain reads the same, and prints the same, in any grouping.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from prunescope.collectors.sql.text.cost import spend
from prunescope.collectors.sql.text.nodes import given, nodes_of

_CHAINS = (exp.And, exp.Or, exp.Union, exp.Intersect)
# Shorter ones stay as they are.
_LONG = 8


def balance(tree: exp.Expr) -> None:
    """Regroups the chains of a tree in place. Its root stays its root."""
    nodes = nodes_of(tree)
    spend(len(nodes))
    if sum(isinstance(node, _CHAINS) for node in nodes) < _LONG:
        return
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        spend()
        links = _links(node) if isinstance(node, _CHAINS) else []
        if len(links) < _LONG:
            waiting += node.iter_expressions()
            continue
        operands = [links[-1].this, *(link.expression for link in reversed(links))]
        # The outermost link stays where it is: what is around the chain knows it.
        _regroup(node, operands, links[1:])
        waiting += operands


def _links(first: exp.Expr) -> list[exp.Expr]:
    """The nodes of the chain that starts at its last operator, from there to its first."""
    found = []
    node = first
    while type(node) is type(first) and (node is first or _is_alike(node, first)):
        found.append(node)
        node = node.this
    return found


def _is_alike(node: exp.Expr, first: exp.Expr) -> bool:
    """True if an operator has nothing of its own besides its operands, and DISTINCT like the
    other."""
    if node.comments:
        return False
    own = given(node) - {"this", "expression"}
    return own <= {"distinct"} and node.args.get("distinct") == first.args.get("distinct")


def _regroup(top: exp.Expr, operands: Sequence[exp.Expr], spare: list[exp.Expr]) -> None:
    """Makes `top` the root of a balanced tree over the operands; `spare` are its other nodes."""
    waiting = [(top, 0, len(operands))]
    while waiting:
        node, start, end = waiting.pop()
        middle = (start + end) // 2
        for name, low, high in (("this", start, middle), ("expression", middle, end)):
            if high - low == 1:
                node.set(name, operands[low])
                continue
            child = spare.pop()
            node.set(name, child)
            waiting.append((child, low, high))
