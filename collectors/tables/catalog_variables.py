"""Environment variables that give PyIceberg a catalog's properties outside of any file."""

from __future__ import annotations


def variable(catalog: str, key: str) -> str:
    """The environment variable of a catalog's property: `.` is two underscores, and `-` is one
    (PyIceberg 0.12)."""
    name = catalog.upper().replace("-", "_")
    return f"PYICEBERG_CATALOG__{name}__{key.upper().replace('.', '__').replace('-', '_')}"


def catalogs_but(name: str) -> list[str] | None:
    """The catalogs of PyIceberg's own configuration, if `name` is none of them; None if it is one,
    or if the configuration cannot be read, which loading a catalog reports."""
    from pyiceberg.utils.config import Config  # noqa: PLC0415

    try:
        config = Config()
        return None if config.get_catalog_config(name) else config.get_known_catalogs()
    except Exception:  # noqa: BLE001  # of any YAML
        return None
