"""Tables and logs of many kinds. Everything is drawn by a seed."""

from __future__ import annotations

from tests.backtest.draws import (
    box,
    daily,
    eight_stores,
    last_days,
    lineitem_queries,
    recent_day,
    score_range,
    tenant_queries,
)
from tests.backtest.model import DAYS, Case
from tests.backtest.second_cases import SECOND_CASES
from tests.backtest.tables import (
    COUNT,
    as_it_comes,
    deleted,
    events,
    fixed,
    growing,
    hashed,
    hot_days,
    hours_then_days,
    keys,
    late,
    lineitem,
    orders,
    points,
    prices,
    readings,
    regions,
    rolling,
    sales,
    scores,
    sorted_by,
    tenants,
    two_groups,
    urls,
    uuid,
)
from tests.workloads.rows import day

CASES: tuple[Case, ...] = (
    Case(
        "tpch_lineitem",
        "TPC-H's lineitem, unclustered; its queries by ship and receipt date",
        fixed(lineitem),
        as_it_comes(),
        lineitem_queries(),
        ("l_shipdate", "l_discount"),
    ),
    Case(
        "skewed_tenants",
        "300 tenants, the first with a sixth of all rows; partitioned by day, asked by tenant",
        growing(tenants),
        as_it_comes("days(ts)"),
        tenant_queries(),
        ("tenant", "ts"),
    ),
    Case(
        "late_data",
        "Rows by arrival, a tenth of them late; asked by a day of the event",
        growing(late),
        as_it_comes(),
        tuple(last_days(31, "ts")),
        ("ts",),
    ),
    Case(
        "uuid_keys",
        "Keys drawn at random; looked up one at a time",
        fixed(keys),
        as_it_comes(),
        tuple(
            daily(
                41,
                "SELECT * FROM t WHERE id = '{}'",
                lambda g, _: (uuid(int(g.integers(0, COUNT))),),
            )
        ),
        ("id",),
    ),
    Case(
        "correlated_dates",
        "In the order of the days of orders; asked by the day of shipping, which follows it",
        rolling(orders),
        as_it_comes(),
        tuple(
            daily(
                51,
                "SELECT * FROM t WHERE shipped = DATE '{}' AND customer < {}",
                lambda g, n: (day(n - int(g.integers(1, 6))), int(g.integers(500, 2_000))),
            )
        ),
        ("shipped", "customer"),
    ),
    Case(
        "join_restricted",
        "Sales by day; joins ask for eight stores of a town",
        rolling(sales),
        as_it_comes("day"),
        tuple(daily(61, "SELECT * FROM t WHERE store IN ({})", eight_stores)),
        ("store", "day"),
    ),
    Case(
        "two_groups",
        "One group asks by customer, another by product",
        fixed(two_groups),
        as_it_comes(),
        (
            *daily(
                71,
                "SELECT * FROM t WHERE customer = {}",
                lambda g, _: (g.integers(0, 5_000),),
                a_day=3,
            ),
            *daily(
                72,
                "SELECT * FROM t WHERE product = {}",
                lambda g, _: (g.integers(0, 5_000),),
                a_day=3,
            ),
        ),
        ("customer", "product"),
    ),
    Case(
        "predicate_sorted",
        "In the order of the column that queries ask by",
        fixed(scores),
        sorted_by("score"),
        tuple(
            daily(
                81,
                "SELECT * FROM t WHERE score BETWEEN {} AND {}",
                score_range,
            )
        ),
        ("score",),
        keeps=True,
    ),
    Case(
        "perfect",
        "Partitioned by the day that queries ask for",
        rolling(events),
        as_it_comes("days(ts)"),
        tuple(last_days(91, "ts")),
        ("ts",),
        keeps=True,
    ),
    Case(
        "hopeless",
        "Queries want nine of ten rows, or ask by what no statistics tell",
        rolling(events),
        as_it_comes(),
        (
            *daily(
                101,
                "SELECT * FROM t WHERE amount > {}",
                lambda g, _: (g.integers(20, 100),),
                a_day=3,
            ),
            *daily(
                102,
                "SELECT * FROM t WHERE amount % 7 = {}",
                lambda g, _: (g.integers(0, 7),),
                a_day=1,
            ),
        ),
        ("amount",),
        keeps=True,
    ),
    Case(
        "hourly_and_daily",
        "Partitioned by day at first, by hour since; asked by day",
        rolling(events),
        hours_then_days,
        tuple(last_days(111, "ts")),
        ("ts",),
    ),
    Case(
        "region_and_time",
        "Eight regions over time, unpartitioned; asked by region and the last days",
        rolling(regions),
        as_it_comes(commits=DAYS),
        (
            *daily(
                121,
                "SELECT * FROM t WHERE region = 'region-{}' AND ts >= TIMESTAMP '{} UTC' "
                "AND ts < TIMESTAMP '{} UTC'",
                lambda g, n: (int(g.integers(0, 8)), *recent_day(g, n)),
                a_day=3,
            ),
            *daily(
                122,
                "SELECT * FROM t WHERE region = 'region-{}'",
                lambda g, _: (int(g.integers(0, 8)),),
                a_day=3,
            ),
        ),
        ("region", "ts"),
    ),
    Case(
        "prefixes",
        "Addresses that are asked for by their beginning, longer than a bound keeps",
        fixed(urls),
        as_it_comes(),
        tuple(
            daily(
                131,
                "SELECT * FROM t WHERE url LIKE 'https://s{:02d}.example.com/%'",
                lambda g, _: (int(g.integers(0, 40)),),
            )
        ),
        ("url",),
    ),
    Case(
        "deleted_rows",
        "One row of a hundred was deleted, anywhere; asked for those",
        fixed(deleted),
        as_it_comes(),
        tuple(daily(141, "SELECT * FROM t WHERE deleted_at IS NOT NULL", lambda _, __: ())),
        ("deleted_at",),
    ),
    Case(
        "three_columns",
        "Readings of devices; asked by device and metric, by metric and time, by device",
        rolling(readings),
        as_it_comes("days(ts)"),
        (
            *daily(
                151,
                "SELECT * FROM t WHERE device = {} AND metric = 'm{:02d}'",
                lambda g, _: (g.integers(0, 200), int(g.integers(0, 20))),
                a_day=3,
            ),
            *daily(
                152,
                "SELECT * FROM t WHERE metric = 'm{:02d}' AND ts >= TIMESTAMP '{} UTC' "
                "AND ts < TIMESTAMP '{} UTC'",
                lambda g, n: (int(g.integers(0, 20)), *recent_day(g, n)),
                a_day=2,
            ),
            *daily(
                153,
                "SELECT * FROM t WHERE device = {}",
                lambda g, _: (g.integers(0, 200),),
                a_day=2,
            ),
        ),
        ("device", "metric", "ts"),
    ),
    Case(
        "prices",
        "Prices with a long tail; asked by ranges of them, and by category",
        fixed(prices),
        as_it_comes(),
        (
            *daily(
                161,
                "SELECT * FROM t WHERE price >= {}",
                lambda g, _: (g.integers(100, 900),),
                a_day=3,
                engine="spark",
            ),
            *daily(
                162,
                "SELECT * FROM t WHERE category = {}",
                lambda g, _: (g.integers(0, 30),),
                a_day=1,
                engine="spark",
            ),
        ),
        ("price", "category"),
    ),
    Case(
        "hot_days",
        "Half of all rows are of three days; asked by day, and by account within a day",
        fixed(hot_days),
        as_it_comes(),
        (
            *last_days(171, "at", a_day=3),
            *daily(
                172,
                "SELECT * FROM t WHERE account = {} AND at >= TIMESTAMP '{} UTC' "
                "AND at < TIMESTAMP '{} UTC'",
                lambda g, n: (g.integers(0, 800), *recent_day(g, n)),
                a_day=3,
            ),
        ),
        ("at", "account"),
    ),
    Case(
        "hashed_users",
        "Buckets of users, which suit half of the queries; the others ask by day",
        rolling(hashed),
        as_it_comes("bucket(16, user_id)"),
        (
            *daily(
                181,
                "SELECT * FROM t WHERE user_id = {}",
                lambda g, _: (g.integers(0, 4_000),),
                a_day=3,
            ),
            *daily(
                182,
                "SELECT * FROM t WHERE day >= DATE '{}'",
                lambda g, n: (day(n - int(g.integers(1, 4))),),
                a_day=3,
            ),
        ),
        ("user_id", "day"),
    ),
    Case(
        "boxes",
        "Points in a plane; asked by boxes",
        fixed(points),
        as_it_comes(),
        tuple(
            daily(
                191,
                "SELECT * FROM t WHERE x BETWEEN {} AND {} AND y BETWEEN {} AND {}",
                box,
                a_day=6,
            )
        ),
        ("x", "y"),
    ),
)
BY_NAME = {case.name: case for case in (*CASES, *SECOND_CASES)}
