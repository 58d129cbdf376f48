"""Sixty more tables and days of queries, other than those of `tests.workloads.unseen`, a third of
them sound, with what an expert says of each, written before anything was run on them."""

from tests.workloads.unseen.truth import Truth
from tests.workloads.unseen_second import (
    bounds,
    conditions,
    curves,
    files,
    orders,
    partitions,
    sound_layouts,
    sound_queries,
)

TRUTHS: tuple[Truth, ...] = (
    *orders.PAIRS,
    *curves.PAIRS,
    *partitions.PAIRS,
    *files.PAIRS,
    *bounds.PAIRS,
    *conditions.PAIRS,
    *sound_layouts.PAIRS,
    *sound_queries.PAIRS,
)
"""What an expert would say of a table and a day of queries, written before anything was run."""
