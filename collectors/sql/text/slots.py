"""Literals of a SQL text that can be replaced without a change of anything but values.

A literal is followed from its token into the syntax tree, by identity: its text is a `Slot`. A text
that the parser changes, joins or looks up is no Slot any more, and that literal stays as it is for
all texts like this one. So do literals at places where the parser, or the search for scans, may
read their text: free are the operands of comparisons in WHERE, HAVING and ON, where sqlglot 30
reads types of tokens only. There it also reads whether a typed literal (TIMESTAMP '…') has a zone,
and how many digits its seconds have: `form` returns both.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from sqlglot import exp
from sqlglot.parser import Parser
from sqlglot.tokenizer_core import Token, TokenType

from prunescope.collectors.sql.text.literals import Framed
from prunescope.collectors.sql.text.nodes import nodes_that_are

_KINDS = {
    "text": TokenType.STRING,
    "quoted": TokenType.STRING,
    "integer": TokenType.NUMBER,
    "decimal": TokenType.NUMBER,
    "double": TokenType.NUMBER,
}
# After these, the parser wants an operand: it compares no token that follows with a word.
_BEFORE_OPERANDS = frozenset(
    (
        TokenType.EQ,
        TokenType.NEQ,
        TokenType.LT,
        TokenType.LTE,
        TokenType.GT,
        TokenType.GTE,
        TokenType.NULLSAFE_EQ,
        TokenType.BETWEEN,
        TokenType.AND,
        TokenType.LIKE,
        TokenType.ILIKE,
        TokenType.COMMA,
        TokenType.L_PAREN,
        TokenType.PLUS,
        TokenType.DASH,
        TokenType.STAR,
        TokenType.R_PAREN,  # DECIMAL(10, 2) '1.5'
        *(Parser.TYPE_TOKENS - {TokenType.INTERVAL}),
    )
)
_OPERATORS = frozenset(
    (
        exp.EQ,
        exp.NEQ,
        exp.LT,
        exp.LTE,
        exp.GT,
        exp.GTE,
        exp.NullSafeEQ,
        exp.NullSafeNEQ,
        exp.Between,
        exp.In,
        exp.Like,
        exp.ILike,
        exp.Paren,
        exp.Neg,
        exp.Add,
        exp.Sub,
        exp.Mul,
        exp.Cast,
        exp.And,
        exp.Or,
        exp.Not,
    )
)
# Where a SELECT holds conditions and relations. Of what else it holds, parts are compared.
_CLAUSES = frozenset(("from_", "joins", "with_", "where", "having"))
_CONDITIONS = (exp.Where, exp.Having)
_HAS_ZONE = re.compile(r":.*?[a-zA-Z\+\-]")  # TIME_ZONE_RE of sqlglot's parser
_FRACTION = re.compile(r":\d+\.(\d+)")  # FRACTIONAL_SECONDS_RE of its parser for Trino


class Slot(str):
    """The text of a literal, with its `position` among the literals of the whole text."""

    position: int
    __slots__ = ("position",)

    def __deepcopy__(self, _memo: object) -> Slot:
        return self


@dataclass(frozen=True, slots=True)
class Slots:
    """The literals of a statement that may be replaced; `typed` ones only by literals of the same
    `form`."""

    free: frozenset[int] = frozenset()
    typed: frozenset[int] = frozenset()


NO_SLOTS = Slots()


def marked(tokens: Sequence[Token], found: Framed) -> frozenset[int]:
    """Makes Slots of the literals that are tokens of a text. Returns those that are comments for
    the tokenizer, too."""
    by_start = {place.start: index for index, place in enumerate(found.places)}
    covered = bytearray(max((token.end + 1 for token in tokens), default=0))
    before: Token | None = None
    for token in tokens:
        end = token.end + 1
        covered[token.start : end] = b"\1" * (end - token.start)
        index = by_start.get(token.start)
        if index is not None and before is not None:
            place = found.places[index]
            is_whole = end == place.end and token.text == found.values[index]
            is_operand = before.token_type in _BEFORE_OPERANDS
            if is_whole and is_operand and _KINDS.get(place.kind) is token.token_type:
                slot = Slot(token.text)
                slot.position = index
                token.text = slot
        before = token
    return frozenset(
        index
        for index, place in enumerate(found.places)
        if place.kind == "comment" and not any(covered[place.start : place.end])
    )


def slots_of(nodes: Sequence[exp.Expr]) -> Slots:
    """The literals that may be replaced in a statement; `nodes` are all of its nodes as parsed. The
    others become plain text again: how they are written may depend on them."""
    free, typed = set(), set()
    kept: set[int] = set()
    literals = []
    for node in nodes:
        for name, value in node.args.items():
            if type(value) is list:
                kept.update(item.position for item in value if type(item) is Slot)
            elif type(value) is Slot:
                if type(node) is exp.Literal and name == "this":
                    literals.append((node, value))
                    if _is_free(node):
                        free.add(value.position)
                        if type(node.parent) is exp.Cast:
                            typed.add(value.position)
                        continue
                kept.add(value.position)
    for node, slot in literals:
        if slot.position in kept:
            node.set("this", str(slot))
    return Slots(frozenset(free - kept), frozenset(typed - kept))


def _is_free(literal: exp.Expr) -> bool:
    node, parent = literal, literal.parent
    while parent is not None and type(parent) in _OPERATORS:
        node, parent = parent, parent.parent
    if node is literal or parent is None:
        return False
    if type(parent) is exp.Join:
        is_condition = node.arg_key == "on"
    else:
        is_condition = type(parent) in _CONDITIONS and parent.arg_key in ("where", "having")
    return is_condition and all(
        within.arg_key in _CLAUSES
        for within in _to_root(node)
        if isinstance(within.parent, exp.Select)
    )


def _to_root(node: exp.Expr) -> Iterator[exp.Expr]:
    current: exp.Expr | None = node
    while current is not None:
        yield current
        current = current.parent


def form(text: str) -> tuple[bool, int]:
    """The properties of a typed literal's text that the parser reads: whether it has a zone, and
    the number of digits of its fraction of a second."""
    if ":" not in text:
        return False, 0
    fraction = _FRACTION.search(text)
    return _HAS_ZONE.search(text) is not None, len(fraction[1]) if fraction else 0


def fill(nodes: Iterable[tuple[exp.Literal, int]], values: Sequence[str]) -> None:
    """Gives literals the values at their indexes among those of the whole text."""
    for node, index in nodes:
        slot = Slot(values[index])
        slot.position = index
        node.set("this", slot)


def slot_nodes(tree: exp.Expr) -> tuple[tuple[exp.Literal, int], ...]:
    """The literals of a tree that are Slots, with their indexes."""
    return tuple(
        (node, node.args["this"].position)
        for node in nodes_that_are(exp.Literal, tree)
        if type(node.args["this"]) is Slot
    )
