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
_DAY, _MIDNIGHT = dt.date(2024, 3, 1), dt.datetime(2024, 3, 1, tzinfo=dt.UTC)
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
    Leaf(Op.GT_EQ, "ts", (_MIDNIGHT,)),
    Leaf(Op.GT, "i", (100,)),
    Leaf(Op.NOT_EQ, "i", (5,)),
    Leaf(Op.NOT_IN, "i", (5, 9)),
    Not(Leaf(Op.IN, "i", (5, 9))),
    Not(Leaf(Op.NOT_IN, "i", _FEW)),
    Not(Both((Leaf(Op.GT_EQ, "i", (-20,)), Leaf(Op.LT_EQ, "i", (100,))))),
    Either((Leaf(Op.LT, "i", (-20,)), Leaf(Op.IS_NULL, "i"))),
    Either((Leaf(Op.EQ, "i", (-101,)), Leaf(Op.IN, "i", (100, 20)))),
    Either((Both((Leaf(Op.EQ, "i", (-101,)), Leaf(Op.EQ, "l", (5,)))), Leaf(Op.GT, "i", (100,)))),
    Both((Leaf(Op.IS_NULL, "i"), Leaf(Op.GT, "i", (10,)))),
    Both((Leaf(Op.EQ, "i", (5,)), Leaf(Op.EQ, "s", ("a",)))),
    Leaf(Op.EQ, "l", (5_000_000_000,)),
    Leaf(Op.LT, "d", (-2.25,)),
    Leaf(Op.NOT_EQ, "d", (3.5,)),
    Both((Leaf(Op.GT_EQ, "d", (1.0,)), Leaf(Op.LT_EQ, "d", (3.5,)))),
    Leaf(Op.IS_NULL, "d"),
    Leaf(Op.EQ, "dec", (Decimal("10.00"),)),
    Leaf(Op.IN, "dec", (Decimal("-100.01"), Decimal("5000.00"))),
    Both((Leaf(Op.GT_EQ, "dec", (Decimal("9.99"),)), Leaf(Op.LT_EQ, "dec", (Decimal("10.01"),)))),
    Leaf(Op.EQ, "b", (False,)),
    Leaf(Op.IS_NULL, "b"),
    Leaf(Op.IN, "s", ("aa", "zebra and a long tail of text")),
    Leaf(Op.NOT_IN, "s", ("a", "b")),
    Leaf(Op.LT, "s", ("ab",)),
    Leaf(Op.EQ, "s", ("日本",)),
    Leaf(Op.STARTS_WITH, "s", ("a",)),
    Leaf(Op.NOT_STARTS_WITH, "s", ("z",)),
    Not(Leaf(Op.STARTS_WITH, "s", ("ze",))),
    Both((Leaf(Op.GT_EQ, "s", ("a",)), Leaf(Op.LT, "s", ("b",)))),
    Either((Leaf(Op.EQ, "s", ("a",)), Leaf(Op.EQ, "s", ("ab",)))),
    Either((Leaf(Op.STARTS_WITH, "s", ("ze",)), Leaf(Op.STARTS_WITH, "s", ("bz",)))),
    Leaf(Op.IS_NULL, "s"),
    Leaf(Op.EQ, "dt", (_DAY,)),
    Leaf(Op.NOT_EQ, "dt", (_DAY,)),
    Leaf(Op.IN, "dt", (dt.date(2024, 2, 28), _DAY)),
    Both((Leaf(Op.GT_EQ, "dt", (dt.date(2024, 2, 1),)), Leaf(Op.LT, "dt", (_DAY,)))),
    Either((Leaf(Op.EQ, "dt", (_DAY,)), Leaf(Op.IS_NULL, "dt"))),
    Leaf(Op.IS_NULL, "dt"),
    Leaf(Op.NOT_NULL, "dt"),
    Leaf(Op.LT, "tsn", (dt.datetime(1970, 1, 1),)),
    Leaf(Op.EQ, "ts", (_MIDNIGHT,)),
    Both((Leaf(Op.GT_EQ, "ts", (_MIDNIGHT - dt.timedelta(1),)), Leaf(Op.LT, "ts", (_MIDNIGHT,)))),
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
