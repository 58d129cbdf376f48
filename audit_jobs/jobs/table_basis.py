"""What is read of one table for its advice: what scans keep of it, and its rows sampled.
In-process."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from audit_jobs.advice.basis import Basis, basis_of
from audit_jobs.advice.bounded_rows import rows_of_bounds
from audit_jobs.advice.candidates import Term
from audit_jobs.advice.model import Now
from audit_jobs.advice.open_ranges import ended, open_columns
from audit_jobs.advice.present import current_terms
from audit_jobs.advice.rounds import Sampled
from audit_jobs.advice.row_groups import ReadInside
from audit_jobs.advice.rows import SampledRows, sampled_rows
from audit_jobs.advice.selectivity import matching_at_most, matching_shares
from audit_jobs.advice.workload import Asked, Workload, workload
from audit_jobs.early_stop import share_matching
from audit_jobs.findings.selectivity import KnownBounds, share_between
from audit_jobs.health.sketch import Measure, Sketch
from audit_jobs.jobs.row_groups import COUNTED_INSIDE, kept_inside, written
from audit_jobs.planning.driver import Scans, replay_scans
from audit_jobs.planning.gathered import OF_SCANS, gathered
from audit_jobs.planning.local import block_items, table_context, table_works
from audit_jobs.planning.runner import LocalRunner
from audit_jobs.planning.work import TableContext
from audit_jobs.pruning.scans import Scan
from collectors.arrays import Floats, IntArray
from collectors.errors import PrunescopeError
from collectors.predicates.model import TRUE
from collectors.statistics import ColumnKey, Statistics, columns_of
from collectors.tables.catalog import Table
from collectors.tables.footers import ParquetFile
from collectors.tables.metadata import TableMetadata
from collectors.tables.metrics_modes import MetricsModes
from collectors.tables.properties import FILE_BYTES, OPEN_FILE_COST
from collectors.tables.row_samples import RowsOfFile, rows_of_files


class NothingToAdvise(PrunescopeError):
    """There is no layout to be told of a table: it has no rows, or none that may be read, or
    nothing is asked of it."""

    code = "nothing_to_advise"


@dataclass(frozen=True, slots=True)
class Budget:
    """How much of a table is read: rows of so many files, so many rows in all, and footers."""

    files: int = 200
    rows: int = 100_000
    footers: int = 1_000


@dataclass(frozen=True, slots=True)
class AdviceTask:
    """A table, and what is asked of it; all that its advice needs."""

    table: Table
    asked: Asked
    seed: int
    budget: Budget = Budget()

    @property
    def context(self) -> TableContext:
        """What scans of the table share. Raises NothingToAdvise."""
        return _context(self.table, self.asked, current_terms(self.table.metadata))


def prepared(task: AdviceTask) -> tuple[Basis, Sampled]:
    """What a table's advice is chosen by: all that is read of it but for its manifests' order.
    Raises PrunescopeError."""
    table, asked, seed, budget = task.table, task.asked, task.seed, task.budget
    metadata, context = table.metadata, task.context
    if open_columns(asked):
        asked = ended(asked, kept_by(context, ()).sketch.high)
    found = workload(asked, seed)
    kept = kept_by(context, found.planned, budget.footers)
    now = Now(
        *kept.whole,
        FILE_BYTES.of(metadata.properties),
        OPEN_FILE_COST.of(metadata.properties),
        current_terms(metadata),
        task.asked.overwritten,
    )
    if not now.records:
        raise NothingToAdvise(f"{table.name} has no rows, or does not say how many")
    chosen = _parquet_files(context, kept.sketch, budget.files)
    sampled = _sampled(metadata, chosen, now, seed, budget.rows)
    rows = sampled or _of_bounds(context, metadata, kept.sketch, now, seed, budget)
    matching = matching_shares(rows, found.whole)
    reads_on = found.reads_on(_rows_matching(found, matching, rows, kept.sketch))
    if not len(reads_on):
        raise NothingToAdvise(f"LIMIT ends all scans of {table.name} early")
    runs = float(found.weight.sum())
    found, kept, least = found.of(reads_on), kept.of(reads_on), matching[reads_on] * now.bytes
    inside = None
    if sampled is not None:
        inside = kept.inside, written(metadata, [file for file, _ in chosen])
    reads = kept.bytes, kept.files, least
    basis, rows_to_lay = basis_of(rows, found, reads, now, inside, seed=seed)
    return replace(basis, stopped=runs - float(found.weight.sum())), rows_to_lay


def _rows_matching(found: Workload, sampled: Floats, rows: SampledRows, sketch: Sketch) -> Floats:
    """How many rows match each scan, of which sampled ones show such shares: of those that may stop
    early, by what else is known where these show none."""
    known = sampled.copy()
    numbers = [n for n, scan in enumerate(found.scans) if scan.enough is not None and not known[n]]
    bounds = {
        key[0]: KnownBounds(key[1], sketch.low.get(key), sketch.high.get(key)) for key in sketch.low
    }
    whole = found.whole
    some = [replace(whole[n], scan_id=place) for place, n in enumerate(numbers)]
    for scan, number, most in zip(some, numbers, matching_at_most(rows, some), strict=True):
        share = share_matching(0.0, share_between(scan.predicate, bounds), float(most))
        known[number] = 0.0 if share is None else share
    return known * rows.records


def _context(table: Table, asked: Asked, partition: tuple[Term, ...] | None) -> TableContext:
    """What scans of the current snapshot share; columns that they compare, and those that the table
    is partitioned by, are measured."""
    metadata = table.metadata
    snapshot = metadata.current_snapshot()
    if snapshot is None:
        raise NothingToAdvise(f"{table.name} has never been written")
    schema = metadata.schema(None)
    keys = columns_of(predicate for scan in asked.runs for predicate in (scan.planned, scan.whole))
    keys.update({(term.column.field_id, term.column.type): None for term in partition or ()})
    types = {column.field_id: column.type for column in schema.columns}
    known = tuple(sorted(key for key in keys if types.get(key[0]) == key[1]))
    measure = Measure(snapshot.snapshot_id, metadata.default_spec_id, known, 0.0)
    return table_context(table, schema, [snapshot.snapshot_id], measure)


@dataclass(frozen=True, slots=True)
class KeptAsIs:
    """Bytes and files that scans keep of a table as it is, and row groups in them; its own bytes,
    records and files; and a sample of these."""

    bytes: Floats
    files: Floats
    inside: ReadInside
    whole: tuple[int, int, int]
    sketch: Sketch

    def of(self, numbers: IntArray) -> KeptAsIs:
        """Those of some scans."""
        inside = self.inside
        return replace(
            self,
            bytes=self.bytes[numbers],
            files=self.files[numbers],
            inside=ReadInside(inside.bytes[numbers], inside.groups[numbers], inside.files[numbers]),
        )


def kept_by(context: TableContext, planned: Sequence[Scan], footers: int | None = 1) -> KeptAsIs:
    """What scans keep, by at most so many footers. Raises PrunescopeError."""
    (snapshot_id,) = context.snapshots
    scans = [(snapshot_id, scan) for scan in (*planned, Scan(len(planned), TRUE))]
    works = table_works(0, context, scans)
    runner = LocalRunner()
    name = context.table
    played = replay_scans(
        {name: {context.schema_id: context}},
        Scans(runner.items(block_items(works)), {name: len(scans)}),
        runner,
        max_footers=footers,
    )
    for failure in played.failures:
        raise NothingToAdvise(f"{name} cannot be replayed: {failure.why.message}")
    if name not in played.layouts:
        raise NothingToAdvise(f"some manifests of {name} were not read")
    counts = gathered(played.of_scans.found(*OF_SCANS)).counts
    found = [counts.get(work.key, work.block.no_counts()) for work in works]
    counted = {
        name: np.concatenate([of_block.of_all(name) for of_block in found])
        for name in COUNTED_INSIDE
    }
    size, records, files = (
        counted[name] for name in ("bytes_kept", "records_kept", "data_files_kept")
    )
    return KeptAsIs(
        size[:-1].astype(np.float64),
        files[:-1].astype(np.float64),
        kept_inside({name: numbers[:-1] for name, numbers in counted.items()}),
        (int(size[-1]), int(records[-1]), int(files[-1])),
        played.layouts[name][1],
    )


def _parquet_files(
    context: TableContext, sketch: Sketch, most: int
) -> list[tuple[ParquetFile, int]]:
    """At most so many of the sampled files, with the measured columns, and their records."""
    assert context.measure is not None
    sampled = [sketch.sample[key] for key in sorted(sketch.sample)]
    return [
        (
            ParquetFile(
                path=file.path,
                size=file.size,
                storage=context.storage,
                columns=context.measure.columns,
                defaults=context.defaults,
                name_mapping=context.name_mapping,
            ),
            file.records,
        )
        for file in sampled
        if file.parquet and file.records > 0
    ][:most]


def _sampled(
    metadata: TableMetadata,
    files: Sequence[tuple[ParquetFile, int]],
    now: Now,
    seed: int,
    most: int,
) -> SampledRows | None:
    """At most so many rows of files; None where none can be read."""
    each = max(1, most // max(1, len(files)))
    drawn = rows_of_files([file for file, _ in files], seed, each)
    read = [
        (one.rows, records)
        for one, (_, records) in zip(drawn, files, strict=True)
        if isinstance(one, RowsOfFile)
    ]
    if not read:
        return None
    samples, records = zip(*read, strict=True)
    return _as_rows(metadata, now, samples, records, files[0][0].columns)


def _of_bounds(
    context: TableContext,
    metadata: TableMetadata,
    sketch: Sketch,
    now: Now,
    seed: int,
    budget: Budget,
) -> SampledRows:
    """Rows by what manifests say of files. Raises NothingToAdvise."""
    assert context.measure is not None
    listed = [sketch.sample[key] for key in sorted(sketch.sample)]
    files = [file for file in listed if file.records > 0 and file.bounds][: budget.files]
    columns = context.measure.columns
    samples = rows_of_bounds(files, columns, seed, max(1, budget.rows // max(1, len(files))))
    if not any(sample.columns for sample in samples):
        raise NothingToAdvise("no data file of it could be read, and no bounds tell of any")
    return _as_rows(metadata, now, samples, [file.records for file in files], columns)


def _as_rows(
    metadata: TableMetadata,
    now: Now,
    samples: Sequence[Statistics],
    records: Sequence[int],
    columns: Sequence[ColumnKey],
) -> SampledRows:
    names = {column.field_id: column.name for column in metadata.schema(None).columns}
    return sampled_rows(
        samples,
        records,
        {key: names[key[0]] for key in columns},
        table=(now.bytes, now.records, now.files),
        modes=MetricsModes.of(metadata),
    )
