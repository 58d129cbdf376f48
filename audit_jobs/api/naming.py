"""Tables, planners and sessions by the names that people give them."""

from __future__ import annotations

import datetime as dt
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING

from prunescope.audit_jobs.errors import BadArgument
from prunescope.audit_jobs.session_names import unknown_dialect, unknown_zone
from prunescope.audit_jobs.suggestions import suggestion

if TYPE_CHECKING:
    from pyiceberg.table import Table as IcebergTable

    from prunescope.collectors.queries.sql_files import SqlSession
    from prunescope.collectors.sql.planners.profiles import Planner
    from prunescope.collectors.tables.catalog import Table

Config = str | PathLike[str]
"""The path of a configuration."""

CONFIG = "audit.yaml"
"""The configuration that is read where none is named."""


def path_of(config: Config) -> Path:
    """The path of a configuration."""
    return Path(fspath(config))


def planner_named(text: str) -> Planner:
    """The planner that ENGINE[-VERSION][/ICEBERG] names; missing versions are the newest. Raises
    BadArgument."""
    from prunescope.collectors.sql.planners.profiles import planner_of
    from prunescope.collectors.sql.planners.registry import ENGINES

    engine, version, iceberg = engine_parts(text)
    planner = planner_of(engine, version, iceberg, is_asked=True)
    if planner is None:
        raise BadArgument(f"Unknown planner {text!r}: {suggestion(engine.lower(), ENGINES)}")
    return planner


def engine_parts(text: str) -> tuple[str, str, str]:
    """Engine, its version, and that of its Iceberg library; missing versions are the newest."""
    from prunescope.collectors.sql.planners.profiles import NEWEST

    named, _, iceberg = text.partition("/")
    engine, _, engine_version = named.partition("-")
    return engine, engine_version or NEWEST, iceberg or NEWEST


def session_named(
    engine: str | None,
    dialect: str | None,
    time_zone: str,
    *,
    catalog: str | None = None,
    schema: str | None = None,
) -> SqlSession:
    """The session of SQL texts; of dialect and engine, one follows from the other. Raises
    BadArgument."""
    from prunescope.collectors.queries.sql_files import SqlSession
    from prunescope.collectors.sql.dialects import dialect_named_by
    from prunescope.collectors.sql.planners.registry import ENGINES

    if engine is not None and not planner_named(engine).profile.in_logs:
        raise BadArgument(f"{engine} plans no audit: ask `prunescope explain --planner {engine}`")
    known_zone(time_zone)
    named, version, iceberg = engine_parts((engine or dialect or "trino").lower())
    is_known = named in ENGINES
    return SqlSession(
        dialect=known_dialect(dialect or dialect_named_by(named) or "trino"),
        engine=named if is_known else None,
        engine_version=version if is_known else None,
        iceberg_version=iceberg if is_known else None,
        catalog=catalog,
        schema=schema,
        time_zone=time_zone,
    )


def known_dialect(name: str) -> str:
    """The name of a dialect in lower case. Raises BadArgument."""
    if (problem := unknown_dialect(name)) is not None:
        raise BadArgument(problem)
    return name.strip().lower()


def known_zone(name: str) -> str:
    """The name of a time zone. Raises BadArgument."""
    if (problem := unknown_zone(name)) is not None:
        raise BadArgument(problem)
    return name


def open_named(named: str, config: Path, since: dt.datetime | None = None) -> Table:
    """The table of a name, of the catalogs and tables of a configuration, with its states since a
    time. Raises PrunescopeError."""
    from prunescope.audit_jobs.catalog_names import CatalogNames
    from prunescope.audit_jobs.config import load_tables_config
    from prunescope.audit_jobs.jobs.tables import TableFinder
    from prunescope.collectors.errors import TableNotFound
    from prunescope.collectors.observed import TableName

    known, parts = load_tables_config(config), named.split(".")
    default = CatalogNames.of(known).default
    if len(parts) == 2 and default is not None:
        parts = [default, *parts]
    if len(parts) < 3:
        raise BadArgument(f"write TABLE as catalog.namespace.table, of the catalogs of {config}")
    name = TableName(parts[0], tuple(parts[1:-1]), parts[-1])
    finder = TableFinder(known)
    found = finder.find([name], since={} if since is None else {name: since})
    if name in found.failed:
        error = found.failed[name]
        if isinstance(error, TableNotFound):
            raise TableNotFound(f"{error}{finder.nearest(name)}") from error
        raise error
    if name not in found.opened:
        aliases = [alias for catalog in known.catalogs.values() for alias in catalog.aliases]
        close = suggestion(parts[0], [*known.catalogs, *aliases])
        raise BadArgument(f"{config} has no catalog {parts[0]!r}; {close}")
    return found.opened[name]


def open_iceberg(table: IcebergTable) -> Table:
    """A table as PyIceberg has loaded it: its metadata file is read again, with the properties of
    its catalog, and those that the catalog gave out for it. Raises PrunescopeError.

    Files are read in the folder of its metadata and in the warehouse of its catalog. No property
    that the table itself has chooses how they are read, as whoever writes a table may not.
    """
    from pyiceberg.table import StaticTable

    from prunescope.collectors.observed import TableName
    from prunescope.collectors.storage.locations import is_place
    from prunescope.collectors.tables.catalog import open_metadata_file

    *namespace, last = table.name()
    name = TableName(table.catalog.name, tuple(namespace), last)
    if isinstance(table, StaticTable):  # its name is the file's
        name = TableName(None, (), table_in(table.metadata_location))
    own = table.metadata.properties
    given = {key: value for key, value in table.io.properties.items() if key not in own}
    properties = {**given, **table.catalog.properties}
    warehouse = str(properties.get("warehouse", ""))
    allowed = (warehouse,) if is_place(warehouse) else ()
    return open_metadata_file(table.metadata_location, name, allowed=allowed, properties=properties)


def table_in(metadata: str) -> str:
    """A table's name by the folder that holds its metadata folder."""
    parts = [part for part in metadata.split("/") if part]
    return parts[-3] if len(parts) > 2 and parts[-2] == "metadata" else parts[-1]


def name_of(table: str | IcebergTable) -> str:
    """The name of a table, `catalog.namespace.table`."""
    return table if isinstance(table, str) else ".".join((table.catalog.name, *table.name()))
