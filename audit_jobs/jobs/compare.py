"""Comparing planners: two audits of one window, in which one engine's queries are planned by one
planner and by another. Nothing is published."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from prunescope.audit_jobs.config import AuditConfig
from prunescope.audit_jobs.jobs.audit import read_inputs, run_audit
from prunescope.audit_jobs.planning.items import Runner
from prunescope.audit_jobs.progress import Progress
from prunescope.audit_jobs.records import REPLAYED, Window
from prunescope.audit_jobs.results.columns import NAME
from prunescope.audit_jobs.results.result import AuditResult
from prunescope.audit_jobs.results.sums import PassSums, RunSums, ScanSums, TableKey, table_key
from prunescope.audit_jobs.workload.replanned import PlannedBy

STAGES = 14
"""The number of stages that a comparison announces."""

COMPARED = ("manifests", "data_files", "row_groups", "bytes")
"""The funnels that are compared."""

_SHAPE = (*NAME, "fingerprint")
_ALL = pc.CountOptions(mode="all")
_PASSES = ("manifests", "data_files", "row_groups")
_REASONS = tuple(f"{name}_reason" for name in _PASSES)


@dataclass(frozen=True, slots=True)
class Judged:
    """A planner's judgement of a condition: its class; whether it is pushed, None if unknown; the
    reason why it rules nothing out, by pass, None if it does, or if scans differ."""

    classified: str | None
    pushed: bool | None
    reasons: Mapping[str, str | None]


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition that the planners judge differently; None if a planner has no such condition."""

    text: str
    before: Judged | None
    after: Judged | None


@dataclass(frozen=True, slots=True)
class Kept:
    """The counts that some scans keep under both planners, None where any of them is unknown."""

    scans: int
    before: Mapping[str, int | None]
    after: Mapping[str, int | None]

    @property
    def differs(self) -> bool:
        """True if any count differs."""
        return self.before != self.after

    @property
    def won(self) -> int:
        """The bytes that are kept no more; negative if more are kept."""
        return (self.before["bytes"] or 0) - (self.after["bytes"] or 0)


@dataclass(frozen=True, slots=True)
class Difference:
    """Scans of one shape of query on a table that keep other counts under the second planner, with
    their filter and the conditions that make the difference."""

    table: TableKey
    fingerprint: str
    filter: str | None
    kept: Kept
    conditions: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Compared:
    """Counts that two planners keep of each table, the largest difference of bytes first, and the
    shapes of queries that differ; tables that could not be read, with the reason."""

    window: Window
    before: str
    after: str
    tables: Mapping[TableKey, Kept]
    shapes: tuple[Difference, ...]
    failed: Mapping[str, str]


def run_compare(
    config: AuditConfig,
    window: Window,
    before: PlannedBy,
    after: PlannedBy | None,
    runner: Runner,
    progress: Progress,
) -> Compared:
    """Compares what two planners keep of the queries of a window; without a second one, what the
    first one keeps with what the statistics allow."""
    first = _audited(config, window, before, runner, progress)
    if after is None:
        sums = _allowed(first.sums)
        return _compared(first, sums, {}, window, (str(before.planner), "floor"))
    second = _audited(config, window, after, runner, progress)
    names = str(before.planner), str(after.planner)
    return _compared(first, second.sums, _judged(second), window, names)


def _audited(
    config: AuditConfig, window: Window, by: PlannedBy, runner: Runner, progress: Progress
) -> AuditResult:
    progress(f"Reading query logs for {by.planner}")
    inputs = read_inputs(config, window, runner, by)
    return run_audit(config, window, inputs, runner, progress)


_Shapes = Mapping[tuple[TableKey, str], Mapping[str, Judged]]


def _compared(
    first: AuditResult, second: RunSums, others: _Shapes, window: Window, names: tuple[str, str]
) -> Compared:
    own = _judged(first) if others else {}
    tables = {key: _kept(sums, second.tables.get(key)) for key, sums in first.sums.tables.items()}
    shapes = [
        Difference(
            key,
            fingerprint,
            sums.filter,
            kept,
            tuple(_differing(own.get((key, fingerprint), {}), others.get((key, fingerprint), {}))),
        )
        for key, shapes in first.sums.queries.items()
        for fingerprint, sums in shapes.items()
        if (kept := _kept(sums, second.queries.get(key, {}).get(fingerprint))).differs
    ]
    shapes.sort(key=lambda shape: (-abs(shape.kept.won), str(shape.table), shape.fingerprint))
    ordered = sorted(tables.items(), key=lambda item: (-abs(item[1].won), str(item[0])))
    before, after = names
    failed = first.run.tables_failed
    return Compared(window, before, after, dict(ordered), tuple(shapes), failed)


def _kept(before: ScanSums, after: ScanSums | None) -> Kept:
    return Kept(before.scans, _counts(before), _counts(after or ScanSums()))


def _counts(sums: ScanSums) -> dict[str, int | None]:
    passes = {name: sums.passes[name] for name in COMPARED}
    return {name: p.kept if p.scans == sums.scans else None for name, p in passes.items()}


def _allowed(sums: RunSums) -> RunSums:
    """Sums in which scans keep what the statistics allow."""
    tables = {key: _floor(of_table) for key, of_table in sums.tables.items()}
    queries = {
        key: {shape: _floor(of_shape) for shape, of_shape in shapes.items()}
        for key, shapes in sums.queries.items()
    }
    return RunSums(tables, queries)


def _floor(sums: ScanSums) -> ScanSums:
    passes = {
        name: PassSums() if found.allowed is None else PassSums(found.scans, kept=found.allowed)
        for name, found in sums.passes.items()
    }
    return ScanSums(sums.scans, filter=sums.filter, passes=passes)


def _judged(result: AuditResult) -> _Shapes:
    """The judgement of each condition of each shape of query, by its text."""
    parts = [_conditions(part.scan_plans, part.conjuncts) for part in result.rows]
    if not parts:
        return {}
    rows = (
        pa.concat_tables(parts)
        .group_by([*_SHAPE, "predicate"])
        .aggregate([(name, "distinct", _ALL) for name in ("class", "pushed", *_REASONS)])
    )
    found: dict[tuple[TableKey, str], dict[str, Judged]] = defaultdict(dict)
    for row in rows.to_pylist():
        judged = Judged(
            _one(row["class_distinct"]),
            _one(row["pushed_distinct"]),
            {name: _one(row[f"{name}_reason_distinct"]) for name in _PASSES},
        )
        found[table_key(row), row["fingerprint"]][row["predicate"]] = judged
    return found


def _conditions(scans: pa.Table, conjuncts: pa.Table) -> pa.Table:
    """The conjuncts of scans that were replayed, with the shape of their query."""
    replayed = scans.filter(pc.fill_null(pc.equal(scans["outcome"], REPLAYED), False))
    shapes = replayed.select(["scan_key", *_SHAPE])
    wanted = conjuncts.select(["scan_key", "predicate", "class", "pushed", *_REASONS])
    return wanted.join(shapes, "scan_key", join_type="inner").combine_chunks()


def _one(values: Sequence[Any]) -> Any:
    """The only one of some values; None if they differ."""
    return values[0] if len(values) == 1 else None


def _differing(before: Mapping[str, Judged], after: Mapping[str, Judged]) -> Iterator[Condition]:
    for text in dict.fromkeys((*before, *after)):
        if before.get(text) != after.get(text):
            yield Condition(text, before.get(text), after.get(text))
