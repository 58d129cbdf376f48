"""Filter nodes above the scans of Spark's plans."""

from __future__ import annotations

from typing import Any

import pytest

from prunescope.collectors.observed import ALL_ROWS, RowFilter
from prunescope.collectors.queries.spark.executions import read_plan
from tests.collectors.queries.spark.logs import node, plan


def above(text: str, *children: dict[str, Any], name: str | None = None) -> dict[str, Any]:
    return {
        "nodeName": name or text.partition(" ")[0],
        "simpleString": text,
        "children": list(children),
        "metadata": {},
        "metrics": [],
    }


def filters(root: dict[str, Any]) -> list[RowFilter]:
    return [node.row_filter for node in read_plan(root).scans.values()]


UPPER = "Filter (upper(s#12) = DE)"


def test_the_filter_right_above_a_scan_is_its_own() -> None:
    stages = above(
        "WholeStageCodegen (1)",
        above(UPPER, above("ColumnarToRow", above("InputAdapter", node("")))),
        name="WholeStageCodegen (1)",
    )
    other = above("Filter (id#1L = 5)", node("", first=100))
    assert filters(plan(stages, other)) == [
        RowFilter(("(upper(s#) = DE)",)),
        RowFilter(("(id# = 5)",)),
    ]


def test_several_filters_all_hold() -> None:
    root = above(
        "Filter (id#1L > 5)", above("Project [id#1L]", above("Filter (id#1L < 9)", node("")))
    )
    assert filters(root) == [RowFilter(("(id# > 5)", "(id# < 9)"))]


@pytest.mark.parametrize(
    "between",
    [
        "Sample 0.0, 0.5, false, 580",
        "LocalLimit 3",
        "HashAggregate(keys=[id#1L], functions=[])",
        "Window [row_number()]",
        "Generate explode(a#3), false, [id#1L]",
        "InMemoryTableScan [id#1L]",
        "BroadcastHashJoin [id#1L], [id#2L], LeftOuter, BuildRight, (upper(s#12) = DE), false",
    ],
)
def test_what_filters_other_rows_than_the_scans_says_nothing_of_them(between: str) -> None:
    assert filters(above("Filter (id#1L = 5)", above(between, node("")))) == [ALL_ROWS]


def test_columns_are_known_by_their_numbers() -> None:
    renamed = above(
        "Filter ((k#5L = 5) AND (id#6 = 1))",
        above("Project [id#1L AS k#5L, upper(s#12) AS id#6]", node("")),
    )
    assert filters(renamed) == [RowFilter(("((id# = 5) AND (id?# = 1))",))]


def test_functions_in_python_are_calls() -> None:
    root = above(
        "Filter (pythonUDF0#9 = DE)",
        above("BatchEvalPython [f(id#1L, a, b)#8], [pythonUDF0#9]", node("")),
    )
    assert filters(root) == [RowFilter(("(f(id#, a, b) = DE)",))]


def test_a_column_alone_is_printed_with_its_type() -> None:
    root = above(
        "Filter pythonUDF0#9: boolean",
        above("BatchEvalPython [<lambda>(id#1L)#8], [pythonUDF0#9]", node("")),
        name="Filter",
    )
    assert filters(root) == [RowFilter(("<lambda>(id#)",))]
    assert filters(above("Filter Is it#1: boolean", node(""), name="Filter")) == [
        RowFilter(("Is it#",))
    ]


def test_subqueries_of_a_filter_are_not_below_it() -> None:
    root = above(
        "Filter (id#1L = Subquery subquery#7, [id=#4])",
        node(""),
        above("Subquery subquery#7, [id=#4]", node("", first=100)),
    )
    assert filters(root) == [RowFilter(("(id# = Subquery subquery#, [id=#])",)), ALL_ROWS]


@pytest.mark.parametrize(
    "root",
    [
        above("Filter (coalesce(id#1L, a#2, ... 3 more fields) = 5)", node("")),
        above("Filter (s#12 = *********(redacted))", node("")),
        above("CometFilter [id#1L], (id#1L = 5)", node("")),
        above("FilterExecTransformer (id#1L = 5)", node("")),
    ],
    ids=["cut", "redacted", "Comet", "Gluten"],
)
def test_conditions_that_the_log_does_not_show_are_told(root: dict[str, Any]) -> None:
    (found,) = filters(root)
    assert not found.is_shown


def test_a_scan_that_is_filtered_in_two_ways_is_known_in_none() -> None:
    root = plan(above("Filter (id#1L = 5)", node("")), above("Filter (id#1L = 6)", node("")))
    assert filters(root) == [RowFilter(is_shown=False)]


def test_the_rows_that_a_command_keeps_are_not_those_that_it_looks_for() -> None:
    scan = node("id = 5")
    scan["simpleString"] = scan["simpleString"].replace("[id#1L]", "[id#1L, _file#2, _pos#3L]")
    looked_for = node("id = 5", first=100)
    root = above(
        "ReplaceData IcebergWrite(table=lake.db.t, format=PARQUET)",
        above(
            "Filter NOT ((id#1L = 5) <=> true)",
            scan,
            above("Subquery subquery#7, [id=#4]", above("Filter (id#1L = 5)", looked_for)),
        ),
    )
    assert filters(root) == [ALL_ROWS, RowFilter(("(id# = 5)",))]


@pytest.mark.parametrize(
    ("condition", "is_shown"),
    [
        ("id#1L INSET 5, 7, 9, ... 225 more fields", True),
        ("((isnotnull(id#1L) AND NOT id#1L INSET 5, ... 9 more fields) AND (n#2 = 3))", True),
        ("cast(id#1L as int) INSET 5, 7, 9, ... 225 more fields", False),
        (
            "(id#1L INSET 5, ... 9 more fields AND (coalesce(n#2, m#3, ... 3 more fields) = 5))",
            False,
        ),
        ("(s#1 INSET a, b OR (coalesce(n#2, m#3, ... 3 more fields) = 5))", False),
    ],
)
def test_a_list_of_a_column_is_shown_by_the_scan(condition: str, is_shown: bool) -> None:
    (found,) = filters(above(f"Filter {condition}", node(""), name="Filter"))
    assert found.is_shown is is_shown
