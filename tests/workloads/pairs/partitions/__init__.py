"""How tables are partitioned."""

from __future__ import annotations

from tests.workloads.pairs.partitions import (
    asked_within,
    buckets,
    compared_otherwise,
    composite,
    correlated,
    days_of_any_size,
    disturbed,
    fields,
    granularity,
    hive,
    kept_together,
    keys,
    large_tenants,
    meters,
    of_platforms,
    of_platforms_as_they_are,
    several_changes,
    skew,
    tenants,
)

PAIRS = (
    *asked_within.PAIRS,
    *buckets.PAIRS,
    *compared_otherwise.PAIRS,
    *composite.PAIRS,
    *correlated.PAIRS,
    *days_of_any_size.PAIRS,
    *disturbed.PAIRS,
    *fields.PAIRS,
    *granularity.PAIRS,
    *hive.PAIRS,
    *kept_together.PAIRS,
    *keys.PAIRS,
    *large_tenants.PAIRS,
    *meters.PAIRS,
    *of_platforms.PAIRS,
    *of_platforms_as_they_are.PAIRS,
    *several_changes.PAIRS,
    *skew.PAIRS,
    *tenants.PAIRS,
)
