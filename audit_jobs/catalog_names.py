"""The configured catalogs by the names under which engines know them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from audit_jobs.config import TablesConfig


@dataclass(frozen=True, slots=True)
class CatalogNames:
    """Catalogs by their names and aliases, of which case tells no two apart. Trino and Athena know
    no case in names of catalogs; Spark does, and environment variables of PyIceberg do not.
    `default` is that of queries that name none: the only one that has tables, not counting that of
    the audit tables beside others."""

    by_name: Mapping[str, str]
    default: str | None = None

    @classmethod
    def of(cls, config: TablesConfig) -> CatalogNames:
        """Those of a configuration."""
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
        """The catalog of a name in any case, or of none; None where it is none of the configured
        ones."""
        return self.default if name is None else self.by_name.get(name.casefold())
