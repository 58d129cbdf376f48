"""The pass over row groups: by Parquet statistics, dictionaries and bloom filters, in this order.

Every level judges the residual of each file: comparisons that the file's partition value already
proves are true for its row groups, and those that it disproves are false.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np

from prunescope.audit_jobs.pruning.algebra import Evaluation, packed_states
from prunescope.audit_jobs.pruning.dictionaries import NOT_IN_DICTIONARIES, Dictionaries
from prunescope.audit_jobs.pruning.forms import Form
from prunescope.audit_jobs.pruning.literals import Leaf
from prunescope.audit_jobs.pruning.packed import Packed, pack, unpack, words
from prunescope.audit_jobs.pruning.passes import Leaves, Lifts, Memo, Trees, judged
from prunescope.audit_jobs.pruning.rules import PlannerRules
from prunescope.audit_jobs.pruning.shapes import AllOf, AnyOf, Place, Shape, Tree, places
from prunescope.audit_jobs.pruning.tally import FILTER_LEVELS
from prunescope.audit_jobs.pruning.tristate import (
    NEVER,
    UNKNOWN,
    Masks,
    TriState,
    both,
    either,
    masks,
)
from prunescope.audit_jobs.pruning.verdicts import Cohort, Reach, Verdicts, portions, verdicts
from prunescope.collectors.arrays import IntArray
from prunescope.collectors.partitioning import PartitionSpec
from prunescope.collectors.predicates.model import Always
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.statistics import ColumnKey, FileBatch, RowGroupBatch, Wanted

STATISTICS, DICTIONARY, BLOOM = FILTER_LEVELS


@dataclass(frozen=True, slots=True, eq=False)
class RowGroupVerdicts:
    """Verdicts on one batch of row groups: the row groups that all levels keep, and that each level
    keeps in turn, by its name in FILTER_LEVELS, as masks of the shape (B, N)."""

    verdicts: Verdicts
    kept_after: Mapping[str, Packed]


class Residuals:
    """The residuals of a form's comparisons in each of N containers of some files, given the
    partition value of each container's file. `file` is the file of each container, None if they are
    the files themselves."""

    def __init__(
        self, form: Form, spec: PartitionSpec, partition: Evaluation, file: IntArray | None
    ) -> None:
        self._lifts = Lifts(form, spec, partition)
        self._files = partition.count
        self._file = file
        self._known: dict[tuple[TriState, bool], TriState] = {}
        self._either, self._both = Memo(either), Memo(both)

    def __call__(self, place: Place, rules: PlannerRules, says: TriState) -> TriState:
        """The residual of a comparison, judged by the tri-states `says` of the containers' own
        evidence."""
        possible = self._lifts.comparison(place, rules, rules.partitions)
        left = self._both(self._of_containers(possible), says)
        return self._either(self.proven(place, rules), left)

    def proven(self, place: Place, rules: PlannerRules) -> TriState:
        """True if all rows of a container's file match, by its partition value; shown if that is
        unknown, because then nothing may be ruled out."""
        strict = self._lifts.comparison(place, rules, rules.partitions, strict=True)
        return self._of_containers(strict, unknown_holds=True)

    def _of_containers(self, state: TriState, *, unknown_holds: bool = False) -> TriState:
        key = (state, unknown_holds)
        if key not in self._known:
            possible = self._of_files(state.possible)
            shown = possible
            if not state.is_known and not unknown_holds:
                shown = self._of_files(state.shown)
            self._known[key] = TriState(possible, shown)
        return self._known[key]

    def _of_files(self, mask: Packed) -> Packed:
        if self._file is None or mask.shape[1] != words(self._files):
            return mask
        return pack(unpack(mask, self._files)[:, self._file], len(self._file))


class _Levels:
    """Tri-states of the comparisons of a batch of row groups, by level."""

    def __init__(self, batch: RowGroupBatch, spec: PartitionSpec) -> None:
        self._batch = batch
        self._spec = spec
        self._partition = Evaluation(batch.partition)
        self._metrics = Evaluation(batch.metrics)
        self._dictionaries = {key: Dictionaries(s) for key, s in batch.dictionaries.items()}

    def of_form(self, form: Form) -> _OfForm:
        residuals = Residuals(form, self._spec, self._partition, self._batch.file)
        return _OfForm(self, form, residuals, Leaves(form, self._metrics))

    @property
    def holds_rows(self) -> TriState:
        return self._metrics.holds_rows

    def used(self, rules: PlannerRules) -> list[str]:
        """The levels with evidence in the batch that a planner uses."""
        used = [STATISTICS]
        if rules.dictionaries and self._dictionaries:
            used.append(DICTIONARY)
        if rules.bloom_filters and self._batch.bloom_filters:
            used.append(BLOOM)
        return used

    def inside(self, level: str, leaf: Leaf, rules: PlannerRules) -> TriState:
        """The tri-states of a leaf by dictionaries or bloom filters."""
        key = (leaf.field.field_id, leaf.field.type)
        if leaf.field.transform is not None:
            return UNKNOWN
        if level == DICTIONARY and rules.dictionaries and key in self._dictionaries:
            if not rules.row_groups.judges(leaf.field):
                return UNKNOWN
            by_values, exact = self._dictionaries[key], rules.row_groups
            return packed_states(leaf, self._metrics.count, lambda some: by_values(some, exact))
        asked = leaf.op is Op.IN and rules.bloom_filters
        if level == BLOOM and asked and key in self._batch.bloom_filters:
            ask = self._batch.bloom_filters[key]

            def say(some: Leaf) -> Masks:
                literals = some.literals
                possible, known = ask(literals.values, literals.owner, literals.count)
                return masks(possible, known[None, :])

            return packed_states(leaf, self._metrics.count, say)
        return UNKNOWN


class _OfForm:
    """Tri-states of one form, by level."""

    def __init__(self, levels: _Levels, form: Form, residuals: Residuals, metrics: Leaves) -> None:
        self._levels = levels
        self._form = form
        self._residuals = residuals
        self._metrics = metrics
        self._inside: dict[tuple[object, ...], TriState] = {}
        self._both = Memo(both)
        self._trees = Trees(both(levels.holds_rows, UNKNOWN))

    def proven(self, place: Place, rules: PlannerRules) -> TriState:
        """The containers for which a comparison is proven (see `Residuals.proven`)."""
        return self._residuals.proven(place, rules)

    def judge(self, level: str, rules: PlannerRules) -> TriState:
        """The residuals of the conjuncts by one level, or also by those before it, if a reader
        combines them."""
        asked = (
            FILTER_LEVELS[: FILTER_LEVELS.index(level) + 1] if rules.levels_together else (level,)
        )

        def residual(place: Place) -> TriState:
            says = [self._says(name, place, rules) for name in asked]
            return self._residuals(place, rules, reduce(self._both, says))

        return judged(self._form, rules.row_groups, self._trees, residual)

    def _says(self, level: str, place: Place, rules: PlannerRules) -> TriState:
        if level == STATISTICS:
            return self._metrics.comparison(place, rules.row_groups)
        used = rules.dictionaries if level == DICTIONARY else rules.bloom_filters
        about = rules.row_groups.about(self._form.leaves[place.number])
        told = (about.negations_match_nulls, about.zeros_apart, about.unjudged)
        key = (level, place.number, used, *told)
        if key not in self._inside:
            leaf = self._form.leaves[place.number]
            self._inside[key] = self._levels.inside(level, leaf, rules)
        return self._inside[key]


def prune_row_groups(
    shapes: Iterable[Shape], batch: RowGroupBatch, spec: PartitionSpec, reach: Reach
) -> Iterator[RowGroupVerdicts]:
    """Prunes row groups (pass 3). `reach` holds the files that each scan kept."""
    levels = _Levels(batch, spec)
    for portion in portions(shapes, reach):
        of_forms = [levels.of_form(form) for form in portion.forms]
        for cohort in portion.cohorts:
            yield _by_level(cohort, of_forms, levels.used(cohort.rules))


def _by_level(cohort: Cohort, of_forms: Sequence[_OfForm], used: list[str]) -> RowGroupVerdicts:
    said: dict[int, list[TriState]] = {number: [] for number in cohort.own}
    kept_after = {}
    kept = cohort.considered
    for level in FILTER_LEVELS:
        if level in used:
            for number, states in said.items():
                states.append(of_forms[number].judge(level, cohort.rules))
            possible = {number: states[-1].possible for number, states in said.items()}
            kept = cohort.within(kept, cohort.of_conjuncts(possible))
        kept_after[level] = kept
    combined = {number: reduce(_any_level, states) for number, states in said.items()}
    return RowGroupVerdicts(verdicts(cohort, lambda number, _: combined[number]), kept_after)


def _any_level(first: TriState, second: TriState) -> TriState:
    """Combines two levels: ruled out by either; unknown if both are unknown."""
    possible = first.possible & second.possible
    return TriState(possible, possible & (first.shown | second.shown))


def wanted_evidence(
    shapes: Iterable[Shape], batch: RowGroupBatch, spec: PartitionSpec, reach: Reach
) -> dict[ColumnKey, Wanted]:
    """The evidence to read, by column, before the row groups that statistics keep can be judged
    further: all that some scan needs of them."""
    levels = _Levels(batch, spec)
    found: dict[ColumnKey, Wanted] = {}
    for portion in portions(shapes, reach):
        of_forms = [levels.of_form(form) for form in portion.forms]
        for cohort in portion.cohorts:
            _want(cohort, of_forms, batch.bare, found)
    return found


def _want(
    cohort: Cohort,
    of_forms: Sequence[_OfForm],
    bare: frozenset[ColumnKey],
    found: dict[ColumnKey, Wanted],
) -> None:
    rules = cohort.rules
    wanting = [
        (number, place)
        for number in cohort.own
        if may_prune_row_groups(cohort.forms[number].tree, rules)
        for place in places(cohort.forms[number].tree)
        if place.field.transform is None and (rules.dictionaries or rules.bloom_filters)
        if (place.field.field_id, place.field.type) not in bare
    ]
    if not wanting:
        return
    by_statistics = {
        number: of_forms[number].judge(STATISTICS, rules).possible for number in cohort.own
    }
    kept = cohort.within(cohort.considered, cohort.of_conjuncts(by_statistics))
    for number, place in wanting:
        conjuncts, rows = cohort.own[number]
        proven = of_forms[number].proven(place, rules).possible
        unproven = kept[cohort.owner[conjuncts]] & ~(proven[rows] if len(proven) > 1 else proven)
        open_ = unpack(np.bitwise_or.reduce(unproven, axis=0)[None, :], cohort.count)[0]
        key = (place.field.field_id, place.field.type)
        if key not in found:
            found[key] = Wanted(np.zeros_like(open_), np.zeros_like(open_))
        if rules.dictionaries and place.op not in NOT_IN_DICTIONARIES:
            found[key].dictionary[open_] = True
        if rules.bloom_filters and place.op is Op.IN:
            found[key].bloom_filter[open_] = True


class FooterNeeds:
    """The files whose row groups scans could rule out: some conjunct that pass 3 can judge is not
    proven already by the file's partition value."""

    def __init__(self, batch: FileBatch, spec: PartitionSpec) -> None:
        self._spec = spec
        self._parquet = pack(batch.parquet[None, :], len(batch.parquet))
        self._partition = Evaluation(batch.partition)
        self._forms: Sequence[Form] = ()
        self._known: dict[int, tuple[Residuals, Trees]] = {}

    def __call__(self, found: Verdicts) -> Packed:
        """The files that each scan of a cohort needs the footer of, as masks of the shape (B,
        N)."""
        cohort, rules = found.cohort, found.rules
        if not self._parquet.any():
            return np.repeat(self._parquet, len(cohort.scans), axis=0)
        if self._forms is not cohort.forms:
            self._forms, self._known = cohort.forms, {}
        needed = {number: self._of_form(number, rules) for number in cohort.own}
        return cohort.any_of(cohort.of_conjuncts(needed)) & self._parquet

    def _of_form(self, number: int, rules: PlannerRules) -> Packed:
        form = self._forms[number]
        if not may_prune_row_groups(form.tree, rules):
            return NEVER.possible
        if number not in self._known:
            residuals = Residuals(form, self._spec, self._partition, None)
            trees = Trees(both(self._partition.holds_rows, UNKNOWN))
            self._known[number] = residuals, trees
        residuals, trees = self._known[number]
        return ~trees(form.tree, lambda place: residuals.proven(place, rules)).possible


def may_prune_row_groups(tree: Tree, rules: PlannerRules) -> bool:
    """True if any statistics of row groups in a Parquet file can ever rule out a conjunct, by these
    rules."""
    match tree:
        case AllOf(children):
            return any(may_prune_row_groups(child, rules) for child in children)
        case AnyOf(children):
            return all(may_prune_row_groups(child, rules) for child in children)
        case Place(_, op, field):
            if field.transform is not None:
                return False
            judged = rules.row_groups.single_value_not_equal or rules.dictionaries
            return judged or op not in (Op.NOT_IN, Op.NOT_NAN)
        case Always(value):
            return not value
        case _:
            return False
