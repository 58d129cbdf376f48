"""What a reader sees in the audit tables, held against the truth."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from prometheus_client.parser import text_string_to_metric_families
from pyiceberg.exceptions import NoSuchNamespaceError, NoSuchTableError

from prunescope.audit_jobs.records import Window
from prunescope.audit_jobs.results.scan_schemas import CONJUNCTS, SCAN_PLANS
from prunescope.audit_jobs.results.schemas import AUDIT_RUNS, COLUMN_HEALTH, FINDINGS, TABLE_HEALTH
from tests.chaos.lake import AUDIT_NAMESPACE, SECRETS, open_sql_catalog

Rows = Counter[tuple[str, str]]
"""Rows as (table, text), without what two runs of the same inputs differ in."""

_TABLES = (AUDIT_RUNS, SCAN_PLANS, CONJUNCTS, TABLE_HEALTH, COLUMN_HEALTH, FINDINGS)
_OF_ONE_RUN = ("run_id", "finished_at", "duration_seconds")
HEALTHY = "lake"
_VISIBLE = ("succeeded", "partial")


@dataclass(frozen=True, slots=True)
class Damage:
    """How a reader is misled; all 0 if not at all."""

    lost: int = 0
    doubled: int = 0
    wrong: int = 0
    leaked: int = 0

    def __add__(self, other: Damage) -> Damage:
        return Damage(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(self)))

    @property
    def misled(self) -> int:
        """All of it."""
        return self.lost + self.doubled + self.wrong + self.leaked


def visible(folder: Path, *windows: Window) -> list[Rows]:
    """The rows of the visible runs of each window, through a catalog that is newly opened."""
    catalog = open_sql_catalog("audit", folder)
    try:
        return _rows(catalog, windows)
    finally:
        catalog.close()


def _rows(catalog: Any, windows: Sequence[Window]) -> list[Rows]:
    found: list[Rows] = [Counter() for _ in windows]
    of_window = {(w.start, w.end): rows for w, rows in zip(windows, found, strict=True)}
    ids: set[str] = set()
    for audit_table in _TABLES:
        try:
            loaded = catalog.load_table((AUDIT_NAMESPACE, audit_table.name))
        except (NoSuchTableError, NoSuchNamespaceError):
            continue
        for row in loaded.scan().to_arrow().to_pylist():
            rows = of_window.get((row["window_start"], row["window_end"]))
            if rows is None:
                continue
            if audit_table is AUDIT_RUNS:
                if row["status"] not in _VISIBLE:
                    continue
                ids.add(row["run_id"])
            if row["run_id"] in ids:
                rows[audit_table.name, _text(row, is_run=audit_table is AUDIT_RUNS)] += 1
    return found


def _text(row: dict[str, Any], *, is_run: bool) -> str:
    own = {*_OF_ONE_RUN, "started_at"} if is_run else {"run_id"}
    kept = {name: value for name, value in row.items() if name not in own}
    return json.dumps(kept, default=str, sort_keys=True)


def of_healthy(rows: Rows) -> Rows:
    """The rows of the healthy tables, which are in a catalog of their own."""
    parsed = [(table, json.loads(text), text) for table, text in rows.elements()]
    scans = {
        row["scan_key"]
        for table, row, _ in parsed
        if table == SCAN_PLANS.name and row["catalog"] == HEALTHY
    }
    return Counter(
        (table, text)
        for table, row, text in parsed
        if row.get("catalog") == HEALTHY or (table == CONJUNCTS.name and row["scan_key"] in scans)
    )


def outcomes_of_others(rows: Rows) -> tuple[dict[str, str], list[str]]:
    """Outcomes by query id of the queries that read no healthy table, and those of inputs that
    are no queries."""
    parsed = [json.loads(text) for table, text in rows.elements() if table == SCAN_PLANS.name]
    others = [row for row in parsed if row["catalog"] != HEALTHY]
    of_queries = {r["query_id"]: r["query_outcome"] for r in others if r["query_id"]}
    return of_queries, [r["outcome"] for r in others if not r["query_id"]]


def compare(found: Rows, truths: Sequence[Rows]) -> Damage:
    """Rows against the truths, of which they are to be exactly one: that to which they come
    closest counts."""
    return min((_against(found, truth) for truth in truths), key=lambda v: v.misled)


def _against(found: Rows, truth: Rows) -> Damage:
    surplus = found - truth
    doubled = sum(count for row, count in surplus.items() if row in truth)
    return Damage(lost=(truth - found).total(), doubled=doubled, wrong=surplus.total() - doubled)


def torn(metrics: Path) -> Damage:
    """Whether a metrics file is no whole exposition."""
    if not metrics.exists():
        return Damage()
    text = metrics.read_text()
    try:
        whole = text.endswith("\n") and any(text_string_to_metric_families(text))
    except ValueError:
        whole = False
    return Damage(wrong=0 if whole else 1)


def leaks(paths: Iterable[Path], known: Sequence[str] = SECRETS) -> Damage:
    """Secrets in files that others read, and in whatever folders hold."""
    files = [
        file
        for path in paths
        for file in (path.rglob("*") if path.is_dir() else (path,))
        if file.is_file()
    ]
    count = sum(secret.encode() in file.read_bytes() for file in files for secret in known)
    return Damage(leaked=count)
