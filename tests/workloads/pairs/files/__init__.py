"""How files came to be, and the order of their rows."""

from __future__ import annotations

from tests.workloads.pairs.files import (
    aged,
    arrived,
    asked_by_several,
    declared_orders,
    evolved,
    few,
    filled,
    fleets_and_calls,
    laid_out_for_some,
    loads_and_arrivals,
    mixed,
    orders,
    orders_inside_partitions,
    orders_that_serve,
    orders_within_partitions,
    sampled,
    since,
    small,
    streamed,
)

PAIRS = (
    *aged.PAIRS,
    *arrived.PAIRS,
    *asked_by_several.PAIRS,
    *declared_orders.PAIRS,
    *evolved.PAIRS,
    *few.PAIRS,
    *filled.PAIRS,
    *fleets_and_calls.PAIRS,
    *laid_out_for_some.PAIRS,
    *loads_and_arrivals.PAIRS,
    *mixed.PAIRS,
    *orders.PAIRS,
    *orders_inside_partitions.PAIRS,
    *orders_that_serve.PAIRS,
    *orders_within_partitions.PAIRS,
    *sampled.PAIRS,
    *since.PAIRS,
    *small.PAIRS,
    *streamed.PAIRS,
)
