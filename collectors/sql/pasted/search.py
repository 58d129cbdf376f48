"""Ranges of conditions, said by the names of the conditions' literals.

Such a range is found by enumeration, and held to what the search of ranges says of the condition
with several literals: nothing is told that is not so for all of them, in sessions of several zones.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlglot import exp

from prunescope.collectors.errors import PrunescopeError
from prunescope.collectors.predicates.model import FALSE, Predicate
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.predicates.walks import leaves
from prunescope.collectors.schema import Schema
from prunescope.collectors.sql.pasted.draws import Draw, Drawing, shape, with_beginnings
from prunescope.collectors.sql.pasted.ends import Ends, Search
from prunescope.collectors.sql.pasted.grammar import beginning, is_known
from prunescope.collectors.sql.pasted.operands import operands_of, with_names
from prunescope.collectors.sql.text.nodes import rebuilt
from prunescope.collectors.sql.text.parse import parse_condition

_MOST_OPERANDS = 4
_FEWEST_DRAWS, _ENOUGH_DRAWS = 3, 4
"""Draws that say something, so that no form is right by chance: its own literals, and others."""
_MOST_ENDS = 4
_OPS = frozenset({Op.GT, Op.GT_EQ, Op.LT, Op.LT_EQ, Op.EQ, Op.STARTS_WITH})


@dataclass(frozen=True, slots=True)
class Pasted:
    """The range of a condition: its predicate with the condition's own literals, the SQL of the
    value of each of its comparisons, with `:name` for literals, and the condition with these
    names. `is_exact` tells that it holds no more rows, for literals that look alike."""

    predicate: Predicate
    ends: Ends
    condition: str
    is_exact: bool

    def says(self, predicate: Predicate) -> bool:
        """True if a predicate is the same but for the values of its ends."""
        return shape(with_beginnings(predicate)) == shape(self.predicate)


def pasted(sql: str, dialect: str, schema: Schema, columns: Sequence[str]) -> Pasted | None:
    """The range of a condition on `columns`, said by the names of its literals; None where that is
    not known, or in no few words. Columns of the condition may have anything before their names."""
    if not is_known(dialect):
        return None
    known = Schema(schema.schema_id, tuple(one for one in schema.columns if one.name in columns))
    try:
        tree = parse_condition(sql, dialect)
        named = _with_own_names(tree, columns)
        if named is None:
            return None
        tried = None
        for of_comparisons in (False, True):
            operands = operands_of(named, dialect, of_comparisons=of_comparisons)
            if not operands.each or operands.sql == tried:
                continue
            tried = operands.sql
            shown = operands_of(tree, dialect, of_comparisons=of_comparisons).shown
            found = _found(Drawing(operands, dialect, known), shown)
            if found is not None:
                return found
    except PrunescopeError:
        return None
    return None


def _with_own_names(tree: exp.Expr, columns: Sequence[str]) -> exp.Expr | None:
    """A condition with its columns as the table calls them; None where one is not known."""
    known = {name.casefold(): name for name in columns}
    unknown = []

    def own(node: exp.Expr) -> exp.Expr:
        if not isinstance(node, exp.Column):
            return node
        parts = [part.name for part in node.parts]
        ends = (".".join(parts[start:]).casefold() for start in range(len(parts)))
        name = next((known[end] for end in ends if end in known), None)
        if name is None and len(known) == 1:
            name = next(iter(known.values()))
        if name is None:
            unknown.append(node)
            return node
        *before, last = (exp.to_identifier(part, quoted=True) for part in name.split("."))
        return exp.column(last, *reversed(before))

    changed = rebuilt(tree, own)
    return None if unknown else changed


def _found(drawing: Drawing, shown: str) -> Pasted | None:
    draws = _draws(drawing) if len(drawing.operands.each) <= _MOST_OPERANDS else []
    if len(draws) < _FEWEST_DRAWS:
        return None
    search = Search(drawing, tuple(draws))
    ends = search.ends()
    is_exact = None if ends is None else search.is_exact(ends)
    if ends is None or is_exact is None:
        return None
    told = {
        leaf: with_names(beginning(end) if leaf.op is Op.STARTS_WITH else end)
        for leaf, end in ends.items()
    }
    return Pasted(draws[0].range.predicate, told, shown, is_exact)


def _draws(drawing: Drawing) -> list[Draw]:
    """The condition's own values and others with which it is a range of the same shape; nothing
    where there are some with which it is another, or none that is short."""
    own = drawing.own()
    if own is None or not 0 < len(own.comparisons) <= _MOST_ENDS:
        return []
    whole = own.range.predicate
    if len(own.comparisons) < len([*leaves(whole)]):
        return []
    if any(one.op not in _OPS for one in own.comparisons):
        return []
    draws = [own]
    for draw in drawing.alike():
        if len(draws) == _ENOUGH_DRAWS:
            break
        if draw is None:
            return []
        if draw.range.predicate != FALSE:
            if shape(draw.range.predicate) != shape(whole):
                return []
            draws.append(draw)
    return draws
