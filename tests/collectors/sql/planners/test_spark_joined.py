"""Conditions that have parts in common, as Spark 3.5.9 and 4.1.4 were seen to push them."""

from __future__ import annotations

import pytest

from prunescope.collectors.observed import TableName
from prunescope.collectors.predicates.model import Predicate, conjuncts
from prunescope.collectors.predicates.render import render
from prunescope.collectors.sql.extraction.extract import condition, extract
from prunescope.collectors.sql.planners.profiles import Planner
from prunescope.collectors.sql.text.parse import parse

SPARK = Planner("spark", (4, 1))
_TYPES = {"n": "int", "l": "long", "s": "string", "k": "string", "dt": "date"}
_COLUMNS = {TableName("c", ("s",), name): _TYPES for name in "fd"}

A, B, C = "n = 5", "s = 'a'", "k = 'b'"
DAY = "dt >= DATE '2026-01-05'"
F, G = "l % 7 = 3", "abs(l) = 9"  # which are not pushed


def _told(pushed: Predicate | None) -> str:
    """What is pushed, but for what only says that columns are not null."""
    assert pushed is not None
    told = [render(part) for part in conjuncts(pushed)]
    return " & ".join(part for part in told if not part.endswith("IS NOT NULL")) or "TRUE"


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        pytest.param(f"({A} OR {B}) AND ({A} OR {G})", "TRUE", id="an arm of both"),
        pytest.param(f"({F} OR {A}) AND ({A} OR {C})", "TRUE", id="in any order"),
        pytest.param(f"({A} OR {B}) AND ({A} OR {G}) AND {DAY}", DAY, id="before others"),
        pytest.param(f"({A} OR {B}) AND ({A} OR {C}) AND ({A} OR {G})", "TRUE", id="of three"),
        pytest.param(f"{DAY} AND ({A} OR {B}) AND ({A} OR {G})", f"{DAY} & {A} OR {B}",
                     id="after another condition"),
        pytest.param(f"({A} OR {B}) AND {DAY} AND ({A} OR {G})", f"{A} OR {B} & {DAY}",
                     id="with another between them"),
        pytest.param(f"({A} OR {B} OR {G}) AND ({A} OR {B})", f"{A} OR {B}", id="one is the other"),
        pytest.param(f"{A} AND ({A} OR {G})", A, id="one is an arm"),
        pytest.param(f"({A} OR {B}) AND ({C} OR {G})", f"{A} OR {B}", id="nothing in common"),
        pytest.param(f"({A} OR {B}) AND ({A} OR {C})", f"{A} OR {B} & {A} OR {C}", id="all pushed"),
        pytest.param(f"({A} AND {F}) OR ({A} AND {G})", A, id="a factor"),
        pytest.param(f"({F} AND {A} AND {DAY}) OR ({G} AND {DAY})", DAY, id="one of several"),
        pytest.param(f"({A} AND {F}) OR ({A} AND {C}) OR ({A} AND {DAY})", A, id="of three arms"),
        pytest.param(f"({A} AND {F}) OR {DAY} OR ({A} AND {C})", "TRUE", id="not of all"),
        pytest.param(f"{A} OR ({A} AND {F})", A, id="an arm of an arm"),
        pytest.param(f"({F} AND {A}) OR ({F} AND {DAY})", f"{A} OR {DAY}", id="what is not pushed"),
        pytest.param(f"{A} OR ({B} AND {G})", "TRUE", id="no part of an arm"),
        pytest.param(f"NOT (({A} AND {B}) OR ({A} AND {G}))", "TRUE", id="negated"),
    ],
)  # fmt: skip
def test_what_conditions_have_in_common(where: str, expected: str) -> None:
    assert _told(condition(where, "spark", planner=SPARK)) == expected


@pytest.mark.parametrize(
    ("from_", "expected"),
    [
        pytest.param(f"(SELECT * FROM f WHERE {A} OR {B}) WHERE {A} OR {G}", "TRUE", id="a query"),
        pytest.param(f"(SELECT * FROM f WHERE {DAY} AND ({A} OR {F})) WHERE {A} OR {C}",
                     f"{DAY} & {A} OR {C}", id="a query that asks for more first"),
        pytest.param(f"f JOIN d ON f.l = d.l AND (f.{A} OR f.{B}) WHERE f.{A} OR abs(f.l) = 9",
                     "TRUE", id="WHERE and ON"),
        pytest.param(f"f JOIN d ON f.l = d.l WHERE (f.{A} OR f.{B}) AND d.n = 3 "
                     f"AND (f.{A} OR abs(f.l) = 9)", "TRUE", id="beside one of another table"),
    ],
)  # fmt: skip
def test_conditions_of_several_places(from_: str, expected: str) -> None:
    found = extract(
        parse(f"SELECT count(*) FROM {from_}", "spark"), dialect="spark", columns=_COLUMNS,
        catalog="c", schema="s", time_zone="UTC", planner=SPARK,
    )  # fmt: skip
    assert [_told(scan.pushed) for scan in found if scan.table.table == "f"] == [expected]
