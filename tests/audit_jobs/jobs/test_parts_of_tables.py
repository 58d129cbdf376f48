"""Nights on a table of thirty days: which of them are to be written anew."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import chdir
from dataclasses import dataclass
from pathlib import Path

import pytest

from prunescope.audit_jobs.findings.model import Finding
from tests.workloads.lake import Tables
from tests.workloads.layouts import apply
from tests.workloads.parts import DAYS, audited, customers, days_of_customers
from tests.workloads.physical import Layout
from tests.workloads.rows import day

pytestmark = pytest.mark.slow

EVENLY = [1.0] * DAYS


@dataclass(frozen=True)
class Night:
    """How often scans ask for days by their age, and the share of the table that a night may write
    anew, if there is a limit; the days that are written anew, all if None, and what is said."""

    often: Sequence[float]
    budget: float | None = None
    days: range | None = None
    says: str = "pays after"
    unsaid: str = "per_night"


NIGHTS = {
    "a fifth of the days is read": Night([1.0] * 6 + [0.0] * 24, days=range(24, DAYS)),
    "days in the middle": Night([0.0] * 10 + [1.0] * 5 + [0.0] * 15, days=range(15, 20)),
    "all days are": Night(EVENLY),
    "others a tenth as often": Night([1.0] * 6 + [0.1] * 24),
    "a limit that all of them keep to": Night(EVENLY, 1.01),
    "a limit of which no part is worth it": Night(
        EVENLY, 0.01, says="nothing within that is worth it", unsaid="audit again"
    ),
}


@pytest.fixture
def tables(tmp_path: Path) -> Tables:
    return Tables(tmp_path)


def night(
    tables: Tables, layout: Layout, often: Sequence[float], budget: float | None = None
) -> list[Finding]:
    """The findings of a night on a layout, which is another one each time."""
    metadata = tables.write(f"{len(list(tables.directory.iterdir()))}", layout)
    with chdir(tables.directory):
        size = sum(file.stat().st_size for file in Path(metadata).parent.parent.rglob("*.parquet"))
        limit = None if budget is None else round(budget * size)
        return list(audited(metadata, customers(often), limit).findings)


def days_of(finding: Finding) -> range | None:
    """The days that Spark's statement writes anew."""
    limits = re.findall(r"(>=|<) TIMESTAMP_NTZ ..([0-9-]+) 00:00:00", finding.fix.spark[-1])
    if not limits:
        return None
    numbers = {f"{day(number)}": number for number in range(DAYS)}
    ends = {sign: numbers[date] for sign, date in limits}
    return range(ends.get(">=", 0), ends.get("<", DAYS))


@pytest.mark.parametrize("of", [pytest.param(one, id=name) for name, one in NIGHTS.items()])
def test_files_are_written_anew_that_are_read_in_vain(of: Night, tables: Tables) -> None:
    (finding,) = night(tables, days_of_customers(), of.often, of.budget)
    assert days_of(finding) == of.days
    assert finding.bytes_at_stake is not None
    assert finding.bytes_at_stake > 0.85 * finding.bytes_read
    advice = finding.fix.advice or ""
    assert of.says in advice
    assert of.unsaid not in advice


def test_each_night_is_of_days_that_none_before_it_was_of(tables: Tables) -> None:
    """Of most of them: where others lie on both sides of days that were, these are in between."""
    layout, done = days_of_customers(), set[int]()
    for _ in range(3):
        (finding,) = night(tables, layout, EVENLY, 0.35)
        days = days_of(finding)
        assert days is not None
        assert len(days) <= 10
        assert len({*days} - done) > len(days) / 2
        done |= {*days}
        layout = apply(finding.fix.spark, layout)


def test_what_was_written_anew_is_not_asked_for_again(tables: Tables) -> None:
    often = NIGHTS["a fifth of the days is read"].often
    layout = days_of_customers()
    (finding,) = night(tables, layout, often)
    assert night(tables, apply(finding.fix.spark, layout), often) == []
