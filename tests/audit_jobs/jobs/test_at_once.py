"""Many calls at once: each ends in one result, and those that hang are left behind."""

from __future__ import annotations

import threading

import pytest

from prunescope.audit_jobs.jobs.at_once import at_once

pytestmark = pytest.mark.slow


def test_every_item_has_its_result_and_no_more_than_so_many_run() -> None:
    running: set[int] = set()
    seen: list[int] = []
    together = threading.Barrier(4)

    def call(number: int) -> int:
        running.add(number)
        together.wait(10)
        seen.append(len(running))
        together.wait(10)
        running.discard(number)
        return number * 2

    found = dict(at_once(call, range(40), most=4, seconds=60))
    assert found == {number: number * 2 for number in range(40)}
    assert set(seen) <= {1, 2, 3, 4}


def test_what_hangs_takes_no_place_beyond_its_time() -> None:
    never = threading.Event()
    found = dict(at_once(lambda n: never.wait() if n < 4 else True, range(30), most=2, seconds=0.3))
    assert found == {number: None if number < 4 else True for number in range(30)}
    never.set()


def test_a_result_that_comes_too_late_is_none_of_a_later_item() -> None:
    late, ended = threading.Event(), threading.Event()

    def call(name: str) -> str:
        if name == "late":
            late.wait()
            ended.set()
        elif name == "frees it":
            late.set()
            ended.wait()
        return name

    found = at_once(call, ["late", "frees it", "last"], most=1, seconds=0.3)
    assert list(found) == [("late", None), ("frees it", "frees it"), ("last", "last")]


@pytest.mark.parametrize("most", [1, 16])
def test_of_nothing_there_is_nothing(most: int) -> None:
    assert list(at_once(str, [], most=most, seconds=1)) == []
