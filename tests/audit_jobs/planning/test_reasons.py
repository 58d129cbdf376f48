"""Why a conjunct rules out nothing, and how far planning answers it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyiceberg.catalog.sql import SqlCatalog
from pyiceberg.transforms import BucketTransform

from prunescope.audit_jobs.planning.local import replay
from prunescope.audit_jobs.pruning.conjunct_classes import classify
from prunescope.audit_jobs.pruning.summary import ConjunctSummary
from prunescope.collectors.observed import TableName
from prunescope.collectors.predicates.bind import bind
from prunescope.collectors.sql.extraction.extract import condition
from prunescope.collectors.tables.catalog import Table, open_metadata_file

ROWS = pa.table(
    {
        "id": pa.array(range(100), pa.int64()),
        "kind": pa.array([n % 2 for n in range(100)], pa.int64()),
        "bare": [f"{n % 10}" for n in range(100)],
    }
)


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Table]:
    """`plain`: two files, unpartitioned. `bucketed`: by bucket of id, identity of kind; no
    metrics for `bare`."""
    folder: Path = tmp_path_factory.mktemp("lake")
    catalog = SqlCatalog("lake", uri=f"sqlite:///{folder}/catalog.db", warehouse=f"file://{folder}")
    catalog.create_namespace("db")
    plain = catalog.create_table("db.plain", ROWS.schema)
    properties = {"write.metadata.metrics.column.bare": "none"}
    bucketed = catalog.create_table("db.bucketed", ROWS.schema, properties=properties)
    with bucketed.update_spec() as update:
        update.add_field("id", BucketTransform(4))
        update.add_identity("kind")
    for table in (plain, bucketed):
        table.append(ROWS.slice(0, 50))
        table.append(ROWS.slice(50))
    return {
        name: open_metadata_file(table.metadata_location, TableName(None, (), name))
        for name, table in (("plain", plain), ("bucketed", bucketed))
    }


def conjuncts(table: Table, where: str) -> tuple[ConjunctSummary, ...]:
    snapshot = table.metadata.current_snapshot()
    predicate = bind(condition(where, "trino"), table.metadata.schema(snapshot))
    (found,) = replay(table, snapshot, [predicate])
    assert found.summary is not None
    return found.summary.conjuncts


@pytest.mark.parametrize(
    ("table", "where", "expected_class", "expected"),
    [
        pytest.param(
            "plain",
            "bare > '0'",
            "unenforced",
            {
                "manifests": "unpartitioned",
                "data_files": "ranges_overlap",
                "row_groups": "ranges_overlap",
            },
            id="overlap",
        ),
        pytest.param(
            "plain",
            "id < 10",
            "unenforced",
            {"manifests": "unpartitioned", "row_groups": "ranges_overlap"},
            id="prunes files",
        ),
        pytest.param(
            "plain",
            "id % 2 = 1",
            "unsupported",
            dict.fromkeys(("manifests", "data_files"), "arithmetic_on_column"),
            id="arithmetic",
        ),
        pytest.param(
            "plain",
            "kind != 7",
            "unenforced",
            {
                "manifests": "unpartitioned",
                "data_files": "not_equal",
                "row_groups": "not_equal",
            },
            id="not equal",
        ),
        pytest.param(
            "plain",
            f"id IN ({', '.join(str(n) for n in range(300))})",
            "unenforced",
            {
                "manifests": "unpartitioned",
                "data_files": "in_list_too_long",
                "row_groups": "in_list_too_long",
            },
            id="long list",
        ),
        pytest.param(
            "bucketed",
            "bare = '3'",
            "unenforced",
            {"manifests": "not_a_partition_column", "data_files": "missing_statistics"},
            id="no statistics, but dictionaries in the file",
        ),
        pytest.param(
            "bucketed",
            "id >= 0",
            "unenforced",
            {
                "manifests": "transform_not_liftable",
                "data_files": "ranges_overlap",
                "row_groups": "ranges_overlap",
            },
            id="range on a bucketed column",
        ),
        pytest.param(
            "bucketed", "kind = 1", "enforced", {"manifests": "ranges_overlap"}, id="enforced"
        ),
    ],
)
def test_reasons(
    tables: dict[str, Table], table: str, where: str, expected_class: str, expected: dict[str, Any]
) -> None:
    (conjunct,) = conjuncts(tables[table], where)
    metadata = tables[table].metadata
    specs = metadata.specs(metadata.schema(metadata.current_snapshot()))
    newest = list(specs.values())[-1:]
    selecting = [conjunct.selects_partitions]
    assert classify([conjunct.predicate], selecting, newest, by_domains=False) == (expected_class,)
    assert dict(conjunct.reasons) == expected


def test_each_conjunct_is_counted_alone(tables: dict[str, Table]) -> None:
    first, second, third = conjuncts(tables["plain"], "id < 10 AND id < 20 AND bare >= '0'")
    assert [c.data_files_pruned for c in (first, second, third)] == [1, 1, 0]
