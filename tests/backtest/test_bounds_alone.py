"""Layouts that are advised where no row can be read: by the bounds in manifests."""

from __future__ import annotations

from contextlib import chdir
from pathlib import Path

import pytest
from audit_jobs.advice.limits import limits
from audit_jobs.advice.migrations import migration
from audit_jobs.jobs.table_basis import NothingToAdvise

from tests.backtest.cases import BY_NAME
from tests.backtest.lake import NAME, Lake, advise_table, asked_of, kept_share
from tests.backtest.model import DAYS, TRAINING_DAYS
from tests.backtest.trial import BUDGET
from tests.workloads.layouts import apply

pytestmark = pytest.mark.slow


def _unread(lake: Lake, name: str) -> str:
    """The metadata of a case's table whose data files are gone."""
    case = BY_NAME[name]
    written = lake.write(case.lay(case.rows(TRAINING_DAYS)))
    for path in lake.directory.rglob("*.parquet"):
        path.unlink()
    return written


@pytest.mark.parametrize("name", ["late_data", "skewed_tenants", "correlated_dates"])
def test_bounds_alone_tell_a_layout_and_are_said_to(name: str, tmp_path: Path) -> None:
    lake, case = Lake(tmp_path), BY_NAME[name]
    written = _unread(lake, name)
    with chdir(tmp_path):
        table = lake.open(written)
        advice = advise_table(table, asked_of(table, case.asked(0, TRAINING_DAYS)), 0, BUDGET)
    assert advice.of_bounds
    assert limits(advice)[0].startswith("No row could be read.")
    assert advice.best is not None
    assert advice.now.partition is not None

    told = migration(NAME, advice.now.partition, advice.best.candidate)
    before = case.lay(case.rows(DAYS))
    row_bytes = advice.now.bytes / advice.now.records
    test = case.asked(TRAINING_DAYS, DAYS)
    after = lake.write(apply(told.spark, before, row_bytes=row_bytes))
    with chdir(tmp_path):
        share = kept_share(lake.open(after), test)
    assert share == pytest.approx(advice.best.bytes.value / advice.now.bytes, abs=0.05)


@pytest.mark.parametrize("name", ["predicate_sorted", "perfect"])
def test_what_serves_is_kept_by_bounds_alone(name: str, tmp_path: Path) -> None:
    lake, case = Lake(tmp_path), BY_NAME[name]
    written = _unread(lake, name)
    with chdir(tmp_path):
        table = lake.open(written)
        advice = advise_table(table, asked_of(table, case.asked(0, TRAINING_DAYS)), 0, BUDGET)
    assert advice.best is None


def test_bounds_of_texts_tell_nothing(tmp_path: Path) -> None:
    lake = Lake(tmp_path)
    written = _unread(lake, "prefixes")
    with chdir(tmp_path):
        table = lake.open(written)
        asked = asked_of(table, BY_NAME["prefixes"].asked(0, TRAINING_DAYS))
        with pytest.raises(NothingToAdvise, match="no bounds tell"):
            advise_table(table, asked, 0, BUDGET)
