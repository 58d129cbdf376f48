"""Scan records as columns of scan_plans and of conjuncts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import attrgetter, itemgetter
from typing import Any

from prunescope.audit_jobs.pruning.conjunct_classes import is_remaining
from prunescope.audit_jobs.pruning.summary import ScanPlanSummary
from prunescope.audit_jobs.records import ScanRecord
from prunescope.audit_jobs.results.columns import NAME, Row, map_of, named, signed
from prunescope.audit_jobs.results.counters import COUNTERS, MAPPINGS
from prunescope.audit_jobs.results.false_keeps import false_keeps
from prunescope.audit_jobs.results.scan_schemas import ESTIMATED, FUNNEL_COUNTS, FUNNELS, POTENTIAL
from prunescope.collectors.predicates.model import (
    Always,
    BoundComparison,
    Comparison,
    Predicate,
    Unsupported,
)
from prunescope.collectors.predicates.walks import leaves

Columns = Mapping[str, Sequence[Any]]
"""Values by the name of their column; None where nothing is known."""

_OF_RECORDS = {
    name: name
    for name in (
        *("scan_key", "source", "location", "query_id", "query_outcome", "inputs", "outcome"),
        *("message", "engine", "engine_version", "planner", "user", "started_at", "fingerprint"),
        *("predicate", "written", "pushed", "agreement"),
    )
}
_OF_SUMMARIES = (
    {f"{funnel}_{count}": f"{funnel}.{count}" for funnel in FUNNELS for count in FUNNEL_COUNTS}
    | {f"{funnel}_kept_{end}": f"{funnel}.{end}" for funnel in ESTIMATED for end in ("low", "high")}
    | {counter.column: counter.path for counter in COUNTERS if counter.key is None}
    | {name: name for name in ("schema_id", "spec_ids")}
)
_OF_MAPPINGS = {
    path: {counter.column: counter.key for counter in COUNTERS if counter.path == path}
    for path in MAPPINGS
}
_OF_POTENTIALS = {f"potential_{funnel}_kept": f"{funnel}.kept" for funnel in POTENTIAL}
_OF_MATCHING = {
    "matching_share": "share",
    "matching_share_low": "low",
    "matching_share_high": "high",
    "matching_rows": "rows",
}
_OF_FALSE_KEEPS = {
    "false_kept_bytes": "value",
    "false_kept_bytes_low": "low",
    "false_kept_bytes_high": "high",
}
_CONJUNCT = (
    *("scan_key", "position", "predicate", "class", "remaining", "pushed", "columns", "operators"),
    *("manifests_pruned", "data_files_pruned", "row_groups_pruned"),
    *("manifests_reason", "data_files_reason", "row_groups_reason", "matching_share"),
)


def scan_plan_columns(run: Row, records: Sequence[ScanRecord]) -> Columns:
    """The columns of scan_plans, a row for each of some records of a run with the values `run`; the
    columns of a missing summary are null."""
    summaries = [record.summary for record in records]
    tables = [{} if record.table is None else named(record.table) for record in records]
    return {
        **_same(run, len(records)),
        **_attributes(_OF_RECORDS, records),
        **{name: [table.get(name) for table in tables] for name in NAME},
        **_attributes(_OF_SUMMARIES, summaries),
        **_mappings(summaries),
        **_attributes(_OF_POTENTIALS, [record.potential for record in records]),
        **_attributes(_OF_MATCHING, [record.matching for record in records]),
        **_attributes(_OF_FALSE_KEEPS, [*map(false_keeps, records)]),
        "observed": [None if r.observed is None else map_of(r.observed) for r in records],
    }


def conjunct_columns(run: Row, records: Iterable[ScanRecord]) -> Columns:
    """The columns of conjuncts, a row for each conjunct of the replayed records."""
    rows = [row for record in records for row in _conjuncts(record)]
    return {**_same(run, len(rows)), **_transposed(_CONJUNCT, rows)}


def _same(values: Row, count: int) -> Columns:
    return {name: [value] * count for name, value in values.items()}


def _attributes(paths: Mapping[str, str], found: Sequence[Any]) -> Columns:
    """Attributes of objects, by column; None for an object that is None."""
    values_of: Callable[[Any], tuple[Any, ...]] = attrgetter(*paths.values())
    nothing = (None,) * len(paths)
    rows = [nothing if one is None else values_of(one) for one in found]
    return _transposed(tuple(paths), rows)


def _mappings(summaries: Sequence[ScanPlanSummary | None]) -> Columns:
    """The entries of the summaries' mappings by name, and the id of their snapshot."""
    entries = {path: itemgetter(*keys.values()) for path, keys in _OF_MAPPINGS.items()}
    names = (*(name for keys in _OF_MAPPINGS.values() for name in keys), "unread", "snapshot_id")
    nothing = (None,) * len(names)
    rows = [
        nothing
        if summary is None
        else (
            *(value for path, of in entries.items() for value in of(getattr(summary, path))),
            map_of(summary.unread),
            signed(summary.snapshot_id),
        )
        for summary in summaries
    ]
    return _transposed(names, rows)


def _transposed(names: Sequence[str], rows: Sequence[tuple[Any, ...]]) -> Columns:
    columns = zip(*rows, strict=True) if rows else ((),) * len(names)
    return dict(zip(names, columns, strict=True))


def _conjuncts(record: ScanRecord) -> list[tuple[Any, ...]]:
    """The values of _CONJUNCT."""
    rows = []
    for position, conjunct in enumerate(record.conjuncts):
        counts = conjunct.counts
        rows.append(
            (
                record.scan_key,
                position,
                conjunct.text,
                conjunct.conjunct_class,
                is_remaining(conjunct.conjunct_class),
                conjunct.pushed,
                *_reads(counts.predicate),
                counts.manifests_pruned,
                counts.data_files_pruned,
                counts.row_groups_pruned,
                counts.reasons.get("manifests"),
                counts.reasons.get("data_files"),
                counts.reasons.get("row_groups"),
                None if conjunct.matching is None else conjunct.matching.share,
            )
        )
    return rows


def _reads(predicate: Predicate) -> tuple[list[str], list[str]]:
    """The columns and the operators of a predicate, each once, in order of appearance."""
    columns: dict[str, None] = {}
    operators: dict[str, None] = {}
    for leaf in leaves(predicate):
        match leaf:
            case Comparison(op, column):
                columns[".".join(column.path)] = None
                operators[op.value] = None
            case BoundComparison(op, field):
                columns[field.name] = None
                operators[op.value] = None
            case Unsupported():
                columns.update(dict.fromkeys(leaf.columns))
            case Always():
                pass
    return list(columns), list(operators)
