"""Conditions on days and times, in whatever words."""

from __future__ import annotations

from tests.workloads.pairs.times import (
    clock,
    daily,
    implied,
    labels,
    late,
    made_and_labelled,
    moved,
    moved_and_joined,
    of_jobs,
    of_outer_queries,
    of_views,
    of_zones,
    periods,
    reports,
    written,
)

PAIRS = (
    *clock.PAIRS,
    *daily.PAIRS,
    *implied.PAIRS,
    *labels.PAIRS,
    *late.PAIRS,
    *made_and_labelled.PAIRS,
    *moved.PAIRS,
    *moved_and_joined.PAIRS,
    *of_jobs.PAIRS,
    *of_outer_queries.PAIRS,
    *of_views.PAIRS,
    *of_zones.PAIRS,
    *periods.PAIRS,
    *reports.PAIRS,
    *written.PAIRS,
)
