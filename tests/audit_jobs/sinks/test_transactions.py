"""A commit makes the metadata of its table once for each change, and as PyIceberg does."""

from __future__ import annotations

import pytest
from pyiceberg.catalog.sql import SqlCatalog
from pyiceberg.table import Transaction
from pyiceberg.table.metadata import TableMetadata
from pyiceberg.table.update import TableUpdate, update_table_metadata

from prunescope.audit_jobs.results.schemas import AUDIT_RUNS
from prunescope.audit_jobs.sinks.audit_tables import publish
from prunescope.audit_jobs.sinks.transactions import CommittedOnce
from tests.audit_jobs.sinks.published import NAMESPACE, load
from tests.audit_jobs.sinks.results import audit_result, replayed

pytestmark = pytest.mark.slow

COMMITS = 5
"""Of one run: its claim, and one for each audit table."""


def test_metadata_are_what_pyiceberg_makes_after_each_change(catalog: SqlCatalog) -> None:
    publish(audit_result(replayed("a")), catalog, NAMESPACE)
    table = load(catalog, AUDIT_RUNS)
    mine, theirs = CommittedOnce(table), Transaction(table)
    same = {"last_updated_ms": 0}
    for value in ("1", "2"):
        for each in (mine, theirs):
            each.set_properties({"x": value})
        assert mine.table_metadata.properties["x"] == value
        assert mine.table_metadata is mine.table_metadata
        found, expected = (each.table_metadata.model_copy(update=same) for each in (mine, theirs))
        assert found == expected
    assert "x" not in table.metadata.properties


def test_a_commit_makes_them_a_few_times(
    catalog: SqlCatalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = 0

    def counted(base: TableMetadata, updates: tuple[TableUpdate, ...]) -> TableMetadata:
        nonlocal made
        made += 1
        return update_table_metadata(base, updates)

    publish(audit_result(replayed("a")), catalog, NAMESPACE)
    monkeypatch.setattr("pyiceberg.table.update_table_metadata", counted)
    publish(audit_result(replayed("b"), run_id="run-2"), catalog, NAMESPACE)
    assert COMMITS < made <= 4 * COMMITS
