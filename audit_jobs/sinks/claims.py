"""Claims on windows: the run that claimed a window last may publish it.

A claim is a snapshot of `audit_runs` whose summary names the run and its window; it comes before
the first row is written. Each writer looks first whether a run that would replace its rows, or
whose rows it would replace, has claimed a window since: then it has lost, and writes no more. Each
commit is made on the version of the table that was loaded before that look, so a run that claims
and writes in between makes the commit fail, and the writer looks again. So of runs at the same time
only the last to claim publishes, whatever the order of their commits, and none replaces rows that
another shows.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pyiceberg.exceptions import NoSuchTableError
from pyiceberg.table.snapshots import ancestors_of

from prunescope.audit_jobs.errors import WindowTaken
from prunescope.audit_jobs.records import Window
from prunescope.collectors.predicates.calendar import EPOCH_UTC
from prunescope.collectors.tables.earlier_states import just_before, name_at

if TYPE_CHECKING:
    from pyiceberg.table import Table
    from pyiceberg.table.snapshots import Snapshot

_RUN = "prunescope.run-id"
_START = "prunescope.window-start"
_END = "prunescope.window-end"
_OVERLAPPING = "prunescope.replaces-overlapping"


@dataclass(frozen=True, slots=True)
class Claim:
    """A run's claim on its window. It replaces the rows of all windows within its own, or, if
    `overlapping`, of all that overlap it."""

    run_id: str
    window: Window
    overlapping: bool = False

    @property
    def stale(self) -> str:
        """A filter for the rows of the windows that the run replaces."""
        start, end = _instant(self.window.start), _instant(self.window.end)
        if self.overlapping:
            return f"window_start < '{end}' and window_end > '{start}'"
        return f"window_start >= '{start}' and window_end <= '{end}'"

    @property
    def stale_of_others(self) -> str:
        """SQL predicate of the stale rows that other runs wrote. Unlike with `!=`, the bounds of a
        file can rule it out."""
        return f"{self.stale} and (run_id < '{self.run_id}' or run_id > '{self.run_id}')"

    @property
    def stale_of_its_own(self) -> str:
        """SQL predicate of the stale rows that this run wrote."""
        return f"{self.stale} and run_id = '{self.run_id}'"

    @property
    def summary(self) -> dict[str, str]:
        """The entries for the summary of its snapshots."""
        return {
            _RUN: self.run_id,
            _START: _instant(self.window.start),
            _END: _instant(self.window.end),
            _OVERLAPPING: str(self.overlapping).lower(),
        }

    def replaces(self, window: Window) -> bool:
        """True if the claim replaces the rows of a window."""
        if self.overlapping:
            return window.start < self.window.end and window.end > self.window.start
        return window.start >= self.window.start and window.end <= self.window.end


def look(runs: Table, claim: Claim) -> None:
    """Raises WindowTaken unless the claim stands, by the history of `audit_runs` as loaded."""
    for snapshot in _history(runs):
        other = _claim_of(snapshot)
        if other is None:
            continue
        if other.run_id == claim.run_id:
            return
        if other.replaces(claim.window) or claim.replaces(other.window):
            raise WindowTaken(claim.run_id, other.run_id)
    raise WindowTaken(claim.run_id, None)


def _history(runs: Table) -> Iterator[Snapshot]:
    """Snapshots, the newest first: those of the metadata, and then those of earlier states, if the
    catalog names these."""
    *namespace, name = runs.name()
    named = name_at(runs.catalog.properties, name)
    while True:
        yield from ancestors_of(runs.current_snapshot(), runs.metadata)
        if named is None:
            return
        updated = runs.metadata.last_updated_ms
        moment = just_before(EPOCH_UTC + dt.timedelta(milliseconds=updated))
        try:
            runs = runs.catalog.load_table((*namespace, named(moment)))
        except NoSuchTableError:
            return
        if runs.metadata.last_updated_ms >= updated:
            return


def _claim_of(snapshot: Snapshot) -> Claim | None:
    found = {} if snapshot.summary is None else snapshot.summary.additional_properties
    if _RUN not in found:
        return None
    window = Window(*(dt.datetime.fromisoformat(found[name]) for name in (_START, _END)))
    return Claim(found[_RUN], window, found[_OVERLAPPING] == "true")


def _instant(value: dt.datetime) -> str:
    return value.astimezone(dt.UTC).isoformat()
