"""The Iceberg types of what queries compute, as Spark has them."""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp

TypeOf = Callable[[exp.Column], str | None]
"""The type of a column; None where that is not known."""

NULL = "null"
"""That of NULL, which takes any other."""

_CASTS = {
    exp.DType.BOOLEAN: "boolean",
    exp.DType.INT: "int",
    exp.DType.BIGINT: "long",
    exp.DType.FLOAT: "float",
    exp.DType.DOUBLE: "double",
    exp.DType.DATE: "date",
    exp.DType.TIMESTAMP: "timestamptz",
    exp.DType.TIMESTAMPTZ: "timestamptz",
    exp.DType.TIMESTAMPLTZ: "timestamptz",
    exp.DType.TIMESTAMPNTZ: "timestamp",
    **dict.fromkeys(exp.DataType.TEXT_TYPES, "string"),
}
_RETURNS: dict[str, tuple[type[exp.Expr], ...]] = {
    "boolean": (exp.Boolean, exp.Predicate, exp.Connector, exp.Not),
    "date": (
        *(exp.Date, exp.TsOrDsToDate, exp.TsOrDsAdd, exp.CurrentDate, exp.LastDay),
        *(exp.DateTrunc, exp.AddMonths),
    ),
    "timestamptz": (exp.CurrentTimestamp, exp.TimestampTrunc),
    "string": (
        *(exp.TimeToStr, exp.UnixToStr, exp.Concat, exp.ConcatWs, exp.DPipe, exp.Lower, exp.Upper),
        *(exp.Substring, exp.Left, exp.Right, exp.Trim, exp.Replace, exp.RegexpReplace),
        *(exp.RegexpExtract, exp.Pad, exp.MD5),
    ),
    "int": (
        *(exp.Length, exp.Year, exp.Quarter, exp.Month, exp.Day, exp.DayOfMonth, exp.DayOfWeek),
        *(exp.DayOfYear, exp.WeekOfYear, exp.Hour, exp.Minute, exp.Second, exp.DateDiff),
        *(exp.RowNumber, exp.Rank, exp.DenseRank),
    ),
    "long": (exp.Count, exp.StrToUnix),
}
_TYPES = {node: kind for kind, nodes in _RETURNS.items() for node in nodes}
_LONGEST_INT = 9
_WHOLE = {"int", "long"}


def computed_type(expression: exp.Expr, type_of: TypeOf) -> str | None:
    """The type of what an expression computes; None where it is not known."""
    match expression.unnest():
        case exp.Column() as column:
            return type_of(column)
        case exp.Null():
            return NULL
        case exp.Literal(is_string=True):
            return "string"
        case exp.Literal(this=digits) as number:
            return "int" if number.is_int and len(digits) <= _LONGEST_INT else None
        case exp.Cast(to=exp.DataType(this=kind)):
            return _CASTS.get(kind)
        case exp.Neg(this=operand) | exp.Window(this=operand) | exp.Max(this=operand):
            return computed_type(operand, type_of)
        case exp.Min(this=operand) | exp.Nullif(this=operand):
            return computed_type(operand, type_of)
        case exp.Add() | exp.Sub() | exp.Mul() as sum_:
            kinds = {computed_type(part, type_of) for part in (sum_.this, sum_.expression)}
            return max(map(str, kinds)) if kinds <= _WHOLE else None
        case exp.Coalesce() | exp.If() | exp.Case() as choice:
            return _common_type(_values(choice), type_of)
        case other:
            return next((kind for node, kind in _TYPES.items() if isinstance(other, node)), None)


def _common_type(values: list[exp.Expr], type_of: TypeOf) -> str | None:
    kinds = {computed_type(value, type_of) for value in values} - {NULL}
    return kinds.pop() if len(kinds) == 1 else None


def _values(choice: exp.Coalesce | exp.If | exp.Case) -> list[exp.Expr]:
    """The values that are chosen from."""
    if isinstance(choice, exp.Coalesce):
        return [choice.this, *choice.expressions]
    cases = choice.args["ifs"] if isinstance(choice, exp.Case) else [choice]
    default = choice.args.get("default") or choice.args.get("false")
    return [*(case.args["true"] for case in cases), *([] if default is None else [default])]
