"""Texts that engines compute of constants, before they plan."""

from __future__ import annotations

import hashlib

import numpy as np

from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Layout
from tests.workloads.rows import FILE_ROWS, SPARK, day_text, each, laid_out, rng, table, texts

_FILES = 40


def days_as_text() -> Layout:
    """A partition for each of 40 days, as digits, which is one file."""
    days = np.repeat(np.arange(_FILES), FILE_ROWS)
    return laid_out(
        table({"dt": day_text(days, "%Y%m%d"), "n": np.arange(len(days))}, 941),
        "dt",
    )


def hashed_mail() -> Layout:
    """MD5 of 40,000 addresses, in no order, in 40 files."""
    count = _FILES * FILE_ROWS
    hashes = [_hashed(int(number)) for number in rng(942).permutation(count)]
    return laid_out(table({"mail_md5": texts(hashes), "n": np.arange(count)}, 942))


def _hashed(number: int) -> str:
    return hashlib.md5(f"user{number}@example.com".encode(), usedforsecurity=False).hexdigest()


_DAYS = ("2026-01-03", "2026-01-11", "2026-01-19", "2026-01-27")
_USERS = (5, 777, 4_004, 12_345, 20_111)

PAIRS = (
    # What dashboards make of a date is one partition to both engines.
    Pair(
        "computed_days",
        days_as_text,
        [
            query
            for condition, settings in (
                ("dt = regexp_replace('{}', '-', '')", {}),
                ("dt = array_join(split('{}', '-'), '')", {}),
                ("dt = translate(trim(' {}'), '-', '')", SPARK),
                ("dt = concat_ws('', split('{}', '-'))", SPARK),
            )
            for query in each(
                f"SELECT sum(n) FROM lake.db.computed_days WHERE {condition}",
                _DAYS,
                **settings,
            )
        ],
        tempting={
            "no_partition_filter": "the day is computed before anything is planned",
            "wrapped_column": "no function is around a column",
        },
        never=(r"ALTER|CALL",),
    ),
    # So is what is looked up by its hash, for which the table has no order.
    Pair(
        "looked_up_by_hash",
        hashed_mail,
        [
            *each(
                "SELECT * FROM lake.db.looked_up_by_hash WHERE mail_md5 ="
                " lower(to_hex(md5(to_utf8('user{}@example.com'))))",
                _USERS,
            ),
            *each(
                "SELECT * FROM lake.db.looked_up_by_hash WHERE mail_md5 ="
                " md5(concat('user{}', '@example.com'))",
                _USERS,
                **SPARK,
            ),
        ],
        expected=(Expected("unclustered_column", ("mail_md5",), (0.8, 0.99), True),),
        tempting={"wrapped_column": "no function is around a column"},
    ),
)
