"""Answers of a catalog for a table, without properties that the table sets itself.

PyIceberg 0.12 reads a table's metadata file and merges the table's own properties over the
catalog's before it makes a FileIO. Whoever owns a table would so choose code (`py-io-impl`),
endpoints, signers, proxies and credentials. No property of a table reaches a FileIO: the list of
permitted ones is empty, because even a region ends up in a host's name. Properties that a REST
catalog vends with a table (`config`, `storage-credentials`) are the catalog's word, and do.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn

from pyiceberg.io import PY_IO_IMPL, FileIO, InputFile, OutputFile, load_file_io
from pyiceberg.typedef import EMPTY_DICT

from prunescope.collectors.storage.places import above_metadata
from prunescope.collectors.storage.vended import Vended
from prunescope.collectors.tables.catalog_errors import is_refused
from prunescope.collectors.tables.catalog_threads import for_this_thread

if TYPE_CHECKING:
    from pyiceberg.catalog import Catalog
    from pyiceberg.catalog.rest import RestCatalog, TableResponse
    from pyiceberg.table import Table


_KNOW_DATABASES = {"HiveCatalog", "GlueCatalog"}
"""Catalogs whose tables say themselves where their metadata is, and whose databases have owners of
their own."""


@dataclass(frozen=True, slots=True)
class CatalogAnswer:
    """The location of the table's metadata file, the properties to read the table's files with, and
    the parsed metadata, if the catalog sent that too; `vended` are credentials that it hands out
    with the table, and `places` are those in which the catalog itself says that the table may
    be."""

    metadata_location: str
    properties: Mapping[str, Any]
    document: dict[str, Any] | None = None
    vended: Vended | None = None
    places: tuple[str, ...] = ()


class _Asked(Exception):
    def __init__(self, location: str) -> None:
        super().__init__(location)
        self.location = location


class UnopenedFileIO(FileIO):
    """Opens nothing, but reveals the file that a catalog wants to read, which is the metadata."""

    def new_input(self, location: str) -> InputFile:
        """Raises the location."""
        raise _Asked(location)

    def new_output(self, location: str) -> OutputFile:
        """Raises PermissionError."""
        return _refuse(location)

    def delete(self, location: str | InputFile | OutputFile) -> None:
        """Raises PermissionError."""
        _refuse(str(location))


def _refuse(location: str) -> NoReturn:
    raise PermissionError(f"{location} is not to be written")


def ask(catalog: Catalog, identifier: tuple[str, ...]) -> CatalogAnswer:
    """Loads a table as far as the catalog itself goes. Raises what the catalog raises."""
    if hasattr(catalog, "_response_to_table"):
        return _ask_rest(catalog, identifier)
    asking: Any = for_this_thread(catalog)
    asking.properties = {
        **catalog.properties,
        PY_IO_IMPL: f"{UnopenedFileIO.__module__}.{UnopenedFileIO.__qualname__}",
    }
    asking._load_file_io = lambda *_, **__: UnopenedFileIO()  # noqa: SLF001
    try:
        found = asking.load_table(identifier)
    except _Asked as asked:
        return CatalogAnswer(asked.location, dict(catalog.properties))
    document = found.metadata.model_dump(mode="json", by_alias=True)
    location = found.metadata_location or found.metadata.location
    return CatalogAnswer(location, dict(catalog.properties), document)


def _ask_rest(catalog: Any, identifier: tuple[str, ...]) -> CatalogAnswer:
    # Others need not wait for these.
    from prunescope.collectors.tables.rest_answers import load  # noqa: PLC0415
    from prunescope.collectors.tables.vended_credentials import (  # noqa: PLC0415
        AskForCredentials,
        handed_out,
    )

    found = load(catalog, identifier)
    location = found.metadata_location or str(found.metadata.get("location", ""))
    handed = handed_out(catalog, found)
    properties = {**catalog.properties, **handed, **_authentication(catalog)}
    vended = Vended(AskForCredentials.of(catalog, identifier), handed) if handed else None
    places = [credential.prefix for credential in found.storage_credentials]
    if found.metadata_location:
        places.append(above_metadata(found.metadata_location))
    return CatalogAnswer(location, properties, found.metadata, vended, tuple(places))


def place_of_namespace(catalog: Catalog, namespace: tuple[str, ...]) -> str | None:
    """The location of a namespace's tables by its catalog, if saying so needs another right than
    changing tables: in databases of SQL catalogs, all rows are of whoever writes tables. None if
    the catalog refuses the right to read it. Raises what the catalog raises otherwise."""
    if not _KNOW_DATABASES & {kind.__name__ for kind in type(catalog).__mro__}:
        return None
    try:
        found = for_this_thread(catalog).load_namespace_properties(namespace)
    except Exception as error:
        if is_refused(error):
            return None
        raise
    return found.get("location")


def _authentication(catalog: RestCatalog) -> dict[str, Any]:
    from pyiceberg.catalog.rest.auth import AUTH_MANAGER  # noqa: PLC0415

    manager = catalog._auth_manager  # noqa: SLF001
    return {AUTH_MANAGER: manager} if manager else {}


def ignore_table_properties(catalog: Catalog) -> None:
    """Makes the catalog read and write all tables that it loads or creates from now on with its own
    properties, and those that it vends, not with the tables'."""
    guarded: Any = catalog
    if hasattr(catalog, "_response_to_table"):
        to_table = catalog._response_to_table  # noqa: SLF001

        def without(identifier: tuple[str, ...], response: TableResponse) -> Table:
            bare = response.metadata.model_copy(update={"properties": {}})
            table: Table = to_table(identifier, response.model_copy(update={"metadata": bare}))
            table.metadata = response.metadata
            return table

        guarded._response_to_table = without  # noqa: SLF001
        return

    def load(
        properties: Mapping[str, Any] = EMPTY_DICT,  # noqa: ARG001  # those of the table
        location: str | None = None,
    ) -> FileIO:
        return load_file_io(dict(catalog.properties), location)

    guarded._load_file_io = load  # noqa: SLF001
