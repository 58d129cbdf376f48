"""The pass over pages: rows of the row groups that are kept, by column and offset index.

Pages of different columns end at different rows. The rows are cut wherever any of them ends, and
the slices are judged as containers; a page is kept if any of its slices is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from audit_jobs.pruning.algebra import Evaluation
from audit_jobs.pruning.row_groups import Residuals
from audit_jobs.pruning.rules import PlannerRules, Rules
from audit_jobs.pruning.scans import Scan
from audit_jobs.pruning.verdicts import Judge
from collectors.partitioning import PartitionSpec
from collectors.predicates.model import BoundComparison, Predicate
from collectors.statistics import BoolArray, PageBatch, RowGroupBatch

_PAGE_RULES = Rules()


@dataclass(frozen=True, slots=True)
class PageVerdict:
    """What one scan considers and keeps of the pages and rows in the row groups that it keeps."""

    scan: Scan
    pages_considered: int
    pages_kept: int
    records_considered: int
    records_kept: int
    bytes_considered: int
    bytes_kept: int


def prune_pages(
    scans: Iterable[Scan],
    pages: PageBatch,
    batch: RowGroupBatch,
    spec: PartitionSpec,
    reached: Iterable[BoolArray],
) -> Iterator[PageVerdict]:
    """Pages in the row groups of `batch` that each scan keeps: the i-th mask of `reached`."""
    for scan, considered, kept in prune_slices(scans, pages, batch, spec, reached):
        of_considered, of_kept = _pages_with(considered, pages), _pages_with(kept, pages)
        yield PageVerdict(
            scan=scan,
            pages_considered=int(np.count_nonzero(of_considered)),
            pages_kept=int(np.count_nonzero(of_kept)),
            records_considered=int(pages.records[considered].sum()),
            records_kept=int(pages.records[kept].sum()),
            bytes_considered=int(pages.size[of_considered].sum()),
            bytes_kept=int(pages.size[of_kept].sum()),
        )


def prune_slices(
    scans: Iterable[Scan],
    pages: PageBatch,
    batch: RowGroupBatch,
    spec: PartitionSpec,
    reached: Iterable[BoolArray],
) -> Iterator[tuple[Scan, BoolArray, BoolArray]]:
    """Per scan, the slices of rows that it considers, and those that it keeps."""
    residuals = Residuals(batch.partition, spec)
    file = pa.array(batch.file[pages.row_group])
    evaluations: dict[PlannerRules, Evaluation] = {}
    by_index = Evaluation(pages.metrics, _PAGE_RULES)

    def evaluate(conjunct: Predicate, rules: PlannerRules) -> pa.BooleanArray:
        def residual(leaf: BoundComparison) -> pa.BooleanArray:
            proven = residuals.proven(leaf, rules).take(file)
            possible = residuals.possible(leaf, rules).take(file)
            return pc.or_kleene(proven, pc.and_kleene(possible, by_index.comparison(leaf)))

        if rules not in evaluations:
            evaluations[rules] = Evaluation(pages.metrics, _PAGE_RULES, leaf=residual)
        return evaluations[rules](conjunct)

    judge = Judge(evaluate)
    for scan, kept_row_groups in zip(scans, reached, strict=True):
        considered = kept_row_groups[pages.row_group]
        kept = considered
        for part in judge.conjuncts(scan):
            if part.prunes is not None:
                kept = kept & ~part.prunes
        yield scan, considered, kept


def _pages_with(slices: BoolArray, pages: PageBatch) -> BoolArray:
    """The pages that hold any of the slices."""
    before = np.concatenate(([0], np.cumsum(slices)))
    found: BoolArray = before[pages.end_slice] > before[pages.first_slice]
    return found
