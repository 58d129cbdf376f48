"""Finding the tables that queries name: in catalogs, or among the configured metadata files."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from prunescope.audit_jobs.catalog_names import CatalogNames
from prunescope.audit_jobs.config import MetadataTable, TablesConfig
from prunescope.audit_jobs.isolation import attempt
from prunescope.audit_jobs.jobs.at_once import at_once
from prunescope.audit_jobs.jobs.catalogs import of_each_catalog
from prunescope.audit_jobs.progress import counted
from prunescope.audit_jobs.suggestions import suggestion
from prunescope.collectors.errors import PrunescopeError, TableNotFound
from prunescope.collectors.observed import TableName
from prunescope.collectors.storage.clock import too_slow
from prunescope.collectors.tables.catalog import (
    Table,
    load_in_time,
    open_metadata_file,
    open_table,
)
from prunescope.collectors.tables.catalog_threads import ASKED_AT_ONCE
from prunescope.collectors.tables.nearby_names import names_in

if TYPE_CHECKING:
    from pyiceberg.catalog import Catalog


@dataclass(frozen=True)
class Tables:
    """The tables of a run by the names that queries use and by their own, and why others could not
    be opened. Names of catalogs that are not configured are in neither: they are no Iceberg tables.
    """

    opened: dict[TableName, Table] = field(default_factory=dict)
    failed: dict[TableName, PrunescopeError] = field(default_factory=dict)

    def set_failed(self, name: TableName, error: PrunescopeError) -> None:
        """Moves an opened table to those that could not be opened."""
        del self.opened[name]
        self.failed[name] = error


class TableFinder:
    """Opens tables by the names that queries use. Catalogs are loaded once, when first named."""

    def __init__(self, config: TablesConfig) -> None:
        self._config = config
        self._names = CatalogNames.of(config)
        self._files = {table.name.casefold(): table for table in config.tables}
        self._catalogs: dict[str, object] = {}

    def find(
        self,
        names: Iterable[TableName],
        others: Iterable[TableName] = (),
        since: Mapping[TableName, dt.datetime] = MappingProxyType({}),
    ) -> Tables:
        """Opens tables, several at once, each with its state `since` a time (with a time zone). A
        table that fails stops none of the others, and one that exceeds its time limit delays none
        of them further. `others` are names for tables that are opened anyway; none is opened for
        these."""
        asked = {name: self.resolve(name) for name in names if self.is_iceberg(name)}
        wanted = list(dict.fromkeys(asked.values()))
        first: dict[str, dt.datetime] = {}
        for name in asked.keys() & since.keys():
            spelled = str(asked[name]).casefold()
            first[spelled] = min(since[name], first.get(spelled, since[name]))
        self._load({name.catalog or "" for name in wanted} & set(self._config.catalogs))
        seconds = self._config.table_timeout_seconds
        opening = at_once(
            partial(self._try_to_open, first), wanted, most=ASKED_AT_ONCE, seconds=seconds
        )
        answers = dict(counted(opening, len(wanted), "tables"))
        found = {name: answer or too_slow(seconds) for name, answer in answers.items()}
        own = _spelled_once(table for table in found.values() if isinstance(table, Table))
        tables = Tables()
        for name, known in asked.items():
            table = found[known]
            if isinstance(table, Table):
                table = own[_spelling(table)]
                tables.opened[name] = tables.opened[table.name] = table
            else:
                tables.failed[name] = table
        for name in others:
            known = self.resolve(name)
            opened = tables.opened.get(known) or tables.opened.get(_in_lower_case(known))
            if opened is not None:
                tables.opened.setdefault(name, opened)
        return tables

    def resolve(self, name: TableName) -> TableName:
        """The name of a table in the configuration: engines know its catalog by other names."""
        known = replace(name, catalog=self._names.known(name.catalog) or name.catalog)
        file = self._files.get(str(known).casefold())
        return known if file is None else name_of(file)

    def nearest(self, name: TableName) -> str:
        """A suggestion for a name that is not found, from the names that its catalog lists, as the
        end of a message; empty if there is none."""
        known = self.resolve(name)
        catalog = known.catalog or ""
        if catalog not in self._config.catalogs:
            return f"; {suggestion(str(name), [table.name for table in self._config.tables])}"
        self._load({catalog})
        loaded: Any = self._catalogs[catalog]
        found = None if isinstance(loaded, PrunescopeError) else nearest_in(loaded, known)
        return "" if found is None else f"; {found}"

    def is_iceberg(self, name: TableName) -> bool:
        """True if a table of this name is configured, or its catalog is."""
        known = self.resolve(name)
        return str(known).casefold() in self._files or known.catalog in self._config.catalogs

    def _load(self, catalogs: set[str]) -> None:
        known = self._config.catalogs
        self._catalogs |= of_each_catalog(
            "opening",
            lambda name: load_in_time(name, known[name].properties),
            [name for name in known if name in catalogs and name not in self._catalogs],
        )

    def _try_to_open(
        self, since: Mapping[str, dt.datetime], name: TableName
    ) -> Table | PrunescopeError:
        moment = since.get(str(name).casefold())
        return attempt(f"opening {name.shown}", self._open, name, moment)

    def _open(self, name: TableName, since: dt.datetime | None) -> Table:
        file = self._files.get(str(name).casefold())
        if file is not None:
            return open_metadata_file(
                file.metadata,
                name,
                self._config.path_prefixes,
                self._config.locations.allow,
                self._config.table_timeout_seconds,
            )
        catalog = self._catalogs[name.catalog or ""]
        if isinstance(catalog, PrunescopeError):
            raise catalog
        return self._open_in(catalog, name, since)

    def _open_in(self, catalog: object, name: TableName, since: dt.datetime | None) -> Table:
        """The table of this name, else of the name in lower case: SQL ignores the case of unquoted
        names, and catalogs do not."""
        try:
            return self._load_table(catalog, name, since)
        except TableNotFound:
            lower = _in_lower_case(name)
            if lower == name:
                raise
            return self._load_table(catalog, lower, since)

    def _load_table(self, catalog: object, name: TableName, since: dt.datetime | None) -> Table:
        config = self._config
        return open_table(
            catalog,  # type: ignore[arg-type]
            name,
            config.path_prefixes,
            config.locations.allow,
            config.table_timeout_seconds,
            since,
        )


def nearest_in(catalog: Catalog, name: TableName) -> str | None:
    """A suggestion for a table that a catalog does not have, from the names that it lists; None if
    it lists none."""
    found = attempt(f"listing the tables beside {name}", names_in, catalog, name.namespace)
    if isinstance(found, PrunescopeError):
        return None
    tables, namespaces = found
    if tables:
        return suggestion(name.table, tables)
    if namespaces and name.namespace[-1] not in namespaces:
        last = name.namespace[-1]
        return f"it has no namespace {last}: {suggestion(last, namespaces)}"
    return None


def _in_lower_case(name: TableName) -> TableName:
    return TableName(name.catalog, tuple(p.lower() for p in name.namespace), name.table.lower())


def is_made_by_audits(config: TablesConfig, catalog: str) -> bool:
    """True if a missing catalog is no mistake: it holds the audit tables, and other catalogs, or
    metadata files, hold the tables that queries read. The first audit makes it."""
    is_audits = config.audit is not None and catalog == config.audit.catalog
    return is_audits and bool({*config.catalogs} - {catalog} or config.tables)


def name_of(file: MetadataTable) -> TableName:
    """The name of a table that is configured by its metadata file."""
    catalog, *namespace, table = file.name.split(".")
    return TableName(catalog, tuple(namespace), table)


def _spelling(table: Table) -> tuple[str, str | None]:
    return str(table.name).casefold(), table.metadata.table_uuid


def _spelled_once(tables: Iterable[Table]) -> dict[tuple[str, str | None], Table]:
    """One table for each name that catalogs know in several cases: the one in lower case, if any
    query writes it so, because that sorts last."""
    return {_spelling(table): table for table in sorted(tables, key=lambda one: str(one.name))}
