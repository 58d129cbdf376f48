"""The advice for one table, and what is told beside it once that is chosen."""

from __future__ import annotations

from dataclasses import dataclass, replace

from audit_jobs.advice.basis import Basis
from audit_jobs.advice.candidates import Candidate, Term
from audit_jobs.advice.diet import Diet
from audit_jobs.advice.layouts import Layouts
from audit_jobs.advice.minimal import Minimal, minimal_rewrite
from audit_jobs.advice.model import Advice
from audit_jobs.advice.scores import replayed
from audit_jobs.isolation import Failed, attempt
from audit_jobs.jobs.diet import diet_of
from audit_jobs.jobs.manifest_order import manifest_order
from audit_jobs.jobs.partition_reads import partition_reads
from audit_jobs.jobs.table_basis import AdviceTask
from audit_jobs.planning.work import TableContext
from collectors.errors import PrunescopeError
from collectors.observed import TableName
from collectors.tables.properties import MANIFEST_BYTES
from collectors.types import is_floating


@dataclass(frozen=True, slots=True)
class TableAdvice:
    """The advice for a table, and what statistics it needs then; or why there is none."""

    name: TableName
    found: tuple[Advice, Diet | Failed] | Failed


def completed(task: AdviceTask, basis: Basis, layouts: Layouts, advice: Advice) -> Advice:
    """Advice with what is to be rewritten first of the advised layout, or, where none is, with the
    order of manifests. Raises PrunescopeError."""
    table, partition = task.table, basis.now.partition
    if basis.inside is None:
        return advice
    if advice.best is None:
        target = MANIFEST_BYTES.of(table.metadata.properties)
        doing = f"ordering the manifests of {table.name}"
        order = attempt(doing, manifest_order, task.context, basis.found, target, basis.seed)
        return replace(
            advice, manifests=Failed.of(order) if isinstance(order, PrunescopeError) else order
        )
    if not partition:
        return advice
    doing = f"choosing what to rewrite of {table.name}"
    advised = advice.best.candidate
    minimal = attempt(doing, _minimal, task.context, layouts, advised, partition, basis)
    if isinstance(minimal, PrunescopeError):
        return replace(advice, minimal=Failed.of(minimal))
    return replace(advice, minimal=minimal)


def _minimal(
    context: TableContext,
    layouts: Layouts,
    advised: Candidate,
    partition: tuple[Term, ...],
    basis: Basis,
) -> Minimal | None:
    """What to rewrite first for a layout; None where rows do not tell their partitions."""
    exact = all(not is_floating(term.column.type) for term in partition)
    if not exact or not layouts.can_lay(Candidate(partition, advised.order)):
        return None
    reads = partition_reads(context, basis.some, basis.of_some)
    scans = replayed(basis.some), basis.of_some
    return minimal_rewrite(layouts, advised, partition, reads, scans)


def with_diet(task: AdviceTask, advice: Advice) -> TableAdvice:
    """Advice beside the statistics that the table needs when it is followed."""
    table = task.table
    diet = attempt(f"replaying {table.name}", diet_of, table, task.asked, advice.layout)
    told = Failed.of(diet) if isinstance(diet, PrunescopeError) else diet
    return TableAdvice(table.name, (advice, told))
