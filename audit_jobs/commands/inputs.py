"""Inputs that options of commands name: a window, a planner, a table."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from prunescope.audit_jobs.commands.line import CONFIG, stop
from prunescope.audit_jobs.printing import tell

if TYPE_CHECKING:
    import datetime as dt
    from pathlib import Path

    from prunescope.audit_jobs.commands.typed import TableOptions, WindowOptions
    from prunescope.audit_jobs.config import AuditConfig
    from prunescope.audit_jobs.findings.history import History
    from prunescope.audit_jobs.records import Window
    from prunescope.audit_jobs.workload.replanned import PlannedBy
    from prunescope.collectors.sql.planners.profiles import Planner
    from prunescope.collectors.tables.catalog import Table


_DEFAULT = "default"
"""The catalog that PyIceberg takes where none is named."""


def planner_named(text: str | None) -> Planner | None:
    """The planner of --planner or --engine, with a warning for one that is newer than any known
    one. Raises BadArgument."""
    from prunescope.audit_jobs.api import naming
    from prunescope.collectors.sql.planners.profiles import beyond_known

    if text is None:
        return None
    planner = naming.planner_named(text)
    for warning in beyond_known(planner):
        tell(warning)
    return planner


def planned_by(text: str, engine_of_log: str | None = None) -> PlannedBy:
    """The planner of a name, for the queries of an engine: by default its own. Raises
    BadArgument."""
    from prunescope.audit_jobs.api.naming import engine_parts
    from prunescope.audit_jobs.errors import BadArgument
    from prunescope.audit_jobs.workload.replanned import PlannedBy

    planner = planner_named(text)
    assert planner is not None
    if not planner.profile.in_logs:
        raise BadArgument(f"{text} plans no audit: ask `prunescope explain --planner {text}`")
    _, version, iceberg = engine_parts(text.lower())
    return PlannedBy(engine_of_log or planner.engine, planner.engine, version, iceberg)


def window_of(options: WindowOptions, now: dt.datetime) -> Window:
    """The window that `window_options` name; yesterday if they name none. Raises
    PrunescopeError."""
    from prunescope.audit_jobs import windows
    from prunescope.audit_jobs.api.advising import window_named

    last, named = options["last"], options["window"]
    start, end = options["window_start"], options["window_end"]
    limited = (start, end) != (None, None)
    if (last is not None) + (named is not None) + options["today"] + limited > 1:
        stop("give one of --last, --today, --window and --window-start with --window-end")
    if options["today"]:
        return windows.today(windows.zone_of(options["zone"]), now)
    return window_named(last, named or ((start, end) if limited else None), options["zone"], now)


def configured(path: Path, *, all_findings: bool) -> AuditConfig:
    """The configuration of an audit, with thresholds of zero if all findings are wanted. Raises
    BadConfiguration."""
    from prunescope.audit_jobs.config import load_config

    config = load_config(path)
    if not all_findings:
        return config
    return config.model_copy(update={"findings": config.findings.however_small()})


def history_of(config: AuditConfig, window: Window) -> History:
    """Reads what earlier audits say; none of it, with a warning, if it cannot be read."""
    from prunescope.audit_jobs.api.advising import known_history

    history, notes = known_history(config, window)
    for note in notes:
        tell(note)
    return history


def open_table(options: TableOptions, since: dt.datetime | None = None) -> Table:
    """The table that TABLE or --metadata names, as far back as `since`, with the cache that --cache
    names. Raises PrunescopeError."""
    table, folder = _opened(options, since), options["cache"]
    if folder is None:
        return table

    from prunescope.audit_jobs.jobs.sharing import require_trusted
    from prunescope.collectors.storage.cache import MAX_BYTES, Cache

    path = str(folder.absolute())
    require_trusted(path, "--cache")
    cache = Cache(path, MAX_BYTES)
    return replace(table, storage=replace(table.storage, cache=cache))


def _opened(options: TableOptions, since: dt.datetime | None) -> Table:
    from prunescope.audit_jobs.api.naming import open_named, table_in
    from prunescope.audit_jobs.suggestions import suggestion
    from prunescope.collectors.errors import TableNotFound
    from prunescope.collectors.observed import TableName
    from prunescope.collectors.storage.locations import local_path, storage_root
    from prunescope.collectors.tables import catalog
    from prunescope.collectors.tables.catalog_variables import catalogs_but

    table, metadata, named = options["table"], options["metadata"], options["catalog"]
    config = options["config"]
    if metadata is not None and table is None:
        name = TableName(None, (), table_in(metadata))
        bucket = () if local_path(metadata) is not None else (storage_root(metadata),)
        return catalog.open_metadata_file(metadata, name, options["path_map"], bucket)
    if table is None or metadata is not None:
        stop("give either TABLE or --metadata FILE")
    if named is not None and config is not None:
        stop("give at most one of --catalog, which is PyIceberg's, and --config")
    parts = table.split(".")
    if config is None and named is None and CONFIG.exists():
        config = CONFIG
    if config is not None:
        return open_named(table, config, since)
    if len(parts) < 2:
        stop("write TABLE as namespace.table")
    if (others := catalogs_but(named or _DEFAULT)) is not None:
        where = "PyIceberg's configuration (~/.pyiceberg.yaml, PYICEBERG_CATALOG__…)"
        if named is None:
            stop(
                f"No configuration file {CONFIG.absolute()}. Pass `--config`, create one with "
                f"`prunescope init`, or name a catalog of {where} with `--catalog`."
            )
        said = f"{where} has no catalog {named!r}; {suggestion(named, others)}"
        if not CONFIG.exists():
            stop(said)
        stop(f"{said}; for one of {CONFIG}, leave --catalog out: CATALOG.NAMESPACE.TABLE")
    named = named or _DEFAULT
    loaded = catalog.load_in_time(named, {})
    name = TableName(named, tuple(parts[:-1]), parts[-1])
    try:
        return catalog.open_table(loaded, name, options["path_map"], since=since)
    except TableNotFound as error:
        from prunescope.audit_jobs.jobs.tables import nearest_in

        stop("; ".join(filter(None, (str(error), nearest_in(loaded, name)))))
