"""The rewrites that there are."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from collectors.predicates import (
    sql_date_formats,
    sql_date_parts,
    sql_day_numbers,
    sql_day_shifts,
    sql_epoch_texts,
    sql_epochs,
    sql_month_ends,
    sql_month_shifts,
    sql_months_between,
    sql_text_prefixes,
    sql_text_starts,
    sql_time_texts,
    sql_zoned_days,
)
from collectors.predicates.sql_rewrite import Place, Rewrite, Rewritten

REWRITES: tuple[Rewrite[Any], ...] = (
    sql_date_formats.REWRITE,
    sql_time_texts.REWRITE,
    sql_time_texts.REWRITE_CUT,
    sql_epochs.REWRITE,
    sql_epoch_texts.REWRITE,
    sql_zoned_days.REWRITE,
    sql_date_parts.REWRITE,
    sql_text_prefixes.REWRITE,
    sql_text_starts.REWRITE,
    sql_month_ends.REWRITE,
    sql_month_shifts.REWRITE,
    sql_months_between.REWRITE,
    sql_day_shifts.REWRITE,
    sql_day_numbers.REWRITE,
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
