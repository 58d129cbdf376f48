"""The health of tables without any query log: by their metadata, in-process. Nothing is published.

The measures are those of an audit (`table_health`, `column_health`); the columns are those of the
sort order and of the partition spec, instead of those that queries filter by.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from prunescope.audit_jobs.config import TablesConfig
from prunescope.audit_jobs.health.condition import Condition, condition_of
from prunescope.audit_jobs.health.model import ColumnHealth, TableHealth
from prunescope.audit_jobs.isolation import attempt
from prunescope.audit_jobs.jobs.catalogs import of_each_catalog
from prunescope.audit_jobs.jobs.measuring import health_of, prepared_tables
from prunescope.audit_jobs.jobs.tables import TableFinder, is_made_by_audits, name_of
from prunescope.audit_jobs.planning.driver import Scans, replay_scans
from prunescope.audit_jobs.planning.runner import LocalRunner
from prunescope.audit_jobs.progress import Progress, counted
from prunescope.audit_jobs.suggestions import table_suggestion
from prunescope.audit_jobs.workload.extract import Used
from prunescope.collectors.errors import PrunescopeError
from prunescope.collectors.observed import TableName
from prunescope.collectors.tables.catalog import (
    CatalogMissing,
    Table,
    list_tables,
    load_in_time,
    why_lists_nothing,
)

STAGES = 3
"""The number of stages that a survey announces."""


class NoTables(PrunescopeError):
    """There is no table to look at."""

    code = "no_tables"


@dataclass(frozen=True, slots=True)
class Surveyed:
    """A table; its `health`, None if it has no snapshot, or with the `failure` that kept it
    unknown; and its `condition` by metadata, None if that cannot be read."""

    name: TableName
    health: TableHealth | None = None
    condition: Condition | None = None
    failure: str | None = None

    @property
    def needless_files(self) -> float:
        """The number of files that maintenance could save: small ones, delete files, those of old
        specs, and those that hold a value of the first sort column, beyond one in each partition.
        """
        health = self.health
        if health is None:
            return 0
        deletes = (
            health.position_delete_files + health.equality_delete_files + health.deletion_vectors
        )
        old = sum(n for spec, n in health.files_by_spec.items() if spec != health.spec_id)
        return health.small_files + deletes + old + self._unsorted_files

    @property
    def _unsorted_files(self) -> float:
        assert self.health is not None
        if self.condition is None or not self.condition.sorted_by:
            return 0
        column = self.health.column(self.condition.sorted_by[0])
        if column is None or column.depth is None:
            return 0
        return max(0.0, column.depth - (self.health.partitions or 1))

    @property
    def columns(self) -> Sequence[ColumnHealth]:
        """The measured columns: those of the sort order first."""
        if self.health is None or self.condition is None:
            return ()
        names = dict.fromkeys((*self.condition.sorted_by, *self.condition.partitioned_by))
        found = (self.health.column(name) for name in names)
        return [column for column in found if column is not None]


@dataclass(frozen=True, slots=True)
class Survey:
    """The tables, those with most needless files first and failed ones last; and why catalogs could
    not be listed."""

    tables: Sequence[Surveyed]
    unlisted: Sequence[PrunescopeError]


def survey(config: TablesConfig, pattern: str, progress: Progress) -> Survey:
    """Every configured table whose `catalog.namespace.table` matches a glob. Raises NoTables if
    none does, and CatalogUnavailable if the reason may be a catalog that cannot be listed."""
    progress("Listing tables")
    names, unlisted, hints = names_of(config)
    wanted = [name for name in names if fnmatchcase(str(name), pattern)]
    if not wanted and unlisted:
        raise unlisted[0]
    if not wanted:
        known = [str(name) for name in names]
        why = "; ".join(hints) if hints else table_suggestion(pattern, known)
        raise NoTables(f"no table matches {pattern!r}; {why}")
    progress("Opening tables")
    tables = TableFinder(config).find(wanted)
    progress("Reading manifests")
    now = dt.datetime.now(dt.UTC)
    found = [
        surveyed(table, now)
        for table in counted(tables.opened.values(), len(tables.opened), "tables")
    ]
    found += [Surveyed(name, failure=str(error)) for name, error in tables.failed.items()]
    ordered = sorted(
        found,
        key=lambda one: (
            one.failure is not None,
            -one.needless_files,
            -(one.health.bytes if one.health else 0),
            str(one.name),
        ),
    )
    return Survey(ordered, unlisted)


def names_of(config: TablesConfig) -> tuple[list[TableName], list[PrunescopeError], list[str]]:
    """All tables but the audit's own, in order; why catalogs could not be listed; and advice for
    catalogs that list none."""
    to = config.audit
    own = None if to is None else (to.catalog, tuple(to.namespace.split(".")))
    names = list(map(name_of, config.tables))
    unlisted: list[PrunescopeError] = []

    hints: list[str] = []

    def ask(name: str) -> list[tuple[str, ...]]:
        catalog = load_in_time(name, config.catalogs[name].properties)
        found = list(list_tables(catalog))
        if not found and (why := why_lists_nothing(catalog)) is not None:
            hints.append(f"catalog {name!r} lists no table: {why}")
        return found

    for name, listed in of_each_catalog("listing", ask, config.catalogs).items():
        if isinstance(listed, PrunescopeError):
            if not (isinstance(listed, CatalogMissing) and is_made_by_audits(config, name)):
                unlisted.append(listed)
        else:
            named = (TableName(name, table[:-1], table[-1]) for table in listed)
            names += (table for table in named if (name, table.namespace) != own)
    return sorted(names, key=str), unlisted, hints


def surveyed(table: Table, now: dt.datetime) -> Surveyed:
    """The health and the condition of an opened table, or the failure that keeps them unknown."""
    name = table.name
    condition = attempt(
        f"reading the metadata of {name}",
        table.storage.clock.timed(condition_of),
        table.metadata,
        now,
    )
    if isinstance(condition, PrunescopeError):
        return Surveyed(name, failure=str(condition))
    health = attempt(f"measuring {name}", _health, table)
    if isinstance(health, PrunescopeError):
        return Surveyed(name, None, condition, str(health))
    if isinstance(health, str):
        return Surveyed(name, None, condition, health)
    return Surveyed(name, health, condition)


def _health(table: Table) -> TableHealth | str | None:
    """The health of a table; a message if it is unknown; None if the table has no snapshot."""
    schema = table.metadata.schema(None)
    spec = table.metadata.specs(schema)[table.metadata.default_spec_id]
    wanted = {*table.metadata.sort_columns, *(field.source_id for field in spec.fields)}
    keys = [(c.field_id, c.type) for c in schema.columns if c.field_id in wanted]
    used = Used(schema.schema_id, columns=dict.fromkeys(keys))
    tables = {str(table.name): table}
    prepared = prepared_tables({str(table.name): {schema.schema_id: used}}, tables, {})
    runner = LocalRunner()
    replay = replay_scans(prepared.contexts, Scans(runner.items(()), {str(table.name): 0}), runner)
    health, unmeasured = health_of(prepared.contexts, replay, tables, {})
    failed = {name: why.message or why.code for name, why in prepared.failed.items()}
    messages = [*failed.values(), *prepared.unmeasured.values(), *unmeasured.values()]
    if messages:
        return messages[0]
    return health[0] if health else None
