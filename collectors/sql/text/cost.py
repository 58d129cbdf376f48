"""Limits of the work on one SQL text.

Texts come from whoever writes queries, and few words can ask for endless work: views that name each
other twice, conditions that pass through hundreds of queries. The reader of a text bounds the work
(`bounded`); loops over its tokens and nodes count it (`spend`). Steps are counted, and not only
time, so that a text ends alike on every machine. The bound belongs to the thread that set it: no
signal is needed, and workers may read texts side by side.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

from sqlglot import exp

from prunescope.collectors.errors import TooComplexSql
from prunescope.collectors.sql.text.nodes import copy_of, nodes_of

MAX_STEPS = 1_500_000
"""Steps for one text: some seconds of one core in 2026, and 50,000 values in an IN list."""

_STEPS_OF_ANY = 30_000
_STEPS_PER_CHARACTER = 50
_USUAL_STEPS_OF_ANY = 5_000
_USUAL_STEPS_PER_CHARACTER = 10

MAX_SECONDS = 30.0
"""CPU time of the thread for one text, for what its steps do not tell."""

_STEPS_PER_LOOK = 4_096
_CHARACTERS_PER_STEP = 4
_STEPS_PER_NEW = 4  # a node takes about 600 bytes

_Tree = TypeVar("_Tree", bound=exp.Expr)


def steps_for(characters: int) -> int:
    """Steps for a text of so many characters: a log takes time by its length, whatever is in
    it."""
    return min(MAX_STEPS, _STEPS_OF_ANY + _STEPS_PER_CHARACTER * characters)


def usual_steps_for(characters: int) -> int:
    """Steps that texts of so many characters do without more ado. No query of the samples and
    tests that people write takes more, and one in a hundred takes a tenth."""
    return min(MAX_STEPS, _USUAL_STEPS_OF_ANY + _USUAL_STEPS_PER_CHARACTER * characters)


class Meter:
    """The work that was done: `steps` are visits of tokens and nodes."""

    def __init__(self, max_steps: int, max_seconds: float) -> None:
        self.steps = 0
        self._max_steps = max_steps
        self._end = time.thread_time() + max_seconds
        self._next_look = min(_STEPS_PER_LOOK, max_steps)

    def spend(self, steps: int) -> None:
        """Counts steps; raises TooComplexSql once they are too many."""
        self.steps += steps
        if self.steps <= self._next_look:
            return
        if self.steps > self._max_steps or time.thread_time() > self._end:
            self._next_look = self.steps  # whoever goes on is stopped at once
            raise TooComplexSql(
                "SQL too complex: too long, or its views, CTEs or conditions multiply. Exclude "
                "such generated queries from the log."
            )
        self._next_look = min(self.steps + _STEPS_PER_LOOK, self._max_steps)


_METER: ContextVar[Meter | None] = ContextVar("sql_cost", default=None)


@contextmanager
def bounded(max_steps: int = MAX_STEPS, max_seconds: float = MAX_SECONDS) -> Iterator[Meter]:
    """Bounds the work on one text within; inside another bound, that one holds. Raises
    TooComplexSql, also for text that is nested more deeply than the interpreter can follow."""
    meter = _METER.get() or Meter(max_steps, max_seconds)
    token = _METER.set(meter)
    try:
        yield meter
    except RecursionError:
        raise TooComplexSql(
            "SQL nested too deeply. Exclude such generated queries from the log."
        ) from None
    finally:
        _METER.reset(token)


def spend(steps: int = 1) -> None:
    """Counts visits of tokens or nodes. Raises TooComplexSql if the text's budget is used up; free
    if nobody set a bound."""
    meter = _METER.get()
    if meter is not None:
        meter.spend(steps)


def spend_text(text: str) -> None:
    """Counts one reading of a text, character by character."""
    spend(1 + len(text) // _CHARACTERS_PER_STEP)


def spend_new(count: int) -> None:
    """Counts tokens or nodes that are made: they take memory as well."""
    spend(_STEPS_PER_NEW * count)


def visited(tree: _Tree) -> _Tree:
    """The tree, with all of its nodes counted: something will walk over them."""
    spend(len(nodes_of(tree)))
    return tree


def copied(tree: _Tree) -> _Tree:
    """A copy of the tree."""
    spend_new(len(nodes_of(tree)))
    return copy_of(tree)
