"""Commits whose cost does not grow with the snapshots that a table has, times a dozen."""

from __future__ import annotations

from pyiceberg.table import Table, Transaction
from pyiceberg.table.metadata import TableMetadata
from pyiceberg.table.update import TableUpdate


class CopiedOnce(Transaction):
    """A transaction that keeps the metadata of its table as they are after its updates.

    PyIceberg makes them whenever it looks at them, with a copy of every snapshot: a dozen times for
    each commit, which is half of a commit to a small table, and most of one to a table of many.
    """

    def __init__(self, table: Table) -> None:
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
