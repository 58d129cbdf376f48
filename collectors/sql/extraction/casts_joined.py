"""Columns that are cast to compare them with another one:

    f JOIN d ON CAST(f.ts AS DATE) = d.day      as written
    f JOIN d ON f.day = d.ts                    the date is cast to a timestamp

In Spark, what is said of the other column is said of the cast (`inferAdditionalConstraints`, where
one side is a column and the other the cast of one), and so of the first column where Spark undoes
that in comparisons (`UnwrapCastInBinaryComparison`). It says nothing of the other one in return.
What is asked of a column of a query that is such a cast is undone before anything is inferred, and
says nothing of others. Spark 4.1.4 was seen to do all of this.

Trino 483 infers from `CAST(f.ts AS date) = d.day AND d.day = DATE '2026-11-20'`, or from a period
or year of `f.ts`, that `CAST(f.ts AS date) = DATE '2026-11-20'`; from conditions on the day of
`f.ts` it infers nothing of `d.day`, nor from anything else that is calculated."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sqlglot import exp

from prunescope.collectors.sql.constants.terms import Yields, period_of
from prunescope.collectors.sql.scopes.relations import Relation
from prunescope.collectors.sql.scopes.scope import Scope, Types
from prunescope.collectors.sql.scopes.types import RelationColumn, key_of
from prunescope.collectors.sql.text.boolean import Formula, Leaf, own_columns

_UNDONE = frozenset(
    {
        ("timestamp", "date"),
        ("timestamptz", "date"),
        ("int", "long"),
        ("int", "double"),
        ("date", "timestamp"),
        ("date", "timestamptz"),
        ("timestamp", "timestamptz"),
    }
)
"""Types of a column and of its cast. Others that are undone, of decimals and floats, are hardly
ever those of keys."""

# What columns are cast to that are compared with one of this type; int and long are alike anyway.
_TARGETS = {
    "double": exp.DType.DOUBLE,
    "timestamp": exp.DType.TIMESTAMPNTZ,
    "timestamptz": exp.DType.TIMESTAMPTZ,
}
_NAMES = {exp.DType.BIGINT: "long"} | {target: name for name, target in _TARGETS.items()}


@dataclass(frozen=True, slots=True)
class UndoneCast:
    """A cast of a column to an Iceberg type, which is undone in comparisons."""

    expression: exp.Expr
    operand: RelationColumn
    kind: str

    @property
    def key(self) -> RelationColumn:
        """The key of the cast among columns, none of which has a name in upper case."""
        relation, name = self.operand
        return relation, f"CAST({name} AS {self.kind})"


def joined_casts(condition: Formula, scope: Scope) -> Iterator[tuple[UndoneCast, RelationColumn]]:
    """Pairs of a cast of a column and the column that a condition wants it to equal. The latter has
    the type of the cast, or an unknown one."""
    match condition:
        case Leaf(exp.EQ(this=left, expression=right), False):
            for side, column in ((left.unnest(), right.unnest()), (right.unnest(), left.unnest())):
                key = key_of(column, scope) if isinstance(column, exp.Column) else None
                if key is None:
                    continue
                compared = _type(key, scope)
                cast = _undone(_compared_as(side, compared), scope)
                if cast is not None and compared in (None, cast.kind):
                    yield cast, key


def type_of_cast(column: RelationColumn, types: Types) -> str | None:
    """The type of a query's column that is a cast which Spark undoes; None for all others."""
    computed = types.computed(*column)
    cast = None if computed is None else _undone(*computed)
    return None if cast is None else cast.kind


def _compared_as(side: exp.Expr, compared: str | None) -> exp.Expr:
    """A side of an equality, cast to the type `compared` of the other side if it is a column."""
    if not isinstance(side, exp.Column) or compared not in _TARGETS:
        return side
    return exp.Cast(this=side.copy(), to=exp.DataType(this=_TARGETS[compared], nested=False))


def _undone(expression: exp.Expr, scope: Scope) -> UndoneCast | None:
    match expression:
        case exp.Cast(this=operand, to=exp.DataType(this=target)) if target in _NAMES:
            kind = _NAMES[target]
        case exp.Cast() | exp.Date() | exp.TsOrDsToDate():
            period = period_of(expression, "spark")
            if period is None:
                return None
            operand, kind = period[0], "date"
        case _:
            return None
    key = key_of(operand, scope) if isinstance(operand, exp.Column) else None
    if key is None or (_type(key, scope), kind) not in _UNDONE:
        return None
    return UndoneCast(expression, key, kind)


def _type(column: RelationColumn, scope: Scope) -> str | None:
    return scope.types.of(column[0], (column[1],))


def compared_periods(condition: Formula) -> Iterator[tuple[exp.Expr, exp.Column]]:
    """Pairs of a period and the column that a condition wants equal to it."""
    match condition:
        case Leaf(exp.EQ(this=left, expression=right), False):
            for period, column in ((left, right), (right, left)):
                if isinstance(column, exp.Column) and period_of(period.unnest(), "trino"):
                    yield period.unnest(), column


def period_type(period: exp.Expr, relation: Relation, scope: Scope) -> str | None:
    """The Iceberg type of a period of a date or time of a relation; None for other expressions."""
    found, columns = period_of(period, "trino"), own_columns(period)
    paths = {scope.path(column, relation) for column in columns}
    path = paths.pop() if len(paths) == 1 else None
    if found is None or path is None:
        return None
    kind, yields = scope.types.of(relation, path), found[2]
    if kind not in ("date", "timestamp", "timestamptz"):
        return None
    if yields is Yields.YEAR_NUMBER:
        return "long"
    is_column = isinstance(found[0].unnest(), exp.Column | exp.Dot)
    return "date" if yields is Yields.DATE else kind if is_column else None
