"""Queries from files of SQL, as they stand in a repository: models of dbt, reports, jobs."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from prunescope.collectors.observed import ObservedQuery, Rejected
from prunescope.collectors.outcomes import Outcome

SOURCE = "sql_files"

"""The reason of a file that is no SQL yet."""

_MAX_FILE = 16 * 1024 * 1024
_MARKS = (("{{", "}}"), ("{%", "%}"), ("{#", "#}"))


@dataclass(frozen=True, slots=True)
class SqlSession:
    """The session in which all files are read: their dialect, by sqlglot's name; the engine that
    will run them, its version and that of its Iceberg library, None if unknown; and the session's
    catalog and schema, for names that leave them out."""

    dialect: str
    engine: str | None = None
    engine_version: str | None = None
    iceberg_version: str | None = None
    catalog: str | None = None
    schema: str | None = None
    time_zone: str = "UTC"


def find_sql_files(directory: Path, select: Sequence[str] = ()) -> list[Path]:
    """The `*.sql` under a directory, and links of such names that lead nowhere, by their paths
    relative to it, in order; with `select`, only those that one of its globs matches. A `*` of a
    glob matches `/` as well."""
    found = (path.relative_to(directory) for path in directory.rglob("*.sql") if _is_read(path))
    return sorted(
        path
        for path in found
        if not select or any(fnmatchcase(path.as_posix(), glob) for glob in select)
    )


def _is_read(path: Path) -> bool:
    return path.is_file() or (path.is_symlink() and not path.exists())


def name_of(file: Path) -> str:
    """The path of a file as text, whatever bytes it has."""
    return os.fsencode(file.as_posix()).decode("utf-8", "backslashreplace")


def read_sql_files(
    directory: Path, files: Sequence[Path], session: SqlSession
) -> Iterator[ObservedQuery | Rejected]:
    """One query per file, in order, whose id is the file's path relative to the directory; it
    may hold several statements.

    Reasons of a Rejected: `unreadable_file`; `file_too_large`, beyond 16 MiB, which nobody wrote
    by hand; and `template` for a file that dbt or Jinja has yet to make SQL of.
    """
    for path in files:
        name = name_of(path)
        try:
            if (directory / path).stat().st_size > _MAX_FILE:
                message = f"the file is larger than {_MAX_FILE:,} bytes"
                yield Rejected(SOURCE, name, Outcome.FILE_TOO_LARGE, message, name)
                continue
            sql = (directory / path).read_text(encoding="utf-8-sig")
        except (OSError, UnicodeDecodeError) as error:
            message = f"the file cannot be read as UTF-8 text ({type(error).__name__})"
            yield Rejected(SOURCE, name, Outcome.UNREADABLE_FILE, message, name)
            continue
        yield read_sql_text(name, sql, session)


def read_sql_text(name: str, sql: str, session: SqlSession) -> ObservedQuery | Rejected:
    """The query of a text, which may hold several statements; `name` is its id. Rejected as a
    `template` if dbt or Jinja has yet to make SQL of it."""
    if is_template(sql):
        message = (
            "the file is a template of dbt or Jinja, not yet SQL; run `dbt compile`, and "
            "check the SQL that it writes to target/compiled"
        )
        return Rejected(SOURCE, name, Outcome.TEMPLATE, message, name)
    return ObservedQuery(
        source=SOURCE,
        query_id=name,
        place=name,
        sql=sql,
        dialect=session.dialect,
        catalog=session.catalog,
        schema=session.schema,
        engine=session.engine,
        engine_version=session.engine_version,
        iceberg_version=session.iceberg_version,
        time_zone=session.time_zone,
    )


def is_template(text: str) -> bool:
    """True if a text holds an expression, a statement or a comment of Jinja. Strings and SQL
    comments are searched as well: dbt expands them there too."""
    return any(
        (start := text.find(opening)) >= 0 and text.find(closing, start + len(opening)) >= 0
        for opening, closing in _MARKS
    )
