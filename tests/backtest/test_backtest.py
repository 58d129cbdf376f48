"""A draw of the back-test: `make backtest` runs all of it, and searches exhaustively."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.backtest.cases import BY_NAME
from tests.backtest.lake import Lake
from tests.backtest.trial import trial

pytestmark = pytest.mark.slow

NEAR = 0.05
SLACK = 0.005


@pytest.mark.parametrize("name", ["correlated_dates", "boxes", "prefixes"])
def test_what_is_promised_comes(name: str, tmp_path: Path) -> None:
    tried = trial(BY_NAME[name], Lake(tmp_path))

    assert tried.steps
    assert tried.error is not None
    assert tried.error < NEAR
    assert tried.actual < tried.before / 2


@pytest.mark.parametrize("name", ["predicate_sorted", "perfect", "hopeless"])
def test_nothing_is_asked_for_where_nothing_is_to_be_won(name: str, tmp_path: Path) -> None:
    tried = trial(BY_NAME[name], Lake(tmp_path))

    assert tried.asked == "nothing"
    assert tried.error is not None
    assert tried.error < NEAR


@pytest.mark.parametrize("name", ["three_columns", "either_party"])
def test_tables_of_which_nothing_is_asked_for_today(name: str, tmp_path: Path) -> None:
    """Partitions of two columns would leave a third of what is read, or less: no finding tries
    these."""
    assert trial(BY_NAME[name], Lake(tmp_path)).asked == "nothing"


def test_nothing_makes_it_worse(tmp_path: Path) -> None:
    tried = trial(BY_NAME["hashed_users"], Lake(tmp_path))

    assert tried.actual <= tried.before + SLACK
