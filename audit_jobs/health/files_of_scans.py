"""Files of a table that its scans ask for: for some scans, the number of files that they keep, and
a random sample of these. Most scans of a large table want its newest files, which a few files drawn
from all hardly include."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from prunescope.audit_jobs.health.sketch import (
    MAX_KEPT,
    MAX_VOTERS,
    KeptFiles,
    SampledFile,
    Sketch,
    smallest,
)
from prunescope.audit_jobs.tuning import NARROW
from prunescope.collectors.arrays import BoolArray, IntArray


@dataclass(frozen=True, slots=True)
class Stratum:
    """A random sample of `population` files, which no other stratum has."""

    files: tuple[SampledFile, ...]
    population: int


@dataclass(frozen=True, slots=True, eq=False)
class Voters:
    """The scans of a block whose kept files are recorded: their positions, and their hashes, which
    are the same in all blocks."""

    scans: IntArray
    hashes: npt.NDArray[np.uint64]


class AskedFiles:
    """The files of a batch that scans keep. `numbers` are the measured ones, by hash; `sampled`
    returns the known facts about the file of a number."""

    def __init__(self, numbers: Mapping[int, int], sampled: Callable[[int], SampledFile]) -> None:
        self._sample = sampled
        self._hashes = sorted(numbers)
        self._order = np.array([numbers[key] for key in self._hashes], np.int64)
        self._kept: dict[int, KeptFiles] = {}

    def add(self, voters: Voters, scans: IntArray, kept: BoolArray) -> None:
        """Adds the files that some of a block's voters keep, as masks over the files of the batch.
        `scans` are their positions."""
        hashes = dict(zip(voters.scans.tolist(), voters.hashes.tolist(), strict=True))
        for position, mask in zip(scans.tolist(), kept[:, self._order], strict=True):
            found = np.flatnonzero(mask)
            if len(found):
                first = tuple(self._hashes[place] for place in found[:MAX_KEPT].tolist())
                self._kept[hashes[position]] = KeptFiles(len(found), first)

    def sketch(self) -> Sketch:
        """The sketch of all that was added."""
        kept = smallest(self._kept, MAX_VOTERS)
        return Sketch(kept=kept, kept_files=dict(self._sampled(kept)))

    def _sampled(self, kept: Mapping[int, KeptFiles]) -> Iterator[tuple[int, SampledFile]]:
        numbers = dict(zip(self._hashes, self._order.tolist(), strict=True))
        for key in {key for of_scan in kept.values() for key in of_scan.smallest}:
            yield key, self._sample(numbers[key])


def strata(sketch: Sketch, most: int) -> tuple[Stratum, ...]:
    """The Parquet files of a table whose rows are read: `most` of all, and half as many of the
    files that scans of few files ask for, if there are such scans."""
    drawn = {key: sketch.sample[key] for key in sorted(sketch.sample) if sketch.sample[key].parquet}
    keys = list(drawn)[:most]
    of_all = (Stratum(tuple(drawn[key] for key in keys), sketch.files),)
    asked = _most_asked(sketch)
    if asked is None or len(drawn) <= most:
        return of_all
    chosen = asked.smallest[: max(1, most // 2)]
    files = tuple(sketch.kept_files[key] for key in chosen)
    # Of files with larger hashes nobody knows whether these scans keep them.
    is_complete = len(chosen) == asked.count
    others = [key for key in keys if key not in chosen and (is_complete or key < chosen[-1])]
    if not others or not all(file.parquet for file in files):
        return of_all
    return (
        Stratum(files, asked.count),
        Stratum(tuple(drawn[key] for key in others), sketch.files - asked.count),
    )


def _most_asked(sketch: Sketch) -> KeptFiles | None:
    """The files that most of the scans of few files keep: these scans agree on the file of the
    smallest hash."""
    narrow = [kept for kept in sketch.kept.values() if kept.count * NARROW <= sketch.files]
    if not narrow:
        return None
    votes = Counter(kept.smallest[0] for kept in narrow)
    first = min(votes, key=lambda key: (-votes[key], key))
    alike = Counter(kept for kept in narrow if kept.smallest[0] == first)
    return min(alike, key=lambda kept: (-alike[kept], -kept.count, kept.smallest))
