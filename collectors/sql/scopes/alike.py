"""Which types of columns are compared without converting any value.

Engines compare columns of different types by converting one of them, so that what holds for one
need not hold for the other: in DuckDB, `a.s = b.i AND b.i = '5'` finds a row with s = '05'.

The type of a column is not known where its table is not audited.
"""

from __future__ import annotations

from collections.abc import Iterable

from sqlglot import exp

from collectors.sql.text.boolean import own_nodes
from collectors.types import is_floating, physical

_WHOLE_NUMBERS = frozenset(("int", "long"))


def are_alike(types: Iterable[str]) -> bool:
    """Whether columns of these types are compared without converting any value."""
    distinct = frozenset(types)
    return len(distinct) <= 1 or distinct <= _WHOLE_NUMBERS


def is_exact(type_name: str) -> bool:
    """Whether equal values of a type are the same value: not floats (0.0 = -0.0)."""
    return physical(type_name) is not None and not is_floating(type_name)


def is_taken_for(type_name: str, condition: exp.Expr) -> bool:
    """Whether a column of which `condition` speaks, and whose type is not known, is taken to be of
    the type of another one that the query unites or equates with it.

    Of numbers it need not be, where text or a quotient tells what the wider type is: 10 is less
    than '5' as text, and 5 / 2 more than 2 as a double. Floats never are, as texts of them can be
    cast to whole numbers (Spark 3.5: `'5.7' = 5`).
    """
    if not is_exact(type_name):
        return False
    return not (_is_number(type_name) and any(map(_tells_the_type, own_nodes(condition))))


def _is_number(type_name: str) -> bool:
    return type_name in _WHOLE_NUMBERS or type_name.startswith("decimal")


def _tells_the_type(node: exp.Expr) -> bool:
    is_text = isinstance(node, exp.Literal) and bool(node.is_string)
    return is_text or isinstance(node, exp.Div)
