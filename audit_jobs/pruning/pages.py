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
from collectors.statistics import BoolArray, PageBatch, RowGroupBatch, columns_of

_PAGE_RULES = Rules()


@dataclass(frozen=True, slots=True)
class PageVerdict:
    """What one scan considers and keeps of the pages and rows in the row groups that it keeps.
    Its pages are those of the columns that it compares; row groups without an index of any of
    them are left out, and `row_groups` counts the others."""

    scan: Scan
    row_groups: int
    pages_considered: int
    pages_kept: int
    records_considered: int
    records_kept: int
    bytes_considered: int
    bytes_kept: int


@dataclass(frozen=True, slots=True)
class SliceVerdict:
    """The slices of rows that one scan considers, and those that it keeps; and which pages are
    of its columns."""

    scan: Scan
    considered: BoolArray
    kept: BoolArray
    own_pages: BoolArray


def prune_pages(
    scans: Iterable[Scan],
    pages: PageBatch,
    batch: RowGroupBatch,
    spec: PartitionSpec,
    reached: Iterable[BoolArray],
) -> Iterator[PageVerdict]:
    """Pages in the row groups of `batch` that each scan keeps: the i-th mask of `reached`."""
    for found in prune_slices(scans, pages, batch, spec, reached):
        considered = _pages_with(found.considered, pages) & found.own_pages
        kept = _pages_with(found.kept, pages) & found.own_pages
        yield PageVerdict(
            scan=found.scan,
            row_groups=len(np.unique(pages.row_group[found.considered])),
            pages_considered=int(np.count_nonzero(considered)),
            pages_kept=int(np.count_nonzero(kept)),
            records_considered=int(pages.records[found.considered].sum()),
            records_kept=int(pages.records[found.kept].sum()),
            bytes_considered=int(pages.size[considered].sum()),
            bytes_kept=int(pages.size[kept].sum()),
        )


def prune_slices(
    scans: Iterable[Scan],
    pages: PageBatch,
    batch: RowGroupBatch,
    spec: PartitionSpec,
    reached: Iterable[BoolArray],
) -> Iterator[SliceVerdict]:
    """The same, slice by slice."""
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
        own_pages = _pages_of(scan, pages)
        indexed = np.zeros(len(kept_row_groups), np.bool_)
        indexed[pages.row_group[pages.first_slice[own_pages]]] = True
        considered = (kept_row_groups & indexed)[pages.row_group]
        kept = considered
        for part in judge.conjuncts(scan):
            if part.prunes is not None:
                kept = kept & ~part.prunes
        yield SliceVerdict(scan, considered, kept, own_pages)


def _pages_of(scan: Scan, pages: PageBatch) -> BoolArray:
    """The pages of the columns that a scan compares."""
    compared = columns_of([scan.predicate])
    places = [place for place, key in enumerate(pages.columns) if key in compared]
    return np.isin(pages.column, places)


def _pages_with(slices: BoolArray, pages: PageBatch) -> BoolArray:
    """The pages that hold any of the slices."""
    before = np.concatenate(([0], np.cumsum(slices)))
    found: BoolArray = before[pages.end_slice] > before[pages.first_slice]
    return found
