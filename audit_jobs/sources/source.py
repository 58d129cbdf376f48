"""Query sources: their sections of the configuration, and the readers of their logs."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, get_args

from pydantic import Field

from prunescope.audit_jobs.records import Window
from prunescope.audit_jobs.sections import Section
from prunescope.collectors.observed import ObservedQuery, Rejected, ScanReport
from prunescope.collectors.queries.parts import Part
from prunescope.collectors.queries.reading import is_parquet, read_lines
from prunescope.collectors.storage.files import Storage

Record = ObservedQuery | ScanReport | Rejected
PassedOver = Callable[[dt.datetime], None]
"""Is told when a query started that is not of the window."""


class Logs(Section):
    """Logs of one kind."""

    type: str
    paths: Annotated[tuple[str, ...], Field(min_length=1)]
    """files, directories or globs, local or remote; gzip and zstd are unpacked, whatever their
    names, `.parquet` is read as Parquet"""
    iceberg_version: Annotated[str | None, Field(pattern=r"^[0-9]+(\.[0-9]+)*$")] = None
    """the version of the engine's Iceberg library, by whose rules scans are planned: for logs that
    do not show it. Spark's event logs do, and each Trino release has its own"""

    @property
    def session_catalog(self) -> str | None:
        """The catalog of queries that name none, by its key `catalog`, if it has one."""
        return None

    @property
    def has_assumed_dialect(self) -> bool:
        """Tells whether texts that name no engine are read in an assumed dialect."""
        return False

    @property
    def what(self) -> str:
        """The source in few words."""
        return self.type.replace("_", " ")


@dataclass(frozen=True, slots=True)
class Log:
    """The files of one query log, or one part of its only file, which one task reads, and the way
    to read them."""

    paths: tuple[str, ...]
    source: Logs
    part: Part | None = None
    parts: int = 1

    @property
    def place(self) -> str:
        """The place of the log in messages."""
        return self.paths[0] if self.part is None else self.part.place(self.paths[0])


def _each(files: Sequence[str]) -> Iterator[tuple[str, ...]]:
    return ((file,) for file in files)


def _json_lines(file: str, storage: Storage) -> Iterator[bytes | None]:
    for _, line in read_lines(file, storage, ""):
        yield None if isinstance(line, Rejected) else line


@dataclass(frozen=True, slots=True)
class Source:
    """A kind of query log.

    `read` streams the records of one log of it; it passes records outside of the window on as well,
    or to its last argument. `group` finds the files of one log. `is_in_parts` if every record
    stands for itself, wherever it is in its file, and `has_parquet` if logs may be Parquet files.
    `guesses` are the sections as which a file could be read. `first_lines` reads a file's lines, of
    which the first one has `sign` in it, whether or not it is of a query that can be replayed.
    """

    section: type[Logs]
    read: Callable[[Log, Storage, Window, PassedOver], Iterator[Record]]
    group: Callable[[Sequence[str]], Iterable[tuple[str, ...]]] = _each
    is_in_parts: bool = False
    has_parquet: bool = False
    guesses: Callable[[str, Storage], Iterator[Logs]] | None = None
    sign: bytes | None = None
    first_lines: Callable[[str, Storage], Iterator[bytes | None]] = _json_lines

    @property
    def type(self) -> str:
        """The name of the source in a configuration."""
        (name,) = get_args(self.section.model_fields["type"].annotation)
        return str(name)

    def has_sign(self, file: str, storage: Storage) -> bool:
        """True if a file is of this kind by its first line. Raises the errors of reading."""
        first = None if self.sign is None else next(self.first_lines(file, storage), None)
        return first is not None and self.sign is not None and self.sign in first

    def candidates(self, file: str, storage: Storage) -> Iterator[Logs]:
        """The sections as which a file could be read."""
        if self.has_parquet or not is_parquet(file):
            if self.guesses is None:
                yield self.section(type=self.type, paths=(file,))
            else:
                yield from self.guesses(file, storage)
