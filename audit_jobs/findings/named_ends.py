"""Ranges that authors of queries can paste: their ends said by the names of the query's literals."""

from __future__ import annotations

from collections.abc import Sequence

from audit_jobs.findings.condition import Condition, columns_in
from audit_jobs.findings.engines import begins_plainly, dialect_for, shows_literals, written_texts
from audit_jobs.findings.usage import Group, TableUsage
from collectors.predicates.model import Predicate
from collectors.sql.pasted.search import Pasted, pasted

OF_MARKS = (
    "What belongs in the place of each ? follows from the values of the query: `prunescope explain` "
    "shows it for one of them."
)
"""What is said where no names are known."""


def with_names(
    usage: TableUsage, group: Group, conditions: Sequence[Condition], range_: Predicate
) -> Pasted | None:
    """The range of conditions, said by the names of their literals; None where these are shown, and
    where no such form says what the range does."""
    if shows_literals(conditions[0]):
        return None
    sql = written_texts(conditions)
    found = None
    if sql is not None:
        found = pasted(sql, dialect_for(group), usage.schema, columns_in(conditions))
    if found is None or not found.says(range_):
        return None
    return found if all(begins_plainly(group, leaf) for leaf in found.ends) else None


def how_to_paste(found: Pasted | None) -> str:
    """What stands for the names in a range, or for its marks."""
    if found is None:
        return OF_MARKS
    return f"Put your own values in the place of the names, as in {found.condition}."
