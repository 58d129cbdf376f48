"""Resolution of names to common table expressions."""

from __future__ import annotations

from sqlglot import exp

from prunescope.collectors.sql.text.nodes import nodes_that_are


class Ctes:
    """The common table expressions of a tree, by lexical scope: an inner WITH hides an outer one,
    and a body sees only those before it, and itself under RECURSIVE.

    The names of a WITH are read once: they may not change afterwards, while all else may.
    """

    def __init__(self) -> None:
        self._named: dict[int, tuple[exp.With, dict[str, list[exp.CTE]]]] = {}
        self._recursive: dict[int, tuple[exp.CTE, bool]] = {}

    def of(self, node: exp.Table) -> exp.CTE | None:
        """The common table expression that a table's name refers to; None for other names."""
        if node.args.get("db") is not None:
            return None
        name = node.name.lower()
        below: exp.Expr | None = None  # the CTE around the node, of the WITH right below
        within: exp.Expr = node
        while within.parent is not None:
            if isinstance(within.parent, exp.With):
                below = within
            within = within.parent
            clause = within.args.get("with_")
            if clause is None:
                continue
            inside = below if below is not None and below.parent is clause else None
            for cte in reversed(self._names(clause).get(name, ())):
                if inside is None or _sees(inside, cte, clause):
                    return cte
        return None

    def is_recursive(self, cte: exp.CTE) -> bool:
        """True if a common table expression refers to itself."""
        if id(cte) not in self._recursive:
            found = any(self.of(table) is cte for table in nodes_that_are(exp.Table, cte.this))
            self._recursive[id(cte)] = cte, found
        return self._recursive[id(cte)][1]

    def _names(self, clause: exp.With) -> dict[str, list[exp.CTE]]:
        if id(clause) not in self._named:
            names: dict[str, list[exp.CTE]] = {}
            for cte in clause.expressions:
                names.setdefault(cte.alias.lower(), []).append(cte)
            self._named[id(clause)] = clause, names
        return self._named[id(clause)][1]


def scalars(query: exp.Expr) -> list[exp.CTE]:
    """The expressions, and queries of one value, that the WITH of a query names."""
    clause = query.args.get("with_")
    return [cte for cte in clause.expressions if cte.args.get("scalar")] if clause else []


def _sees(body: exp.Expr, cte: exp.CTE, clause: exp.With) -> bool:
    if body is cte:
        return bool(clause.recursive)
    assert cte.index is not None
    assert body.index is not None
    return cte.index < body.index
