"""Models of a dbt project, by the manifest and the SQL that `dbt compile` writes (manifest
versions 4 to 12)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from prunescope.collectors.errors import PrunescopeError
from prunescope.collectors.queries.sql_files import SqlFile

_MANIFEST = Path("target", "manifest.json")
_KINDS = ("model", "snapshot")


class NoDbtProject(PrunescopeError):
    """A folder has no manifest of dbt that can be read."""

    code = "no_dbt_project"


def dbt_models(project: Path) -> list[SqlFile]:
    """The compiled models of a project's own package, by the paths of their originals within it, in
    order. Models in Python have no SQL. Raises NoDbtProject."""
    path = project / _MANIFEST
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
        own = manifest["metadata"].get("project_name")
        groups = {each["name"]: each["owner"] for each in (manifest.get("groups") or {}).values()}
        nodes = [*manifest["nodes"].values()]
        found = [_model(node, project, groups) for node in nodes if _is_own(node, own)]
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
        raise NoDbtProject(
            f"{path} cannot be read as dbt's manifest ({type(error).__name__}); run `dbt compile` "
            "in the project, and give its folder"
        ) from None
    return sorted(found, key=lambda file: file.name)


def _is_own(node: Mapping[str, Any], project: str | None) -> bool:
    is_sql = node.get("language", "sql") == "sql"
    is_run = node["resource_type"] in _KINDS and is_sql
    is_ephemeral = (node.get("config") or {}).get("materialized") == "ephemeral"
    return is_run and not is_ephemeral and project in (None, node["package_name"])


def _model(node: Mapping[str, Any], project: Path, groups: Mapping[str, Any]) -> SqlFile:
    name = node["original_file_path"].replace("\\", "/")
    compiled = node.get("compiled_path")
    if compiled is None:
        # Where it is written; dbt leaves the place out of the nodes that it only parses.
        compiled = Path("target", "compiled", node["package_name"], name)
    owner = _owner(node, groups)
    return SqlFile(name, project / compiled, project / name, node["name"], owner)


def _owner(node: Mapping[str, Any], groups: Mapping[str, Any]) -> str | None:
    """The owner that the model's meta data name, or else that of its group."""
    config = node.get("config") or {}
    told = (node.get("meta") or {}, config.get("meta") or {})
    owner = next((meta["owner"] for meta in told if meta.get("owner")), None)
    if owner is None:
        group = node.get("group") or config.get("group")
        known = groups.get(str(group)) or {}
        owner = known.get("email") or known.get("name") or group
    return None if owner is None else str(owner)
