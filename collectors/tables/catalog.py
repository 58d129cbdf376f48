"""Opening tables: by name in a PyIceberg catalog, or by a metadata file."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from prunescope.collectors.addresses import address_shown, leads_elsewhere
from prunescope.collectors.errors import (
    PrunescopeError,
    TableError,
    TableNotFound,
    TableTooSlow,
    UnreadableMetadata,
)
from prunescope.collectors.observed import TableName
from prunescope.collectors.outcomes import Outcome
from prunescope.collectors.storage import limits
from prunescope.collectors.storage.clock import Clock
from prunescope.collectors.storage.files import Storage
from prunescope.collectors.storage.places import of_catalog, of_metadata_file
from prunescope.collectors.storage.random_access import FILE_SECONDS, read_whole, within
from prunescope.collectors.storage.unreadable import FileMissing, FileUnreadable, table_error
from prunescope.collectors.tables.catalog_errors import (
    lost_metadata,
    why_catalog_failed,
    why_no_table,
)
from prunescope.collectors.tables.catalog_patience import patiently_asked
from prunescope.collectors.tables.catalog_threads import (
    CallTimeout,
    bound_requests,
    is_of_one_thread,
    keep_connections,
    leave_connections,
)
from prunescope.collectors.tables.earlier_states import name_at, reaching_back
from prunescope.collectors.tables.metadata import TableMetadata
from prunescope.collectors.tables.metadata_reading import metadata_from_json, parse_metadata
from prunescope.collectors.tables.sql_catalogs import (
    MAKES_NO_TABLES,
    lacks_tables,
    missing_database,
    why_empty,
)

if TYPE_CHECKING:
    from pyiceberg.catalog import Catalog


_Result = TypeVar("_Result")

PathMap = tuple[tuple[str, str], ...]

_OF_STORAGE = ("s3.", "gcs.", "adls.", "hdfs.", "client.")
"""Prefixes of the properties of PyIceberg's FileIO."""


class CatalogUnavailable(PrunescopeError):
    """A catalog cannot be reached or is configured wrongly."""

    code = Outcome.CATALOG_UNAVAILABLE


class CatalogMissing(CatalogUnavailable):
    """The file or the tables of a SQL catalog do not exist, and the caller only reads."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table as it is now: its name in messages and results, metadata, and how to read it."""

    name: TableName
    metadata: TableMetadata
    storage: Storage


def open_metadata_file(
    location: str,
    name: TableName,
    path_map: PathMap = (),
    allowed: Sequence[str] = (),
    seconds: float = math.inf,
    properties: Mapping[str, str] | None = None,
) -> Table:
    """The table of one metadata file, which whoever runs prunescope names.

    Files are read by `properties` of a FileIO, in the table's folder, where `allowed`, and in the
    targets of `path_map`; what is read of the table later too takes no more than so many `seconds`.
    Raises TableNotFound, StorageError, UnreadableMetadata or TableTooSlow.
    """
    storage = Storage(path_map, properties or {}, clock=Clock(seconds))
    # The file itself was named by whoever asks.
    try:
        metadata = _read(location, storage)
    except FileMissing as error:
        raise TableNotFound(f"No metadata file {location}. Check the path.") from error
    places = of_metadata_file(storage.locate(location), allowed, path_map)
    return Table(name, metadata, replace(storage, places=places))


def _read(location: str, storage: Storage) -> TableMetadata:
    """The metadata at a location. Raises FileMissing, which means different things to who named the
    location, StorageError, UnreadableMetadata or TableTooSlow."""
    try:
        content = read_whole(storage, location, limits.METADATA)
    except FileMissing:
        raise
    except FileUnreadable as error:
        raise table_error("the metadata file", error) from error
    return storage.clock.timed(parse_metadata)(content, location)


def load_catalog(name: str, properties: Mapping[str, str], *, makes: bool = False) -> Catalog:
    """A PyIceberg catalog (SQL, REST, Hive, Glue, …) by its properties, on top of what
    PyIceberg's own configuration says of `name`. Of a SQL catalog that is not there, a file or
    tables are made only for who `makes` catalogs. Raises CatalogUnavailable, and CatalogMissing."""
    from pyiceberg import catalog  # noqa: PLC0415  # a second to import, not always needed

    from prunescope.collectors.tables.catalog_answers import ignore_table_properties  # noqa: PLC0415

    known = _properties(name, properties)
    if not makes and (missing := missing_database(known)) is not None:
        raise CatalogMissing(
            f"catalog {name!r}{_at(known)} cannot be opened: there is no file {missing}; check the "
            "path"
        )
    try:
        loaded = catalog.load_catalog(name, **{**properties, **({} if makes else MAKES_NO_TABLES)})
        is_missing = not makes and lacks_tables(loaded)
    except Exception as error:  # each kind of catalog raises its own
        why = why_catalog_failed(error, name, known)
        raise CatalogUnavailable(f"catalog {name!r}{_at(known)} cannot be opened: {why}") from error
    if is_missing:
        raise CatalogMissing(
            f"Cannot open catalog {name!r}{_at(known)}: its database has no catalog tables. Check "
            f"the address."
        )
    ignore_table_properties(loaded)
    keep_connections(loaded)
    bound_requests(loaded, FILE_SECONDS)
    return loaded


def storage_of(name: str, properties: Mapping[str, str], path_map: PathMap = ()) -> Storage:
    """The storage of a catalog's tables: its addresses and credentials, also those of PyIceberg's
    own configuration. The catalog is not asked."""
    known = _properties(name, properties).items()
    found = {key: str(value) for key, value in known if key.startswith(_OF_STORAGE)}
    return Storage(path_map, found)


def _properties(name: str, properties: Mapping[str, str]) -> Mapping[str, Any]:
    """The properties with those of PyIceberg's own configuration of the catalog, if readable."""
    from pyiceberg.utils.config import Config  # noqa: PLC0415

    try:
        return {**(Config().get_catalog_config(name) or {}), **properties}
    except Exception:  # noqa: BLE001  # of any YAML, and the error is told without it
        return properties


def _at(properties: Mapping[str, Any]) -> str:
    shown = address_shown(properties.get("uri", ""))
    return "" if shown is None else f" at {shown}"


def load_in_time(name: str, properties: Mapping[str, str], *, makes: bool = False) -> Catalog:
    """Loads a catalog as `load_catalog` does, but in no more time than a file has, and again if the
    catalog is busy. Raises CatalogUnavailable."""
    loading = partial(load_catalog, name, properties, makes=makes)
    try:
        return within(FILE_SECONDS, partial(patiently_asked, loading), name)
    except FileUnreadable:
        raise _too_slow(name) from None


def _too_slow(name: str) -> CatalogUnavailable:
    return CatalogUnavailable(
        f"Catalog {name!r} did not answer within {FILE_SECONDS:g} s. Try again later."
    )


def why_lists_nothing(catalog: Catalog) -> str | None:
    """The remedy for a catalog without tables, None if the catalog itself shows none."""
    try:
        return in_time(catalog, partial(why_empty, catalog))
    except Exception:  # noqa: BLE001  # of any driver, and it told more when it was asked for tables
        return None


def not_listed(catalog: Catalog, error: Exception) -> CatalogUnavailable:
    """The error of a catalog that cannot list its tables."""
    why = why_catalog_failed(error, catalog.name, catalog.properties)
    return CatalogUnavailable(
        f"catalog {catalog.name!r}{_at(catalog.properties)} cannot list its tables: {why}"
    )


def list_tables(catalog: Catalog) -> Iterator[tuple[str, ...]]:
    """The names of all tables of a catalog, their namespaces before them, in one order. Raises
    CatalogUnavailable, also where a list does not end in the time of a file."""
    from pyiceberg.exceptions import NoSuchNamespaceError  # noqa: PLC0415

    waiting: list[tuple[str, ...]] = [()]
    seen: set[tuple[str, ...]] = set()
    try:
        while waiting:
            namespace = waiting.pop()
            try:
                # Some catalogs list all for any, or refuse to look into one that holds tables.
                listed = in_time(catalog, partial(catalog.list_namespaces, namespace))
                inside = sorted(n for n in listed if n not in seen)
            except NoSuchNamespaceError:
                inside = []
            seen.update(inside)
            waiting += inside
            if namespace:
                yield from sorted(in_time(catalog, partial(catalog.list_tables, namespace)))
    except CatalogUnavailable:
        raise
    except Exception as error:  # each kind of catalog raises its own
        raise not_listed(catalog, error) from error


def in_time(catalog: Catalog, asking: Callable[[], _Result]) -> _Result:
    """Asks a catalog for something that changes nothing: again if it is busy, and for no more time
    than a file has. Raises what `asking` raises, and CatalogUnavailable when the time is up."""
    patient = partial(patiently_asked, asking)
    if is_of_one_thread(catalog):
        return patient()
    try:
        return within(FILE_SECONDS, patient, catalog.name)
    except Exception as error:
        # A request, or a call, has the same limit: either may be over first.
        is_late = isinstance(error, FileUnreadable | CallTimeout)
        if not is_late and type(error).__name__ != "ReadTimeout":
            raise
        leave_connections(catalog)
        raise _too_slow(catalog.name) from None


def open_table(
    catalog: Catalog,
    name: TableName,
    path_map: PathMap = (),
    allowed: Sequence[str] = (),
    seconds: float = math.inf,
    since: dt.datetime | None = None,
) -> Table:
    """A table of a catalog. Files are read only where the catalog says, where `allowed`, and in the
    targets of `path_map`; what is read of the table later too takes no more than so many `seconds`.
    The metadata reach back to `since` (with a time zone) where the catalog has earlier states by
    names of their own. Raises TableNotFound, StorageError, UnreadableMetadata, TableTooSlow,
    CatalogUnavailable if the catalog fails, or TableError if it does not have where the metadata
    is."""
    from prunescope.collectors.tables.catalog_answers import ask, place_of_namespace  # noqa: PLC0415

    if not name.namespace or not all(map(str.strip, (*name.namespace, name.table))):
        raise TableNotFound(
            f"Table {name.shown} has no namespace. Write namespace.table, or set the session's "
            f"schema."
        )
    if any(map(leads_elsewhere, (*name.namespace, name.table))):
        raise TableNotFound(
            f"catalog {catalog.name!r} is not asked for {name.shown}: a part of the name is `.` or "
            "`..`, or does not show, and would lead to another address; correct the query"
        )
    clock = Clock(seconds)
    answer = _asked(catalog, name, clock, partial(ask, catalog, (*name.namespace, name.table)))
    storage = Storage(path_map, answer.properties, clock=clock, vended=answer.vended)
    places = of_catalog(answer.properties, answer.places, allowed, path_map)
    if not places.has(storage.locate(answer.metadata_location)):
        asking = partial(place_of_namespace, catalog, name.namespace)
        if (place := _asked(catalog, name, clock, asking)) is not None:
            places = of_catalog(answer.properties, [*answer.places, place], allowed, path_map)
    storage = replace(storage, places=places)
    if answer.document is not None:
        document, location = answer.document, answer.metadata_location
        metadata = clock.timed(metadata_from_json)(document, location)
    else:
        try:
            metadata = _read(answer.metadata_location, storage)
        except FileMissing as error:  # another table than one that is not there
            raise lost_metadata(error, storage, answer.metadata_location) from error
    named = name_at(catalog.properties, name.table)
    if since is not None and named is not None:
        state_at = partial(_state_at, catalog, name, named, clock)
        metadata = reaching_back(metadata, state_at, since)
    return Table(name, metadata, storage)


def _state_at(
    catalog: Catalog,
    name: TableName,
    named: Callable[[dt.datetime], str],
    clock: Clock,
    moment: dt.datetime,
) -> TableMetadata:
    """A table as it was at a moment. Raises as `open_table`."""
    from prunescope.collectors.tables.catalog_answers import ask  # noqa: PLC0415

    asking = partial(ask, catalog, (*name.namespace, named(moment)))
    answer = _asked(catalog, name, clock, asking)
    return clock.timed(metadata_from_json)(answer.document, answer.metadata_location)


def _asked(catalog: Catalog, name: TableName, clock: Clock, ask: Callable[[], _Result]) -> _Result:
    """Asks a catalog about a table, in the time that is left for the table. Raises TableError,
    TableTooSlow, or CatalogUnavailable."""
    from pyiceberg.exceptions import (  # noqa: PLC0415
        NoSuchNamespaceError,
        NoSuchPropertyException,
        NoSuchTableError,
    )

    asking = partial(patiently_asked, ask)
    try:
        with clock.running():
            if is_of_one_thread(catalog):
                return asking()
            return within(min(FILE_SECONDS, clock.left), asking, str(name))
    except (NoSuchTableError, NoSuchNamespaceError, NoSuchPropertyException) as error:
        raise _no_table(catalog, name, error) from error
    except FileUnreadable:
        leave_connections(catalog)
        clock.check()
        raise CatalogUnavailable(
            f"Catalog {catalog.name!r} did not return {name.shown} within {FILE_SECONDS:g} s. Try "
            f"again later."
        ) from None
    except (TableTooSlow, UnreadableMetadata):
        raise
    except Exception as error:  # each kind of catalog raises its own
        raise CatalogUnavailable(
            f"catalog {catalog.name!r}{_at(catalog.properties)} cannot load {name.shown}: "
            f"{why_catalog_failed(error, catalog.name, catalog.properties)}"
        ) from error


def _no_table(catalog: Catalog, name: TableName, error: Exception) -> TableError:
    found = why_no_table(error)
    if found is None:
        why = why_lists_nothing(catalog)
        return TableNotFound(
            f"catalog {catalog.name!r} has no table {name.shown}{'' if why is None else f': {why}'}"
        )
    return TableError(f"catalog {catalog.name!r} has {name}, {found}")
