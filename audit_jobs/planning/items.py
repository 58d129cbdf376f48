"""Items that travel through a run, and the stages that make items of groups of others, wherever
these run.

Queries, scans, counts and rows are items, of which a run has more than one process can hold. The
driver sees only the items that concern the whole run.
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
    """An item that a stage made; pickles. Items of one `table` and one `place` come to one group,
    those of one kind in their `order`: a lost group is made again, as it was."""

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
    """A substitute for groups whose workers are killed: a `stage` that reports the loss and does no
    work. With `of_tables`, all groups of a table are replaced together; else each by itself."""

    stage: Stage
    of_tables: bool = True


class Items(Protocol):
    """Items that are kept until their runner is done."""

    def of(self, *kinds: str) -> Items:
        """The items of some kinds."""

    def also(self, others: Items) -> Items:
        """These items and others."""

    def here(self) -> Sequence[Item] | None:
        """All items, if this process holds them already; else None."""

    def found(self, *kinds: str) -> Found:
        """The payloads of some kinds, in any order, in this process."""

    def stream(self, kind: str) -> Iterator[Any]:
        """The payloads of one kind, in any order, with few in this process at a time."""


class Runner(Protocol):
    """The place of an audit's work: this process, or Spark."""

    @property
    def slots(self) -> int:
        """The approximate number of groups that are worked on at once."""

    def near(self, seconds: Iterable[float]) -> Runner:
        """The runner for work over this runner's items whose parts take one process `seconds` each:
        this process, if it has the answer sooner."""

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
        """The items that a stage makes of `tasks`. Those of a table come in as many groups as
        `groups` says, by place; tables that it lacks are left out. All items of a table that stand
        `beside` come with each group that has a task. `instead` replaces groups that kill other
        processes than this one; without it, these end the run."""

    def done(self) -> None:
        """Drops all items."""
