"""The configured catalogs by the names under which engines know them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from audit_jobs.config import TablesConfig


@dataclass(frozen=True, slots=True)
class CatalogNames:
    """Catalogs by their names and aliases, and by these without regard to case, where they are no
    two catalogs. Trino and Athena know no case in names of catalogs; Spark does."""

    exactly: Mapping[str, str]
    in_any_case: Mapping[str, str]

    @classmethod
    def of(cls, config: TablesConfig) -> CatalogNames:
        """Those of a configuration."""
        exactly = {
            alias: name
            for name, catalog in config.catalogs.items()
            for alias in (name, *catalog.aliases)
        }
        named: dict[str, set[str]] = {}
        for alias, name in exactly.items():
            named.setdefault(alias.casefold(), set()).add(name)
        alone = {alias: names.pop() for alias, names in named.items() if len(names) == 1}
        return cls(exactly, alone)

    def known(self, name: str | None) -> str | None:
        """The catalog of a name, as it is written or else in any case; None where it is none of the
        configured ones."""
        if name is None:
            return None
        return self.exactly.get(name, self.in_any_case.get(name.casefold()))
