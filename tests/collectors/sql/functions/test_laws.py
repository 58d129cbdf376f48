"""Laws of functions: the value for an argument in a span is in the span that the law gives for
all of it. Drawn boxes of columns, and values in them, for each part of the unseen forms."""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Iterator, Sequence

import pytest
from sqlglot import exp

from prunescope.collectors.sql.constants.session import Session
from prunescope.collectors.sql.constants.values import Folded
from prunescope.collectors.sql.functions.clocks import Clocks
from prunescope.collectors.sql.functions.spans import Span, has_text, key
from prunescope.collectors.sql.ranges.axes import axis_of
from prunescope.collectors.sql.ranges.boxes import Axis, Box
from prunescope.collectors.sql.ranges.compiled import Compiler
from prunescope.collectors.sql.text.parse import parse_condition
from tests.unseen_forms.forms import Form, dialects, forms

ZONES = ("UTC", "America/New_York", "Europe/Berlin", "Asia/Kolkata")
_STARTED = dt.datetime(2024, 3, 5, 12, tzinfo=dt.UTC)


def parts_of(form: Form) -> Iterator[exp.Expr]:
    """The functions of a form's columns."""
    for node in parse_condition(form.where, form.dialect).walk():
        if isinstance(node, exp.Func | exp.Binary) and node.find(exp.Column) is not None:
            yield node


def boxes(axis: Axis, rng: random.Random, marks: Sequence[int]) -> Iterator[tuple[Box, Box]]:
    """Boxes of an axis, each with one of a single value in it."""
    whole = axis.whole
    assert isinstance(whole.start, int)
    assert isinstance(whole.end, int)
    for mark in marks:
        width = 10 ** rng.randrange(1, 16)
        start = max(whole.start, mark - rng.randrange(width))
        end = min(whole.end, start + rng.randrange(1, 2 * width))
        if start < end:
            at = rng.choice((start, end - 1, rng.randrange(start, end)))
            yield Box(start, end), Box(at, at + 1)


def holds(span: Span, value: Folded) -> bool:
    """Whether a value is in a span."""
    if isinstance(value, str) and not has_text(span, value):
        return False
    try:
        return bool(key(span.low) <= key(value) <= key(span.high))
    except TypeError:
        return False


@pytest.mark.parametrize("dialect", dialects())
def test_values_are_within_what_laws_say(dialect: str) -> None:
    rng = random.Random(52)  # noqa: S311  # samples, no keys
    asked = 0
    for form in forms(dialect):
        if len(form.columns) != 1:
            continue
        ((name, kind),) = form.columns.items()
        for zone in ZONES if kind.startswith(("timestamp", "long")) else ("UTC",):
            session = Session(dialect, _STARTED, zone, doubles_quotes=True)
            texts = [
                each.name for each in parse_condition(form.where, dialect).find_all(exp.Literal)
            ]
            clocks = Clocks([zone, *(text for text in texts if "/" in text)])
            axis = axis_of(kind, session, clocks, [])
            if axis is None or not isinstance(axis.whole.end, int):
                continue
            marks = [0, 20_000, 1_709_251_200_000_000, 1_710_054_000_000_000, 1_730_613_600_000_000]
            marks += [1_710_054_000, 1_730_613_600, 1_729_990_800] if kind == "long" else []
            compiler = Compiler(lambda column: (column.name,), session, clocks)
            for part in parts_of(form):
                evaluate = compiler.compiled(part)
                for box, inside in boxes(axis, rng, marks):
                    whole = evaluate({(name,): axis.span(box)})
                    one = evaluate({(name,): axis.span(inside)})
                    if whole is None or one is None or not one.is_point or one.is_empty:
                        continue
                    asked += 1
                    told = f"{part.sql(dialect)} of {axis.span(inside).low} in {axis.span(box)}"
                    assert holds(whole, one.low), (
                        f"{form.name} {zone}: {told}: {one.low!r} in {whole}"
                    )
    assert asked > 1_000
