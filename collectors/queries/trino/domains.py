"""Domains of dynamic filters as predicates.

Trino's SortedRangeSet prints its type and its ranges, of more than two only the first and the last
(DynamicFilterService asks for two):

    [ SortedRangeSet[type=bigint, ranges=3, {[77123], ..., [99120]}] ]
    [ SortedRangeSet[type=date, ranges=1, {[2026-01-01,2026-01-07]}] ]
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Mapping
from decimal import Decimal, InvalidOperation

from prunescope.collectors.predicates.literals import LiteralValue
from prunescope.collectors.predicates.model import (
    FALSE,
    Column,
    Comparison,
    Predicate,
    all_of,
    any_of,
)
from prunescope.collectors.predicates.operators import Op

_DOMAIN = re.compile(
    r"\[ SortedRangeSet\[type=(?P<type>[a-z]+)(?:\([0-9, ]+\))?, ranges=\d+, "
    r"\{(?P<ranges>.*)\}\] \]"
)
_RANGE = re.compile(
    r"(?P<open>[\[(])(?P<low>[^,\[\]()]+)(?:,(?P<high>[^,\[\]()]+))?(?P<close>[\])])"
)
_CUT = "..."
_NO_END = ("<min>", "<max>")
# What is printed of other types need not be told from the marks around it.
_READ: Mapping[str, Callable[[str], LiteralValue]] = {
    "tinyint": int,
    "smallint": int,
    "integer": int,
    "bigint": int,
    "decimal": Decimal,
    "date": dt.date.fromisoformat,
}


def said_of(column: str, domain: str) -> Predicate | None:
    """The predicate on a column (unbound) that a domain stands for, as Trino prints it; for a list
    that is cut, its span. None if the domain cannot be read."""
    if domain.strip("[] ") == "NONE":
        return FALSE
    found = _DOMAIN.fullmatch(domain)
    read = None if found is None else _READ.get(found["type"])
    if found is None or read is None:
        return None
    listed = found["ranges"].split(", ")
    ranges = [_RANGE.fullmatch(text) for text in listed if text != _CUT]
    known = [one for one in ranges if one is not None]
    if not known or len(known) < len(ranges):
        return None
    try:
        pairs = [(known[0], known[-1])] if _CUT in listed else [(one, one) for one in known]
        return any_of(*(_span(*pair, column, read) for pair in pairs))
    except (ValueError, InvalidOperation):
        return None


def _span(
    first: re.Match[str], last: re.Match[str], column: str, read: Callable[[str], LiteralValue]
) -> Predicate:
    """The predicate of values from the start of one range to the end of another."""
    low_op = Op.GT_EQ if first["open"] == "[" else Op.GT
    high_op = Op.LT_EQ if last["close"] == "]" else Op.LT
    ends = (low_op, first["low"]), (high_op, last["high"] or last["low"])
    return all_of(
        *(
            Comparison(op, Column((column,)), (read(text),))
            for op, text in ends
            if text not in _NO_END
        )
    )
