"""Conditions on the output of a SELECT, and its HAVING, as conditions on its input rows.

Of those that hold there, Spark moves fewer than others do: what it keeps above a window or a column
that is drawn anew is marked (`above`), by the outputs that are read.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from sqlglot import exp

from prunescope.collectors.sql.extraction.outputs import OnOutput
from prunescope.collectors.sql.extraction.surroundings import Surroundings
from prunescope.collectors.sql.scopes.grouping import (
    Keys,
    Replacement,
    determined,
    group_keys,
    is_grouped,
    lets_conditions_in,
    replaced,
    window_keys,
)
from prunescope.collectors.sql.scopes.scopes import Scopes
from prunescope.collectors.sql.text.boolean import (
    AllOf,
    Formula,
    Leaf,
    above,
    conjuncts_of,
    formula,
    own_columns,
    own_nodes,
    weaken,
)
from prunescope.collectors.sql.text.cost import copied, spend
from prunescope.collectors.sql.text.drawn import is_drawn


def from_outside(
    select: exp.Select, pushed: Sequence[OnOutput], around: Surroundings | None, scopes: Scopes
) -> list[Formula]:
    """The conditions on the output and HAVING, as conditions on the input."""
    having, where = select.args.get("having"), select.args.get("where")
    if having is None and not pushed:
        return []
    scope = scopes.scope(select)
    grouping = [group_keys(select, scope, scopes)] if is_grouped(select) else []
    read = _read_outputs(select, around)
    found: list[Formula | None] = []
    if having is not None:
        found.append(_of_groups(formula(having.this), select, grouping, scopes))
    if pushed and lets_conditions_in(select):
        keys = [*grouping, *window_keys(select, scope)]
        is_beside_window = any(map(_has_window, read))
        for each in pushed:
            passes = _passes_windows(select, each, scopes) if is_beside_window else None
            found.append(_moved(each.condition, _behind(select, keys, each, passes, scopes)))
    is_kept = any(map(is_drawn, read if where is None else (*read, where)))
    kept = (above(each) if is_kept else each for each in found if each is not None)
    return [part for whole in kept for part in conjuncts_of(whole)]


def _moved(condition: Formula, keep: Callable[[Leaf], Formula | None]) -> Formula | None:
    """A condition as one on the input; Spark moves no part of an OR without the others."""
    lost = []

    def told(leaf: Leaf) -> Formula | None:
        found = keep(leaf)
        if found is None:
            lost.append(leaf)
        return found

    found = weaken(condition, told)
    return above(found) if found is not None and lost else found


def _of_groups(
    having: Formula, select: exp.Select, keys: Sequence[Keys], scopes: Scopes
) -> Formula | None:
    """HAVING as a condition on the rows that are grouped."""
    replacement = _in_having(select, keys, scopes)

    def of_rows(leaf: Leaf) -> Formula | None:
        leaf = replace(leaf, level=None)
        if determined(leaf.expression, keys):
            return leaf if _names_input(leaf, select, scopes) else None
        return replaced(leaf, replacement)

    parts = (_moved(part, of_rows) for part in conjuncts_of(having))
    kept = tuple(part for part in parts if part is not None)
    return AllOf(kept) if kept else None


def _names_input(leaf: Leaf, select: exp.Select, scopes: Scopes) -> bool:
    """True if no column of a leaf can be an output column of another meaning."""
    return all(
        column.table or scopes.output(select, column.name.lower()) in (None, column)
        for column in own_columns(leaf.expression)
    )


def _in_having(select: exp.Select, keys: Sequence[Keys], scopes: Scopes) -> Replacement:
    def replacement(column: exp.Column) -> exp.Expr | None:
        if all(key.determine(column) for key in keys):
            return column
        behind = None if column.table else scopes.output(select, column.name.lower())
        return behind if behind is not None and determined(behind, keys) else None

    return replacement


def _behind(
    select: exp.Select,
    keys: Sequence[Keys],
    pushed: OnOutput,
    passes: Callable[[exp.Column], bool] | None,
    scopes: Scopes,
) -> Callable[[Leaf], Formula | None]:
    def replacement(column: exp.Column) -> exp.Expr | None:
        ref, fields = pushed.ref_of(column) or (None, ())
        behind = None if ref is None else scopes.output(select, ref)
        if behind is None or not determined(behind, keys):
            return None
        for field in fields:
            name = exp.to_identifier(field, quoted=True)
            behind = exp.Dot(this=copied(behind), expression=name)
        return behind

    def on_input(leaf: Leaf) -> Formula | None:
        found = replaced(leaf, replacement)
        is_moved = passes is None or all(map(passes, own_columns(leaf.expression)))
        return found if found is None or is_moved else above(found)

    return on_input


def _passes_windows(
    select: exp.Select, pushed: OnOutput, scopes: Scopes
) -> Callable[[exp.Column], bool]:
    """Returns a test whether Spark recognises a column above the windows of a SELECT as the one
    below. It does under the same name, as it makes any other beside the windows."""
    scope = scopes.scope(select)

    def passes(column: exp.Column) -> bool:
        ref, _ = pushed.ref_of(column) or ("", ())
        behind = scopes.output(select, ref)
        if not isinstance(behind, exp.Column):
            return False
        alias = behind.parent
        if isinstance(alias, exp.Alias) and alias.alias != behind.name:
            return False
        return any(scope.path(behind, owner) == (behind.name,) for owner in scope.owners(behind))

    return passes


def _has_window(output: exp.Expr) -> bool:
    return any(isinstance(node, exp.Window) for node in own_nodes(output))


def _read_outputs(select: exp.Select, around: Surroundings | None) -> list[exp.Expr]:
    """The outputs of a SELECT that the query around it reads: Spark first drops the others."""
    spend(len(select.expressions))
    return [item for item in select.expressions if _is_read(item.alias_or_name.lower(), around)]


def _is_read(name: str, around: Surroundings | None) -> bool:
    while around is not None and not (around.together or around.relation.is_renamed):
        select = around.select
        if name in _names_read(select):
            return True
        if not any(item.is_star for item in select.expressions):
            return False
        around = around.around
    return True


def _names_read(select: exp.Select) -> set[str]:
    """The lower-case names of columns in the clauses of a SELECT, but for its FROM."""
    clauses = [*select.expressions]
    clauses += [join.args.get("on") for join in select.args.get("joins") or ()]
    clauses += [select.args.get(name) for name in ("where", "group", "having", "qualify", "order")]
    found = [c for clause in clauses if clause is not None for c in clause.find_all(exp.Column)]
    spend(len(found))
    return {column.name.lower() for column in found}
