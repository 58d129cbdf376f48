"""What a pass decides: per scan, which containers it considers and keeps, and what each conjunct
alone rules out. A scan's mask is the conjunction of its conjuncts' masks, so conjuncts that many
scans share are judged once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from audit_jobs.pruning.rules import PlannerRules
from audit_jobs.pruning.scans import Scan
from collectors.predicates.model import Predicate
from collectors.statistics import BoolArray


@dataclass(frozen=True, slots=True)
class ConjunctVerdict:
    """What one conjunct alone does to the containers that its scan considers: how many it
    rules out, and of how many nothing is known."""

    pruned: int
    unknown: int


@dataclass(frozen=True, slots=True)
class Verdict:
    """One scan against one batch: masks of length N, and one verdict per conjunct."""

    scan: Scan
    considered: BoolArray
    kept: BoolArray
    conjuncts: tuple[ConjunctVerdict, ...]


@dataclass(frozen=True, slots=True)
class Judged:
    """A conjunct's tri-state over a batch: two masks that exclude each other, None for one
    that is false everywhere."""

    prunes: BoolArray | None
    unknown: BoolArray | None


class Judge:
    """Judges the conjuncts of many scans against one batch, each once per set of rules.

    `evaluate` yields the tri-state of a conjunct by given rules.
    """

    def __init__(self, evaluate: Callable[[Predicate, PlannerRules], pa.BooleanArray]) -> None:
        self._evaluate = evaluate
        self._judged: dict[tuple[Predicate, PlannerRules], Judged] = {}

    def conjuncts(self, scan: Scan) -> list[Judged]:
        """What each of the scan's conjuncts rules out."""
        return [self._conjunct(conjunct, scan.rules) for conjunct in scan.conjuncts]

    def _conjunct(self, conjunct: Predicate, rules: PlannerRules) -> Judged:
        key = (conjunct, rules)
        if key not in self._judged:
            state = self._evaluate(conjunct, rules)
            pruned = pc.fill_null(pc.invert(state), False)
            self._judged[key] = Judged(
                prunes=mask(pruned) if pruned.true_count else None,
                unknown=mask(pc.is_null(state)) if state.null_count else None,
            )
        return self._judged[key]


def verdict(
    scan: Scan, considered: BoolArray, eligible: BoolArray, parts: Sequence[Judged]
) -> Verdict:
    """The verdict on containers of which a scan reaches those `considered`, and could keep those
    `eligible`."""
    kept = eligible
    conjuncts = []
    count = int(np.count_nonzero(considered))
    if not count:
        return Verdict(scan, considered, kept, (ConjunctVerdict(0, 0),) * len(parts))
    for part in parts:
        pruned = 0
        if part.prunes is not None:
            alone = considered & part.prunes
            pruned = int(np.count_nonzero(alone))
            kept = kept & ~alone
        unknown = 0 if part.unknown is None else np.count_nonzero(considered & part.unknown)
        conjuncts.append(ConjunctVerdict(pruned, int(unknown)))
    return Verdict(scan, considered, kept, tuple(conjuncts))


def mask(array: pa.BooleanArray) -> BoolArray:
    """An array without nulls as bytes; several times faster than Arrow's own conversion."""
    bits = np.frombuffer(array.buffers()[1], np.uint8)
    end = array.offset + len(array)
    return np.unpackbits(bits, count=end, bitorder="little")[array.offset :].view(np.bool_)
