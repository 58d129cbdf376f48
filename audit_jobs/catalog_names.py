"""The configured catalogs by the names under which engines know them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from audit_jobs.config import TablesConfig


@dataclass(frozen=True, slots=True)
class CatalogNames:
    """Catalogs by their names and aliases, of which case tells no two apart. Trino and Athena know
    no case in names of catalogs; Spark does, and environment variables of PyIceberg do not."""

    by_name: Mapping[str, str]

    @classmethod
    def of(cls, config: TablesConfig) -> CatalogNames:
        """Those of a configuration."""
        return cls(
            {
                alias.casefold(): name
                for name, catalog in config.catalogs.items()
                for alias in (name, *catalog.aliases)
            }
        )

    def known(self, name: str | None) -> str | None:
        """The catalog of a name in any case; None where it is none of the configured ones."""
        return None if name is None else self.by_name.get(name.casefold())
