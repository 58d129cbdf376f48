"""The FROM clause of one SELECT as a tree of joins over its sources."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sqlglot import exp

from collectors.predicates.sql_boolean import Formula, conjuncts_of, formula
from collectors.queries.observed import TableName


@dataclass(frozen=True, slots=True, eq=False)
class Source:
    """One item of a FROM clause: an audited base table (`table`), a derived table or reference
    to a common table expression (`query`), or something else, such as UNNEST.

    `qualifiers` are the lower-case name paths that may precede its columns. `names` are its
    lower-case columns in order, "" for those without a name; None if they are not known.
    `is_renamed` tells that `AS t(a, b)` named them. Conditions on the columns of a `is_sealed`
    source (PIVOT, recursive queries) say nothing of the rows behind it.
    """

    node: exp.Expr
    qualifiers: tuple[tuple[str, ...], ...]
    names: tuple[str, ...] | None
    table: TableName | None = None
    query: exp.Query | None = None
    is_renamed: bool = False
    is_sealed: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Join:
    """A join. `keeps_left` and `keeps_right` tell that rows without a partner stay (LEFT, RIGHT,
    FULL). `hides_right` is a semi or anti join, `is_anti` the latter. Of an `is_opaque` join,
    such as ASOF, nothing is known."""

    left: FromTree
    right: FromTree
    on: tuple[Formula, ...]
    keeps_left: bool = False
    keeps_right: bool = False
    hides_right: bool = False
    is_anti: bool = False
    is_opaque: bool = False


FromTree = Source | Join


def sources_of(tree: FromTree) -> Iterator[Source]:
    """The sources from left to right."""
    if isinstance(tree, Source):
        yield tree
    else:
        yield from sources_of(tree.left)
        yield from sources_of(tree.right)


def hidden_sources(tree: FromTree) -> Iterator[Source]:
    """The sources whose columns only the ON of their own join can name."""
    if isinstance(tree, Join):
        yield from hidden_sources(tree.left)
        yield from sources_of(tree.right) if tree.hides_right else hidden_sources(tree.right)


def join(left: FromTree, right: FromTree, node: exp.Join) -> Join:
    """`left` joined with `right` as `node` says."""
    side, kind, method = node.side.upper(), node.kind.upper(), node.method.upper()
    condition = node.args.get("on")
    on = tuple(conjuncts_of(formula(condition))) if condition is not None else ()
    hides_right = kind in ("SEMI", "ANTI")
    is_known = (
        side in ("", "LEFT", "RIGHT", "FULL")
        and kind in ("", "INNER", "OUTER", "CROSS", "SEMI", "ANTI")
        and method in ("", "NATURAL")
        and not (hides_right and side == "RIGHT")
        and not node.args.get("match_condition")
        and not node.args.get("pivots")
    )
    return Join(
        left,
        right,
        on,
        keeps_left=side in ("LEFT", "FULL") and not hides_right,
        keeps_right=side in ("RIGHT", "FULL"),
        hides_right=hides_right,
        is_anti=kind == "ANTI",
        is_opaque=not is_known,
    )


def is_comma(node: exp.Join) -> bool:
    """Whether a join is a comma, which binds less than JOIN: `a, b RIGHT JOIN c ON …` joins b
    with c first."""
    return not any(value for name, value in node.args.items() if name != "this")
