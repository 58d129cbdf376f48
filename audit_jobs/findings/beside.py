"""What authors of queries are told of a condition that they add beside those that are there."""

from __future__ import annotations

from audit_jobs.findings.engines import original
from audit_jobs.findings.usage import Group

_BRACKETS = (
    " Put what is there in brackets first, where it has an OR outside of any: AND binds tighter."
)


def brackets_first(group: Group) -> str:
    """What to do before a condition is added to a filter that has an OR; empty where none has."""
    has_or = any(" OR " in original(condition) for condition in group.conditions)
    return _BRACKETS if has_or else ""
