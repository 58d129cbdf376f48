"""The passes over metadata: manifests, and data files.

Each takes a batch of containers and the scans that reach it, by shape, and returns what they keep,
block by block.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import numpy as np

from audit_jobs.pruning.algebra import Evaluation, evaluate
from audit_jobs.pruning.lifting import Lifted, project, project_strict
from audit_jobs.pruning.rules import PlannerRules, Rules
from audit_jobs.pruning.shapes import Place, Shape, Tree, places
from audit_jobs.pruning.tristate import NEVER, UNKNOWN, TriState, both, either
from audit_jobs.pruning.verdicts import Reach, Verdicts, blocks, verdicts
from collectors.partitioning import PartitionSpec
from collectors.statistics import BoolArray, FileBatch, ManifestBatch, Statistics


def prune_manifests(
    shapes: Iterable[Shape], batch: ManifestBatch, spec: PartitionSpec, reach: Reach
) -> Iterator[Verdicts]:
    """Pass 1. Every manifest is considered; those without live entries are never kept."""
    summaries = Evaluation(batch.statistics)
    for shape, of_planners in blocks(shapes, reach):
        lifts = Lifts(shape, spec, summaries)

        def judge(tree: Tree, rules: PlannerRules, lifts: Lifts = lifts) -> TriState:
            return lifts.possible(tree, rules, rules.summaries)

        for block in of_planners:
            yield verdicts(block, judge, batch.live)


def prune_files(
    shapes: Iterable[Shape], batch: FileBatch, spec: PartitionSpec, reach: Reach
) -> Iterator[Verdicts]:
    """Pass 2, by partition values and column metrics together, as Iceberg's ManifestReader
    applies them. `reach` says which manifests each scan kept."""
    by_partition, by_metrics = Evaluation(batch.partition), Evaluation(batch.metrics)
    for shape, of_planners in blocks(shapes, reach):
        lifts = Lifts(shape, spec, by_partition)
        metrics = Leaves(shape, by_metrics)
        combined = Memo(both)

        def judge(
            tree: Tree,
            rules: PlannerRules,
            lifts: Lifts = lifts,
            metrics: Leaves = metrics,
            combined: Memo = combined,
        ) -> TriState:
            partition = lifts.possible(tree, rules, rules.partitions)
            return combined(partition, metrics(tree, rules.metrics))

        for block in of_planners:
            yield verdicts(block, judge)


def match(shapes: Iterable[Shape], rows: Statistics) -> Iterator[Verdicts]:
    """Rows as containers of one value a column: which of them filters match, or could."""
    evaluation = Evaluation(rows)
    for whole in shapes:
        reach = Reach(_everyone(whole), np.zeros(rows.count, np.int64))
        for shape, of_planners in blocks([whole], reach):
            leaves = Leaves(shape, evaluation)
            for block in of_planners:
                yield verdicts(block, lambda tree, rules, own=leaves: own(tree, rules.metrics))  # type: ignore[misc]


def _everyone(shape: Shape) -> BoolArray:
    scans = max(int(planned.scans.max()) for planned in shape.planned)
    return np.ones((scans + 1, 1), np.bool_)


class Memo:
    """A combination of two tri-states, once for the same two."""

    def __init__(self, combine: Callable[[TriState, TriState], TriState]) -> None:
        self._combine = combine
        self._known: dict[tuple[TriState, TriState], TriState] = {}

    def __call__(self, first: TriState, second: TriState) -> TriState:
        """Both, combined."""
        if (first, second) not in self._known:
            self._known[first, second] = self._combine(first, second)
        return self._known[first, second]


class Trees:
    """The tri-states of the trees of a shape, once for the same states of their comparisons:
    planners that judge these alike share the rest."""

    def __init__(self, unsupported: TriState) -> None:
        self._unsupported = unsupported
        self._known: dict[tuple[object, ...], TriState] = {}

    def __call__(self, tree: Tree, place: Callable[[Place], TriState]) -> TriState:
        """See `algebra.evaluate`."""
        states = {found: place(found) for found in places(tree)}
        key = (tree, *states.values())
        if key not in self._known:
            self._known[key] = evaluate(tree, states.__getitem__, unsupported=self._unsupported)
        return self._known[key]


class Leaves:
    """Comparisons and trees of one block by what a batch's own statistics say."""

    def __init__(self, shape: Shape, evaluation: Evaluation) -> None:
        self._shape = shape
        self._evaluation = evaluation
        self._known: dict[tuple[int, Rules], TriState] = {}
        self._trees = Trees(both(evaluation.holds_rows, UNKNOWN))

    def __call__(self, tree: Tree, rules: Rules) -> TriState:
        """The tri-states of a tree."""
        return self._trees(tree, lambda place: self.comparison(place, rules))

    def comparison(self, place: Place, rules: Rules) -> TriState:
        """The tri-states of a comparison."""
        leaf = self._shape.leaves[place.number]
        key = (place.number, rules.about(leaf))
        if key not in self._known:
            self._known[key] = self._evaluation(leaf, rules)
        return self._known[key]


class Lifts:
    """Comparisons and trees of one block by partition values, or by summaries of them."""

    def __init__(self, shape: Shape, spec: PartitionSpec, evaluation: Evaluation) -> None:
        self._shape = shape
        self._spec = spec
        self._evaluation = evaluation
        self._lifted: dict[tuple[int, bool, bool], tuple[Lifted, ...]] = {}
        self._known: dict[tuple[object, ...], TriState] = {}
        self._trees = Trees(evaluation.holds_rows)
        self._strict_trees = Trees(NEVER)

    def possible(self, tree: Tree, rules: PlannerRules, partitions: Rules) -> TriState:
        """Whether any row of each partition can match."""
        return self._trees(tree, lambda place: self.comparison(place, rules, partitions))

    def comparison(
        self, place: Place, rules: PlannerRules, partitions: Rules, *, strict: bool = False
    ) -> TriState:
        """Whether any row of each partition can match a comparison, or, if `strict`, whether all
        of them do."""
        lifts = self._lift(place, rules.old_rounding, strict)
        key = (place.number, strict, lifts, *(partitions.about(lifted.leaf) for lifted in lifts))
        if key not in self._known:
            neutral, combine = (NEVER, either) if strict else (self._evaluation.holds_rows, both)
            state = neutral
            for lifted in lifts:
                found = self._evaluation(lifted.leaf, partitions)
                state = combine(state, _scattered(found, lifted, neutral, self._shape.count))
            self._known[key] = state
        return self._known[key]

    def _lift(self, place: Place, old_rounding: bool, strict: bool) -> tuple[Lifted, ...]:
        key = (place.number, old_rounding, strict)
        if key not in self._lifted:
            lift = project_strict if strict else project
            leaf = self._shape.leaves[place.number]
            self._lifted[key] = lift(leaf, self._spec, old_rounding=old_rounding)
        return self._lifted[key]


def _scattered(found: TriState, lifted: Lifted, neutral: TriState, count: int) -> TriState:
    """Tri-states of some of `count` comparisons as those of all of them."""
    if lifted.rows is None:
        return found
    size = max(found.possible.shape[1], neutral.possible.shape[1])
    masks = []
    for mask, rest in ((found.possible, neutral.possible), (found.shown, neutral.shown)):
        full = np.array(np.broadcast_to(rest, (count, size)))
        full[lifted.rows] = mask
        masks.append(full)
    return TriState(*masks)
