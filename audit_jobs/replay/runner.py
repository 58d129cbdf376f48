"""Where an audit's work is done: in this process, or spread over Spark by `replay.spark`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Protocol

from audit_jobs.replay.driver import Found, StageRunner, Stages
from audit_jobs.replay.stages import TASK, Group, Item, Stage
from audit_jobs.replay.work import PlannedTable, TableWork

Function = Callable[[Iterator[Any]], Iterable[tuple[str, Any]]]
"""Turns items into (kind, result) pairs; pickles."""


class Runner(StageRunner, Protocol):
    """Runs the parts of an audit that take long."""

    def map(self, items: Sequence[Any], function: Function) -> dict[str, list[Any]]:
        """The results of a function over items, in any order, by kind."""


class LocalRunner:
    """A Runner in this process: for a few queries, and metadata that one machine can hold."""

    slots = 1

    def map(self, items: Sequence[Any], function: Function) -> dict[str, list[Any]]:
        """See Runner."""
        found: dict[str, list[Any]] = {}
        for kind, result in function(iter(items)):
            found.setdefault(kind, []).append(result)
        return found

    @contextmanager
    def stages(self, works: Sequence[TableWork]) -> Iterator[Stages]:
        """See StageRunner."""
        tables = planned_tables(works)

        def run(
            stage: Stage,
            tasks: Any,
            groups: Mapping[str, int],
            *,
            scans: bool = True,  # noqa: ARG001  # they cost nothing here
            last: bool = False,  # noqa: ARG001
        ) -> tuple[Found, Any]:
            found: Found = {}
            made = []
            for item in stage(_grouped(tables, tasks, groups)):
                if item.kind == TASK:
                    made.append(item)
                else:
                    found.setdefault(item.kind, []).append(item.payload)
            return found, made

        yield run


def planned_tables(works: Sequence[TableWork]) -> dict[str, PlannedTable]:
    """The tables of works by name, with their blocks."""
    by_table: dict[str, list[TableWork]] = {}
    for work in works:
        by_table.setdefault(work.table, []).append(work)
    return {
        name: PlannedTable(
            {work.context.schema_id: work.context for work in of_table},
            {work.key: work.block for work in of_table},
        )
        for name, of_table in by_table.items()
    }


def _grouped(
    tables: Mapping[str, PlannedTable], tasks: Sequence[Item], groups: Mapping[str, int]
) -> Iterator[Group]:
    found: dict[tuple[str, int], list[Any]] = {}
    for task in tasks:
        key = (task.table, task.place % groups[task.table])
        found.setdefault(key, []).append(task.payload)
    for (name, _), payloads in sorted(found.items(), key=lambda pair: pair[0]):
        yield Group(tables[name], payloads)
