"""Which types of columns are compared without converting any value.

Engines compare columns of different types by converting one of them, so that what holds for one
need not hold for the other: in DuckDB, `a.s = b.i AND b.i = '5'` finds a row with s = '05'.
"""

from __future__ import annotations

from collections.abc import Iterable

from collectors.types import is_floating, physical

_WHOLE_NUMBERS = frozenset(("int", "long"))


def are_alike(types: Iterable[str]) -> bool:
    """Whether columns of these types are compared without converting any value."""
    distinct = frozenset(types)
    return len(distinct) <= 1 or distinct <= _WHOLE_NUMBERS


def is_exact(type_name: str) -> bool:
    """Whether equal values of a type are the same value: not floats (0.0 = -0.0)."""
    return physical(type_name) is not None and not is_floating(type_name)
