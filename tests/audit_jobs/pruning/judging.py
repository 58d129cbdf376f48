"""Single predicates against batches, as letters: T can match, F cannot, ? unknown."""

from dataclasses import asdict

import numpy as np

from audit_jobs.pruning.algebra import Evaluation, evaluate, spread
from audit_jobs.pruning.counts import Counts
from audit_jobs.pruning.rules import Rules
from audit_jobs.pruning.scans import Scan
from audit_jobs.pruning.shapes import shapes
from audit_jobs.pruning.summaries import summarize
from audit_jobs.pruning.summary import ScanPlanSummary, SnapshotTotals
from audit_jobs.pruning.tally import Tally
from audit_jobs.pruning.tristate import UNKNOWN, TriState, both
from audit_jobs.pruning.verdicts import Reach
from collectors.predicates.model import Predicate
from collectors.statistics import BoolArray, Statistics


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
    whole = spread(state, (1, count))
    pairs = zip(whole.possible[0].tolist(), whole.shown[0].tolist(), strict=True)
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
