"""Sixty tables and days of queries, a third of them sound, with what an expert says of each, who knew
the documentation alone, before anything was run on them."""

from tests.workloads.unseen import conditions, events, keys, metadata, sound
from tests.workloads.unseen.truth import Truth

TRUTHS: tuple[Truth, ...] = (
    *events.PAIRS,
    *keys.PAIRS,
    *conditions.PAIRS,
    *metadata.PAIRS,
    *sound.PAIRS,
)
