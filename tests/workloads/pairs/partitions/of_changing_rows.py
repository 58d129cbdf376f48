"""Partitions of rows that are changed, closed or moved, of skewed buckets and of several fields."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from tests.scenarios.lake import Query
from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Commit, Layout
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
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


def days_and_buckets() -> Layout:
    """30 days of four buckets of half a file each."""
    draw = rng(28_001)
    count = 60 * FILE_ROWS
    return laid_out(
        table(
            {
                "ts": times(draw.uniform(0, 30 * DAY, count)),
                "member": draw.integers(0, 5000, count),
            }
        ),
        "days(ts)",
        "bucket(4, member)",
    )


def regions_and_days() -> Layout:
    """Three regions of 59 days (two months) of 40 rows each, of a store that is slow to open a
    file."""
    draw = rng(28_002)
    count = 3 * 59 * 40
    return laid_out(
        table(
            {
                "region": texts(np.arange(count) % 3, "R{}"),
                "ts": times(draw.uniform(0, 59 * DAY, count)),
            }
        ),
        "region",
        "days(ts)",
        properties={"read.split.open-file-cost": "4000"},
    )


def changed_rows() -> Layout:
    """60 days of creation, of a file each; each row was changed at any time since."""
    draw = rng(28_003)
    count = 60 * FILE_ROWS
    created = draw.uniform(0, 60 * DAY, count)
    changed = created + draw.uniform(0, 1, count) * (60 * DAY - created)
    return laid_out(
        table({"created_at": times(created), "updated_at": times(changed)}), "days(created_at)"
    )


def closed_cases() -> Layout:
    """30 days of a file each in which cases were closed, and 30 files of open ones."""
    draw = rng(28_004)
    count = 60 * FILE_ROWS
    micros = times(draw.uniform(0, 30 * DAY, count)).cast(pa.int64()).to_numpy()
    is_open = np.arange(count) % 2 == 0
    return laid_out(
        table(
            {
                "closed_at": pa.array(micros, mask=is_open).cast(pa.timestamp("us")),
                "case_id": np.arange(count),
            }
        ),
        "days(closed_at)",
    )


def years_months_days() -> Layout:
    """A year in one partition, six months of four files each, and 40 days: three specs."""
    draw = rng(28_005)
    commits = []
    for number, (by, start, end, files) in enumerate(
        (("years", -365, 0, 20), ("months", 0, 181, 24), ("days", 181, 221, 40))
    ):
        rows = table(
            {"ts": times(draw.uniform(start * DAY, end * DAY - 1, files * FILE_ROWS))}, number
        )
        term = (f"{by}(ts)",)
        commits.append(Commit(loaded(rows, term, FILE_ROWS), term))
    return Layout(tuple(commits), ("days(ts)",), scaled())


def skewed_buckets() -> Layout:
    """16 buckets of tenants, of which one tenant has 40 files, and the others 20 in all."""
    draw = rng(28_006)
    count = 60 * FILE_ROWS
    tenants = np.where(np.arange(count) % 3 == 0, draw.integers(1, 300, count), 0)
    return laid_out(
        table({"tenant": tenants, "ts": times(draw.uniform(0, 90 * DAY, count))}),
        "bucket(16, tenant)",
    )


def post_codes() -> Layout:
    """50 files in no order of a thousand post codes."""
    draw = rng(28_007)
    count = 50 * FILE_ROWS
    return laid_out(
        table(
            {
                "post_code": texts(10_000 + 83 * draw.integers(0, 1000, count)),
                "people": draw.integers(1, 6, count),
            }
        )
    )


def _spans(name: str, column: str, spans: list[tuple[int, int]]) -> list[Query]:
    return each(
        f"SELECT * FROM lake.db.{name}"
        f" WHERE {column} >= TIMESTAMP '{{}}' AND {column} < TIMESTAMP '{{}}'",
        [(instant(a * DAY), instant(b * DAY)) for a, b in spans],
    )


PAIRS = (
    Pair(
        "members_and_days_of_buckets",
        days_and_buckets,
        [
            *each(
                "SELECT * FROM lake.db.members_and_days_of_buckets WHERE member = {}"
                " AND ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
                [(n * 131, instant(n * DAY), instant((n + 1) * DAY)) for n in range(30)],
            ),
            *_spans("members_and_days_of_buckets", "ts", [(n, n + 1) for n in range(30)]),
        ],
        tempting={
            "partitions_too_fine": "a bucket of a day is half a file",
            "unclustered_column": "a bucket of a day is one file",
            "small_files": "half a file is no small one",
        },
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
    Pair(
        "months_of_regions_in_days",
        regions_and_days,
        each(
            "SELECT * FROM lake.db.months_of_regions_in_days WHERE region = 'R{}'"
            " AND ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
            [
                (n % 3, instant(a * DAY), instant(b * DAY))
                for n in range(6)
                for a, b in ((0, 31), (31, 59))
            ],
        ),
        expected=(Expected("partitions_too_fine", ("ts",), None, True, False, ("months",)),),
        never=("DROP PARTITION FIELD", "rewrite_data_files.*sort"),
    ),
    # What was changed lately may be of any day: no layout serves both, but a log of changes.
    Pair(
        "changes_of_rows_of_any_day",
        changed_rows,
        [
            *_spans(
                "changes_of_rows_of_any_day", "updated_at", [(n, n + 1) for n in range(55, 60)] * 3
            ),
            *_spans("changes_of_rows_of_any_day", "created_at", [(n, n + 1) for n in range(60)]),
        ],
        allowed=(
            Expected("no_partition_filter", ("updated_at",), None, False),
            Expected("misaligned_partitioning", ("updated_at",), None, False),
        ),
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
    Pair(
        "open_and_closed_cases",
        closed_cases,
        [
            *repeated("SELECT * FROM lake.db.open_and_closed_cases WHERE closed_at IS NULL", 10),
            *_spans("open_and_closed_cases", "closed_at", [(n, n + 1) for n in range(30)]),
        ],
        tempting={
            "unclustered_column": "all rows of the partition of nulls are asked for",
            "small_files": "each is as large as it should be",
        },
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
    Pair(
        "years_and_days_of_three_specs",
        years_months_days,
        [
            *_spans("years_and_days_of_three_specs", "ts", [(n, n + 1) for n in range(181, 221)]),
            *_spans("years_and_days_of_three_specs", "ts", [(-365, 0)] * 2),
            *_spans("years_and_days_of_three_specs", "ts", [(0, 31), (31, 59), (59, 90)]),
        ],
        tempting={"old_spec_files": "old years and months are asked for as a whole"},
        never=("rewrite_data_files", "PARTITION FIELD"),
    ),
    Pair(
        "weeks_of_a_tenant_in_buckets",
        skewed_buckets,
        each(
            "SELECT * FROM lake.db.weeks_of_a_tenant_in_buckets WHERE tenant = {}"
            " AND ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
            [(n % 3 and n, instant(n * DAY), instant((n + 7) * DAY)) for n in range(0, 80, 2)],
        ),
        expected=(Expected("unclustered_column", ("ts",), (0.7, 0.93), True, False),),
        never=("PARTITION FIELD",),
    ),
    # A list of ten codes would be in ten files, and a region of codes in one or two.
    Pair(
        "post_codes_in_lists_and_regions",
        post_codes,
        [
            *each(
                "SELECT sum(people) FROM lake.db.post_codes_in_lists_and_regions"
                " WHERE post_code IN ({})",
                [
                    ", ".join(f"'{10_000 + 83 * (n * 37 + 97 * k) % 83_000}'" for k in range(10))
                    for n in range(20)
                ],
            ),
            *each(
                "SELECT sum(people) FROM lake.db.post_codes_in_lists_and_regions"
                " WHERE post_code LIKE '{}%'",
                range(11, 91, 4),
            ),
        ],
        expected=(Expected("unclustered_column", ("post_code",), (0.8, 0.93), True, False),),
        never=("PARTITION FIELD",),
    ),
)
