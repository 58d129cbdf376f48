"""What asks is answered in rounds, wherever that is."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from audit_jobs.advice.rounds import Asking, Dialogue, Sampled, answered, ask, together
from tests.audit_jobs.advice.samples import layouts, numbers, rows_of, sampled_of

TYPES = {"a": "long"}
SAMPLED = sampled_of(layouts(rows_of({"a": numbers(range(7))}, TYPES), 2))


def times_rows(sampled: Sampled, parts: Sequence[int]) -> list[int]:
    return [part * sampled.layouts.rows.count for part in parts]


def summed(times: int) -> Asking[int]:
    """Asks so many times, one round after the other."""
    value = 0
    for number in range(times):
        value += sum((yield from ask(times_rows, [number, 10])))
    return value


def test_rounds_are_answered_until_there_is_a_result() -> None:
    assert answered(summed(3), SAMPLED) == 7 * (0 + 1 + 2 + 30)
    assert answered(summed(0), SAMPLED) == 0
    assert answered(ask(times_rows, []), SAMPLED) == []


@pytest.mark.parametrize(("one", "other"), [(0, 0), (0, 2), (2, 0), (1, 3), (3, 1), (2, 2)])
def test_two_that_do_not_wait_for_each_other_share_rounds(one: int, other: int) -> None:
    assert answered(together(summed(one), summed(other)), SAMPLED) == (
        answered(summed(one), SAMPLED),
        answered(summed(other), SAMPLED),
    )
    dialogue, rounds = Dialogue(together(summed(one), summed(other))), 0
    while dialogue.rounds:
        rounds += 1
        dialogue.go_on([times_rows(SAMPLED, asked.parts) for asked in dialogue.rounds])
    assert rounds == max(one, other)
