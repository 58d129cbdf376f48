"""Single predicates against batches, as letters: T can match, F cannot, ? unknown."""

import numpy as np

from audit_jobs.pruning.algebra import Evaluation, evaluate, spread
from audit_jobs.pruning.rules import Rules
from audit_jobs.pruning.scans import Scan
from audit_jobs.pruning.shapes import shapes
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


def reach(*masks: str, of: list[int] | None = None) -> Reach:
    """Which parents each scan keeps; every container is a parent of its own unless told."""
    parents: BoolArray = np.array([[one == "T" for one in mask] for mask in masks], np.bool_)
    return Reach(parents, np.arange(parents.shape[1]) if of is None else np.array(of))
