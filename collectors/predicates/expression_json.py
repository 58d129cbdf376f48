"""Iceberg's expressions in their JSON forms: that of the Expressions Spec, appendix B, and the
older one of terms (org.apache.iceberg.expressions.ExpressionParser, Iceberg 1.11; the Expression
schemas of the REST catalog specification). One expression may hold both."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from prunescope.collectors.errors import QueryError
from prunescope.collectors.outcomes import Outcome
from prunescope.collectors.predicates.literals import LiteralValue
from prunescope.collectors.predicates.model import (
    FALSE,
    TRUE,
    Column,
    Comparison,
    Predicate,
    Reason,
    Unsupported,
    all_of,
    any_of,
)
from prunescope.collectors.predicates.operators import FLIPPED, NEGATED, ORDERED, SET, UNARY, Op

_OPERATORS = {
    "lt": Op.LT,
    "lt-eq": Op.LT_EQ,
    "gt": Op.GT,
    "gt-eq": Op.GT_EQ,
    "eq": Op.EQ,
    "not-eq": Op.NOT_EQ,
    "in": Op.IN,
    "not-in": Op.NOT_IN,
    "is-null": Op.IS_NULL,
    "not-null": Op.NOT_NULL,
    "is-nan": Op.IS_NAN,
    "not-nan": Op.NOT_NAN,
    "starts-with": Op.STARTS_WITH,
    "not-starts-with": Op.NOT_STARTS_WITH,
}
_OF_ICEBERG = "iceberg_functions"
_TRANSFORMS = frozenset({"identity", "year", "month", "day", "hour"})
_SIZED_TRANSFORMS = frozenset({"bucket", "truncate"})
_KEYWORD = re.compile(r"[a-z][a-z-]{0,30}")
_MAX_DEPTH = 500


class MalformedExpression(QueryError):
    """A JSON document is no Iceberg expression."""

    code = Outcome.MALFORMED_EXPRESSION


def parse_expression(document: object) -> Predicate:
    """The unbound predicate that a decoded JSON document stands for.

    A name is one name, whatever dots it holds: `st.a` is a field of a struct as often as a column,
    and only a schema tells. Values stay as JSON has them (text for dates and the like), whatever
    type stands beside them. A comparison of anything but a column, or a transform of one, with
    constants never prunes. Raises MalformedExpression; its message holds no value.
    """
    return _expression(document, negated=False, depth=0)


def _expression(document: Any, *, negated: bool, depth: int) -> Predicate:
    """The predicate of a document, or its negation, which goes down to the leaves: the spec's logic
    has two values, that of terms has SQL's three."""
    if depth > _MAX_DEPTH:
        raise MalformedExpression("the expression is nested too deeply")
    match document:
        case bool() | "true" | "false" | {"type": "true" | "false"}:
            value = document["type"] if isinstance(document, dict) else document
            return TRUE if (value in (True, "true")) is not negated else FALSE
        case {"type": "literal", "value": bool(value)}:
            return TRUE if value is not negated else FALSE
        case {"type": "and" | "or" as kind, "left": left, "right": right}:
            combine = all_of if (kind == "and") is not negated else any_of
            return combine(
                _expression(left, negated=negated, depth=depth + 1),
                _expression(right, negated=negated, depth=depth + 1),
            )
        case {"type": "not", "child": child}:
            return _expression(child, negated=not negated, depth=depth + 1)
        case {"type": str(kind)} if kind in _OPERATORS:
            op = _OPERATORS[kind]
            if "term" in document:
                return _of_term(NEGATED[op] if negated else op, _term(document["term"]), document)
            return _of_operands(op, document, negated=negated)
        case {"type": str(kind)} if _KEYWORD.fullmatch(kind):
            raise MalformedExpression(f"`{kind}` of the filter is no predicate of Iceberg's")
    raise MalformedExpression(
        "the filter is not an Iceberg expression in its JSON form; check what wrote it"
    )


def _of_term(op: Op, column: Column, document: Mapping[str, Any]) -> Comparison:
    if op in UNARY:
        return Comparison(op, column)
    if op in SET:
        return Comparison(op, column, _values(op, document.get("values")))
    return Comparison(op, column, (_value(document.get("value")),))


def _of_operands(op: Op, document: Mapping[str, Any], *, negated: bool) -> Predicate:
    """The test of a value, or the comparison of two."""
    if op in UNARY or op in SET:
        values = _values(op, document.get("values")) if op in SET else ()
        tested = _operand(document.get("child"))
        if isinstance(tested, Column):
            return _of_column(op, tested, values, negated=negated)
        return _opaque(op, tested)
    left, right = _operand(document.get("left")), _operand(document.get("right"))
    if isinstance(left, _Constant) and op in FLIPPED:
        op, left, right = FLIPPED[op], right, left
    if isinstance(left, Column) and isinstance(right, _Constant):
        return _of_column(op, left, (right.value,), negated=negated)
    return _opaque(op, left, right)


def _of_column(
    op: Op, column: Column, values: tuple[LiteralValue, ...], *, negated: bool
) -> Predicate:
    """A comparison that is never null, or its negation, which is TRUE where that is FALSE: of null,
    and of NaN, which are in no order."""
    if not negated:
        return Comparison(op, column, values)
    opposite = Comparison(NEGATED[op], column, values)
    if op not in ORDERED:
        return opposite
    return any_of(replace(opposite, or_nan=True), Comparison(Op.IS_NULL, column))


@dataclass(frozen=True, slots=True)
class _Constant:
    """A constant of an expression."""

    value: LiteralValue

    def __str__(self) -> str:
        return "?"


@dataclass(frozen=True, slots=True)
class _Applied:
    """A function of some columns that is no transform of one."""

    function: str
    columns: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.function}({', '.join(self.columns)})"


_Operand = Column | _Constant | _Applied


def _opaque(op: Op, *operands: _Operand) -> Unsupported:
    """The comparison of what is no column with a constant."""
    shown = f" {op} ".join(map(str, operands)) if len(operands) > 1 else f"{operands[0]} {op}"
    names = [
        name
        for each in operands
        for name in (each.columns if isinstance(each, _Applied) else _name_of(each))
    ]
    are_columns = all(isinstance(each, Column) for each in operands)
    reason = Reason.COLUMN_TO_COLUMN if are_columns else Reason.FUNCTION
    return Unsupported(reason, shown, shown, tuple(dict.fromkeys(names)))


def _name_of(operand: Column | _Constant) -> Sequence[str]:
    return (".".join(operand.path),) if isinstance(operand, Column) else ()


def _operand(document: object, depth: int = 0) -> _Operand:
    if depth > _MAX_DEPTH:
        raise MalformedExpression("the expression is nested too deeply")
    match document:
        case {"type": "reference"}:
            return _reference(document)
        case {"type": "literal"}:
            return _Constant(_value(document))
        case {"type": "apply", "function": function, "arguments": [*arguments]}:
            found = (_operand(each, depth + 1) for each in arguments if not _is_predicate(each))
            return _applied(function, [*found], whole=not any(map(_is_predicate, arguments)))
        case {"type": str(kind)} if _KEYWORD.fullmatch(kind):
            raise MalformedExpression(f"`{kind}` of the filter is no value of Iceberg's")
    return _Constant(_value(document))


def _reference(document: object) -> Column:
    match document:
        case {"name": str(name)} if name:
            return Column((name,))
        case {"id": int(number)} if not isinstance(number, bool):
            return Column((f"field {number}",), field_id=number)
    raise MalformedExpression("a reference of the filter has neither a name nor the id of a field")


def _applied(function: object, operands: Sequence[_Operand], *, whole: bool) -> _Operand:
    """A column under a transform, or a function that is none; `whole` if it has no other
    arguments."""
    catalog, names = _function(function)
    if catalog == _OF_ICEBERG and whole:
        match names, operands:
            case [name], [Column(transform=None) as column] if name in _TRANSFORMS:
                return column if name == "identity" else column._replace(transform=name)
            case [name], [_Constant(int(width)), Column(transform=None) as column] if (
                name in _SIZED_TRANSFORMS and not isinstance(width, bool)
            ):
                return column._replace(transform=f"{name}[{width}]")
    columns = (
        name
        for each in operands
        for name in (each.columns if isinstance(each, _Applied) else _name_of(each))
    )
    return _Applied(".".join(names), tuple(dict.fromkeys(columns)))


def _function(document: object) -> tuple[object, list[str]]:
    """The catalog of a function, None if it is that of the table, and the parts of its name."""
    match document:
        case str(name):
            return None, [name]
        case [*names]:
            return None, _parts(names)
        case {"identifier": [*names], **rest}:
            return rest.get("catalog"), _parts(names)
    return None, _parts([])


def _parts(names: Sequence[object]) -> list[str]:
    found = [name for name in names if isinstance(name, str)]
    if not found or len(found) < len(names):
        raise MalformedExpression("a function of the filter has no name")
    return found


def _is_predicate(argument: object) -> bool:
    """True for an argument that is a condition, as `if_else` takes one first."""
    kind = argument.get("type") if isinstance(argument, Mapping) else None
    return isinstance(kind, str) and (kind in _OPERATORS or kind in ("and", "or", "not"))


def _values(op: Op, document: object) -> tuple[LiteralValue, ...]:
    match document:
        case [_, *_] as values:
            return tuple(map(_value, values))
        case {"type": "literals", "values": [_, *_] as values}:
            return tuple(map(_value, values))
    raise MalformedExpression(f"{op} of the filter has no list of values")


def _value(document: object) -> LiteralValue:
    plain = document
    if isinstance(document, Mapping) and document.get("type") == "literal":
        plain = document.get("value")
    match plain:
        case float() if math.isnan(plain):
            raise MalformedExpression("a value of the filter is NaN, which has a test of its own")
        case bool() | int() | float() | str():
            return plain
    raise MalformedExpression("a value of the filter is neither text, a number nor a boolean")


def _term(document: object) -> Column:
    match document:
        case str(name) if name:
            return Column((name,))
        case {"type": "reference", "term": str(name)} if name:
            return Column((name,))
        case {"type": "transform", "transform": str(transform), "term": inner}:
            return Column(_term(inner).path, transform)
    raise MalformedExpression("a term of the filter is neither a name nor a transform of one")
