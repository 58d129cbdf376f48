"""Branch and bound: a condition is evaluated for regions of its columns' values; regions in which
it is never true are dropped, and others are split."""

from __future__ import annotations

import heapq
import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum, auto

from prunescope.collectors.sql.functions.spans import UNKNOWN, Span
from prunescope.collectors.sql.ranges.boxes import Apart, Axis, Box, Place, Values, single
from prunescope.collectors.sql.ranges.crossings import Guide
from prunescope.collectors.sql.ranges.regions import Region, Term, merged, with_edges

_FOR_NULLS = 150
"""Regions per column that are evaluated to separate values of NULL from values of TRUE."""
_HOPELESS = 200
"""Regions per column after which a search ends if no region was dropped."""
_MOST_CELLS = 256
"""Regions between the constants of a condition on several columns."""
_MOST_PIECES = 160
"""Regions of one column that are not dropped: more have no short answer, because adjacent regions
are one range."""
_MOST_OPEN = 32
"""Regions of several columns that are neither dropped nor kept: more have no short answer."""
MOST_TERMS = 16
"""The most terms of one condition: beyond that, each column's values are stated alone."""


class Truth(Enum):
    """The part of a region's values of which a condition is true."""

    ALL = auto()
    NONE = auto()
    SOME = auto()


@dataclass(frozen=True, slots=True)
class Solution:
    """Terms outside of which a condition is not true. `is_exact` if the condition is true of all
    values in the terms."""

    terms: tuple[Term, ...]
    is_exact: bool
    is_all: bool = False
    """True if nothing is ruled out."""


Test = Callable[[Sequence[Span]], Span | None]
"""The truths of a condition for values of its columns."""
_Found = Span | None


def solve(
    test: Test, axes: Sequence[Axis], domains: Sequence[Values], guide: Guide | None = None
) -> Solution:
    """The terms that a condition leaves of its columns' domains. Searches start with one column or
    another; the first exact solution wins, or else the smallest. Boxes of the only column are split
    where a `guide` says so, if there is one."""
    searches = []
    for first in sorted(range(len(axes)), key=lambda place: _width(axes[place], domains[place])):
        search = _Search(test, axes, first, guide=guide)
        search.run(_regions(domains))
        if search.is_exact:
            return search.solution()
        searches.append(search)
    return min(searches, key=_Search.volume).solution()


def solve_by_cells(test: Test, axes: Sequence[Axis], domains: Sequence[Values]) -> Solution | None:
    """The solution made of cells between constants; a cell is kept whole if it has no exact
    solution without splits in vain. None if there are too many cells, or none is dropped."""
    cells = [
        replace(domain, boxes=tuple(itertools.chain(*map(axis.cells, domain.boxes))))
        for axis, domain in zip(axes, domains, strict=True)
    ]
    if math.prod(len(each.boxes) for each in cells) > _MOST_CELLS:
        return None
    whole = _Search(test, axes)
    for region in _regions(cells):
        search = _Search(test, axes, splits_in_vain=False)
        search.run([region])
        whole.kept += search.kept if search.is_exact else [(region, False)]
        whole.dropped += search.dropped if search.is_exact else 0
    return whole.solution() if whole.dropped else None


def _regions(domains: Sequence[Values]) -> Iterator[Region]:
    starts: list[list[Box | Apart]] = [
        [*each.boxes, *(at for at in Apart if at in each.apart)] for each in domains
    ]
    return itertools.product(*starts)


def _width(axis: Axis, domain: Values) -> float:
    return sum(map(axis.width, domain.boxes))


@dataclass
class _Search:
    """A search: the `kept` regions, each with whether the condition is true of all its values;
    `edges`, regions outside the functions' domain; and a queue of regions to split. First come
    regions with values of which the condition is false, then those seldom split in vain, then the
    widest.

    Of several axes, the one whose halves are decided is split: the first by `order`, in which axes
    that decided earlier are more significant. If no axis decides, `first` is split, unless regions
    are not split in vain.
    """

    test: Test
    axes: Sequence[Axis]
    first: int = 0
    splits_in_vain: bool = True
    guide: Guide | None = None
    order: list[int] = field(default_factory=list)
    kept: list[tuple[Region, bool]] = field(default_factory=list)
    edges: list[Region] = field(default_factory=list)
    before_nulls: list[tuple[Region, bool]] = field(default_factory=list)
    """The regions that were not dropped before those that are true or null were split."""
    dropped: int = 0
    _dark: dict[Place, bool] = field(default_factory=dict)
    """The single values of the only axis that were looked at; True if undecided."""
    _known: list[dict[Box | Apart, Span]] = field(default_factory=list)
    """The spans of boxes, by axis."""
    _decided: int = 0
    _looked: int = 0
    _pushed: int = 0
    _queue: list[tuple[int, int, float, int, Region, _Found]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.order = [*range(len(self.axes))]
        self._known = [{} for _ in self.axes]

    def run(self, regions: Iterable[Region]) -> None:
        """Evaluates regions, and splits them as long as that may help."""
        for region in regions:
            found = self._ask(region)
            if Apart.LATE not in region or (found is not None and found != UNKNOWN):
                self._take(region, found, in_vain=0)
        budget = most = max(axis.most_looks for axis in self.axes)
        while self._queue and self._looked < most and not self._is_hopeless():
            if self._queue[0][0] and not self.before_nulls:
                self._take_nulls()
                most = min(budget, self._looked + _FOR_NULLS * len(self.axes))
            else:
                _, in_vain, _, _, region, found = heapq.heappop(self._queue)
                self._split(region, found, in_vain)
        self.kept += self._open()
        self.kept = with_edges(self.kept, self.edges)

    def _take_nulls(self) -> None:
        """Merges the open regions, which are true or null, and evaluates them again."""
        opened = self._open()
        self.before_nulls = [*self.kept, *opened]
        self._queue.clear()
        for term in merged(opened, self.order):
            for region in _regions(term):
                self._take(region, self._ask(region), in_vain=0)

    def _open(self) -> list[tuple[Region, bool]]:
        return [(region, False) for *_, region, _ in self._queue]

    @property
    def is_exact(self) -> bool:
        """True if the condition is true of all kept values, except times after all calendars."""
        return all(is_true for region, is_true in self.kept if Apart.LATE not in region)

    def solution(self) -> Solution:
        """The kept terms; if there are too many, those from before nulls were separated."""
        is_all = not self.dropped and not self.edges
        terms = merged(self.kept, self.order)
        if len(terms) > MOST_TERMS and self.before_nulls:
            fewer = merged(with_edges(self.before_nulls, self.edges), self.order)
            return Solution(fewer, is_exact=False, is_all=is_all)
        return Solution(terms, self.is_exact, is_all)

    def volume(self) -> float:
        """The number of values that are kept."""
        regions = (self._boxes(region) for region, _ in self.kept)
        return sum(
            math.prod(self.axes[place].width(box) for place, box in boxes) for boxes in regions
        )

    def _is_hopeless(self) -> bool:
        if self._looked > _HOPELESS * len(self.axes) and not self.dropped:
            return True
        if len(self.axes) == 1:
            return len(self.kept) + len(self._queue) > _MOST_PIECES
        if not self.splits_in_vain:
            return False
        return sum(not rank for rank, *_ in self._queue) > _MOST_OPEN

    def _ask(self, region: Region) -> _Found:
        self._looked += 1
        return self.test(self._spans(region))

    def _spans(self, region: Region) -> list[Span]:
        found = []
        for place, at in enumerate(region):
            known = self._known[place]
            if at not in known:
                axis = self.axes[place]
                known[at] = axis.span(at) if isinstance(at, Box) else axis.apart[at]
            found.append(known[at])
        return found

    def _boxes(self, region: Region) -> list[tuple[int, Box]]:
        """The boxes of a region with their axes, the most significant first."""
        pairs = ((place, region[place]) for place in self.order)
        return [(place, box) for place, box in pairs if isinstance(box, Box)]

    def _take(self, region: Region, found: _Found, in_vain: int) -> None:
        truth, boxes = truth_of(found), self._boxes(region)
        if truth is Truth.NONE:
            self.dropped += len(boxes) == len(region)
        elif truth is Truth.ALL or not boxes:
            self.kept.append((region, truth is Truth.ALL))
        else:
            width = sum(math.log2(self.axes[place].width(box)) for place, box in boxes)
            item = (_rank(found), in_vain, -width, self._pushed, region, found)
            heapq.heappush(self._queue, item)
            self._pushed += 1

    def _split(self, region: Region, found: _Found, in_vain: int) -> None:
        halves = None if self._is_dark(region, found) else self._halves(region, found)
        if halves is not None:
            is_vain = len(self.axes) > 1 and not any(
                _is_decided(of_half, found) for _, of_half in halves
            )
            if is_vain and not self.splits_in_vain:
                self.kept.append((region, False))
                self._queue.clear()
                return
            for half, of_half in halves:
                self._take(half, of_half, in_vain + is_vain)
        elif found in (None, UNKNOWN) and self._is_edge(region):
            self.edges.append(region)
        else:
            self.kept.append((region, False))

    def _is_edge(self, region: Region) -> bool:
        return any(self.axes[place].is_edge(box) for place, box in self._boxes(region))

    def _halves(self, region: Region, whole: _Found) -> Sequence[tuple[Region, _Found]] | None:
        """The halves of a region and their truths, along the first axis along which a half is
        decided, or else along a coarse or the narrowest box. None for a region that is not split.
        """
        in_vain = []
        for place, box in self._boxes(region):
            axis = self.axes[place]
            at = self._at(axis, box)
            if at is None:
                continue
            parts = [
                (*region[:place], half, *region[place + 1 :])
                for half in (Box(box.start, at), Box(at, box.end))
            ]
            halves = [(part, self._ask(part)) for part in parts]
            if any(_is_decided(found, whole) for _, found in halves):
                self._note(place)
                return halves
            in_vain.append(
                (not axis.is_coarse(box), place != self.first, axis.width(box), place, halves)
            )
        return min(in_vain)[-1] if in_vain else None

    def _at(self, axis: Axis, box: Box) -> Place | None:
        """The place where the second half of a box starts; None if the box is not split."""
        if self.guide is None or box.is_single:
            return axis.split(box)
        named = axis.named(box)
        found = self.guide.crossing(box) if named is None else named
        return axis.split(box) if found is None else found

    def _note(self, place: int) -> None:
        """Moves an axis before others that have not decided anything yet."""
        rank = self.order.index(place)
        if rank >= self._decided:
            self.order.insert(self._decided, self.order.pop(rank))
            self._decided += 1

    def _is_dark(self, region: Region, found: _Found) -> bool:
        """True if sampled single values of a region are undecided, too, so that no split helps."""
        boxes = self._boxes(region)
        if found is not None and found.low is found.high:
            return False
        if len(self.axes) == 1:
            ((_, box),) = boxes
            return not self.axes[0].is_coarse(box) and all(
                self._is_dark_at(at) for at in _samples(self.axes[0], box)
            )
        samples = [[*region] for _ in range(3)]
        for place, box in boxes:
            for sample, at in zip(samples, _samples(self.axes[place], box), strict=True):
                sample[place] = single(at)
        return all(
            truth_of(self.test(self._spans(tuple(sample)))) is Truth.SOME for sample in samples
        )

    def _is_dark_at(self, place: Place) -> bool:
        """True if a single value of the only axis is undecided."""
        if place not in self._dark:
            found = self.test([self.axes[0].span(single(place))])
            self._dark[place] = truth_of(found) is Truth.SOME
        return self._dark[place]


def _samples(axis: Axis, box: Box) -> tuple[Place, Place, Place]:
    """The first, a middle and the last place of a box, or its first one instead of the others."""
    middle = axis.split(box)
    last = box.end - 1 if isinstance(box.end, int) else box.start
    return box.start, box.start if middle is None else middle, last


def truth_of(found: _Found) -> Truth:
    """The part of values of which a condition is true, from its truths for all of them."""
    found = found or UNKNOWN
    if found.is_empty or found.high is False:
        return Truth.NONE
    return Truth.ALL if found.low is True and not found.null else Truth.SOME


def _is_decided(found: _Found, whole: _Found) -> bool:
    """True if the truths of a half are narrower than those of its whole region."""
    return truth_of(found) is not Truth.SOME or _rank(found) > _rank(whole)


def _rank(found: _Found) -> int:
    """1 for a region that is true or null, which is split after all others; else 0."""
    return int(found is not None and not found.is_empty and found.low is True)
