"""Requests to a REST catalog for new credentials of a table, also from other processes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any, cast

from prunescope.collectors.storage.random_access import within
from prunescope.collectors.tables.catalog_threads import bound_requests
from prunescope.collectors.tables.rest_answers import RestAnswer, load

if TYPE_CHECKING:
    from pyiceberg.catalog.rest import RestCatalog

_SECONDS = 60.0
"""Within which a catalog hands out credentials: readers wait for it."""


@dataclass(frozen=True, slots=True)
class AskForCredentials:
    """Asks for the credentials of the table of this identifier. `properties` are those of the
    catalog, as JSON."""

    catalog: str
    properties: str = field(repr=False)
    identifier: tuple[str, ...]

    @classmethod
    def of(cls, catalog: RestCatalog, identifier: tuple[str, ...]) -> AskForCredentials:
        """Asks a catalog as it was opened, with the same properties."""
        said = json.dumps(dict(catalog.properties), sort_keys=True, default=str)
        return cls(catalog.name, said, identifier)

    def __call__(self) -> Mapping[str, Any]:
        """The credentials. Raises what the catalog raises, and FileUnreadable if it takes too
        long."""
        return within(_SECONDS, self._ask, self.catalog)

    def _ask(self) -> Mapping[str, Any]:
        catalog = _opened(self.catalog, self.properties)
        return handed_out(catalog, load(catalog, self.identifier))


def handed_out(catalog: RestCatalog, response: RestAnswer) -> dict[str, Any]:
    """Properties and credentials that a REST catalog hands out with a table; the most special
    credentials win (REST spec, "LoadTableResult")."""
    credentials = catalog._resolve_storage_credentials(  # noqa: SLF001
        response.storage_credentials, response.metadata_location
    )
    return {**response.config, **credentials}


@lru_cache(maxsize=16)
def _opened(name: str, properties: str) -> RestCatalog:
    """The catalog, opened once for all tables that this process reads."""
    from pyiceberg.catalog import load_catalog  # noqa: PLC0415  # not needed before

    found = load_catalog(name, **json.loads(properties))
    bound_requests(found, _SECONDS)
    return cast("RestCatalog", found)
