"""Advising tables as stages, wherever these run: what is read of each table, one task by table;
rounds of layouts laid out and scored, those of one table in several groups; and what is told of
each table beside its advice.

Sampled rows stay where the first stage put them, and come with each group of their table. This
process chooses, by what all groups found.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import ceil
from typing import Any, NamedTuple, TypeGuard

from audit_jobs.advice.advise import advising
from audit_jobs.advice.basis import Basis
from audit_jobs.advice.model import Advice
from audit_jobs.advice.rounds import Dialogue, Round
from audit_jobs.isolation import Failed, attempt
from audit_jobs.jobs.table_advice import TableAdvice, completed, with_diet
from audit_jobs.jobs.table_basis import AdviceTask, prepared
from audit_jobs.planning.driver import groups_of
from audit_jobs.planning.items import SHARED, Item, ItemGroup, Items, Runner
from collectors.errors import PrunescopeError

TABLE = "table"
"""An AdviceTask."""
BASIS = "basis"
"""The Basis of a table, whose Sampled is SHARED: (table, basis)."""
PARTS = "parts"
"""Some parts of a Round, and its number among those that do not wait for each other."""
ANSWERS = "answers"
"""Answers for parts, by table, or why there are none."""
CHOSEN = "chosen"
"""The Advice that was chosen."""
ADVICE = "advice"
"""What is told of a table: TableAdvice."""

_TABLES_PER_SLOT, _MOST_TABLES = 16, 256
"""Tables whose rounds go together where several slots work, as a stage costs more than a small
table: few samples come to one task, and this process holds what scans keep of few tables. One
process has the sample of one table in memory."""
LEAST_WORK = 1_000_000
"""How many rows have to be laid out for a group to be worth its table's sample: ten layouts of a
large one, which take about twice as long as the sample does to arrive."""
_MOST = 64 * LEAST_WORK
_GROUPS_PER_SLOT = 2


def advise_tables(tasks: Sequence[AdviceTask], runner: Runner) -> Iterator[TableAdvice]:
    """Advises tables of different names, each by itself: what goes wrong with one is its own
    outcome."""
    count = min(_MOST_TABLES, _TABLES_PER_SLOT * runner.slots) if runner.slots > 1 else 1
    for start in range(0, len(tasks), count):
        yield from _advised(tasks[start : start + count], runner)
        runner.done()


def _advised(tasks: Sequence[AdviceTask], runner: Runner) -> Iterator[TableAdvice]:
    names = {str(task.table.name): task.table.name for task in tasks}
    given = runner.items([Item(TABLE, task, str(task.table.name)) for task in tasks])
    read = runner.run(prepare_stage, given, dict.fromkeys(names, 1))
    found = read.found(BASIS, ADVICE)
    yield from found.get(ADVICE, ())
    bases: dict[str, Basis] = dict(found.get(BASIS, ()))
    advice = []
    for name, one in chosen(bases, runner, read.of(SHARED)).items():
        if isinstance(one, Failed):
            yield TableAdvice(names[name], one)
        else:
            advice.append(Item(CHOSEN, one, name))
    groups = {item.table: 1 for item in advice}
    beside = read.of(SHARED, BASIS).also(given)
    yield from runner.run(complete_stage, runner.items(advice), groups, beside).stream(ADVICE)


def chosen(bases: Mapping[str, Basis], runner: Runner, rows: Items) -> dict[str, Advice | Failed]:
    """By table the advice that is chosen, or why there is none. The Sampled of each basis is SHARED
    among `rows`."""
    choices = {name: _begun(name, basis) for name, basis in bases.items()}
    while waiting := {name: one for name, one in choices.items() if _waits(one)}:
        work = [(name, _work(bases[name], one.rounds)) for name, one in waiting.items()]
        groups = groups_of(work, LEAST_WORK, _MOST, runner.slots, _GROUPS_PER_SLOT)
        parts = [
            item for name, one in waiting.items() for item in _parts(name, one.rounds, groups[name])
        ]
        made = runner.run(answer_stage, runner.items(parts), groups, rows)
        answers: dict[str, list[_Answers]] = {}
        for name, of_parts in made.found(ANSWERS).get(ANSWERS, ()):
            answers.setdefault(name, []).append(of_parts)
        for name, one in waiting.items():
            choices[name] = _gone_on(name, one, answers[name])
    return {name: one if isinstance(one, Failed) else one.result for name, one in choices.items()}


Choice = Dialogue[Advice] | Failed
"""A table's advice on its way, or why there will be none."""


def _begun(name: str, basis: Basis) -> Choice:
    found = attempt(f"advising {name}", Dialogue, advising(basis))
    return Failed.of(found) if isinstance(found, PrunescopeError) else found


def _waits(choice: Choice) -> TypeGuard[Dialogue[Advice]]:
    return isinstance(choice, Dialogue) and bool(choice.rounds)


def _work(basis: Basis, rounds: Iterable[Round]) -> int:
    """How many rows are laid out."""
    return ceil(basis.coverage.rows * sum(len(one.parts) * one.layouts for one in rounds))


class _Parts(NamedTuple):
    """Parts of the round of a number that come to the group of a place."""

    number: int
    round: Round


class _Answers(NamedTuple):
    """Answers for these, in order, or why there are none."""

    number: int
    place: int
    found: Sequence[Any] | Failed


def _parts(name: str, rounds: Sequence[Round], groups: int) -> Iterator[Item]:
    """Rounds, each cut into as many runs of parts as there are groups: parts that follow each other
    have partitions or orders in common, which a group makes once."""
    for number, one in enumerate(rounds):
        size = ceil(len(one.parts) / groups)
        for place, start in enumerate(range(0, len(one.parts), size)):
            some = replace(one, parts=one.parts[start : start + size])
            yield Item(PARTS, _Parts(number, some), name, place, number)


def _gone_on(name: str, dialogue: Dialogue[Advice], found: Sequence[_Answers]) -> Choice:
    """With the answers for all parts; what went wrong with any of them is the table's."""
    by_round: list[list[Any]] = [[] for _ in dialogue.rounds]
    for one in sorted(found, key=lambda one: one.place):
        if isinstance(one.found, Failed):
            return one.found
        by_round[one.number] += one.found
    error = attempt(f"advising {name}", dialogue.go_on, by_round)
    return Failed.of(error) if isinstance(error, PrunescopeError) else dialogue


def prepare_stage(groups: Iterable[ItemGroup]) -> Iterator[Item]:
    """Reads tables, samples of their rows, and what scans keep of them."""
    for group in groups:
        for _, _, task in group.tasks:
            found = attempt(f"advising {group.table}", prepared, task)
            if isinstance(found, PrunescopeError):
                yield Item(ADVICE, TableAdvice(task.table.name, Failed.of(found)), group.table)
                continue
            basis, sampled = found
            yield Item(SHARED, sampled, group.table)
            yield Item(BASIS, (group.table, basis), group.table)


def answer_stage(groups: Iterable[ItemGroup]) -> Iterator[Item]:
    """Answers parts of rounds."""
    for group in groups:
        sampled = group.beside[SHARED][0]
        for place, _, (number, asked) in group.tasks:
            answers = attempt(f"advising {group.table}", asked.of, sampled, asked.parts)
            told = Failed.of(answers) if isinstance(answers, PrunescopeError) else answers
            yield Item(ANSWERS, (group.table, _Answers(number, place, told)), group.table)


def complete_stage(groups: Iterable[ItemGroup]) -> Iterator[Item]:
    """Tells what is told beside the advice that was chosen."""
    for group in groups:
        sampled, (_, basis) = group.beside[SHARED][0], group.beside[BASIS][0]
        task: AdviceTask = group.beside[TABLE][0]
        for _, _, advice in group.tasks:
            doing = f"advising {group.table}"
            whole = attempt(doing, completed, task, basis, sampled.layouts, advice)
            if isinstance(whole, PrunescopeError):
                found = TableAdvice(task.table.name, Failed.of(whole))
            else:
                found = with_diet(task, whole)
            yield Item(ADVICE, found, group.table)
