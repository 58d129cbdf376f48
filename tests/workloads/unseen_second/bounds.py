"""Columns that have no bounds, or bounds that say nothing."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tests.workloads.physical import Layout
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    dates,
    each,
    laid_out,
    rng,
    table,
    texts,
    times,
)
from tests.workloads.unseen.truth import Change, Truth, metrics, rewrite
from tests.workloads.unseen_second.asked import windows, within


def permits_by_code() -> Layout:
    """Three months of 25 files, in order of the code inside, of which no metrics are kept."""
    draw = rng(84004)
    count = 75 * FILE_ROWS
    month = np.arange(count) // (25 * FILE_ROWS)
    code = np.sort(draw.permutation(90_000)[:count].reshape(3, -1), axis=1).reshape(-1)
    return laid_out(
        table(
            {
                "code": texts(code, "DE-{:07d}"),
                "issued_on": dates(month * 31 + draw.integers(0, 28, count)),
                "fee": draw.integers(1, 900, count),
            }
        ),
        "months(issued_on)",
        properties={"write.metadata.metrics.column.code": "none"},
    )


def sluice_gates() -> Layout:
    """70 files in order of time, of which an importer wrote the first 50 without bounds."""
    draw = rng(84005)
    count = 70 * FILE_ROWS
    rows = table(
        {
            "level_at": times(np.sort(draw.uniform(0, 70 * DAY, count))),
            "gate": draw.integers(0, 40, count),
            "level": draw.integers(0, 900, count),
        }
    )
    old, new = laid_out(rows[: 50 * FILE_ROWS]), laid_out(rows[50 * FILE_ROWS :])
    imported = (replace(commit, unbounded=("level_at",)) for commit in old.commits)
    return replace(new, commits=(*imported, *new.commits))


def door_openings() -> Layout:
    """84 files in order of time; badges come in any order, and have no metrics."""
    draw = rng(84006)
    count = 84 * FILE_ROWS
    return laid_out(
        table(
            {
                "badge": draw.integers(0, 10_000, count),
                "opened_at": times(np.sort(draw.uniform(0, 28 * DAY, count))),
                "door": draw.integers(0, 60, count),
            }
        ),
        properties={"write.metadata.metrics.column.badge": "none"},
    )


def tags_by_urn() -> Layout:
    """72 files in no order of names that begin with the same 24 characters."""
    draw = rng(84007)
    count = 72 * FILE_ROWS
    return laid_out(
        table(
            {
                "urn": texts(draw.integers(0, 40_000, count), "urn:epc:id:sgtin:061414.{:05d}"),
                "antenna": draw.integers(0, 30, count),
            }
        )
    )


PAIRS = (
    Truth(
        "permits_by_code",
        permits_by_code,
        each(
            "SELECT fee FROM lake.db.permits_by_code WHERE code = 'DE-{:07d}'"
            " AND issued_on >= DATE '{}' AND issued_on < DATE '{}'",
            [
                (
                    n * 719 % 90_000,
                    *(
                        ("2026-01-01", "2026-02-01"),
                        ("2026-02-01", "2026-03-01"),
                        ("2026-03-01", "2026-04-01"),
                    )[n % 3],
                )
                for n in range(120)
            ],
        ),
        sound=False,
        first=Change("bounds", ("code",), "metrics of code (full), files rewritten in their order"),
        also_fine=(
            Change("order", ("code",), "the same, with an order by code"),
            Change("partition", ("code",), "bucket(16, code) beside months, which needs no bounds"),
            Change("bloom", ("code",), "code"),
        ),
        harmful=(
            r"ADD PARTITION FIELD `?code",
            r"ORDERED BY `?(fee|issued_on)",
            r"metrics\.default",
        ),
        share=(0.92, 0.98),
        why="A month's 25 files are in order of the code, of which they have no bounds: with them, 1 is left.",
        statements=metrics("permits_by_code", "code", "full", "`code`"),
    ),
    Truth(
        "sluice_gates",
        sluice_gates,
        each(
            f"SELECT gate, max(level) FROM lake.db.sluice_gates WHERE {within('level_at')} GROUP BY gate",
            windows(n * 3 % 70 for n in range(140)),
        ),
        sound=False,
        first=Change("rewrite_some", ("level_at",), "rewrite the 50 files that have no bounds"),
        also_fine=(
            Change("bounds", ("level_at",), "the same, and the property set for writers to come"),
            Change("order", ("level_at",), "the rewrite, sorted by level_at"),
            Change("partition", ("level_at",), "days(level_at): a file each"),
        ),
        harmful=(r"hours\(", r"PARTITION FIELD.*gate", r"ORDERED BY `?(gate|level)`"),
        share=(0.94, 0.98),
        why="Rows are in order of time, and 20 files with bounds prune; 50 without are read by every query.",
        statements=(rewrite("sluice_gates"),),
    ),
    Truth(
        "door_openings",
        door_openings,
        [
            *each(
                "SELECT count(*) FROM lake.db.door_openings WHERE badge BETWEEN {} AND {}",
                [(n * 83 % 99 * 100, n * 83 % 99 * 100 + 99) for n in range(120)],
            ),
            *each(
                f"SELECT door, count(*) FROM lake.db.door_openings WHERE {within('opened_at')} GROUP BY door",
                windows(n * 5 % 28 for n in range(12)),
            ),
        ],
        sound=False,
        first=Change("bounds", ("badge",), "metrics of badge (full), and a sort by it"),
        also_fine=(
            Change("order", ("badge",), "the same: the order and the property"),
            Change(
                "order", ("badge", "opened_at"), "ranges of badge, then opened_at, and the property"
            ),
        ),
        harmful=(
            r"bucket\(",
            r"ADD PARTITION FIELD `?(badge|door)",
            r"ORDERED BY `?(door|opened_at)`?;",
        ),
        share=(0.84, 0.92),
        why="120 of 132 queries want a hundredth of the badges, in no file's bounds: 2 of 84 files are left once there "
        "are bounds and an order; twelve by time read on. 120 * 2 + 12 * 84 of 10,100.",
        statements=metrics("door_openings", "badge", "full", "`badge`"),
    ),
    Truth(
        "tags_by_urn",
        tags_by_urn,
        each(
            "SELECT urn, antenna FROM lake.db.tags_by_urn WHERE urn LIKE 'urn:epc:id:sgtin:061414.{:03d}%'",
            [n * 37 % 400 for n in range(110)],
        ),
        sound=False,
        first=Change("bounds", ("urn",), "truncate(29) or more of urn, and a sort by it"),
        also_fine=(Change("order", ("urn",), "the same: the order and the property"),),
        harmful=(
            r"bucket\(",
            r"truncate\((1?\d|2[0-4]), ?`?urn",
            r"ADD PARTITION FIELD `?urn",
            r"ORDERED BY `?antenna",
            r"bloom",
        ),
        share=(0.95, 0.99),
        why="Bounds keep 16 characters, the same of all; and rows are in no order. A prefix has a four-hundredth of the "
        "rows, 1 or 2 of 72 files with longer bounds and a sort. Neither alone wins anything.",
        statements=metrics("tags_by_urn", "urn", "truncate(64)", "`urn`"),
    ),
)
