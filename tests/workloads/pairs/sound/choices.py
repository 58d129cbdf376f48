"""Choices that Trino takes apart before it plans."""

from __future__ import annotations

from tests.workloads.model import Pair
from tests.workloads.pairs.tables.periods import NOTHING, six_regions, sixty_days, thirty_days
from tests.workloads.rows import day, each

PAIRS = (
    # What is neither is null, so that one case is left, and none that comes before it.
    Pair(
        "named_days_without_else",
        sixty_days,
        [
            *each(
                "SELECT sum(amount) FROM lake.db.named_days_without_else WHERE"
                " CASE WHEN d < DATE '{}' THEN 'old' WHEN d < DATE '{}' THEN 'due' END = 'due'",
                [(day(20), day(22)), (day(40), day(41)), (day(50), day(53))],
            ),
            *each(
                "SELECT sum(amount) FROM lake.db.named_days_without_else"
                " WHERE IF(d >= DATE '{}', 1) > 0",
                [day(58), day(59)],
            ),
        ],
        tempting=NOTHING,
    ),
    Pair(
        "flagged_region",
        six_regions,
        each(
            "SELECT sum(n) FROM lake.db.flagged_region WHERE CASE WHEN region = '{}' THEN true END",
            ("EU", "LA", "US"),
        ),
        tempting=NOTHING,
    ),
    # A dashboard's grain is a constant, which chooses the function.
    Pair(
        "chosen_grain",
        thirty_days,
        each(
            "SELECT sum(amount) FROM lake.db.chosen_grain WHERE CASE 'day' WHEN 'month' THEN"
            " date_trunc('month', ts) WHEN 'day' THEN date_trunc('day', ts) END"
            " = TIMESTAMP '{} 00:00:00'",
            (day(3), day(11), day(24)),
        ),
        tempting=NOTHING,
    ),
)
