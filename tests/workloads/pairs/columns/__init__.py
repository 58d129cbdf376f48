"""Kinds of columns, and the bounds that metadata keeps of them."""

from __future__ import annotations

from tests.workloads.pairs.columns import (
    kept_bounds,
    keys,
    kinds,
    later_bounds,
    lookups,
    missing_bounds,
    nested,
    rewritten_bounds,
)

PAIRS = (
    *kept_bounds.PAIRS,
    *keys.PAIRS,
    *kinds.PAIRS,
    *later_bounds.PAIRS,
    *lookups.PAIRS,
    *missing_bounds.PAIRS,
    *nested.PAIRS,
    *rewritten_bounds.PAIRS,
)
