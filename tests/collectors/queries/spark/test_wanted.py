"""What plans want of the rows of a scan: the joins that restrict them, and how many are enough."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from prunescope.collectors.needed_rows import AnyRows
from prunescope.collectors.observed import ObservedScan
from prunescope.collectors.queries.spark.executions import read_plan
from tests.collectors.queries.spark.logs import end, node, queries, start, values

SCAN = node("id IS NOT NULL")
OTHER = {
    **node("id IS NOT NULL", table="lake.db.u", first=50),
    "simpleString": node("id IS NOT NULL", table="lake.db.u")["simpleString"].replace(
        "[id#1L]", "[key#2, day#3]"
    ),
}


def over(text: str, *children: dict[str, Any], name: str | None = None) -> dict[str, Any]:
    """A node of a plan."""
    return {
        "nodeName": name or text.partition(" [")[0],
        "simpleString": text,
        "children": list(children),
        "metadata": {},
        "metrics": [],
    }


def by_row(*children: dict[str, Any]) -> dict[str, Any]:
    """Nodes that give a row of their input, or none, for each of its rows."""
    filtered = over("Filter (upper(s#2) = A)", *children, name="Filter")
    codegen = over("WholeStageCodegen (1)", over("ColumnarToRow", filtered))
    return over("Project [id#1L, upper(s#2) AS u#9]", codegen, name="Project")


def scans(plan: dict[str, Any], tmp_path: Path) -> dict[str, ObservedScan]:
    (query,) = queries(tmp_path, start(0, plan), values(0, (11, 3), (61, 3)), end(0))
    return {scan.table.table: scan for scan in query.scans}


@pytest.mark.parametrize(
    ("plan", "needed"),
    [
        pytest.param(over("CollectLimit 10", by_row(SCAN)), AnyRows(10), id="limit, show, first"),
        pytest.param(over("CollectLimit 15, 5", by_row(SCAN)), AnyRows(15), id="with an offset"),
        pytest.param(over("CollectLimit -1, 5", by_row(SCAN)), None, id="an offset alone"),
        pytest.param(by_row(SCAN), None, id="no limit"),
        pytest.param(
            over("CollectLimit 10", over("HashAggregate(keys=[s#2])", by_row(SCAN))),
            None,
            id="groups",
        ),
        pytest.param(over("CollectLimit 10", over("Exchange x", SCAN)), None, id="shuffled first"),
        pytest.param(over("CollectLimit 10", over("Union", SCAN)), None, id="of several"),
        pytest.param(
            over("CollectLimit 10", over("InMemoryTableScan []", SCAN)), None, id="of a cache"
        ),
        pytest.param(
            over("CollectLimit 10", over("Filter (id#1L > Subquery subquery#7)", SCAN)),
            None,
            id="compared with a subquery",
        ),
        pytest.param(
            over("CollectLimit 10", over("Project [id#1L]", OTHER, SCAN, name="Project")),
            None,
            id="in a subquery",
        ),
        pytest.param(
            over("GlobalLimit 10, 0", over("LocalLimit 10", by_row(SCAN))),
            None,
            id="tasks that all run",
        ),
    ],
)
def test_what_a_limit_ends_early_needs_few_rows(
    plan: dict[str, Any], needed: AnyRows | None, tmp_path: Path
) -> None:
    assert scans(plan, tmp_path)["t"].needed == needed


@pytest.mark.parametrize(
    ("join", "of_t", "of_u"),
    [
        ("BroadcastHashJoin [id#1L], [key#2], Inner, BuildRight, false", ("id",), ("key",)),
        ("SortMergeJoin [id#1L], [key#2], LeftOuter", (), ("key",)),
        ("SortMergeJoin [id#1L], [key#2], LeftOuter, (a#5 > b#6)", (), ("key",)),
        ("ShuffledHashJoin [id#1L], [key#2], RightOuter, BuildLeft", ("id",), ()),
        ("SortMergeJoin [id#1L], [key#2], FullOuter", (), ()),
        ("BroadcastHashJoin [id#1L], [key#2], LeftSemi, BuildRight, false", ("id",), ("key",)),
        ("BroadcastHashJoin [id#1L], [key#2], LeftAnti, BuildRight, true", (), ()),
        ("BroadcastHashJoin [id#1L, id#1L], [key#2, day#3], Inner", ("id",), ("day", "key")),
        ("BroadcastHashJoin [cast(id#1L as int)], [key#2], Inner", ("id",), ("key",)),
        ("BroadcastHashJoin [(id#1L % 7)], [upper(key#2)], Inner", (), ()),
        ("BroadcastHashJoin [id#7L], [key#8], Inner", (), ()),
        ("BroadcastNestedLoopJoin BuildRight, Inner, (id#1L < key#2)", (), ()),
    ],
)
def test_joins_restrict_the_sides_whose_rows_they_drop(
    join: str, of_t: tuple[str, ...], of_u: tuple[str, ...], tmp_path: Path
) -> None:
    name = join.split(" ", maxsplit=1)[0]
    aggregated = over("HashAggregate(keys=[id#1L])", by_row(SCAN))
    found = scans(over(join, aggregated, over("Sort x", OTHER), name=name), tmp_path)
    assert (found["t"].joined, found["u"].joined) == (of_t, of_u)


def test_a_join_above_a_cache_does_not_restrict_what_fills_it(tmp_path: Path) -> None:
    join = "BroadcastHashJoin [id#1L], [key#2], Inner, BuildRight, false"
    cached = over("InMemoryTableScan [id#1L]", SCAN)
    (query,) = queries(
        tmp_path, start(0, over(join, SCAN, OTHER, name="BroadcastHashJoin")), end(0)
    )
    assert query.traits == {"join"}
    found = read_plan(over(join, cached, OTHER, name="BroadcastHashJoin"))
    assert {scan.table.table: scan.joined for scan in found.scans.values()} == {
        "t": (),
        "u": ("key",),
    }


@pytest.mark.parametrize(
    ("name", "traits"),
    [
        ("SortMergeJoin(skew=true)", {"join"}),
        ("CartesianProduct", {"join"}),
        ("CometBroadcastHashJoin", {"join"}),
        ("MergeRows", {"merge", "write"}),
        ("Subquery", {"join"}),
        ("SubqueryBroadcast", set()),
        ("AppendData", {"write"}),
        ("ReplaceData", {"write"}),
        ("OverwritePartitionsDynamic", {"write"}),
        ("AtomicCreateTableAsSelect", {"write"}),
        ("Execute InsertIntoHadoopFsRelationCommand", {"write"}),
        ("Project", set()),
        ("SortMergeJoinless", set()),
    ],
)
def test_what_nodes_tell_of_their_query(name: str, traits: set[str], tmp_path: Path) -> None:
    (query,) = queries(tmp_path, start(0, over(f"{name} x", SCAN, name=name)), end(0))
    assert query.traits == traits


def test_rows_that_are_used_twice_are_needed_by_both(tmp_path: Path) -> None:
    join = "BroadcastHashJoin [id#1L], [key#2], Inner, BuildRight, false"
    limited = over("CollectLimit 10", SCAN)
    joined = over(join, SCAN, OTHER, name="BroadcastHashJoin")
    found = scans(over("Union", limited, joined), tmp_path)["t"]
    assert (found.joined, found.needed) == (("id",), None)
