"""Relations of one row of constants, as queries name their parameters:

    WITH p AS (SELECT DATE '2026-01-31' AS d) SELECT … FROM t CROSS JOIN p WHERE t.d >= p.d
    WITH p AS (SELECT DATE '2026-01-31' AS d) SELECT … FROM t WHERE t.d >= (SELECT d FROM p)

Engines put the constants where the columns are, and plan with them: Spark 4.1 those of a SELECT,
Trino 483 those of VALUES as well, but in the ON of outer joins those alone that equal a column.
Whoever joins such a relation has its row, unless a join fills that with nulls.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from collectors.sql.dialects import dialect_of
from collectors.sql.scopes.relations import (
    Relation,
    is_equality,
    outer_conditions,
    unfilled_relations,
)
from collectors.sql.scopes.scope import Scope
from collectors.sql.scopes.scopes import Scopes
from collectors.sql.text.boolean import Formula, Leaf, as_written, formula, own_nodes, weaken
from collectors.sql.text.cost import copied
from collectors.sql.text.nodes import in_brackets

_CLAUSES = frozenset(("expressions", "from_", "with_"))
# What makes another number of rows, or a value that depends on more than the row.
_NOT_BY_ROW = (exp.AggFunc, exp.Window, exp.UDTF, exp.Star)


class ConstantRows:
    """The relations of one statement that have one row of constants."""

    def __init__(self, scopes: Scopes, dialect: str) -> None:
        self._scopes = scopes
        self._is_spark = dialect_of(dialect).is_spark
        self._relations: dict[Scope, frozenset[Relation]] = {}
        self._inlined: dict[Formula, Formula] = {}

    def inlined(self, conditions: Sequence[Formula], scope: Scope) -> tuple[Formula, ...]:
        """Conditions of a SELECT with the constants for the columns of such relations, and for
        queries of one."""
        return tuple(self._condition(condition, scope) for condition in conditions)

    def _condition(self, condition: Formula, scope: Scope) -> Formula:
        reads = scope.reads(condition)
        if not (reads.has_query or reads.relations & self._constant(scope)):
            return condition
        if self._is_left_to_join(condition, scope):
            return condition
        if condition not in self._inlined:
            found = weaken(condition, lambda leaf: self._leaf(leaf, scope))
            self._inlined[condition] = condition if found is None else found
        return self._inlined[condition]

    def _is_left_to_join(self, condition: Formula, scope: Scope) -> bool:
        """Whether a condition is one of an outer join, which the engine hands to no scan."""
        if self._is_spark or is_equality(condition) or scope.tree is None:
            return False
        return condition in outer_conditions(scope.tree)

    def _leaf(self, leaf: Leaf, scope: Scope) -> Formula:
        found = self._expression(leaf.expression, scope)
        if found is leaf.expression:
            return leaf
        return as_written(formula(found, negated=leaf.negated), leaf)

    def _expression(self, expression: exp.Expr, scope: Scope) -> exp.Expr:
        """An expression with constants for all that has some; itself where nothing has."""
        constants = [self._constant_of(node, scope) for node in own_nodes(expression)]
        if all(constant is None for constant in constants):
            return expression
        copy = copied(expression)
        for node, constant in zip(own_nodes(copy), constants, strict=True):
            if constant is not None and node is copy:
                copy = constant
            elif constant is not None:
                node.replace(constant)
        return copy

    def _constant_of(self, node: exp.Expr, scope: Scope) -> exp.Expr | None:
        match node:
            case exp.Column():
                relations = [r for r in scope.owners(node) if r in self._constant(scope)]
                path = scope.path(node, relations[0]) if len(relations) == 1 else None
                if path is not None and len(path) == 1:
                    value = self._value(relations[0], path[0].lower())
                    return None if value is None else exp.Paren(this=value)
            case exp.Subquery():
                select = in_brackets(node)
                if isinstance(select, exp.Select) and len(select.expressions) == 1:
                    is_row = self._is_of_one_row(select)
                    value = self._item(select.expressions[0], select) if is_row else None
                    if value is not None:
                        return exp.Subquery(this=exp.Select(expressions=[value]))
        return None

    def _constant(self, scope: Scope) -> frozenset[Relation]:
        """The relations of a scope that have one row of constants wherever they are joined."""
        if scope not in self._relations:
            unfilled = () if scope.tree is None else unfilled_relations(scope.tree)
            self._relations[scope] = frozenset(filter(self._is_constant, unfilled))
        return self._relations[scope]

    def _is_constant(self, relation: Relation) -> bool:
        if relation.node.args.get("sample"):
            return False
        if _values_of(relation) is not None:
            return not self._is_spark and relation.names is not None
        select = None if relation.is_sealed else _select_of(relation)
        return select is not None and self._is_of_one_row(select)

    def _is_of_one_row(self, select: exp.Select) -> bool:
        if any(value for name, value in select.args.items() if name not in _CLAUSES):
            return False
        scope = self._scopes.scope(select)
        return self._constant(scope) >= set(scope.relations) and not any(
            isinstance(node, _NOT_BY_ROW) for item in select.expressions for node in own_nodes(item)
        )

    def _value(self, relation: Relation, name: str) -> exp.Expr | None:
        """The constant that a column of a constant relation is."""
        names, row, select = relation.names, _values_of(relation), _select_of(relation)
        position = names.index(name) if names is not None and names.count(name) == 1 else None
        if row is not None:
            return None if position is None or position >= len(row) else copied(row[position])
        ref = position if relation.is_renamed else name
        item = None if select is None or ref is None else self._scopes.output(select, ref)
        return None if select is None or item is None else self._item(item, select)

    def _item(self, item: exp.Expr, select: exp.Select) -> exp.Expr | None:
        """What an item of a SELECT is, if that is a constant, without any column or query."""
        found = self._expression(item.unalias(), self._scopes.scope(select))
        is_named = any(isinstance(node, exp.Column | exp.Query) for node in own_nodes(found))
        return None if is_named else copied(found)


def _values_of(relation: Relation) -> Sequence[exp.Expr] | None:
    """The only row of VALUES."""
    match relation.node:
        case exp.Values(expressions=[exp.Tuple(expressions=row)]):
            return list(row)
    return None


def _select_of(relation: Relation) -> exp.Select | None:
    """The SELECT that a relation is."""
    found = None if relation.query is None else in_brackets(relation.query)
    return found if isinstance(found, exp.Select) else None
