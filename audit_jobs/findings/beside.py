"""What authors of queries are told of a condition that they add beside those that are there."""

from __future__ import annotations

from audit_jobs.findings.engines import original
from audit_jobs.findings.usage import Group

_BRACKETS = (
    " Put what is there in brackets first, where it has an OR outside of any: AND binds tighter."
)


_TOLD = 3
"""Other names of a table that are told: of queries that a program wrote, each may have its own."""


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
