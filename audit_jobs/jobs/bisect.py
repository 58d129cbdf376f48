"""Bisecting a table's history: the commit since which a query reads more."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from prunescope.audit_jobs.jobs.explain import explain
from prunescope.audit_jobs.jobs.questions import Question
from prunescope.audit_jobs.tuning import HALF
from prunescope.collectors.errors import PrunescopeError
from prunescope.collectors.outcomes import Outcome
from prunescope.collectors.sql.planners.profiles import Planner
from prunescope.collectors.sql.scopes.time_travel import Version
from prunescope.collectors.tables.catalog import Table
from prunescope.collectors.tables.metadata import Snapshot, TableMetadata


class NothingToBisect(PrunescopeError):
    """A question that is not answered by two snapshots, at least."""

    code = "nothing_to_bisect"


@dataclass(frozen=True, slots=True)
class Reading:
    """The bytes of data files that a query keeps of a snapshot, and those of all of its files."""

    snapshot: Snapshot
    kept: int
    total: int

    @property
    def share(self) -> float:
        """The kept share; 0 for an empty snapshot."""
        return self.kept / self.total if self.total else 0.0


@dataclass(frozen=True, slots=True)
class Bisected:
    """The replays of a query, in the order of `snapshots`, the number of those that the table
    retains. `good` and `bad` follow each other: `bad` is the first that keeps more, both are None
    if the newest keeps no more than the oldest. `unread` are the snapshots that cannot answer, with
    the reason."""

    snapshots: int
    readings: tuple[Reading, ...]
    good: Reading | None
    bad: Reading | None
    unread: tuple[tuple[Snapshot, str], ...] = ()

    @property
    def is_one_commit(self) -> bool:
        """True if the commit of `bad` makes most of the difference between oldest and newest."""
        if self.good is None or self.bad is None:
            return False
        rise = self.readings[-1].kept - self.readings[0].kept
        return self.bad.kept - self.good.kept >= HALF * rise


def ancestry(metadata: TableMetadata) -> list[Snapshot]:
    """The retained snapshots that led to the current one, oldest first."""
    found: list[Snapshot] = []
    snapshot = metadata.current_snapshot()
    while snapshot is not None and snapshot not in found[-1:]:
        found.append(snapshot)
        parent = snapshot.parent_id
        snapshot = None if parent is None else metadata.snapshots.get(parent)
    return found[::-1]


def bisect(
    table: Table, question: Question, planner: Planner | None, *, every: bool = False
) -> Bisected:
    """Finds the commit since which a query keeps more bytes: by halving the snapshots between one
    that keeps less than the mean of oldest and newest, and one that keeps more; with `every`, by
    the largest step of all snapshots. Raises NothingToBisect."""
    snapshots = ancestry(table.metadata)
    replays = _Replays(table, question, planner, snapshots)
    if every:
        for number in range(len(snapshots)):
            replays.at(number)
        return replays.largest_step()
    last = len(snapshots) - 1
    newest = replays.at(last) if snapshots else None
    first = next((n for n in _doubling(last) if replays.at(n) is not None), None)
    if first is None or newest is None:
        raise replays.unanswered()
    oldest = replays.at(first)
    assert oldest is not None
    if newest.kept <= oldest.kept:
        return replays.found(None, None)
    middle = (oldest.kept + newest.kept) / 2
    low, high = first, last
    while high - low > 1:
        number = (low + high) // 2
        reading = replays.at(number)
        if reading is None or reading.kept <= middle:
            low = number
        else:
            high = number
    return replays.found(low, high)


def _doubling(last: int) -> Sequence[int]:
    """Numbers of snapshots from the oldest on, in steps that double: the oldest ones may lack a
    column that was added since."""
    return [0, *(2**power for power in range(last.bit_length()) if 2**power < last)]


class _Replays:
    """The replays of a question by number of snapshot, each made once."""

    def __init__(
        self,
        table: Table,
        question: Question,
        planner: Planner | None,
        snapshots: Sequence[Snapshot],
    ) -> None:
        self._table = table
        self._question = question
        self._planner = planner
        self._snapshots = snapshots
        self._readings: dict[int, Reading] = {}
        self._unread: dict[int, str] = {}

    def at(self, number: int) -> Reading | None:
        """The replay of a snapshot; None if it cannot answer."""
        if number not in self._readings and number not in self._unread:
            self._replay(number)
        return self._readings.get(number)

    def _replay(self, number: int) -> None:
        snapshot = self._snapshots[number]
        version = Version(snapshot.snapshot_id, None, None)
        try:
            (answer,) = explain(
                self._table, version, [self._question], planner=self._planner, max_footers=1
            )
        except PrunescopeError as error:
            self._unread[number] = str(error)
            return
        scans = [answer, *answer.get("more_scans", ())]
        if any(scan["outcome"] != Outcome.REPLAYED for scan in scans):
            self._unread[number] = answer.get("message") or answer["outcome"]
            return
        counts = [[scan["bytes"][name] for scan in scans] for name in ("kept", "total")]
        if any(count is None for each in counts for count in each):
            self._unread[number] = "the sizes of its files are unknown"
            return
        self._readings[number] = Reading(snapshot, *map(sum, counts))

    def found(self, good: int | None, bad: int | None) -> Bisected:
        """The result, with the numbers of the snapshots before and after the commit."""
        return Bisected(
            len(self._snapshots),
            tuple(self._readings[number] for number in sorted(self._readings)),
            None if good is None else self._readings.get(good),
            None if bad is None else self._readings[bad],
            tuple((self._snapshots[number], why) for number, why in sorted(self._unread.items())),
        )

    def largest_step(self) -> Bisected:
        """The result for replays of all snapshots. Raises NothingToBisect."""
        if len(self._readings) < 2:
            raise self.unanswered()
        numbers = sorted(self._readings)
        good, bad = max(
            pairwise(numbers),
            key=lambda pair: self._readings[pair[1]].kept - self._readings[pair[0]].kept,
        )
        rises = self._readings[bad].kept > self._readings[good].kept
        return self.found(good, bad) if rises else self.found(None, None)

    def unanswered(self) -> NothingToBisect:
        """The error of a question that no two snapshots answer."""
        why = next(iter(self._unread.values()), "the table has no snapshot")
        return NothingToBisect(f"{self._table.name}: no two snapshots answer this query: {why}")
