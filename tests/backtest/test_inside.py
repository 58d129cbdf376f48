"""Changes of what is inside of files: `make backtest` shows all of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.backtest.inside import BY_NAME, inside_trial
from tests.backtest.lake import Lake

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(("name", "column"), [("requests", "request"), ("customers", "customer")])
def test_what_is_predicted_of_row_groups_comes(name: str, column: str, tmp_path: Path) -> None:
    tried = inside_trial(BY_NAME[name], Lake(tmp_path))

    assert tried.layout is None  # days are what others ask by
    assert tried.inside.change is not None
    assert [one.name for one in tried.inside.change.bloom_filters] == [column]
    assert tried.error < 0.02
    assert tried.is_within
    assert tried.actual < tried.before / 5


@pytest.mark.parametrize("name", ["statuses", "everything", "long_lists"])
def test_what_serves_nobody_is_not_advised(name: str, tmp_path: Path) -> None:
    tried = inside_trial(BY_NAME[name], Lake(tmp_path))

    assert tried.inside.change is None
    assert tried.is_within
