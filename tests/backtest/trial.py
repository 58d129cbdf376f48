"""One case: advised after 30 days, applied for real, and tried on the 7 days after."""

from __future__ import annotations

import time
from contextlib import chdir
from dataclasses import dataclass

from audit_jobs.advice.intervals import Interval
from audit_jobs.advice.migrations import migration
from audit_jobs.advice.model import Advice
from audit_jobs.jobs.table_basis import Budget

from tests.backtest.lake import NAME, Lake, advise_table, asked_of, kept_share
from tests.backtest.model import DAYS, TRAINING_DAYS, Case
from tests.workloads.layouts import apply

BUDGET = Budget(files=36, rows=8_000)
"""Most files of a case, and about a quarter of its rows."""


@dataclass(frozen=True)
class Trial:
    """What was advised, and what test queries keep: shares of the table's bytes. `predicted` is
    that of the layout that was chosen, `before` that of the table as it was."""

    case: Case
    advice: Advice
    predicted: Interval
    before: float
    actual: float
    seconds: float

    @property
    def chosen(self) -> str:
        """The layout that was advised."""
        return "keep as is" if self.advice.best is None else str(self.advice.best.candidate)

    @property
    def error(self) -> float:
        """By how much the prediction is off."""
        return abs(self.predicted.value - self.actual)

    @property
    def is_within(self) -> bool:
        """Whether what came is in the interval that was told."""
        return self.predicted.low <= self.actual <= self.predicted.high


def trial(case: Case, lake: Lake, budget: Budget = BUDGET) -> Trial:
    """Advises, applies, and tries."""
    training, test = case.asked(0, TRAINING_DAYS), case.asked(TRAINING_DAYS, DAYS)
    then = lake.write(case.lay(case.rows(TRAINING_DAYS)))
    with chdir(lake.directory):
        table = lake.open(then)
        asked = asked_of(table, training)
        started = time.perf_counter()
        advice = advise_table(table, asked, 0, budget)
        seconds = time.perf_counter() - started
    before = case.lay(case.rows(DAYS))
    after = before
    if advice.best is not None:
        current = advice.now.partition
        assert current is not None
        told = migration(NAME, current, advice.best.candidate)
        row_bytes = advice.now.bytes / advice.now.records
        after = apply(told.spark, before, row_bytes=row_bytes)
    written = lake.write(before), lake.write(after)
    with chdir(lake.directory):
        kept_before, kept_after = (kept_share(lake.open(path), test) for path in written)
    value = advice.kept if advice.best is None else advice.best.bytes
    size = advice.now.bytes
    predicted = Interval(value.value / size, value.low / size, value.high / size)
    return Trial(case, advice, predicted, kept_before, kept_after, seconds)
