"""Whole queries: choices between conditions, joins, changes, and
what newest days are made of."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from tests.workloads.model import Expected, Pair
from tests.workloads.pairs.tables.periods import (
    FIRSTS,
    NEVER,
    ONE_OF_TWELVE,
    customers_of_countries,
    newest_text_day_in_scraps,
    six_regions,
    sixty_days,
    thirty_days,
    twelve_months,
)
from tests.workloads.physical import Commit, Layout
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    SPARK,
    dates,
    day,
    each,
    instant,
    laid_out,
    loaded,
    repeated,
    rng,
    scaled,
    table,
    texts,
    times,
)


def states() -> Layout:
    """Five states and none, four files each."""
    state = np.repeat(
        np.array(["closed", "new", "open", "paused", "sold", None], object), 4 * FILE_ROWS
    )
    return laid_out(
        table({"status": pa.array(state, pa.string()), "n": np.arange(len(state))}), "status"
    )


def closed_and_open() -> Layout:
    """Sixty files in order of the day on which cases were closed, and six of open ones."""
    days = dates(np.repeat(np.arange(60), FILE_ROWS))
    closed = pa.concat_arrays([days, pa.nulls(6 * FILE_ROWS, pa.date32())])
    return laid_out(table({"closed_at": closed, "n": np.arange(len(closed))}))


def regions_and_tiers() -> Layout:
    """Six regions of three tiers, two files each."""
    cell = np.repeat(np.arange(18), 2 * FILE_ROWS)
    regions, tiers = ("AP", "CA", "EU", "LA", "ME", "US"), ("bronze", "gold", "silver")
    return laid_out(
        table(
            {
                "region": texts([regions[n // 3] for n in cell]),
                "tier": texts([tiers[n % 3] for n in cell]),
                "n": np.arange(len(cell)),
            }
        ),
        "region",
        "tier",
    )


def sales_of_stores() -> Layout:
    """Thirty days, two files each, of sales of 200 stores."""
    draw = rng(3008)
    seconds = draw.uniform(0, 30 * DAY, 60 * FILE_ROWS)
    stores = draw.integers(0, 200, len(seconds))
    return laid_out(table({"ts": times(seconds), "store_id": stores}), "days(ts)")


def newest_number_day_in_scraps() -> Layout:
    """Thirty days such as 20260131, a file each, and one of 200 scraps."""
    days = np.repeat(np.arange(31), [*[FILE_ROWS] * 30, 1_200])
    keys = np.array([int(f"{day(int(n)):%Y%m%d}") for n in days], np.int32)
    rows = table({"dt": keys, "amount": np.arange(len(days))})
    old, new = rows.slice(0, 30 * FILE_ROWS), rows.slice(30 * FILE_ROWS)
    spec = ("dt",)
    scraps = tuple(new.slice(start, 6) for start in range(0, len(new), 6))
    return Layout(
        (Commit(loaded(old, spec, FILE_ROWS), spec), Commit(scraps, spec)), spec, scaled()
    )


def months_of_many_files() -> Layout:
    """Three months, sixteen files each, in no order within."""
    seconds = rng(3011).uniform(0, 90 * DAY, 48 * FILE_ROWS)
    return laid_out(table({"ts": times(seconds), "amount": np.arange(len(seconds))}), "months(ts)")


PAIRS = (
    Pair(
        "states_or_none",
        states,
        each(
            "SELECT count(*) FROM lake.db.states_or_none WHERE nvl(status, 'none') = '{}'",
            ("open", "new"),
            **SPARK,
        ),
        expected=(Expected("wrapped_column", ("status",), (0.8, 0.85), False, True),),
        tempting={"unclustered_column": "it is a partition"},
        never=NEVER,
    ),
    Pair(
        "open_or_closed_lately",
        closed_and_open,
        repeated(
            "SELECT count(*) FROM lake.db.open_or_closed_lately"
            " WHERE coalesce(closed_at, DATE '9999-12-31') >= DATE '2026-02-20'",
            4,
        ),
        expected=(
            Expected("wrapped_column", ("closed_at",), (0.72, 0.78), False, True, ("IS NULL",)),
        ),
        tempting={"unclustered_column": "files are in order"},
        never=NEVER,
    ),
    Pair(
        "continents_by_case",
        six_regions,
        repeated(
            "SELECT count(*) FROM lake.db.continents_by_case WHERE CASE WHEN region = 'EU' THEN"
            " 'europe' WHEN region IN ('US', 'CA') THEN 'america' ELSE 'rest' END = 'america'",
            4,
            **SPARK,
        ),
        expected=(Expected("wrapped_column", ("region",), (0.62, 0.68), False, True),),
        never=NEVER,
    ),
    Pair(
        "regions_joined_with_tiers",
        regions_and_tiers,
        each(
            "SELECT count(*) FROM lake.db.regions_joined_with_tiers"
            " WHERE concat(region, '-', tier) = '{}'",
            ("EU-gold", "US-silver", "ME-bronze"),
            **SPARK,
        ),
        expected=(Expected("wrapped_column", ("region|tier",), None, False, None),),
        tempting={"no_partition_filter": "both fields are asked for"},
        never=NEVER,
    ),
    Pair(
        "customers_of_a_large_country",
        customers_of_countries,
        each(
            "SELECT * FROM lake.db.customers_of_a_large_country"
            " WHERE country = '{}' AND customer_id = {}",
            [
                (country, 17 + 321 * number)
                for number, country in enumerate(
                    ("US", "AT", "BE", "CH", "DE", "ES", "FR", "GB", "IT", "NL")
                )
            ],
            **SPARK,
        ),
        expected=(Expected("unclustered_column", ("customer_id",), (0.7, 0.9), True),),
        tempting={"no_partition_filter": "the country is asked for"},
        never=("PARTITION FIELD",),
    ),
    Pair(
        "the_newest_text_day",
        newest_text_day_in_scraps,
        [
            *repeated(
                "SELECT sum(amount) FROM lake.db.the_newest_text_day WHERE dt = '2026-01-31'",
                6,
                **SPARK,
            ),
            *each(
                "SELECT sum(amount) FROM lake.db.the_newest_text_day WHERE dt >= '{}'",
                (day(20), day(25)),
            ),
        ],
        expected=(Expected("small_files", (), None, True, None, ("where",)),),
        tempting={"partitions_too_fine": "days fill files once they are merged"},
        never=NEVER,
    ),
    Pair(
        "stores_of_a_city",
        sales_of_stores,
        each(
            "SELECT count(*) FROM lake.db.stores_of_a_city WHERE store_id IN"
            " (SELECT store_id FROM shop.public.stores WHERE city = '{}')",
            ("Graz", "Linz", "Wels"),
        ),
        expected=(Expected("runtime_only", ("store_id",)),),
        tempting={"no_partition_filter": "no value of the column is known before it runs"},
        never=NEVER,
    ),
    Pair(
        "since_the_watermark",
        thirty_days,
        repeated(
            "SELECT * FROM lake.db.since_the_watermark WHERE ts >"
            " (SELECT max(loaded_until) FROM shop.public.watermarks WHERE job = 'sales')",
            4,
            **SPARK,
        ),
        expected=(Expected("runtime_only", ("ts",), says=("query its value first",)),),
        tempting={"wrapped_column": "the column is bare"},
        never=NEVER,
    ),
    Pair(
        "a_month_named_in_a_cte",
        twelve_months,
        each(
            "WITH m AS (SELECT date_format(ts, '%Y-%m') AS month, amount"
            " FROM lake.db.a_month_named_in_a_cte) SELECT sum(amount) FROM m WHERE month = '{}'",
            FIRSTS,
        ),
        expected=(Expected("wrapped_column", ("ts",), ONE_OF_TWELVE, False, True),),
        never=NEVER,
    ),
    Pair(
        "a_month_deleted",
        twelve_months,
        each(
            "DELETE FROM lake.db.a_month_deleted WHERE date_format(ts, 'yyyyMM') = '{}'",
            ("202602", "202603"),
            **SPARK,
        ),
        expected=(Expected("wrapped_column", ("ts",), ONE_OF_TWELVE, False, True),),
        never=NEVER,
    ),
    Pair(
        "changes_of_a_month",
        twelve_months,
        each(
            "MERGE INTO lake.db.changes_of_a_month AS t USING shop.public.changes AS s"
            " ON t.amount = s.amount AND date_format(t.ts, 'yyyy-MM') = '{}'"
            " WHEN MATCHED THEN UPDATE SET amount = s.amount WHEN NOT MATCHED THEN INSERT *",
            FIRSTS,
            **SPARK,
        ),
        expected=(Expected("wrapped_column", ("ts",), ONE_OF_TWELVE, False, True),),
        allowed=(Expected("runtime_only", ()),),
        never=NEVER,
    ),
    Pair(
        "a_day_or_false",
        sixty_days,
        each(
            "SELECT sum(amount) FROM lake.db.a_day_or_false WHERE coalesce(d = DATE '{}', false)",
            (day(10), day(40)),
        ),
        expected=(Expected("wrapped_column", ("d",), (0.95, 0.99), False, True),),
        never=NEVER,
    ),
    Pair(
        "days_of_whole_months",
        months_of_many_files,
        each(
            "SELECT sum(amount) FROM lake.db.days_of_whole_months"
            " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
            [(instant(n * DAY), instant((n + 1) * DAY)) for n in range(3, 87, 7)],
        ),
        expected=(
            Expected("partitions_too_coarse|unclustered_column", ("ts",), (0.8, 0.95), True),
        ),
    ),
    Pair(
        "the_newest_number_day",
        newest_number_day_in_scraps,
        repeated(
            "SELECT sum(amount) FROM lake.db.the_newest_number_day WHERE dt = 20260131",
            6,
            **SPARK,
        ),
        expected=(Expected("small_files", (), None, True, None, ("where",)),),
        never=NEVER,
    ),
    Pair(
        "lately_by_else",
        sixty_days,
        repeated(
            "SELECT sum(amount) FROM lake.db.lately_by_else WHERE"
            " CASE WHEN d < DATE '2026-02-20' THEN 'old' ELSE 'new' END = 'new'",
            4,
        ),
        expected=(Expected("wrapped_column", ("d",), (0.8, 0.85), False, True),),
        never=NEVER,
    ),
)
