"""The pass over pages: rows of the row groups that are kept, by column and offset index.

Pages of different columns end at different rows. The rows are cut wherever any of them ends, and
the slices are judged as containers; a page is kept if any of its slices is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from prunescope.audit_jobs.pruning.algebra import Evaluation
from prunescope.audit_jobs.pruning.forms import Form
from prunescope.audit_jobs.pruning.packed import counts, pack, sums
from prunescope.audit_jobs.pruning.passes import Leaves, Trees
from prunescope.audit_jobs.pruning.row_groups import Residuals
from prunescope.audit_jobs.pruning.rules import PlannerRules, Rules
from prunescope.audit_jobs.pruning.shapes import Shape
from prunescope.audit_jobs.pruning.tristate import UNKNOWN, TriState, both
from prunescope.audit_jobs.pruning.verdicts import Reach, Verdicts, portions, verdicts
from prunescope.collectors.arrays import BoolArray, IntArray
from prunescope.collectors.partitioning import PartitionSpec
from prunescope.collectors.statistics import ColumnKey, PageBatch, RowGroupBatch

_PAGE_RULES = Rules()


@dataclass(frozen=True, slots=True, eq=False)
class PageCounts:
    """Pages and rows in their kept row groups that B scans consider and keep, as arrays of length
    B. Counts the pages of the columns that the scans compare; `row_groups` counts the row groups
    with an index of any of these, and the others are left out."""

    scans: IntArray
    row_groups: IntArray
    pages_considered: IntArray
    pages_kept: IntArray
    records_considered: IntArray
    records_kept: IntArray
    bytes_considered: IntArray
    bytes_kept: IntArray


def prune_pages(
    shapes: Iterable[Shape],
    pages: PageBatch,
    batch: RowGroupBatch,
    spec: PartitionSpec,
    reach: BoolArray,
) -> Iterator[PageCounts]:
    """Pages in the row groups of `batch` that each of S scans keeps: `reach` has the shape (S, row
    groups)."""
    starts = np.flatnonzero(np.diff(pages.row_group, prepend=-1))
    for found, own_pages in prune_slices(shapes, pages, batch, spec, reach):
        slices = (found.considered, found.kept)
        of_pages = [pack(_pages_with(mask, pages) & own_pages, len(own_pages)) for mask in slices]
        groups = np.logical_or.reduceat(slices[0], starts, axis=1)
        yield PageCounts(
            found.scans,
            counts(pack(groups, len(starts))),
            *(counts(mask) for mask in of_pages),
            *(sums(mask, pages.records)[0] for mask in (found.considered_bits, found.kept_bits)),
            *(sums(mask, pages.size)[0] for mask in of_pages),
        )


def prune_slices(
    shapes: Iterable[Shape],
    pages: PageBatch,
    batch: RowGroupBatch,
    spec: PartitionSpec,
    reach: BoolArray,
) -> Iterator[tuple[Verdicts, BoolArray]]:
    """The verdicts on slices of rows, and a mask of the pages whose columns the scans compare."""
    if not len(pages.row_group):
        return
    partition, by_index = Evaluation(batch.partition), Evaluation(pages.metrics)
    file = batch.file[pages.row_group]
    by_columns: dict[frozenset[ColumnKey], list[Shape]] = {}
    for shape in shapes:
        by_columns.setdefault(_compared(shape), []).append(shape)
    for columns, of_columns in by_columns.items():
        wanted = [number for number, key in enumerate(pages.columns) if key in columns]
        own_pages = np.isin(pages.column, wanted)
        indexed = np.zeros(reach.shape[1], np.bool_)
        indexed[pages.row_group[pages.first_slice[own_pages]]] = True
        for portion in portions(of_columns, Reach(reach & indexed, pages.row_group)):
            residuals = [Residuals(form, spec, partition, file) for form in portion.forms]
            leaves = [Leaves(form, by_index) for form in portion.forms]
            trees = Trees(both(by_index.holds_rows, UNKNOWN))

            def judge(
                form: int,
                rules: PlannerRules,
                forms: Sequence[Form] = portion.forms,
                residuals: Sequence[Residuals] = residuals,
                leaves: Sequence[Leaves] = leaves,
                trees: Trees = trees,
            ) -> TriState:
                left, says = residuals[form], leaves[form]
                return trees(
                    forms[form].tree, lambda p: left(p, rules, says.comparison(p, _PAGE_RULES))
                )

            for cohort in portion.cohorts:
                yield verdicts(cohort, judge), own_pages


def _compared(shape: Shape) -> frozenset[ColumnKey]:
    """The columns that scans of a shape compare."""
    return frozenset((leaf.field.field_id, leaf.field.type) for leaf in shape.leaves)


def _pages_with(slices: BoolArray, pages: PageBatch) -> BoolArray:
    """The pages that hold any of the slices, as masks of the shape (B, pages)."""
    before = np.zeros((len(slices), slices.shape[1] + 1), np.int32)
    np.cumsum(slices, axis=1, out=before[:, 1:])
    found: BoolArray = before[:, pages.end_slice] > before[:, pages.first_slice]
    return found
