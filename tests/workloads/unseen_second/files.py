"""Buckets, late rows, files of an older spec, filters inside of files, small files, manifests."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pyarrow as pa

from tests.workloads.physical import Layout
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    each,
    laid_out,
    repeated,
    rng,
    table,
    texts,
    times,
)
from tests.workloads.unseen.truth import Change, Truth, fields, rewrite, sort
from tests.workloads.unseen_second.asked import windows, within


def policies_in_buckets() -> Layout:
    """Twelve buckets of policies, of eight files each, in no order inside."""
    draw = rng(84001)
    count = 96 * FILE_ROWS
    return laid_out(
        table(
            {
                "policy_id": draw.integers(0, 30_000, count),
                "changed_at": times(draw.uniform(0, 40 * DAY, count)),
                "premium": draw.integers(1, 900, count),
            }
        ),
        "bucket(12, policy_id)",
    )


def glacier_buoys() -> Layout:
    """100 files in the order of arrival, a file a day; one row in ten is up to 30 days late."""
    draw = rng(84002)
    count = 100 * FILE_ROWS
    measured = draw.uniform(0, 100 * DAY, count)
    late = np.where(draw.random(count) < 0.1, draw.uniform(0, 30 * DAY, count), 0)
    order = np.argsort(measured + late)
    return laid_out(
        table(
            {
                "measured_at": times(measured[order]),
                "buoy": draw.integers(0, 70, count),
                "depth": draw.integers(0, 900, count),
            }
        )
    )


def meters_of_months_then_days() -> Layout:
    """Two months of 30 files under an old spec, in no order, and 15 days of two files."""
    draw = rng(84003)
    old = laid_out(_meters(draw.uniform(0, 59 * DAY - 1, 60 * FILE_ROWS), draw), "months(read_at)")
    new = laid_out(_meters(draw.uniform(59 * DAY, 74 * DAY, 30 * FILE_ROWS), draw), "days(read_at)")
    return replace(new, commits=(*old.commits, *new.commits))


def _meters(seconds: np.ndarray, draw: np.random.Generator) -> pa.Table:
    return table(
        {
            "read_at": times(seconds),
            "meter": draw.integers(0, 9000, len(seconds)),
        }
    )


def transactions_by_hash() -> Layout:
    """96 files of 24 days in order of time, whose transactions have random numbers."""
    draw = rng(84008)
    count = 96 * FILE_ROWS
    return laid_out(
        table(
            {
                "mined_at": times(np.sort(draw.uniform(0, 24 * DAY, count))),
                "txn": draw.permutation(count) * 7919 + 10_000_000,
                "gas": draw.integers(1, 90_000, count),
            }
        )
    )


def tram_beacons() -> Layout:
    """260 commits of a fifteenth of a file each, read whole."""
    draw = rng(84009)
    count = 260 * 40
    return laid_out(
        table({"line": draw.integers(0, 30, count), "stop": draw.integers(0, 400, count)}),
        commits=260,
        file_rows=40,
    )


def prices_by_market() -> Layout:
    """Fourteen markets of twelve good files, one of each of twelve loads."""
    draw = rng(84010)
    count = 14 * 12 * 540
    market = draw.permutation(np.tile(np.arange(14), count // 14))
    return laid_out(
        table(
            {
                "market": texts(market, "m{:02d}"),
                "article": draw.integers(0, 9000, count),
            }
        ),
        "market",
        commits=12,
        file_rows=1000,
        properties={"commit.manifest.target-size-bytes": "6000"},
    )


PAIRS = (
    Truth(
        "policies_in_buckets",
        policies_in_buckets,
        [
            *each(
                "SELECT p.premium, c.cents FROM lake.db.policies_in_buckets AS p JOIN stage.db.claims AS c"
                " ON p.policy_id = c.policy_id WHERE p.policy_id = {}",
                [n * 197 % 30_000 for n in range(100)],
            ),
            *each(
                f"SELECT sum(premium) FROM lake.db.policies_in_buckets WHERE {within('changed_at')}",
                windows(n * 7 % 40 for n in range(80)),
            ),
        ],
        sound=False,
        first=Change("order", ("changed_at",), "changed_at inside the buckets"),
        also_fine=(Change("order", ("changed_at", "policy_id"), "changed_at, policy_id"),),
        harmful=(
            r"DROP PARTITION FIELD|REPLACE PARTITION FIELD",
            r"ORDERED BY `?(premium|policy_id)`?;",
            r"hours\(|ADD PARTITION FIELD `",
        ),
        share=(0.72, 0.84),
        why="Buckets serve lookups and joins by the policy, and stay. A day is in all 96 files: sorted inside, each of "
        "twelve buckets has it in 1.2 of 8: (100 * 8 + 80 * 14.4) of 8,480.",
        statements=sort("policies_in_buckets", "`changed_at`"),
    ),
    Truth(
        "glacier_buoys",
        glacier_buoys,
        each(
            f"SELECT buoy, avg(depth) FROM lake.db.glacier_buoys WHERE {within('measured_at')} GROUP BY buoy",
            windows(n * 3 % 97 for n in range(97)),
        ),
        sound=False,
        first=Change("partition", ("measured_at",), "days(measured_at)"),
        also_fine=(
            Change(
                "order", ("measured_at",), "measured_at: three points less, until more comes late"
            ),
        ),
        harmful=(r"hours\(", r"PARTITION FIELD.*buoy", r"ORDERED BY `?(buoy|depth)"),
        share=(0.9, 0.97),
        why="Each file has rows of the 30 days before, so a day reads 25 or 30 of 100 files. A day fills one, and what "
        "comes late finds its partition; an order has to be made again.",
        statements=fields("glacier_buoys", "ADD PARTITION FIELD days(`measured_at`)"),
    ),
    Truth(
        "meters_of_months_then_days",
        meters_of_months_then_days,
        each(
            f"SELECT count(*) FROM lake.db.meters_of_months_then_days WHERE {within('read_at')}",
            windows(n % 74 for n in range(148)),
        ),
        sound=False,
        first=Change("rewrite_some", ("read_at",), "rewrite the files of the old spec"),
        also_fine=(Change("order", ("read_at",), "the rewrite, sorted by read_at"),),
        harmful=(r"(DROP|REPLACE) PARTITION FIELD", r"hours\(", r"ORDERED BY `?meter"),
        share=(0.9, 0.97),
        why="A day of the old months reads 30 files, of the new days two. Rewritten, an old day is one.",
        statements=(rewrite("meters_of_months_then_days"),),
    ),
    Truth(
        "transactions_by_hash",
        transactions_by_hash,
        [
            *each(
                "SELECT * FROM lake.db.transactions_by_hash WHERE txn = {}",
                [10_000_000 + 7919 * (n * 1801 % 57_000) for n in range(30)],
            ),
            *each(
                f"SELECT sum(gas) FROM lake.db.transactions_by_hash WHERE {within('mined_at')}",
                windows((n * 7 % 570 / 24 for n in range(420)), 1 / 24),
            ),
        ],
        sound=False,
        first=Change("bloom", ("txn",), "bloom filters of txn, rows as they are"),
        also_fine=(),
        harmful=(
            r"\A(?![\s\S]*days\()[\s\S]*ORDERED BY `?txn",
            r"PARTITION FIELD.*txn",
            r"zorder|hilbert",
        ),
        share=(0.6, 0.88),
        why="30 lookups read 96 files each (2,880), 420 hours one each, in order of time (500). An order by number ruins "
        "the hours; filters leave a lookup one file, and the filters themselves.",
    ),
    Truth(
        "tram_beacons",
        tram_beacons,
        repeated("SELECT line, stop, count(*) FROM lake.db.tram_beacons GROUP BY line, stop", 60),
        sound=False,
        first=Change("rewrite_some", (), "merge small files, and commit less often"),
        also_fine=(Change("manifests", (), "and their manifests"),),
        harmful=(r"PARTITION FIELD", r"ORDERED BY"),
        share=(0.0, 0.03),
        why="Everything is read, from 260 files that fit into 17: requests are saved, not bytes.",
        statements=(
            "CALL `lake`.system.rewrite_data_files(table => '`lake`.`db`.`tram_beacons`', options => map('min-input-files', '2'));",
        ),
    ),
    Truth(
        "prices_by_market",
        prices_by_market,
        each(
            "SELECT count(*) FROM lake.db.prices_by_market WHERE market = 'm{:02d}'",
            [n % 14 for n in range(98)],
        ),
        sound=False,
        first=Change("manifests", (), "rewrite_manifests"),
        also_fine=(Change("nothing"),),
        harmful=(r"PARTITION FIELD", r"ORDERED BY", r"rewrite_data_files"),
        share=(0.0, 0.0),
        why="A market's twelve files are listed in twelve manifests, all of which are opened; its data files "
        "are good, and all of their rows match.",
        statements=(
            "CALL `lake`.system.rewrite_manifests(table => '`lake`.`db`.`prices_by_market`');",
        ),
    ),
)
