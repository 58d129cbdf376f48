"""Tables and queries of which nothing is to be said, or next to nothing."""

from __future__ import annotations

from tests.workloads.pairs.sound import (
    as_they_are,
    choices,
    conditions,
    days,
    functions,
    keys,
    layouts,
    lookalikes,
    quiet,
    scans_of_everything,
    tables,
    times,
    wrappings,
)

PAIRS = (
    *as_they_are.PAIRS,
    *choices.PAIRS,
    *conditions.PAIRS,
    *days.PAIRS,
    *functions.PAIRS,
    *keys.PAIRS,
    *layouts.PAIRS,
    *lookalikes.PAIRS,
    *quiet.PAIRS,
    *scans_of_everything.PAIRS,
    *tables.PAIRS,
    *times.PAIRS,
    *wrappings.PAIRS,
)
