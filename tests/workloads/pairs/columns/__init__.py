"""Kinds of columns, and the bounds that metadata keeps of them."""

from __future__ import annotations

from tests.workloads.pairs.columns import (
    begin_alike,
    kept_bounds,
    keys,
    kinds,
    later_bounds,
    logs_and_links,
    lookups,
    missing_bounds,
    nested,
    of_features,
    of_platforms,
    of_wide_tables,
    rewrites_for_bounds,
    rewritten_bounds,
)

PAIRS = (
    *begin_alike.PAIRS,
    *kept_bounds.PAIRS,
    *keys.PAIRS,
    *kinds.PAIRS,
    *later_bounds.PAIRS,
    *logs_and_links.PAIRS,
    *lookups.PAIRS,
    *missing_bounds.PAIRS,
    *nested.PAIRS,
    *of_features.PAIRS,
    *of_platforms.PAIRS,
    *of_wide_tables.PAIRS,
    *rewrites_for_bounds.PAIRS,
    *rewritten_bounds.PAIRS,
)
