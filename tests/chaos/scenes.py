"""What a fault is made of: somebody else's table, queries of it, logs, and how it is found."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any

from tests.chaos.lake import event
from tests.chaos.victim import Victim

REPLAYED = "replayed"


@dataclass
class Scene:
    """The victim, what is asked of it, and logs beside those of the healthy tables."""

    victim: Victim
    conditions: tuple[str, ...] = ("id = 7", "day >= TIMESTAMP '2026-01-02 00:00:00'")
    events: list[dict[str, Any]] = field(default_factory=list)
    sources: list[dict[str, Any]] = field(default_factory=list)
    tables: list[dict[str, str]] = field(default_factory=list)
    path_map: list[dict[str, str]] = field(default_factory=list)
    properties: dict[str, str] = field(default_factory=dict)
    """Of the victim's catalog."""
    servers: ExitStack = field(default_factory=ExitStack)
    """What runs for as long as the scene is played."""
    attacker: str = ""
    """A host and port of the table's owner, where nobody is ever to call."""

    @property
    def table(self) -> str:
        """The victim, as queries name it."""
        return self.victim.name

    def read_by_file(self) -> None:
        """Finds the table by its metadata file, not by a catalog."""
        self.tables.append({"name": self.table, "metadata": str(self.victim.metadata)})

    def ask(self, sql: str, **parts: Any) -> None:
        """Adds a query of the victim."""
        self.events.append(
            {**event(f"z_{self.victim.catalog}_more_{len(self.events)}", sql), **parts}
        )

    def queries(self) -> list[dict[str, Any]]:
        """The victim's queries; their ids sort behind those of the healthy tables."""
        asked = [
            event(
                f"z_{self.victim.catalog}_{number}", f"SELECT * FROM {self.table} WHERE {condition}"
            )
            for number, condition in enumerate(self.conditions)
        ]
        return [*asked, *self.events]


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault: how it is made, and the outcome of the queries, or inputs, that it hits."""

    inject: Callable[[Scene], None]
    outcome: str = REPLAYED
    of_inputs: tuple[str, ...] = ()
    """The outcomes of inputs of logs that are no queries."""

    @property
    def name(self) -> str:
        """As people read it."""
        return self.inject.__name__.replace("_", " ")
