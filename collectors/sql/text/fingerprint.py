"""Names and renderings of queries that hold no literal."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Sequence
from functools import lru_cache

from sqlglot import exp

from prunescope.collectors.errors import PrunescopeError
from prunescope.collectors.sql.text.calculating import says_what_is_calculated
from prunescope.collectors.sql.text.cost import bounded, copied, spend_new, visited
from prunescope.collectors.sql.text.names import without_strange_names
from prunescope.collectors.sql.text.nodes import nodes_of, nodes_that_are, rebuilt
from prunescope.collectors.sql.text.parse import parse_condition
from prunescope.collectors.sql.text.parser import dialect_named
from prunescope.collectors.sql.text.renaming import number_names

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
_HINTS = (exp.Hint, exp.WithTableHint, exp.IndexTableHint)
# sqlglot makes words of strings where it expects a unit of time: INTERVAL '5 x', date_trunc('x').
_UNIT = re.compile(
    r"(NANO|MICRO|MILLI)?SECONDS?|MINUTES?|HOURS?|DAYS?|WEEKS?|MONTHS?|QUARTERS?|YEARS?|DECADES?"
    r"|CENTUR(Y|IES)|MILLENNI(UM|A)|EPOCH|DOW|DOY|YOW|DAY_?OF_?(WEEK|MONTH|YEAR)|YEAR_OF_WEEK"
    r"|ISO(WEEK|YEAR|DOW)|TIMEZONE_(HOUR|MINUTE)",
    re.IGNORECASE,
)


def redact(tree: exp.Expr, dialect: str) -> str:
    """The SQL with `?` for every literal, and without comments and hints. Precisions and scales
    of types stay; of names, those that `names` has not found to be none of a table."""
    shown = without_strange_names(_changed(tree, _hidden)[0])
    return render(shown, dialect, copy=False)


def render(tree: exp.Expr, dialect: str, *, copy: bool = True) -> str:
    """The SQL in `dialect`; only a name for the kind of expression where it cannot be written.
    What is written changes: without `copy`, the tree itself."""
    try:
        written = _with_decimals(copied(tree) if copy else visited(tree))
        return dialect_named(dialect).generate(written, copy=False, comments=False)
    except (PrunescopeError, RecursionError):
        raise
    except Exception:  # noqa: BLE001  # sqlglot has no common base for what generators raise
        return f"<{tree.key}>"


def _with_decimals(tree: exp.Expr) -> exp.Expr:
    """The tree with DECIMAL '1.19' written as that: sqlglot writes it as a cast without a scale,
    which is another number. Of a cast that is written, it keeps more arguments."""
    for cast in nodes_that_are(exp.Cast, tree):
        value, kind = cast.this, cast.to
        if "format" in cast.args or not isinstance(value, exp.Literal | exp.Var):
            continue
        if kind.is_type(exp.DType.DECIMAL) and not kind.expressions:
            typed = exp.Introducer(this=exp.var("DECIMAL"), expression=value)
            tree = typed if cast is tree else tree
            cast.replace(typed)
    return tree


def fingerprint(tree: exp.Expr) -> str:
    """16 hexadecimal digits for the shape of a query, made of no literal: whoever sees them can
    find none by trying.

    The same for other values, whether literals of any type or parameters, other numbers of
    items in lists, other white space, comments, hints and case of unquoted names, and for other
    aliases of tables, columns, common table expressions and windows, as long as it can be told
    without schemas what a name means. A name in quotes that stands alone counts as a value, unless
    the query makes it up: it is one where an engine, or whoever wrote it, takes it for a text.

    Literals of any type, because a parameter has none, and engines cast one to the other: `id = 5`
    and `id = '5'` are one dashboard. Nothing is replayed by a fingerprint: each text is read with
    its own literals, and findings are of one shape of filter, and of one `calculation`, as well.
    What counts queries by name (trends, files of `check`) takes the two for one.
    """
    with bounded():
        return hashed(_form(tree))


def hashed(text: str) -> str:
    """A fingerprint of what a text says."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]


def calculation(tree: exp.Expr) -> tuple[str, ...]:
    """The literals that say what is calculated, not what it is compared with: formats, time zones,
    positions, lengths, divisors and the like. With others, other ranges are meant. They are
    literals: nothing of them is to leave the process."""
    return tuple(
        node.name for node in nodes_that_are(exp.Literal, tree) if says_what_is_calculated(node)
    )


@lru_cache(maxsize=16_384)
def of_condition(text: str, dialect: str) -> tuple[str, tuple[str, ...]] | None:
    """A condition as fingerprints of queries tell it from others, and its `calculation`. None where
    it cannot be parsed."""
    try:
        with bounded():
            tree = parse_condition(text, dialect)
            calculated = calculation(tree)
            return _form(tree), calculated
    except PrunescopeError:
        return None


def _form(tree: exp.Expr) -> str:
    nodes = _changed(tree, _marked)
    _collapse_lists(nodes)
    maybe_texts = _fold_case(nodes)
    number_names(nodes[0])
    for name, written in maybe_texts:
        if name.name == written:  # and has no number
            name.set("this", "?")
    return render(nodes[0], "", copy=False)


def _changed(tree: exp.Expr, change: Callable[[exp.Expr], exp.Expr]) -> list[exp.Expr]:
    """The nodes, from its root on, of a copy without comments and hints, with `change` made to
    every node, from the outside in."""
    changed = rebuilt(tree, lambda node: None if isinstance(node, _HINTS) else change(node))
    nodes = nodes_of(changed)
    spend_new(len(nodes))
    for node in nodes:
        node.comments = None
    return nodes


def _hidden(node: exp.Expr) -> exp.Expr:
    """A mark for a literal, and any other node as it is."""
    is_size = isinstance(node.parent, exp.DataTypeParam) and not node.is_string
    is_literal = isinstance(node, _LITERALS) and not is_size
    is_number = isinstance(node, exp.Neg) and isinstance(node.this, exp.Literal)
    return exp.Var(this="?") if is_literal or is_number or _is_word_of_a_string(node) else node


def _is_word_of_a_string(node: exp.Expr) -> bool:
    is_unit = node.arg_key == "unit" or isinstance(node.parent, exp.Extract)
    return is_unit and isinstance(node, exp.Var) and _UNIT.fullmatch(node.name) is None


def _marked(node: exp.Expr) -> exp.Expr:
    """One mark for every value, typed or not: a prepared statement has the shape of its twin
    with literals."""
    return exp.Var(this="?") if _is_value(node) else node


def _is_value(node: exp.Expr) -> bool:
    match node:
        case exp.Literal():
            return node.is_string or not isinstance(node.parent, exp.DataTypeParam)
        case exp.Placeholder():
            return True
        case exp.Neg() | exp.Paren() | exp.Cast() | exp.ParseJSON():
            return _is_value(node.this)
    return isinstance(node, _LITERALS) or _is_word_of_a_string(node)


def _collapse_lists(nodes: Sequence[exp.Expr]) -> None:
    """Equal items of a list become one: the length of an IN list is data."""
    for node in nodes:
        if isinstance(node, exp.In | exp.Values | exp.Array) and len(node.expressions) > 1:
            node.set("expressions", list(dict.fromkeys(node.expressions)))


def _fold_case(nodes: Sequence[exp.Expr]) -> list[tuple[exp.Identifier, str]]:
    """Gives names the case in which they match. Returns those in quotes that may be texts."""
    maybe_texts = []
    for name in nodes:
        if not isinstance(name, exp.Identifier):
            continue
        if name.args.get("quoted"):
            name.set("quoted", False)
            if not isinstance(name.parent, exp.Table) and not _is_qualified(name):
                maybe_texts.append((name, name.name))
        else:
            name.set("this", name.name.lower())
    return maybe_texts


def _is_qualified(name: exp.Identifier) -> bool:
    return isinstance(name.parent, exp.Column | exp.Dot) and len(name.parent.parts) > 1
