"""Texts that do not begin as most of them do: what is wanted lies before and after these."""

from __future__ import annotations

import numpy as np
import pyarrow.compute as pc

from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Layout
from tests.workloads.rows import FILE_ROWS, SPARK, laid_out, repeated, rng, table, texts

COUNT = 50 * FILE_ROWS


def _hosts() -> list[str]:
    draw = rng(7_417)
    zones = np.where(draw.random(COUNT) < 0.96, "internal-", draw.choice(["api-", "www-"], COUNT))
    return [f"{zone}{n:05}" for zone, n in zip(zones, draw.integers(0, 50_000, COUNT), strict=True)]


def hits() -> Layout:
    """Hits of hosts, nearly all of them internal, in no order."""
    return laid_out(table({"host": texts(_hosts()), "millis": np.arange(COUNT) % 700}, 7_417))


def hits_by_host() -> Layout:
    """The same in order of their hosts."""
    rows = table({"host": texts(_hosts()), "millis": np.arange(COUNT) % 700}, 7_417)
    return laid_out(rows.take(pc.sort_indices(rows, sort_keys=[("host", "ascending")])))


_RANGES = (r"host < 'internal-' OR host >= 'internal\.'",)
_NO_LIST = (r"IN \(", "list")

PAIRS = (
    Pair(
        "hits_from_outside",
        hits,
        repeated(
            "SELECT sum(millis) FROM lake.db.hits_from_outside WHERE host NOT LIKE 'internal-%'", 5
        ),
        expected=(Expected("negated_condition", ("host",), (0.85, 0.97), True, True, _RANGES),),
        unsaid=_NO_LIST,
    ),
    # Spark hands on how texts do not begin.
    Pair(
        "hits_from_outside_in_spark",
        hits,
        repeated(
            "SELECT sum(millis) FROM lake.db.hits_from_outside_in_spark"
            " WHERE NOT startswith(host, 'internal-')",
            5,
            **SPARK,
        ),
        expected=(Expected("negated_condition", ("host",), (0.85, 0.97), True, False),),
        unsaid=_NO_LIST,
    ),
    Pair(
        "hits_by_host_from_outside",
        hits_by_host,
        repeated(
            "SELECT sum(millis) FROM lake.db.hits_by_host_from_outside"
            " WHERE substr(host, 1, 9) <> 'internal-'",
            5,
        ),
        expected=(Expected("negated_condition", ("host",), (0.85, 0.97), False, True, _RANGES),),
        unsaid=_NO_LIST,
    ),
)
