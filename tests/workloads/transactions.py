"""Transactions that make the metadata of what they change once, not whenever it is looked at, and
the same each time."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from unittest import mock

from pyiceberg import table
from pyiceberg.table import metadata
from pyiceberg.table.metadata import TableMetadata
from pyiceberg.table.update import TableUpdate, update_table_metadata


@contextmanager
def metadata_made_once() -> Iterator[None]:
    """Has PyIceberg keep the metadata of a transaction until that changes: it makes them a dozen
    times for each commit, with a copy of every snapshot, which is most of a table of many."""
    last: tuple[TableMetadata, tuple[TableUpdate, ...], TableMetadata] | None = None

    def kept(base: TableMetadata, updates: tuple[TableUpdate, ...]) -> TableMetadata:
        nonlocal last
        # Neither changes: a transaction with one more update has another tuple.
        if last is None or last[0] is not base or last[1] is not updates:
            last = base, updates, update_table_metadata(base, updates)
        return last[2]

    with mock.patch.object(table, "update_table_metadata", kept):
        yield


@contextmanager
def snapshots_numbered() -> Iterator[None]:
    """Has PyIceberg give the snapshots of a table the same numbers each time: an audit draws scans
    by these."""
    drawn = partial(random.Random(0).getrandbits, 62)  # noqa: S311
    with mock.patch.object(metadata, "_generate_snapshot_id", drawn):
        yield
