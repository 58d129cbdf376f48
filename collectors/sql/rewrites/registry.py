"""The rewrites that there are."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from collectors.sql.rewrites import (
    crossed_periods,
    date_formats,
    date_labels,
    date_parts,
    day_numbers,
    day_shifts,
    epoch_texts,
    epochs,
    hours_of_day,
    iso_years,
    joined_parts,
    made_dates,
    month_ends,
    month_shifts,
    months_between,
    moved_clocks,
    moved_periods,
    own_days,
    period_numbers,
    read_back,
    text_prefixes,
    text_starts,
    time_buckets,
    time_texts,
    trimmed,
    whole_months,
)
from collectors.sql.rewrites.rewrite import Place, Rewrite, Rewritten

REWRITES: tuple[Rewrite[Any], ...] = (
    date_formats.REWRITE,
    date_labels.REWRITE,
    joined_parts.REWRITE,
    read_back.REWRITE,
    time_texts.REWRITE,
    time_texts.REWRITE_CUT,
    epochs.REWRITE,
    epoch_texts.REWRITE,
    moved_clocks.REWRITE,
    date_parts.REWRITE,
    hours_of_day.REWRITE,
    iso_years.REWRITE,
    text_prefixes.REWRITE,
    text_starts.REWRITE,
    trimmed.REWRITE,
    month_ends.REWRITE,
    month_shifts.REWRITE,
    months_between.REWRITE,
    whole_months.REWRITE,
    day_shifts.REWRITE,
    crossed_periods.REWRITE,
    day_numbers.REWRITE,
    period_numbers.REWRITE,
    moved_periods.REWRITE,
    own_days.REWRITE,
    made_dates.REWRITE,
    time_buckets.REWRITE,
)
"""The first that finds something counts."""


def rewritten(expression: exp.Expr, place: Place) -> Rewritten | None:
    """The function of a column that an expression is; None for one that no rewrite knows."""
    for rewrite in REWRITES:
        found = rewrite.find(expression, place)
        if found is not None:
            return Rewritten(rewrite, found)
    return None


def may_be_rewritten(expression: exp.Expr, dialect: str) -> bool:
    """Whether it depends on the literals in an expression what a rewrite finds."""
    return any(rewrite.may_be(expression, dialect) for rewrite in REWRITES)
