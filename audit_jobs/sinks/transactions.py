"""Commits to audit tables: none is repeated unseen, and each costs a few copies of the metadata."""

from __future__ import annotations

from typing import NoReturn

from pyiceberg.exceptions import CommitFailedException
from pyiceberg.table import Table, TableProperties, Transaction
from pyiceberg.table.metadata import TableMetadata
from pyiceberg.table.update import AddSnapshotUpdate, TableUpdate

_ASK_AGAIN = {
    TableProperties.COMMIT_NUM_RETRIES: "1",
    TableProperties.COMMIT_MIN_RETRY_WAIT_MS: "0",
    TableProperties.COMMIT_TOTAL_RETRY_TIME_MS: "60000",
}
"""Properties that make PyIceberg look, after a conflict, whether the commit succeeded all the
same."""


class CommittedOnce(Transaction):
    """A transaction that is not committed on top of others' commits, which PyIceberg does
    unchecked: their conflict raises CommitFailedException.

    A catalog may report a conflict of a commit with itself, if an answer was lost and a proxy has
    asked again: that commit is done, and its files stay.

    The metadata after the updates are cached. PyIceberg makes them at each access, with a copy of
    every snapshot: a dozen times for each commit, which is half of a commit to a small table, and
    most of one to a table of many.
    """

    def __init__(self, table: Table) -> None:
        properties = {**table.metadata.properties, **_ASK_AGAIN}
        table.metadata = table.metadata.model_copy(update={"properties": properties})
        super().__init__(table)
        self._made: tuple[TableMetadata, tuple[TableUpdate, ...], TableMetadata] | None = None

    @property
    def table_metadata(self) -> TableMetadata:
        """The metadata after all updates so far."""
        base, updates = self._table.metadata, self._updates
        # Neither is changed: with one more update, there is another tuple.
        if self._made is None or self._made[0] is not base or self._made[1] is not updates:
            self._made = base, updates, super().table_metadata
        return self._made[2]

    def commit_transaction(self) -> Table:
        """The table after all updates. Raises CommitFailedException where others changed it."""
        try:
            return super().commit_transaction()
        except _CameThrough:
            return self._table

    def _rebuild_snapshot_updates(self) -> NoReturn:
        """Is asked for after a conflict, with the table as it is then."""
        made = [each.snapshot for each in self._updates if isinstance(each, AddSnapshotUpdate)]
        if made and all(self._table.snapshot_by_id(each.snapshot_id) for each in made):
            raise _CameThrough
        raise CommitFailedException("the table was changed by others")


class _CameThrough(Exception):
    """The snapshots of a commit are there. PyIceberg sees that itself, but not where one of several
    changes, such as a delete that finds nothing, made no snapshot; then it deletes files of those
    that are there."""
