"""Keys: tenants, dimensions that change, buckets, lookups, two columns."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from tests.workloads.physical import Layout
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    SPARK,
    SPARK_35,
    each,
    instant,
    laid_out,
    random_uuids,
    repeated,
    rng,
    table,
    texts,
    times,
)
from tests.workloads.unseen.truth import Change, Truth, curve, fields, sort


def customers_scd() -> Layout:
    """80 files of versions of customers as they came; one in four is the current one."""
    draw = rng(92001)
    count = 80 * FILE_ROWS
    valid_from = np.sort(draw.uniform(0, 200 * DAY, count))
    return laid_out(
        table(
            {
                "customer_id": draw.integers(1, 12_000, count),
                "valid_from": times(valid_from),
                "is_current": pa.array(draw.random(count) < 0.25),
                "segment": draw.integers(0, 7, count),
            }
        )
    )


def tickets_with_states() -> Layout:
    """30 days of three files; one ticket in 30 is open, on any day."""
    draw = rng(92002)
    count = 90 * FILE_ROWS
    state = np.where(
        draw.random(count) < 1 / 30, "open", np.where(draw.random(count) < 0.5, "closed", "solved")
    )
    return laid_out(
        table(
            {
                "ticket_id": np.arange(count) + 1,
                "created_at": times(np.sort(draw.uniform(0, 30 * DAY, count))),
                "state": texts(state),
                "team": draw.integers(0, 15, count),
            }
        ),
        "days(created_at)",
    )


def orders_not_done() -> Layout:
    """100 files in order of time; all but the newest five are done."""
    draw = rng(92003)
    count = 100 * FILE_ROWS
    states = np.full(count, "done", dtype=object)
    newest = np.arange(count) >= 95 * FILE_ROWS
    states[newest] = np.array(["done", "new", "paid", "shipped"])[
        draw.choice(4, int(newest.sum()), p=[0.4, 0.2, 0.2, 0.2])
    ]
    return laid_out(
        table(
            {
                "order_id": np.arange(count) + 1,
                "placed_at": times(np.sort(draw.uniform(0, 100 * DAY, count))),
                "status": texts(states.tolist()),
            }
        )
    )


def tenants_zipf() -> Layout:
    """400 tenants of very unequal size, in 90 files as rows came."""
    draw = rng(92004)
    count = 90 * FILE_ROWS
    weight = 1 / (np.arange(400) + 1) ** 1.1
    tenant = draw.choice(400, count, p=weight / weight.sum())
    return laid_out(
        table(
            {
                "tenant_id": tenant,
                "ts": times(np.sort(draw.uniform(0, 60 * DAY, count))),
                "bytes_in": draw.integers(0, 100_000, count),
            }
        )
    )


def tenants_in_buckets_with_giant() -> Layout:
    """Eight buckets of tenants; one tenant has half of all rows. No order inside."""
    draw = rng(92005)
    count = 96 * FILE_ROWS
    tenant = np.where(draw.random(count) < 0.5, 17, draw.integers(100, 300, count))
    return laid_out(
        table(
            {
                "tenant_id": tenant,
                "ts": times(draw.uniform(0, 48 * DAY, count)),
                "kind": draw.integers(0, 5, count),
            }
        ),
        "bucket(8, tenant_id)",
    )


def invoices_in_buckets() -> Layout:
    """16 buckets of six files, asked for ranges only."""
    draw = rng(92006)
    count = 96 * FILE_ROWS
    return laid_out(
        table(
            {
                "invoice_no": draw.permutation(count) + 1,
                "amount": draw.integers(1, 90_000, count),
            }
        ),
        "bucket(16, invoice_no)",
    )


def parcels_in_buckets() -> Layout:
    """16 buckets of six files, asked for single parcels, and for ranges now and then."""
    draw = rng(92007)
    count = 96 * FILE_ROWS
    return laid_out(
        table(
            {
                "parcel_id": draw.permutation(count) + 1,
                "depot": draw.integers(0, 80, count),
            }
        ),
        "bucket(16, parcel_id)",
    )


def orders_in_no_order() -> Layout:
    """80 files of orders, merged by jobs that mixed them."""
    draw = rng(92008)
    count = 80 * FILE_ROWS
    return laid_out(
        table(
            {
                "order_id": draw.permutation(count) + 1_000_000,
                "customer_id": draw.integers(1, 9000, count),
            }
        )
    )


def accounts_with_soft_deletes() -> Layout:
    """70 files of accounts as they came; one in ten is deleted by a flag."""
    draw = rng(92009)
    count = 70 * FILE_ROWS
    return laid_out(
        table(
            {
                "account_id": draw.permutation(count) + 1,
                "is_deleted": pa.array(draw.random(count) < 0.1),
                "balance": draw.integers(0, 100_000, count),
            }
        )
    )


def places() -> Layout:
    """100 files of points, in no order. Both coordinates are whole numbers of one range."""
    draw = rng(92010)
    count = 100 * FILE_ROWS
    return laid_out(
        table(
            {
                "x": draw.integers(0, 1 << 20, count),
                "y": draw.integers(0, 1 << 20, count),
                "kind": draw.integers(0, 30, count),
            }
        )
    )


def transfers() -> Layout:
    """100 files of transfers, asked for by the one who sends or by the one who gets."""
    draw = rng(92011)
    count = 100 * FILE_ROWS
    return laid_out(
        table(
            {
                "sender": draw.integers(0, 1 << 16, count),
                "receiver": draw.integers(0, 1 << 16, count),
                "cents": draw.integers(1, 900_000, count),
            }
        )
    )


def purchases_two_groups() -> Layout:
    """100 files of 25 days in order of time, not partitioned; customers come in any order."""
    draw = rng(92012)
    count = 100 * FILE_ROWS
    return laid_out(
        table(
            {
                "bought_at": times(np.sort(draw.uniform(0, 25 * DAY, count))),
                "customer_id": draw.integers(1, 20_001, count),
                "price": draw.integers(1, 9000, count),
            }
        )
    )


def documents_by_uuid() -> Layout:
    """80 files of documents by random ids."""
    count = 80 * FILE_ROWS
    draw = rng(92013)
    return laid_out(
        table(
            {
                "doc_id": pa.array(list(random_uuids(92013, count))),
                "pages": draw.integers(1, 90, count),
            }
        )
    )


def sessions_by_last_seen() -> Layout:
    """60 files in order of session's begin; `last_seen` is at most an hour later. Sound lookups by
    time, and lookups by device that are not served."""
    draw = rng(92014)
    count = 60 * FILE_ROWS
    begin = np.sort(draw.uniform(0, 30 * DAY, count))
    return laid_out(
        table(
            {
                "begin_at": times(begin),
                "last_seen": times(begin + draw.uniform(0, 3600, count)),
                "device": texts(draw.integers(0, 6000, count), "dev-{:05d}"),
            }
        ),
        "days(begin_at)",
    )


PAIRS = (
    Truth(
        "customers_scd",
        customers_scd,
        [
            *each(
                "SELECT * FROM lake.db.customers_scd WHERE customer_id = {} AND is_current = true",
                [3 + n * 97 % 11_900 for n in range(120)],
            ),
            *repeated(
                "MERGE INTO lake.db.customers_scd AS t USING stage.db.customer_updates AS s ON t.customer_id = s.customer_id AND t.is_current = true"
                " WHEN MATCHED THEN UPDATE SET is_current = false",
                2,
                **SPARK,
            ),
        ],
        sound=False,
        first=Change("order", ("customer_id",), "customer_id"),
        also_fine=(
            Change("partition", ("customer_id",), "bucket(16..32, customer_id)"),
            Change("order", ("customer_id", "is_current"), "customer_id, is_current"),
        ),
        harmful=(
            r"PARTITION FIELD.*is_current",
            r"ORDERED BY `?is_current",
            r"PARTITION FIELD.*valid_from",
            r"ADD PARTITION FIELD `?customer_id",
        ),
        share=(0.93, 0.99),
        why="Lookups are of one customer, whose versions lie in any file; is_current changes by MERGE, so it is no column to lay rows out by.",
        statements=sort("customers_scd", "`customer_id`"),
    ),
    Truth(
        "tickets_with_states",
        tickets_with_states,
        [
            *repeated(
                "SELECT team, count(*) FROM lake.db.tickets_with_states WHERE state = 'open' GROUP BY team",
                60,
            ),
            *each(
                "SELECT count(*) FROM lake.db.tickets_with_states WHERE created_at >= TIMESTAMP '{}'",
                [instant(29 * DAY)] * 20,
            ),
            *repeated(
                "MERGE INTO lake.db.tickets_with_states AS t USING stage.db.ticket_changes AS s ON t.ticket_id = s.ticket_id"
                " WHEN MATCHED THEN UPDATE SET state = s.state",
                3,
                **SPARK,
            ),
        ],
        sound=False,
        first=Change("order", ("state",), "state (then created_at) inside days(created_at)"),
        also_fine=(
            Change("order", ("state", "created_at"), "state, created_at"),
            Change("nothing"),
        ),
        harmful=(
            r"ADD PARTITION FIELD.*state",
            r"DROP PARTITION FIELD",
            r"REPLACE PARTITION FIELD",
        ),
        share=(0.4, 0.68),
        why="Open tickets lie in every file of every day; a state that changes by MERGE must be no partition, but in an order inside days it costs nobody anything.",
        statements=sort("tickets_with_states", "`state`, `created_at`"),
    ),
    Truth(
        "orders_not_done",
        orders_not_done,
        repeated(
            "SELECT order_id, status FROM lake.db.orders_not_done WHERE status <> 'done'",
            60,
            **SPARK_35,
        ),
        sound=False,
        first=Change("condition", ("status",), "status IN ('new', 'paid', 'shipped')"),
        also_fine=(
            Change(
                "condition",
                ("placed_at",),
                "a range of placed_at, if the age of open orders is bounded",
            ),
        ),
        harmful=(r"PARTITION FIELD", r"ORDERED BY"),
        share=(0.93, 0.96),
        why="Iceberg 1.10 prunes nothing by <>, while bounds rule out all but the newest five files for the list of what is wanted.",
        rewritten=repeated(
            "SELECT order_id, status FROM lake.db.orders_not_done WHERE status IN ('new', 'paid', 'shipped')",
            60,
            **SPARK_35,
        ),
    ),
    Truth(
        "tenants_zipf",
        tenants_zipf,
        each(
            "SELECT sum(bytes_in) FROM lake.db.tenants_zipf WHERE tenant_id = {}",
            [n * 3 % 400 for n in range(150)],
        ),
        sound=False,
        first=Change("order", ("tenant_id",), "tenant_id"),
        also_fine=(
            Change("partition", ("tenant_id",), "bucket(16..32, tenant_id)"),
            Change("order", ("tenant_id", "ts"), "tenant_id, ts"),
        ),
        harmful=(r"ADD PARTITION FIELD `?tenant_id", r"PARTITION FIELD.*(days|hours|months)\("),
        share=(0.93, 0.99),
        why="400 tenants of unequal size are in all files; a sort gives large ones many files and puts small ones together, as no field of theirs could.",
        statements=sort("tenants_zipf", "`tenant_id`"),
    ),
    Truth(
        "tenants_in_buckets_with_giant",
        tenants_in_buckets_with_giant,
        [
            *each(
                "SELECT kind, count(*) FROM lake.db.tenants_in_buckets_with_giant WHERE tenant_id = 17 AND ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}' GROUP BY kind",
                [(instant(n % 47 * DAY), instant((n % 47 + 1) * DAY)) for n in range(80)],
            ),
            *each(
                "SELECT kind, count(*) FROM lake.db.tenants_in_buckets_with_giant WHERE tenant_id = {} AND ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}' GROUP BY kind",
                [
                    (100 + n * 7 % 200, instant(n % 40 * DAY), instant((n % 40 + 1) * DAY))
                    for n in range(60)
                ],
            ),
        ],
        sound=False,
        first=Change("order", ("tenant_id", "ts"), "tenant_id, ts inside buckets"),
        also_fine=(
            Change("order", ("tenant_id", "ts"), "zorder(tenant_id, ts)"),
            Change("order", ("ts",), "ts inside buckets"),
            Change("partition", ("ts",), "days(ts) in place of the buckets: two files each"),
        ),
        harmful=(r"ADD PARTITION FIELD `?tenant_id", r"DROP PARTITION FIELD", r"hours\("),
        share=(0.85, 0.98),
        why="The giant's bucket has half of all files, of any time, and queries want a day of it.",
        statements=sort("tenants_in_buckets_with_giant", "`tenant_id`, `ts`"),
    ),
    Truth(
        "invoices_in_buckets",
        invoices_in_buckets,
        each(
            "SELECT sum(amount) FROM lake.db.invoices_in_buckets WHERE invoice_no BETWEEN {} AND {}",
            [(1 + n * 911 % 56_000, 800 + n * 911 % 56_000) for n in range(80)],
        ),
        sound=False,
        first=Change("partition", ("invoice_no",), "drop the buckets, and sort by invoice_no"),
        also_fine=(
            Change(
                "partition",
                ("invoice_no",),
                "truncate(1000..10000, invoice_no) in place of the buckets",
            ),
            Change("order", ("invoice_no",), "invoice_no inside the buckets: four fifths of it"),
        ),
        harmful=(
            r"ORDERED BY `?amount",
            r"PARTITION FIELD.*amount",
            r"ADD PARTITION FIELD `?invoice_no`?;",
        ),
        share=(0.94, 0.99),
        why="Buckets keep no order: a range of 800 numbers lies in all sixteen, and nobody asks for single numbers.",
        statements=fields(
            "invoices_in_buckets",
            "DROP PARTITION FIELD bucket(16, `invoice_no`)",
            by="`invoice_no`",
        ),
    ),
    Truth(
        "parcels_in_buckets",
        parcels_in_buckets,
        [
            *each(
                "SELECT * FROM lake.db.parcels_in_buckets WHERE parcel_id = {}",
                [5 + n * 133 % 57_000 for n in range(400)],
            ),
            *each(
                "SELECT depot, count(*) FROM lake.db.parcels_in_buckets WHERE parcel_id BETWEEN {} AND {} GROUP BY depot",
                [(1 + n * 2911 % 50_000, 2000 + n * 2911 % 50_000) for n in range(10)],
            ),
        ],
        sound=False,
        first=Change("order", ("parcel_id",), "parcel_id inside the buckets"),
        also_fine=(
            Change(
                "partition",
                ("parcel_id",),
                "drop the buckets and sort by parcel_id over the whole table, if no join needs them",
            ),
            Change("bloom", ("parcel_id",), "for the lookups alone"),
        ),
        harmful=(
            r"ORDERED BY `?depot",
            r"PARTITION FIELD.*depot",
            r"ADD PARTITION FIELD `?parcel_id",
        ),
        share=(0.78, 0.86),
        why="Buckets serve the lookups but leave six files each, and ranges read everything: an order inside serves both.",
        statements=sort("parcels_in_buckets", "`parcel_id`"),
    ),
    Truth(
        "orders_in_no_order",
        orders_in_no_order,
        each(
            "SELECT * FROM lake.db.orders_in_no_order WHERE order_id = {}",
            [1_000_003 + n * 377 for n in range(120)],
        ),
        sound=False,
        first=Change("order", ("order_id",), "order_id"),
        also_fine=(
            Change("partition", ("order_id",), "bucket(16..64, order_id)"),
            Change("bloom", ("order_id",), "for lookups of single orders"),
        ),
        harmful=(r"ADD PARTITION FIELD `?order_id`?;", r"customer_id"),
        share=(0.97, 0.995),
        why="Single orders are looked up, and each file holds numbers of the whole range.",
        statements=sort("orders_in_no_order", "`order_id`"),
    ),
    Truth(
        "accounts_with_soft_deletes",
        accounts_with_soft_deletes,
        each(
            "SELECT * FROM lake.db.accounts_with_soft_deletes WHERE account_id = {} AND NOT is_deleted",
            [9 + n * 301 for n in range(130)],
        ),
        sound=False,
        first=Change("order", ("account_id",), "account_id"),
        also_fine=(
            Change("partition", ("account_id",), "bucket(16..64, account_id)"),
            Change("bloom", ("account_id",), "account_id"),
        ),
        harmful=(r"PARTITION FIELD.*is_deleted", r"ORDERED BY `?is_deleted", r"balance"),
        share=(0.96, 0.99),
        why="Accounts are looked up one by one; nine in ten rows are not deleted, so the flag selects nothing, and it changes.",
        statements=sort("accounts_with_soft_deletes", "`account_id`"),
    ),
    Truth(
        "places",
        places,
        each(
            "SELECT * FROM lake.db.places WHERE x BETWEEN {} AND {} AND y BETWEEN {} AND {}",
            [
                (a := n * 7919 % 940_000, a + 100_000, b := n * 104_729 % 940_000, b + 100_000)
                for n in range(90)
            ],
        ),
        sound=False,
        first=Change("order", ("x", "y"), "zorder(x, y)"),
        also_fine=(
            Change("order", ("x", "y"), "hilbert(x, y)"),
            Change("order", ("x", "y"), "truncate(100000, x), y"),
        ),
        harmful=(r"ADD PARTITION FIELD `(x|y)`", r"ORDERED BY `?kind"),
        share=(0.92, 0.98),
        why="Boxes of a tenth by a tenth: a curve leaves a few files, a sort by one coordinate a tenth of all.",
        statements=curve("places", "zorder(`x`, `y`)"),
    ),
    Truth(
        "transfers",
        transfers,
        [
            *each(
                "SELECT * FROM lake.db.transfers WHERE sender = {}",
                [n * 641 % 65_536 for n in range(100)],
            ),
            *each(
                "SELECT * FROM lake.db.transfers WHERE receiver = {}",
                [n * 977 % 65_536 for n in range(100)],
            ),
        ],
        sound=False,
        first=Change("order", ("sender", "receiver"), "zorder(sender, receiver)"),
        also_fine=(
            Change("order", ("sender", "receiver"), "hilbert(sender, receiver)"),
            Change("order", ("sender", "receiver"), "truncate(6000..7000, sender), receiver"),
            Change("bloom", ("sender", "receiver"), "both, where the readers use them"),
            Change("partition", ("sender", "receiver"), "bucket(10, sender), bucket(10, receiver)"),
            Change(
                "partition",
                ("sender", "receiver"),
                "bucket(16, sender), sorted by receiver, or the other way round",
            ),
        ),
        harmful=(
            r"\A(?![\s\S]*bucket\()[\s\S]*ORDERED BY `(sender|receiver)`;",
            r"ADD PARTITION FIELD `(sender|receiver)`",
            r"cents",
        ),
        share=(0.82, 0.93),
        why="Half of the lookups are by one column and half by the other: a curve leaves each about a tenth, a plain sort one half nothing.",
        statements=curve("transfers", "zorder(`sender`, `receiver`)"),
    ),
    Truth(
        "purchases_two_groups",
        purchases_two_groups,
        [
            *each(
                "SELECT * FROM lake.db.purchases_two_groups WHERE customer_id = {}",
                [11 + n * 83 % 19_900 for n in range(200)],
            ),
            *each(
                "SELECT sum(price) FROM lake.db.purchases_two_groups WHERE bought_at >= TIMESTAMP '{}' AND bought_at < TIMESTAMP '{}'",
                [(instant(n % 24 * DAY), instant((n % 24 + 1) * DAY)) for n in range(400)],
            ),
        ],
        sound=False,
        first=Change(
            "partition",
            ("bought_at", "customer_id"),
            "days(bought_at), sorted by customer_id inside",
        ),
        also_fine=(
            Change(
                "order",
                ("customer_id", "bought_at"),
                "ranges of customer_id (truncate(2000..5000)), then bought_at: four fifths of it",
            ),
            Change("partition", ("customer_id",), "bucket(8, customer_id), rows in order of time"),
        ),
        harmful=(
            r"\A(?![\s\S]*days\()[\s\S]*ORDERED BY `customer_id`(, `bought_at`)?;",
            r"zorder\(|hilbert\(",
            r"ADD PARTITION FIELD `?customer_id",
            r"hours\(",
        ),
        share=(0.5, 0.75),
        why="A sort by customer alone makes 400 queries of a day read everything, and a Z-order of seconds and small numbers is one of time; days sorted by customer serve both.",
        statements=fields(
            "purchases_two_groups", "ADD PARTITION FIELD days(`bought_at`)", by="`customer_id`"
        ),
    ),
    Truth(
        "documents_by_uuid",
        documents_by_uuid,
        each(
            "SELECT * FROM lake.db.documents_by_uuid WHERE doc_id = '{}'",
            [random_uuids(92013, 80 * FILE_ROWS)[n * 397] for n in range(120)],
        ),
        sound=False,
        first=Change("order", ("doc_id",), "doc_id"),
        also_fine=(
            Change("partition", ("doc_id",), "bucket(16..64, doc_id)"),
            Change("bloom", ("doc_id",), "doc_id"),
        ),
        harmful=(r"ADD PARTITION FIELD `?doc_id", r"pages"),
        share=(0.97, 0.995),
        why="Random ids are in every file, and lookups are all that is asked: any order by id does, or buckets.",
        statements=sort("documents_by_uuid", "`doc_id`"),
    ),
    Truth(
        "sessions_by_last_seen",
        sessions_by_last_seen,
        [
            *each(
                "SELECT * FROM lake.db.sessions_by_last_seen WHERE device = 'dev-{:05d}'",
                [n * 47 % 6000 for n in range(100)],
            ),
            *each(
                "SELECT count(*) FROM lake.db.sessions_by_last_seen WHERE last_seen >= TIMESTAMP '{}' AND last_seen < TIMESTAMP '{}'",
                [(instant(n * DAY + 7200), instant(n * DAY + 10_800)) for n in range(1, 29)],
            ),
        ],
        sound=False,
        first=Change(
            "partition",
            ("device", "begin_at"),
            "bucket(8, device) in place of days(begin_at), or beside months(begin_at); rows stay in order of time",
        ),
        also_fine=(
            Change("order", ("device",), "device inside days(begin_at): half of the bytes"),
            Change(
                "partition",
                ("begin_at", "device"),
                "months(begin_at), sorted by device, or by ranges of it and begin_at",
            ),
            Change("bloom", ("device",), "device"),
        ),
        harmful=(r"ADD PARTITION FIELD `?device", r"PARTITION FIELD.*last_seen", r"hours\("),
        share=(0.45, 0.87),
        why="Lookups of a device read all 30 days; times are served by the order of rows, which buckets of devices keep, and no filter reads begin_at.",
        statements=fields(
            "sessions_by_last_seen",
            "REPLACE PARTITION FIELD days(`begin_at`) WITH bucket(8, `device`)",
        ),
    ),
)
