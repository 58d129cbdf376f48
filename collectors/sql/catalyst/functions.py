"""Functions as Spark's Catalyst prints them, in Spark SQL.

Catalyst adds arguments (`Some(UTC)`, the session's time zone) and casts of its own; functions that
it rewrites (`left`, `to_date`, `nvl`) it prints as others. Only what has a meaning for columns is
told from the rest, which is shown with the columns that it reads.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from sqlglot import exp

from collectors.errors import QueryError
from collectors.sql.catalyst.literals import literal_sql, quoted
from collectors.sql.conditions.reader import Reader
from collectors.sql.constants.session import Session
from collectors.sql.constants.values import CannotConvert
from collectors.sql.text.parse import parse_condition

_TYPES = {
    "boolean": "boolean",
    "tinyint": "int",
    "smallint": "int",
    "int": "int",
    "bigint": "long",
    "float": "float",
    "double": "double",
    "string": "string",
    "binary": "binary",
    "date": "date",
    "timestamp": "timestamptz",
    "timestamp_ntz": "timestamp",
}
"""Spark's types that casts name, and Iceberg's."""
_TIMES = ("date", "timestamp", "timestamptz")
_ZONE = re.compile(r"Some\((.*)\)")
_NO_ARGUMENT = re.compile(r"Some\(.*\)|None|true|false|TimestampType")
_NUMBER = re.compile(r"-?[0-9]+(?:\.[0-9]+)?")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_UNIT = re.compile(r"[A-Za-z]{1,12}")
_SIZE = re.compile(r"[0-9]{1,9}")
_ICEBERG = re.compile(
    r"org\.apache\.iceberg\.spark\.functions\.([A-Z][a-z]+)Function\$\w+@[0-9a-f]+"
)
_TRANSFORMS = {
    "Years": "int",
    "Months": "int",
    "Days": "date",
    "Hours": "int",
    "Bucket": "int",
    "Truncate": None,
}
# The types that functions yield, of those that are not known otherwise.
_RESULTS = {
    **dict.fromkeys(("add_months", "date_add", "date_sub", "last_day", "next_day"), "date"),
    **dict.fromkeys(("datediff", "length", "size"), "int"),
    **dict.fromkeys(("lower", "ltrim", "rtrim", "trim", "upper", "initcap"), "string"),
    **dict.fromkeys(
        ("concat", "concat_ws", "replace", "regexp_replace", "regexp_extract"), "string"
    ),
    **dict.fromkeys(("lpad", "rpad", "md5", "hex", "get_json_object"), "string"),
}
# Those whose literals are of a type, and those of which arguments and result have one.
_LITERALS = {"add_months": "int", "date_add": "int", "date_sub": "int", "datediff": "date"}
_OF_ONE_TYPE = frozenset(("abs", "coalesce", "greatest", "least", "mod", "pmod"))
# What their SQL says of a column is what they say: all of it is known.
_SAME_IN_SQL = frozenset(("abs", "coalesce", "date_add", "date_sub", "datediff"))
# Conditions, and what says something only beside other conditions.
_UNDERSTOOD = (exp.Predicate, exp.Connector, exp.Day, exp.DayOfMonth, exp.Extract, exp.Month)


class Unclear(Exception):  # no error of anybody
    """The arguments of a function are not what it is printed with."""


@dataclass(frozen=True, slots=True)
class Expression:
    """Spark SQL that can stand as an operand, and the Iceberg type of its values, None if it is not
    known. `is_column` tells a column or nested field, `uncast` the SQL of what an outermost cast is
    of, `has_no_comma` that no value of it, as a text, holds one."""

    sql: str
    type: str | None
    is_column: bool = False
    uncast: Expression | None = None
    has_no_comma: bool = False


@dataclass(frozen=True, slots=True)
class Call:
    """A function with its arguments as they are printed, and as expressions; None is what is
    none, so a literal if anything. `columns` are the columns in it, in SQL."""

    name: str
    printed: tuple[str, ...]
    arguments: tuple[Expression | None, ...]
    columns: tuple[str, ...]
    session: Session

    def operand(self, number: int = 0) -> Expression:
        """An argument that is no literal. Raises Unclear."""
        found = self.arguments[number] if number < len(self.arguments) else None
        if found is None:
            raise Unclear
        return found

    def require(self, count: int) -> None:
        """Raises Unclear if there are more or fewer arguments."""
        if len(self.printed) != count:
            raise Unclear

    def require_zone(self, number: int) -> None:
        """Raises Unclear if an argument is not the session's time zone."""
        found = _ZONE.fullmatch(self.printed[number])
        if found is None or found[1] != self.session.time_zone:
            raise Unclear


def call_sql(call: Call) -> Expression:
    """What a function is in SQL."""
    known = _KNOWN.get(call.name)
    if known is None:
        return _other(call)
    try:
        return known(call)
    except Unclear:
        return opaque(call.name, call.columns)


def opaque(name: str, columns: tuple[str, ...], kind: str | None = None) -> Expression:
    """A function of some columns, and of what is not known; `kind` is the type that it yields, if
    that is known."""
    shown = name.upper() if _NAME.fullmatch(name) else "FUNCTION"
    sql = f"{shown}({', '.join((*columns, quoted('…')))})"
    return Expression(sql if _is_opaque(sql) else f"SPARK_{sql}", kind or _RESULTS.get(name))


def is_no_operand(printed: str) -> bool:
    """Whether an argument is one that Catalyst adds."""
    return _NO_ARGUMENT.fullmatch(printed) is not None


def cast_sql(name: str, operand: Expression, kind: str) -> Expression | None:
    """A cast to a type as Spark names it; None for types that are not known."""
    found = _TYPES.get(kind)
    if kind.startswith("decimal("):
        found = kind
    if found is None:
        return None
    word = "TRY_CAST" if name == "try_cast" else "CAST"
    return Expression(f"{word}({operand.sql} AS {kind.upper()})", found, uncast=operand)


def _null_check(words: str) -> Callable[[Call], Expression]:
    def check(call: Call) -> Expression:
        call.require(1)
        return Expression(f"({call.operand().sql} {words})", "boolean")

    return check


def _is_nan(call: Call) -> Expression:
    call.require(1)
    return Expression(f"ISNAN({call.operand().sql})", "boolean")


def _like(before: str, after: str) -> Callable[[Call], Expression]:
    """Of a text that may hold commas, so that it has to be put together again."""

    def like(call: Call) -> Expression:
        operand = call.operand()
        if operand.type not in ("string", None) or any(call.arguments[1:]) or len(call.printed) < 2:
            raise Unclear
        text = re.sub(r"([\\%_])", r"\\\1", ", ".join(call.printed[1:]))
        return Expression(f"({operand.sql} LIKE {quoted(before + text + after)})", "boolean")

    return like


def _date_part(call: Call) -> Expression:
    """Spark casts timestamps to dates first."""
    call.require(1)
    return Expression(f"{call.name.upper()}({_of_time(call.operand(), 'date').sql})", "int")


def _time_part(call: Call) -> Expression:
    call.require(2)
    call.require_zone(1)
    return Expression(f"{call.name.upper()}({call.operand().sql})", "int")


def _of_time(operand: Expression, kind: str) -> Expression:
    """What a time was before it was cast to the type that a function takes."""
    inner = operand.uncast
    if inner is None or operand.type != kind or inner.type not in _TIMES:
        return operand
    return inner if inner.is_column else operand


def _date_format(call: Call) -> Expression:
    if len(call.printed) < 3 or any(call.arguments[1:-1]):
        raise Unclear
    call.require_zone(-1)
    pattern = ", ".join(call.printed[1:-1])
    operand = _of_time(call.operand(), "timestamptz")
    sql = f"DATE_FORMAT({operand.sql}, {quoted(pattern)})"
    # Names of months and days, and of eras and zones, are never digits.
    is_numeric = re.fullmatch("[yMdHms:. -]+", pattern) is not None
    return Expression(sql, "string", has_no_comma=is_numeric)


def _date_trunc(call: Call) -> Expression:
    call.require(3)
    call.require_zone(2)
    if not _UNIT.fullmatch(call.printed[0]):
        raise Unclear
    return Expression(f"DATE_TRUNC('{call.printed[0]}', {call.operand(1).sql})", "timestamptz")


def _trunc(call: Call) -> Expression:
    call.require(2)
    if not _UNIT.fullmatch(call.printed[1]):
        raise Unclear
    operand = _of_time(call.operand(), "date")
    return Expression(f"TRUNC({operand.sql}, '{call.printed[1]}')", "date")


def _substring(call: Call) -> Expression:
    call.require(3)
    start, size = call.printed[1:]
    operand = call.operand()
    if operand.type != "string" or not _SIZE.fullmatch(start) or not _SIZE.fullmatch(size):
        raise Unclear
    return Expression(f"SUBSTRING({operand.sql}, {start}, {size})", "string")


def _unix_timestamp(call: Call) -> Expression:
    """Of times the pattern is not read."""
    operand = call.operand()
    if operand.type not in _TIMES or any(call.arguments[1:]):
        raise Unclear
    return Expression(f"UNIX_TIMESTAMP({operand.sql})", "long")


def _unix_seconds(call: Call) -> Expression:
    call.require(1)
    return Expression(f"UNIX_SECONDS({call.operand().sql})", "long")


def _same(call: Call) -> Expression:
    call.require(1)
    return call.operand()


def _transform(call: Call) -> Expression:
    """A function of Iceberg's own."""
    found = _ICEBERG.fullmatch(call.printed[0])
    operand = call.operand(len(call.arguments) - 1)
    if found is None or found[1] not in _TRANSFORMS or not operand.is_column:
        raise Unclear
    sizes = call.printed[1:-1]
    if len(sizes) > 1 or not all(_SIZE.fullmatch(size) for size in sizes):
        raise Unclear
    arguments = ", ".join((*sizes, operand.sql))
    kind = operand.type if found[1] == "Truncate" else _TRANSFORMS[found[1]]
    return Expression(f"system.{found[1].lower()}({arguments})", kind)


_KNOWN: dict[str, Callable[[Call], Expression]] = {
    "isnull": _null_check("IS NULL"),
    "isnotnull": _null_check("IS NOT NULL"),
    "isnan": _is_nan,
    "StartsWith": _like("", "%"),
    "EndsWith": _like("%", ""),
    "Contains": _like("%", "%"),
    "date_format": _date_format,
    "date_trunc": _date_trunc,
    "trunc": _trunc,
    "substring": _substring,
    "substr": _substring,
    "unix_timestamp": _unix_timestamp,
    "to_unix_timestamp": _unix_timestamp,
    "unix_seconds": _unix_seconds,
    "knownnotnull": _same,
    "knownnullable": _same,
    "applyfunctionexpression": _transform,
    **dict.fromkeys(("year", "month", "day", "dayofmonth", "quarter"), _date_part),
    **dict.fromkeys(("dayofweek", "weekday", "weekofyear", "dayofyear"), _date_part),
    **dict.fromkeys(("hour", "minute", "second"), _time_part),
}


def _other(call: Call) -> Expression:
    """A function that nothing is known of, with its arguments as far as they are the query's."""
    if not _NAME.fullmatch(call.name) or not call.columns:
        return opaque(call.name, call.columns)
    printed = list(zip(call.printed, call.arguments, strict=True))
    while printed and is_no_operand(printed[-1][0]):
        printed.pop()
    one_type = None
    if call.name in _OF_ONE_TYPE:
        one_type = next((found.type for _, found in printed if found is not None), None)
    kind = one_type or _LITERALS.get(call.name)
    arguments = [
        literal_sql(text, kind, call.session) if found is None else found.sql
        for text, found in printed
    ]
    known = [argument for argument in arguments if argument is not None]
    sql = f"{call.name.upper()}({', '.join(known)})"
    is_whole = len(known) == len(printed) and not _may_be_one(printed)
    is_same = call.name in _SAME_IN_SQL and None not in (kind, *_types(printed))
    if not is_whole or not (is_same or _is_opaque(sql)):
        return opaque(call.name, call.columns, one_type)
    return Expression(sql, one_type or _RESULTS.get(call.name))


def _types(printed: Sequence[tuple[str, Expression | None]]) -> list[str | None]:
    return [found.type for _, found in printed if found is not None]


def _may_be_one(printed: Sequence[tuple[str, Expression | None]]) -> bool:
    """Whether arguments side by side can be one text with a comma: all that are no numbers."""
    literals = [None if found is not None else text for text, found in printed]
    return any(
        one is not None
        and other is not None
        and not (_NUMBER.fullmatch(one) and _NUMBER.fullmatch(other))
        for one, other in pairwise(literals)
    )


@lru_cache(maxsize=4_096)
def _is_opaque(sql: str) -> bool:
    """Whether SQL is a function, and none that says something of a column: what it says could be
    another than what Catalyst's function of that name does."""
    try:
        tree = parse_condition(sql, "spark")
    except QueryError:
        return False
    if not isinstance(tree, exp.Func | exp.Mod) or isinstance(tree, _UNDERSTOOD):
        return False
    try:
        Reader(lambda column: (column.name,), Session("spark")).term(tree)
    except CannotConvert:
        return True
    return False
