"""Names and renderings of queries that hold no literal."""

from __future__ import annotations

import hashlib

from sqlglot import exp

from collectors.errors import PrunescopeError
from collectors.predicates.sql_parse import deep_nesting_refused

_DIGITS = 16
_LITERALS = (
    exp.Literal,
    exp.HexString,
    exp.BitString,
    exp.ByteString,
    exp.National,
    exp.RawString,
    exp.UnicodeString,
    exp.Heredoc,
    exp.JSONPath,
)
_UNKNOWN = exp.Var(this="?")


def redact(tree: exp.Expr, dialect: str) -> str:
    """The SQL with `?` for every literal, and without comments. Precisions and scales of types
    stay."""
    return render(_without_literals(tree), dialect)


def render(tree: exp.Expr, dialect: str) -> str:
    """The SQL in `dialect`; only a name for the kind of expression where it cannot be written."""
    try:
        return tree.sql(dialect=dialect, comments=False)
    except (PrunescopeError, RecursionError):
        raise
    except Exception:  # noqa: BLE001  # sqlglot has no common base for what generators raise
        return f"<{tree.key}>"


def fingerprint(tree: exp.Expr) -> str:
    """16 hexadecimal digits for the shape of a query.

    The same for other literals, other numbers of IN items, other white space, comments, case
    of unquoted names and table aliases, and for other column aliases as long as only ORDER BY
    refers to them.
    """
    with deep_nesting_refused():
        shape = _without_literals(tree)
        _collapse_lists(shape)
        _fold_case(shape)
        _rename_tables(shape)
        _rename_outputs(shape)
        text = render(shape, "")
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]


def _without_literals(tree: exp.Expr) -> exp.Expr:
    return tree.copy().transform(_hide, copy=False)


def _hide(node: exp.Expr) -> exp.Expr:
    node.comments = None
    if isinstance(node, _LITERALS) and not isinstance(node.parent, exp.DataTypeParam):
        return _UNKNOWN.copy()
    if isinstance(node, exp.Neg) and isinstance(node.this, exp.Literal):
        return _UNKNOWN.copy()
    return node


def _collapse_lists(shape: exp.Expr) -> None:
    """Equal items of a list become one: the length of an IN list is data."""
    for node in shape.find_all(exp.In, exp.Values, exp.Array):
        node.set("expressions", list(dict.fromkeys(node.expressions)))


def _fold_case(shape: exp.Expr) -> None:
    for name in shape.find_all(exp.Identifier):
        if not name.args.get("quoted"):
            name.set("this", name.name.lower())
        name.set("quoted", False)


def _rename_tables(shape: exp.Expr) -> None:
    """Aliases of tables, derived tables and common table expressions become numbers."""
    names: dict[str, str] = {}
    ctes = {cte.alias for cte in shape.find_all(exp.CTE)}
    for alias in shape.find_all(exp.TableAlias, bfs=False):
        if isinstance(alias.this, exp.Identifier):
            number = names.setdefault(alias.name, f"t{len(names)}")
            alias.this.set("this", number)
    references = [t.this for t in shape.find_all(exp.Table) if not t.db and t.name in ctes]
    qualifiers = [c.args.get("table") for c in shape.find_all(exp.Column) if not c.db]
    for name in [*references, *qualifiers]:
        if name is not None and name.name in names:
            name.set("this", names[name.name])


def _rename_outputs(shape: exp.Expr) -> None:
    """Names of output columns that only ORDER BY uses become numbers."""
    columns = list(shape.find_all(exp.Column))
    used = {column.name for column in columns if column.find_ancestor(exp.Ordered) is None}
    names: dict[str, str] = {}
    for alias in shape.find_all(exp.Alias, bfs=False):
        if alias.alias not in used:
            number = names.setdefault(alias.alias, f"c{len(names)}")
            alias.args["alias"].set("this", number)
    for column in columns:
        if not column.table and column.name in names:
            column.this.set("this", names[column.name])
