"""The stages of an audit that scans go through: they are extracted from texts, planned, and matched
with sampled rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from prunescope.audit_jobs.config import TablesConfig
from prunescope.audit_jobs.errors import WorkerKilled
from prunescope.audit_jobs.isolation import Failed, attempt
from prunescope.audit_jobs.jobs.measuring import (
    PreparedTables,
    UsedTables,
    prepared_tables,
    used_tables,
)
from prunescope.audit_jobs.jobs.tables import Tables
from prunescope.audit_jobs.planning.driver import Replay, Scans, replay_scans
from prunescope.audit_jobs.planning.items import SHARED, Instead, Item, Items, Runner
from prunescope.audit_jobs.planning.pass_spans import record_passes
from prunescope.audit_jobs.planning.row_sample_stage import (
    MATCHING,
    UNSAMPLED,
    row_sample,
    sample_stage,
    unsampled_stage,
)
from prunescope.audit_jobs.planning.stages import BLOCK
from prunescope.audit_jobs.planning.timing import READ
from prunescope.audit_jobs.results.report_records import Reports, match_reports, wanted
from prunescope.audit_jobs.workload.extract import (
    LATE,
    MAX_QUERIES,
    REPORTED,
    TRACED,
    USED,
    Audited,
    Used,
    extract_stage,
)
from prunescope.audit_jobs.workload.inputs import QUERY, Inputs, in_groups
from prunescope.audit_jobs.workload.query_texts import Columns
from prunescope.collectors.errors import PrunescopeError, TableTooSlow
from prunescope.collectors.observed import TableName
from prunescope.collectors.storage.files import Storage
from prunescope.collectors.tables.catalog import Table

_OF_TABLES = frozenset({TableTooSlow.code, WorkerKilled.code})
"""Outcomes of which one is that of a table, as a whole."""

_BLOCKS = 16
"""Blocks that are matched with rows that are read once."""


@dataclass(frozen=True, slots=True)
class Extracted:
    """The shares of the workload and their blocks, and the number of groups by table; the tables'
    `used` schemas and columns; why tables are given up whose scans take too long; the spans of
    queries; and the matches of reports."""

    shares: Items
    groups: Mapping[str, int]
    used: UsedTables
    given_up: Mapping[str, Failed]
    traced: Sequence[tuple[TableName, Sequence[str]]]
    reports: Reports


def extract_scans(inputs: Inputs, tables: Tables, columns: Columns, runner: Runner) -> Extracted:
    """Reads the texts of the workload, for tables of known columns."""
    told = inputs.told
    scan_keys = wanted(told, tables.opened)
    groups = in_groups(told.queries, MAX_QUERIES, runner.slots)
    # Nothing is read there, so that credentials need not go there.
    opened = {
        name: replace(table, storage=Storage(clock=table.storage.clock))
        for name, table in tables.opened.items()
    }
    reported = frozenset(scan_keys.values())
    audited = Audited(opened, columns, inputs.secret, reported, inputs.from_first)
    stage = partial(extract_stage, audited=audited, counts=groups)
    instead = Instead(partial(stage, refused=Failed.of(WorkerKilled())), of_tables=False)
    shares = runner.run(stage, inputs.items.of(QUERY), groups, instead=instead)
    found = shares.found(USED, TRACED, REPORTED, LATE)
    return Extracted(
        shares,
        groups,
        used_tables(found.get(USED, ())),
        dict(found.get(LATE, ())),
        found.get(TRACED, []),
        match_reports(told, scan_keys, found.get(REPORTED, ())),
    )


@dataclass(frozen=True, slots=True)
class Planned:
    """The tables that were planned, the results, and why some tables are given up as a whole:
    chance decides which of their scans were planned before."""

    prepared: PreparedTables
    replay: Replay
    given_up: Mapping[str, Failed]


def plan_scans(
    config: TablesConfig, seed: int, tables: Tables, extracted: Extracted, runner: Runner
) -> Planned:
    """Plans all scans, and records the passes as spans."""
    by_name = tables_by_name(tables)
    prepared = prepared_tables(extracted.used, by_name, extracted.given_up)
    counts = {name: count_scans([of_table]) for name, of_table in extracted.used.items()}
    scans = Scans(extracted.shares.of(BLOCK), counts)
    replay = replay_scans(
        prepared.contexts, scans, runner, max_footers=config.max_footers, seed=seed
    )
    names = {name: table.name for name, table in by_name.items()}
    record_passes(names, counts, prepared.contexts, replay, _traceparents(extracted.traced))
    given_up = {f.table: f.why for f in replay.failures if f.why.code in _OF_TABLES}
    return Planned(prepared, replay, given_up)


@dataclass(frozen=True, slots=True)
class Sampled:
    """Results of matching scans with sampled rows (MATCHING), a message for each table of which no
    row could be sampled, and the bytes that were read."""

    matching: Items
    unsampled: Mapping[str, str]
    read_bytes: int


def sample_matching(
    config: TablesConfig, seed: int, extracted: Extracted, planned: Planned, runner: Runner
) -> Sampled:
    """Reads some rows of each table that was measured, and matches scans with them."""
    used, layouts = extracted.used, planned.replay.layouts
    samples = []
    unsampled = {}
    for table, of_table in planned.prepared.contexts.items() if config.sampled_files else ():
        for context in of_table.values():
            of_schema = used[table].get(context.schema_id)
            is_measured = context.measure is not None and table in layouts
            if of_schema is None or not is_measured or table in planned.given_up:
                continue
            doing, sketch = f"choosing files of {table}", layouts[table][1]
            columns = sorted(of_schema.columns)
            files = config.sampled_files
            clock = context.storage.clock
            sample = attempt(doing, clock.timed(row_sample), context, columns, sketch, files)
            if isinstance(sample, PrunescopeError):
                unsampled[table] = str(sample)
            else:
                samples.append(Item(SHARED, sample, table))
    matched = runner.run(
        partial(sample_stage, seed=seed),
        extracted.shares.of(BLOCK),
        {item.table: -(-_blocks(used[item.table]) // _BLOCKS) for item in samples},
        runner.items(samples),
        Instead(unsampled_stage),
    )
    found = matched.found(UNSAMPLED, READ)
    messages = unsampled | dict(found.get(UNSAMPLED, []))
    return Sampled(matched.of(MATCHING), messages, sum(found.get(READ, [])))


def _blocks(used: Mapping[int, Used]) -> int:
    return sum(of_schema.blocks for of_schema in used.values())


def _traceparents(
    traced: Iterable[tuple[TableName, Sequence[str]]],
) -> dict[TableName, list[str]]:
    """The spans of some of the queries that read each table, if the log has them."""
    spans: dict[TableName, list[str]] = {}
    for table, found in traced:
        spans.setdefault(table, []).extend(found)
    return spans


def count_scans(used: Iterable[Mapping[int, Used]]) -> int:
    """The number of scans that use tables."""
    return sum(of_schema.scans for of_table in used for of_schema in of_table.values())


def tables_by_name(tables: Tables) -> dict[str, Table]:
    """Tables by the text that names them in messages."""
    return {str(table.name): table for table in tables.opened.values()}
