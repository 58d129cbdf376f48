"""What the query logs at a path are: whichever reader makes most of their first records."""

from __future__ import annotations

import datetime as dt
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from audit_jobs.config import (
    IcebergReports,
    Source,
    SparkEventLogs,
    SqlRecords,
    TrinoEvents,
    TrinoIoPlans,
    TrinoMysql,
)
from audit_jobs.isolation import attempt
from audit_jobs.jobs.sources import Log, Record, read_log
from audit_jobs.records import Window
from audit_jobs.workload.queries import name_tables
from collectors.errors import PrunescopeError
from collectors.observed import ObservedQuery, ScanReport
from collectors.queries.exports import EXPORTS
from collectors.queries.listing import expand_paths
from collectors.queries.reading import is_parquet, read_lines
from collectors.queries.spark.log_files import group_logs
from collectors.sql.text.fingerprint import redact
from collectors.sql.text.parse import parse
from collectors.storage.files import Storage
from collectors.storage.sources import within
from collectors.storage.unreadable import unreadable

_FILES = 8
"""Files of a path that are looked into, from its first to its last."""
_RECORDS = 20
"""Records that are read of each."""
_EXAMPLES = 3
_LISTING = 60.0
"""Seconds: some clients look for credentials for a quarter of an hour."""
_AS_CSV = "; CSV is not read: export as JSON lines or Parquet"
_EVER = Window(dt.datetime.min.replace(tzinfo=dt.UTC), dt.datetime.max.replace(tzinfo=dt.UTC))

_NAMES: Mapping[str, tuple[str, ...]] = {
    "sql": ("sql", "query", "query_text", "sql_text", "statement", "statement_text"),
    "query_id": ("query_id", "statement_id", "id"),
    "started_at": (
        "started_at",
        "start_time",
        "create_time",
        "created_at",
        "timestamp",
        "time",
        "ts",
    ),
    "user": ("user", "user_name", "username", "executed_by", "principal"),
    "catalog": ("catalog", "catalog_name"),
    "schema": ("schema", "schema_name", "database", "database_name"),
    "engine": ("engine", "engine_name"),
    "dialect": ("dialect",),
}
"""What others call the fields of a SQL record."""


class NoLogs(PrunescopeError):
    """A path holds no query log."""

    code = "no_logs"


@dataclass(frozen=True, slots=True)
class Recognised:
    """A source, in how many of the files that were looked into, how many files there are, some of
    its queries without literals, and the catalogs that they name, the commonest first."""

    source: Source
    of_files: int
    files: int
    examples: tuple[str, ...]
    catalogs: tuple[str, ...]

    @property
    def what(self) -> str:
        """The source in few words."""
        if isinstance(self.source, SqlRecords):
            kind = self.source.export or "SQL"
            fields = ", ".join(f"{ours}: {theirs}" for ours, theirs in self.source.fields.items())
            return f"{kind} records{f' ({fields})' if fields else ''}"
        return self.source.type.replace("_", " ")


def recognise(path: str, storage: Storage) -> list[Recognised]:
    """The sources at a path, those with most files first. Raises NoLogs."""
    try:
        sizes = within(_LISTING, lambda: expand_paths([path], storage), path)
    except FileNotFoundError:
        raise NoLogs(f"{path} matches no file; check the path, and that it can be read") from None
    except Exception as error:
        raise NoLogs(f"{path} cannot be listed: {unreadable(path, error).why}") from error
    files = list(sizes)
    if not any(sizes.values()):
        raise NoLogs(f"{path} holds nothing yet: all of its files are empty; has any query ended?")
    rolled = {file: group for group in group_logs(files) for file in group}
    step = max(1, len(files) // _FILES)
    looked = files[::step][:_FILES]
    found: dict[str, list[tuple[Source, list[Record]]]] = {}
    for file in looked:
        best = _best(file, rolled.get(file, (file,)), storage)
        if best is not None:
            source = best[0]
            found.setdefault(repr(source.model_copy(update={"paths": ()})), []).append(best)
    if not found:
        raise NoLogs(
            f"none of {len(looked)} files of {path} is a query log that prunescope reads; "
            f"docs/sources.md lists these{_AS_CSV if _are_csv(looked) else ''}"
        )
    groups = sorted(found.values(), key=len, reverse=True)
    return [_told(group, path, len(files), is_only=len(groups) == 1) for group in groups]


def _are_csv(files: Sequence[str]) -> bool:
    return all(file.endswith((".csv", ".csv.gz", ".tsv", ".tsv.gz")) for file in files)


def _told(
    group: Sequence[tuple[Source, list[Record]]], path: str, files: int, *, is_only: bool
) -> Recognised:
    paths = (path,) if is_only else tuple(p for source, _ in group for p in source.paths)
    records = [record for _, of_file in group for record in of_file]
    named = [name_tables(record) for record in records if isinstance(record, ObservedQuery)]
    catalogs = Counter(
        name.catalog for found in named for name in found.tables if name.catalog is not None
    )
    # Those that read tables tell more than what made them.
    queries = [found.query for found in sorted(named, key=lambda found: not found.tables)]
    return Recognised(
        source=group[0][0].model_copy(update={"paths": paths}),
        of_files=len(group),
        files=files,
        examples=tuple(_example(record) for record in islice(queries, _EXAMPLES)),
        catalogs=tuple(name for name, _ in catalogs.most_common()),
    )


def _best(
    file: str, rolled: tuple[str, ...], storage: Storage
) -> tuple[Source, list[Record]] | None:
    """The source as which a file makes most sense, and its first records; None if it is none.
    `rolled` are the files of the event log of Spark's that it would be one of."""
    best, most = None, (0, 0)
    for source in _candidates(file, storage):
        paths = rolled if isinstance(source, SparkEventLogs) else (file,)
        log = Log(paths, source.model_copy(update={"paths": paths}))
        records = attempt(f"looking into {file}", _first, log, storage)
        if isinstance(records, PrunescopeError) or _is_other_service(source, records):
            continue
        score = len(records), sum(map(_known, records))
        if score > most:
            best, most = (log.source, records), score
    return best


def _is_other_service(source: Source, records: Sequence[Record]) -> bool:
    """Whether records are not of the service whose export they were read as: all of them have
    times, under a name of their own, while `query` may be a field of anybody's."""
    if not isinstance(source, SqlRecords) or source.export is None:
        return False
    return not any(isinstance(one, ObservedQuery) and one.started_at for one in records)


def _first(log: Log, storage: Storage) -> list[Record]:
    """Those of the first records that are queries or reports."""
    records = islice(read_log(log, storage, _EVER, lambda _: None), _RECORDS)
    return [record for record in records if isinstance(record, ObservedQuery | ScanReport)]


def _known(record: Record) -> int:
    """How much of a record was understood."""
    if not isinstance(record, ObservedQuery):
        return 1
    told = (record.started_at, record.user, record.catalog, record.engine, record.sql)
    return sum(value is not None for value in told) + len(record.scans)


def _candidates(file: str, storage: Storage) -> Iterator[Source]:
    """Particular ones first: of those that understand as much, the first is taken."""
    paths = ("?",)
    if not is_parquet(file):
        yield SparkEventLogs(type="spark_event_logs", paths=paths)
        yield TrinoEvents(type="trino_events", paths=paths)
        yield TrinoIoPlans(type="trino_io_plans", paths=paths)
        yield IcebergReports(type="iceberg_reports", paths=paths)
    yield TrinoMysql(type="trino_mysql", paths=paths)
    for export in EXPORTS:
        yield SqlRecords(type="sql_records", paths=paths, export=export)
    names = attempt(f"reading the names in {file}", _names, file, storage)
    if not isinstance(names, PrunescopeError):
        theirs = {name.lower(): name for name in reversed(names)}
        fields = {
            ours: next(theirs[name] for name in known if name in theirs)
            for ours, known in _NAMES.items()
            if any(name in theirs for name in known)
        }
        if "sql" in fields:
            renamed = {ours: name for ours, name in fields.items() if ours != name}
            yield SqlRecords(type="sql_records", paths=paths, fields=renamed)


def _names(file: str, storage: Storage) -> list[str]:
    """The names of the fields of a file's first record."""
    if is_parquet(file):
        import pyarrow.parquet as pq  # noqa: PLC0415

        with storage.open(file) as stream:
            names: list[str] = pq.read_schema(stream).names
            return names
    for _, line in read_lines(file, storage, "sql_records"):
        record: Any = json.loads(line) if isinstance(line, bytes) else None
        return list(record) if isinstance(record, dict) else []
    return []


def _example(query: ObservedQuery) -> str:
    """A query on a line, without its literals."""
    when = "" if query.started_at is None else f"{query.started_at:%Y-%m-%d %H:%M} "
    engine = " ".join(part for part in (query.engine, query.engine_version) if part)
    return f"{when}{engine or 'unknown engine'}: {_text(query)}"


def _text(query: ObservedQuery) -> str:
    if query.sql is None:
        return "scan of " + ", ".join(dict.fromkeys(str(scan.table) for scan in query.scans))
    tree = attempt("reading a query", parse, query.sql, query.dialect, query.parameters)
    if isinstance(tree, PrunescopeError):
        return f"SQL that is not shown: {tree.code}"
    text = attempt("redacting a query", redact, tree, query.dialect)
    return f"SQL that is not shown: {text.code}" if isinstance(text, PrunescopeError) else text
