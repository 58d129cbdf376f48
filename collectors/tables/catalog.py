"""Opening tables: by name in a PyIceberg catalog, or by a metadata file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from collectors.errors import PrunescopeError, TableError, TableNotFound
from collectors.queries.observed import TableName
from collectors.tables.metadata import TableMetadata, metadata_from_json, parse_metadata
from collectors.tables.storage import Storage

if TYPE_CHECKING:
    from pyiceberg.catalog import Catalog


class CatalogUnavailable(PrunescopeError):
    """A catalog cannot be reached or is configured wrongly."""

    code = "catalog_unavailable"


@dataclass(frozen=True, slots=True)
class Table:
    """A table as it is now: its name in messages and results, metadata, and how to read it."""

    name: TableName
    metadata: TableMetadata
    storage: Storage


def open_metadata_file(
    location: str, name: TableName, path_map: tuple[tuple[str, str], ...] = ()
) -> Table:
    """The table of one metadata file. Raises TableNotFound or UnreadableMetadata."""
    return _read(location, name, Storage(path_map))


def _read(location: str, name: TableName, storage: Storage) -> Table:
    try:
        content = storage.read(location)
    except FileNotFoundError as error:
        raise TableNotFound(f"there is no metadata file {location}; check the path") from error
    except OSError as error:
        raise TableError(
            f"metadata file {location} cannot be read ({type(error).__name__}); check "
            "permissions and, for remote paths, credentials"
        ) from error
    return Table(name, parse_metadata(content, location), storage)


def load_catalog(name: str, properties: Mapping[str, str]) -> Catalog:
    """A PyIceberg catalog (SQL, REST, Hive, Glue, …) by its properties, on top of what
    PyIceberg's own configuration says of `name`. Raises CatalogUnavailable."""
    from pyiceberg import catalog  # noqa: PLC0415  # a second to import, not always needed

    from collectors.tables.catalog_answers import ignore_table_properties  # noqa: PLC0415

    try:
        loaded = catalog.load_catalog(name, **properties)
    except Exception as error:  # each kind of catalog raises its own
        raise CatalogUnavailable(
            f"catalog {name!r} cannot be opened ({type(error).__name__}); check its type, uri "
            "and credentials in the configuration"
        ) from error
    ignore_table_properties(loaded)
    return loaded


def open_table(
    catalog: Catalog, name: TableName, path_map: tuple[tuple[str, str], ...] = ()
) -> Table:
    """A table of a catalog. Raises TableNotFound, or TableError if the catalog fails."""
    from pyiceberg.exceptions import (  # noqa: PLC0415
        NoSuchNamespaceError,
        NoSuchTableError,
    )

    from collectors.tables.catalog_answers import ask  # noqa: PLC0415

    try:
        answer = ask(catalog, (*name.namespace, name.table))
    except (NoSuchTableError, NoSuchNamespaceError) as error:
        raise TableNotFound(f"catalog {catalog.name!r} has no table {name}") from error
    except Exception as error:  # each kind of catalog raises its own
        raise TableError(
            f"catalog {catalog.name!r} cannot load {name} ({type(error).__name__}); is the "
            "catalog up, and the table an Iceberg table that PyIceberg reads?"
        ) from error
    storage = Storage(path_map, answer.properties)
    if answer.document is not None:
        metadata = metadata_from_json(answer.document, answer.metadata_location)
        return Table(name, metadata, storage)
    return _read(answer.metadata_location, name, storage)
