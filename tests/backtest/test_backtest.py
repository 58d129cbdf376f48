"""A draw of the back-test: `make backtest` runs all of it, and searches exhaustively."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.backtest.cases import BY_NAME
from tests.backtest.lake import Lake
from tests.backtest.trial import trial

pytestmark = pytest.mark.slow

SLACK = 0.005


@pytest.mark.parametrize(
    "name", ["skewed_tenants", "correlated_dates", "three_columns", "boxes", "prefixes"]
)
def test_what_is_predicted_comes(name: str, tmp_path: Path) -> None:
    tried = trial(BY_NAME[name], Lake(tmp_path))

    assert tried.advice.best is not None
    assert tried.error < 0.05
    assert tried.is_within
    assert tried.actual < tried.before / 2


@pytest.mark.parametrize("name", ["predicate_sorted", "perfect", "hopeless"])
def test_a_table_with_nothing_to_win_is_kept(name: str, tmp_path: Path) -> None:
    tried = trial(BY_NAME[name], Lake(tmp_path))

    assert tried.advice.best is None
    assert tried.is_within


def test_no_advice_makes_it_worse(tmp_path: Path) -> None:
    tried = trial(BY_NAME["hashed_users"], Lake(tmp_path))

    assert tried.actual <= tried.before + SLACK
