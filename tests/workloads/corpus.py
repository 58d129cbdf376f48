"""All pairs, by theme."""

from __future__ import annotations

from tests.workloads.model import Pair
from tests.workloads.pairs import (
    absence,
    arrived,
    asked,
    buckets,
    clock,
    correlated,
    evolved,
    expressions,
    families,
    files,
    functions,
    granularity,
    hive,
    joins,
    kinds,
    late,
    logged,
    mismatch,
    nested,
    patterns,
    quiet,
    sampled,
    skew,
    sorting,
    tenants,
    wrapped,
    written,
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
    "how rows arrived": arrived.PAIRS,
    "what is asked": asked.PAIRS,
    "functions of engines": functions.PAIRS,
    "logs without text": logged.PAIRS,
    "days as texts and numbers": written.PAIRS,
}

PAIRS: dict[str, Pair] = {pair.name: pair for pairs in THEMES.values() for pair in pairs}
assert len(PAIRS) == sum(map(len, THEMES.values())), "two pairs have one name"
