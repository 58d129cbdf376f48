"""How PyIceberg is told a catalog's properties outside of any file."""

from __future__ import annotations


def variable(catalog: str, key: str) -> str:
    """The environment variable of a catalog's property: `.` is two underscores, and `-` is one
    (PyIceberg 0.12)."""
    name = catalog.upper().replace("-", "_")
    return f"PYICEBERG_CATALOG__{name}__{key.upper().replace('.', '__').replace('-', '_')}"
