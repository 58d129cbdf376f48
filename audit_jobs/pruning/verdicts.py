"""Verdicts of a pass, for cohorts of scans of any shapes: the containers that they consider and
keep, and that each conjunct alone rules out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from prunescope.audit_jobs.pruning.forms import Conjuncts, Form, conjuncts_of
from prunescope.audit_jobs.pruning.packed import Packed, pack, unpack
from prunescope.audit_jobs.pruning.rules import PlannerRules
from prunescope.audit_jobs.pruning.shapes import Shape
from prunescope.audit_jobs.pruning.tristate import TriState
from prunescope.collectors.arrays import BoolArray, IntArray

JUDGED = 1 << 27
"""Comparisons × containers whose verdicts are there at once, as bits: enough that each comparison
is judged once for most scans that have it, and that what calls cost is little."""
CELLS = 1 << 24
"""Masks × containers, of scans and of their comparisons, that are put together at once: as bits
they stay in a processor's cache."""


@dataclass(frozen=True, eq=False)
class Reach:
    """The parents (M manifests, files or row groups) that each of S scans keeps, as a mask of the
    shape (S, M), and the parent of each of N containers, in ascending order."""

    parents: BoolArray
    of: IntArray

    def __post_init__(self) -> None:
        assert len(self.of) < 2 or bool((self.of[1:] >= self.of[:-1]).all())

    @property
    def count(self) -> int:
        """N."""
        return len(self.of)

    @cached_property
    def _children(self) -> IntArray:
        """The number of containers of each parent."""
        return np.bincount(self.of, minlength=self.parents.shape[1])

    @cached_property
    def _everything(self) -> Packed:
        return pack(np.ones((1, self.count), np.bool_), self.count)

    def containers(self, scans: IntArray) -> Packed:
        """The containers that each of some scans considers, as masks of the shape (B, N)."""
        parents = self.parents[scans]
        found = np.repeat(self._everything, len(scans), axis=0)
        some = ~parents.all(axis=1)
        if some.any():
            found[some] = pack(np.repeat(parents[some], self._children, axis=1), self.count)
        return found


@dataclass(frozen=True, eq=False)
class Cohort:
    """B scans of one planner that reach any of N containers: their positions, and the containers
    that they consider, as a mask of the shape (B, N).

    Their K conjuncts are in order of scans: those of scan b begin at `first[b]`. `own` maps the
    number of a form among `forms` to the conjuncts of that form, and the row of each there.
    """

    forms: Sequence[Form]
    rules: PlannerRules
    scans: IntArray
    first: IntArray
    own: Mapping[int, tuple[IntArray, IntArray]]
    considered: Packed
    count: int

    def of_conjuncts(self, of_forms: Mapping[int, Packed]) -> Packed:
        """Masks of the K conjuncts, from the masks of the rows of their forms."""
        width = max((mask.shape[1] for mask in of_forms.values()), default=1)
        found = np.empty((int(self.first[-1]), width), np.uint64)
        for number, mask in of_forms.items():
            places, rows = self.own[number]
            found[places] = mask[rows] if len(mask) > 1 else mask
        return found

    def within(self, masks: Packed, of_conjuncts: Packed) -> Packed:
        """The intersection of each of B masks with the masks of all conjuncts of its scan."""
        found = masks.copy()
        for scans, places in self._by_number:
            found[scans] &= of_conjuncts[places]
        return found

    def any_of(self, of_conjuncts: Packed) -> Packed:
        """The union of the masks of a scan's conjuncts, for each of B scans."""
        found = np.zeros((len(self.scans), of_conjuncts.shape[1]), np.uint64)
        for scans, places in self._by_number:
            found[scans] |= of_conjuncts[places]
        return found

    @cached_property
    def owner(self) -> IntArray:
        """The scan, among the B, of each of the K conjuncts."""
        return np.repeat(np.arange(len(self.scans)), np.diff(self.first))

    @cached_property
    def _by_number(self) -> list[tuple[IntArray | slice, IntArray]]:
        """The scans that have a first conjunct, and its place; a second one; and so on."""
        sizes = np.diff(self.first)
        found: list[tuple[IntArray | slice, IntArray]] = []
        for number in range(int(sizes.max(initial=0))):
            scans = np.flatnonzero(sizes > number)
            places = self.first[scans] + number
            found.append((slice(None) if len(scans) == len(sizes) else scans, places))
        return found


@dataclass(frozen=True, slots=True, eq=False)
class Portion:
    """Some scans of all planners, that reach any container of a batch, and the forms of their
    conjuncts, cut to the rows that they need."""

    forms: tuple[Form, ...]
    cohorts: tuple[Cohort, ...]


def portions(shapes: Iterable[Shape], reach: Reach) -> Iterator[Portion]:
    """The scans that reach any of N containers, with their comparisons at most JUDGED / N together,
    in cohorts of at most CELLS / N; but at least one."""
    found = conjuncts_of(tuple(shapes))
    scans = np.flatnonzero(np.asarray(reach.parents.any(axis=1))[found.scans])
    for part in _parts(found.comparisons[scans], JUDGED, reach):
        yield _portion(found, scans[part], reach)


def _parts(comparisons: IntArray, cells: int, reach: Reach) -> Iterator[slice]:
    """Slices of scans, given the comparisons of each, that have at most `cells` masks together for
    the containers of `reach`; at least one scan each."""
    ends = np.cumsum(comparisons + 2)  # what a scan considers and keeps as well
    most = max(1, cells // max(1, reach.count))
    start = 0
    while start < len(ends):
        before = ends[start - 1] if start else 0
        stop = max(start + 1, int(np.searchsorted(ends, before + most, "right")))
        yield slice(start, stop)
        start = stop


def _portion(found: Conjuncts, scans: IntArray, reach: Reach) -> Portion:
    sizes = np.diff(found.first)[scans]
    places = _ranges(found.first[scans], sizes)
    numbers, form, row, used = _cut(found.form[places], found.row[places])
    forms = tuple(
        found.forms[number].take(rows) for number, rows in zip(numbers.tolist(), used, strict=True)
    )
    planner = found.planner[scans]
    first = np.concatenate(([0], np.cumsum(sizes)))
    cohorts = []
    for number in np.unique(planner).tolist():
        of_planner = np.flatnonzero(planner == number)
        for part in _parts(found.comparisons[scans[of_planner]], CELLS, reach):
            own = of_planner[part]
            theirs = _ranges(first[own], sizes[own])
            positions = found.scans[scans[own]]
            cohorts.append(
                Cohort(
                    forms,
                    found.planners[number],
                    positions,
                    np.concatenate(([0], np.cumsum(sizes[own]))),
                    _by_form(form[theirs], row[theirs]),
                    reach.containers(positions),
                    reach.count,
                )
            )
    return Portion(forms, tuple(cohorts))


def _ranges(starts: IntArray, sizes: IntArray) -> IntArray:
    """Ranges of numbers, given the start and size of each, one after the other."""
    ends = np.cumsum(sizes)
    return np.arange(ends[-1] if len(ends) else 0) + np.repeat(starts - ends + sizes, sizes)


def _cut(form: IntArray, row: IntArray) -> tuple[IntArray, IntArray, IntArray, list[IntArray]]:
    """The numbers of the forms that occur; of each conjunct the place of its form among these, and
    that of its row among the form's rows that occur; and these rows, by form."""
    numbers, place = np.unique(form, return_inverse=True)
    order = np.lexsort((row, place))
    in_order = place[order]
    is_new = np.ones(len(order), np.bool_)
    is_new[1:] = (np.diff(in_order) != 0) | (np.diff(row[order]) != 0)
    rank = np.cumsum(is_new) - 1
    firsts = np.searchsorted(in_order[is_new], np.arange(len(numbers)))
    cut = np.empty_like(rank)
    cut[order] = rank - firsts[in_order]
    return numbers, place, cut, _split(row[order][is_new], firsts)


def _by_form(form: IntArray, row: IntArray) -> dict[int, tuple[IntArray, IntArray]]:
    order = np.argsort(form, kind="stable")
    numbers, starts = np.unique(form[order], return_index=True)
    parts = _split(order, starts)
    return {n: (part, row[part]) for n, part in zip(numbers.tolist(), parts, strict=True)}


def _split(numbers: IntArray, starts: IntArray) -> list[IntArray]:
    """The parts that start at `starts`, the first one at 0; none if there is no start."""
    return np.split(numbers, starts[1:]) if len(starts) else []


@dataclass(frozen=True, slots=True, eq=False)
class Verdicts:
    """Verdicts on a cohort: the containers that its B scans keep, as a mask of the shape (B, N),
    and the tri-states of their K conjuncts."""

    cohort: Cohort
    kept_bits: Packed
    conjuncts: TriState

    @property
    def rules(self) -> PlannerRules:
        """The rules by which the scans are planned."""
        return self.cohort.rules

    @property
    def scans(self) -> IntArray:
        """The positions of the scans."""
        return self.cohort.scans

    @property
    def considered_bits(self) -> Packed:
        """The containers that the scans consider."""
        return self.cohort.considered

    @property
    def considered(self) -> BoolArray:
        """The containers that the scans consider, a byte for each."""
        return unpack(self.considered_bits, self.cohort.count)

    @property
    def kept(self) -> BoolArray:
        """The containers that the scans keep, a byte for each."""
        return unpack(self.kept_bits, self.cohort.count)

    def places(self, first: IntArray) -> IntArray:
        """The places of the K conjuncts among those of all scans; `first` has the place of each
        scan's first one."""
        return _ranges(first[self.scans], np.diff(self.cohort.first))


Judge = Callable[[int, PlannerRules], TriState]
"""The tri-states of the rows of a portion's form, by its number, and by a planner's rules."""


def verdicts(cohort: Cohort, judge: Judge, eligible: Packed | None = None) -> Verdicts:
    """The verdicts on the scans of a cohort; `eligible` (one mask) are the containers that may be
    kept at all, None for all."""
    states = {number: judge(number, cohort.rules) for number in cohort.own}
    possible = cohort.of_conjuncts({number: state.possible for number, state in states.items()})
    shown = possible
    if not all(state.is_known for state in states.values()):
        shown = cohort.of_conjuncts({number: state.shown for number, state in states.items()})
    kept = cohort.considered if eligible is None else cohort.considered & eligible
    return Verdicts(cohort, cohort.within(kept, possible), TriState(possible, shown))
