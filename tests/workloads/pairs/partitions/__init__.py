"""How tables are partitioned."""

from __future__ import annotations

from tests.workloads.pairs.partitions import (
    buckets,
    composite,
    correlated,
    disturbed,
    fields,
    granularity,
    hive,
    keys,
    large_tenants,
    meters,
    several_changes,
    skew,
    tenants,
)

PAIRS = (
    *buckets.PAIRS,
    *composite.PAIRS,
    *correlated.PAIRS,
    *disturbed.PAIRS,
    *fields.PAIRS,
    *granularity.PAIRS,
    *hive.PAIRS,
    *keys.PAIRS,
    *large_tenants.PAIRS,
    *meters.PAIRS,
    *several_changes.PAIRS,
    *skew.PAIRS,
    *tenants.PAIRS,
)
