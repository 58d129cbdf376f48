"""Conditions on texts, and on what is written as text."""

from __future__ import annotations

from tests.workloads.pairs.texts import (
    asked,
    cast,
    cleaned,
    cut_and_filled,
    implied,
    mismatch,
    patterns,
    searched,
    underscores,
)

PAIRS = (
    *asked.PAIRS,
    *cast.PAIRS,
    *cleaned.PAIRS,
    *cut_and_filled.PAIRS,
    *implied.PAIRS,
    *mismatch.PAIRS,
    *patterns.PAIRS,
    *searched.PAIRS,
    *underscores.PAIRS,
)
