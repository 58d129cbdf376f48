"""Tables of many tenants: skew, partitions by tenant, and filters that join tenants with OR."""

from __future__ import annotations

import numpy as np

from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Layout
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    SPARK,
    dates,
    day,
    each,
    instant,
    laid_out,
    repeated,
    rng,
    scaled,
    table,
    texts,
    times,
)

FILES = 80
COUNT = FILES * FILE_ROWS


def zipf() -> Layout:
    """80 files of 200 tenants as they come; the first has a sixth of the rows, the next half of
    that, a third of it, and so on."""
    weights = 1 / np.arange(1, 201)
    tenant = rng(321).choice(200, COUNT, p=weights / weights.sum())
    return laid_out(table({"tenant_id": tenant, "amount": np.arange(COUNT)}))


def tenants_and_users() -> Layout:
    """A partition for each of 30 tenants, of three files with any of its 400 users."""
    draw = rng(322)
    tenant = np.repeat(np.arange(30), 3 * FILE_ROWS)
    user = tenant * 1_000 + draw.integers(0, 400, len(tenant))
    return laid_out(
        table(
            {
                "tenant": texts(tenant, "t{:02d}"),
                "user_id": user,
                "amount": np.arange(len(tenant)),
            }
        ),
        "tenant",
    )


def a_thousand_customers() -> Layout:
    """A partition for each of 1,000 customers, of six rows: a hundredth of a file."""
    customer = np.repeat(np.arange(1_000), 6)
    return laid_out(
        table({"customer_id": customer, "amount": np.arange(len(customer))}, row_bytes=1_000),
        "customer_id",
        properties=scaled(600_000),
    )


def tenants_with_shared() -> Layout:
    """A partition for each of 20 tenants, of two files; one row of a hundred is shared with all."""
    tenant = np.repeat(np.arange(20), 2 * FILE_ROWS)
    shared = rng(323).random(len(tenant)) < 0.01
    return laid_out(
        table({"tenant": texts(tenant, "t{}"), "shared": shared, "n": np.arange(len(tenant))}),
        "tenant",
    )


def regions_and_days() -> Layout:
    """A partition for each of six regions and 20 days, which is half a file."""
    cell = np.repeat(np.arange(120), FILE_ROWS // 2)
    return laid_out(
        table(
            {
                "region": texts(cell // 20, "r{}"),
                "day": dates(cell % 20),
                "amount": np.arange(len(cell)),
            }
        ),
        "region",
        "day",
    )


def models_and_days() -> Layout:
    """A partition for each of twelve models of a device and 20 days, of 40 rows."""
    draw = rng(324)
    seconds = draw.uniform(0, 20 * DAY, 9_600)
    return laid_out(
        table(
            {
                "model": texts(draw.integers(0, 12, len(seconds)), "m{}"),
                "ts": times(seconds),
                "amount": np.arange(len(seconds)),
            }
        ),
        "model",
        "days(ts)",
    )


def days_and_buckets() -> Layout:
    """A partition for each of 25 days and eight buckets of a user, which is half a file."""
    draw = rng(325)
    seconds = draw.uniform(0, 25 * DAY, 100 * FILE_ROWS)
    return laid_out(
        table(
            {
                "ts": times(seconds),
                "user_id": draw.integers(0, 1_000, len(seconds)),
                "amount": np.arange(len(seconds)),
            }
        ),
        "days(ts)",
        "bucket(8, user_id)",
    )


def accounts_in_buckets() -> Layout:
    """Eight buckets of an account, of five files with any of its accounts."""
    account = rng(326).integers(0, 20_000, 40 * FILE_ROWS)
    return laid_out(
        table({"account": account, "amount": np.arange(len(account))}), "bucket(8, account)"
    )


PAIRS = (
    # The twenty largest tenants have 1 to 17 rows of a hundred: three files and one more, of 80.
    Pair(
        "largest_of_many_tenants",
        zipf,
        each(
            "SELECT sum(amount) FROM lake.db.largest_of_many_tenants WHERE tenant_id = {}",
            range(20),
        ),
        expected=(Expected("unclustered_column", ("tenant_id",), (0.9, 0.98), True, False),),
    ),
    # A user is in all three files of its tenant.
    Pair(
        "users_of_tenants",
        tenants_and_users,
        each(
            "SELECT sum(amount) FROM lake.db.users_of_tenants"
            " WHERE tenant = 't{:02d}' AND user_id = {}",
            [(n % 30, n % 30 * 1_000 + n * 7) for n in range(45)],
        ),
        expected=(Expected("unclustered_column", ("user_id",), (0.5, 0.68), True, False),),
        tempting={"misaligned_partitioning": "each query names a tenant"},
        never=("DROP",),
    ),
    Pair(
        "some_tenants",
        tenants_and_users,
        each(
            "SELECT sum(amount) FROM lake.db.some_tenants WHERE tenant IN ({})",
            ["'t01', 't07', 't28'", "'t11'", "'t02', 't03', 't14', 't25', 't29'"],
        ),
        tempting={"unclustered_column": "all that is read matches"},
    ),
    # Reports over all customers open a thousand files for ten; lookups are few.
    Pair(
        "customers_too_fine",
        a_thousand_customers,
        [
            *repeated("SELECT sum(amount) FROM lake.db.customers_too_fine WHERE amount >= 10", 10),
            *each(
                "SELECT * FROM lake.db.customers_too_fine WHERE customer_id = {}",
                range(0, 1_000, 100),
            ),
        ],
        expected=(Expected("partitions_too_fine", ("customer_id",), None, True),),
        allowed=(Expected("small_files", (), None, False),),
    ),
    # Rows that all may see are in each file, so no SELECT of its own rules one out.
    Pair(
        "own_or_shared",
        tenants_with_shared,
        each(
            "SELECT count(*) FROM lake.db.own_or_shared WHERE tenant = 't{}' OR shared",
            range(8),
        ),
        tempting={
            "or_across_columns": "the second arm needs all files",
            "no_partition_filter": "the tenant is in the filter",
            "misaligned_partitioning": "the tenant is in the filter",
        },
        never=("DROP",),
    ),
    # Trino takes regions and days of both arms together: four or five partitions for three.
    Pair(
        "a_window_for_each_region",
        regions_and_days,
        repeated(
            "SELECT sum(amount) FROM lake.db.a_window_for_each_region"
            f" WHERE (region = 'r1' AND day >= DATE '{day(18)}')"
            f" OR (region = 'r2' AND day >= DATE '{day(19)}')",
            10,
        ),
        tempting={"or_across_columns": "each column has its own range in both arms"},
        never=("DROP",),
    ),
    # 20 partitions of one region and five of others, of 120; Trino reads all.
    Pair(
        "a_region_or_a_day",
        regions_and_days,
        repeated(
            "SELECT sum(amount) FROM lake.db.a_region_or_a_day"
            f" WHERE region = 'r1' OR day = DATE '{day(7)}'",
            10,
        ),
        expected=(
            Expected(
                "or_across_columns",
                ("region", "day"),
                (0.74, 0.81),
                statements=False,
                says=(r"FROM \(SELECT", "sorts or limits its rows stays around"),
            ),
        ),
        never=("DROP",),
    ),
    Pair(
        "deleted_of_a_region_or_a_day",
        regions_and_days,
        repeated(
            "DELETE FROM lake.db.deleted_of_a_region_or_a_day"
            f" WHERE region = 'r1' OR day = DATE '{day(7)}'",
            10,
        ),
        expected=(
            Expected(
                "or_across_columns",
                ("region", "day"),
                None,
                False,
                says=("WHERE .*; DELETE … WHERE",),
            ),
        ),
        never=("DROP",),
    ),
    Pair(
        "a_region_or_a_day_in_spark",
        regions_and_days,
        repeated(
            "SELECT sum(amount) FROM lake.db.a_region_or_a_day_in_spark"
            f" WHERE region = 'r1' OR day = DATE '{day(7)}'",
            10,
            **SPARK,
        ),
        tempting={"or_across_columns": "Spark pushes it whole"},
        never=("DROP",),
    ),
    # Nobody asks for a model, which cuts each day into twelve scraps.
    Pair(
        "model_unasked",
        models_and_days,
        each(
            "SELECT sum(amount) FROM lake.db.model_unasked"
            " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
            [(instant(n * DAY), instant((n + 3) * DAY)) for n in range(17)],
        ),
        expected=(Expected("misaligned_partitioning", (), None, True, says=("DROP.*model",)),),
        tempting={"unclustered_column": "all that is read matches"},
        never=(r"DROP PARTITION FIELD days",),
    ),
    # Buckets that no filter uses; halves of files are read, and all of their rows match.
    Pair(
        "days_of_buckets",
        days_and_buckets,
        each(
            "SELECT sum(amount) FROM lake.db.days_of_buckets"
            " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
            [(instant(n * DAY), instant((n + 1) * DAY)) for n in range(0, 25, 2)],
        ),
        allowed=(Expected("misaligned_partitioning", ()),),
        tempting={
            "no_partition_filter": "days are asked for",
            "unclustered_column": "all that is read matches",
        },
        never=(r"DROP PARTITION FIELD days",),
    ),
    # Days that no filter uses cut a user's 60 rows into 25 files.
    Pair(
        "users_over_all_days",
        days_and_buckets,
        each(
            "SELECT sum(amount) FROM lake.db.users_over_all_days WHERE user_id = {}",
            range(3, 1_000, 50),
        ),
        # A partition is one file: users are in order once days are none.
        expected=(Expected("misaligned_partitioning", (), None, True),),
        allowed=(Expected("unclustered_column", ("user_id",), (0.85, 0.95), True),),
        never=(r"DROP PARTITION FIELD bucket",),
    ),
    # A bucket rules out seven of eight; of its five files one would do.
    Pair(
        "accounts_in_buckets",
        accounts_in_buckets,
        [
            *each(
                "SELECT sum(amount) FROM lake.db.accounts_in_buckets WHERE account = {}",
                range(11, 20_000, 900),
            ),
            *each(
                "SELECT sum(amount) FROM lake.db.accounts_in_buckets WHERE account IN ({}, {}, {})",
                [(n, n + 5_000, n + 9_999) for n in range(7, 10_000, 900)],
            ),
        ],
        expected=(Expected("unclustered_column", ("account",), (0.55, 0.82), True, False),),
        tempting={"range_on_bucketed_column": "values are asked for"},
        never=("DROP",),
    ),
)
