"""Random conditions on functions of columns, compared with constants that these functions have at
rows."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tests.collectors.sql.constants.drawn import composed
from tests.collectors.sql.constants.grammars import GRAMMARS

_DUCKDB = {
    "dt": ("day",), "tsn": ("time",), "tsz": ("time",), "n": ("int",), "l": ("int",),
    "d": ("decimal",), "f": ("double",), "s": ("text", "day_text"), "g": ("text", "digits_text"),
}  # fmt: skip
_KINDS: Mapping[str, Mapping[str, Sequence[str]]] = {
    "duckdb": _DUCKDB,
    "trino": {**_DUCKDB, "tsz": ("zoned",)},
    "spark": {**_DUCKDB, "tsn": ("ntz",), "tsz": ("time", "zoned")},
}
"""Kinds of expressions that columns are, by dialect."""

_ORDERED = ("=", "=", "<>", "<", "<=", ">", ">=")
_FUNCTIONS = (1, 1, 1, 1, 2, 2, 2, 3, 3, 4)
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_TIME = re.compile(_DAY.pattern + r"[ T]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?P<zone>.*)")
_NUMBER = re.compile(r"-?\d{1,38}(?:\.\d+)?")


@dataclass(frozen=True)
class Drawn:
    """An expression of some kind over the columns of the names."""

    sql: str
    kind: str
    names: frozenset[str]


def expression(dialect: str, source: random.Random) -> Drawn:
    """Functions of a column, one around the other."""
    name = source.choice(list(_KINDS[dialect]))
    kind = source.choice(_KINDS[dialect][name])
    count = source.choice(_FUNCTIONS)
    kind, sql = composed(GRAMMARS[dialect], kind, name, count, source)
    return Drawn(sql, kind, frozenset((name,)))


def compared(
    drawn: Drawn, values: Sequence[str | None], dialect: str, source: random.Random
) -> str | None:
    """A condition on the expression, by constants that are among the values that it has at rows;
    None where none of these can be written."""
    if drawn.kind == "bool":
        return source.choice((drawn.sql, f"NOT {drawn.sql}"))
    if source.random() < 0.04:
        return f"{drawn.sql} IS {source.choice(('', 'NOT '))}NULL"
    texts = sorted({value for value in values if value is not None})
    known = [
        literal
        for value in source.sample(texts, min(len(texts), 12))
        if (literal := _literal(value, drawn.kind, dialect, source)) is not None
    ]
    if not known:
        return None
    match source.randrange(10):
        case 0 | 1:
            low, high = source.choice(known), source.choice(known)
            return f"{drawn.sql} {source.choice(('', 'NOT '))}BETWEEN {low} AND {high}"
        case 2:
            listed = ", ".join(source.sample(known, min(len(known), 3)))
            return f"{drawn.sql} {source.choice(('', 'NOT '))}IN ({listed})"
        case 3 if drawn.kind == "text" and dialect != "spark":
            prefix = source.choice(known)[1:-1].replace("'", "")[:5]
            return f"{drawn.sql} {source.choice(('', 'NOT '))}LIKE '{prefix}%'"
        case 4:
            return f"NOT ({drawn.sql} {source.choice(_ORDERED)} {source.choice(known)})"
    sides = (drawn.sql, source.choice(known))
    left, right = sides if source.random() < 0.9 else sides[::-1]
    return f"{left} {source.choice(_ORDERED)} {right}"


def joined(parts: Sequence[str], source: random.Random) -> str:
    """One or several conditions as one."""
    return f" {source.choice(('AND', 'OR'))} ".join(f"({part})" for part in parts)


def _literal(value: str, kind: str, dialect: str, source: random.Random) -> str | None:
    """A value that an engine wrote as a constant of the query."""
    is_text = dialect != "trino" and source.random() < 0.2
    match kind:
        case "text":
            escaped = value.replace("\\", "\\\\") if dialect == "spark" else value
            return "'" + escaped.replace("'", "''") + "'" if value.isprintable() else None
        case "day":
            word = "" if is_text else "DATE "
            return f"{word}'{value}'" if _DAY.fullmatch(value) else None
        case "time" | "ntz" | "zoned":
            found = _TIME.fullmatch(value)
            if found is None:
                return None
            word = "TIMESTAMP_NTZ " if kind == "ntz" else "TIMESTAMP "
            if dialect == "duckdb" and found["zone"]:
                word = "TIMESTAMPTZ "
            return f"{'' if is_text else word}'{value}'"
        case "double":
            is_plain = _NUMBER.fullmatch(value)
            return f"{value}E0" if is_plain else f"CAST('{value}' AS DOUBLE)"
    return value if _NUMBER.fullmatch(value) else None
