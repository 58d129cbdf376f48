"""Bounds, filters inside of files, manifests, and files of an older partitioning."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pyarrow as pa

from tests.workloads.physical import Layout
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    dates,
    day,
    each,
    instant,
    laid_out,
    random_uuids,
    rng,
    scaled,
    table,
    texts,
    times,
)
from tests.workloads.unseen.truth import Change, Truth, metrics, rewrite

WIDE_ROW = 900


def wide_features() -> Layout:
    """110 columns, 60 files in order of the entity, and metrics of three columns only."""
    draw = rng(94001)
    count = 60 * 120
    columns = {
        "computed_at": times(draw.uniform(0, 10 * DAY, count)),
        "entity_id": np.sort(draw.integers(0, 100_000, count)),
        **{f"f{n:03d}": draw.integers(0, 1000, count) for n in range(108)},
    }
    return laid_out(
        table(columns, row_bytes=WIDE_ROW),
        file_rows=120,
        properties={
            **scaled(120 * WIDE_ROW),
            "write.metadata.metrics.default": "none",
            "write.metadata.metrics.column.computed_at": "full",
        },
    )


def shipments_counts() -> Layout:
    """90 files as goods were shipped, with counts of the day of shipping and no bounds."""
    draw = rng(94002)
    count = 90 * FILE_ROWS
    return laid_out(
        table(
            {
                "shipment_id": draw.permutation(count),
                "shipped_on": dates(np.sort(draw.integers(0, 90, count))),
                "carrier": draw.integers(0, 12, count),
            }
        ),
        properties={"write.metadata.metrics.column.shipped_on": "counts"},
    )


def policies_no_bounds_no_order() -> Layout:
    """80 files in no order of the policy, and no metrics at all."""
    draw = rng(94003)
    count = 80 * FILE_ROWS
    return laid_out(
        table(
            {
                "policy_no": draw.permutation(count) + 50_000,
                "premium": draw.integers(1, 9000, count),
            }
        ),
        properties={"write.metadata.metrics.default": "none"},
    )


def pages_by_url() -> Layout:
    """80 files in order of the address; the first 16 characters are the same of all."""
    draw = rng(94004)
    count = 80 * FILE_ROWS
    return laid_out(
        table(
            {
                "url": texts(
                    np.sort(draw.integers(0, 40_000, count)), "https://www.shop.example/de/p/{:06d}"
                ),
                "hits": draw.integers(1, 900, count),
            }
        )
    )


def requests_with_uuids() -> Layout:
    """20 days of five files, in order of time within the day; requests have random ids."""
    draw = rng(94005)
    count = 100 * FILE_ROWS
    return laid_out(
        table(
            {
                "ts": times(np.sort(draw.uniform(0, 20 * DAY, count))),
                "request_id": pa.array(list(random_uuids(94005, count))),
                "status": draw.integers(200, 206, count),
            }
        ),
        "days(ts)",
    )


def telemetry_after_spec_change() -> Layout:
    """14 old days in 70 files of no partition and no order; six new ones by day."""
    draw = rng(94006)
    old = draw.permutation(np.sort(draw.uniform(0, 14 * DAY, 70 * FILE_ROWS)))
    new = np.sort(draw.uniform(14 * DAY, 20 * DAY, 30 * FILE_ROWS))
    first = laid_out(_telemetry(old, draw))
    second = laid_out(_telemetry(new, draw), "days(ts)")
    return replace(second, commits=(*first.commits, *second.commits))


def _telemetry(seconds: np.ndarray, draw: np.random.Generator) -> pa.Table:
    return table({"ts": times(seconds), "unit": draw.integers(0, 300, len(seconds))})


def balances_in_many_manifests() -> Layout:
    """20 days of ten files of a good size: ten loads, each with a file of each day."""
    draw = rng(94007)
    count = 200 * 450
    days = draw.permutation(np.tile(np.arange(20), count // 20))
    return laid_out(
        table(
            {
                "as_of": dates(days),
                "account": draw.integers(0, 9999, count),
            }
        ),
        "as_of",
        commits=10,
        file_rows=1000,
        properties={"commit.manifest.target-size-bytes": "7000"},
    )


PAIRS = (
    Truth(
        "wide_features",
        wide_features,
        each(
            "SELECT f001, f002 FROM lake.db.wide_features WHERE entity_id = {}",
            [n * 1237 % 100_000 for n in range(80)],
        ),
        sound=False,
        first=Change(
            "bounds",
            ("entity_id",),
            "metrics mode full of entity_id, files rewritten in their present order",
        ),
        also_fine=(Change("bounds", ("entity_id",), "with an order by entity_id"),),
        harmful=(
            r"PARTITION FIELD",
            r"ORDERED BY `?(f\d|computed_at)",
            r"metrics\.default'? ?= ?'?full",
        ),
        share=(0.96, 0.99),
        why="Rows are in order of the entity, but its column has no metrics, so nothing can be ruled out.",
        statements=metrics("wide_features", "entity_id", "full", "`entity_id`"),
        row_bytes=WIDE_ROW,
    ),
    Truth(
        "shipments_counts",
        shipments_counts,
        each(
            "SELECT carrier, count(*) FROM lake.db.shipments_counts WHERE shipped_on = DATE '{}' GROUP BY carrier",
            [day(n % 90) for n in range(100)],
        ),
        sound=False,
        first=Change(
            "bounds",
            ("shipped_on",),
            "metrics mode full of shipped_on, files rewritten in order of it",
        ),
        also_fine=(Change("partition", ("shipped_on",), "days(shipped_on): a file each"),),
        harmful=(r"ORDERED BY `?(shipment_id|carrier)", r"PARTITION FIELD.*(shipment_id|carrier)"),
        share=(0.96, 0.99),
        why="Files are in order of the day, of which metadata has counts alone.",
        statements=metrics("shipments_counts", "shipped_on", "full", "`shipped_on`"),
    ),
    Truth(
        "policies_no_bounds_no_order",
        policies_no_bounds_no_order,
        each(
            "SELECT * FROM lake.db.policies_no_bounds_no_order WHERE policy_no = {}",
            [50_000 + n * 431 for n in range(100)],
        ),
        sound=False,
        first=Change("bounds", ("policy_no",), "metrics mode full of policy_no, and a sort by it"),
        also_fine=(
            Change("partition", ("policy_no",), "bucket(16..64, policy_no), which needs no bounds"),
            Change("bloom", ("policy_no",), "policy_no"),
        ),
        harmful=(
            r"ORDERED BY `?premium",
            r"PARTITION FIELD.*premium",
            r"ADD PARTITION FIELD `?policy_no",
        ),
        share=(0.96, 0.99),
        why="A sort alone would win nothing, as files have no bounds: the property first, then the sort.",
        statements=metrics("policies_no_bounds_no_order", "policy_no", "full", "`policy_no`"),
    ),
    Truth(
        "pages_by_url",
        pages_by_url,
        each(
            "SELECT hits FROM lake.db.pages_by_url WHERE url = 'https://www.shop.example/de/p/{:06d}'",
            [n * 389 % 40_000 for n in range(100)],
        ),
        sound=False,
        first=Change(
            "bounds", ("url",), "truncate(36) or more of url, files rewritten in order of it"
        ),
        also_fine=(
            Change("bounds", ("url",), "full"),
            Change("bloom", ("url",), "url"),
            Change("partition", ("url",), "bucket(16..64, url)"),
        ),
        harmful=(
            r"ORDERED BY `?hits",
            r"truncate\((1?\d|2\d), ?`?url",
            r"ADD PARTITION FIELD `?url",
            r"metrics\.default",
        ),
        share=(0.96, 0.99),
        why="The 16 characters that bounds keep are the same of all addresses, though files are in their order.",
        statements=metrics("pages_by_url", "url", "truncate(64)", "`url`"),
    ),
    Truth(
        "requests_with_uuids",
        requests_with_uuids,
        [
            *each(
                "SELECT * FROM lake.db.requests_with_uuids WHERE request_id = '{}'",
                [random_uuids(94005, 100 * FILE_ROWS)[n * 1499] for n in range(40)],
            ),
            *each(
                "SELECT status, count(*) FROM lake.db.requests_with_uuids WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}' GROUP BY status",
                [
                    (
                        instant(n % 20 * DAY + n % 24 * 3600),
                        instant(n % 20 * DAY + n % 24 * 3600 + 3600),
                    )
                    for n in range(900)
                ],
            ),
        ],
        sound=False,
        first=Change("bloom", ("request_id",), "bloom filters of request_id, rows as they are"),
        also_fine=(
            Change(
                "condition", ("ts",), "a range of ts beside the id, where the caller knows the day"
            ),
        ),
        harmful=(
            r"ORDERED BY `?request_id",
            r"PARTITION FIELD.*request_id",
            r"DROP PARTITION FIELD",
            r"zorder|hilbert",
        ),
        share=(0.6, 0.82),
        why="Lookups of random ids read all files, but rows are in order of time for 900 queries of an hour, which an order by id would cost more than it wins.",
    ),
    Truth(
        "telemetry_after_spec_change",
        telemetry_after_spec_change,
        each(
            "SELECT unit, count(*) FROM lake.db.telemetry_after_spec_change WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}' GROUP BY unit",
            [(instant(n % 20 * DAY), instant((n % 20 + 1) * DAY)) for n in range(100)],
        ),
        sound=False,
        first=Change("rewrite_some", ("ts",), "rewrite the files of the old spec"),
        also_fine=(Change("order", ("ts",), "the rewrite, sorted by ts"),),
        harmful=(
            r"DROP PARTITION FIELD",
            r"REPLACE PARTITION FIELD",
            r"PARTITION FIELD.*unit",
            r"ORDERED BY `?unit",
        ),
        share=(0.86, 0.94),
        why="Days of the old spec are in 70 files of no order, which the new partitioning by day cannot rule out.",
        statements=(rewrite("telemetry_after_spec_change"),),
    ),
    Truth(
        "balances_in_many_manifests",
        balances_in_many_manifests,
        each(
            "SELECT sum(account) FROM lake.db.balances_in_many_manifests WHERE as_of = DATE '{}'",
            [day(n % 20) for n in range(100)],
        ),
        sound=False,
        first=Change("manifests", ("as_of",), "rewrite_manifests"),
        also_fine=(Change("nothing"),),
        harmful=(r"PARTITION FIELD", r"ORDERED BY"),
        share=(0.0, 0.0),
        why="A day opens the manifests of all ten loads for its ten files; data files are as large as they should be.",
        statements=(
            "CALL `lake`.system.rewrite_manifests(table => '`lake`.`db`.`balances_in_many_manifests`');",
        ),
    ),
)
