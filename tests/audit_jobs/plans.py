"""Plans of scans for tests: what a ScanPlanSummary has anew is given a value here alone."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from prunescope.audit_jobs.pruning.summary import Footers, Funnel, ScanPlanSummary
from prunescope.audit_jobs.pruning.tally import DELETE_KINDS, FILTER_LEVELS

UNKNOWN = Funnel(None, None, None)
NONE = Funnel(0, 0, 0)
NO_DELETES = dict.fromkeys(DELETE_KINDS, 0)
_UNKNOWN_PLAN = ScanPlanSummary(
    snapshot_id=1,
    schema_id=0,
    spec_ids=(0,),
    manifests=Funnel(1, 1, 1),
    delete_manifests=NONE,
    data_files=UNKNOWN,
    delete_files=NONE,
    bytes=UNKNOWN,
    records=UNKNOWN,
    row_groups=UNKNOWN,
    row_group_bytes=UNKNOWN,
    row_group_records=UNKNOWN,
    pages=UNKNOWN,
    page_bytes=UNKNOWN,
    page_records=UNKNOWN,
    delete_files_by=NO_DELETES,
    dangling_delete_files=NO_DELETES,
    row_groups_by=dict.fromkeys(FILTER_LEVELS, 0),
    old_spec_files=0,
    old_spec_bytes=0,
    footers=Footers(0, 0, 0),
    conjuncts=(),
    unread={},
)


def plan_of(**known: Any) -> ScanPlanSummary:
    """A plan of which this is known: funnels of one manifest, and of nothing else."""
    return replace(_UNKNOWN_PLAN, **known)
