"""Columns of platforms whose bounds are cut short, left out, or of no help."""

from __future__ import annotations

import numpy as np

from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Commit, Layout
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    TARGET_BYTES,
    dates,
    day,
    each,
    instant,
    laid_out,
    loaded,
    rng,
    scaled,
    table,
    texts,
    times,
)

KEYS = 60 * FILE_ROWS


def _key(number: int) -> str:
    region = ("ap", "eu", "us")[number * 3 // KEYS]
    return f"{region}/clickstream/2026/{number * 7919 % 1000:03d}/{number:08d}.json"


def object_keys() -> Layout:
    """60 files in order of keys, of which three regions are told by what bounds keep."""
    return laid_out(table({"object_key": texts(sorted(map(_key, range(KEYS))))}))


def scored_loans() -> Layout:
    """120 columns, 30 days of a file each, and no bounds of what is behind the hundredth."""
    draw = rng(8402)
    count = 30 * FILE_ROWS
    columns = {"loaded_at": times(draw.uniform(0, 30 * DAY, count))}
    columns |= {f"f{number:03d}": np.zeros(count, np.int64) for number in range(1, 110)}
    columns |= {"risk_band": draw.integers(0, 12, count)}
    columns |= {f"f{number:03d}": np.zeros(count, np.int64) for number in range(111, 120)}
    rows = table(columns, row_bytes=8 * 120 + 80)
    partition = ("days(loaded_at)",)
    files = loaded(rows, partition, FILE_ROWS)
    return Layout((Commit(files, partition, ("risk_band",)),), partition, scaled(2 * TARGET_BYTES))


def features() -> Layout:
    """60 days of a file each, which has each of 600 entities once."""
    draw = rng(8403)
    return laid_out(
        table(
            {
                "ds": dates(np.repeat(np.arange(60), FILE_ROWS)),
                "entity_id": np.concatenate([draw.permutation(FILE_ROWS) for _ in range(60)]),
            }
        ),
        "ds",
    )


PAIRS = (
    # Bounds tell the region, and not which of its 20 files has a key.
    Pair(
        "keys_told_by_region_alone",
        object_keys,
        each(
            "SELECT * FROM lake.db.keys_told_by_region_alone WHERE object_key = '{}'",
            [_key(number) for number in range(500, KEYS, 900)],
        ),
        expected=(Expected("truncated_bounds", ("object_key",), (0.8, 0.97), True, False),),
        tempting={"unclustered_column": "files are in order of it"},
        never=("ORDERED BY", "PARTITION FIELD"),
    ),
    # A day is a file, with bounds of bands or without, and each file has each band.
    Pair(
        "bands_of_a_day_without_bounds",
        scored_loans,
        [
            *each(
                "SELECT count(*) FROM lake.db.bands_of_a_day_without_bounds WHERE risk_band = {}"
                " AND loaded_at >= TIMESTAMP '{}' AND loaded_at < TIMESTAMP '{}'",
                [(n % 12, instant(n * DAY), instant((n + 1) * DAY)) for n in range(30)],
            ),
            *each(
                "SELECT count(*) FROM lake.db.bands_of_a_day_without_bounds WHERE risk_band = {}"
                " AND loaded_at >= TIMESTAMP '{}' AND loaded_at < TIMESTAMP '{}'",
                [(n % 12, instant(n * DAY), instant((n + 7) * DAY)) for n in range(0, 23, 2)],
            ),
        ],
        tempting={
            "no_column_metrics": "each file has each band",
            "unclustered_column": "a day is a file",
        },
        never=("ORDERED BY", "PARTITION FIELD", "TBLPROPERTIES"),
    ),
    # Each day has each entity: nothing tells its file from others, and one is what a lookup reads.
    Pair(
        "features_of_an_entity",
        features,
        [
            *each(
                "SELECT * FROM lake.db.features_of_an_entity WHERE entity_id = {}"
                " AND ds = DATE '{}'",
                [(n * 3, day(59 - n % 5)) for n in range(200)],
            ),
            *each(
                "SELECT * FROM lake.db.features_of_an_entity WHERE ds BETWEEN DATE '{}'"
                " AND DATE '{}'",
                [(day(n), day(n + 29)) for n in range(0, 30, 5)],
            ),
        ],
        tempting={
            "row_groups_not_pruned": "a file has one, and each has each entity",
            "unclustered_column": "a day is a file",
        },
        never=("ORDERED BY", "PARTITION FIELD", "TBLPROPERTIES"),
    ),
)
