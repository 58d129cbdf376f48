"""Decimals, flags, keys as text, columns that are mostly null, and lists of values."""

from __future__ import annotations

import datetime as dt
import decimal
import hashlib

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Layout
from tests.workloads.rows import (
    FILE_ROWS,
    SPARK,
    START,
    dates,
    day,
    each,
    laid_out,
    repeated,
    rng,
    table,
    texts,
)

FILES = 60
COUNT = FILES * FILE_ROWS
END_OF_TIME = (dt.date.max - START.date()).days


def cents(values: npt.NDArray[np.int64]) -> pa.Array:
    """Decimals of two places, of so many hundredths."""
    made = [decimal.Decimal(int(value)).scaleb(-2) for value in values]
    return pa.array(made, pa.decimal128(10, 2))


def in_order_of_amount() -> Layout:
    """60 files in order of an amount from 0.00 to 999.99."""
    return laid_out(table({"amount": cents(np.sort(rng(341).integers(0, 100_000, COUNT)))}))


def flagged() -> Layout:
    """60 files; one row of 200 is a fraud, and one of 30 is deleted, anywhere."""
    draw = rng(342)
    return laid_out(
        table(
            {
                "is_fraud": draw.random(COUNT) < 0.005,
                "is_deleted": draw.random(COUNT) < 0.033,
                "n": np.arange(COUNT),
            }
        )
    )


def kept_and_deleted() -> Layout:
    """A partition of two files that are deleted, one row of 30, and one of 58 that are not."""
    draw = rng(344)
    rows = {"is_deleted": draw.random(COUNT) < 0.033, "n": np.arange(COUNT)}
    return laid_out(table(rows), "is_deleted")


def session(number: int) -> str:
    """A key as text that looks like a random UUID."""
    text = hashlib.md5(str(number).encode(), usedforsecurity=False).hexdigest()
    return "-".join([text[:8], text[8:12], text[12:16], text[16:20], text[20:]])


def sessions() -> Layout:
    """60 files of sessions as they come, each with ten rows, which came together."""
    keys = [session(number // 10) for number in range(COUNT)]
    return laid_out(table({"session": texts(keys), "n": np.arange(COUNT)}))


def refunds() -> Layout:
    """60 files; one order of 50 has a refund, whose number is any."""
    draw = rng(343)
    numbers = draw.permutation(COUNT)
    refund = pa.array(np.where(draw.random(COUNT) < 0.02, numbers, -1), pa.int64())
    known = pc.if_else(pc.less(refund, 0), None, refund)
    return laid_out(table({"refund_id": known, "amount": np.arange(COUNT)}))


def versions() -> Layout:
    """60 files in order of `valid_from`, with 36 versions of 1,000 things; the last version of each
    is valid until the end of time, and one of ten things has just been seen for the last time."""
    draw = rng(344)
    thing = np.repeat(np.arange(1_000), 36)
    start = draw.uniform(0, 360, len(thing))
    start = start[np.lexsort((start, thing))]
    end = np.append(start[1:], 0.0)
    last = np.arange(len(thing)) % 36 == 35
    until = np.where(last, END_OF_TIME, end)
    order = np.argsort(start, kind="stable")
    return laid_out(
        table(
            {
                "thing": thing[order],
                "valid_from": dates(start[order]),
                "valid_to": dates(until[order]),
            }
        )
    )


def current_anywhere() -> Layout:
    """60 files, one row of ten in each of which is the current one of its key."""
    draw = rng(345)
    closed = draw.random(COUNT) < 0.9
    until = pa.array(np.where(closed, draw.integers(0, 360, COUNT), 0).astype(np.int32), pa.int32())
    until = pc.add(until, pa.scalar(20_454, pa.int32())).cast(pa.date32())
    return laid_out(
        table(
            {
                "key": draw.integers(0, 3_000, COUNT),
                "valid_to": pc.if_else(pa.array(closed), until, None),
            }
        )
    )


def mostly_current() -> Layout:
    """60 files; 29 rows of 30 were never deleted."""
    draw = rng(346)
    gone = pa.array(draw.random(COUNT) < 0.033)
    when = dates(draw.integers(0, 360, COUNT))
    return laid_out(table({"deleted_on": pc.if_else(gone, when, None), "n": np.arange(COUNT)}))


def by_maker() -> Layout:
    """A partition for each of eight makers, the first two letters of an article, of five files."""
    draw = rng(347)
    makers = np.array(["AB", "BC", "CD", "DE", "EF", "FG", "GH", "HI"])
    maker = makers[draw.integers(0, 8, 40 * FILE_ROWS)]
    number = draw.integers(0, 50_000, len(maker))
    skus = [f"{a}-{b:06d}" for a, b in zip(maker, number, strict=True)]
    return laid_out(table({"sku": texts(skus), "n": np.arange(len(skus))}), "truncate(2, sku)")


def in_order_of_id() -> Layout:
    """60 files in order of a number."""
    return laid_out(table({"order_id": np.arange(COUNT) * 3, "n": np.arange(COUNT)}))


def ids_anywhere() -> Layout:
    """60 files of numbers as they come."""
    return laid_out(table({"order_id": rng(348).permutation(COUNT) * 3, "n": np.arange(COUNT)}))


def _in_list(first: int, step: int, count: int) -> str:
    return ", ".join(str(first + number * step) for number in range(count))


PAIRS = (
    # Five rows of a thousand match, in one file of 60. Casting the column to a double hides it.
    Pair(
        "decimal_and_double",
        in_order_of_amount,
        repeated(
            "SELECT count(*) FROM lake.db.decimal_and_double WHERE amount > 995.5e0", 6, **SPARK
        ),
        expected=(
            Expected("wrapped_column|type_mismatch", ("amount",), (0.92, 0.99), statements=False),
        ),
        tempting={"unclustered_column": "files are in order of the amount"},
    ),
    Pair(
        "decimal_and_whole_number",
        in_order_of_amount,
        [
            *repeated(
                "SELECT count(*) FROM lake.db.decimal_and_whole_number WHERE amount > 995",
                6,
                **SPARK,
            ),
            *repeated(
                "SELECT count(*) FROM lake.db.decimal_and_whole_number"
                " WHERE amount BETWEEN 10 AND 19.99",
                6,
            ),
        ],
        tempting={
            "type_mismatch": "only the literal is cast",
            "wrapped_column": "only the literal is cast",
        },
    ),
    # 180 rows of 36,000, three in each file.
    Pair(
        "frauds",
        flagged,
        repeated("SELECT * FROM lake.db.frauds WHERE is_fraud = true", 10),
        expected=(Expected("unclustered_column", ("is_fraud",), (0.9, 0.99), True, False),),
    ),
    Pair(
        "not_deleted",
        flagged,
        [
            *repeated("SELECT sum(n) FROM lake.db.not_deleted WHERE NOT is_deleted", 6),
            *repeated("SELECT sum(n) FROM lake.db.not_deleted WHERE is_deleted = false", 6),
        ],
        tempting={
            "negated_condition": "29 rows of 30 match",
            "unclustered_column": "29 rows of 30 match",
        },
    ),
    Pair(
        "deleted_and_known_to_be",
        kept_and_deleted,
        [
            *repeated(
                "SELECT sum(n) FROM lake.db.deleted_and_known_to_be"
                " WHERE coalesce(is_deleted, false) = true",
                6,
            ),
            *repeated(
                "SELECT sum(n) FROM lake.db.deleted_and_known_to_be"
                " WHERE CAST(is_deleted AS integer) = 1 AND n > 0",
                6,
            ),
        ],
        expected=(
            Expected(
                "wrapped_column", ("is_deleted",), (0.45, 0.5), False, True, ("around|wraps",)
            ),
            Expected("wrapped_column", ("is_deleted",), (0.45, 0.5), False, True),
        ),
        unsaid=("another type",),
    ),
    Pair(
        "not_known_to_be_deleted",
        kept_and_deleted,
        [
            *repeated(
                "SELECT sum(n) FROM lake.db.not_known_to_be_deleted"
                " WHERE NOT coalesce(is_deleted, false)",
                6,
            ),
            *repeated(
                "SELECT sum(n) FROM lake.db.not_known_to_be_deleted"
                " WHERE coalesce(is_deleted, false) = false",
                6,
                **SPARK,
            ),
        ],
        tempting={
            "wrapped_column": "29 rows of 30 match",
            "negated_condition": "29 rows of 30 match",
        },
    ),
    # A session is in one file or two; bounds of random keys hold everything.
    Pair(
        "sessions_by_key",
        sessions,
        each(
            "SELECT * FROM lake.db.sessions_by_key WHERE session = '{}'",
            map(session, range(30, 3_600, 300)),
        ),
        expected=(Expected("unclustered_column", ("session",), (0.9, 0.99)),),
    ),
    Pair(
        "refunds_by_number",
        refunds,
        each(
            "SELECT * FROM lake.db.refunds_by_number WHERE refund_id = {}", range(9, 36_000, 2_900)
        ),
        expected=(Expected("unclustered_column", ("refund_id",), (0.9, 0.99), True, False),),
    ),
    # What holds on a day: files up to it by `valid_from`, of which those long before hold little.
    # Sorted by `valid_to` it is the same from the other side.
    Pair(
        "as_of_a_day",
        versions,
        each(
            "SELECT count(*) FROM lake.db.as_of_a_day"
            " WHERE valid_from <= DATE '{0}' AND valid_to > DATE '{0}'",
            map(day, range(60, 350, 20)),
        ),
        # A sort by either end trades one for the other; an order by both saves 29 %.
        allowed=(Expected("unclustered_column", ("valid_from", "valid_to"), (0.25, 0.33), True),),
    ),
    # The latest versions: 1,000 rows of 36,000, most of them of the last two months.
    Pair(
        "closed_by_the_end_of_time",
        versions,
        repeated(
            "SELECT count(*) FROM lake.db.closed_by_the_end_of_time"
            f" WHERE valid_to = DATE '{day(END_OF_TIME)}'",
            10,
        ),
        # Eleven files or so of 60 hold some; sorted by `valid_to`, the last two would.
        expected=(Expected("unclustered_column", ("valid_to",), (0.5, 0.92), True, False),),
    ),
    # One row of ten, in each file; nulls come together by a sort.
    Pair(
        "current_versions",
        current_anywhere,
        repeated("SELECT count(*) FROM lake.db.current_versions WHERE valid_to IS NULL", 10),
        expected=(Expected("unclustered_column", ("valid_to",), (0.75, 0.9), True, False),),
    ),
    Pair(
        "never_deleted",
        mostly_current,
        repeated("SELECT sum(n) FROM lake.db.never_deleted WHERE deleted_on IS NULL", 10),
        tempting={"unclustered_column": "29 rows of 30 match"},
    ),
    # An article is in all five files of its maker.
    Pair(
        "articles",
        by_maker,
        each(
            "SELECT * FROM lake.db.articles WHERE sku = '{}-{:06d}'",
            [(maker, 1_000 * n) for n in range(3) for maker in ("AB", "CD", "EF", "HI")],
        ),
        expected=(Expected("unclustered_column|partitions_too_coarse", ("sku",), (0.55, 0.82)),),
        never=("DROP",),
    ),
    Pair(
        "articles_of_makers",
        by_maker,
        each("SELECT count(*) FROM lake.db.articles_of_makers WHERE sku LIKE '{}-%'", ["AB", "HI"]),
        tempting={
            "like_without_prefix": "it has a prefix",
            "unclustered_column": "all that is read matches",
        },
    ),
    # Lists of neighbours need one file; scattered ones need a file for each value, in any order.
    Pair(
        "lists_in_order",
        in_order_of_id,
        [
            *each(
                "SELECT * FROM lake.db.lists_in_order WHERE order_id IN ({})",
                [_in_list(first, 3, 20) for first in range(300, 100_000, 9_000)],
            ),
            *each(
                "SELECT * FROM lake.db.lists_in_order WHERE order_id IN ({})",
                [_in_list(first, 5_250, 20) for first in range(0, 60, 6)],
            ),
        ],
        tempting={"unclustered_column": "no order is better", "long_in_list": "20 values"},
    ),
    # Twenty scattered values are in 17 files of 60 that are in order: seven bytes of ten.
    Pair(
        "lists_anywhere",
        ids_anywhere,
        each(
            "SELECT * FROM lake.db.lists_anywhere WHERE order_id IN ({})",
            [_in_list(first, 5_250, 20) for first in range(0, 60, 6)],
        ),
        expected=(Expected("unclustered_column", ("order_id",), (0.55, 0.8), True, False),),
    ),
)
