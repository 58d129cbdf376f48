"""A workload of any size whose scans differ in literals and in what they read, by their number."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

from prunescope.audit_jobs.agreement import Agreement
from prunescope.audit_jobs.health.model import ColumnHealth, TableHealth
from prunescope.audit_jobs.pruning.summary import ConjunctSummary, Funnel, ScanPlanSummary
from prunescope.audit_jobs.records import ConjunctRecord, Matching, ScanRecord
from prunescope.collectors.predicates.model import BoundComparison, Predicate
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.predicates.render import redact
from tests.audit_jobs.findings.strategies import ID, SPECS, TABLE, TS, metadata
from tests.audit_jobs.sinks.results import replayed, summary

FILES, BYTES = 10_000, 100_000_000_000
YEAR = 365 * 86_400_000_000
METADATA = metadata(SPECS[3], {})
"""By months of `ts`, and by names."""


def _column(field_id: int, name: str, type_: str, high: int) -> ColumnHealth:
    return ColumnHealth(field_id, name, type_, 1.0, 0.9, FILES * 0.9, 0.0, 0, 0, high)


HEALTH = TableHealth(
    table=TABLE,
    snapshot_id=1,
    spec_id=0,
    measured=1.0,
    manifests=100,
    manifest_bytes=1_000_000_000,
    manifest_depth=90.0,
    data_files=FILES,
    records=10**9,
    bytes=BYTES,
    target_file_bytes=512 * 1024 * 1024,
    small_files=FILES,
    files_by_spec={0: FILES},
    position_delete_files=5_000,
    equality_delete_files=5_000,
    deletion_vectors=0,
    partitions=12,
    partition_files=FILES / 12,
    partition_bytes=BYTES / 12,
    columns=(
        _column(ID.field_id, ID.name, ID.type, 10**6),
        _column(TS.field_id, TS.name, TS.type, YEAR - 1),
    ),
)


def scan(number: int, kind: int | None = None) -> ScanRecord:
    """A replayed scan of one of some shapes. Scans of one `kind` are alike but for their keys."""
    drawn = random.Random(number if kind is None else kind)  # noqa: S311  # no secret
    make = drawn.choice([_by_id, _by_wrapped_time, _by_month, _by_list])
    return replace(make(drawn), scan_key=f"{number}/0", query_id=f"query-{number}")


def _by_id(drawn: random.Random) -> ScanRecord:
    equal = BoundComparison(Op.EQ, ID, (drawn.randrange(10**6),))
    plan = _plan(FILES, drawn)
    share = drawn.random() / 1_000
    return _record("id", [(equal, True, "ranges_overlap")], plan, plan, share)


def _by_wrapped_time(drawn: random.Random) -> ScanRecord:
    start = BoundComparison(Op.GT_EQ, TS, (drawn.randrange(YEAR),))
    allowed = drawn.randrange(1_000, FILES)
    conjuncts = [(start, False, "ranges_overlap")]
    return _record("wrapped", conjuncts, _plan(FILES, drawn), _plan(allowed, drawn), None)


def _by_month(drawn: random.Random) -> ScanRecord:
    start = drawn.randrange(YEAR // 2)
    conjuncts = [
        (BoundComparison(Op.GT_EQ, TS, (start,)), True, "ranges_overlap"),
        (BoundComparison(Op.LT, TS, (start + drawn.randrange(YEAR // 100),)), True, "pruned"),
    ]
    plan = _plan(FILES // 12, drawn)
    found = _record("month", conjuncts, plan, plan, None)
    agreement = drawn.choice([None, Agreement.OVER_READ, Agreement.OVER_PRUNE])
    files = {"result_data_files": (FILES if agreement is Agreement.OVER_READ else 1)}
    return replace(found, agreement=agreement, observed=files)


def _by_list(drawn: random.Random) -> ScanRecord:
    values = tuple(range(drawn.randrange(201, 400)))
    conjuncts = [(BoundComparison(Op.IN, ID, values), True, "in_list_too_long")]
    allowed = drawn.randrange(1, 1_000)
    return _record("list", conjuncts, _plan(FILES, drawn), _plan(allowed, drawn), 1e-4)


def _record(
    fingerprint: str,
    conjuncts: Sequence[tuple[Predicate, bool, str]],
    plan: ScanPlanSummary,
    potential: ScanPlanSummary,
    share: float | None,
) -> ScanRecord:
    matching = None if share is None else Matching(share, share / 2, share * 2, 100_000)
    parts = tuple(
        ConjunctRecord(
            redact(predicate),
            "unenforced",
            pushed,
            ConjunctSummary(predicate, 1, 2, 3, {"data_files": reason}),
            matching,
        )
        for predicate, pushed, reason in conjuncts
    )
    return replace(
        replayed("0/0", TABLE, plan),
        fingerprint=fingerprint,
        conjuncts=parts,
        potential=potential,
        matching=matching,
    )


def _plan(files: int, drawn: random.Random) -> ScanPlanSummary:
    kept = files - drawn.randrange(max(1, files // 10))
    deletes = drawn.choice([0, 2 * kept])
    size = kept * (BYTES // FILES)
    return replace(
        summary(data_files=Funnel(FILES, FILES, kept), data=Funnel(BYTES, BYTES, size)),
        snapshot_id=drawn.randrange(3),
        manifests=Funnel(100, 100, drawn.randrange(50, 100)),
        row_groups=Funnel(None, kept * 4, kept * 4),
        row_group_bytes=Funnel(None, size, size - drawn.randrange(size)),
        delete_files_by={
            "position_delete_files": deletes,
            "equality_delete_files": 0,
            "deletion_vectors": 1,
        },
        old_spec_files=drawn.randrange(3),
        old_spec_bytes=drawn.randrange(1_000),
    )
