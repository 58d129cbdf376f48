"""What the query logs at a path are: whichever reader makes most of their first records."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from sqlglot import exp

from audit_jobs.isolation import attempt
from audit_jobs.jobs.sources import read_log
from audit_jobs.records import Window
from audit_jobs.sources.registry import SOURCES
from audit_jobs.sources.source import Log, Logs, Record, Source
from audit_jobs.suggestions import path_suggestion
from audit_jobs.workload.queries import name_tables
from collectors.errors import PrunescopeError
from collectors.observed import ObservedQuery, ScanReport, TableName
from collectors.queries.listing import expand_paths
from collectors.sql.scopes.tables import name_parts
from collectors.sql.text.fingerprint import redact
from collectors.sql.text.nodes import nodes_that_are
from collectors.sql.text.parse import parse
from collectors.storage.credentials import told_credentials
from collectors.storage.files import Storage
from collectors.storage.random_access import within
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


class NoLogs(PrunescopeError):
    """A path holds no query log."""

    code = "no_logs"


@dataclass(frozen=True, slots=True)
class Recognised:
    """A source, in how many of the files that were looked into, how many files there are, some of
    its queries without literals, and the catalogs that they name, the commonest first.
    `is_timeless` where none of its queries says when it started."""

    source: Logs
    of_files: int
    files: int
    examples: tuple[str, ...]
    catalogs: tuple[str, ...]
    is_timeless: bool


def recognise(path: str, storage: Storage) -> list[Recognised]:
    """The sources at a path, those with most files first. Raises NoLogs."""
    try:
        sizes = within(_LISTING, lambda: expand_paths([path], storage), path)
    except FileNotFoundError:
        close = path_suggestion(path) or "; check the path, and that it can be read"
        raise NoLogs(f"{path} matches no file{close}") from None
    except Exception as error:
        why = unreadable(path, error, told_credentials(storage, path)).why
        raise NoLogs(f"{path} cannot be listed: {why}") from error
    files = list(sizes)
    if not any(sizes.values()):
        raise NoLogs(f"{path} holds nothing yet: all of its files are empty; has any query ended?")
    step = max(1, len(files) // _FILES)
    looked = files[::step][:_FILES]
    groups = [
        (kind, {file: group for group in kind.group(files) for file in group}) for kind in SOURCES
    ]
    found: dict[str, list[tuple[Logs, list[Record]]]] = {}
    for file in looked:
        best = _best(file, groups, storage)
        if best is not None:
            source = best[0]
            found.setdefault(repr(source.model_copy(update={"paths": ()})), []).append(best)
    if not found:
        raise NoLogs(
            f"none of {len(looked)} files of {path} is a query log that prunescope reads; "
            f"docs/sources.md lists these{_AS_CSV if _are_csv(looked) else ''}"
        )
    ranked = sorted(found.values(), key=len, reverse=True)
    return [_told(group, path, len(files), is_only=len(ranked) == 1) for group in ranked]


def _are_csv(files: Sequence[str]) -> bool:
    return all(file.endswith((".csv", ".csv.gz", ".tsv", ".tsv.gz")) for file in files)


def _told(
    group: Sequence[tuple[Logs, list[Record]]], path: str, files: int, *, is_only: bool
) -> Recognised:
    paths = (path,) if is_only else tuple(p for source, _ in group for p in source.paths)
    records = [record for _, of_file in group for record in of_file]
    named = [name_tables(record) for record in records if isinstance(record, ObservedQuery)]
    catalogs = Counter(
        name.catalog
        for found in named
        for name in found.tables
        if name.catalog is not None and name.shown == name
    )
    # Those that read tables tell more than what made them.
    queries = [found.query for found in sorted(named, key=lambda found: not found.tables)]
    return Recognised(
        source=group[0][0].model_copy(update={"paths": paths}),
        of_files=len(group),
        files=files,
        examples=tuple(_example(record) for record in islice(queries, _EXAMPLES)),
        catalogs=tuple(name for name, _ in catalogs.most_common()),
        is_timeless=bool(queries) and all(query.started_at is None for query in queries),
    )


def _best(
    file: str,
    groups: Sequence[tuple[Source, Mapping[str, tuple[str, ...]]]],
    storage: Storage,
) -> tuple[Logs, list[Record]] | None:
    """The source as which a file makes most sense, and its first records; None if it is none.
    `groups` are the sources, and the log that a file would be one of as theirs."""
    best, most = None, (0, 0)
    for kind, by_file in groups:
        for candidate in kind.candidates(file, storage):
            source = candidate.model_copy(update={"paths": by_file.get(file, (file,))})
            records = attempt(f"looking into {file}", _first, Log(source.paths, source), storage)
            if isinstance(records, PrunescopeError) or not source.may_have(records):
                continue
            score = len(records), sum(map(_known, records))
            if score > most:
                best, most = (source, records), score
    return best


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


def _example(query: ObservedQuery) -> str:
    """A query on a line, without its literals."""
    when = "" if query.started_at is None else f"{query.started_at:%Y-%m-%d %H:%M} "
    engine = " ".join(part for part in (query.engine, query.engine_version) if part)
    return f"{when}{engine or 'unknown engine'}: {_text(query)}"


def _text(query: ObservedQuery) -> str:
    if query.sql is None:
        return "scan of " + ", ".join(dict.fromkeys(str(scan.table.shown) for scan in query.scans))
    # Without its parameters: unless they have quotes, texts among them would be names.
    tree = attempt("reading a query", parse, query.sql, query.dialect)
    if isinstance(tree, PrunescopeError):
        return f"SQL that is not shown: {tree.code}"
    _hide_texts(tree)
    text = attempt("redacting a query", redact, tree, query.dialect)
    return f"SQL that is not shown: {text.code}" if isinstance(text, PrunescopeError) else text


def _hide_texts(tree: exp.Expr) -> None:
    """Puts a mark in the place of names that may be texts: no columns are known here, and "Jane" is
    a name in Trino, and a text in MySQL and Spark, or where somebody took one for the other."""
    for name in list(nodes_that_are(exp.Identifier, tree)):
        if name.quoted and not isinstance(name.parent, exp.Table):
            name.replace(exp.to_identifier("?", quoted=False))
    for table in nodes_that_are(exp.Table, tree):
        *before, last = name_parts(table) or ("",)
        explicit = before.pop(0) if len(before) > 1 else None
        meant = TableName(explicit, tuple(before), last)
        if meant.shown != meant:
            kept = (meant.shown.catalog is not None) + len(meant.shown.namespace)
            for part in table.parts[kept:]:
                part.replace(exp.to_identifier("?", quoted=False))
