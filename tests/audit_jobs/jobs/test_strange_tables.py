"""Tables that were found to end a run for all, beside a healthy one."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyiceberg.catalog.sql import SqlCatalog

from prunescope.audit_jobs.gate.admit import admit
from prunescope.audit_jobs.planning.runner import LocalRunner
from prunescope.audit_jobs.pruning.summary import SnapshotTotals
from prunescope.audit_jobs.pruning.tally import Tally
from prunescope.audit_jobs.results.columns import signed
from prunescope.audit_jobs.sinks.audit_tables import publish
from prunescope.collectors.tables.metadata_reading import parse_metadata
from tests.audit_jobs.jobs.lakes import audited
from tests.audit_jobs.jobs.strange_tables import HUGE_ID, check_outcomes, write_strange_tables
from tests.audit_jobs.pruning.judging import summary_of

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return write_strange_tables(tmp_path_factory.mktemp("lake"))


def test_each_has_its_own_outcome(tables: dict[str, Path]) -> None:
    check_outcomes(tables, LocalRunner())


@pytest.mark.slow
def test_they_are_published(tables: dict[str, Path], tmp_path: Path) -> None:
    admitted = admit(audited(tables), None)
    assert admitted.run.tables_set_aside == {}
    catalog = SqlCatalog(
        "lake", uri=f"sqlite:///{tmp_path}/catalog.db", warehouse=f"file://{tmp_path}"
    )
    publish(admitted, catalog, "audit")
    plans = catalog.load_table("audit.scan_plans").scan().to_arrow().to_pylist()
    health = catalog.load_table("audit.table_health").scan().to_arrow().to_pylist()
    catalog.close()
    for rows in (plans, health):
        ids = {row["table"]: row["snapshot_id"] for row in rows}
        assert ids["snapshot_beyond_63_bits"] == HUGE_ID - 2**64


@pytest.mark.parametrize("number", [0, 1, 2**63 - 1, 2**63, HUGE_ID, 2**64 - 1])
def test_a_long_column_holds_the_bits_of_an_id(number: int) -> None:
    held = signed(number)
    assert held is not None
    assert number.to_bytes(8, "big") == held.to_bytes(8, "big", signed=True)
    assert signed(None) is None


def test_a_snapshot_is_found_by_either_form_of_its_id(tables: dict[str, Path]) -> None:
    path = tables["snapshot_beyond_63_bits"]
    metadata = parse_metadata(path.read_bytes(), str(path))
    written = metadata.snapshot_by_id(HUGE_ID)
    assert metadata.snapshot_by_id(HUGE_ID - 2**64) is written
    assert written.snapshot_id == HUGE_ID


@pytest.mark.parametrize(
    ("listed", "manifests_read", "total"),
    [
        pytest.param(1, 2, 5, id="entries-decide-where-all-were-read"),
        pytest.param(9, 2, 5, id="also-where-the-list-has-more"),
        pytest.param(1, 1, None, id="else-less-than-was-counted-is-unknown"),
        pytest.param(9, 1, 9, id="else-the-list-is-believed"),
        pytest.param(None, 1, None, id="unknown-stays-unknown"),
    ],
)
def test_lists_that_count_other_delete_files_than_their_manifests_hold(
    listed: int | None, manifests_read: int, total: int | None
) -> None:
    tally = Tally(
        delete_manifests_kept=manifests_read,
        delete_files_considered=5,
        position_delete_files_kept=5,
    )
    plan = summary_of(tally, SnapshotTotals(0, 2, 0, listed, 0, None, ()))
    assert (plan.delete_files.total, plan.delete_files.considered) == (total, 5)
