"""Names of tables and columns that are texts."""

from __future__ import annotations

import re
from typing import Any

from sqlglot import exp

_PART = r"""[A-Za-z_][\w$]*|"[^"]+"|`[^`]+`"""
_PLAIN_NAME = re.compile(rf"(?:{_PART})(?:\.(?:{_PART})){{0,2}}", re.ASCII)


def at(parts: list[str]) -> exp.Column:
    """The column with a name of some parts, the outermost first."""
    names = map(exp.to_identifier, reversed(parts))
    return exp.Column(**dict(zip(("this", "table", "db"), names, strict=False)))


def plain_name(arguments: list[exp.Expr]) -> list[str] | None:
    """The parts of a plain name that a constant text is."""
    text = _constant_text(arguments[0]) if len(arguments) == 1 else None
    if text is None or _PLAIN_NAME.fullmatch(text) is None:
        return None
    return [part.strip('"`') for part in re.findall(_PART, text, re.ASCII)]


def _constant_text(expression: exp.Expr) -> str | None:
    """The text of literals, side by side or joined; None for anything else."""
    match expression:
        case exp.Literal(is_string=True):
            return expression.name
        case exp.DPipe(this=first, expression=second):
            parts = [first, second]
        case exp.Concat(expressions=list() as parts):
            pass
        case exp.Paren(this=inner):
            parts = [inner]
        case _:
            return None
    texts = [_constant_text(part) for part in parts]
    return "".join(t for t in texts if t is not None) if None not in texts else None


class NamesInTexts:
    """Reads IDENTIFIER('db.t') and TABLE('db.t') in the place of a table (Spark, Snowflake) as the
    table, if the text is a name, whose parts may be quoted."""

    def _parse_table_parts(self, *args: Any, **options: Any) -> Any:
        found = super()._parse_table_parts(*args, **options)  # type: ignore[misc]
        named: exp.Expr | None = found.this if isinstance(found, exp.Table) else None
        if isinstance(named, exp.TableFromRows) and (parts := plain_name([named.this])):
            named = at(parts)
        if isinstance(named, exp.Column):
            names = reversed(named.parts)
            return exp.Table(**dict(zip(("this", "db", "catalog"), names, strict=False)))
        return found
