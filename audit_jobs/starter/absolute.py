"""Local paths as a job finds them that is started in any directory."""

from __future__ import annotations

import glob
from collections.abc import Mapping
from pathlib import Path

from prunescope.audit_jobs.sources.source import Logs
from prunescope.collectors.storage.locations import local_path
from prunescope.collectors.tables.sql_catalogs import database_file


def absolute_logs(source: Logs) -> Logs:
    """A source by absolute paths, which are globs."""
    here = glob.escape(str(Path.cwd()))
    paths = (f"{here}/{path}" if _is_relative(path) else path for path in source.paths)
    return source.model_copy(update={"paths": tuple(paths)})


def absolute_properties(kind: str, properties: Mapping[str, str]) -> dict[str, str]:
    """A catalog's properties with the file of SQLite, and the folder of tables, by absolute paths.
    A warehouse of REST is a name."""
    found = dict(properties)
    file = database_file(found.get("uri", ""))
    if file is not None and _is_relative(file):
        found["uri"] = found["uri"].replace(f":///{file}", f":///{Path(file).absolute()}", 1)
    warehouse = found.get("warehouse", "")
    if warehouse and kind != "rest" and _is_relative(warehouse):
        found["warehouse"] = str(Path(warehouse).absolute())
    return found


def _is_relative(location: str) -> bool:
    path = local_path(location)
    return path is not None and not Path(path).is_absolute()
