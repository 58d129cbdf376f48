"""Scans summed up by table, by query and by outcome, in one walk through scan_plans."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from audit_jobs.records import REPLAYED
from audit_jobs.sinks.audit_rows import Row

PASSES = ("manifests", "data_files", "row_groups", "bytes")
"""The funnels that the report shows: three passes, and the bytes of the files that are left."""

SCAN_COLUMNS = (
    "catalog",
    "namespace",
    "table",
    "source",
    "location",
    "query_id",
    "query_outcome",
    "inputs",
    "outcome",
    "message",
    "fingerprint",
    "predicate",
    "row_groups_kept_low",
    *(f"{name}_{stage}" for name in PASSES for stage in ("total", "considered", "kept")),
    *(f"potential_{name}_kept" for name in PASSES),
)
"""The columns of scan_plans that the report needs."""


@dataclass(slots=True)
class PassSums:
    """One funnel, summed over the `scans` that know what it considered and kept.

    `total`, all in the snapshots, and `allowed`, what all that the statistics allow would keep,
    are None where one of these scans does not know its own.
    """

    scans: int = 0
    total: int | None = 0
    considered: int = 0
    kept: int = 0
    allowed: int | None = 0

    def add(self, row: Row, name: str) -> None:
        """One scan's funnel."""
        considered, kept = row[f"{name}_considered"], row[f"{name}_kept"]
        if considered is None or kept is None:
            return
        self.scans += 1
        self.considered += considered
        self.kept += kept
        self.total = _plus(self.total, row[f"{name}_total"])
        self.allowed = _plus(self.allowed, row[f"potential_{name}_kept"])


def _plus(known: int | None, more: int | None) -> int | None:
    return None if known is None or more is None else known + more


@dataclass(slots=True)
class ScanSums:
    """Replayed scans of a table, or of one shape of query on it. In `estimated` of them, row
    groups rest on a sample. `predicate` is the filter of one of them: the first by its text, as
    rows come in any order."""

    scans: int = 0
    estimated: int = 0
    predicate: str | None = None
    passes: dict[str, PassSums] = field(default_factory=lambda: {p: PassSums() for p in PASSES})

    def add(self, row: Row) -> None:
        """One scan."""
        self.scans += 1
        self.estimated += row["row_groups_kept_low"] is not None
        if row["predicate"] is not None:
            self.predicate = min(self.predicate or row["predicate"], row["predicate"])
        for name, sums in self.passes.items():
            sums.add(row, name)


@dataclass(frozen=True, slots=True)
class Reason:
    """Why inputs have an outcome: the message, of how many rows, and the place of one."""

    message: str
    rows: int
    place: str


@dataclass(frozen=True, slots=True)
class RunSums:
    """Scans by table, by table and fingerprint; reasons by the outcome of their inputs, most
    frequent first."""

    tables: dict[str, ScanSums]
    queries: dict[str, dict[str, ScanSums]]
    reasons: dict[str, tuple[Reason, ...]]


def summed(scan_plans: Iterable[Row]) -> RunSums:
    """The same for the same rows in any order."""
    tables: dict[str, ScanSums] = {}
    queries: dict[str, dict[str, ScanSums]] = {}
    messages: Counter[tuple[str, str]] = Counter()
    places: dict[tuple[str, str], str] = {}
    for row in scan_plans:
        if row["outcome"] == REPLAYED:
            name = table_name(row)
            tables.setdefault(name, ScanSums()).add(row)
            shape = row["fingerprint"]
            if shape is not None:
                queries.setdefault(name, {}).setdefault(shape, ScanSums()).add(row)
        elif row["message"] is not None:
            key = row["query_outcome"], row["message"]
            place = row["location"] or row["query_id"] or row["source"]
            messages[key] += row.get("inputs") or 1
            places[key] = min(places.get(key, place), place)
    reasons: dict[str, list[Reason]] = {}
    for key, rows in sorted(messages.items(), key=lambda item: (-item[1], item[0])):
        reasons.setdefault(key[0], []).append(Reason(key[1], rows, places[key]))
    return RunSums(tables, queries, {outcome: tuple(why) for outcome, why in reasons.items()})


def table_name(row: Row) -> str:
    """A table's full name, as in TableName's text."""
    return ".".join(part for part in (row["catalog"], row["namespace"], row["table"]) if part)
