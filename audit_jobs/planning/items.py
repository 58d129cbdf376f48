"""What is on its way through a run: items, and the stages that make them of groups of others,
wherever these run.

Queries, scans, counts and rows are items, of which a run has more than one process can hold. The
driver sees those that say something of all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

Found = dict[str, list[Any]]
"""Payloads of items by kind."""

SHARED = "shared"
"""The kind of what all groups of a table know: one item, at place 0. It comes before all others,
and groups of one table that run after each other get the same object."""


class Item(NamedTuple):
    """One thing that a stage made; pickles. Items of one `table` and one `place` come to one
    group, those of one kind in their `order`: a group that is lost is made again, as it was."""

    kind: str
    payload: Any
    table: str = ""
    place: int = 0
    order: int = 0


@dataclass(frozen=True, slots=True)
class ItemGroup:
    """Some items of one table: its `tasks` as (place, kind, payload) in that order, to be read
    once; and, by kind and place, what stands `beside` them in each group of the table."""

    table: str
    tasks: Iterable[tuple[int, str, Any]]
    beside: Mapping[str, Mapping[int, Any]]


Stage = Callable[[Iterable[ItemGroup]], Iterator[Item]]
"""Turns groups, those of one table after each other, into items; pickles."""


@dataclass(frozen=True, slots=True)
class Instead:
    """What is made of groups over which workers are ended: by a `stage` that says so of them and
    works on nothing. All groups of a table go together where they are `of_tables`; else each stands
    for itself."""

    stage: Stage
    of_tables: bool = True


class Items(Protocol):
    """Items that are kept until their runner is done."""

    def of(self, *kinds: str) -> Items:
        """Those of some kinds."""

    def also(self, others: Items) -> Items:
        """These and others."""

    def here(self) -> Sequence[Item] | None:
        """All of them, if this process has them as it is."""

    def found(self, *kinds: str) -> Found:
        """The payloads of those of some kinds, in any order, in this process."""

    def stream(self, kind: str) -> Iterator[Any]:
        """The payloads of those of one kind, in any order, of which few are in this process at a
        time."""


class Runner(Protocol):
    """Where an audit's work is done: in this process, or spread over Spark."""

    @property
    def slots(self) -> int:
        """About how many groups are worked on at once."""

    def near(self, seconds: Iterable[float]) -> Runner:
        """Where work over items of this runner is done whose parts take one process so many
        seconds: in this process, if it has the answer sooner."""

    def items(self, items: Sequence[Item]) -> Items:
        """Items that this process made."""

    def run(
        self,
        stage: Stage,
        tasks: Items,
        groups: Mapping[str, int],
        beside: Items | None = None,
        instead: Instead | None = None,
    ) -> Items:
        """What a stage makes of `tasks`; those of a table come in so many `groups`, by place,
        those of no such table in none. All items of a table that stand `beside` come with each
        group that has a task. What is made `instead` of groups that end other processes than this
        one; without it, these end the run."""

    def done(self) -> None:
        """Lets go of all items."""
