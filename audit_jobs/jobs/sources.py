"""The query sources of a configuration, as functions that run on executors."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from audit_jobs.config import Source, SqlRecords
from audit_jobs.records import Window
from audit_jobs.replay.queries import name_tables
from collectors.queries import sql_records, trino_events
from collectors.queries.observed import ObservedQuery, Rejected
from collectors.queries.reading import FromJson, FromRecord, expand_paths, reader
from collectors.tables.storage import Storage


@dataclass(frozen=True, slots=True)
class LogFile:
    """A file of a query log and how to read it."""

    path: str
    source: Source


def log_files(sources: tuple[Source, ...]) -> tuple[list[LogFile], list[Rejected]]:
    """Every file of every source, and a Rejected for each path that matches nothing."""
    files: list[LogFile] = []
    missing: list[Rejected] = []
    for source in sources:
        for pattern in source.paths:
            try:
                files.extend(LogFile(path, source) for path in expand_paths([pattern]))
            except FileNotFoundError:
                missing.append(
                    Rejected(source.type, pattern, "no_such_file", "the path matches no file")
                )
    return files, missing


def read_log(file: LogFile, storage: Storage) -> Iterator[ObservedQuery | Rejected]:
    """The records of one file, streamed."""
    if isinstance(file.source, SqlRecords):
        options: dict[str, Any] = {
            "fields": {**sql_records.DEFAULT_FIELDS, **file.source.fields},
            "defaults": sql_records.RecordDefaults(
                dialect=file.source.dialect,
                catalog=file.source.catalog,
                schema=file.source.schema_,
                time_zone=file.source.time_zone,
            ),
        }
        from_json: FromJson = partial(sql_records.from_json, **options)
        from_record: FromRecord | None = partial(sql_records.from_mapping, **options)
    else:
        from_json, from_record = trino_events.from_json, None
    yield from reader(file.path, storage, file.source.type, from_json, from_record)


def read_queries(
    files: Iterator[LogFile], storage: Storage, window: Window
) -> Iterator[tuple[str, Any]]:
    """The queries of some files that ran within the window, with the tables they name, as
    (`query`, NamedTables) and (`rejected`, Rejected). Queries of unknown time are taken."""
    for file in files:
        for record in read_log(file, storage):
            if isinstance(record, Rejected):
                yield "rejected", record
            elif record.started_at is None or window.start <= record.started_at < window.end:
                yield "query", name_tables(record)
