"""What commands get from their options, by names and types."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from pathlib import Path
from typing import TypedDict


class WindowOptions(TypedDict):
    """Of `window_options`: what names a span of time."""

    last: str | None
    today: bool
    window: str | None
    window_start: dt.datetime | None
    window_end: dt.datetime | None
    zone: str


class FindingOutput(TypedDict):
    """Of `finding_output`: how findings are printed."""

    as_json: bool
    as_sarif: bool
    details: bool


class CheckOptions(FindingOutput):
    """Of `check`: how SQL files are meant, and which of them."""

    select: tuple[str, ...]
    small: bool
    dialect: str | None
    engine: str | None
    catalog: str | None
    schema: str | None
    time_zone: str


class FindingsOptions(FindingOutput):
    """Of `findings`: which of them."""

    table: str | None
    cause: str | None
    severity: str
    fingerprint: str | None
    suppressed: bool
    small: bool


class ExplainOptions(TypedDict):
    """Of `explain`: the table, what is asked, and by which snapshot and planner."""

    table: str | None
    metadata: str | None
    catalog: str | None
    config: Path | None
    where: str | None
    sql: str | None
    where_file: Iterable[bytes] | None
    time_zone: str
    dialect: str
    planner: str | None
    snapshot: int | None
    ref: str | None
    as_of: dt.datetime | None
    path_map: tuple[tuple[str, str], ...]
    max_footers: int | None
    cache: Path | None
    list_files: bool
    as_json: bool


class CollectOptions(TypedDict):
    """Of `collect`: see `CollectSettings`."""

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


class InitOptions(TypedDict):
    """Of `init`: the catalog and where its files are; None where that is asked or guessed."""

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
