"""Choices that are made away from the rows that they rest on.

Rows of many tables are more than one process can hold, and to lay out those of one is more than one
core should do. So what chooses among layouts has no rows: it is a generator that yields rounds of
questions about them, and is sent the answers, wherever these were found. A round has parts, each of
which is answered by itself, and the same in whatever company.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from audit_jobs.advice.layouts import Layouts
from audit_jobs.advice.scores import Replayed
from collectors.arrays import Floats

_Part = TypeVar("_Part")
_Answer = TypeVar("_Answer")
_Result = TypeVar("_Result")
_Other = TypeVar("_Other")


@dataclass(frozen=True, slots=True, eq=False)
class Sampled:
    """What questions are about: sampled rows, ready to be laid out, S scans, and `some` of these,
    with the weights by which they stand for all (`of_some`). Pickles."""

    layouts: Layouts
    scans: Replayed
    some: Replayed
    of_some: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Round:
    """What is to be found `of` each of some parts, in their order: an answer has to be the same
    whatever parts it is asked for with. A part is about as much work as to lay out so many layouts
    and to score them by some scans. Pickles."""

    of: Callable[[Sampled, Sequence[Any]], Sequence[Any]]
    parts: Sequence[Any]
    layouts: float = 1.0


Asking = Generator[Sequence[Round], Sequence[Sequence[Any]], _Result]
"""Yields rounds that do not wait for each other, is sent their answers, and comes to a result."""


def ask(
    of: Callable[[Sampled, Sequence[_Part]], Sequence[_Answer]],
    parts: Sequence[_Part],
    *,
    layouts: float = 1.0,
) -> Asking[Sequence[_Answer]]:
    """The answers for parts, in their order."""
    if not parts:
        return []
    (answers,) = yield (Round(of, parts, layouts),)
    return answers


class Dialogue(Generic[_Result]):
    """Something that asks, on its way: the rounds that it waits for, none once it has its
    `result`."""

    def __init__(self, asking: Asking[_Result]) -> None:
        self._asking = asking
        self.rounds: Sequence[Round] = ()
        self.result: _Result
        self._advance(lambda: next(asking))

    def go_on(self, answers: Sequence[Sequence[Any]]) -> None:
        """Takes the answers of the rounds, each with those of its parts."""
        self._advance(lambda: self._asking.send(answers))

    def _advance(self, step: Callable[[], Sequence[Round]]) -> None:
        try:
            self.rounds = step()
        except StopIteration as end:
            self.rounds = ()
            self.result = end.value


def together(one: Asking[_Result], other: Asking[_Other]) -> Asking[tuple[_Result, _Other]]:
    """The results of two that do not wait for each other."""
    first, second = Dialogue(one), Dialogue(other)
    while first.rounds or second.rounds:
        count = len(first.rounds)
        answers = yield (*first.rounds, *second.rounds)
        if count:
            first.go_on(answers[:count])
        if second.rounds:
            second.go_on(answers[count:])
    return first.result, second.result


def answered(asking: Asking[_Result], sampled: Sampled) -> _Result:
    """The result of something that asks, with all answers found here."""
    dialogue = Dialogue(asking)
    while dialogue.rounds:
        dialogue.go_on([one.of(sampled, one.parts) for one in dialogue.rounds])
    return dialogue.result
