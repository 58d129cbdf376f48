from typing import Any

import numpy as np
import pytest

from prunescope.audit_jobs.pruning.counts import no_counts
from prunescope.audit_jobs.pruning.scans import Scan
from prunescope.audit_jobs.pruning.summary import Funnel, ScanPlanSummary, SnapshotTotals
from prunescope.audit_jobs.pruning.tally import COUNTS, Tally
from prunescope.collectors.predicates.model import TRUE
from tests.audit_jobs.pruning.judging import summary_of, tally


def test_counts_add_every_counter() -> None:
    total, part = (no_counts([Scan(0, TRUE), Scan(1, TRUE)]) for _ in range(2))
    for number, name in enumerate(COUNTS, 1):
        part.add(name, np.array([1]), number)
    total.merge(part)
    total.merge(part)
    assert tally(total, 0) == Tally()
    assert tally(total, 1) == Tally(**{n: 2 * number for number, n in enumerate(COUNTS, 1)})


def summary(tally: Tally, **totals: Any) -> ScanPlanSummary:
    base = {
        "manifests": 4,
        "delete_manifests": 0,
        "data_files": 40,
        "delete_files": 0,
        "records": 400,
        "bytes": 4000,
        "spec_ids": (0,),
    }
    return summary_of(tally, SnapshotTotals(**{**base, **totals}))


def test_a_partial_read_takes_totals_from_the_snapshot() -> None:
    found = summary(
        Tally(
            manifests_kept=1,
            data_files_considered=10,
            data_files_kept=3,
            bytes_considered=1000,
            bytes_kept=300,
            records_considered=100,
            records_kept=30,
        )
    )
    assert found.manifests == Funnel(4, 4, 1)
    assert found.data_files == Funnel(40, 10, 3)
    assert found.bytes == Funnel(4000, 1000, 300)
    assert found.records == Funnel(400, 100, 30)
    assert found.row_groups.total is None


def test_a_full_read_counts_for_itself() -> None:
    tally = Tally(manifests_kept=4, data_files_considered=39, bytes_considered=3900)
    found = summary(tally, data_files=None, bytes=None)
    assert found.data_files == Funnel(39, 39, 0)
    assert found.bytes == Funnel(3900, 3900, 0)


def test_a_total_that_contradicts_what_was_read_is_unknown() -> None:
    found = summary(Tally(manifests_kept=1, data_files_considered=10, bytes_considered=5000))
    assert found.bytes == Funnel(None, 5000, 0)


@pytest.mark.parametrize(
    "cause", ["unread_format", "unread_missing", "unread_unreachable", "unread_corrupt"]
)
def test_row_groups_are_unknown_where_a_footer_was_not_read(cause: str) -> None:
    found = summary(Tally(row_groups_considered=5, row_groups_kept=2, **{cause: 1}))
    assert found.unread == {cause: 1}
    assert (found.row_groups.considered, found.row_groups.kept) == (None, None)
    assert found.row_group_bytes.kept is None
