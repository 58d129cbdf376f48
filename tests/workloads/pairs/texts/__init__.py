"""Conditions on texts, and on what is written as text."""

from __future__ import annotations

from tests.workloads.pairs.texts import (
    asked,
    cast,
    cleaned,
    computed,
    cut_and_filled,
    implied,
    mismatch,
    one_of_several,
    patterns,
    searched,
    underscores,
)

PAIRS = (
    *asked.PAIRS,
    *cast.PAIRS,
    *cleaned.PAIRS,
    *computed.PAIRS,
    *cut_and_filled.PAIRS,
    *implied.PAIRS,
    *mismatch.PAIRS,
    *one_of_several.PAIRS,
    *patterns.PAIRS,
    *searched.PAIRS,
    *underscores.PAIRS,
)
