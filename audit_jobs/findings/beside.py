"""What authors of queries are told of a condition that they add beside those that are there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from audit_jobs.findings.condition import Condition, columns_in
from audit_jobs.findings.engines import has_name_within_alone, original
from audit_jobs.findings.sample import SampledScan
from audit_jobs.findings.unpushed import is_of_one
from audit_jobs.findings.usage import Group
from collectors.predicates.model import Predicate, Unsupported
from collectors.predicates.walks import comparisons, leaves
from collectors.types import is_floating

_BRACKETS = (
    " Put what is there in brackets first, where it has an OR outside of any: AND binds tighter."
)
_WITHIN = (
    "It goes into the WHERE of the SELECT that reads the table for the condition, which stays: "
    "where that stands, the column as it is has no name. Where others read that SELECT as well (a "
    "view, a WITH that is used twice), have it give the column as it is, under a name of its own, "
    "and write it of that, beside the condition."
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
    names = {name for scan in group.sample for name in _names_of_table(scan) if name}
    others = sorted(names.difference(_names_of_table(group.example)))
    if not others or len(others) > _TOLD:
        return ""
    return (
        f" Where the table is called {' or '.join(others)}, it needs one likewise, of that name "
        "and with the values that are asked for there."
    )


def written_within(group: Group, columns: Sequence[str]) -> str:
    """Where a condition on columns belongs that does not belong beside the query's own, as these
    have no name there; empty for others."""
    return _WITHIN if has_name_within_alone(group, columns) else ""


def with_its_place(advice: str, group: Group, columns: Sequence[str]) -> str:
    """An advice to write conditions on columns, and where these belong if not where the query's
    own stand."""
    return f"{advice} {written_within(group, columns)}".rstrip()


def _names_of_table(scan: SampledScan) -> Iterator[str]:
    """What stands before the table's columns where conditions on them stand."""
    for column, qualifier in scan.qualifiers.items():
        outer = scan.outer_names.get(column)
        yield ".".join(outer[: -column.count(".") - 1] if outer else qualifier)


def brackets_first(group: Group) -> str:
    """What to do before a condition is added to a filter that has an OR; empty where none has."""
    has_or = any(" OR " in original(condition) for condition in group.conditions)
    return _BRACKETS if has_or else ""
