"""Partition fields that are missing, of no use, too coarse or too fine."""

from __future__ import annotations

import numpy as np

from tests.workloads.physical import Layout
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    SPARK,
    dates,
    day,
    each,
    laid_out,
    repeated,
    rng,
    table,
    texts,
    times,
)
from tests.workloads.unseen.truth import Change, Truth, fields, sort
from tests.workloads.unseen_second.asked import windows, within

MONTHS = [f"20{26 + n // 12}-{n % 12 + 1:02d}-01" for n in range(22)]


def exam_scans() -> Layout:
    """21 months of one file each, in no order of time: hospitals deliver when they like."""
    draw = rng(83001)
    count = 21 * FILE_ROWS
    return laid_out(
        table(
            {
                "taken_on": dates(draw.integers(0, 638, count)),
                "hospital": draw.integers(0, 60, count),
                "dose": draw.integers(1, 900, count),
            }
        )
    )


def thermostats() -> Layout:
    """100 files of five months, sorted by device over the whole table."""
    draw = rng(83002)
    count = 100 * FILE_ROWS
    device = np.sort(draw.integers(0, 7000, count))
    return laid_out(
        table(
            {
                "device": device,
                "read_at": times(draw.uniform(0, 151 * DAY - 1, count)),
                "decidegrees": draw.integers(100, 300, count),
            }
        )
    )


def donations_by_kind() -> Layout:
    """Twelve kinds of donations of seven or eight files; donors in no order."""
    draw = rng(83003)
    count = 90 * FILE_ROWS
    return laid_out(
        table(
            {
                "kind": texts(draw.integers(0, 12, count), "kind-{:02d}"),
                "donor": draw.integers(0, 14_000, count),
                "cents": draw.integers(100, 90_000, count),
            }
        ),
        "kind",
    )


def tolls_by_gate() -> Layout:
    """120 files in no order: six gates, 20 days, and about a file for each gate and day."""
    draw = rng(83004)
    count = 120 * FILE_ROWS
    return laid_out(
        table(
            {
                "gate": texts(draw.integers(0, 6, count), "gate-{}"),
                "passed_on": dates(draw.integers(0, 20, count)),
                "plate": draw.integers(0, 90_000, count),
            }
        )
    )


def lightning() -> Layout:
    """Three years of 30 files, in no order inside."""
    draw = rng(83005)
    count = 90 * FILE_ROWS
    return laid_out(
        table(
            {
                "struck_on": dates(draw.integers(0, 3 * 365, count)),
                "cell": draw.integers(0, 900, count),
                "kiloamperes": draw.integers(1, 200, count),
            }
        ),
        "years(struck_on)",
    )


def podcast_plays() -> Layout:
    """Two months of 45 files, in no order inside: phones deliver when they have a network."""
    draw = rng(83006)
    count = 90 * FILE_ROWS
    return laid_out(
        table(
            {
                "played_at": times(draw.uniform(0, 59 * DAY - 1, count)),
                "episode": draw.integers(0, 3000, count),
            }
        ),
        "months(played_at)",
    )


def coupons_by_sixty() -> Layout:
    """400 partitions of sixty numbers, each a tenth of a file."""
    draw = rng(83007)
    return laid_out(
        table(
            {
                "serial": draw.permutation(24_000),
                "redeemed": draw.integers(0, 90, 24_000),
            }
        ),
        "truncate(60, serial)",
    )


def leads_by_stage() -> Layout:
    """Five stages of 18 files, in no order inside; a MERGE a night moves leads on."""
    draw = rng(83008)
    count = 90 * FILE_ROWS
    return laid_out(
        table(
            {
                "lead_id": draw.permutation(count),
                "stage": texts(draw.integers(0, 5, count), "stage-{}"),
                "created_at": times(draw.uniform(0, 180 * DAY, count)),
            }
        ),
        "stage",
    )


PAIRS = (
    Truth(
        "exam_scans",
        exam_scans,
        each(
            "SELECT hospital, sum(dose) FROM lake.db.exam_scans WHERE taken_on >= DATE '{}'"
            " AND taken_on < DATE '{}' GROUP BY hospital",
            [(MONTHS[n % 20], MONTHS[n % 20 + 1]) for n in range(60)],
        ),
        sound=False,
        first=Change("partition", ("taken_on",), "months(taken_on)"),
        also_fine=(
            Change(
                "order",
                ("taken_on",),
                "taken_on: five points less, and only until the next rows come",
            ),
        ),
        harmful=(
            r"ADD PARTITION FIELD (`?taken_on`?;|days)",
            r"PARTITION FIELD.*(hospital|dose)",
            r"ORDERED BY `?(hospital|dose)",
        ),
        share=(0.93, 0.97),
        why="A month fills one file of 21, all of which are read. A sort leaves two files, as its borders "
        "are no months', and what comes later lies anywhere again.",
        statements=fields("exam_scans", "ADD PARTITION FIELD months(`taken_on`)"),
    ),
    Truth(
        "thermostats",
        thermostats,
        [
            *each(
                "SELECT * FROM lake.db.thermostats WHERE device = {}",
                [n * 47 % 7000 for n in range(150)],
            ),
            *each(
                f"SELECT avg(decidegrees) FROM lake.db.thermostats WHERE {within('read_at')}",
                [
                    windows([start], length)[0]
                    for start, length in ((0, 31), (31, 28), (59, 31), (90, 30), (120, 31))
                ]
                * 20,
            ),
        ],
        sound=False,
        first=Change(
            "partition", ("read_at", "device"), "months(read_at), sorted by device inside"
        ),
        also_fine=(
            Change(
                "order",
                ("read_at", "device"),
                "months(read_at), device, without partitions: six points less",
            ),
        ),
        harmful=(
            r"\A(?![\s\S]*(months|truncate|bucket)\()[\s\S]*ORDERED BY `?read_at`?;",
            r"zorder\(",
            r"(hours|days)\(`?read_at`?\);",
            r"ADD PARTITION FIELD `?device",
        ),
        share=(0.66, 0.78),
        why="Months read all 100 files, devices one or two. In months sorted by device a month is 20 files, and a "
        "device is in 5 or 6: 150 * 5.5 + 100 * 20 of 10,180. A sort by time would ruin 150 lookups for them.",
        statements=fields("thermostats", "ADD PARTITION FIELD months(`read_at`)", by="`device`"),
    ),
    Truth(
        "donations_by_kind",
        donations_by_kind,
        each(
            "SELECT sum(cents) FROM lake.db.donations_by_kind WHERE donor = {}",
            [n * 89 % 14_000 for n in range(130)],
        ),
        sound=False,
        first=Change(
            "partition", ("kind", "donor"), "drop kind, and sort the whole table by donor"
        ),
        also_fine=(
            Change("partition", ("kind", "donor"), "bucket(64..90, donor) in place of kind"),
        ),
        harmful=(
            r"ADD PARTITION FIELD `?donor",
            r"ORDERED BY `?cents",
            r"ADD PARTITION FIELD.*cents",
        ),
        share=(0.97, 0.995),
        why="No query asks for a kind. A sort inside leaves a file of each of twelve, 13 of 90; a sort of "
        "the whole table leaves one.",
        statements=fields("donations_by_kind", "DROP PARTITION FIELD `kind`", by="`donor`"),
    ),
    Truth(
        "tolls_by_gate",
        tolls_by_gate,
        [
            *each(
                "SELECT count(*) FROM lake.db.tolls_by_gate WHERE passed_on = DATE '{}'",
                [day(n % 20) for n in range(100)],
            ),
            *each(
                "SELECT count(*) FROM lake.db.tolls_by_gate WHERE gate = 'gate-{}'",
                [n % 6 for n in range(60)],
            ),
        ],
        sound=False,
        first=Change("partition", ("passed_on", "gate"), "passed_on and gate, both"),
        also_fine=(
            Change("partition", ("gate",), "gate, sorted by passed_on inside: three points less"),
            Change("order", ("gate", "passed_on"), "gate, passed_on: six points less"),
        ),
        harmful=(r"PARTITION FIELD.*plate", r"ORDERED BY `?plate"),
        share=(0.88, 0.93),
        why="A day of a gate is one file. With both fields a day reads 6 of 120, a gate 20; one field alone leaves "
        "one of the groups everything: (100 * 6 + 60 * 20) / 160 = 11.",
        statements=fields(
            "tolls_by_gate", "ADD PARTITION FIELD `passed_on`", "ADD PARTITION FIELD `gate`"
        ),
    ),
    Truth(
        "lightning",
        lightning,
        each(
            "SELECT cell, count(*) FROM lake.db.lightning WHERE struck_on >= DATE '{}'"
            " AND struck_on < DATE '{}' GROUP BY cell",
            [(MONTHS[n * 5 % 21], MONTHS[n * 5 % 21 + 1]) for n in range(84)],
        ),
        sound=False,
        first=Change("partition", ("struck_on",), "months(struck_on) in place of years"),
        also_fine=(Change("order", ("struck_on",), "struck_on inside years: three points less"),),
        harmful=(
            r"days\(",
            r"ADD PARTITION FIELD `?(struck_on`?;|cell)",
            r"ORDERED BY `?(cell|kiloamp)",
        ),
        share=(0.88, 0.94),
        why="A month is a twelfth of the year's 30 files, and fills two or three.",
        statements=fields(
            "lightning", "REPLACE PARTITION FIELD years(`struck_on`) WITH months(`struck_on`)"
        ),
    ),
    Truth(
        "podcast_plays",
        podcast_plays,
        each(
            "SELECT episode, count(*) FROM lake.db.podcast_plays"
            f" WHERE {within('played_at')} GROUP BY episode",
            windows(n * 7 % 59 for n in range(118)),
        ),
        sound=False,
        first=Change("order", ("played_at",), "played_at inside months"),
        also_fine=(
            Change(
                "partition", ("played_at",), "days(played_at) in place of months: the same bytes"
            ),
        ),
        harmful=(r"hours\(", r"PARTITION FIELD.*episode", r"ORDERED BY `?episode"),
        share=(0.92, 0.97),
        why="A day is 1.5 of 45 files. Sorted, 2.5 are read; partitions of days leave 1.5, two points "
        "more for a new spec.",
        statements=sort("podcast_plays", "`played_at`"),
    ),
    Truth(
        "coupons_by_sixty",
        coupons_by_sixty,
        each(
            "SELECT sum(redeemed) FROM lake.db.coupons_by_sixty WHERE serial BETWEEN {} AND {}",
            [(n % 36 * 600, n % 36 * 600 + 2399) for n in range(72)],
        ),
        sound=False,
        first=Change(
            "partition", ("serial",), "truncate(600, serial) in place of truncate(60, serial)"
        ),
        also_fine=(Change("partition", ("serial",), "no field, sorted by serial"),),
        harmful=(
            r"WITH `?serial",
            r"PARTITION FIELD.*redeemed",
            r"bucket\(",
            r"ORDERED BY `?redeemed",
        ),
        share=(0.0, 0.03),
        why="A query opens 40 files of a tenth of the target size each, where four would do.",
        statements=fields(
            "coupons_by_sixty",
            "REPLACE PARTITION FIELD truncate(60, `serial`) WITH truncate(600, `serial`)",
        ),
    ),
    Truth(
        "leads_by_stage",
        leads_by_stage,
        [
            *each(
                f"SELECT count(*) FROM lake.db.leads_by_stage WHERE {within('created_at')}",
                windows((n * 11 % 173 for n in range(100)), 7),
                **SPARK,
            ),
            *repeated(
                "MERGE INTO lake.db.leads_by_stage AS t USING stage.db.lead_moves AS s"
                " ON t.lead_id = s.lead_id WHEN MATCHED THEN UPDATE SET stage = s.stage",
                2,
                **SPARK,
            ),
        ],
        sound=False,
        first=Change(
            "partition",
            ("stage", "created_at"),
            "drop stage, and sort the whole table by created_at",
        ),
        also_fine=(
            Change(
                "partition",
                ("stage", "created_at"),
                "months(created_at) in place of stage, sorted inside",
            ),
            Change("order", ("created_at",), "created_at inside stages: five points less"),
        ),
        harmful=(
            r"ORDERED BY `?(stage|lead_id)",
            r"hours\(",
            r"\A(?![\s\S]*(DROP|REPLACE))[\s\S]*ADD PARTITION FIELD",
            r"ADD PARTITION FIELD (`?lead_id|bucket)",
        ),
        share=(0.91, 0.95),
        why="Nobody asks for a stage, which moves rows from partition to partition by MERGE. A week reads all of 90 "
        "files: sorted inside stages 8 or 9 are left, over the whole table 4 or 5. The MERGE reads on.",
        statements=fields("leads_by_stage", "DROP PARTITION FIELD `stage`", by="`created_at`"),
    ),
)
