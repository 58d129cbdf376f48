"""Effects of statements on rows that a table has."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from prunescope.collectors.schema import Schema, casefolded

Path = tuple[str, ...]
"""The parts of a column's name, in the form in which those that differ in case are the same."""


@dataclass(frozen=True, slots=True)
class Effect:
    """The effect of one statement on rows of a table. `replaces` says that it replaces or drops all
    rows of some partitions. It gives columns new values: the `assigned` columns with all their
    fields, and, unless `kept` is None, all columns but the `kept` ones. The same for all statements
    that differ in literals alone."""

    replaces: bool = False
    assigned: frozenset[Path] = frozenset()
    kept: frozenset[Path] | None = None

    @property
    def is_any(self) -> bool:
        """Tells whether existing rows may be changed."""
        return self.replaces or bool(self.assigned) or self.kept is not None

    def changes(self, path: Path) -> bool:
        """Tells whether the statement gives new values to a column, or to a struct that contains
        it."""
        folded = casefolded(path)
        whole = {folded[:length] for length in range(1, len(folded) + 1)}
        return bool(whole & self.assigned) or (self.kept is not None and not whole & self.kept)


REPLACED = Effect(replaces=True)
"""Partitions are replaced, or dropped."""


def changing_columns(effects: Iterable[Effect], schema: Schema) -> frozenset[str]:
    """The columns that statements give new values, by full name."""
    known = tuple(effects)
    return frozenset(
        column.name
        for column in schema.columns
        if any(effect.changes(column.path) for effect in known)
    )
