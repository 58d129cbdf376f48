"""Scan nodes of Spark's plans: what they scan, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from prunescope.collectors.predicates.model import Reason, Unsupported
from prunescope.collectors.queries.spark.nodes import ScanNode, UnreadableNode, scan_node

LIST = "lake.db.t (branch=null) [filters={}, groupedBy={}]"
CALL = (
    "IcebergScan(table=lake.db.t, schemaId=0, snapshotId=5, branch=null, filters={},"
    " runtimeFilters=, groupedBy={})"
)


def node(text: str, name: str = "BatchScan lake.db.t", metrics: Any = ()) -> dict[str, Any]:
    return {"nodeName": name, "simpleString": f"{name}{text}", "metrics": list(metrics)}


def scan(text: str, name: str = "BatchScan lake.db.t", metrics: Any = ()) -> ScanNode:
    found = scan_node(node(text, name, metrics))
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("name", "text", "snapshot", "branch", "filters"),
    [
        pytest.param(
            "BatchScan",
            "[id#1L, s#2] lake.db.t [filters=id = 1]",
            None,
            None,
            "id = 1",
            id="Spark 3.1, Iceberg 1.1",
        ),
        pytest.param(
            "BatchScan",
            "[id#1L] lake.db.t [filters=] RuntimeFilters: []",
            None,
            None,
            "",
            id="Spark 3.3, Iceberg 1.1",
        ),
        pytest.param(
            "BatchScan",
            "[id#1L] lake.db.t (branch=dev) [filters=id = 1, groupedBy=] RuntimeFilters: []",
            None,
            "dev",
            "id = 1",
            id="Spark 3.3, Iceberg 1.4",
        ),
        pytest.param(
            "BatchScan lake.db.t",
            "[] lake.db.t (branch=null) [filters=id = 1, groupedBy=a, b] RuntimeFilters: []",
            None,
            None,
            "id = 1",
            id="Spark 3.5, Iceberg 1.9, no output and grouped",
        ),
        pytest.param(
            "BatchScan lake.db.t",
            "[id#1L] IcebergScan(table=lake.db.t, schemaId=0, snapshotId=12, branch=dev, filters="
            "id = 1, runtimeFilters=day IN (1, 2), groupedBy=day) RuntimeFilters: []",
            12,
            "dev",
            "id = 1",
            id="Spark 4.1, Iceberg 1.11",
        ),
        pytest.param(
            "BatchScan lake.db.t",
            "[id#1L] IcebergScan(table=lake.db.t, schemaId=0, snapshotId=null, branch=null,"
            " filters=, runtimeFilters=, groupedBy=) RuntimeFilters: []",
            None,
            None,
            "",
            id="an empty table",
        ),
        pytest.param(
            "BatchScan lake.db.t",
            "[_file#1] IcebergCopyOnWriteScan(table=lake.db.t, schemaId=0, snapshotId=12,"
            " branch=null, filters=id = 1, groupedBy=) RuntimeFilters: []",
            12,
            None,
            "id = 1",
            id="rows that DELETE rewrites",
        ),
        pytest.param(
            "GpuBatchScan lake.db.t",
            "[id#1L] " + LIST.format("id = 1", "") + " RuntimeFilters: []",
            None,
            None,
            "id = 1",
            id="an accelerator's name",
        ),
        pytest.param(
            "CometBatchScan lake.db.t",
            "[a] b#1] " + CALL.format("id = 1", "") + " RuntimeFilters: []",
            5,
            None,
            "id = 1",
            id="a bracket in a column's name",
        ),
    ],
)
def test_the_forms_of_a_scan(
    name: str, text: str, snapshot: int | None, branch: str | None, filters: str
) -> None:
    found = scan(text, name)
    assert str(found.table) == "lake.db.t"
    assert found.table.catalog == "lake"
    assert (found.snapshot_id, found.branch, found.filters) == (snapshot, branch, filters)


# Pieces of what stands around filters, in what stands in filters.
_filters = st.lists(
    st.sampled_from(
        [
            "a = 1",
            ", ",
            "s = '",
            "'",
            "]",
            "[",
            "(",
            ")",
            "] ",
            " [filters=",
            ", filters=",
            ", groupedBy=",
            " RuntimeFilters: [",
            "] RuntimeFilters: []",
            " (branch=",
            "#12",
            ", runtimeFilters=",
            ", snapshotId=7",
            "] lake.db.x",
            "] IcebergScan(table=x",
            "=",
            "\n",
        ]
    )
    | st.text(max_size=3)
).map(lambda pieces: "".join(pieces) + "'")


@pytest.mark.parametrize("name", ["BatchScan", "BatchScan lake.db.t"])
@pytest.mark.parametrize("grouped", ["", "day, id_bucket"])
@pytest.mark.parametrize("runtime", ["", " RuntimeFilters: []"])
@pytest.mark.parametrize("form", [LIST, CALL, "lake.db.t [filters={}]"])
@given(filters=_filters)
@example(filters="s = 'a, groupedBy=']', t = ', runtimeFilters='")
def test_filters_are_read_as_they_were_written_or_refused(
    form: str, runtime: str, grouped: str, name: str, filters: str
) -> None:
    text = "[id#1L, s#2] " + form.format(filters, grouped) + runtime
    try:
        found = scan(text, name)
    except UnreadableNode as refused:
        error = refused
    else:
        assert (str(found.table), found.filters) == ("lake.db.t", filters)
        return
    assert error.code in {"ambiguous_plan", "truncated_plan"}
    assert "s = " not in str(error)


@pytest.mark.parametrize("form", [LIST, CALL])
def test_a_text_cut_short_anywhere_is_refused_or_no_scan(form: str) -> None:
    whole = "[id#1L] " + form.format("id = 1, s = 'b'", "") + " RuntimeFilters: [dynamicpruning#1]"
    for length in range(len(whole)):
        try:
            found = scan_node(node(whole[:length]))
        except UnreadableNode:
            continue
        # Spark before 3.2 prints no runtime filters.
        assert found is None or (found.filters, found.runtime) == ("id = 1, s = 'b'", ())


@pytest.mark.parametrize(
    ("text", "code"),
    [
        pytest.param(LIST.format("a = 1, ...", ""), "truncated_plan", id="an ellipsis"),
        pytest.param(
            LIST.format("a IN (1, ... 25 more fields)", ""), "truncated_plan", id="more fields"
        ),
        pytest.param(LIST.format("a = 1", "")[:-1], "truncated_plan", id="no end"),
        pytest.param(CALL.format("a = 1", "")[:-1], "truncated_plan", id="no end of a call"),
        pytest.param(
            LIST.format("s = *********(redacted)", ""), "unreadable_plan", id="redacted by Spark"
        ),
        pytest.param(
            "lake.db.t [filters=s = 'a', groupedBy=']", "ambiguous_plan", id="an old form or a new"
        ),
        pytest.param(
            CALL.format("s = 'x, runtimeFilters='", ""),
            "ambiguous_plan",
            id="runtime filters twice",
        ),
        pytest.param(
            LIST.format("s = 'x'", "") + " RuntimeFilters: [']",
            "ambiguous_plan",
            id="runtime filters that are none",
        ),
        pytest.param(
            "lake.db.t (branch=null) [filters=a = 1]", "unreadable_plan", id="a branch, no groups"
        ),
        pytest.param(
            "IcebergScan(table=lake.db.t, type=struct<>, filters=[], caseSensitive=true)",
            "unreadable_plan",
            id="toString of before 1.11",
        ),
        pytest.param(
            "IcebergOtherScan(table=lake.db.t, filters=, groupedBy=)",
            "unreadable_plan",
            id="a scan of tomorrow",
        ),
    ],
)
def test_what_cannot_be_read_is_refused_without_its_text(text: str, code: str) -> None:
    with pytest.raises(UnreadableNode) as refused:
        scan_node(node(f"[id#1L] {text}"))
    assert refused.value.code == code
    assert "lake" not in str(refused.value)


def test_a_scan_of_an_accelerator_without_filters_is_refused() -> None:
    with pytest.raises(UnreadableNode, match="prints no filters"):
        scan_node(node("[id#1L], lake.db.t", "CometIcebergNativeScan"))


def test_a_literal_of_another_source_is_no_table() -> None:
    literal = "x [filters=k7canary]"
    text = f"[s#1] ParquetScan DataFilters: [(s#1 = {literal})], Format: parquet, Location: []"
    with pytest.raises(UnreadableNode) as refused:
        scan_node(node(text, "BatchScan parquet file:/x"))
    assert "k7canary" not in str(refused.value)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        pytest.param("Filter", f" (s#2 = {LIST})", id="text of a scan in a literal"),
        pytest.param(
            "InMemoryTableScan",
            f" [id#1L], InMemoryRelation [id#1L], BatchScan lake.db.t[id#1L] {LIST}",
            id="a cached plan's text",
        ),
        pytest.param("LocalTableScan", " <empty>", id="rows that planning made up"),
        pytest.param("Scan parquet", " [id#1] PushedFilters: []", id="files"),
        pytest.param(
            "BatchScan lake.db.t.files",
            "[] " + LIST.replace("db.t", "db.t.files"),
            id="a metadata table",
        ),
        pytest.param("MicroBatchScan", "[id#1L] " + CALL, id="a stream"),
        pytest.param(
            "BatchScan lake.db.t.changes",
            "[id#1L] lake.db.t.changes [fromSnapshotId=1, toSnapshotId=2, filters=]",
            id="changes",
        ),
        pytest.param(
            "BatchScan lake.db.t.changes",
            "[id#1L] IcebergChangelogScan(table=lake.db.t, fromSnapshotId=1, toSnapshotId=2,"
            " filters=)",
            id="changes, 1.11",
        ),
        pytest.param(
            "BatchScan lake.db.t",
            "[id#1L] IcebergIncrementalScan(table=lake.db.t, startSnapshotId=1, endSnapshotId=2,"
            " filters=, runtimeFilters=, groupedBy=)",
            id="what was added, 1.11",
        ),
        pytest.param(
            "BatchScan lake.db.t",
            "[id#1L] IcebergStagedScan(table=lake.db.t, taskSetID=x)",
            id="staged files",
        ),
    ],
)
def test_other_nodes_are_no_scans_of_a_snapshot(name: str, text: str) -> None:
    assert scan_node(node(text + " RuntimeFilters: []", name)) is None


@pytest.mark.parametrize(
    ("runtime", "columns"),
    [
        pytest.param("dynamicpruningexpression(d#2 IN dynamicpruning#9)", ["d"], id="one"),
        pytest.param(
            "dynamicpruningexpression(d#2 IN dynamicpruning#9),"
            "dynamicpruningexpression(A Col.x#3L IN subquery#10)",
            ["d", "A Col.x"],
            id="a name with a blank, from the output",
        ),
        pytest.param(
            "dynamicpruningexpression(d#2 IN dynamicpruning#9),"
            "dynamicpruningexpression(d#2 IN dynamicpruning#12)",
            ["d"],
            id="twice",
        ),
        pytest.param("dynamicpruningexpression(_file#4 IN subquery#9)", [], id="the place of rows"),
        pytest.param("dynamicpruningexpression(true)", [], id="a filter that was dropped"),
        pytest.param(
            "dynamicpruningexpression(e#7 IN dynamicpruning#9)", ["e"], id="not in the output"
        ),
    ],
)
def test_runtime_filters_name_their_columns(runtime: str, columns: list[str]) -> None:
    output = "[id#1L, d#2, A Col.x#3L, _file#4, ... 3 more fields]"
    found = scan(f"{output} {LIST.format('', '')} RuntimeFilters: [{runtime}]")
    shown = [f"{column} IN runtime filter" for column in columns]
    assert found.runtime == tuple(
        Unsupported(Reason.RUNTIME, text, text, (column,))
        for text, column in zip(shown, columns, strict=True)
    )


def test_metrics_are_those_of_iceberg_by_accumulator() -> None:
    metrics = [
        {"name": "number of output rows", "accumulatorId": 3},
        {"name": "total data manifests", "accumulatorId": 4},
        {"name": "number of skipped delete manifest", "accumulatorId": 5},
    ]
    found = scan("[id#1L] " + LIST.format("", ""), metrics=metrics)
    assert found.accumulators == {4: "total_data_manifests", 5: "skipped_delete_manifests"}
    assert found.identity == 3


def test_a_scan_without_metrics_has_no_identity() -> None:
    assert scan("[id#1L] " + LIST.format("", "")).identity is None


@pytest.mark.parametrize(
    "metrics",
    [None, 5, {}, [None], [{}], [{"name": "a", "accumulatorId": True}], [{"accumulatorId": 1}]],
)
def test_metrics_of_another_form_are_refused(metrics: Any) -> None:
    with pytest.raises(UnreadableNode, match="metrics"):
        scan_node({**node("[id#1L] " + LIST.format("", "")), "metrics": metrics})


@pytest.mark.parametrize(
    ("name", "catalog", "namespace", "table"),
    [
        pytest.param("lake.db.t", "lake", ("db",), "t", id="usual"),
        pytest.param("lake.a.b.c.t", "lake", ("a", "b", "c"), "t", id="nested"),
        pytest.param("db.t", None, ("db",), "t", id="two parts"),
        pytest.param("s3://b/db.x/t", None, ("s3://b/db",), "x/t", id="a path"),
        pytest.param("lake.db.files", "lake", ("db",), "files", id="a table with such a name"),
    ],
)
def test_names_of_tables(
    name: str, catalog: str | None, namespace: tuple[str, ...], table: str
) -> None:
    found = scan("[id#1L] " + LIST.replace("lake.db.t", name).format("", ""), f"BatchScan {name}")
    assert (found.table.catalog, found.table.namespace) == (catalog, namespace)
    assert found.table.table == table
    assert str(found.table) == name
