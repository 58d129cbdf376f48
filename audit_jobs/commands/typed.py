"""Options of commands, by names and types."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from pathlib import Path
from typing import TypedDict


class WindowOptions(TypedDict):
    """Options of `window_options`: names of a span of time."""

    last: str | None
    today: bool
    window: str | None
    window_start: dt.datetime | None
    window_end: dt.datetime | None
    zone: str


class FindingOutput(TypedDict):
    """Options of `finding_output`: the form in which findings are printed."""

    as_json: bool
    as_sarif: bool
    details: bool


class SessionOptions(TypedDict):
    """Options of `check` that say in which session SQL files run."""

    dialect: str | None
    engine: str | None
    catalog: str | None
    schema: str | None
    time_zone: str


class CheckOptions(FindingOutput, SessionOptions):
    """Options of `check`: files, the session in which they run, what is allowed, and what is
    done."""

    files: tuple[Path, ...]
    directory: Path | None
    project: Path | None
    select: tuple[str, ...]
    small: bool
    fail_on: str
    max_bytes: int | None
    max_share: float | None
    baseline: Path | None
    new_baseline: Path | None
    form: str | None
    shows_diff: bool
    fixes: bool


class FindingsOptions(FindingOutput):
    """Options of `findings`: filters on findings."""

    table: str | None
    cause: str | None
    severity: str
    fingerprint: str | None
    suppressed: bool
    small: bool


class TableOptions(TypedDict):
    """Options that name a table, in a catalog or by its metadata file."""

    table: str | None
    metadata: str | None
    catalog: str | None
    config: Path | None
    path_map: tuple[tuple[str, str], ...]
    cache: Path | None


class ExplainOptions(TableOptions):
    """Options of `explain`: the table, the question, and the snapshot and planner to answer by."""

    where: str | None
    sql: str | None
    where_file: Iterable[bytes] | None
    time_zone: str
    dialect: str
    planner: str | None
    snapshot: int | None
    ref: str | None
    as_of: dt.datetime | None
    max_footers: int | None
    list_files: bool
    as_json: bool


class BisectOptions(TableOptions, WindowOptions):
    """Options of `bisect`: the table, and the query, as text or of a log's window."""

    where: str | None
    sql: str | None
    fingerprint: str | None
    time_zone: str
    dialect: str
    planner: str | None
    every: bool
    as_json: bool


class CollectOptions(TypedDict):
    """Options of `collect` (see `CollectSettings`)."""

    directory: Path
    host: str
    port: int
    token_file: Path | None
    max_body: int
    rate: float
    waiting: int
    roll_bytes: int
    roll_seconds: float
    body_seconds: float
    tls_certificate: Path | None
    tls_key: Path | None


class ServeOptions(TypedDict):
    """Options of `serve` (see `ServeSettings`)."""

    config: Path
    host: str
    port: int
    token_file: Path | None
    tables: int
    max_stale: float
    max_body: int
    tls_certificate: Path | None
    tls_key: Path | None


class InitOptions(TypedDict):
    """Options of `init`: the catalog and the storage of its files; None for values that are asked
    for or guessed."""

    name: str
    aliases: tuple[str, ...]
    catalog_type: str | None
    uri: str | None
    warehouse: str | None
    storage: str | None
    s3_endpoint: str | None
    s3_region: str | None
    s3_virtual_hosts: bool
    glue_region: str | None
    gcs_project: str | None
    adls_account: str | None
    properties: tuple[str, ...]
