"""Worse than it used to be: a tenth of the table was kept in earlier windows."""

from __future__ import annotations

from dataclasses import replace

from prunescope.audit_jobs.findings.history import History, PastHealth, PastWindow
from prunescope.audit_jobs.records import Window
from tests.audit_jobs.findings.groups import DAY, START
from tests.audit_jobs.findings.usages import (
    BYTES,
    FILES,
    GB,
    TABLE,
    Case,
    Night,
    Told,
    days_before,
    scan,
)


def _windows(*shares: float | None, snapshot: int = 1, query: str = "f") -> History:
    """A window on each of the last days, in which the query kept such shares of the table; None
    where there was nothing to keep."""
    past = tuple(
        PastWindow(
            Window(START - (len(shares) - place) * DAY, START - (len(shares) - 1 - place) * DAY),
            scans=2,
            bytes_kept=0 if share is None else round(2 * BYTES * share),
            bytes_total=0 if share is None else 2 * BYTES,
            data_files_total=0 if share is None else 2 * FILES,
            engine_versions=frozenset({"482"}),
            planners=frozenset({"trino, iceberg 1.11"}),
            snapshot_ids=frozenset({snapshot}),
        )
        for place, share in enumerate(shares)
    )
    return History({(TABLE, query): past}, days_before(3).tables)


# Half as many again counts: more than 1,000 for 600 files of a value, and not for 700.
_OTHER_LAYOUT = PastHealth(
    Window(START - 2 * DAY, START - DAY), 7, FILES, 0, 1, {"id": 600.0, "ts": 700.0}
)
_NIGHT = Night((scan(kept=300),), history=_windows(0.1, 0.1, 0.1))

FOUND = {
    "three times as much": Case(
        _NIGHT,
        Told(
            (),
            2 * 20 * GB,
            "medium",
            "medium",
            None,
            advice="the other findings",
            evidence={"kept_ratio": 0.3, "usual_kept_ratio": 0.1, "changes": {}},
        ),
    ),
    "just more than twice as much": Case(
        replace(_NIGHT, scans=(scan(kept=201),)),
        Told((), 2 * 101 * GB // 10, "medium", "medium", None),
    ),
    "another snapshot": Case(
        replace(_NIGHT, history=_windows(0.1, 0.1, 0.1, snapshot=7)),
        Told(
            (),
            2 * 20 * GB,
            "medium",
            "high",
            None,
            evidence={"changes": {"snapshot_ids": [[7], [1]]}},
        ),
    ),
    "another partitioning, and a column that is less in order": Case(
        replace(_NIGHT, history=History(_NIGHT.history.queries, {TABLE: (_OTHER_LAYOUT,)})),
        Told(
            (),
            2 * 20 * GB,
            "medium",
            "high",
            None,
            evidence={"changes": {"spec_id": [7, 0], "depth_of_id": [600.0, 1_000.0]}},
        ),
    ),
    "one window was bad before": Case(
        replace(_NIGHT, history=_windows(0.1, 0.1, 0.9)),
        Told((), 2 * 20 * GB, "medium", "medium", None, evidence={"usual_kept_ratio": 0.1}),
    ),
}

SILENT = {
    "twice as much": replace(_NIGHT, scans=(scan(kept=200),)),
    "two windows": replace(_NIGHT, history=_windows(0.1, 0.1)),
    "windows that kept nothing do not count": replace(_NIGHT, history=_windows(0.1, 0.1, None)),
    "another query": replace(_NIGHT, history=_windows(0.1, 0.1, 0.1, query="g")),
    "a query that nobody knows": replace(_NIGHT, scans=(scan(kept=300, fingerprint=None),)),
    "nobody knows what is kept": replace(_NIGHT, scans=(scan(kept=None),)),
}
