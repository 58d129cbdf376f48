"""The answers of `explain`, in the JSON shape that users rely on: see `docs/explain.md`."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from audit_jobs.pruning.conjunct_classes import is_remaining
from audit_jobs.pruning.summary import UNREAD_REASONS, ConjunctSummary, Funnel, ScanPlanSummary
from audit_jobs.records import REPLAYED
from collectors.predicates.model import Predicate
from collectors.predicates.render import render
from collectors.queries.observed import TableName

Answer = dict[str, Any]
"""One answer."""

_FUNNELS = (
    "manifests",
    "data_files",
    "row_groups",
    "bytes",
    "records",
    "row_group_bytes",
    "row_group_records",
)
_DELETES = ("delete_manifests", "delete_files")


def replayed_answer(  # noqa: PLR0913  # an answer has this many sources
    question_id: str | None,
    table: TableName,
    predicate: Predicate,
    *,
    plan: ScanPlanSummary,
    potential: ScanPlanSummary,
    classes: Sequence[str],
    pushed_by: Mapping[str, Collection[Predicate]],
    chosen: tuple[str, Predicate] | None,
) -> Answer:
    """The answer for one scan: the numbers of `plan`, and beside them what the plan of the whole
    filter, `potential`, keeps. `classes` are those of its conjuncts, `pushed_by` the conjuncts
    that each engine pushes, `chosen` the name of the planner whose plan it is, and what it
    pushes."""
    return {
        "id": question_id,
        "table": str(table),
        "snapshot_id": plan.snapshot_id,
        "outcome": REPLAYED,
        "predicate": render(predicate),
        "planner": None if chosen is None else chosen[0],
        "pushed": None if chosen is None else render(chosen[1]),
        **{name: _funnel(getattr(plan, name)) for name in _FUNNELS},
        **{name: _deletes(getattr(plan, name)) for name in _DELETES},
        "potential": {name: getattr(potential, name).kept for name in _FUNNELS},
        "spec_ids": list(plan.spec_ids),
        "conjuncts": [
            _conjunct(conjunct, conjunct_class, pushed_by)
            for conjunct, conjunct_class in zip(potential.conjuncts, classes, strict=True)
        ],
        "unread": {UNREAD_REASONS[name]: count for name, count in plan.unread.items()},
    }


def failed_answer(
    question_id: str | None, table: TableName | None, outcome: str, message: str
) -> Answer:
    """An answer of the same shape, without numbers."""
    nothing = Funnel(None, None, None)
    return {
        "id": question_id,
        "table": None if table is None else str(table),
        "snapshot_id": None,
        "outcome": outcome,
        "message": message,
        "predicate": None,
        "planner": None,
        "pushed": None,
        **{name: _funnel(nothing) for name in _FUNNELS},
        **{name: _deletes(nothing) for name in _DELETES},
        "potential": dict.fromkeys(_FUNNELS),
        "spec_ids": [],
        "conjuncts": [],
        "unread": {},
    }


def _funnel(funnel: Funnel) -> dict[str, int | None]:
    return {"total": funnel.total, "considered": funnel.considered, "kept": funnel.kept}


def _deletes(funnel: Funnel) -> dict[str, int | None]:
    return {"total": funnel.total, "kept": funnel.kept}


def _conjunct(
    conjunct: ConjunctSummary,
    conjunct_class: str,
    pushed_by: Mapping[str, Collection[Predicate]],
) -> dict[str, Any]:
    reasons = dict(conjunct.reasons)
    pruned = conjunct.manifests_pruned + conjunct.data_files_pruned
    return {
        "predicate": render(conjunct.predicate),
        "class": conjunct_class,
        "remaining": is_remaining(conjunct_class),
        "pushed_by": {engine: conjunct.predicate in pushed for engine, pushed in pushed_by.items()},
        "manifests_pruned": conjunct.manifests_pruned,
        "data_files_pruned": conjunct.data_files_pruned,
        "row_groups_pruned": conjunct.row_groups_pruned,
        "reason": None if pruned else (reasons.get("data_files") or reasons.get("manifests")),
        "reasons": reasons,
    }
