"""A Runner in this process: for a few queries, and metadata that one machine can hold."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Any

from prunescope.audit_jobs.planning.collection import collected_seldom
from prunescope.audit_jobs.planning.items import Found, Instead, Item, ItemGroup, Items, Stage


class LocalItems:
    """Items in this process."""

    def __init__(self, items: Sequence[Item]) -> None:
        self._items = items

    def __iter__(self) -> Iterator[Item]:
        return iter(self._items)

    def of(self, *kinds: str) -> LocalItems:
        """The items of some kinds."""
        return LocalItems([item for item in self._items if item.kind in kinds])

    def also(self, others: Items) -> LocalItems:
        """These items and others."""
        assert isinstance(others, LocalItems)
        return LocalItems([*self, *others])

    def here(self) -> Sequence[Item]:
        """All items."""
        return self._items

    def found(self, *kinds: str) -> Found:
        """The payloads of some kinds, by kind."""
        found: Found = {}
        for item in self.of(*kinds):
            found.setdefault(item.kind, []).append(item.payload)
        return found

    def stream(self, kind: str) -> Iterator[Any]:
        """The payloads of one kind."""
        return (item.payload for item in self._items if item.kind == kind)


class LocalRunner:
    """Runs stages in this process, one group after the other."""

    slots = 1

    def near(self, seconds: Iterable[float]) -> LocalRunner:  # noqa: ARG002  # however many
        """This runner: it has no other process."""
        return self

    def items(self, items: Sequence[Item]) -> LocalItems:
        """The items as they are."""
        return LocalItems(items)

    def run(
        self,
        stage: Stage,
        tasks: Items,
        groups: Mapping[str, int],
        beside: Items | None = None,
        instead: Instead | None = None,  # noqa: ARG002  # there is no other process
    ) -> LocalItems:
        """The items that a stage makes of all groups; `instead` is not needed."""
        assert isinstance(tasks, LocalItems)
        assert beside is None or isinstance(beside, LocalItems)
        with collected_seldom():
            return LocalItems(list(stage(_grouped(tasks, groups, beside or ()))))

    def done(self) -> None:
        """Does nothing: items are freed with their references."""


def _grouped(
    tasks: Iterable[Item], groups: Mapping[str, int], beside: Iterable[Item]
) -> Iterator[ItemGroup]:
    by_table: dict[str, dict[str, dict[int, Any]]] = {}
    for item in beside:
        by_table.setdefault(item.table, {}).setdefault(item.kind, {})[item.place] = item.payload
    found: dict[tuple[str, int], list[tuple[int, str, int, Any]]] = {}
    for task in tasks:
        if task.table in groups:
            key = (task.table, task.place % groups[task.table])
            found.setdefault(key, []).append((task.place, task.kind, task.order, task.payload))
    for (table, _), of_group in sorted(found.items(), key=itemgetter(0)):
        in_order = sorted(of_group, key=itemgetter(0, 1, 2))
        tasks_of_group = [(place, kind, payload) for place, kind, _, payload in in_order]
        yield ItemGroup(table, tasks_of_group, by_table.get(table, {}))
