"""A counter that is added before the audit tables are made of all there are, in a process of its
own: `python -m tests.audit_jobs.results.added_counter` prints what follows of it, as JSON."""

# ruff: noqa: E402

from __future__ import annotations

import json

from prunescope.audit_jobs.results import counters
from prunescope.audit_jobs.results.counters import Counter

ADDED = Counter(
    "footers_used", "Those of them that were read", "footers.read", part_of="footers_needed"
)
counters.COUNTERS = (*counters.COUNTERS, ADDED)

from prunescope.audit_jobs.gate.expectations import columns_of, expectations
from prunescope.audit_jobs.results.column_docs import document
from prunescope.audit_jobs.results.scan_schemas import SCAN_PLANS
from tests.audit_jobs.sinks.results import UNPARSEABLE, audit_result, replayed


def _main() -> None:
    result = audit_result(replayed("a"), UNPARSEABLE)
    told = {
        "columns": [column.name for column in SCAN_PLANS.columns],
        "values": [row[ADDED.column] for row in result.scan_plans(ADDED.column)],
        "expected": [
            sorted(columns)
            for each in expectations()[SCAN_PLANS.name]
            if ADDED.column in (columns := columns_of(each))
        ],
        "documented": [line for line in document().splitlines() if ADDED.column in line],
    }
    print(json.dumps(told))  # noqa: T201  # its answer


if __name__ == "__main__":
    _main()
