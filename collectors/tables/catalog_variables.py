"""How PyIceberg is told a catalog's properties outside of any file."""

from __future__ import annotations


def variable(catalog: str, key: str) -> str:
    """The environment variable of a catalog's property: `.` is two underscores, and `-` is one
    (PyIceberg 0.12)."""
    name = catalog.upper().replace("-", "_")
    return f"PYICEBERG_CATALOG__{name}__{key.upper().replace('.', '__').replace('-', '_')}"


def catalogs_but(name: str) -> list[str] | None:
    """The catalogs of PyIceberg's own configuration, where `name` is none of them; None where it is
    one, or where the configuration cannot be read, as loading a catalog says."""
    from pyiceberg.utils.config import Config  # noqa: PLC0415

    try:
        config = Config()
        return None if config.get_catalog_config(name) else config.get_known_catalogs()
    except Exception:  # noqa: BLE001  # of any YAML
        return None
