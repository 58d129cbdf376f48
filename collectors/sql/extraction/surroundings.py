"""Names of a table's columns in the queries around the SELECT that reads it.

A condition may stand in one of these: `SELECT … FROM (SELECT ts AS at FROM t) x WHERE x.at > …`.
Another beside it has to name the column as it is called there, where another column may have its
own name.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from sqlglot import exp

from prunescope.collectors.observed import Clause
from prunescope.collectors.sql.constants.terms import PathOf, column_path
from prunescope.collectors.sql.extraction.outputs import FieldRef, position
from prunescope.collectors.sql.scopes.relations import Relation
from prunescope.collectors.sql.scopes.scope import Scope
from prunescope.collectors.sql.scopes.scopes import Scopes
from prunescope.collectors.sql.text.boolean import Formula, leaves, own_columns
from prunescope.collectors.sql.text.cost import spend
from prunescope.collectors.table_scans import ColumnPaths

_Path = tuple[str, ...]

# What it takes to find the name of a column one query further out, besides that query's columns.
_STEPS_PER_NAME = 20


@dataclass(frozen=True, slots=True, eq=False)
class Surroundings:
    """The SELECT around a query, which has that as a `relation` of its scope, and what is around
    itself. The query may be one of several whose rows come `together`, as in a UNION."""

    select: exp.Select
    scope: Scope
    relation: Relation
    around: Surroundings | None
    together: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """A reference to a relation in a SELECT, with what is around that, and the clause to which
    further conditions on it can be added."""

    relation: Relation
    select: exp.Select
    scope: Scope
    around: Surroundings | None
    clause: Clause = Clause.WHERE

    def surroundings(self) -> Surroundings:
        """The surroundings of the query that the relation is."""
        return Surroundings(self.select, self.scope, self.relation, self.around)


def in_branch(around: Surroundings | None) -> Surroundings | None:
    """The surroundings of one of the queries of a UNION and the like."""
    return None if around is None else replace(around, together=True)


def outer_names(
    reading: Reading, conditions: Sequence[Formula], path_of: PathOf, scopes: Scopes
) -> ColumnPaths:
    """The columns of a table on which conditions stand in a query around the SELECT that reads
    it, with their whole names in the outermost query that has one; empty where a column has none
    there, where another condition would be needed for other rows there, or where one would be kept
    from the table as well.

    What conditions of several queries say together holds in the outermost of them, unless its rows
    come from other tables as well. There, only what is written with the column itself does.
    """
    written = [leaf for condition in conditions for leaf in leaves(condition)]
    if all(leaf.level == 0 and not leaf.is_above for leaf in written):
        return {}
    found = [
        (".".join(path).lower(), path, leaf)
        for leaf in written
        for column in own_columns(leaf.expression)
        if (path := path_of(column)) is not None
    ]
    outside = {name: path for name, path, leaf in found if leaf.level != 0 or leaf.is_above}
    top = max((leaf.level or 0 for _, _, leaf in found), default=0)
    steps = [*_steps(reading, top)]
    is_mixed = any(step.together for step in steps)
    apart = {
        name
        for name, _, leaf in found
        if leaf.level is None or leaf.is_above or (is_mixed and (leaf.is_made or leaf.level != top))
    }
    return {
        name: () if name in apart else _name_at(path, reading, steps, scopes, is_mixed=is_mixed)
        for name, path in outside.items()
    }


def _steps(reading: Reading, count: int) -> Iterator[Surroundings]:
    around = reading.around
    for _ in range(count):
        if around is None:
            return
        yield around
        around = around.around


def _name_at(
    path: _Path, reading: Reading, steps: Sequence[Surroundings], scopes: Scopes, *, is_mixed: bool
) -> _Path:
    """A column's whole name so many steps further out; empty where it has none, or where rows of
    other tables may have other values in one of several that it has."""
    name: _Path = ()
    for around in steps:
        outputs = [*_outputs(path, reading, scopes)]
        known = _in_relation(outputs[0], reading, around, scopes) if outputs else None
        name = () if known is None else _name_in(around, known)
        if known is None or not name or (is_mixed and len(outputs) > 1):
            return ()
        path, reading = known, Reading(around.relation, around.select, around.scope, around.around)
    return name


def _in_relation(
    output: FieldRef, reading: Reading, around: Surroundings, scopes: Scopes
) -> _Path | None:
    """The path, in the relation that is made of it, of an output column of a SELECT."""
    name, fields = output
    if not (around.together or around.relation.is_renamed):
        return str(name), *fields
    place = position(str(name), scopes.names(reading.select), fields)
    names = around.relation.names or ()
    if place is None or not isinstance(place[0], int) or place[0] >= len(names):
        return None
    return names[place[0]], *fields


def _outputs(path: _Path, reading: Reading, scopes: Scopes) -> Iterator[FieldRef]:
    """The output columns of a SELECT that are a column as it is, or the struct that has it, with
    the fields within that."""
    folded = tuple(part.lower() for part in path)
    select, scope = reading.select, reading.scope
    spend(_STEPS_PER_NAME + len(select.expressions))
    named = (item.alias_or_name.lower() for item in select.expressions if not item.is_star)
    for name in dict.fromkeys((folded[0], *named)):
        item = scopes.output(select, name) if name else None
        found = item and column_path(item, lambda column: scope.path(column, reading.relation))
        if found and tuple(part.lower() for part in found) == folded[: len(found)]:
            yield name, path[len(found) :]


def _name_in(around: Surroundings, path: _Path) -> _Path:
    """A column's whole name, after that of its relation where it has one; that of USING has
    none before it."""
    column = exp.column(exp.to_identifier(path[0], quoted=True))
    qualifiers = around.relation.qualifiers
    if qualifiers and not around.scope.is_merged(column):
        return *qualifiers[0], *path
    is_its = around.scope.path(column, around.relation) is not None
    return path if path[0] and is_its else ()
