"""The configured catalogs by the names under which engines know them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from prunescope.audit_jobs.config import TablesConfig


@dataclass(frozen=True, slots=True)
class CatalogNames:
    """Catalogs by their names and aliases, which are case-insensitive. Trino and Athena ignore the
    case of catalog names; Spark does not, and environment variables of PyIceberg do. `default` is
    the catalog of queries that name none: the only one that has tables, without the catalog of the
    audit tables beside others."""

    by_name: Mapping[str, str]
    default: str | None = None

    @classmethod
    def of(cls, config: TablesConfig) -> CatalogNames:
        """The catalog names of a configuration."""
        by_name = {
            alias.casefold(): name
            for name, catalog in config.catalogs.items()
            for alias in (name, *catalog.aliases)
        }
        own = {table.name.partition(".")[0] for table in config.tables}
        of_tables = {by_name.get(name.casefold(), name) for name in own} | {*config.catalogs}
        of_audit = set() if config.audit is None else {config.audit.catalog}
        named = of_tables - of_audit or of_tables
        return cls(by_name, next(iter(named)) if len(named) == 1 else None)

    def known(self, name: str | None) -> str | None:
        """The catalog of a name in any case, or the default for None; None if it is not
        configured."""
        return self.default if name is None else self.by_name.get(name.casefold())
