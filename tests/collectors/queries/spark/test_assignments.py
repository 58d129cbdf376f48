"""Plans tell which columns of their target they change. Texts are those of Spark 4.1 with Iceberg
1.11, of `t (id INT, state STRING, n INT)`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from prunescope.collectors.effects import Effect
from prunescope.collectors.observed import TableName
from tests.collectors.queries.spark.logs import end, queries, start

T = TableName("lake", ("db",), "t")
ON_WRITE = "ReplaceData IcebergWrite(table=lake.db.t, format=PARQUET)"
ON_READ = "WriteDelta org.apache.iceberg.spark.source.SparkPositionDeltaWrite@7c1db040"
OTHERS = "snapshotId=5, branch=null, filters=id IS NOT NULL, runtimeFilters=, groupedBy=)"
TARGET = (
    "BatchScan lake.db.t[id#1, state#2, n#3, _file#4, _pos#5L] "
    f"IcebergScan(table=lake.db.t, schemaId=0, {OTHERS} RuntimeFilters: []"
)
SOURCE = (
    "BatchScan lake.db.s[id#11, state#12, n#13] "
    f"IcebergScan(table=lake.db.s, schemaId=0, {OTHERS} RuntimeFilters: []"
)
JOIN = "SortMergeJoin [id#1], [id#11], FullOuter"
MERGE = "MergeRowsExec[__row_operation#20, id#21, state#22, n#23, _file#24]"
MADE = "[__row_operation#20, id#21, state#22, n#23, _file#24]"
COPY = "keep(Copy, true, 6, id#1, state#2, n#3, _file#4)"
INSERT = "[keep(Insert, true, 5, id#11, state#12, n#13, null)]"


def node(text: str, *below: dict[str, Any]) -> dict[str, Any]:
    """A node that prints a text, and what is below it."""
    words = text.partition("[")[0].split(" ")
    name = " ".join(words[:2]) if words[0] == "BatchScan" else words[0]
    name = name.replace("MergeRowsExec", "MergeRows")
    return {
        "nodeName": name,
        "simpleString": text,
        "children": list(below),
        "metadata": {},
        "metrics": [{"name": "number of rows", "accumulatorId": len(text), "metricType": "sum"}],
    }


def changed(tmp_path: Path, root: dict[str, Any], printed: str = "") -> set[str]:
    """The columns that a plan changes, each of them of the target."""
    event = {**start(0, root), "physicalPlanDescription": printed}
    (query,) = queries(tmp_path, event, end(0))
    assert all(
        table == T and effect == Effect(assigned=effect.assigned) for table, effect in query.effects
    )
    return {".".join(path) for _, effect in query.effects for path in effect.assigned}


def merged(tmp_path: Path, matched: str, made: str = MADE, join: str = JOIN) -> set[str]:
    """The columns that clauses of a MERGE change, of which the plan's description tells."""
    root = node(ON_WRITE, node(MERGE, node(join, node(TARGET), node(SOURCE))))
    printed = (
        "== Physical Plan ==\nReplaceData (9)\n+- MergeRows (8)\n\n\n(8) MergeRows\n"
        "Input [7]: [id#1, state#2, n#3, _file#4, id#11, state#12, n#13]\n"
        f"Arguments: isnotnull(__row_from_source#18), isnotnull(__row_from_target#19), {matched},"
        f" {INSERT}, [{COPY}], true, {made}\n\n(9) ReplaceData\n"
        "Arguments: IcebergWrite(table=lake.db.t, format=PARQUET)\n\n"
    )
    return changed(tmp_path, root, printed)


@pytest.mark.parametrize(
    ("listed", "expected"),
    [
        (
            "6 AS __row_operation#9, id#1, if ((id#1 = 1)) x else state#2 AS state#8, n#3, _file#4",
            {"state"},
        ),
        ("6 AS __row_operation#9, id#1, x AS state#8, (n#3 + 1) AS n#7, _file#4", {"state", "n"}),
        ("6 AS __row_operation#9, id#1 AS id#7, state#2 AS n#8, _file#4", {"n"}),
        ("id#1, state#2, n#3, _file#4, _pos#5L", set()),
        ("6 AS __row_operation#9, if (a( = n#3) x else state#2 AS state#8, _file#4", set()),
    ],
)
def test_an_update_of_whole_files(listed: str, expected: set[str], tmp_path: Path) -> None:
    assert changed(tmp_path, node(ON_WRITE, node(f"Project [{listed}]", node(TARGET)))) == expected


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ("[1, null, null, null, _file#4, _pos#5L], [4, id#1, x, n#3, null, null]", {"state"}),
        ("[1, null, null, null, _file#4, _pos#5L], [4, id#1, n#3, n#3, null, null]", {"state"}),
        ("[1, null, null, null, _file#4, _pos#5L], [4, 7, state#2, null, null, null]", {"id", "n"}),
    ],
)
def test_an_update_that_writes_deletes(rows: str, expected: set[str], tmp_path: Path) -> None:
    made = "[__row_operation#9, id#6, state#7, n#8, _file#14, _pos#15L]"
    expand = node(f"Expand [{rows}], {made}", node(TARGET))
    assert (
        changed(tmp_path, node(ON_READ, node("Exchange hashpartitioning(id#6, 1)", expand)))
        == expected
    )


@pytest.mark.parametrize(
    ("matched", "expected"),
    [
        (f"[keep(Update, true, 6, id#1, state#12, n#3, _file#4), {COPY}]", {"state"}),
        # All columns, of which the join compares one.
        (f"[keep(Update, (n#13 = 1), 6, id#11, state#12, n#13, _file#4), {COPY}]", {"state", "n"}),
        (
            (
                "[keep(Update, (n#13 = 1), 6, id#1, state#12, n#3, _file#4),"
                f" keep(Update, true, 6, id#1, state#2, 0, _file#4), {COPY}]"
            ),
            {"state", "n"},
        ),
        (f"[discard((n#13 = 1)), {COPY}]", set()),
        (f"[{COPY}]", set()),
        ("[split(true, 1, null, null, null, _file#4, 4, id#1, state#12, n#3, null)]", {"state"}),
        # Cut short: of a split, nothing tells where its new row begins.
        (f"[keep(Update, true, 6, id#1, state#12, ... 9 more fields), {COPY}]", {"state"}),
        ("[split(true, 1, null, null, ... 9 more fields)]", set()),
    ],
)
def test_clauses_of_a_merge(matched: str, expected: set[str], tmp_path: Path) -> None:
    assert merged(tmp_path, matched) == expected


def test_what_no_join_compares_by_its_columns_is_changed(tmp_path: Path) -> None:
    matched = f"[keep(Update, true, 6, id#11, state#2, n#3, _file#4), {COPY}]"
    crossed = "BroadcastNestedLoopJoin BuildRight, LeftOuter, (abs(id#1) = abs(id#11))"
    assert merged(tmp_path, matched, join=crossed) == {"id"}
    assert merged(tmp_path, matched) == set()


def test_what_reads_files_and_writes_another_table_changes_nothing(tmp_path: Path) -> None:
    project = node("Project [x AS state#8, _file#4]", node(TARGET))
    assert (
        changed(tmp_path, node("AppendData IcebergWrite(table=lake.db.t, format=PARQUET)", project))
        == set()
    )
    assert changed(tmp_path, project) == set()


def test_of_two_tables_with_files_the_target_is_not_known(tmp_path: Path) -> None:
    other = node(TARGET.replace("lake.db.t", "lake.db.s"))
    joined = node("CartesianProduct", node(TARGET), other)
    project = node("Project [6 AS __row_operation#9, id#1, x AS state#8, _file#4]", joined)
    assert changed(tmp_path, node(ON_READ, project)) == set()
