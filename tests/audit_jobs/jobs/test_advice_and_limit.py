"""Queries that LIMIT lets end early do not ask for a layout."""

from __future__ import annotations

from contextlib import chdir
from pathlib import Path

import pytest

from audit_jobs.advice.model import Advice
from audit_jobs.jobs.table_basis import Budget, NothingToAdvise
from tests.backtest.cases import BY_NAME
from tests.backtest.lake import Lake, advise_table, asked_of
from tests.backtest.model import TRAINING_DAYS, Asked
from tests.backtest.trial import BUDGET

pytestmark = pytest.mark.slow

CASE = BY_NAME["perfect"]
"""By day, and asked by day; one row of twenty is of a kind that days do not tell."""
DAILY = CASE.asked(0, TRAINING_DAYS)


def looks(sql: str) -> list[Asked]:
    """As many as all others, three times."""
    return [Asked(one.day, sql) for one in DAILY * 3]


def advised(directory: Path, queries: list[Asked], budget: Budget = BUDGET) -> Advice:
    lake = Lake(directory)
    written = lake.write(CASE.lay(CASE.rows(TRAINING_DAYS)))
    with chdir(directory):
        table = lake.open(written)
        return advise_table(table, asked_of(table, queries), 0, budget)


def test_a_few_rows_of_any_file_ask_for_no_layout(tmp_path: Path) -> None:
    found = advised(tmp_path, DAILY + looks("SELECT * FROM t WHERE kind = 'buy' LIMIT 10"))

    assert found.best is None
    assert (found.stopped, found.runs) == (3 * len(DAILY), len(DAILY))
    assert len(found.effects) == 1


def test_more_rows_than_match_ask_for_one(tmp_path: Path) -> None:
    found = advised(tmp_path, DAILY + looks("SELECT * FROM t WHERE kind = 'buy' LIMIT 1000000"))

    assert found.best is not None
    assert found.stopped == 0


@pytest.mark.parametrize(("limit", "stopped"), [(1, True), (3, True), (16, False), (40, False)])
def test_rows_that_no_sample_shows_are_as_many_as_bounds_tell(
    limit: int, stopped: bool, tmp_path: Path
) -> None:
    """Of each amount, of a thousand, there are about 25 rows, and few of a hundred sampled ones."""
    sql = "SELECT * FROM t WHERE amount = {} LIMIT {}"
    looked_up = [Asked(n % 30, sql.format(n * 7, limit)) for n in range(100)]
    found = advised(tmp_path, DAILY + looked_up, Budget(files=4, rows=100))

    shown = found.stopped if not stopped else len(looked_up) - found.stopped
    assert shown < len(looked_up) / 5


def test_nothing_is_advised_where_all_end_early(tmp_path: Path) -> None:
    with pytest.raises(NothingToAdvise, match="LIMIT"):
        advised(tmp_path, looks("SELECT * FROM t LIMIT 100"))
