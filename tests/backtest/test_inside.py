"""Changes of what is inside of files: `make backtest` shows all of them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.backtest.inside import BY_NAME, inside_trial
from tests.backtest.lake import Lake
from tests.sampled import one_in
from tests.workloads.rows import scaled

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("name", "column"),
    [("requests", "request"), pytest.param("customers", "customer", marks=pytest.mark.exhaustive)],
)
def test_what_is_predicted_of_row_groups_comes(name: str, column: str, tmp_path: Path) -> None:
    tried = inside_trial(BY_NAME[name], Lake(tmp_path))

    assert tried.layout is None  # days are what others ask by
    assert tried.inside.change is not None
    assert [one.name for one in tried.inside.change.bloom_filters] == [column]
    assert tried.error < 0.02
    assert tried.is_within
    assert tried.actual < tried.before / 5
    assert tried.again.inside is not None
    change = tried.again.inside.change
    assert change is None or not change.bloom_filters  # what there is is not advised again


@pytest.mark.parametrize("name", one_in(3, ["statuses", "everything", "long_lists", "single"], str))
def test_what_serves_nobody_is_not_advised(name: str, tmp_path: Path) -> None:
    tried = inside_trial(BY_NAME[name], Lake(tmp_path))

    assert tried.inside.change is None
    assert tried.is_within


def test_a_value_of_every_row_group_has_no_filter(tmp_path: Path) -> None:
    tried = inside_trial(BY_NAME["shops"], Lake(tmp_path))

    assert tried.inside.change is None or not tried.inside.change.bloom_filters
    assert tried.is_within
    assert tried.actual <= tried.before + 0.005


def test_columns_with_dictionaries_of_all_values_have_no_filter(tmp_path: Path) -> None:
    """Readers look there first, and parquet-java writes no filter beside one."""
    plain = BY_NAME["requests"]
    large = {"write.parquet.dict-size-bytes": "1000000"}
    case = replace(plain, lay=lambda rows: replace(plain.lay(rows), properties=scaled() | large))
    tried = inside_trial(case, Lake(tmp_path))

    assert tried.inside.now.groups < 20  # by dictionaries
    assert tried.inside.change is None or not tried.inside.change.bloom_filters
