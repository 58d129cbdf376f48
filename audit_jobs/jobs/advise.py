"""Advising layouts: a log's scans on a table as it is now, its rows sampled, and the layouts that
these could have. In-process; nothing is published here."""

from __future__ import annotations

import datetime as dt
import uuid
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase

import numpy as np

from audit_jobs.advice.advice_rows import advice_row, failed_row
from audit_jobs.advice.advise import SEARCHED, advise
from audit_jobs.advice.beyond import Beyond
from audit_jobs.advice.candidates import Candidate, Term
from audit_jobs.advice.diet import Diet
from audit_jobs.advice.inside import look_inside
from audit_jobs.advice.layouts import Layouts
from audit_jobs.advice.minimal import Minimal, minimal_rewrite
from audit_jobs.advice.model import Advice, Now
from audit_jobs.advice.open_ranges import ended, open_columns
from audit_jobs.advice.present import current_terms
from audit_jobs.advice.row_groups import ReadInside
from audit_jobs.advice.rows import Floats, SampledRows, sampled_rows
from audit_jobs.advice.scores import replayed
from audit_jobs.advice.workload import Asked, Workload, some_of, workload
from audit_jobs.config import AuditConfig
from audit_jobs.health.sketch import Measure, Sketch
from audit_jobs.isolation import Failed, attempt
from audit_jobs.jobs.asked_scans import asked_scan
from audit_jobs.jobs.audit import read_inputs
from audit_jobs.jobs.beyond import BeyondOf, beyond_of
from audit_jobs.jobs.diet import diet_of
from audit_jobs.jobs.manifest_order import manifest_order
from audit_jobs.jobs.partition_reads import partition_reads
from audit_jobs.jobs.row_groups import COUNTED_INSIDE, kept_inside, written
from audit_jobs.jobs.tables import TableFinder, Tables
from audit_jobs.planning.driver import replay_scans
from audit_jobs.planning.gathered import OF_SCANS, gathered
from audit_jobs.planning.local import block_items, table_context, table_works
from audit_jobs.planning.runner import LocalRunner
from audit_jobs.planning.work import TableContext
from audit_jobs.progress import Progress
from audit_jobs.pruning.scans import Scan
from audit_jobs.records import Window
from audit_jobs.results.columns import Row, identity
from audit_jobs.workload.digests import query_key
from audit_jobs.workload.inputs import QUERY
from audit_jobs.workload.queries import NamedTables, ScanFinder
from collectors.errors import PrunescopeError
from collectors.observed import TableName
from collectors.predicates.model import TRUE
from collectors.statistics import columns_of
from collectors.tables.catalog import Table
from collectors.tables.footers import ParquetFile
from collectors.tables.metadata import TableMetadata
from collectors.tables.properties import count_of
from collectors.tables.row_samples import rows_of_files
from collectors.types import is_floating

STAGES = 3
"""How many stages advising announces."""

_TARGET_FILE_BYTES = 512 * 1024 * 1024
_OPEN_FILE_COST = 4 * 1024 * 1024


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
class Advised:
    """Advice by table, and why there is none for others; of the former, what statistics they need
    and what joins, LIMIT and the like could skip, or why that is not known; and scans of the log
    that tell nothing of a table's current rows, by reason."""

    tables: Mapping[TableName, tuple[Table, Advice]] = field(default_factory=dict)
    diets: Mapping[TableName, Diet | Failed] = field(default_factory=dict)
    failed: Mapping[TableName, Failed] = field(default_factory=dict)
    left_out: Mapping[str, int] = field(default_factory=dict)
    beyond: Mapping[TableName, Beyond | Failed] = field(default_factory=dict)


def run_advise(
    config: AuditConfig,
    window: Window,
    names: Sequence[str],
    progress: Progress,
    budget: Budget = Budget(),  # it cannot be changed
    *,
    beyond: bool = False,
) -> Advised:
    """Advises layouts for the tables that the queries of a window read: those whose names match any
    of `names` (globs over `catalog.namespace.table`), or all. A table that goes wrong stops no
    other. With `beyond`, also what joins, LIMIT and the like could skip."""
    progress("Reading query logs")
    runner = LocalRunner()
    inputs = read_inputs(config, window, runner)
    wanted = [name for name in inputs.told.tables if _is_wanted(name, names)]
    progress("Opening tables")
    tables = TableFinder(config).find(wanted)
    failed = {name: Failed.of(error) for name, error in tables.failed.items()}
    queries = inputs.items.found(QUERY).get(QUERY, [])
    more = BeyondOf(tables.opened) if beyond else None
    asked, left_out = scans_of(tables, queries, config, more)
    progress("Scoring layouts")
    advised, diets = {}, dict[TableName, Diet | Failed]()
    skips = dict[TableName, Beyond | Failed]()
    for name, of_table in asked.items():
        table = tables.opened[name]
        seed = int(window.start.timestamp())
        found = attempt(f"advising {name}", advise_table, table, of_table, seed, budget)
        if isinstance(found, PrunescopeError):
            failed[name] = Failed.of(found)
        else:
            advised[name] = (table, found)
            best = None if found.best is None else found.best.candidate
            diet = attempt(f"replaying {name}", diet_of, table, of_table, best)
            diets[name] = Failed.of(diet) if isinstance(diet, PrunescopeError) else diet
            if more is not None:
                doing, own = f"replaying joins of {name}", more.asked.get(name)
                skip = attempt(doing, beyond_of, tables.opened, name, own)
                skips[name] = Failed.of(skip) if isinstance(skip, PrunescopeError) else skip
    return Advised(advised, diets, failed, left_out, skips)


def rows_of_advice(found: Advised, window: Window, at: dt.datetime) -> list[Row]:
    """The rows of layout_advice of what was advised then from a window of the log: of each table
    one, whether there is advice for it or not."""
    shared = {**identity(uuid.uuid4().hex, window), "advised_at": at}
    rows = [advice_row(n, table.metadata, advice) for n, (table, advice) in found.tables.items()]
    rows += [failed_row(name, why) for name, why in found.failed.items()]
    return [{**shared, **row} for row in rows]


def _is_wanted(table: TableName, names: Sequence[str]) -> bool:
    return not names or any(fnmatchcase(str(table), name) for name in names)


def scans_of(
    tables: Tables,
    queries: Iterable[NamedTables],
    config: AuditConfig,
    beyond: BeyondOf | None = None,
) -> tuple[dict[TableName, Asked], Counter[str]]:
    """What queries ask of tables as they are now, and how many scans ask for something else, or
    cannot be told, by reason. `beyond` is told what they ask beyond filters."""
    columns = {n: table.metadata.schema(None).top_level_types for n, table in tables.opened.items()}
    finder = ScanFinder(columns, beyond=beyond is not None)
    policy = config.findings.policy
    asked: dict[TableName, Asked] = {}
    left_out: Counter[str] = Counter()
    seen: set[str] = set()
    for named in queries:
        key = query_key(named.query)
        is_read = any(name in tables.opened for name in named.tables)
        if not is_read or key in seen or policy.is_maintenance(named.query.user):
            continue
        seen.add(key)
        found = attempt("reading the text of a query", finder.find, named.query)
        if isinstance(found, PrunescopeError):
            left_out[found.code] += 1
            continue
        if found.failure is not None:
            left_out[found.failure.code] += 1
        for scan in found.scans:
            if scan.table not in tables.opened:
                continue
            of_scan = asked_scan(tables.opened[scan.table], named, scan)
            if isinstance(of_scan, str):
                left_out[of_scan] += 1
            else:
                moment = named.query.started_at
                day = None if moment is None else moment.astimezone(dt.UTC).date()
                asked.setdefault(scan.table, Asked()).add(of_scan, day)
                if beyond is not None:
                    beyond.add(named, scan, of_scan)
    return asked, left_out


def advise_table(
    table: Table,
    asked: Asked,
    seed: int,
    budget: Budget = Budget(),  # likewise
) -> Advice:
    """The advice for a table of which this is asked. Raises PrunescopeError."""
    metadata = table.metadata
    partition = current_terms(metadata)
    context = _context(table, asked, partition)
    if open_columns(asked):
        asked = ended(asked, _kept(context, ()).sketch.high)
    found = workload(asked, seed)
    kept = _kept(context, found.planned, budget.footers)
    now = Now(
        *kept.whole,
        count_of(metadata.properties, "write.target-file-size-bytes") or _TARGET_FILE_BYTES,
        count_of(metadata.properties, "read.split.open-file-cost") or _OPEN_FILE_COST,
        partition,
    )
    if not now.records:
        raise NothingToAdvise(f"{table.name} has no rows, or does not say how many")
    chosen = _parquet_files(context, kept.sketch, budget.files)
    rows = _sampled(metadata, chosen, now, seed, budget.rows)
    advice = advise(rows, found, (kept.bytes, kept.files), now, seed=seed)
    layouts = Layouts(rows, now.target_bytes)
    best = None if advice.best is None else advice.best.candidate
    inside = look_inside(
        layouts,
        found,
        kept.inside,
        written(metadata, [file for file, _ in chosen]),
        (best, partition, now.open_file_cost),
        seed=seed,
    )
    advice = advice.with_inside(inside)
    if advice.best is None:
        target = count_of(metadata.properties, "commit.manifest.target-size-bytes")
        doing = f"ordering the manifests of {table.name}"
        order = attempt(doing, manifest_order, context, found, target, seed)
        return replace(
            advice, manifests=Failed.of(order) if isinstance(order, PrunescopeError) else order
        )
    if not partition:
        return advice
    doing = f"choosing what to rewrite of {table.name}"
    advised = advice.best.candidate
    minimal = attempt(doing, _minimal, context, layouts, advised, partition, (found, kept, seed))
    if isinstance(minimal, PrunescopeError):
        return replace(advice, minimal=Failed.of(minimal))
    return replace(advice, minimal=minimal)


def _minimal(
    context: TableContext,
    layouts: Layouts,
    advised: Candidate,
    partition: tuple[Term, ...],
    asked: tuple[Workload, _Kept, int],
) -> Minimal | None:
    """What to rewrite first for a layout; None where rows do not tell their partitions."""
    found, kept, seed = asked
    exact = all(not is_floating(term.column.type) for term in partition)
    if not exact or not layouts.can_lay(Candidate(partition, advised.order)):
        return None
    numbers, weight = some_of(found, kept.bytes, seed, SEARCHED)
    scans = [replace(found.planned[n], scan_id=i) for i, n in enumerate(numbers)]
    reads = partition_reads(context, scans, weight)
    return minimal_rewrite(layouts, advised, partition, reads, (replayed(scans), weight))


def kept_as_is(table: Table, asked: Asked) -> tuple[float, float, int]:
    """The mean of bytes that scans keep of a table as it is, those of row groups in them, and the
    table's own bytes. Raises PrunescopeError."""
    found = workload(asked, 0, len(asked.runs))
    kept = _kept(_context(table, asked, ()), found.planned, None)
    weight = found.weight / found.weight.sum()
    return float(kept.bytes @ weight), float(kept.inside.bytes @ weight), kept.whole[0]


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
class _Kept:
    """Bytes and files that scans keep of a table as it is, and row groups in them; its own bytes,
    records and files; and a sample of these."""

    bytes: Floats
    files: Floats
    inside: ReadInside
    whole: tuple[int, int, int]
    sketch: Sketch


def _kept(context: TableContext, planned: Sequence[Scan], footers: int | None = 1) -> _Kept:
    """What scans keep, by at most so many footers. Raises PrunescopeError."""
    (snapshot_id,) = context.snapshots
    scans = [(snapshot_id, scan) for scan in (*planned, Scan(len(planned), TRUE))]
    works = table_works(0, context, scans)
    runner = LocalRunner()
    name = context.table
    played = replay_scans(
        {name: {context.schema_id: context}},
        runner.items(block_items(works)),
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
    return _Kept(
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
) -> SampledRows:
    """At most so many rows of files. Raises NothingToAdvise."""
    each = max(1, most // max(1, len(files)))
    drawn = rows_of_files([file for file, _ in files], seed, each)
    read = [
        (rows, records) for rows, (_, records) in zip(drawn, files, strict=True) if rows is not None
    ]
    if not read:
        raise NothingToAdvise("no data file of it could be read")
    names = {column.field_id: column.name for column in metadata.schema(None).columns}
    return sampled_rows(
        [rows for rows, _ in read],
        [records for _, records in read],
        {key: names[key[0]] for key in files[0][0].columns},
        table=(now.bytes, now.records, now.files),
        properties=metadata.properties,
    )
