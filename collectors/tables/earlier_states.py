"""Tables of catalogs that keep their history: the metadata of each state has the snapshot of that
state, and the catalog names earlier ones.

Nessie (0.99, guide "Time travel with Iceberg REST") versions the catalog as a whole, so that a
table's metadata there has one snapshot, the current one; `table#2024-07-01T00:00:00.1Z` is the
table as it was. Asked back, state by state, the metadata together are what another catalog has in
one.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from prunescope.collectors.errors import PrunescopeError, TableNotFound, TableTooSlow
from prunescope.collectors.tables.metadata import TableMetadata

_BEFORE_TIME = {"nessie.is-nessie-catalog": "#"}
"""Separators of a table and a time, by the property that a catalog says of itself."""
_AHEAD = (0.0, 0.01, 1.0, 60.0)
"""Seconds by which the clock of a writer may be ahead of the catalog's, tried in turn."""

StateAt = Callable[[dt.datetime], TableMetadata]
"""The metadata at a time (with a time zone). Raises TableNotFound where there was no table."""


def name_at(properties: Mapping[str, object], table: str) -> Callable[[dt.datetime], str] | None:
    """A function from a time (with a time zone) to the name by which a catalog has the table as it
    was then; None if the catalog has no such names, or the name has a time already."""
    said = (mark for key, mark in _BEFORE_TIME.items() if properties.get(key) == "true")
    mark = next(said, None)
    if mark is None or mark in table:
        return None
    return lambda time: f"{table}{mark}{time.astimezone(dt.UTC):%Y-%m-%dT%H:%M:%S.%fZ}"


def just_before(updated: dt.datetime) -> dt.datetime:
    """The time at which a state was current that ended when the next was made, which metadata tell
    in milliseconds. It is never a whole second, which Nessie 0.99 does not take."""
    return updated - dt.timedelta(microseconds=1)


def reaching_back(metadata: TableMetadata, state_at: StateAt, since: dt.datetime) -> TableMetadata:
    """The metadata, with the snapshots, schemas, specs and history of the table's earlier states,
    back to the one at `since` (with a time zone), to the first, or to where the catalog fails. Of
    what `state_at` raises, raises TableTooSlow."""
    found, failure = [metadata], None
    try:
        found.extend(_before(metadata, state_at, since))
    except TableTooSlow:
        raise
    except PrunescopeError as error:  # of the states that are known queries can be replayed
        failure = str(error)
    states = found[::-1]
    history = list(states[0].history)
    for state in states[1:]:
        current = state.current_snapshot_id
        if current is not None and state.updated is not None and current != history[-1][1]:
            history.append((state.updated, current))
    return replace(
        metadata,
        schemas={key: each for state in states for key, each in state.schemas.items()},
        raw_specs={key: each for state in states for key, each in state.raw_specs.items()},
        snapshots={key: each for state in states for key, each in state.snapshots.items()},
        history=tuple(history),
        unreached=failure,
    )


def _before(state: TableMetadata, state_at: StateAt, since: dt.datetime) -> Iterator[TableMetadata]:
    """Earlier states that have a snapshot, the last one first."""
    while state.history and state.history[0][0] > since:
        earlier = _last_before(state, state_at)
        if earlier is None or earlier.table_uuid != state.table_uuid or not earlier.history:
            return
        yield earlier
        state = earlier


def _last_before(state: TableMetadata, state_at: StateAt) -> TableMetadata | None:
    """The state before one; None if there is none, or none that is earlier."""
    if state.updated is None:
        return None
    for seconds in _AHEAD:
        try:
            found = state_at(just_before(state.updated - dt.timedelta(seconds=seconds)))
        except TableNotFound:
            return None
        if found.updated is not None and found.updated < state.updated:
            return found
    return None
