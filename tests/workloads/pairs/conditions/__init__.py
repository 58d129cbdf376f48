"""Conditions of other kinds."""

from __future__ import annotations

from tests.workloads.pairs.conditions import (
    absence,
    choices,
    composed_keys,
    daily,
    functions,
    kinds,
    nothing_left,
    numbers,
    of_hive,
    of_several_ranges,
    of_stages,
    of_truths,
    of_two_causes,
    other_beginnings,
    unwanted,
    ways_out,
    wrapped,
    written_as_told,
    written_first,
)

PAIRS = (
    *absence.PAIRS,
    *choices.PAIRS,
    *composed_keys.PAIRS,
    *daily.PAIRS,
    *functions.PAIRS,
    *kinds.PAIRS,
    *nothing_left.PAIRS,
    *numbers.PAIRS,
    *of_hive.PAIRS,
    *of_several_ranges.PAIRS,
    *of_stages.PAIRS,
    *other_beginnings.PAIRS,
    *of_truths.PAIRS,
    *of_two_causes.PAIRS,
    *unwanted.PAIRS,
    *ways_out.PAIRS,
    *wrapped.PAIRS,
    *written_as_told.PAIRS,
    *written_first.PAIRS,
)
