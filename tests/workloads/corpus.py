"""All pairs, by theme."""

from __future__ import annotations

from tests.workloads.model import Pair
from tests.workloads.pairs import (
    absence,
    buckets,
    clock,
    correlated,
    evolved,
    expressions,
    families,
    files,
    granularity,
    hive,
    joins,
    kinds,
    late,
    mismatch,
    nested,
    patterns,
    quiet,
    sampled,
    skew,
    sorting,
    tenants,
    wrapped,
)

THEMES = {
    "wrapped columns": wrapped.PAIRS,
    "other types": mismatch.PAIRS,
    "nested columns": nested.PAIRS,
    "sizes of partitions": granularity.PAIRS,
    "correlated columns": correlated.PAIRS,
    "order": sorting.PAIRS,
    "absence": absence.PAIRS,
    "patterns, OR and bounds": patterns.PAIRS,
    "days of other zones": clock.PAIRS,
    "buckets and old specs": buckets.PAIRS,
    "files and manifests": files.PAIRS,
    "skew": skew.PAIRS,
    "nothing to say": quiet.PAIRS,
    "tables born in Hive": hive.PAIRS,
    "late rows and times": late.PAIRS,
    "many tenants": tenants.PAIRS,
    "kinds of columns": kinds.PAIRS,
    "expressions": expressions.PAIRS,
    "several kinds of queries": families.PAIRS,
    "joins and whole tables": joins.PAIRS,
    "samples that say little": sampled.PAIRS,
    "tables that changed": evolved.PAIRS,
}

PAIRS: dict[str, Pair] = {pair.name: pair for pairs in THEMES.values() for pair in pairs}
assert len(PAIRS) == sum(map(len, THEMES.values())), "two pairs have one name"
