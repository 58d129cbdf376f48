"""Types of columns that are compared without converting any value.

Engines compare columns of different types by converting one of them, so that what holds for one
need not hold for the other: in DuckDB, `a.s = b.i AND b.i = '5'` finds a row with s = '05'.

The type of a column is not known where its table is not audited.
"""

from __future__ import annotations

from collections.abc import Iterable

from sqlglot import exp

from prunescope.collectors.sql.text.boolean import own_nodes
from prunescope.collectors.types import is_floating, physical

_WHOLE_NUMBERS = frozenset(("int", "long"))


def are_alike(types: Iterable[str]) -> bool:
    """True if columns of these types are compared without converting any value."""
    distinct = frozenset(types)
    return len(distinct) <= 1 or distinct <= _WHOLE_NUMBERS


def is_exact(type_name: str) -> bool:
    """True if equal values of a type are the same value: not floats (0.0 = -0.0)."""
    return physical(type_name) is not None and not is_floating(type_name)


def holds_others(type_name: str) -> bool:
    """True if columns of another type are converted to this one when compared with it: whole
    numbers to larger ones and to decimals, dates to timestamps."""
    return type_name == "long" or type_name.startswith(("decimal", "timestamp"))


def is_taken_for(type_name: str, condition: exp.Expr) -> bool:
    """True if a column of unknown type in `condition` is taken to be of the type of another column
    that the query unites or equates with it.

    False if a constant indicates text or numbers: 10 is less than '5' as text, and '05' equals 5. A
    divided column may be a double: 5 / 2 is more than 2 there. Floats never are, as texts of them
    can be cast to whole numbers (Spark 3.5: `'5.7' = 5`).
    """
    if not is_exact(type_name):
        return False
    tells_else = _tells_of_text if _is_number(type_name) else _tells_of_number
    return not any(map(tells_else, own_nodes(condition)))


def _is_number(type_name: str) -> bool:
    return type_name in _WHOLE_NUMBERS or type_name.startswith("decimal")


def _tells_of_text(node: exp.Expr) -> bool:
    """True if a node is text, or a division, whose value differs by the type of its numbers."""
    is_text = isinstance(node, exp.Literal) and bool(node.is_string)
    return is_text or isinstance(node, exp.Div)


def _tells_of_number(node: exp.Expr) -> bool:
    """True if a node compares a column with a number."""
    operands = node.args.values() if isinstance(node, exp.Predicate) else ()
    found = [one for each in operands for one in (each if isinstance(each, list) else [each])]
    is_compared = any(isinstance(one, exp.Column) for one in found)
    return is_compared and any(isinstance(one, exp.Literal) and not one.is_string for one in found)
