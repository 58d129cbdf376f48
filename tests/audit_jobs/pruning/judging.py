"""Single predicates against batches, as letters: T can match, F cannot, ? unknown."""

from dataclasses import asdict
from typing import Any

import numpy as np
import pyarrow as pa

from prunescope.audit_jobs.pruning.algebra import Evaluation, evaluate
from prunescope.audit_jobs.pruning.counts import Counts
from prunescope.audit_jobs.pruning.packed import unpack
from prunescope.audit_jobs.pruning.rules import ICEBERG_1_12, Rules
from prunescope.audit_jobs.pruning.scans import Scan
from prunescope.audit_jobs.pruning.shapes import shapes
from prunescope.audit_jobs.pruning.summaries import summarize
from prunescope.audit_jobs.pruning.summary import ScanPlanSummary, SnapshotTotals
from prunescope.audit_jobs.pruning.tally import Tally
from prunescope.audit_jobs.pruning.tristate import UNKNOWN, TriState, both
from prunescope.audit_jobs.pruning.verdicts import Reach
from prunescope.collectors.arrays import BoolArray
from prunescope.collectors.predicates.model import BoundComparison, Field, Predicate
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.statistics import ColumnStatistics, Statistics, constant

METADATA_RULES = ICEBERG_1_12.metrics
PARTITION_RULES = ICEBERG_1_12.partitions
ROW_GROUP_RULES = ICEBERG_1_12.row_groups

NAN = float("nan")
INT = Field(1, "x", "int")
DOUBLE = Field(2, "d", "double")
STRING = Field(3, "s", "string")


def states(predicate: Predicate, statistics: Statistics, rules: Rules) -> str:
    """One letter for each container."""
    return letters(judged(predicate, statistics, rules), statistics.count)


def judged(predicate: Predicate, statistics: Statistics, rules: Rules) -> TriState:
    evaluation = Evaluation(statistics)
    (shape,) = shapes([Scan(0, predicate)])
    found = evaluation.holds_rows
    for tree in shape.conjuncts:
        state = evaluate(
            tree,
            lambda place: evaluation(shape.leaves[place.number], rules),
            unsupported=both(evaluation.holds_rows, UNKNOWN),
        )
        found = both(found, state)
    return found


def letters(state: TriState, count: int) -> str:
    masks = (unpack(mask, count)[0] for mask in (state.possible, state.shown))
    pairs = zip(*(mask.tolist() for mask in masks), strict=True)
    return "".join("F" if not possible else "T" if shown else "?" for possible, shown in pairs)


def tally(counts: Counts, scan: int) -> Tally:
    """The counts of one scan."""
    return Tally(**{name: numbers[scan].item() for name, numbers in counts.scans.items()})


def summary_of(tally: Tally, totals: SnapshotTotals) -> ScanPlanSummary:
    """The summary of one scan without conjuncts."""
    (found,) = summarize(
        snapshot_id=1,
        schema_id=0,
        totals=totals,
        tallies={name: np.array([count]) for name, count in asdict(tally).items()},
        conjuncts=lambda _: (),
    )
    return found


def reach(*masks: str, of: list[int] | None = None) -> Reach:
    """Which parents each scan keeps; every container is a parent of its own unless told."""
    parents: BoolArray = np.array([[one == "T" for one in mask] for mask in masks], np.bool_)
    return Reach(parents, np.arange(parents.shape[1]) if of is None else np.array(of))


def by_column(
    op: Op, values: tuple[Any, ...], field: Field, column: ColumnStatistics, rules: Rules
) -> str:
    """The letters of a comparison with a column of these statistics, in rows without others."""
    count = len(column.lower)
    statistics = Statistics(count, constant(False, count), {(field.field_id, field.type): column})
    return states(BoundComparison(op, field, values), statistics, rules)


def ints(*values: int | None) -> pa.Array:
    """Bounds or counts."""
    return pa.array(values, pa.int64())


def flags(text: str) -> pa.BooleanArray:
    """What is so, is not so, or is unknown, as letters."""
    return pa.array([{"T": True, "F": False, "?": None}[letter] for letter in text], pa.bool_())
