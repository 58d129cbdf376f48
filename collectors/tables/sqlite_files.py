"""Files of catalogs in SQLite, which makes an empty one of whatever path it is given."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path


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
