"""What authors of queries are told of a condition that they add beside those that are there."""

from __future__ import annotations

from collections.abc import Sequence

from audit_jobs.findings.condition import Condition, columns_in
from audit_jobs.findings.engines import original
from audit_jobs.findings.unpushed import is_of_one
from audit_jobs.findings.usage import Group
from collectors.predicates.model import Predicate, Unsupported
from collectors.predicates.walks import comparisons, leaves
from collectors.types import is_floating

_BRACKETS = (
    " Put what is there in brackets first, where it has an OR outside of any: AND binds tighter."
)
_TOLD = 3
"""Other names of a table that are told: of queries that a program wrote, each may have its own."""


def say_the_same(group: Group, conditions: Sequence[Condition], range_: Predicate) -> bool:
    """Whether a range that was made of conditions selects their rows alone: each is one of the
    query's, all that is said of its columns is in them (of a BETWEEN, both ends are) and known,
    and no bound has a margin."""
    columns = {name.casefold() for name in columns_in(conditions)}
    others = [each for each in group.conditions if all(each is not one for one in conditions)]
    unknown = (
        name.casefold()
        for leaf in leaves(group.predicate)
        if isinstance(leaf, Unsupported)
        for name in leaf.columns
    )
    return (
        columns.isdisjoint(unknown)
        and columns.isdisjoint(map(str.casefold, columns_in(others)))
        and all(is_of_one([*comparisons(condition.predicate)]) for condition in conditions)
        and not any(is_floating(leaf.field.type) for leaf in comparisons(range_))
    )


def under_other_names(group: Group) -> str:
    """The names that sampled queries have for the table beside that of the example, which a
    condition of it says nothing of; empty where there is none."""
    names = {".".join(of) for scan in group.sample for of in scan.qualifiers.values() if of}
    others = sorted(names - {".".join(of) for of in group.qualifiers.values()})
    if not others or len(others) > _TOLD:
        return ""
    return (
        f" Where the table is called {' or '.join(others)}, it needs one likewise, of that name "
        "and with the values that are asked for there."
    )


def brackets_first(group: Group) -> str:
    """What to do before a condition is added to a filter that has an OR; empty where none has."""
    has_or = any(" OR " in original(condition) for condition in group.conditions)
    return _BRACKETS if has_or else ""
