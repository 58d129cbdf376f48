"""Errors that a person or a recorded outcome will show.

Every message says what is wrong, where, and what to do about it. `code` is the stable,
machine-readable name under which an audit records the error as an outcome.
"""

from __future__ import annotations

from collectors.plain import one_message


class PrunescopeError(Exception):
    """Base of every error that prunescope raises on purpose. Its text is one line, whatever the
    names in it are and however long, and holds no credentials of the addresses in it."""

    code = "error"

    def __str__(self) -> str:
        return one_message(super().__str__())


class UnsuitableInstallation(PrunescopeError):
    """Something that is installed beside prunescope takes from it what it needs."""

    code = "unsuitable_installation"


class QueryError(PrunescopeError):
    """One query cannot be replayed; the others can."""

    code = "query_failed"


class UnparseableSql(QueryError):
    """The SQL text cannot be parsed in its dialect."""

    code = "unparseable"


class TooComplexSql(QueryError):
    """The SQL is nested more deeply, or means more work, than one text is given."""

    code = "too_complex"


class UnsupportedStatement(QueryError):
    """The text parses, but it is not a statement that scans tables (DDL, SHOW, SET, …)."""

    code = "not_a_query"


class TableError(PrunescopeError):
    """One table, or one snapshot of it, cannot be read; the others can."""

    code = "table_failed"


class TableNotFound(TableError):
    """No catalog knows the table, or the metadata file does not exist."""

    code = "table_not_found"


class UnreadableMetadata(TableError):
    """Table metadata, a manifest list or a manifest is missing, truncated or malformed."""

    code = "unreadable_metadata"


class StorageError(TableError):
    """The storage did not hand over a file of the table's metadata; `code` says why."""

    code = "storage_unreachable"

    def __init__(self, message: str, code: str) -> None:
        super().__init__(message)
        self.code = code

    def __reduce__(self) -> tuple[type[StorageError], tuple[str, str]]:
        return StorageError, (self.args[0], self.code)


class TableTooSlow(TableError):
    """Reading a table took longer than it may."""

    code = "table_too_slow"


class SnapshotNotFound(TableError):
    """The snapshot, ref or point in time that a query read is no longer in the metadata."""

    code = "snapshot_not_found"
