"""Fewer files read than can be justified: 90 of 100, so results may be wrong."""

from __future__ import annotations

from prunescope.audit_jobs.agreement import Agreement
from prunescope.audit_jobs.records import ScanRecord
from tests.audit_jobs.findings.usages import Case, Night, Told, scan


def _read(files: int, agreement: Agreement) -> ScanRecord:
    return scan(kept=100, observed={"result_data_files": files}, agreement=agreement)


FOUND = {
    "ten files of each scan": Case(
        Night((_read(90, Agreement.OVER_PRUNE),)),
        Told(
            (),
            None,
            "critical",
            "medium",
            None,
            advice="Run a query with pruning off",
            evidence={"files_missing": 20, "engines": ["trino 482"], "query_ids": ["q0", "q1"]},
        ),
    ),
    "one scan is enough": Case(
        Night((_read(99, Agreement.OVER_PRUNE),), times=1),
        Told((), None, "critical", "medium", None, scans=1, evidence={"files_missing": 1}),
    ),
}

SILENT = {
    f"no such agreement, {other}": Night((_read(90, other),))
    for other in Agreement
    if other is not Agreement.OVER_PRUNE
} | {"nothing was compared": Night((scan(kept=100),))}
