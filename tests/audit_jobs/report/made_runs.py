"""Runs of any size for the tests of the report, as rows of the audit tables."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from prunescope.audit_jobs.findings.catalogue import BY_ID
from prunescope.audit_jobs.findings.history import (
    NO_HISTORY,
    History,
    PastFinding,
    PastHealth,
    PastWindow,
)
from prunescope.audit_jobs.findings.model import DOCUMENTATION, Severity
from prunescope.audit_jobs.records import Window
from prunescope.audit_jobs.results.arrow import to_arrow
from prunescope.audit_jobs.results.audit_table import AuditTable
from prunescope.audit_jobs.results.scan_schemas import SCAN_PLANS
from prunescope.audit_jobs.results.schemas import AUDIT_RUNS, COLUMN_HEALTH, FINDINGS, TABLE_HEALTH
from prunescope.audit_jobs.results.sums import summed
from prunescope.audit_jobs.sinks.run_rows import RunRows
from prunescope.collectors.observed import TableName
from tests.audit_jobs.sinks.results import DAY, HOUR, MIDNIGHT

COLUMNS = ("order_ts", "customer_id", "country", "amount", "session_id")
_RUN = {"run_id": "run-1", "window_start": MIDNIGHT, "window_end": MIDNIGHT + DAY}
_GB = 10**9
FINGERPRINTS = ("0c1d3c0b9a7e4d20", "1c1d3c0b9a7e4d21")
"""Of the two queries on each table."""


@dataclass(frozen=True, slots=True)
class MadeTable:
    """A table of the run: the share of files that its scans keep, and of those that they need."""

    name: tuple[str, str, str]
    kept: float
    allowed: float
    findings: tuple[Mapping[str, Any], ...] = ()
    columns: Sequence[str] = COLUMNS
    files: int = 1_200


def made_run(
    tables: Sequence[MadeTable],
    *,
    status: str = "partial",
    seed: int = 7,
    history: History = NO_HISTORY,
) -> RunRows:
    """A run of these tables. Columns alternate between clustered, half clustered and not."""
    chance = random.Random(seed)  # noqa: S311  # for layouts, not for secrets
    rows = [row for table in tables for row in _findings(table)]
    rows.sort(key=lambda row: -(row["bytes_at_stake"] or 0))
    return RunRows(
        run=_row(
            AUDIT_RUNS,
            {
                "started_at": MIDNIGHT + DAY + HOUR,
                "finished_at": MIDNIGHT + DAY + 2 * HOUR,
                "duration_seconds": 3_600.0,
                "status": status,
                "versions": [("prunescope", "0.1.0"), ("pyiceberg", "0.12.0")],
                "queries": [("no_iceberg_table", 12), ("replayed", 1_204), ("unparseable", 3)],
                "tables": len(tables),
                "tables_failed": [("lake.sales.gone", "catalog 'lake' has no such table")],
                "footers_read": 9_120,
                "footers_unread": 0,
                "scans": 2 * len(tables),
                "findings": [],
            },
        ),
        sums=summed([to_arrow((row for table in tables for row in _scans(table)), SCAN_PLANS)]),
        table_health=tuple(_health(table) for table in tables),
        column_health=tuple(row for table in tables for row in _columns(table, chance)),
        findings=tuple(row | {"rank": rank} for rank, row in enumerate(rows, start=1)),
        history=history,
    )


def made_history(tables: Sequence[MadeTable], nights: int) -> History:
    """Nights before the run. Of each fourth table, both queries kept nearly everything until a week
    ago, when all files had a value of a column, and an order was found that would let them keep as
    little as now; the others vary."""
    chance = random.Random(11)  # noqa: S311  # for layouts, not for secrets
    queries: dict[tuple[TableName, str], tuple[PastWindow, ...]] = {}
    findings: dict[str, PastFinding] = {}
    health: dict[TableName, tuple[PastHealth, ...]] = {}
    mended = MIDNIGHT - min(7, nights) * DAY
    for number, table in enumerate(tables):
        catalog, namespace, name = table.name
        at = TableName(catalog, (namespace,), name)
        whole = table.files * _GB // 2
        for shape in FINGERPRINTS:
            windows = []
            for night in range(nights, 0, -1):
                start = MIDNIGHT - night * DAY
                was_bad = number % 4 == 0 and start <= mended
                share = 0.97 if was_bad else table.kept * (0.8 + 0.4 * chance.random())
                if chance.random() < 0.9 or start == mended:
                    kept = round(min(share, 1.0) * whole)
                    windows.append(
                        PastWindow(Window(start, start + DAY), 1, kept, whole, table.files)
                    )
            queries[at, shape] = tuple(windows)
        if number % 4 == 0:
            stake = round(2 * (0.97 - table.kept) * whole)
            shapes = frozenset(FINGERPRINTS)
            then, columns = Window(mended, mended + DAY), COLUMNS[:1]
            findings[f"gone{number}"] = PastFinding(
                then, at, "unclustered_column", shapes, stake, columns
            )
            depth = dict.fromkeys(columns, float(table.files))
            health[at] = (PastHealth(then, 1, table.files, 0, 40, depth),)
    return History(queries=queries, tables=health, findings=findings)


def finding(cause: str, severity: Severity, stake: int | None, **changes: Any) -> dict[str, Any]:
    """A finding, but for its table."""
    return {
        "cause": cause,
        "severity": severity.value,
        "confidence": "high",
        "fingerprint": "5f1d3c0b9a7e4d21",
        "conjunct": "date_format(order_ts, ?) = ?",
        "columns": ["order_ts"],
        "lost_at": "manifests",
        "sentence": (
            "The filter wraps the partition column order_ts in date_format, which no planner can "
            "undo; a half-open range on the column itself prunes by partition."
        ),
        "scans": 31,
        "bytes_read": max(2 * (stake or 0), _GB),
        "bytes_at_stake": stake,
        "evidence": json.dumps(
            {"partition_fields": ["order_ts_day"], "kept_ratio": 0.93, "conditions": 2}
        ),
        "fix_spark": [
            "ALTER TABLE `lake`.`sales`.`orders` ADD PARTITION FIELD days(`order_ts`)",
            (
                "CALL `lake`.system.rewrite_data_files(table => '`lake`.`sales`.`orders`', "
                "strategy => 'sort', sort_order => '`order_ts`')"
            ),
        ],
        "fix_trino": [
            (
                'ALTER TABLE "lake"."sales"."orders" SET PROPERTIES '
                "partitioning = ARRAY['day(\"order_ts\")']"
            ),
            'ALTER TABLE "lake"."sales"."orders" EXECUTE optimize',
        ],
        "rewrite": "order_ts >= ? AND order_ts < ?",
        "advice": "Ask the query's author to compare the column itself.",
        "documentation": f"{DOCUMENTATION}#{cause}",
        **changes,
    }


def regression(stake: int, before: float, now: float) -> dict[str, Any]:
    """A query that got worse."""
    return finding(
        "pruning_regressed",
        Severity.HIGH,
        stake,
        sentence=(
            f"This query used to keep {before:.1%} of the table's bytes and keeps {now:.1%} now; "
            "what changed meanwhile: engine versions, depth of order ts."
        ),
        evidence=json.dumps(
            {
                "kept_ratio": now,
                "usual_kept_ratio": before,
                "windows": 21,
                "last_good_window": "2024-05-03T00:00:00+00:00",
                "changes": {
                    "engine_versions": [["481"], ["482"]],
                    "snapshot_ids": [[8_137_921_203_442_187_001], [8_137_921_203_442_187_009]],
                    "depth_of_order_ts": [1.4, 27.3],
                },
            }
        ),
        conjunct=None,
        rewrite=None,
        fix_spark=[],
        fix_trino=[],
        advice="Look first at the other findings of this table, then at what changed.",
        lost_at=None,
        columns=[],
    )


def fleet(count: int) -> list[MadeTable]:
    """Many tables, each with a finding or two."""
    causes = list(BY_ID)
    severities = list(Severity)
    return [
        MadeTable(
            ("lake", f"domain_{number % 17}", f"table_{number:04}"),
            kept=0.2 + 0.7 * (number % 9) / 9,
            allowed=0.05 + 0.1 * (number % 3),
            findings=tuple(
                finding(
                    causes[(number + other) % len(causes)],
                    severities[(number + other) % 5],
                    (count - number) * _GB // (1 + other),
                )
                for other in range(1 + number % 2)
            ),
        )
        for number in range(count)
    ]


def _findings(table: MadeTable) -> Iterator[dict[str, Any]]:
    catalog, namespace, name = table.name
    for number, changes in enumerate(table.findings):
        key = f"{abs(hash_of(table.name)) % 16**12:012x}{number:04x}"
        yield _row(
            FINDINGS,
            {"finding_key": key, "catalog": catalog, "namespace": namespace, "table": name}
            | dict(changes),
        )


def hash_of(parts: Sequence[str]) -> int:
    """The same in every process."""
    return int.from_bytes(".".join(parts).encode()[-12:])


def _scans(table: MadeTable) -> Iterator[dict[str, Any]]:
    catalog, namespace, name = table.name
    for number, fingerprint in enumerate(FINGERPRINTS):
        counts: dict[str, int | None] = {}
        sizes = {"manifests": 40, "data_files": table.files, "bytes": table.files * _GB // 2}
        for funnel, total in {**sizes, "row_groups": table.files * 4}.items():
            considered = total if funnel == "manifests" else round(total * (1 + table.kept) / 2)
            counts |= {
                f"{funnel}_total": None if funnel == "row_groups" else total,
                f"{funnel}_considered": considered,
                f"{funnel}_kept": round(total * table.kept),
                f"potential_{funnel}_kept": round(total * table.allowed),
            }
        yield _row(
            SCAN_PLANS,
            counts
            | {
                "scan_key": f"{name}/{number}",
                "source": "trino_events",
                "query_outcome": "replayed",
                "outcome": "replayed",
                "fingerprint": fingerprint,
                "catalog": catalog,
                "namespace": namespace,
                "table": name,
                "predicate": "date_format(order_ts, ?) = ? AND country = ?",
            },
        )


def _health(table: MadeTable) -> dict[str, Any]:
    catalog, namespace, name = table.name
    return _row(
        TABLE_HEALTH,
        {
            "catalog": catalog,
            "namespace": namespace,
            "table": name,
            "snapshot_id": 11,
            "spec_id": 1,
            "measured": 1.0,
            "manifests": 40,
            "manifest_bytes": 400_000,
            "manifest_depth": 3.2,
            "data_files": table.files,
            "records": table.files * 1_000_000,
            "bytes": table.files * _GB // 2,
            "target_file_bytes": 536_870_912,
            "small_files": table.files // 9,
            "files_by_spec": [("0", 20), ("1", table.files - 20)],
            "position_delete_files": 3,
            "equality_delete_files": 0,
            "deletion_vectors": 0,
            "partitions": 365,
            "partition_files": 3.0,
            "partition_bytes": 1.6 * _GB,
            "scans": 2,
        },
    )


def _columns(table: MadeTable, chance: random.Random) -> Iterator[dict[str, Any]]:
    catalog, namespace, name = table.name
    for number, column in enumerate(table.columns):
        width = (0.01, 0.12, 0.9)[number % 3]
        ranges: list[float] = []
        for file in range(100):
            middle = (file + 0.5) / 100 if number % 3 < 2 else chance.random()
            half = width * (0.5 + chance.random()) / 2
            ranges += [max(0.0, middle - half), min(1.0, middle + half)]
        yield _row(
            COLUMN_HEALTH,
            {
                "catalog": catalog,
                "namespace": namespace,
                "table": name,
                "column": column,
                "field_id": number + 1,
                "type": ("timestamptz", "long", "string")[number % 3],
                "bounded": 1.0,
                "overlap": min(1.0, width * 1.7),
                "depth": 1 + table.files * width,
                "common_bounds": 0.0,
                "impossible": 0,
                "ranges": ranges,
            },
        )


def _row(table: AuditTable, values: Mapping[str, Any]) -> dict[str, Any]:
    return dict.fromkeys(column.name for column in table.columns) | _RUN | dict(values)
