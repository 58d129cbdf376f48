"""Cases of what is inside of files: the order of rows, row groups and bloom filters, advised after
30 days, written by Arrow, and tried on the 7 days after."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import chdir
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
import pyarrow as pa
from audit_jobs.advice.changes import Inside
from audit_jobs.advice.inside_statements import advised_migration
from audit_jobs.advice.intervals import Interval
from audit_jobs.advice.model import Advice

from tests.backtest.draws import daily, recent_day
from tests.backtest.lake import NAME, Lake, advise_table, asked_of, read_share
from tests.backtest.model import DAYS, TRAINING_DAYS, Case
from tests.backtest.tables import (
    A_DAY,
    BEFORE,
    COMING,
    COUNT,
    as_it_comes,
    fixed,
    rolling,
    seconds_of_days,
)
from tests.backtest.trial import BUDGET
from tests.workloads.filters import filters_written
from tests.workloads.layouts import apply
from tests.workloads.physical import Layout
from tests.workloads.report import Row
from tests.workloads.rows import FILE_ROWS, ROW_BYTES, Numbers, rng, table, texts, times

GROUP_ROWS = FILE_ROWS // 4
GROUP_BYTES = GROUP_ROWS * ROW_BYTES
_SIZE = "write.parquet.row-group-size-bytes"
PROPERTIES = {
    _SIZE: str(GROUP_BYTES),
    "write.parquet.row-group-limit": str(GROUP_ROWS),
    "write.parquet.bloom-filter-max-bytes": "256",
    "write.parquet.dict-size-bytes": "1",
}
"""Row groups in the proportions of Iceberg's defaults, and no dictionaries: those of real row
groups have no room for a million values."""


@dataclass(frozen=True)
class InsideTrial:
    """What was advised of the inside of files, and the shares of the table's bytes in row groups
    that test queries keep; and what is advised of the rewritten table."""

    case: Case
    inside: Inside
    layout: str | None
    predicted: Interval
    before: float
    actual: float
    again: Advice

    @property
    def chosen(self) -> str:
        """What was advised, in short."""
        change = self.inside.change
        parts = [] if self.layout is None else [self.layout]
        return "; ".join([*parts, *([] if change is None else [str(change)])]) or "keep as is"

    @property
    def error(self) -> float:
        """By how much the prediction is off."""
        return abs(self.predicted.value - self.actual)

    @property
    def is_within(self) -> bool:
        """Whether what came is in the interval that was told."""
        return self.predicted.low <= self.actual <= self.predicted.high


def inside_measured(trials: Sequence[InsideTrial]) -> list[Row]:
    """One row for each case."""
    rows: list[Row] = [
        ("case", "says", "before", "predicted", "90 %", "actual", "error", "advised")
    ]
    for one in trials:
        value, low, high = (
            f"{share:.1%}" for share in (one.predicted.value, one.predicted.low, one.predicted.high)
        )
        within = f"{low} to {high}" if one.is_within else f"not {low} to {high}"
        before, actual, error = (f"{share:.1%}" for share in (one.before, one.actual, one.error))
        name, says = one.case.name, one.case.says
        rows.append((name, says, before, value, within, actual, error, one.chosen))
    return rows


def inside_trial(case: Case, lake: Lake) -> InsideTrial:
    """Advises, applies, and tries."""
    training, test = case.asked(0, TRAINING_DAYS), case.asked(TRAINING_DAYS, DAYS)
    with filters_written():
        then = lake.write(_made(case, TRAINING_DAYS))
        with chdir(lake.directory):
            opened = lake.open(then)
            advice = advise_table(opened, asked_of(opened, training), 0, BUDGET)
        inside, best = advice.inside, advice.best
        assert inside is not None
        told = advised_migration(NAME, advice)
        before = after = _made(case, DAYS)
        if told is not None:
            row_bytes = advice.now.bytes / advice.now.records
            after = _limited(apply(told.spark, before, row_bytes=row_bytes))
        written = lake.write(before), lake.write(after)
        with chdir(lake.directory):
            kept_before, actual = (read_share(lake.open(path), test) for path in written)
            rewritten = lake.open(written[1])
            again = advise_table(rewritten, asked_of(rewritten, test), 0, BUDGET)
    reading = inside.then or inside.layout or inside.now
    size = advice.now.bytes
    value = reading.bytes
    predicted = Interval(value.value / size, value.low / size, value.high / size)
    layout = None if best is None else str(best.candidate)
    return InsideTrial(case, inside, layout, predicted, kept_before, actual, again)


def _made(case: Case, days: int) -> Layout:
    layout = case.lay(case.rows(days))
    return replace(layout, properties={**PROPERTIES, **layout.properties})


def _limited(layout: Layout) -> Layout:
    """Rows are what PyIceberg counts in row groups."""
    rows = int(layout.properties[_SIZE]) // ROW_BYTES
    limit = {"write.parquet.row-group-limit": str(rows)}
    return replace(layout, properties={**layout.properties, **limit})


def sessions() -> pa.Table:
    draw = rng(201)
    return table(
        {
            "ts": times(seconds_of_days(seed=201), "UTC"),
            "request": texts(_requests(), "{:032x}"),
            "customer": draw.integers(0, 2_000, COMING),
            "shop": draw.integers(0, 20, COMING),
            "status": draw.integers(0, 5, COMING),
            "amount": draw.integers(0, 1_000_000, COMING),
        }
    )


_BY_DAY = as_it_comes("days(ts)")
_ONE_DAY = "ts >= TIMESTAMP '{} UTC' AND ts < TIMESTAMP '{} UTC'"


def _request(g: np.random.Generator, n: int) -> tuple[object, ...]:
    """One of the newest that are there."""
    end = (BEFORE + n) * A_DAY
    return (f"{_requests()[int(g.integers(end - COUNT // 2, end))]:032x}",)


@cache
def _requests() -> Numbers:
    return rng(201).permutation(COMING)


INSIDE_CASES = (
    Case(
        "requests",
        "Partitioned by day; asked by day, and for single requests of any day",
        rolling(sessions),
        _BY_DAY,
        (
            *daily(211, "SELECT * FROM t WHERE " + _ONE_DAY, recent_day, a_day=3),
            *daily(
                212,
                "SELECT * FROM t WHERE request = '{}'",
                _request,
                a_day=5,
                engine="spark",
            ),
        ),
        ("ts", "request"),
    ),
    Case(
        "amounts",
        "Partitioned by day; asked by day, and for ranges of amounts",
        rolling(sessions),
        _BY_DAY,
        (
            *daily(221, "SELECT * FROM t WHERE " + _ONE_DAY, recent_day, a_day=5),
            *daily(
                222,
                "SELECT * FROM t WHERE amount BETWEEN {} AND {} AND " + _ONE_DAY,
                lambda g, n: (int(v := g.integers(0, 900_000)), int(v) + 9_000, *recent_day(g, n)),
                a_day=3,
            ),
        ),
        ("ts", "amount"),
    ),
    Case(
        "customers",
        "Partitioned by day; asked by day, and for customers of many rows on any day",
        rolling(sessions),
        _BY_DAY,
        (
            *daily(231, "SELECT * FROM t WHERE " + _ONE_DAY, recent_day, a_day=6),
            *daily(
                232,
                "SELECT * FROM t WHERE customer = {}",
                lambda g, _: (g.integers(0, 2_000),),
                a_day=2,
                engine="spark",
            ),
        ),
        ("ts", "customer"),
    ),
    Case(
        "long_lists",
        "Asked for lists of many requests",
        rolling(sessions),
        _BY_DAY,
        tuple(
            daily(
                241,
                "SELECT * FROM t WHERE status IN (1, 2, 3) AND request IN ({})",
                lambda g, n: (", ".join(f"'{_request(g, n)[0]}'" for _ in range(250)),),
                a_day=1,
                engine="spark",
            )
        ),
        ("request",),
        keeps=True,
    ),
    Case(
        "statuses",
        "Asked for a status that every row group has",
        rolling(sessions),
        _BY_DAY,
        (
            *daily(251, "SELECT * FROM t WHERE " + _ONE_DAY, recent_day, a_day=6),
            *daily(
                252,
                "SELECT * FROM t WHERE status = {} AND " + _ONE_DAY,
                lambda g, n: (int(g.integers(0, 5)), *recent_day(g, n)),
                a_day=1,
                engine="spark",
            ),
        ),
        ("status",),
        keeps=True,
    ),
    Case(
        "shops",
        "Asked for one of twenty shops, of which every row group has rows",
        rolling(sessions),
        _BY_DAY,
        (
            *daily(271, "SELECT * FROM t WHERE " + _ONE_DAY, recent_day, a_day=5),
            *daily(
                272,
                "SELECT * FROM t WHERE shop = {}",
                lambda g, _: (int(g.integers(0, 20)),),
                a_day=2,
                engine="spark",
            ),
        ),
        ("ts", "shop"),
    ),
    Case(
        "single",
        "One file, of a tenth of a row group",
        fixed(lambda: sessions().slice(0, GROUP_ROWS // 10)),
        as_it_comes(),
        tuple(daily(281, "SELECT * FROM t WHERE request = '{}'", _request, engine="spark")),
        ("request",),
        keeps=True,
    ),
    Case(
        "everything",
        "All rows are asked for",
        rolling(sessions),
        _BY_DAY,
        tuple(daily(261, "SELECT * FROM t WHERE amount >= 0", lambda _, __: ())),
        ("amount",),
        keeps=True,
    ),
)
BY_NAME = {case.name: case for case in INSIDE_CASES}
