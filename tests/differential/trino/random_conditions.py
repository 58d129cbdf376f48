"""Random conditions on tables: what Trino makes of them, and what the product answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tests.differential.iceberg_java.values import seeded
from tests.differential.summary import Summary
from tests.differential.trino.comparison import Compared, compare
from tests.differential.trino.conditions import Condition, random_condition
from tests.differential.trino.differences import Kind, explanations, kinds, unknown_kinds
from tests.differential.trino.engine import VERSION, Refused, Scan, Trino
from tests.differential.trino.tables import TableCase


@dataclass(frozen=True)
class Comparison:
    """What Trino says and the product answers, and the conditions that Trino refuses."""

    compared: Sequence[Compared]
    refused: Sequence[tuple[Condition, str]]


def compared_with(trino: Trino, tables: Iterable[TableCase], count: int) -> Comparison:
    """Of so many conditions on each of the tables, which are there."""
    compared: list[Compared] = []
    refused: list[tuple[Condition, str]] = []
    for case in tables:
        random_ = seeded(case.name)
        asked: list[tuple[Condition, Scan | None]] = []
        for _ in range(count):
            condition = random_condition(random_)
            sql = f"SELECT * FROM {case.name} WHERE {condition.sql}"
            try:
                scans = trino.scans(sql, zone=condition.zone)
            except Refused as error:
                refused.append((condition, str(error)))
                continue
            asked.append((condition, scans[0] if scans else None))
        compared += compare(trino.open(case.name), asked)
    return Comparison(compared, refused)


def summed_up(comparison: Comparison) -> tuple[Summary, Counter[str]]:
    """Scans compared, equal, and different by the names of the differences."""
    scans = comparison.compared
    different = [scan for scan in scans if not scan.is_equal]
    unexplained = [scan for scan in different if unknown_kinds(scan)]
    names = Counter(
        f"{kind.name.lower()}: {known[0].name}"
        for scan in different
        for kind in kinds(scan)
        if (known := explanations(scan, kind))
    )
    summary = Summary(
        engine="Trino",
        version=VERSION,
        tables=len({scan.table for scan in scans}),
        scans=len(scans),
        refused=len(comparison.refused),
        equal=len(scans) - len(different),
        explained=len(different) - len(unexplained),
        unexplained=len(unexplained),
        over_pruned=sum(Kind.FEWER in unknown_kinds(scan) for scan in unexplained),
    )
    return summary, names
