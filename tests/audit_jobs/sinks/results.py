"""Audit results for the tests of the sinks."""

import datetime as dt

from prunescope.audit_jobs.findings.model import Confidence, Finding, Fix, Severity
from prunescope.audit_jobs.pruning.summary import ConjunctSummary, Footers, Funnel, ScanPlanSummary
from prunescope.audit_jobs.records import REPLAYED, ConjunctRecord, RunRecord, ScanRecord, Window
from prunescope.audit_jobs.results.columns import identity
from prunescope.audit_jobs.results.result import AuditResult
from prunescope.audit_jobs.results.rows import scan_rows
from prunescope.audit_jobs.results.scan_parts import Here, ScanParts
from prunescope.audit_jobs.results.sums import summed
from prunescope.audit_jobs.status import Status
from prunescope.collectors.observed import TableName
from prunescope.collectors.predicates.model import (
    BoundComparison,
    Field,
    Reason,
    Unsupported,
    any_of,
)
from prunescope.collectors.predicates.operators import Op
from tests.audit_jobs.plans import plan_of

DAY = dt.timedelta(days=1)
HOUR = dt.timedelta(hours=1)
MIDNIGHT = dt.datetime(2024, 5, 6, tzinfo=dt.UTC)
ORDERS = TableName("lake", ("sales",), "orders")
EVENTS = TableName("lake", ("web", "raw"), "events")

DAY_RANGE = BoundComparison(Op.GT_EQ, Field(1, "order_ts", "timestamptz"), (0,))
EITHER = any_of(
    BoundComparison(Op.EQ, Field(2, "customer.id", "long"), (7,)),
    BoundComparison(Op.EQ, Field(3, "status", "string"), (b"F",)),
    Unsupported(Reason.FUNCTION, "lower(note) = 'x'", "lower(note) = ?", ("note", "status")),
)
DATA_FILES = Funnel(40, 20, 5)
DATA = Funnel(4_000, 2_000, 500)
ROW_GROUPS = Funnel(None, 15, 6)


def summary(
    *,
    data_files: Funnel = DATA_FILES,
    data: Funnel = DATA,
    row_groups: Funnel = ROW_GROUPS,
) -> ScanPlanSummary:
    return plan_of(
        snapshot_id=11,
        schema_id=0,
        spec_ids=(0, 2),
        manifests=Funnel(10, 10, 4),
        delete_manifests=Funnel(0, 0, 0),
        data_files=data_files,
        delete_files=Funnel(3, 2, 1),
        bytes=data,
        records=Funnel(400, 200, 50),
        row_groups=row_groups,
        row_group_bytes=Funnel(None, 480, 190),
        row_group_records=Funnel(400, 50, 20, 15, 30),
        pages=Funnel(None, 60, 12),
        page_bytes=Funnel(None, 190, 70),
        page_records=Funnel(None, 20, 9),
        delete_files_by={
            "position_delete_files": 1,
            "equality_delete_files": 0,
            "deletion_vectors": 0,
        },
        dangling_delete_files={
            "position_delete_files": 1,
            "equality_delete_files": 0,
            "deletion_vectors": 0,
        },
        row_groups_by={"statistics": 6, "dictionary": 2, "bloom": 1},
        old_spec_files=1,
        old_spec_bytes=90,
        footers=Footers(needed=7, read=4, skipped=1, unread=2),
        conjuncts=(
            ConjunctSummary(DAY_RANGE, 6, 12, None),
            ConjunctSummary(
                EITHER,
                0,
                0,
                0,
                {
                    "manifests": "not_a_partition_column",
                    "data_files": "ranges_overlap",
                    "row_groups": "ranges_overlap",
                },
            ),
        ),
        unread={"unread_missing": 1},
    )


def replayed(
    key: str, table: TableName = ORDERS, scan_summary: ScanPlanSummary | None = None
) -> ScanRecord:
    return ScanRecord(
        scan_key=key,
        source="trino_events",
        location="events.json:1",
        query_id=f"query-{key}",
        query_outcome=REPLAYED,
        outcome=REPLAYED,
        engine="trino",
        engine_version="482",
        planner="trino, iceberg 1.11",
        user="ana",
        started_at=MIDNIGHT + HOUR,
        fingerprint="f1",
        table=table,
        predicate="order_ts >= ? AND (customer.id = ? OR status = ? OR lower(note) = ?)",
        pushed="order_ts >= ?",
        conjuncts=tuple(
            ConjunctRecord(text, kind, pushed, counts)
            for (text, kind, pushed), counts in zip(
                (
                    ("order_ts >= ?", "enforced", True),
                    ("customer.id = ? OR status = ? OR lower(note) = ?", "unenforced", False),
                ),
                (scan_summary or summary()).conjuncts,
                strict=True,
            )
        ),
        summary=scan_summary or summary(),
        potential=scan_summary or summary(),
        observed={"result_data_files": 5, "physical_input_rows": 50},
    )


UNPARSEABLE = ScanRecord(
    scan_key="broken",
    source="sql_records",
    location="queries.jsonl:3",
    query_id=None,
    query_outcome="unparseable",
    outcome="unparseable",
    message="the SQL text cannot be parsed as trino",
)


FOUND = Finding(
    cause="wrapped_column",
    severity=Severity.HIGH,
    confidence=Confidence.HIGH,
    table=ORDERS,
    sentence="The filter wraps the partition column order_ts; compare it with a range instead.",
    scans=2,
    bytes_read=1_000,
    bytes_at_stake=900,
    fix=Fix(
        spark=("ALTER TABLE `lake`.`sales`.`orders` WRITE ORDERED BY `order_ts`",),
        trino=('ALTER TABLE "lake"."sales"."orders" EXECUTE optimize',),
        rewrite="order_ts >= ?",
        advice="Ask the author of the query.",
    ),
    fingerprint="f1",
    conjunct="order_ts >= ?",
    columns=("order_ts",),
    lost_at="manifests",
    evidence={"partition_fields": ["order_ts_day"], "share": 0.9, "depth": None},
)
SPREAD = Finding(
    cause="unclustered_column",
    severity=Severity.LOW,
    confidence=Confidence.MEDIUM,
    table=EVENTS,
    sentence="2 scans filter by user_id, whose values are spread over all files.",
    scans=2,
    bytes_read=500,
    bytes_at_stake=None,
    fix=Fix(),
    columns=("user_id",),
    evidence={"fingerprints": ["f2", "f3"]},
)


def audit_result(
    *scans: ScanRecord,
    findings: tuple[Finding, ...] = (),
    run_id: str = "run-1",
    start: dt.datetime = MIDNIGHT,
    length: dt.timedelta = DAY,
    status: Status = Status.PARTIAL,
) -> AuditResult:
    rows = (scan_rows(identity(run_id, Window(start, start + length)), scans),)
    return AuditResult(
        RunRecord(
            run_id=run_id,
            window=Window(start, start + length),
            started_at=start + length + HOUR,
            finished_at=start + length + HOUR + dt.timedelta(seconds=90.5),
            status=status,
            versions={"prunescope": "0.1.0", "pyiceberg": "0.12.0"},
            queries={"replayed": 2, "unparseable": 1},
            tables=3,
            tables_failed={"lake.sales.gone": "catalog 'lake' has no table lake.sales.gone"},
            footers_read=9,
            footers_unread=3,
            metadata={
                "footers_cached": 7,
                "footers_skipped": 5,
                "manifests_bytes": 4_000,
                "manifests_requests": 2,
            },
            read_bytes=70_000,
        ),
        ScanParts(
            sum(part.count for part in rows),
            Here(rows),
            {name: why for part in rows for name, why in part.unwritable.items()},
        ),
        summed(part.scan_plans for part in rows),
        findings=findings,
    )
