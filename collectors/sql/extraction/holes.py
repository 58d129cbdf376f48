"""Expressions as SQL with holes for their literals, so that they are written once for all."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from sqlglot import exp

from prunescope.collectors.predicates.model import Written
from prunescope.collectors.sql.text.fingerprint import redact, render
from prunescope.collectors.sql.text.slots import slot_nodes

# What no literal that is a Slot holds: these are private characters, which stand for nothing.
_HOLE = re.compile("\ue000([0-9]+)\ue001")
_PLAIN = re.compile(r"[\w \-:.,/@%+]*")


@dataclass(frozen=True, slots=True)
class Holed:
    """The pieces of a text around its holes, the literal in each hole, and the text without any
    literal."""

    pieces: tuple[str, ...]
    holes: tuple[int, ...]
    are_texts: tuple[bool, ...]
    redacted: str

    def filled(self, values: Sequence[str], dialect: str) -> Written:
        """The text with `values` for the literals of the whole text."""
        found = [self.pieces[0]]
        for piece, index, is_text in zip(self.pieces[1:], self.holes, self.are_texts, strict=True):
            found.append(_literal(values[index], is_text, dialect))
            found.append(piece)
        return Written("".join(found), self.redacted)


def holed(expression: exp.Expr, dialect: str) -> Holed:
    """An expression as it is written in a dialect, with a hole for each Slot."""
    nodes = slot_nodes(expression)
    kinds = {index: node.is_string for node, index in nodes}
    values = [(node, node.this) for node, _ in nodes]
    redacted = redact(expression, dialect)
    try:
        for node, index in nodes:
            node.set("this", f"\ue000{index}\ue001")
        text = render(expression, dialect)
    finally:
        for node, value in values:
            node.set("this", value)
    for index, is_text in kinds.items():
        if is_text:
            hole = f"\ue000{index}\ue001"
            text = text.replace(render(exp.Literal.string(hole), dialect), hole)
    pieces = _HOLE.split(text)
    holes = tuple(map(int, pieces[1::2]))
    return Holed(tuple(pieces[::2]), holes, tuple(kinds[index] for index in holes), redacted)


def _literal(value: str, is_text: bool, dialect: str) -> str:
    if not is_text:
        return value
    if _PLAIN.fullmatch(value):
        return f"'{value}'"
    return render(exp.Literal.string(value), dialect)
