"""Files of catalogs in SQLite, which makes an empty one of whatever path it is given."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path


def missing_database(properties: Mapping[str, str]) -> Path | None:
    """The file that a catalog's address names (SQLAlchemy's `sqlite:///PATH`) and that is not
    there; None for other addresses, those in memory, and SQLite's own URIs (`file:…`)."""
    driver, separator, path = properties.get("uri", "").partition(":///")
    if not separator or driver.partition("+")[0] != "sqlite":
        return None
    file = path.partition("?")[0]
    if not file or file == ":memory:" or file.startswith("file:"):
        return None
    found = Path(file)
    return None if found.exists() else found
