"""The passes over metadata: manifests, and data files.

Each takes a batch of containers and the scans that reach it, and returns what they keep, cohort by
cohort. Conjuncts of one form are judged together, whatever the shapes of the scans.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np

from prunescope.audit_jobs.pruning.algebra import Evaluation, evaluate
from prunescope.audit_jobs.pruning.forms import Form
from prunescope.audit_jobs.pruning.lifting import Lifted, Lifting, project, project_strict
from prunescope.audit_jobs.pruning.packed import Packed, pack
from prunescope.audit_jobs.pruning.rules import PlannerRules, Rules
from prunescope.audit_jobs.pruning.shapes import Place, Shape, Tree, places
from prunescope.audit_jobs.pruning.tristate import NEVER, UNKNOWN, TriState, all_of, both, either
from prunescope.audit_jobs.pruning.verdicts import Reach, Verdicts, portions, verdicts
from prunescope.collectors.partitioning import PartitionSpec
from prunescope.collectors.predicates.model import Field
from prunescope.collectors.statistics import FileBatch, ManifestBatch, Statistics


def prune_manifests(
    shapes: Iterable[Shape], batch: ManifestBatch, spec: PartitionSpec, reach: Reach
) -> Iterator[Verdicts]:
    """Prunes manifests (pass 1). Considers all of them; those without live entries are never
    kept."""
    summaries = Evaluation(batch.statistics)
    live = pack(batch.live[None, :], summaries.count)
    for portion in portions(shapes, reach):
        lifts = [Lifts(form, spec, summaries) for form in portion.forms]

        def judge(form: int, rules: PlannerRules, lifts: list[Lifts] = lifts) -> TriState:
            return lifts[form].possible(rules, rules.summaries)

        for cohort in portion.cohorts:
            yield verdicts(cohort, judge, live)


def prune_files(
    shapes: Iterable[Shape], batch: FileBatch, spec: PartitionSpec, reach: Reach
) -> Iterator[Verdicts]:
    """Prunes data files (pass 2) by partition values and column metrics together, as Iceberg's
    ManifestReader applies them. `reach` holds the manifests that each scan kept."""
    by_partition, by_metrics = Evaluation(batch.partition), Evaluation(batch.metrics)
    for portion in portions(shapes, reach):
        lifts = [Lifts(form, spec, by_partition) for form in portion.forms]
        metrics = [Leaves(form, by_metrics) for form in portion.forms]
        combined = Memo(both)

        def judge(
            form: int,
            rules: PlannerRules,
            lifts: list[Lifts] = lifts,
            metrics: list[Leaves] = metrics,
            combined: Memo = combined,
        ) -> TriState:
            partition = lifts[form].possible(rules, rules.partitions)
            return combined(partition, metrics[form](rules.metrics))

        for cohort in portion.cohorts:
            yield verdicts(cohort, judge)


def match(shapes: Sequence[Shape], rows: Statistics) -> Iterator[Verdicts]:
    """Verdicts on rows as containers of one value a column: the rows that filters match, or
    could."""
    evaluation = Evaluation(rows)
    scans = max((int(part.scans.max()) for shape in shapes for part in shape.planned), default=-1)
    everyone = Reach(np.ones((scans + 1, 1), np.bool_), np.zeros(rows.count, np.int64))
    for portion in portions(shapes, everyone):
        leaves = [Leaves(form, evaluation) for form in portion.forms]
        for cohort in portion.cohorts:
            yield verdicts(cohort, lambda form, rules, own=leaves: own[form](rules.metrics))  # type: ignore[misc]


class Memo:
    """A combination of two tri-states, computed once for the same two."""

    def __init__(self, combine: Callable[[TriState, TriState], TriState]) -> None:
        self._combine = combine
        self._known: dict[tuple[TriState, TriState], TriState] = {}

    def __call__(self, first: TriState, second: TriState) -> TriState:
        """The combination of both."""
        if (first, second) not in self._known:
            self._known[first, second] = self._combine(first, second)
        return self._known[first, second]


class Trees:
    """The tri-states of the tree of a form, computed once for the same states of its comparisons:
    planners that judge these alike share the rest."""

    def __init__(self, unsupported: TriState) -> None:
        self._unsupported = unsupported
        self._known: dict[tuple[object, ...], TriState] = {}

    def __call__(self, tree: Tree, place: Callable[[Place], TriState]) -> TriState:
        """The tri-states of the tree (see `algebra.evaluate`), given those of its comparisons."""
        states = {found: place(found) for found in places(tree)}
        key = (tree, *states.values())
        if key not in self._known:
            self._known[key] = evaluate(tree, states.__getitem__, unsupported=self._unsupported)
        return self._known[key]


def judged(form: Form, rules: Rules, trees: Trees, place: Callable[[Place], TriState]) -> TriState:
    """The tri-states of the tree of a form, given those of its comparisons: all together, or of
    those with each column alone, by which all of them rule out."""
    columns = {leaf.field for leaf in form.leaves}
    if not rules.columns_apart or len(columns) < 2:
        return trees(form.tree, place)

    def alone(column: Field) -> TriState:
        def of_column(at: Place) -> TriState:
            return place(at) if form.leaves[at.number].field == column else UNKNOWN

        return trees(form.tree, of_column)

    return all_of([alone(column) for column in columns])


class Leaves:
    """Tri-states of the comparisons and the tree of one form, from a batch's own statistics."""

    def __init__(self, form: Form, evaluation: Evaluation) -> None:
        self._form = form
        self._evaluation = evaluation
        self._known: dict[tuple[int, Rules], TriState] = {}
        self._trees = Trees(both(evaluation.holds_rows, UNKNOWN))

    def __call__(self, rules: Rules) -> TriState:
        """The tri-states of the tree."""
        return judged(self._form, rules, self._trees, lambda place: self.comparison(place, rules))

    def comparison(self, place: Place, rules: Rules) -> TriState:
        """The tri-states of a comparison."""
        leaf = self._form.leaves[place.number]
        key = (place.number, rules.about(leaf))
        if key not in self._known:
            self._known[key] = self._evaluation(leaf, rules)
        return self._known[key]


class Lifts:
    """Tri-states of the comparisons and the tree of one form, from partition values or summaries of
    them."""

    def __init__(self, form: Form, spec: PartitionSpec, evaluation: Evaluation) -> None:
        self._form = form
        self._spec = spec
        self._evaluation = evaluation
        self._lifted: dict[tuple[int, Lifting, bool], tuple[Lifted, ...]] = {}
        self._known: dict[tuple[object, ...], TriState] = {}
        self._trees = Trees(evaluation.holds_rows)

    def possible(self, rules: PlannerRules, partitions: Rules) -> TriState:
        """The partitions in which any row can match the form."""
        tree = self._form.tree
        return self._trees(tree, lambda place: self.comparison(place, rules, partitions))

    def comparison(
        self, place: Place, rules: PlannerRules, partitions: Rules, *, strict: bool = False
    ) -> TriState:
        """The partitions in which any row can match a comparison, or, if `strict`, in which all
        rows do."""
        lifts = self._lift(place, rules.lifting, strict)
        key = (place.number, strict, lifts, *(partitions.about(lifted.leaf) for lifted in lifts))
        if key not in self._known:
            neutral, combine = (NEVER, either) if strict else (self._evaluation.holds_rows, both)
            state = neutral
            for lifted in lifts:
                found = self._evaluation(lifted.leaf, partitions)
                state = combine(state, _scattered(found, lifted, neutral, self._form.count))
            self._known[key] = state
        return self._known[key]

    def _lift(self, place: Place, lifting: Lifting, strict: bool) -> tuple[Lifted, ...]:
        key = (place.number, lifting, strict)
        if key not in self._lifted:
            lift = project_strict if strict else project
            leaf = self._form.leaves[place.number]
            self._lifted[key] = lift(leaf, self._spec, lifting)
        return self._lifted[key]


def _scattered(found: TriState, lifted: Lifted, neutral: TriState, count: int) -> TriState:
    """Tri-states of all `count` comparisons, from those of the lifted ones; `neutral` for the
    others."""
    if lifted.rows is None:
        return found
    rows = lifted.rows
    width = max(found.possible.shape[1], found.shown.shape[1], neutral.possible.shape[1])

    def whole(mask: Packed, rest: Packed) -> Packed:
        full = np.array(np.broadcast_to(rest, (count, width)))
        full[rows] = mask
        return full

    return TriState(whole(found.possible, neutral.possible), whole(found.shown, neutral.shown))
