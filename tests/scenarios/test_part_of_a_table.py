"""Rewrites of part of a table: what scans of its newest days save by one, beside a rewrite of all
of it."""

from __future__ import annotations

import datetime as dt
import re

import pytest

from tests.scenarios.lake import Lake, Query, bytes_kept

pytestmark = [pytest.mark.slow, pytest.mark.exhaustive]

DAYS, FILES, ROWS = 20, 8, 200
FIRST = dt.date(2026, 3, 1)
A_FIFTH = 310_000
"""Bytes: a little more than four days have."""


def create(lake: Lake, table: str, kind: str) -> None:
    """Twenty days of eight files each, in each of which are any customers."""
    rows, first = FILES * ROWS, (FIRST - dt.date(1970, 1, 1)).days
    moment = f"timestamp_seconds(({first} + id div {rows}) * 86400 + id % 86400)"
    field = "at" if kind == "DATE" else "days(at)"
    lake.sql(
        f"CREATE TABLE lake.db.{table} (at {kind}, customer BIGINT, note STRING) USING iceberg "
        f"PARTITIONED BY ({field}) TBLPROPERTIES ('write.target-file-size-bytes' = '9000', "
        "'write.distribution-mode' = 'none')",
        f"INSERT INTO lake.db.{table} SELECT CAST({moment} AS {kind}), (id * 7919) % 6000, "
        f"sha2(CAST(id AS STRING), 256) FROM range(0, {DAYS * rows}, 1, {DAYS * FILES})",
    )


def queries(table: str, kind: str) -> list[Query]:
    """Customers of days, of which each is asked for half as often as the next one, and no less than
    once."""
    keyword = "TIMESTAMP_NTZ" if kind == "TIMESTAMP_NTZ" else kind
    found = []
    for age in range(DAYS):
        start = FIRST + dt.timedelta(days=DAYS - 1 - age)
        ends = (start, start + dt.timedelta(days=1))
        low, high = (f"{keyword} '{end}'" for end in ends)
        found += [
            Query(
                f"SELECT * FROM {table} WHERE at >= {low} AND at < {high} AND customer = {number}",
                engine="spark",
                engine_version="4.1.0",
                iceberg_version="1.11.0",
            )
            for number in range(7, 6000, 6000 // max(1, 128 >> age))
        ]
    return found


def files_of_days(lake: Lake, table: str) -> dict[dt.date, set[str]]:
    """The paths of the data files of each day."""
    found: dict[dt.date, set[str]] = {}
    for (day,), path in lake.sql(f"SELECT partition, file_path FROM lake.db.{table}.files"):
        found.setdefault(dt.date.fromisoformat(day), set()).add(path)
    return found


@pytest.mark.parametrize("kind", ["TIMESTAMP", "TIMESTAMP_NTZ", "DATE"])
def test_a_fifth_of_the_bytes_saves_most_of_what_all_of_them_do(lake: Lake, kind: str) -> None:
    """Sessions far from UTC write the same days anew, in which partitions are."""
    table = f"newest_{kind.lower()}"
    create(lake, table, kind)
    asked = queries(table, kind)
    before, files = (
        lake.audit(*asked, advice={"rewrite_bytes_per_night": A_FIFTH}),
        files_of_days(lake, table),
    )
    (finding,) = before.findings
    ordered, rewrite = finding.fix.spark

    lake.sql("SET TIME ZONE 'America/New_York'", ordered)
    ((_, _, part_bytes, *_),) = lake.sql(rewrite)
    lake.sql("SET TIME ZONE 'UTC'")
    of_part, now = lake.audit(*asked), files_of_days(lake, table)
    # Of the last four days, a fifth, 15 of 16 scans ask; of three, 7 of 8. Which files are
    # sampled, and so which of both seems to win more, hangs on their names, which Spark makes anew.
    written = sorted(day for day, paths in now.items() if paths != files[day])
    newest = [FIRST + dt.timedelta(days=number) for number in range(DAYS - len(written), DAYS)]
    assert written == newest
    assert len(written) in (3, 4)

    whole = re.sub(r"where => '.*', options", "options", rewrite)
    ((_, _, all_bytes, *_),) = lake.sql(whole)
    of_all = lake.audit(*asked)

    saved = [bytes_kept(before) - bytes_kept(after) for after in (of_part, of_all)]
    assert part_bytes <= min(A_FIFTH, 0.21 * all_bytes)
    assert saved[0] > 0.8 * saved[1]
    assert finding.bytes_at_stake == pytest.approx(saved[0], abs=0.1 * bytes_kept(before))
