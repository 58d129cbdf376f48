"""A condition of a workload's filters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from prunescope.collectors.predicates.model import BoundComparison, Field, Predicate, Unsupported
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.predicates.walks import comparisons, leaves


@dataclass(frozen=True, slots=True)
class Condition:
    """One conjunct of a group's filter, as the scans of the group together see it.

    `text` is what the audit tables have, `predicate` that of the group's example; the scans of a
    group differ in literals alone. Counts sum over scans; `reasons` maps passes to the reason
    that most scans have why it pruned nothing there. `share` of the table's rows match it alone,
    as sampled and on average over the scans; None where no rows were sampled. `kept` is the share
    of the table's files that it alone leaves in the example. `longest_list` is the largest number
    of values that it lists in any scan. Of `data_files_unmeasured` of the files that the scans
    keep, metadata does not say whether it matches.
    """

    text: str
    predicate: Predicate
    conjunct_class: str
    pushed: bool | None
    manifests_pruned: int
    data_files_pruned: int
    row_groups_pruned: int
    reasons: Mapping[str, str]
    share: float | None = None
    kept: float = 1.0
    longest_list: int = 0
    data_files_unmeasured: int = 0

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that it reads, by full name."""
        return tuple(dict.fromkeys(_columns(self.predicate)))

    @property
    def field_ids(self) -> frozenset[int]:
        """The columns that it compares, by field id."""
        return frozenset(leaf.field.field_id for leaf in comparisons(self.predicate))

    @property
    def field(self) -> Field | None:
        """Single column of all comparisons of the condition, as of `a < 1 OR a > 5`; None if there
        are several, or other parts."""
        found = {
            leaf.field if isinstance(leaf, BoundComparison) else None
            for leaf in leaves(self.predicate)
        }
        return found.pop() if len(found) == 1 else None

    @property
    def says_not_null(self) -> bool:
        """True if the condition is a bare IS NOT NULL, which Spark infers from join keys and from
        most functions."""
        predicate = self.predicate
        return isinstance(predicate, BoundComparison) and predicate.op is Op.NOT_NULL


def columns_in(conditions: Iterable[Condition]) -> tuple[str, ...]:
    """The columns that conditions read, by full name, each once and in order."""
    return tuple(dict.fromkeys(name for each in conditions for name in each.columns))


def _columns(predicate: Predicate) -> Iterator[str]:
    for leaf in leaves(predicate):
        match leaf:
            case Unsupported(columns=columns):
                yield from columns
            case BoundComparison(field=field):
                yield field.name
