"""Inputs that options of commands name: a window, a planner, the session of SQL files, a table."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from prunescope.audit_jobs.commands.line import CONFIG, stop
from prunescope.audit_jobs.printing import tell

if TYPE_CHECKING:
    import datetime as dt
    from pathlib import Path

    from prunescope.audit_jobs.commands.typed import CheckOptions, ExplainOptions, WindowOptions
    from prunescope.audit_jobs.records import Window
    from prunescope.collectors.queries.sql_files import SqlSession
    from prunescope.collectors.sql.planners.profiles import Planner
    from prunescope.collectors.tables.catalog import Table


_DEFAULT = "default"
"""The catalog that PyIceberg takes where none is named."""


def planner_named(text: str | None) -> Planner | None:
    """The planner `ENGINE[-VERSION][/ICEBERG]`; None if there is no name."""
    from prunescope.audit_jobs.suggestions import suggestion
    from prunescope.collectors.sql.planners.profiles import beyond_known, planner_of
    from prunescope.collectors.sql.planners.registry import ENGINES

    if text is None:
        return None
    engine, version, iceberg = _engine_parts(text)
    planner = planner_of(engine, version, iceberg, is_asked=True)
    if planner is None:
        stop(f"Unknown planner {text!r}: {suggestion(engine.lower(), ENGINES)}")
    for warning in beyond_known(planner):
        tell(warning)
    return planner


def _engine_parts(text: str) -> tuple[str, str, str]:
    """Engine, its version, and that of its Iceberg library; missing versions are the newest."""
    from prunescope.collectors.sql.planners.profiles import NEWEST

    named, _, iceberg = text.partition("/")
    engine, _, engine_version = named.partition("-")
    return engine, engine_version or NEWEST, iceberg or NEWEST


def session_of(options: CheckOptions) -> SqlSession:
    """The session for SQL files; of dialect and engine, one follows from the other."""
    from prunescope.collectors.queries.sql_files import SqlSession
    from prunescope.collectors.sql.dialects import dialect_named_by
    from prunescope.collectors.sql.planners.registry import ENGINES

    planner = planner_named(options["engine"])
    if planner is not None and not planner.profile.in_logs:
        stop(f"--engine {planner.engine} plans no audit: ask `prunescope explain --planner`")
    dialect = options["dialect"]
    engine, version, iceberg = _engine_parts((options["engine"] or dialect or "trino").lower())
    is_known = engine in ENGINES
    return SqlSession(
        dialect=dialect or dialect_named_by(engine) or "trino",
        engine=engine if is_known else None,
        engine_version=version if is_known else None,
        iceberg_version=iceberg if is_known else None,
        catalog=options["catalog"],
        schema=options["schema"],
        time_zone=options["time_zone"],
    )


def window_of(options: WindowOptions, now: dt.datetime) -> Window:
    """The window that `window_options` name; yesterday if they name none. Raises
    PrunescopeError."""
    from prunescope.audit_jobs import windows

    last, named = options["last"], options["window"]
    start, end = options["window_start"], options["window_end"]
    limited = (start, end) != (None, None)
    if (last is not None) + (named is not None) + options["today"] + limited > 1:
        stop("give one of --last, --today, --window and --window-start with --window-end")
    zone = windows.zone_of(options["zone"])
    if last is not None:
        return windows.latest(last, now)
    if named is not None:
        return windows.named(named, zone)
    return windows.today(zone, now) if options["today"] else windows.between(start, end, zone, now)


def open_table(options: ExplainOptions) -> Table:
    """The table that TABLE or --metadata names, with the cache that --cache names. Raises
    PrunescopeError."""
    from prunescope.audit_jobs.jobs.sharing import require_trusted
    from prunescope.collectors.storage.cache import MAX_BYTES, Cache

    table, folder = _opened(options), options["cache"]
    if folder is None:
        return table
    path = str(folder.absolute())
    require_trusted(path, "--cache")
    cache = Cache(path, MAX_BYTES)
    return replace(table, storage=replace(table.storage, cache=cache))


def _opened(options: ExplainOptions) -> Table:
    from prunescope.audit_jobs.jobs.tables import nearest_in
    from prunescope.audit_jobs.suggestions import suggestion
    from prunescope.collectors.errors import TableNotFound
    from prunescope.collectors.observed import TableName
    from prunescope.collectors.storage.locations import local_path, storage_root
    from prunescope.collectors.tables import catalog
    from prunescope.collectors.tables.catalog_variables import catalogs_but

    table, metadata, named = options["table"], options["metadata"], options["catalog"]
    config, since = options["config"], options["as_of"]
    if metadata is not None and table is None:
        name = TableName(None, (), _table_of(metadata))
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
        return _open_configured(parts, config, since)
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
        stop("; ".join(filter(None, (str(error), nearest_in(loaded, name)))))


def _open_configured(parts: list[str], path: Path, since: dt.datetime | None) -> Table:
    from prunescope.audit_jobs.catalog_names import CatalogNames
    from prunescope.audit_jobs.config import load_tables_config
    from prunescope.audit_jobs.jobs.tables import TableFinder
    from prunescope.audit_jobs.suggestions import suggestion
    from prunescope.collectors.errors import TableNotFound
    from prunescope.collectors.observed import TableName

    config = load_tables_config(path)
    default = CatalogNames.of(config).default
    if len(parts) == 2 and default is not None:
        parts = [default, *parts]
    if len(parts) < 3:
        stop(f"write TABLE as catalog.namespace.table, of the catalogs of {path}")
    name = TableName(parts[0], tuple(parts[1:-1]), parts[-1])
    finder = TableFinder(config)
    found = finder.find([name], since={} if since is None else {name: since})
    if name in found.failed:
        error = found.failed[name]
        if isinstance(error, TableNotFound):
            stop(f"{error}{finder.nearest(name)}")
        raise error
    if name not in found.opened:
        aliases = [alias for catalog in config.catalogs.values() for alias in catalog.aliases]
        close = suggestion(parts[0], [*config.catalogs, *aliases])
        stop(f"{path} has no catalog {parts[0]!r}; {close}")
    return found.opened[name]


def _table_of(metadata: str) -> str:
    """A table's name by the folder that holds its metadata folder."""
    parts = [part for part in metadata.split("/") if part]
    return parts[-3] if len(parts) > 2 and parts[-2] == "metadata" else parts[-1]
