"""The conditions that hold beside one, by the columns that they read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from prunescope.collectors.sql.text.boolean import Formula, leaves, own_columns

_MOST_OF_COLUMN = 8
"""The most conditions of one column: each is evaluated for every other one, and few say more than
some."""


@dataclass(frozen=True, slots=True)
class Beside:
    """Conditions that all hold, by the lower-case names of their columns; those in `read` are being
    read, so that nothing is known of them yet."""

    by_name: Mapping[str, Sequence[Formula]] = field(default_factory=dict)
    read: tuple[Formula, ...] = ()

    def with_conditions(self, conditions: Iterable[Formula]) -> Beside:
        """These conditions, after the given ones."""
        found: dict[str, list[Formula]] = {}
        for condition in conditions:
            for name in column_names(condition):
                # One is read by itself at last.
                if len(of_column := found.setdefault(name, [])) <= _MOST_OF_COLUMN:
                    of_column.append(condition)
        for name, before in self.by_name.items():
            of_column = found.setdefault(name, [])
            of_column += before[: _MOST_OF_COLUMN + 1 - len(of_column)]
        return replace(self, by_name=found)

    def reading(self, condition: Formula) -> Beside:
        """These conditions without one that is being read, and without its parts."""
        return replace(self, read=(*self.read, condition)) if self.by_name else self

    def of(self, condition: Formula) -> tuple[Formula, ...]:
        """The conditions that share a column with one and are not being read."""
        read = (*self.read, condition)
        found = {
            id(other): other
            for name in column_names(condition)
            for other in self.by_name.get(name, ())
            if not any(other is each for each in read)
        }
        return tuple(found.values())


ALONE = Beside()
"""No conditions."""


def column_names(condition: Formula) -> dict[str, None]:
    """The lower-case names of the columns that a condition reads, in their order."""
    return dict.fromkeys(
        column.name.lower() for leaf in leaves(condition) for column in own_columns(leaf.expression)
    )
