"""Lookups of keys: of shops, campaigns, calls and games."""

from __future__ import annotations

import datetime as dt
import uuid
from functools import cache

import numpy as np
import numpy.typing as npt

from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Commit, Layout, cut
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    SPARK,
    START,
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

COUNT = 60 * FILE_ROWS
EVENT_ROWS = 200


def _version_7(seed: int, seconds: npt.NDArray[np.float64]) -> list[str]:
    """UUIDs that begin with their milliseconds."""
    draw = rng(seed)
    epoch = int(START.replace(tzinfo=dt.UTC).timestamp() * 1000)
    rest = draw.integers(0, 1 << 62, len(seconds))
    return [
        str(
            uuid.UUID(
                int=(epoch + int(second * 1000)) << 80
                | 7 << 76
                | (int(r) & 0xFFF) << 64
                | 2 << 62
                | int(r)
            )
        )
        for second, r in zip(seconds, rest, strict=True)
    ]


@cache
def _event_keys() -> list[str]:
    return _version_7(7201, np.sort(rng(7202).uniform(0, 60 * DAY, 200 * EVENT_ROWS)))


def events() -> Layout:
    """200 files in order of keys, which are texts of time."""
    rows = table({"event_id": texts(_event_keys())}, 7203)
    return Layout((Commit(tuple(cut(rows, EVENT_ROWS))),), (), scaled(100 * EVENT_ROWS))


def carts() -> Layout:
    """60 days of a file each, with carts of all kinds of keys in each. There are too many of these
    for dictionaries."""
    draw = rng(7204)
    return laid_out(
        table(
            {
                "ts": times(draw.uniform(0, 60 * DAY, COUNT)),
                "cart_id": texts(random_uuids(7205, COUNT)),
            }
        ),
        "days(ts)",
        properties={"write.parquet.dict-size-bytes": "1"},
    )


def impressions() -> Layout:
    """60 days of a file each. Campaigns are numbered as they start, one a day, and run for five."""
    draw = rng(7206)
    seconds = draw.uniform(0, 60 * DAY, COUNT)
    started = (seconds // DAY).astype(np.int64) + draw.integers(0, 5, COUNT)
    return laid_out(
        table({"ts": times(seconds), "campaign_id": 70_000 + started}),
        "days(ts)",
    )


def calls() -> Layout:
    """Ten days of six files each, in no order."""
    draw = rng(7207)
    return laid_out(
        table(
            {
                "ts": times(draw.uniform(0, 10 * DAY, COUNT)),
                "caller": texts(draw.integers(0, 9000, COUNT), "+44790{:06d}"),
                "callee": texts(draw.integers(0, 9000, COUNT), "+44790{:06d}"),
                "seconds": draw.integers(1, 3600, COUNT),
            }
        ),
        "days(ts)",
    )


PLAYERS = random_uuids(7208, 3000)


def sessions() -> Layout:
    """Twelve days of eight files each, in order of players within a day, which nothing declares."""
    draw = rng(7209)
    count = 96 * FILE_ROWS
    chosen = np.sort(draw.integers(0, 3000, count))
    players = sorted(PLAYERS)
    return laid_out(
        table(
            {
                "ts": times(draw.uniform(0, 12 * DAY, count)),
                "player": texts(players[number] for number in chosen),
            }
        ),
        "days(ts)",
    )


def stock() -> Layout:
    """Ten days of six files each. Writers are told an order of articles, and do not keep it."""
    draw = rng(7210)
    made = laid_out(
        table(
            {
                "ts": times(draw.uniform(0, 10 * DAY, COUNT)),
                "sku": texts(draw.integers(0, 4000, COUNT), "SKU-{:06d}"),
                "on_hand": draw.integers(0, 500, COUNT),
            }
        ),
        "days(ts)",
    )
    return Layout(made.commits, made.partition, made.properties, declared=("sku",))


def invoices() -> Layout:
    """60 files in no order, whose column of customers has another name since."""
    draw = rng(7211)
    made = laid_out(
        table({"cust_no": draw.integers(0, 4000, COUNT), "amount": draw.integers(1, 999, COUNT)})
    )
    return Layout(made.commits, (), made.properties, renamed={"cust_no": "customer_id"})


PAIRS = (
    # The first 16 characters are milliseconds: each key is in one file.
    Pair(
        "events_by_texts_of_uuid_7",
        events,
        [
            *each(
                "SELECT * FROM lake.db.events_by_texts_of_uuid_7 WHERE event_id = '{}'",
                _event_keys()[100::1700],
            ),
            *each(
                "SELECT * FROM lake.db.events_by_texts_of_uuid_7 WHERE event_id IN ('{}', '{}')",
                list(zip(_event_keys()[50::2500], _event_keys()[90::2500], strict=False)),
                **SPARK,
            ),
        ],
        tempting={
            "truncated_bounds": "they tell the millisecond",
            "unclustered_column": "keys are in order",
            "row_groups_not_pruned": "a file has one",
        },
        never=("TBLPROPERTIES", "ORDERED BY", "PARTITION FIELD"),
    ),
    # Reports want days, of which each is a file; support wants a cart, which is in one of 60. No
    # order helps: a bloom filter does.
    Pair(
        "carts_beside_reports_of_days",
        carts,
        [
            *each(
                "SELECT count(*) FROM lake.db.carts_beside_reports_of_days"
                " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
                [(instant(n * DAY), instant((n + 3) * DAY)) for n in range(0, 57, 2)],
            ),
            *each(
                "SELECT * FROM lake.db.carts_beside_reports_of_days WHERE cart_id = '{}'",
                random_uuids(7205, COUNT)[500::1900],
                user="support",
                **SPARK,
            ),
        ],
        expected=(
            Expected(
                "row_groups_not_pruned",
                ("cart_id",),
                (0.75, 0.99),
                True,
                False,
                (r"bloom-filter-enabled\.column\.cart_id",),
            ),
        ),
        allowed=(
            Expected("no_partition_filter", ("cart_id",), statements=False),
            Expected("misaligned_partitioning", (), statements=False),
        ),
        tempting={"unclustered_column": "an order within days of one file tells nothing"},
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
    # A campaign is in the files of its five days, and these are asked for by day as well.
    Pair(
        "campaigns_as_they_start",
        impressions,
        [
            *each(
                "SELECT count(*) FROM lake.db.campaigns_as_they_start WHERE campaign_id = {}",
                range(70_005, 70_060, 4),
            ),
            *each(
                "SELECT campaign_id, count(*) FROM lake.db.campaigns_as_they_start"
                " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}' GROUP BY campaign_id",
                [(instant(n * DAY), instant((n + 2) * DAY)) for n in range(0, 58, 2)],
                **SPARK,
            ),
        ],
        tempting={
            "no_partition_filter": "bounds tell the days of a campaign",
            "unclustered_column": "five files of 60 are left",
            "misaligned_partitioning": "days are asked for, and keep campaigns together",
        },
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
    # In the order of callers, a number that was called is everywhere still.
    Pair(
        "calls_from_or_to_a_number",
        calls,
        each(
            "SELECT * FROM lake.db.calls_from_or_to_a_number"
            " WHERE (caller = '+44790{0}' OR callee = '+44790{0}')"
            " AND ts >= TIMESTAMP_NTZ '{1}' AND ts < TIMESTAMP_NTZ '{2}'",
            [
                (f"{n * 37 % 9000:06d}", instant(n % 5 * DAY), instant((n % 5 + 5) * DAY))
                for n in range(3, 30)
            ],
            **SPARK,
        ),
        # Bloom filters of both columns would tell files that have neither.
        allowed=(Expected("row_groups_not_pruned", ()),),
        tempting={
            "unclustered_column": "an order by one column leaves the other arm",
            "or_across_columns": "Spark gives the planner all of it",
            "partitions_too_coarse": "five whole days are asked for",
        },
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
    # A player is in one file of a day's eight.
    Pair(
        "players_in_an_order_undeclared",
        sessions,
        [
            *each(
                "SELECT * FROM lake.db.players_in_an_order_undeclared WHERE player = '{}'"
                " AND ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
                [
                    (PLAYERS[n * 101], instant(n % 9 * DAY), instant((n % 9 + 4) * DAY))
                    for n in range(25)
                ],
            ),
            *each(
                "SELECT count(*) FROM lake.db.players_in_an_order_undeclared"
                " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
                [(instant(n * DAY), instant((n + 1) * DAY)) for n in range(12)],
            ),
        ],
        tempting={
            "unclustered_column": "files are in order, whatever the table declares",
            "partitions_too_coarse": "whole days are asked for",
            "truncated_bounds": "16 characters tell players apart",
        },
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
    # The order is declared, and no file was written by it: it is the rewrite that is missing.
    Pair(
        "an_order_that_is_only_declared",
        stock,
        each(
            "SELECT * FROM lake.db.an_order_that_is_only_declared WHERE sku = 'SKU-{:06d}'"
            " AND ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
            [
                (n * 131 % 4000, instant(n % 6 * DAY), instant((n % 6 + 5) * DAY))
                for n in range(1, 30)
            ],
        ),
        expected=(
            Expected(
                "unclustered_column",
                ("sku",),
                (0.65, 0.85),
                True,
                False,
                (r"rewrite_data_files", r"strategy => 'sort'"),
            ),
        ),
        tempting={"partitions_too_coarse": "five whole days are asked for"},
        never=("PARTITION FIELD",),
    ),
    Pair(
        "customers_by_a_new_name",
        invoices,
        each(
            "SELECT * FROM lake.db.customers_by_a_new_name WHERE customer_id = {}",
            range(11, 4000, 190),
        ),
        expected=(Expected("unclustered_column", ("customer_id",), (0.9, 0.99), True, False),),
        tempting={"no_column_metrics": "metrics are kept by the id of a column"},
        never=("cust_no", "PARTITION FIELD"),
    ),
)
