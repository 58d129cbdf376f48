"""Checks before an audit that its result can be published: they take seconds, an audit minutes."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryFile
from typing import TYPE_CHECKING

from prunescope.audit_jobs.config import AuditConfig
from prunescope.audit_jobs.errors import PublishFailed
from prunescope.audit_jobs.jobs.sharing import cache_of
from prunescope.audit_jobs.printing import tell
from prunescope.audit_jobs.records import Window
from prunescope.audit_jobs.report.path import report_path
from prunescope.audit_jobs.secret import find_secret
from prunescope.audit_jobs.sinks.probe import probe_namespace
from prunescope.collectors.errors import what_failed

if TYPE_CHECKING:
    from pyiceberg.catalog import Catalog


def require_publishable(config: AuditConfig, catalog: Catalog, window: Window) -> None:
    """Raises PublishFailed if the audit tables, the metrics file or the report of a window could
    not be written, and BadConfiguration if the secret of their keys or the cache cannot be used."""
    find_secret(config.secret_file)
    cache_of(config)
    if config.metrics.textfile is not None:
        require_folder(config.metrics.textfile, "metrics.textfile")
    if config.report.path is not None:
        row = {"window_start": window.start, "window_end": window.end, "run_id": "run"}
        require_folder(report_path(config.report.path, row), "report.path")
    stays = probe_namespace(catalog, config.audit.namespace)
    if stays is not None and stays.startswith("the table"):
        tell(f"{stays} stays of a try whether audit tables can be written; drop it")


def require_folder(file: Path, key: str) -> None:
    """Raises PublishFailed unless a file can be made in the place that a key of the configuration
    names."""
    folder = file.parent
    if not folder.is_dir():
        raise PublishFailed(
            f"{key} {file} cannot be written: there is no directory {folder}; create it, or "
            f"correct {key}"
        )
    if file.is_dir():
        raise PublishFailed(
            f"{key} {file} cannot be written: that is a directory; add the name of a file"
        )
    why = why_no_files(folder)
    if why is not None:
        raise PublishFailed(
            f"{key} {file} cannot be written: no files can be made in {folder} ({why}); check its "
            "owner and mode, and how it is mounted"
        )


def why_no_files(folder: Path) -> str | None:
    """The reason why no file can be made in a folder; None if one can. File modes alone do not
    decide: mounts and the rights of root do as well."""
    try:
        with TemporaryFile(dir=folder):
            return None
    except OSError as error:
        return what_failed(error)
