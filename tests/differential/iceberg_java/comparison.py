"""The product's replay of scans beside Iceberg's own planning, counter by counter."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from prunescope.audit_jobs.planning.local import replay
from prunescope.audit_jobs.pruning.rules import PlannerRules
from prunescope.audit_jobs.pruning.summary import ScanPlanSummary
from prunescope.collectors.predicates.bind import bind
from prunescope.collectors.tables.metadata import TableMetadata
from tests.differential.iceberg_java.differences import Difference, Kind, Stage, leaves
from tests.differential.iceberg_java.filters import predicate
from tests.differential.iceberg_java.lake import Answer, Lake

COUNTERS: Mapping[str, Callable[[ScanPlanSummary], int | None]] = {
    "total-data-manifests": lambda s: s.manifests.total,
    "scanned-data-manifests": lambda s: s.manifests.kept,
    "skipped-data-manifests": lambda s: _pruned(s.manifests.total, s.manifests.kept),
    "total-delete-manifests": lambda s: s.delete_manifests.total,
    "scanned-delete-manifests": lambda s: s.delete_manifests.kept,
    "skipped-delete-manifests": lambda s: _pruned(
        s.delete_manifests.total, s.delete_manifests.kept
    ),
    "result-data-files": lambda s: s.data_files.kept,
    "skipped-data-files": lambda s: _pruned(s.data_files.considered, s.data_files.kept),
    "total-file-size-in-bytes": lambda s: s.bytes.kept,
    "skipped-delete-files": lambda s: _pruned(s.delete_files.considered, s.delete_files.kept),
    "indexed-delete-files": lambda s: s.delete_files.kept,
    "positional-delete-files": lambda s: s.delete_files_by["position_delete_files"],
    "equality-delete-files": lambda s: s.delete_files_by["equality_delete_files"],
    "dvs": lambda s: s.delete_files_by["deletion_vectors"],
    "row-groups": lambda s: s.row_groups.considered,
    "after-statistics": lambda s: _row_groups_after(s, "statistics"),
    "after-dictionary": lambda s: _row_groups_after(s, "statistics", "dictionary"),
    "after-bloom": lambda s: s.row_groups.kept,
    "rows": lambda s: s.row_group_records.kept,
    "bytes": lambda s: s.row_group_bytes.kept,
}
"""Counters of Iceberg's ScanMetricsResult, then those of row groups (Judge.java), and what of a
summary they are: None where the product does not know it."""


def _pruned(considered: int | None, kept: int | None) -> int | None:
    return None if considered is None or kept is None else considered - kept


def _row_groups_after(summary: ScanPlanSummary, *sources: str) -> int | None:
    if summary.row_groups.considered is None:
        return None
    return summary.row_groups.considered - sum(summary.row_groups_by[name] for name in sources)


_PLAN = frozenset(tuple(COUNTERS)[: tuple(COUNTERS).index("row-groups") + 1])


@dataclass(frozen=True)
class Compared:
    """One scan, as Iceberg plans it and as the product does: `summary` and `files` are the
    product's."""

    answer: Answer
    metadata: TableMetadata
    summary: ScanPlanSummary
    files: frozenset[str]

    @cached_property
    def counters(self) -> dict[str, tuple[int, int]]:
        """Iceberg's count and the product's, of each counter that both know."""
        found = {}
        for name, count in COUNTERS.items():
            ours = count(self.summary)
            if name in self.answer.counters and ours is not None:
                found[name] = (self.answer.counters[name], ours)
        return found

    @cached_property
    def different(self) -> dict[str, tuple[int, int]]:
        """The counters that differ, and `files`, the numbers of those that only one keeps."""
        found = {name: pair for name, pair in self.counters.items() if pair[0] != pair[1]}
        only = (len(self.answer.files - self.files), len(self.files - self.answer.files))
        return found | ({"files": only} if any(only) else {})

    @cached_property
    def kinds(self) -> dict[Kind, Stage]:
        """Whether the product keeps more, fewer, or both, and the first stage in which it does."""
        found: dict[Kind, Stage] = {}
        for name, (theirs, ours) in self.different.items():
            if name == "files":
                found |= {Kind.FEWER: Stage.PLAN} if theirs else {}
                found |= {Kind.MORE: Stage.PLAN} if ours else {}
            elif not name.startswith("skipped-"):
                kind = Kind.MORE if ours > theirs else Kind.FEWER
                found.setdefault(kind, Stage.PLAN if name in _PLAN else Stage.READ)
        if self.different and not found:
            return {Kind.MORE: Stage.PLAN}
        return found

    def explanations(self, kind: Kind, known: Sequence[Difference]) -> list[Difference]:
        """Which known differences can make the product keep more, or fewer."""
        found = list(leaves(self.answer.filter, self.metadata))
        return [
            difference
            for difference in known
            if difference.stage in (Stage.PLAN, self.kinds[kind])
            and kind in difference.kinds
            and any(difference.explains(leaf) for leaf in found)
        ]


@dataclass(frozen=True)
class Failed:
    """A scan that Iceberg plans and the product does not, and why."""

    answer: Answer
    code: str


Judged = tuple[str, Answer, PlannerRules]
"""What a version of Iceberg says, and its rules."""


def compare(lake: Lake, judged: Iterable[Judged]) -> dict[str, list[Compared | Failed]]:
    """Replays every scan that versions of Iceberg planned, by the rules of each: by version. What
    a table holds is read once for all of them."""
    by_table: dict[str, list[Judged]] = defaultdict(list)
    for one in judged:
        if one[1].raises is None:
            by_table[one[1].table].append(one)
    found: dict[str, list[Compared | Failed]] = defaultdict(list)
    for name, of_table in by_table.items():
        plans = _of(lake, name, [(answer, rules) for _, answer, rules in of_table])
        for (version, _, _), plan in zip(of_table, plans, strict=True):
            found[version].append(plan)
    return found


def _of(
    lake: Lake, name: str, judged: Sequence[tuple[Answer, PlannerRules]]
) -> Iterator[Compared | Failed]:
    table = lake.open(name)
    snapshot = table.metadata.current_snapshot()
    schema = table.metadata.schema(snapshot)
    plans = [
        (bind(predicate(v.filter), schema, time_zone="UTC", folds_like_iceberg=True), rules)
        for v, rules in judged
    ]
    replayed = replay(table, snapshot, plans, list_files=True)
    for (answer, _), found in zip(judged, replayed, strict=True):
        if found.failure is not None:
            yield Failed(answer, found.failure.code)
        else:
            assert found.summary is not None
            files = frozenset(found.kept_files)
            yield Compared(answer, table.metadata, found.summary, files)
