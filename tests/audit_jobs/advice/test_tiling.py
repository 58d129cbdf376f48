"""Files in order leave no room between them, also where only some of them were sampled."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from prunescope.audit_jobs.advice.candidates import Candidate, Curve, Order, Term
from prunescope.audit_jobs.advice.layouts import Layouts
from prunescope.audit_jobs.advice.rows import SampledRows
from prunescope.audit_jobs.advice.scores import replayed, scores
from prunescope.audit_jobs.pruning.rules import FLOOR
from prunescope.audit_jobs.pruning.scans import Scan
from prunescope.collectors.predicates.model import BoundComparison, Field
from prunescope.collectors.predicates.operators import Op
from tests.audit_jobs.advice.samples import fields, numbers, rows_of

TYPES = {"day": "date", "user": "long", "time": "long"}
DAY, USER, TIME = fields(TYPES).values()
DAYS, FILES, SAMPLED, ROWS = 12, 10, 2, 600
"""Of the table; of a day; of these, sampled; rows of a file."""
USERS = FILES * ROWS * 10
RANGES = 5
BY_USER = Candidate((Term("identity", DAY),), Order(Curve.SORT, (USER,)))
BY_RANGES = Candidate(
    (Term("identity", DAY),), Order(Curve.SORT, (USER, TIME), f"truncate[{USERS // RANGES}]")
)


def sampled(*, in_order: bool, told: bool, times: str = "of users") -> SampledRows:
    """Rows of two of the ten files of each day, which have a tenth of the users each, or any. Times
    are as users are, or a tenth or any of them is in each file."""
    draw, of_times = np.random.default_rng(5), np.random.default_rng(7)
    days, users, drawn = [], [], []
    for day in range(DAYS):
        for number in draw.choice(FILES, SAMPLED, replace=False):
            low, high = (number, number + 1) if in_order else (0, FILES)
            users.append(draw.integers(low * USERS // FILES, high * USERS // FILES, ROWS))
            days.append(np.full(ROWS, day))
            low, high = (number, number + 1) if times == "in order" else (0, FILES)
            of_file = of_times.integers(low * USERS // FILES, high * USERS // FILES, ROWS)
            drawn.append(users[-1] if times == "of users" else of_file)
    columns = {
        "day": numbers(np.concatenate(days).tolist()),
        "user": numbers(np.concatenate(users).tolist()),
        "time": numbers(np.concatenate(drawn).tolist()),
    }
    rows = rows_of(columns, TYPES, clusters=DAYS * SAMPLED)
    # A day's rows stand for its ten files.
    weight = np.full(rows.count, FILES / SAMPLED)
    each = np.full(rows.clusters, float(ROWS)) if told else None
    return replace(rows, weight=weight, records_each=each, records=DAYS * FILES * ROWS)


def files_read(rows: SampledRows, field: Field = USER, layout: Candidate = BY_USER) -> float:
    """How many files a look for a user, or a time, reads, on average."""
    asked = np.random.default_rng(6).integers(0, USERS, 200).tolist()
    scans = [Scan(n, BoundComparison(Op.EQ, field, (user,)), FLOOR) for n, user in enumerate(asked)]
    laid = Layouts(rows, round(ROWS * rows.row_bytes))
    return float(scores(laid, [layout], replayed(scans)).files.mean())


@pytest.mark.parametrize("in_order", [True, False])
def test_a_user_is_in_a_file_of_each_day_and_seldom_in_two(in_order: bool) -> None:
    assert files_read(sampled(in_order=in_order, told=True)) == pytest.approx(DAYS, rel=0.1)


def test_gaps_between_sampled_files_would_seem_to_have_nobody() -> None:
    assert files_read(sampled(in_order=True, told=False)) < 0.25 * DAYS


@pytest.mark.parametrize("times", ["in order", "any"])
def test_a_time_is_in_all_files_of_a_day_that_users_mix(times: str) -> None:
    rows = sampled(in_order=False, told=True, times=times)
    assert files_read(rows, TIME) == pytest.approx(DAYS * FILES, rel=0.1)


def test_times_that_are_as_users_are_not_mixed() -> None:
    rows = sampled(in_order=True, told=True, times="of users")
    assert files_read(rows, TIME) < DAYS


@pytest.mark.parametrize(("told", "least", "most"), [(True, 0.9, 1.3), (False, 0.0, 0.8)])
def test_a_time_is_in_a_file_of_each_range_of_users(told: bool, least: float, most: float) -> None:
    """As many as they are, unless what was not sampled is left out."""
    rows = sampled(in_order=False, told=told, times="in order")
    found = files_read(rows, TIME, BY_RANGES) / (DAYS * RANGES)
    assert least <= found <= most
