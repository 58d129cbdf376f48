"""Estimates of filters' selectivity: a few rows of a few files of each table, drawn at random."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from prunescope.audit_jobs.errors import WorkerKilled
from prunescope.audit_jobs.health.files_of_scans import strata
from prunescope.audit_jobs.health.sketch import SampledFile, Sketch
from prunescope.audit_jobs.isolation import Failed, attempt
from prunescope.audit_jobs.planning.items import SHARED, Item, ItemGroup
from prunescope.audit_jobs.planning.timing import READ
from prunescope.audit_jobs.planning.work import Block, TableContext
from prunescope.audit_jobs.pruning.enclosing import enclosing
from prunescope.audit_jobs.pruning.estimates import Shares, shares_of_clusters
from prunescope.audit_jobs.pruning.packed import counts, unpack
from prunescope.audit_jobs.pruning.passes import match
from prunescope.audit_jobs.pruning.rules import FLOOR, ROWS
from prunescope.audit_jobs.pruning.shapes import Shape, places
from prunescope.audit_jobs.records import Matching
from prunescope.collectors.arrays import BoolArray, Floats, IntArray
from prunescope.collectors.errors import PrunescopeError
from prunescope.collectors.statistics import ColumnKey
from prunescope.collectors.storage.traffic import bytes_read
from prunescope.collectors.tables.footers import ParquetFile
from prunescope.collectors.tables.row_samples import RowsOfFile, RowsRefused, rows_of_files

MATCHING = "matching"
"""Tag of what sampled rows say of the scans of a block: (its key, BlockMatching), at its home."""
UNSAMPLED = "unsampled"
"""Tag of tables whose rows could not be sampled: (table, message)."""


@dataclass(frozen=True, slots=True)
class RowSample:
    """The files of a table whose rows are read, and their metadata from manifests (`known`).
    `strata` has the number of each file's stratum, `populations` the number of files of each
    stratum. Only scans under the schema with `schema_id` are matched."""

    schema_id: int
    files: tuple[ParquetFile, ...]
    known: tuple[SampledFile, ...]
    strata: tuple[int, ...]
    populations: tuple[int, ...]

    def weights(self, is_read: Sequence[bool]) -> Floats:
        """The number of files for which each file that could be read stands. If no file of a
        stratum could be read, the others stand for its files as well."""
        read = np.array(self.strata, np.int64)[np.array(is_read, np.bool_)]
        counts = np.bincount(read, minlength=len(self.populations))
        populations = np.array(self.populations, np.float64)
        if not counts.all():
            return np.full(len(read), populations.sum() / max(1, len(read)))
        return np.maximum(1.0, populations / counts)[read]


def row_sample(
    context: TableContext, columns: Iterable[ColumnKey], sketch: Sketch, files: int
) -> RowSample:
    """At most `files` of the files of a table, and half as many of those that most scans ask for,
    with the columns that scans under the context's schema compare."""
    drawn = strata(sketch, files)
    known = tuple(file for stratum in drawn for file in stratum.files)
    wanted = tuple(columns)
    return RowSample(
        schema_id=context.schema_id,
        files=tuple(
            ParquetFile(
                path=file.path,
                size=file.size,
                storage=context.storage,
                columns=wanted,
                defaults=context.defaults,
                name_mapping=context.name_mapping,
            )
            for file in known
        ),
        known=known,
        strata=tuple(number for number, stratum in enumerate(drawn) for _ in stratum.files),
        populations=tuple(stratum.population for stratum in drawn),
    )


@dataclass(frozen=True, slots=True)
class ScanMatching:
    """Estimates from sampled rows for a scan's filter, and for each of its conjuncts alone; None
    for conjuncts that compare nothing."""

    whole: Matching
    conjuncts: tuple[Matching | None, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Filters:
    """Estimates from sampled rows for S filters: the shares that match, the sampled files that
    bounds of the rows do not rule out, the rows of these, weighted by files, and the share of bytes
    in files that hold matching rows. `told` is true for filters with an estimate."""

    shares: Shares
    candidates: IntArray
    candidate_rows: IntArray
    holding: Shares
    told: BoolArray


@dataclass(frozen=True, slots=True, eq=False)
class BlockMatching:
    """Estimates from `rows` sampled rows for the scans of a block, and for all their conjuncts,
    those of scan s from `first[s]`."""

    rows: int
    first: Sequence[int]
    scans: Filters
    conjuncts: Filters

    def of_scans(self) -> Iterator[ScanMatching | None]:
        """The estimates of each scan; None for a scan without any."""
        conjuncts = self._matching(self.conjuncts)
        for whole, (start, stop) in zip(
            self._matching(self.scans), pairwise(self.first), strict=True
        ):
            yield None if whole is None else ScanMatching(whole, tuple(conjuncts[start:stop]))

    def _matching(self, found: Filters) -> list[Matching | None]:
        arrays = (*_ends(found.shares), found.candidates, found.candidate_rows)
        columns = (column.tolist() for column in (*arrays, *_ends(found.holding)))
        return [
            Matching(value, low, high, self.rows, *rest) if is_told else None
            for is_told, value, low, high, *rest in zip(found.told.tolist(), *columns, strict=True)
        ]


def _ends(shares: Shares) -> tuple[Floats, Floats, Floats]:
    return np.nan_to_num(shares.value), shares.low, shares.high


def sample_stage(groups: Iterable[ItemGroup], seed: int) -> Iterator[Item]:
    """Reads rows, and matches the filters of blocks against them. A failing table stops no
    other."""
    before = bytes_read()
    for group in groups:
        doing = f"sampling rows of {group.table}"
        found = attempt(doing, _of_group, group, seed)
        if isinstance(found, PrunescopeError):
            yield Item(UNSAMPLED, (group.table, str(Failed.of(found).message)))
        else:
            yield from found
    yield Item(READ, bytes_read() - before)


def unsampled_stage(groups: Iterable[ItemGroup]) -> Iterator[Item]:
    """Replaces `sample_stage` if it kills its worker."""
    return (Item(UNSAMPLED, (group.table, str(WorkerKilled()))) for group in groups)


def _of_group(group: ItemGroup, seed: int) -> list[Item]:
    items: list[Item] = []
    sample: RowSample = group.beside[SHARED][0]
    drawn: list[RowsOfFile] | None = None
    weights = np.ones(0)
    for _, _, block in group.tasks:
        shapes = _compared(block) if block.schema_id == sample.schema_id else []
        if not shapes:
            continue
        if drawn is None:
            rows = rows_of_files(sample.files, seed)
            drawn = [found for found in rows if isinstance(found, RowsOfFile)]
            weights = sample.weights([isinstance(found, RowsOfFile) for found in rows])
            why = next((one.why for one in rows if isinstance(one, RowsRefused)), None)
            if why is not None:
                items.append(Item(UNSAMPLED, (group.table, why)))
        if drawn:
            matching = _matching(block, shapes, drawn, weights)
            items.append(Item(MATCHING, (block.key, matching), *block.home))
    return items


def _compared(block: Block) -> list[Shape]:
    """The shapes with any comparison, cut to the plans by the floor's rules, with the rules for
    rows."""
    found: list[Shape] = []
    for shape in block.shapes:
        planned = tuple(replace(p, rules=ROWS) for p in shape.planned if p.rules == FLOOR)
        if planned and shape.leaves:
            found.append(replace(shape, planned=planned))
    return found


def _matching(
    block: Block, shapes: Sequence[Shape], drawn: Sequence[RowsOfFile], weights: Floats
) -> BlockMatching:
    """The estimates for a block's scans. Rows for which a part of the filter is unknown count as
    matching."""
    samples = [one.rows for one in drawn]
    drawn_of = np.array([one.part for one in drawn])
    rows = np.array([sample.count for sample in samples], np.int64)
    whole = np.zeros((len(samples), block.count), np.int64)
    parts = np.zeros((len(samples), int(block.first[-1])), np.int64)
    whole_kept = np.zeros(whole.shape, np.bool_)
    parts_kept = np.zeros(parts.shape, np.bool_)
    told = np.zeros(block.count, np.bool_)
    compared = np.zeros(parts.shape[1], np.bool_)
    for shape in shapes:
        of_shape = np.concatenate([part.scans for part in shape.planned])
        told[of_shape] = True
        for number, tree in enumerate(shape.conjuncts):
            compared[block.first[of_shape] + number] = any(True for _ in places(tree))
    for number, sample in enumerate(samples):
        for found in match(shapes, sample):
            whole[number, found.scans] = counts(found.kept_bits)
            everything = found.considered_bits[found.cohort.owner]
            matching = counts(everything & found.conjuncts.possible)
            parts[number, found.places(block.first)] = matching
    for found in match(shapes, enclosing(samples)):
        whole_kept[:, found.scans] = found.kept.T
        possible = unpack(found.conjuncts.possible, len(samples))
        parts_kept[:, found.places(block.first)] = possible.T

    def filters(matching: IntArray, kept: BoolArray, told: BoolArray) -> Filters:
        shares = shares_of_clusters(matching, rows, weights, drawn_of)
        weighed = weights * rows
        every = max(1.0, weighed.sum())
        candidate_rows = np.rint(rows.sum() * (weighed @ kept) / every).astype(np.int64)
        holding = _holding(matching > 0, drawn, weights)
        return Filters(shares, kept.sum(axis=0), candidate_rows, holding, told)

    return BlockMatching(
        int(rows.sum()),
        block.first.tolist(),
        filters(whole, whole_kept, told),
        filters(parts, parts_kept, compared),
    )


def _holding(found: BoolArray, drawn: Sequence[RowsOfFile], weights: Floats) -> Shares:
    """The shares of bytes in files that hold rows that S filters match, with (F, S) flags of files
    in which some were `found`. At the upper ends, files of which not all rows were read hold some.
    """
    sizes = np.array([one.size for one in drawn], np.int64)
    may_hold = found | ~np.array([one.is_whole for one in drawn])[:, None]
    least = shares_of_clusters(found * sizes[:, None], sizes, weights)
    most = shares_of_clusters(may_hold * sizes[:, None], sizes, weights)
    return Shares(least.value, least.low, most.high)
