"""Samples of sweeps are small, and the same each time."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tests.sampled import few_cases, one_in

CASES = [f"case {number}" for number in range(100)]


def test_one_case_of_so_many_is_not_exhaustive() -> None:
    params = one_in(4, CASES, str)
    assert [param.id for param in params] == CASES
    stay = {param.id for param in params if not param.marks}
    assert 10 < len(stay) < 40
    assert stay == {param.id for param in one_in(4, reversed(CASES), str) if not param.marks}


@pytest.mark.parametrize("case", CASES)
def test_a_test_of_many_cases(case: str) -> None:
    assert case in CASES


def test_few_cases_of_each_test_stay_in_their_order(request: pytest.FixtureRequest) -> None:
    here = [item for item in request.session.items if item.path == Path(__file__)]
    few = few_cases(here, 2)
    assert few == [item for item in here if item in few]
    of_test = Counter(item.nodeid.partition("[")[0] for item in few)
    assert of_test.keys() == {item.nodeid.partition("[")[0] for item in here}
    assert max(of_test.values()) <= 2
    assert few_cases(few, 2) == few
