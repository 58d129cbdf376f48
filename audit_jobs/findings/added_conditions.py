"""Advice to authors of queries on adding a condition beside the present ones."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from prunescope.audit_jobs.findings.condition import Condition, columns_in
from prunescope.audit_jobs.findings.engines import has_name_within_alone, original
from prunescope.audit_jobs.findings.sample import SampledScan
from prunescope.audit_jobs.findings.usage import Group
from prunescope.collectors.predicates.model import BoundComparison, Predicate, Unsupported, all_of
from prunescope.collectors.predicates.simplify import simplified
from prunescope.collectors.predicates.walks import comparisons, leaves
from prunescope.collectors.types import is_floating

_BRACKETS = (
    " If the existing condition has a top-level OR, put it in parentheses first: AND binds tighter."
)
_WITHIN = (
    "Add it to the WHERE of the SELECT that reads the table, and keep the condition. If that "
    "SELECT is shared (a view, a WITH used twice), select the plain column under a new name there, "
    "and filter on that name next to the condition."
)
_DOUBLE = re.compile(r"\b(DOUBLE|REAL|FLOAT)\b|\d[edf]\b|\d[ed][+-]?\d", re.IGNORECASE)
_TOLD = 3
"""Other names of a table that are told: of queries that a program wrote, each may have its own."""


def say_the_same(group: Group, conditions: Sequence[Condition], range_: Predicate) -> bool:
    """True if a range made of conditions selects exactly their rows: all of them are made of
    functions, no bound has a margin, and everything else that the filter says of their columns is
    known and holds within the range (or is IS NOT NULL). Either end of a BETWEEN may be such
    another condition."""
    columns = {name.casefold() for name in columns_in(conditions)}
    made = [leaf for one in conditions for leaf in comparisons(one.predicate)]
    others = (
        each.predicate
        for each in group.conditions
        if all(each is not one for one in conditions) and not each.says_not_null
        if not columns.isdisjoint(map(str.casefold, each.columns))
    )
    unknown = (
        name.casefold()
        for leaf in leaves(group.predicate)
        if isinstance(leaf, Unsupported)
        for name in leaf.columns
    )
    return (
        columns.isdisjoint(unknown)
        and all(simplified(all_of(range_, other)) == simplified(range_) for other in others)
        and all(leaf.written is not None and not _may_be_rounded(leaf) for leaf in made)
        and not any(is_floating(leaf.field.type) for leaf in comparisons(range_))
    )


def _may_be_rounded(leaf: BoundComparison) -> bool:
    """True if an engine may compare a column as a floating-point number, which merges decimals or
    long numbers: beside a floating-point value, or a decimal beside a text."""
    text = leaf.written.text if leaf.written is not None else ""
    is_decimal = leaf.field.type.startswith("decimal")
    is_wide = is_decimal or leaf.field.type == "long"
    return (is_decimal and "'" in text) or (is_wide and _DOUBLE.search(text) is not None)


def under_other_names(group: Group) -> str:
    """Words for other names of the table in sampled queries, to which a condition on the example's
    name does not apply; empty if there are none, or more than `_TOLD`."""
    names = {name for scan in group.sample for name in _names_of_table(scan) if name}
    others = sorted(names.difference(_names_of_table(group.example)))
    if not others or len(others) > _TOLD:
        return ""
    return (
        f" Queries that call the table {' or '.join(others)} need the same condition with that "
        f"name and their own values."
    )


def written_within(group: Group, columns: Sequence[str]) -> str:
    """Advice to put a condition inside the SELECT that reads the table, if its columns have no name
    outside of it; else empty."""
    return _WITHIN if has_name_within_alone(group, columns) else ""


def with_its_place(advice: str, group: Group, columns: Sequence[str]) -> str:
    """Advice to write conditions on columns, with their place if it is not beside the query's own
    conditions."""
    return f"{advice} {written_within(group, columns)}".rstrip()


def _names_of_table(scan: SampledScan) -> Iterator[str]:
    """Qualifiers of the table's columns in the filter of a scan."""
    for column, qualifier in scan.text_place.qualifiers.items():
        outer = scan.text_place.outer_names.get(column)
        yield ".".join(outer[: -column.count(".") - 1] if outer else qualifier)


def brackets_first(group: Group) -> str:
    """Advice to put the present filter in brackets before a condition is added; empty if it has no
    OR."""
    has_or = any(" OR " in original(condition) for condition in group.conditions)
    return _BRACKETS if has_or else ""
