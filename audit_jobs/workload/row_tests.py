"""Conditions on a function of a string or a time as tests of rows: statistics cannot show which
rows match `lower(state) = 'x'` and `hour(ts) >= 6`, but sampled rows do."""

from __future__ import annotations

import datetime as dt
import re

from prunescope.collectors.predicates.bind import field_of
from prunescope.collectors.predicates.instants import parse_zone
from prunescope.collectors.predicates.literals import PhysicalValue
from prunescope.collectors.predicates.model import (
    BoundComparison,
    Predicate,
    PredicateLeaf,
    Reason,
    Unsupported,
)
from prunescope.collectors.predicates.moments import Clocks
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.predicates.walks import map_leaves
from prunescope.collectors.schema import Schema

_TEST = re.compile(r"(LOWER|UPPER)\([\w.`\"]+\) (?:= ('.*')|IN \(('.*')\))", re.DOTALL)
_TEXT = re.compile(r"'((?:[^'\\]|'')*)'(?:, |\Z)")

_NOT_EMPTY = re.compile(
    r"(?P<trimmed>TRIM\([\w.`\"]+\)) <> ''"
    r"|LENGTH\((?:(?P<cut>TRIM\([\w.`\"]+\))|[\w.`\"]+)\) (?:> 0|<> 0|>= 1)"
)
"""Matches conditions that keep empty texts, or texts of blanks alone, from a result."""
_PARTS = {
    "SECOND": "second_of_minute",
    "MINUTE": "minute_of_hour",
    "HOUR": "hour_of_day",
    "DAY_OF_WEEK": "day_of_week",  # as Trino has it; other engines count otherwise
    **dict.fromkeys(("DAY", "DAY_OF_MONTH", "DAYOFMONTH"), "day_of_month"),
    **dict.fromkeys(("DAY_OF_YEAR", "DAYOFYEAR"), "day_of_year"),
    "MONTH": "month_of_year",
    "QUARTER": "quarter_of_year",
}
_PART = re.compile(
    r"(?:EXTRACT\((?P<unit>\w+) FROM |(?P<name>\w+)\()[\w.`\"]+\) "
    r"(?:(?P<op>=|<>|<=?|>=?) (?P<value>\d+)|IN \((?P<values>\d+(?:, \d+)*)\)"
    r"|BETWEEN (?P<low>\d{1,3}) AND (?P<high>\d{1,3}))"
)
_OPS = {"=": Op.EQ, "<>": Op.NOT_EQ, "<": Op.LT, "<=": Op.LT_EQ, ">": Op.GT, ">=": Op.GT_EQ}
_PLAIN = ("date", "timestamp", "timestamp_ns")
_OF_INSTANTS = ("timestamptz", "timestamptz_ns")


def with_row_tests(predicate: Predicate, schema: Schema, clocks: Clocks) -> Predicate:
    """The predicate with tests of rows in place of conditions that never prune, if such a test is
    known: comparisons of a function of a column, which only rows can answer. The clock time of a
    moment is known if the clock is that of UTC."""

    def with_test(leaf: PredicateLeaf) -> Predicate:
        match leaf:
            case Unsupported(Reason.FUNCTION, text, columns=(name,)):
                return _of_text(text, name, schema) or _of_time(text, name, schema, clocks) or leaf
        return leaf

    return map_leaves(predicate, with_test)


def _of_text(text: str, name: str, schema: Schema) -> BoundComparison | None:
    field = field_of(schema, name)
    if field is None or field.type != "string":
        return None
    if not_empty := _NOT_EMPTY.fullmatch(text):
        is_trimmed = not_empty["trimmed"] or not_empty["cut"]
        asked = field._replace(transform="trim") if is_trimmed else field
        return BoundComparison(Op.NOT_EQ, asked, (b"",))
    found = _TEST.fullmatch(text)
    if found is None:
        return None
    function, one, several = found.groups()
    values = _texts(one or several)
    if not values or (one is not None and len(values) > 1):
        return None
    return _among(BoundComparison(Op.IN, field._replace(transform=function.lower()), values))


def _texts(listed: str) -> tuple[bytes, ...]:
    """The strings of a list, sorted and distinct; none if it has anything else."""
    found = list(_TEXT.finditer(listed))
    if "".join(item[0] for item in found) != listed:
        return ()
    return tuple(sorted({item[1].replace("''", "'").encode() for item in found}))


def _of_time(text: str, name: str, schema: Schema, clocks: Clocks) -> BoundComparison | None:
    field = field_of(schema, name)
    found = _PART.fullmatch(text)
    if found is None or field is None:
        return None
    zone = clocks.zone(field.type)
    is_utc = zone is not None and parse_zone(zone) == dt.UTC
    kind = clocks.read_as(field.type)
    if kind not in _PLAIN and not (is_utc and kind in _OF_INSTANTS):
        return None
    part = _PARTS.get(found["unit"] or found["name"])
    if part is None:
        return None
    asked = field._replace(transform=part)
    if found["op"]:
        return BoundComparison(_OPS[found["op"]], asked, (int(found["value"]),))
    values: tuple[PhysicalValue, ...]
    if found["values"]:
        values = tuple(sorted({int(value) for value in found["values"].split(", ")}))
    else:
        values = tuple(range(int(found["low"]), int(found["high"]) + 1))
    return _among(BoundComparison(Op.IN, asked, values)) if values else None


def _among(test: BoundComparison) -> BoundComparison:
    return test if len(test.values) > 1 else BoundComparison(Op.EQ, test.field, test.values)
