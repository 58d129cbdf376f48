"""The answers of `explain`, in the JSON shape that users rely on: see `docs/explain.md`."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from prunescope.audit_jobs.pruning.conjunct_classes import is_remaining
from prunescope.audit_jobs.pruning.plan_triple import PlanTriple
from prunescope.audit_jobs.pruning.summary import (
    ConjunctSummary,
    Funnel,
    ScanPlanSummary,
    conjuncts_within,
)
from prunescope.audit_jobs.pruning.tally import UNREAD_REASONS
from prunescope.audit_jobs.records import REPLAYED
from prunescope.audit_jobs.results.counters import MAPPINGS
from prunescope.collectors.observed import TableName
from prunescope.collectors.predicates.model import Predicate, conjuncts
from prunescope.collectors.predicates.render import render
from prunescope.collectors.predicates.walks import in_own_words

Answer = dict[str, Any]
"""One answer."""

_FUNNELS = (
    "manifests",
    "delete_manifests",
    "delete_files",
    "data_files",
    "row_groups",
    "bytes",
    "records",
    "row_group_bytes",
    "row_group_records",
    "pages",
    "page_bytes",
    "page_records",
)


def replayed_answer(  # noqa: PLR0913  # an answer has this many sources
    question_id: str | None,
    table: TableName,
    predicate: Predicate,
    *,
    plans: PlanTriple[ScanPlanSummary],
    classes: Sequence[str],
    pushed_by: Mapping[str, Collection[Predicate]],
    chosen: tuple[str, Predicate] | None,
) -> Answer:
    """The answer for one scan: the numbers of the plan of what is pushed, the containers that each
    conjunct of the whole filter rules out, and those that the whole filter would keep by all that
    the statistics allow. `classes` are those of the conjuncts, `pushed_by` the conjuncts
    that each engine pushes, `chosen` the name of the planner whose plan it is, and the predicate
    that it pushes."""
    plan, potential = plans.pushed, plans.potential
    return {
        "id": question_id,
        "table": str(table),
        "snapshot_id": plan.snapshot_id,
        "outcome": REPLAYED,
        "predicate": render(predicate),
        "written": _written(predicate),
        "planner": None if chosen is None else chosen[0],
        "pushed": None if chosen is None else render(chosen[1]),
        **{name: _funnel(getattr(plan, name)) for name in _FUNNELS},
        "potential": {name: getattr(potential, name).kept for name in _FUNNELS},
        **{name: dict(getattr(plan, name)) for name in MAPPINGS},
        "footers": plan.footers._asdict(),
        "spec_ids": list(plan.spec_ids),
        "conjuncts": [
            _conjunct(part, counts, conjunct_class, pushed_by)
            for part, counts, conjunct_class in zip(
                conjuncts(predicate), conjuncts_within(plans.whole, plan), classes, strict=True
            )
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
        "written": None,
        "planner": None,
        "pushed": None,
        **{name: _funnel(nothing) for name in _FUNNELS},
        "potential": dict.fromkeys(_FUNNELS),
        **{name: {} for name in MAPPINGS},
        "footers": {},
        "spec_ids": [],
        "conjuncts": [],
        "unread": {},
    }


def _written(predicate: Predicate) -> str | None:
    """The predicate in the question's own words; None if the rendered one has the same."""
    written = render(in_own_words(predicate))
    return None if written == render(predicate) else written


def _funnel(funnel: Funnel) -> dict[str, int | list[int] | None]:
    counts: dict[str, int | list[int] | None] = {
        "total": funnel.total,
        "considered": funnel.considered,
        "kept": funnel.kept,
    }
    if funnel.low is not None and funnel.high is not None:
        counts["kept_interval"] = [funnel.low, funnel.high]
    return counts


def _conjunct(
    conjunct: Predicate,
    counts: ConjunctSummary,
    conjunct_class: str,
    pushed_by: Mapping[str, Collection[Predicate]],
) -> dict[str, Any]:
    reasons = dict(counts.reasons)
    pruned = counts.manifests_pruned + counts.data_files_pruned
    return {
        "predicate": render(conjunct),
        "written": _written(conjunct),
        "class": conjunct_class,
        "remaining": is_remaining(conjunct_class),
        "pushed_by": {engine: conjunct in pushed for engine, pushed in pushed_by.items()},
        "manifests_pruned": counts.manifests_pruned,
        "data_files_pruned": counts.data_files_pruned,
        "row_groups_pruned": counts.row_groups_pruned,
        "reason": None if pruned else (reasons.get("data_files") or reasons.get("manifests")),
        "reasons": reasons,
    }
