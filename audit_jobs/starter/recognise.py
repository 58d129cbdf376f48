"""Recognition of the query logs at a path: the reader that understands most of their first
records."""

from __future__ import annotations

import datetime as dt
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

from sqlglot import exp

from prunescope.audit_jobs.isolation import attempt
from prunescope.audit_jobs.jobs.sources import read_log
from prunescope.audit_jobs.records import Window
from prunescope.audit_jobs.sources.registry import SOURCES
from prunescope.audit_jobs.sources.source import Log, Logs, Record, Source
from prunescope.audit_jobs.starter.series import more_of, patterns, series_of, some_of
from prunescope.audit_jobs.suggestions import path_suggestion
from prunescope.audit_jobs.workload.queries import name_tables
from prunescope.collectors.errors import PrunescopeError
from prunescope.collectors.observed import ObservedQuery, Rejected, ScanReport, TableName
from prunescope.collectors.queries.listing import expand_paths
from prunescope.collectors.queries.reading import read_lines
from prunescope.collectors.sql.scopes.tables import name_parts
from prunescope.collectors.sql.text.fingerprint import redact
from prunescope.collectors.sql.text.nodes import nodes_that_are
from prunescope.collectors.sql.text.parse import parse
from prunescope.collectors.storage.credentials import told_credentials
from prunescope.collectors.storage.files import Storage
from prunescope.collectors.storage.random_access import within
from prunescope.collectors.storage.unreadable import unreadable

_RECORDS = 20
"""Records that are read of each file that is looked into."""
_EXAMPLES = 3
_LISTING = 60.0
"""Seconds: some clients look for credentials for a quarter of an hour."""
_AUDIT_LOG = re.compile(rb"\|QueryId=.*\|Stmt=", re.DOTALL)
_EVER = Window(dt.datetime.min.replace(tzinfo=dt.UTC), dt.datetime.max.replace(tzinfo=dt.UTC))


class NoLogs(PrunescopeError):
    """A path holds no query log."""

    code = "no_logs"


@dataclass(frozen=True, slots=True)
class Recognised:
    """A source, the numbers of files that were looked into and of all files, some of its queries
    without literals, and the catalogs that they name, the commonest first. `is_timeless` if none of
    its queries has a start time."""

    source: Logs
    of_files: int
    files: int
    examples: tuple[str, ...]
    catalogs: tuple[str, ...]
    is_timeless: bool


@dataclass(frozen=True, slots=True)
class Looked:
    """The content of a path: its sources, those with most files first, the number of files, and the
    inspected files that are no log."""

    sources: tuple[Recognised, ...]
    files: int
    strange: tuple[str, ...]


@dataclass(slots=True)
class _Kind:
    """A source as each inspected file suggests it, with the file's first records, and the files
    that are taken to be of this kind."""

    seen: list[tuple[Logs, list[Record]]] = field(default_factory=list)
    files: set[str] = field(default_factory=set)


def recognise(path: str, storage: Storage) -> Looked:
    """The sources at a path. Raises NoLogs."""
    try:
        sizes = within(_LISTING, lambda: expand_paths([path], storage), path)
    except FileNotFoundError:
        close = path_suggestion(path) or "; check the path, and that it can be read"
        raise NoLogs(f"{path} matches no file{close}") from None
    except Exception as error:
        why = unreadable(path, error, told_credentials(storage, path)).why
        raise NoLogs(f"{path} cannot be listed: {why}") from error
    files = [file for file, size in sizes.items() if size]
    if not files:
        raise NoLogs(f"All files under {path} are empty. Run a query to its end, then try again.")
    kinds, strange = _kinds(files, list(sizes), storage)
    if not kinds:
        raise NoLogs(
            f"No supported query log among {len(strange)} files in {path}. See docs/logs/README.md "
            f"for supported logs{_other_way(strange, storage)}"
        )
    ranked = sorted(kinds, key=lambda kind: len(kind.files), reverse=True)
    if len(ranked) == 1:
        found = [_told(ranked[0].seen, (path,), len(sizes))]
    else:
        found = [_told(k.seen, patterns(k.files, files), len(k.files)) for k in ranked]
    return Looked(tuple(found), len(sizes), tuple(strange))


def _kinds(
    files: Sequence[str], listed: Sequence[str], storage: Storage
) -> tuple[list[_Kind], list[str]]:
    """The kinds of logs among some files, and files of none. Of each series some files are looked
    into: the others are taken to be of the same kind, unless these are of several."""
    groups = [
        (kind, {file: group for group in kind.group(listed) for file in group}) for kind in SOURCES
    ]
    kinds: dict[str, _Kind] = {}
    strange: list[str] = []

    def look(some: Sequence[str]) -> dict[str, str | None]:
        """The key of each file's kind."""
        found: dict[str, str | None] = {}
        for file in some:
            best = _best(file, groups, storage)
            found[file] = key = best and repr(best[0].model_copy(update={"paths": ()}))
            if best is not None and key is not None:
                kinds.setdefault(key, _Kind()).seen.append(best)
        return found

    series = series_of(files)
    for one, some in zip(series, some_of(series), strict=True):
        found = look(some)
        if len({key for key in found.values() if key}) > 1:
            found |= look(more_of(one, found))
        keys = {key for key in found.values() if key}
        for file in one:
            key = found.get(file, next(iter(keys)) if len(keys) == 1 else None)
            if key is None:
                strange.append(file)
            if len(keys) == 1:
                kinds[next(iter(keys))].files.add(file)
            elif key is not None:
                kinds[key].files.add(file)
    return list(kinds.values()), strange


def _other_way(files: Sequence[str], storage: Storage) -> str:
    """Advice on logs that cannot be read in their present form."""
    if all(file.endswith((".csv", ".csv.gz", ".tsv", ".tsv.gz")) for file in files):
        return "; CSV is not read: export as JSON lines or Parquet"
    for _, line in read_lines(files[0], storage, ""):
        if isinstance(line, Rejected):
            return f"; {files[0]}: {line.message}"
        if _AUDIT_LOG.search(line):
            return (
                "; the text of fe.audit.log (StarRocks, Doris) is not read: export the table that "
                "the plugin AuditLoader writes"
            )
        break
    return ""


def _told(
    group: Sequence[tuple[Logs, list[Record]]], paths: tuple[str, ...], files: int
) -> Recognised:
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
    """The source whose reader understands a file best, and its first records; None if there is
    none. A source whose sign the file bears wins, though the file may have no query that can be
    replayed. `groups` are the sources, and the log that a file would belong to under each."""
    best, most = None, (0, 0)
    for kind, by_file in groups:
        paths = by_file.get(file, (file,))
        if attempt(f"looking into {file}", kind.has_sign, file, storage) is True:
            source = kind.section(type=kind.type, paths=paths)
            return source, _first_of(source, storage)
        for candidate in kind.candidates(file, storage):
            source = candidate.model_copy(update={"paths": paths})
            records = _first_of(source, storage)
            score = len(records), sum(map(_known, records))
            if score > most:
                best, most = (source, records), score
    return best


def _first_of(source: Logs, storage: Storage) -> list[Record]:
    """The first records of a source; none if it cannot be read as that."""
    log = Log(source.paths, source)
    records = attempt(f"looking into {source.paths[0]}", _first, log, storage)
    return [] if isinstance(records, PrunescopeError) else records


def _first(log: Log, storage: Storage) -> list[Record]:
    """The queries and reports among the first records."""
    records = islice(read_log(log, storage, _EVER, lambda _: None), _RECORDS)
    return [record for record in records if isinstance(record, ObservedQuery | ScanReport)]


def _known(record: Record) -> int:
    """The number of parts of a record that were understood."""
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
    """Replaces names that may be strings by a mark: no columns are known here, and "Jane" is a name
    in Trino, and a string in MySQL and Spark, or if a writer confused the two."""
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
