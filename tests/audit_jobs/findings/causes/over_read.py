"""More files read than planned: 1,000 of them instead of 100."""

from __future__ import annotations

from prunescope.audit_jobs.agreement import Agreement
from prunescope.audit_jobs.records import ScanRecord
from tests.audit_jobs.findings.usages import GB, Case, Night, Told, scan


def _read(files: int, agreement: Agreement | None, **reported: int) -> ScanRecord:
    return scan(kept=100, observed={"result_data_files": files, **reported}, agreement=agreement)


FOUND = {
    "all files, each of the usual size": Case(
        Night((_read(1_000, Agreement.OVER_READ),)),
        Told(
            (),
            2 * 90 * GB,
            "high",
            "medium",
            advice="EXPLAIN",
            evidence={"engines": ["trino 482"], "files_read": 2_000, "files_expected": 200},
        ),
    ),
    "the engine told the bytes": Case(
        Night((_read(1_000, Agreement.OVER_READ, total_file_size_in_bytes=15 * GB),)),
        Told((), 2 * 5 * GB, "medium", "medium"),
    ),
}

SILENT = {
    "they agree": Night((_read(100, Agreement.AGREES),)),
    "nothing was compared": Night((scan(kept=100),)),
} | {
    f"a blind spot, {blind}": Night((_read(1_000, blind),))
    for blind in (
        Agreement.SNAPSHOT_ASSUMED,
        Agreement.FILTER_UNKNOWN,
        Agreement.PLANNED_REPEATEDLY,
    )
}
