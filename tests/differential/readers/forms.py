"""What readers leave out for conditions of one form each, as a table of docs/engines.md."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from decimal import Decimal

from tests.differential import page
from tests.differential.readers.comparison import Compared, Engine, Plan, Refused, compare, plans
from tests.differential.readers.conditions import Both, Condition, Either, Leaf, Not, Op, sql
from tests.differential.readers.tables import Lake

_FEW, _MANY = (-101, 100), tuple(range(300, 550))
_FORMS: Sequence[Condition] = (
    Leaf(Op.EQ, "i", (5,)),
    Leaf(Op.NOT_EQ, "b", (True,)),
    Leaf(Op.LT, "i", (-20,)),
    Both((Leaf(Op.GT_EQ, "i", (20,)), Leaf(Op.LT_EQ, "i", (100,)))),
    Leaf(Op.IN, "i", _FEW),
    Leaf(Op.IN, "l", _MANY[:30]),
    Leaf(Op.IN, "l", _MANY),
    Leaf(Op.NOT_IN, "b", (True,)),
    Leaf(Op.IS_NULL, "i"),
    Leaf(Op.NOT_NULL, "i"),
    Not(Leaf(Op.GT_EQ, "i", (-20,))),
    Not(Leaf(Op.IS_NULL, "i")),
    Either((Leaf(Op.EQ, "i", (-101,)), Leaf(Op.GT, "i", (100,)))),
    Either((Leaf(Op.EQ, "i", (-101,)), Leaf(Op.EQ, "l", (5_000_000_000,)))),
    Both((Leaf(Op.GT, "i", (20,)), Leaf(Op.LT, "i", (0,)))),
    Leaf(Op.GT, "d", (7.0,)),
    Leaf(Op.EQ, "d", (3.5,)),
    Leaf(Op.IN, "d", (-2.25, 3.5)),
    Leaf(Op.IS_NAN, "d"),
    Leaf(Op.GT, "dec", (Decimal("10.01"),)),
    Leaf(Op.EQ, "b", (True,)),
    Leaf(Op.EQ, "s", ("zebra and a long tail of text",)),
    Leaf(Op.GT, "s", ("bz",)),
    Leaf(Op.STARTS_WITH, "s", ("ze",)),
    Leaf(Op.GT_EQ, "dt", (dt.date(2024, 3, 1),)),
    Leaf(Op.GT_EQ, "tsn", (dt.datetime(2024, 3, 1),)),
    Leaf(Op.GT_EQ, "ts", (dt.datetime(2024, 3, 1, tzinfo=dt.UTC),)),
)


def check(engine: Engine, engines: Sequence[str], lake: Lake) -> None:
    """That the page has what an engine, which is one of those `engines`, leaves out for each form
    of the row groups of a table."""
    enough = plans(lake, _FORMS, dialect="duckdb", planner=None)
    read = compare(engine, lake, _FORMS)
    told = {
        _shown(form): _told(lake, plan, found)
        for form, plan, found in zip(_FORMS, enough, read, strict=True)
    }
    page.check_column("readers", engines, engine.name, told)


def _shown(form: Condition) -> str:
    match form:
        case Leaf(Op.IN, column, values) if len(values) > len(_FEW):
            return f"{column} IN (…), of {len(values)} values"
    return sql(form)


def _told(lake: Lake, enough: Plan, found: Compared | tuple[Condition, Refused]) -> str:
    if not isinstance(found, Compared):
        return "fails"
    everything, needed = len(lake.rows), sum(map(sum, enough.row_groups.values()))
    assert needed < everything, "statistics rule out nothing"
    assert found.theirs.row_groups is not None
    read = sum(found.theirs.row_groups.values())
    told = "yes" if read <= needed else "in part" if read < everything else "no"
    return told if found.theirs.rows == found.answer else f"{told}; answers other rows"
