"""Databases of SQL catalogs, in which a caller that only reads must make nothing.

SQLite makes an empty file of whatever path it is given, and PyIceberg 0.12 makes a catalog's tables
in whatever database has none, unless `init_catalog_tables` says otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyiceberg.catalog import Catalog

MAKES_NO_TABLES = {"init_catalog_tables": "false"}
"""The property of PyIceberg's SQL catalogs; others do not know it."""

_NAMES = 100
"""Catalogs of a database that are looked at."""


def database_file(uri: str) -> str | None:
    """The path of the file that an address names (SQLAlchemy's `sqlite:///PATH`); None for other
    addresses, those in memory, and SQLite's own URIs (`file:…`)."""
    driver, separator, path = uri.partition(":///")
    if not separator or driver.partition("+")[0] != "sqlite":
        return None
    file = path.partition("?")[0]
    return None if not file or file == ":memory:" or file.startswith("file:") else file


def missing_database(properties: Mapping[str, object]) -> str | None:
    """The file that a catalog's address names and that is not there; None otherwise."""
    file = database_file(str(properties.get("uri", "")))
    return None if file is None or Path(file).exists() else file


def lacks_tables(catalog: Catalog) -> bool:
    """True if a catalog is in a database that has no tables of a catalog. Raises what its driver
    raises."""
    engine = getattr(catalog, "engine", None)
    if engine is None:
        return False
    from pyiceberg.catalog.sql import IcebergTables  # noqa: PLC0415  # imports SQLAlchemy
    from sqlalchemy import inspect  # noqa: PLC0415

    return not inspect(engine).has_table(IcebergTables.__tablename__)


def why_empty(catalog: Catalog) -> str | None:
    """The remedy for a catalog whose database has tables of other catalogs only, because it keeps
    them by the catalog's name; None for others. Raises what its driver raises."""
    engine = getattr(catalog, "engine", None)
    if engine is None:
        return None
    from pyiceberg.catalog.sql import IcebergTables  # noqa: PLC0415  # imports SQLAlchemy
    from sqlalchemy import select  # noqa: PLC0415

    named = select(IcebergTables.catalog_name).distinct().limit(_NAMES)
    with engine.connect() as connection:
        names = sorted(connection.execute(named).scalars())
    if not names or catalog.name in names:
        return None
    return (
        f"its database has tables of catalog {' and of '.join(map(repr, names))}, and of no other: "
        f"name it so, catalogs.{names[0]} in place of catalogs.{catalog.name}, and let engines "
        f"know it as before: aliases: [{catalog.name}]"
    )
