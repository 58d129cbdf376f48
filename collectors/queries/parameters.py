"""Parameter values of a query as SQL literals of its dialect."""

from __future__ import annotations

import math
from decimal import Decimal

from sqlglot.dialects.dialect import Dialect

from prunescope.collectors.observed import Parameter
from prunescope.collectors.outcomes import Outcome
from prunescope.collectors.queries.json_input import UnreadableInput, decode_json, is_unicode
from prunescope.collectors.sql.dialects import READ_DIALECTS, dialect_of

# The widest DECIMAL of the SQL engines: beyond it a number is written with an exponent.
_MAX_DECIMAL_DIGITS = 38


def sql_literals(values: object, dialect: str) -> tuple[Parameter, ...]:
    """`values`, a list of scalars or a map of names to such, or the JSON text of either, as SQL
    literals in order; none for null and blank text. Parquet has a map as a list of pairs.

    Numbers are written plain, booleans TRUE and FALSE, null NULL. Strings are quoted with ''
    for each inner quote, or with backslashes where the dialect's strings know them. Athena's
    ExecutionParameters are SQL text already, in which strings carry their quotes (Athena user
    guide, "Use parameterized queries"), and are taken as they are.

    Raises UnreadableInput (`malformed_record`) for anything else.
    """
    if isinstance(values, str):
        values = _decode(values)
    if values is None:
        return ()
    if isinstance(values, dict):
        values = list(values.items())
    if not isinstance(values, list | tuple):
        raise _malformed("is neither a list nor a map")
    return tuple(_parameter(value, dialect) for value in values)


def _decode(values: str) -> object:
    if not values.strip():
        return None
    try:
        return decode_json(values)
    except UnreadableInput:
        raise _malformed("is text, but not that of a JSON list or object") from None


def _parameter(value: object, dialect: str) -> Parameter:
    match value:
        case (str(name), scalar) if isinstance(value, tuple):
            if not is_unicode(name):
                raise _malformed("has a name that is no text")
            return name, _literal(scalar, dialect)
    return _literal(value, dialect)


def _literal(value: object, dialect: str) -> str:
    match value:
        case None:
            return "NULL"
        case bool():
            return "TRUE" if value else "FALSE"
        case int():
            return str(value)
        case float() if math.isfinite(value):
            return _number(Decimal(repr(value)))
        case Decimal() if value.is_finite():
            return _number(value)
        case str() if is_unicode(value):
            return (
                _sql_text(value)
                if dialect_of(dialect).writes_parameters
                else _string(value, dialect)
            )
    raise _malformed("has a value that is neither text, a number, a boolean nor null")


def _number(value: Decimal) -> str:
    return format(value, "f") if abs(value.adjusted()) < _MAX_DECIMAL_DIGITS else str(value)


def _sql_text(value: str) -> str:
    if not value.strip():
        raise _malformed("has an empty value")
    return value.strip()


def _string(value: str, dialect: str) -> str:
    if _has_backslash_escapes(dialect):
        escaped = value.replace("\\", "\\\\").replace("'", "\\'")
    else:
        escaped = value.replace("'", "''")
    return f"'{escaped}'"


def _has_backslash_escapes(dialect: str) -> bool:
    """True if sqlglot, which will read the literals, takes a backslash in a string of this dialect
    as an escape. An unknown dialect is taken for standard SQL."""
    if dialect not in READ_DIALECTS:
        return False
    return "\\" in Dialect.get_or_raise(dialect).tokenizer_class.STRING_ESCAPES


def _malformed(problem: str) -> UnreadableInput:
    return UnreadableInput(
        Outcome.MALFORMED_RECORD,
        f"field 'params' {problem}; expected a list of values, one for each ? of the query, or a "
        "map, with one for each :name",
    )
