"""The tables of a run as they are planned and measured."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from prunescope.audit_jobs.advice.current_layout import (
    bloom_filters,
    current_terms,
    field_of_times,
    row_group_bytes,
    sorted_by,
)
from prunescope.audit_jobs.health.measure import table_health
from prunescope.audit_jobs.health.model import TableHealth
from prunescope.audit_jobs.health.sketch import Measure
from prunescope.audit_jobs.isolation import Failed, attempt
from prunescope.audit_jobs.planning.driver import Replay
from prunescope.audit_jobs.planning.local import table_context
from prunescope.audit_jobs.planning.work import TableContext
from prunescope.audit_jobs.tuning import SMALL
from prunescope.audit_jobs.workload.extract import Used
from prunescope.collectors.errors import PrunescopeError
from prunescope.collectors.statistics import ColumnKey
from prunescope.collectors.tables.catalog import Table
from prunescope.collectors.tables.properties import FILE_BYTES

UsedTables = Mapping[str, Mapping[int, Used]]
"""Columns and specs that scans use of each table, by schema id."""


def used_tables(told: Iterable[tuple[str, Used]]) -> UsedTables:
    """The tables that all shares of the workload use together, sorted by name, because shares come
    in any order."""
    found: dict[str, dict[int, Used]] = {}
    for table, used in told:
        of_table = found.setdefault(table, {})
        of_table.setdefault(used.schema_id, Used(used.schema_id)).add(used)
    return dict(sorted(found.items()))


@dataclass(frozen=True, slots=True)
class PreparedTables:
    """The contexts of tables by schema id; the reasons why others have none, and why some tables
    with contexts are not measured. A table with a current snapshot is measured in the context of
    its current schema."""

    contexts: dict[str, dict[int, TableContext]] = field(default_factory=dict)
    failed: dict[str, Failed] = field(default_factory=dict)
    unmeasured: dict[str, str] = field(default_factory=dict)


def prepared_tables(
    used: UsedTables, tables: Mapping[str, Table], given_up: Mapping[str, Failed]
) -> PreparedTables:
    """Contexts of the used tables, ready to be planned, without those that are given up."""
    found = PreparedTables(failed=dict(given_up))
    for name, of_table in used.items():
        if name in given_up:
            continue
        doing = f"preparing the scans of {name}"
        clock = tables[name].storage.clock
        made = attempt(doing, clock.timed(table_contexts), tables[name], of_table)
        if isinstance(made, PrunescopeError):
            found.failed[name] = Failed.of(made)
            continue
        doing = f"measuring {name}"
        measured = attempt(doing, clock.timed(_measured_context), tables[name], of_table)
        if isinstance(measured, PrunescopeError):
            found.unmeasured[name] = str(measured)
        elif measured is not None:
            made[measured.schema_id] = measured
        found.contexts[name] = made
    return found


def table_contexts(table: Table, used: Mapping[int, Used]) -> dict[int, TableContext]:
    """The contexts of a table, by the id of each schema under which it is used."""
    return {
        schema_id: table_context(table, table.metadata.schemas[schema_id], of_schema.snapshots)
        for schema_id, of_schema in used.items()
    }


def _measured_context(table: Table, used: Mapping[int, Used]) -> TableContext | None:
    metadata = table.metadata
    measure = measure_of(table, {column for found in used.values() for column in found.columns})
    if measure is None:
        return None
    current = metadata.current_schema_id
    read = used[current].snapshots if current in used else ()
    return table_context(table, metadata.schemas[current], read, measure)


def measure_of(table: Table, columns: Iterable[ColumnKey]) -> Measure | None:
    """The properties to measure of a table: bounds of the columns by which any scan filters it, and
    in sampled files bounds of partition columns, and bytes by the first partition field of a time.
    None if it has no snapshot."""
    metadata = table.metadata
    if metadata.current_snapshot_id is None:
        return None
    types = {column.field_id: column.type for column in metadata.schema(None).columns}
    filtered = {key for key in columns if types.get(key[0]) == key[1]}
    terms = current_terms(metadata) or ()
    return Measure(
        snapshot_id=metadata.current_snapshot_id,
        spec_id=metadata.default_spec_id,
        columns=tuple(sorted(filtered)),
        small_bytes=SMALL * FILE_BYTES.of(metadata.properties),
        partitioned=tuple(sorted({term.key for term in terms} - filtered)),
        times=field_of_times(metadata),
    )


def health_of(
    contexts: Mapping[str, Mapping[int, TableContext]],
    replay: Replay,
    tables: Mapping[str, Table],
    given_up: Mapping[str, Failed],
) -> tuple[tuple[TableHealth, ...], dict[str, str]]:
    """The health of every table that could be measured, and a message for each other."""
    messages = {failure.table: failure.why.message or "" for failure in reversed(replay.failures)}
    found = []
    unmeasured = {}
    for name, of_table in contexts.items():
        for context in of_table.values():
            if context.measure is None:
                continue
            doing = f"measuring {name}"
            clock = tables[name].storage.clock
            health = attempt(doing, clock.timed(_measured), context, replay, tables[name])
            if isinstance(health, PrunescopeError):
                unmeasured[name] = str(health)
            elif health is None or name in given_up:
                unmeasured[name] = messages.get(name, "some manifests were not read")
            else:
                found.append(health)
    return tuple(found), unmeasured


def _measured(context: TableContext, replay: Replay, table: Table) -> TableHealth | None:
    if context.table not in replay.layouts or context.measure is None:
        return None
    facts, sketch = replay.layouts[context.table]
    names = {column.field_id: column.name for column in table.metadata.schema(None).columns}
    spec = context.specs[context.measure.spec_id]
    health = table_health(table.name, context.measure, facts, sketch, names, spec)
    terms = current_terms(table.metadata)
    return replace(
        health,
        partition_fields=None if terms is None else tuple(map(str, terms)),
        sort_columns=sorted_by(table.metadata),
        sequence_number=table.metadata.last_sequence_number or None,
        written_row_group_bytes=row_group_bytes(table.metadata),
        written_bloom_filters=bloom_filters(table.metadata),
    )
