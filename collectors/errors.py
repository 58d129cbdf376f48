"""Errors that a person or a recorded outcome will show.

Every message says what is wrong, where, and what to do about it. `code` is the stable,
machine-readable name under which an audit records the error as an outcome.
"""

from __future__ import annotations

import errno
import os

from prunescope.collectors.outcomes import Outcome
from prunescope.collectors.safe_text import one_message


def what_failed(error: Exception) -> str:
    """The operating system's words for an error that has its number, such as `No space left on
    device`; else the error's type, as its message may quote what was read."""
    if isinstance(error, OSError) and error.errno is not None and error.errno in errno.errorcode:
        return os.strerror(error.errno)
    return type(error).__name__


class PrunescopeError(Exception):
    """Base of every error that prunescope raises on purpose. Its text is one line, whatever the
    names in it are and however long, and holds no credentials of the addresses in it."""

    code: str = "error"

    def __str__(self) -> str:
        return one_message(super().__str__())


class UnsuitableInstallation(PrunescopeError):
    """A package that is installed beside prunescope keeps prunescope from working."""

    code = "unsuitable_installation"


class QueryError(PrunescopeError):
    """One query cannot be replayed; the others can."""

    code: Outcome = Outcome.QUERY_FAILED


class UnparseableSql(QueryError):
    """The SQL text cannot be parsed in its dialect, or its tables cannot be determined."""

    code = Outcome.UNPARSEABLE


class TooComplexSql(QueryError):
    """The SQL is nested more deeply, or means more work, than one text is given."""

    code = Outcome.TOO_COMPLEX


class UnsupportedStatement(QueryError):
    """The text parses, but it is not a statement that scans tables (DDL, SHOW, SET, …)."""

    code = Outcome.NOT_A_QUERY


class TableError(PrunescopeError):
    """One table, or one snapshot of it, cannot be read; the others can."""

    code: Outcome = Outcome.TABLE_FAILED


class TableNotFound(TableError):
    """No catalog knows the table, or there is no metadata file where one is asked for by its
    location."""

    code = Outcome.TABLE_NOT_FOUND


class UnreadableMetadata(TableError):
    """Table metadata, a manifest list or a manifest is missing, truncated or malformed."""

    code = Outcome.UNREADABLE_METADATA


class UnknownFormatVersion(TableError):
    """A table has a version of Iceberg's format that is newer than all known ones."""

    code = Outcome.UNKNOWN_FORMAT_VERSION


class StorageError(TableError):
    """The storage did not hand over a file of the table's metadata; `code` says why, and `place`
    names the place that would have to be allowed."""

    code = Outcome.STORAGE_UNREACHABLE

    def __init__(self, message: str, code: Outcome, place: str | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.place = place

    def __reduce__(self) -> tuple[type[StorageError], tuple[str, Outcome, str | None]]:
        return StorageError, (self.args[0], self.code, self.place)


class TableTooSlow(TableError):
    """Reading a table took longer than it may."""

    code = Outcome.TABLE_TOO_SLOW


class LogTooSlow(QueryError):
    """Reading a log took longer than it may."""

    code = Outcome.LOG_TOO_SLOW


class SnapshotNotFound(TableError):
    """The snapshot, ref or point in time that a query read is no longer in the metadata."""

    code = Outcome.SNAPSHOT_NOT_FOUND
