"""Days, periods and years of a column that are compared with another column as they are:
`CAST(f.ts AS date) = d.day AND d.day = DATE '2026-11-20'` says `CAST(f.ts AS date) = DATE '…'`.

Trino 483 infers that from conditions on a column; from those on the day of another one it does not,
nor for anything else that is calculated. What Spark does is in `casts_joined.py`.
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from prunescope.collectors.sql.constants.terms import Yields, period_of
from prunescope.collectors.sql.scopes.relations import Relation
from prunescope.collectors.sql.scopes.scope import Scope
from prunescope.collectors.sql.text.boolean import Formula, Leaf, own_columns


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
