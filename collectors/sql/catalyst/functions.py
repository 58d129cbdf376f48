"""Functions as Spark's Catalyst prints them, in Spark SQL.

Catalyst adds arguments (`Some(UTC)`, the session's time zone) and casts of its own; functions that
it rewrites (`left`, `to_date`, `nvl`) it prints as others. Only what has a meaning for columns is
told from the rest, which is shown with the columns that it reads.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import pairwise

from sqlglot import exp

from prunescope.collectors.errors import QueryError
from prunescope.collectors.sql.catalyst.expressions import Call, Expression, Unclear
from prunescope.collectors.sql.catalyst.literals import factor_sql, literal_sql, quoted
from prunescope.collectors.sql.catalyst.signatures import SIGNATURES, TEXTS, signed
from prunescope.collectors.sql.catalyst.times import TIMES
from prunescope.collectors.sql.constants.values import HIDDEN
from prunescope.collectors.sql.functions.table import row_of
from prunescope.collectors.sql.text.cases import as_case
from prunescope.collectors.sql.text.parse import parse_condition

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
_NO_ARGUMENT = re.compile(r"Some\(.*\)|None|true|false|TimestampType")
_NUMBER = re.compile(r"-?[0-9]+(?:\.[0-9]+)?")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_WITHOUT_COMMAS = frozenset(("boolean", "int", "long", "date", "timestamp", "timestamptz"))
"""Types whose values have no comma as texts; nor have decimals."""
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
# Those whose arguments and result are of one type.
_OF_ONE_TYPE = frozenset(("abs", "coalesce", "greatest", "least", "mod", "pmod"))
# What their SQL says of a column is what they say: all of it is known.
_SAME_IN_SQL = frozenset(("abs", "coalesce", "concat", "lower", "upper"))
# Conditions, and choices.
_UNDERSTOOD = (
    *(exp.Predicate, exp.Connector, exp.Coalesce, exp.Case, exp.If, exp.Nvl2, exp.Nullif),
    *(exp.Greatest, exp.Least, exp.Concat, exp.ConcatWs, exp.StartsWith, exp.Cast),
)


def call_sql(call: Call) -> Expression:
    """A function call as SQL."""
    known, signature = _KNOWN.get(call.name), SIGNATURES.get(call.name)
    try:
        if known is not None:
            return known(call)
        return _other(call) if signature is None else signed(call, signature)
    except Unclear:
        return opaque(call.name, call.columns)


def opaque(name: str, columns: tuple[str, ...], kind: str | None = None) -> Expression:
    """A function of some columns, and of what is not known; `kind` is the type that it yields, if
    that is known."""
    plain = name.strip("<>")  # of a lambda in Python
    shown = plain.upper() if _NAME.fullmatch(plain) else "FUNCTION"
    sql = f"{shown}({', '.join((*columns, quoted(HIDDEN)))})"
    return Expression(f"SPARK_{sql}" if _is_chosen(sql) else sql, kind or _RESULTS.get(name))


def is_no_operand(printed: str) -> bool:
    """True if an argument is one that Catalyst adds."""
    return _NO_ARGUMENT.fullmatch(printed) is not None


def cast_sql(name: str, operand: Expression, kind: str) -> Expression | None:
    """A cast to a type as Spark names it; None for types that are not known."""
    found = _TYPES.get(kind)
    if kind.startswith("decimal("):
        found = kind
    if found is None:
        return None
    word = "TRY_CAST" if name == "try_cast" else "CAST"
    sql = f"{word}({operand.sql} AS {kind.upper()})"
    no_comma = operand.type in _WITHOUT_COMMAS or (operand.type or "").startswith("decimal")
    return Expression(sql, found, uncast=operand, has_no_comma=no_comma)


def _null_check(words: str) -> Callable[[Call], Expression]:
    def check(call: Call) -> Expression:
        call.require(1)
        return Expression(f"({call.operand().sql} {words})", "boolean")

    return check


def _is_nan(call: Call) -> Expression:
    call.require(1)
    return Expression(f"ISNAN({call.operand().sql})", "boolean")


def _like(before: str, after: str) -> Callable[[Call], Expression]:
    """Returns a reader of a LIKE. Its text may hold commas, so that it has to be put together
    again."""

    def like(call: Call) -> Expression:
        operand = call.operand()
        if operand.type not in ("string", None) or any(call.arguments[1:]) or len(call.printed) < 2:
            raise Unclear
        text = re.sub(r"([\\%_])", r"\\\1", ", ".join(call.printed[1:]))
        return Expression(f"({operand.sql} LIKE {quoted(before + text + after)})", "boolean")

    return like


def _substring(call: Call) -> Expression:
    call.require(3)
    start, size = call.printed[1:]
    operand = call.operand()
    if operand.type != "string" or not _SIZE.fullmatch(start) or not _SIZE.fullmatch(size):
        raise Unclear
    return Expression(f"SUBSTRING({operand.sql}, {start}, {size})", "string", longest=int(size))


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


def _round(call: Call) -> Expression:
    operand = call.operand()
    if len(call.printed) < 2 or not re.fullmatch(r"[0-9]{1,2}", call.printed[1]):
        raise Unclear
    return Expression(f"ROUND({operand.sql}, {call.printed[1]})", operand.type)


def _width_bucket(call: Call) -> Expression:
    """The bucket of a double; Spark casts numbers to doubles."""
    call.require(4)
    least, most = (factor_sql(printed) for printed in call.printed[1:3])
    if least is None or most is None or not _SIZE.fullmatch(call.printed[3]):
        raise Unclear
    arguments = f"{call.operand().sql}, {least}, {most}, {call.printed[3]}"
    return Expression(f"WIDTH_BUCKET({arguments})", "long")


def _element_at(call: Call) -> Expression:
    """An element of a text that was split."""
    operand = call.operand()
    if operand.type != TEXTS or not _SIZE.fullmatch(call.printed[1]):
        raise Unclear
    if operand.sql.startswith("SPLIT_PART("):
        return Expression(f"{operand.sql[:-1]}, {call.printed[1]})", "string")
    return Expression(f"ELEMENT_AT({operand.sql}, {call.printed[1]})", "string")


def _rlike(call: Call) -> Expression:
    """A match of a pattern that may hold commas, so that it has to be put together again."""
    operand = call.operand()
    if operand.type != "string" or any(call.arguments[1:]) or len(call.printed) < 2:
        raise Unclear
    return Expression(f"({operand.sql} RLIKE {quoted(', '.join(call.printed[1:]))})", "boolean")


def _named_struct(call: Call) -> Expression:
    """A row of columns; their names are printed before them."""
    values = call.arguments[1::2]
    known = [value for value in values if value is not None and value.is_column]
    if not values or len(known) < len(values) or any(call.arguments[::2]):
        raise Unclear
    sql = f"({', '.join(value.sql for value in known)})"
    return Expression(sql, "struct", fields=tuple(value.type for value in known))


def _other(call: Call) -> Expression:
    """An unknown function, with its arguments as far as they are the query's."""
    if not _NAME.fullmatch(call.name) or not call.columns:
        return opaque(call.name, call.columns)
    printed = list(zip(call.printed, call.arguments, strict=True))
    one_type = None
    if call.name in _OF_ONE_TYPE:
        one_type = next((found.type for _, found in printed if found is not None), None)
    while printed and one_type != "boolean" and is_no_operand(printed[-1][0]):
        printed.pop()
    kind = one_type
    arguments = [
        literal_sql(text, kind, call.session) if found is None else found.sql
        for text, found in printed
    ]
    known = [argument for argument in arguments if argument is not None]
    sql = f"{call.name.upper()}({', '.join(known)})"
    is_whole = len(known) == len(printed) and not _may_be_one(printed)
    result = one_type or _RESULTS.get(call.name)
    is_same = call.name in _SAME_IN_SQL and None not in (result, *_types(printed))
    if not is_whole or not (is_same or _is_opaque(sql)):
        return opaque(call.name, call.columns, one_type)
    return Expression(sql, result)


def _types(printed: Sequence[tuple[str, Expression | None]]) -> list[str | None]:
    return [found.type for _, found in printed if found is not None]


def _may_be_one(printed: Sequence[tuple[str, Expression | None]]) -> bool:
    """True if arguments side by side can be one text with a comma: all but two numbers."""
    literals = [None if found is not None else text for text, found in printed]
    return any(
        one is not None
        and other is not None
        and not (_NUMBER.fullmatch(one) and _NUMBER.fullmatch(other))
        for one, other in pairwise(literals)
    )


@lru_cache(maxsize=4_096)
def _is_chosen(sql: str) -> bool:
    """True if SQL is no function, or one that is known by some of its arguments alone."""
    try:
        tree = parse_condition(sql, "spark")
    except QueryError:
        return True
    is_call = isinstance(tree, exp.Func | exp.Mod) and not isinstance(tree, _UNDERSTOOD)
    return not is_call or as_case(tree) is not None


@lru_cache(maxsize=4_096)
def _is_opaque(sql: str) -> bool:
    """True if SQL is a function without known rules for columns: known ones could be others than
    those of Catalyst's function of that name."""
    try:
        tree = parse_condition(sql, "spark")
    except QueryError:
        return False
    if not isinstance(tree, exp.Func | exp.Mod) or isinstance(tree, _UNDERSTOOD):
        return False
    return row_of(tree, "spark") is None and as_case(tree) is None


_KNOWN: dict[str, Callable[[Call], Expression]] = {
    **TIMES,
    "isnull": _null_check("IS NULL"),
    "isnotnull": _null_check("IS NOT NULL"),
    "isnan": _is_nan,
    "StartsWith": _like("", "%"),
    "EndsWith": _like("%", ""),
    "Contains": _like("%", "%"),
    "substring": _substring,
    "substr": _substring,
    "knownnotnull": _same,
    "knownnullable": _same,
    "applyfunctionexpression": _transform,
    "round": _round,
    "width_bucket": _width_bucket,
    "element_at": _element_at,
    "RLIKE": _rlike,
    "named_struct": _named_struct,
}
