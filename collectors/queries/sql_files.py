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

_MAX_FILE = 16 * 1024 * 1024
_MARKS = (("{{", "}}"), ("{%", "%}"), ("{#", "#}"))
_COMPILE = "run `dbt compile`, and check the project with --dbt"


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


@dataclass(frozen=True, slots=True)
class SqlFile:
    """A file of SQL: the `name` that findings have, which its messages tell, and the path of its
    text. Of a model of dbt, that is what is compiled: the `original` is what people edit, None
    where it is the same; `owner` is the model's, if it has one."""

    name: str
    path: Path
    original: Path | None = None
    model: str | None = None
    owner: str | None = None

    @property
    def edited(self) -> Path:
        """The file that people edit."""
        return self.original or self.path


def find_sql_files(directory: Path, select: Sequence[str] = ()) -> list[SqlFile]:
    """The `*.sql` under a directory, and links of such names that lead nowhere, in order, by their
    paths relative to it; with `select`, only those that one of its globs matches. A `*` of a
    glob matches `/` as well."""
    found = (path.relative_to(directory) for path in directory.rglob("*.sql") if _is_read(path))
    files = [SqlFile(name_of(path), directory / path) for path in sorted(found)]
    return selected(files, select)


def selected(files: Sequence[SqlFile], select: Sequence[str]) -> list[SqlFile]:
    """The files whose names one of the globs matches; all where there are no globs."""
    return [
        file for file in files if not select or any(fnmatchcase(file.name, glob) for glob in select)
    ]


def _is_read(path: Path) -> bool:
    return path.is_file() or (path.is_symlink() and not path.exists())


def name_of(file: Path) -> str:
    """The path of a file as text, whatever bytes it has."""
    return os.fsencode(file.as_posix()).decode("utf-8", "backslashreplace")


def read_sql_files(
    files: Sequence[SqlFile], session: SqlSession
) -> Iterator[ObservedQuery | Rejected]:
    """One query per file, in order, whose id is the file's name; it may hold several statements.

    Reasons of a Rejected: `unreadable_file`; `file_too_large`, beyond 16 MiB, which nobody wrote
    by hand; and `template` for a file that dbt or Jinja has yet to make SQL of.
    """
    for file in files:
        name = file.name
        try:
            if file.path.stat().st_size > _MAX_FILE:
                message = f"the file is larger than {_MAX_FILE:,} bytes"
                yield Rejected(SOURCE, name, Outcome.FILE_TOO_LARGE, message, name)
                continue
            sql = file.path.read_text(encoding="utf-8-sig")
        except (OSError, UnicodeDecodeError) as error:
            message = f"the file cannot be read as UTF-8 text ({type(error).__name__})"
            yield Rejected(SOURCE, name, Outcome.UNREADABLE_FILE, message, name)
            continue
        yield read_sql_text(name, sql, session)


def read_sql_text(name: str, sql: str, session: SqlSession) -> ObservedQuery | Rejected:
    """The query of a text, which may hold several statements; `name` is its id. Rejected as a
    `template` if dbt or Jinja has yet to make SQL of it."""
    mark = template_mark(sql)
    if mark is not None:
        message = (
            f"line {sql.count(chr(10), 0, mark) + 1} has a template of dbt or Jinja "
            f"({sql[mark : mark + 2]} …), which is not yet SQL; {_COMPILE}"
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


def template_mark(text: str) -> int | None:
    """The index at which the first expression, statement or comment of Jinja begins in a text; None
    where there is none. Strings and SQL comments are searched as well: dbt expands them there
    too."""
    return min(
        (place for marks in _MARKS if (place := _first(text, *marks)) is not None), default=None
    )


def _first(text: str, opening: str, closing: str) -> int | None:
    start = text.find(opening)
    is_closed = start >= 0 and text.find(closing, start + len(opening)) >= 0
    return start if is_closed else None
