"""Boxes over several columns, and groups of users that ask for different ones."""

from __future__ import annotations

import numpy as np

from tests.workloads.physical import Layout
from tests.workloads.rows import DAY, FILE_ROWS, each, instant, laid_out, rng, table, texts, times
from tests.workloads.unseen.truth import Change, Truth, curve, sort
from tests.workloads.unseen_second.asked import windows, within


def antenna_cells() -> Layout:
    """90 files in no order of the place."""
    draw = rng(82001)
    count = 90 * FILE_ROWS
    return laid_out(
        table(
            {
                "lat": draw.uniform(47, 55, count),
                "lon": draw.uniform(6, 15, count),
                "busy": draw.integers(0, 100, count),
            }
        )
    )


def soil_points() -> Layout:
    """120 files of points in a cube, in no order."""
    draw = rng(82002)
    count = 120 * FILE_ROWS
    return laid_out(
        table(
            {
                "east": draw.integers(0, 1 << 16, count),
                "north": draw.integers(0, 1 << 16, count),
                "depth": draw.integers(0, 1 << 16, count),
            }
        )
    )


def auctions() -> Layout:
    """100 files in no order of price or time."""
    draw = rng(82003)
    count = 100 * FILE_ROWS
    return laid_out(
        table(
            {
                "price": draw.integers(0, 1_000_000, count),
                "ends_at": times(draw.uniform(0, 50 * DAY, count)),
                "bids": draw.integers(0, 60, count),
            }
        )
    )


def warranty_claims() -> Layout:
    """96 files in no order; 3,000 parts as texts and 80 dealers."""
    draw = rng(82004)
    count = 96 * FILE_ROWS
    return laid_out(
        table(
            {
                "part_no": texts(draw.integers(0, 3000, count), "P{:04d}"),
                "dealer": draw.integers(0, 80, count),
                "cents": draw.integers(1, 90_000, count),
            }
        )
    )


def flight_legs() -> Layout:
    """Six months of 16 files, in no order inside; airports have numbers below 128."""
    draw = rng(82005)
    count = 96 * FILE_ROWS
    return laid_out(
        table(
            {
                "origin": draw.integers(0, 128, count),
                "destination": draw.integers(0, 128, count),
                "departs_at": times(draw.uniform(0, 181 * DAY - 1, count)),
            }
        ),
        "months(departs_at)",
    )


def telescope_frames() -> Layout:
    """110 files of frames, by the night of which they are, anywhere in the sky."""
    draw = rng(82006)
    count = 110 * FILE_ROWS
    return laid_out(
        table(
            {
                "ra": draw.uniform(0, 360, count),
                "dec": draw.uniform(-90, 90, count),
                "taken_at": times(np.sort(draw.uniform(0, 110 * DAY, count))),
            }
        )
    )


def receipts_by_two_numbers() -> Layout:
    """85 files in no order. Receipts are numbered as orders come, a few places off."""
    draw = rng(82007)
    count = 85 * FILE_ROWS
    order = draw.permutation(count)
    return laid_out(
        table(
            {
                "order_no": order * 2 + 40_000,
                "receipt_no": order * 3 + draw.integers(0, 900, count) + 9_000_000,
                "cents": draw.integers(1, 90_000, count),
            }
        )
    )


_STARTS = [(n * 6151 % 58_000, n * 9973 % 58_000) for n in range(40)]
_SIDE = 6500

PAIRS = (
    Truth(
        "antenna_cells",
        antenna_cells,
        each(
            "SELECT max(busy) FROM lake.db.antenna_cells WHERE lat BETWEEN {} AND {}"
            " AND lon BETWEEN {} AND {}",
            [
                (
                    a := round(47 + n * 37 % 75 / 10, 1),
                    round(a + 0.2, 2),
                    b := round(6 + n * 29 % 60 / 10, 1),
                    round(b + 3, 1),
                )
                for n in range(100)
            ],
        ),
        sound=False,
        first=Change("order", ("lat",), "lat alone, as boxes are narrow and wide"),
        also_fine=(Change("order", ("lat", "lon"), "lat, lon"),),
        harmful=(r"ORDERED BY `?(busy|lon)", r"PARTITION FIELD"),
        share=(0.93, 0.98),
        why="Boxes are a fortieth of the latitudes by a third of the longitudes: by latitude a fortieth of 90 files "
        "and one more, 3.3; a curve of both leaves some 12, as cells are as long as they are high.",
        statements=sort("antenna_cells", "`lat`"),
    ),
    Truth(
        "soil_points",
        soil_points,
        [
            *each(
                "SELECT * FROM lake.db.soil_points WHERE east BETWEEN {} AND {} AND north BETWEEN {} AND {}",
                [(a, a + _SIDE, b, b + _SIDE) for a, b in _STARTS],
            ),
            *each(
                "SELECT * FROM lake.db.soil_points WHERE north BETWEEN {} AND {} AND depth BETWEEN {} AND {}",
                [(a, a + _SIDE, b, b + _SIDE) for a, b in _STARTS],
            ),
            *each(
                "SELECT * FROM lake.db.soil_points WHERE east BETWEEN {} AND {} AND depth BETWEEN {} AND {}",
                [(a, a + _SIDE, b, b + _SIDE) for a, b in _STARTS],
            ),
        ],
        sound=False,
        first=Change("order", ("east", "north", "depth"), "zorder(east, north, depth)"),
        also_fine=(
            Change("order", ("east", "north", "depth"), "hilbert of the three"),
            Change(
                "order",
                ("east", "north", "depth"),
                "eight ranges of one, then another: a point less",
            ),
        ),
        harmful=(r"PARTITION FIELD `(east|north|depth)`", r"bucket\("),
        share=(0.8, 0.93),
        why="Any two of three columns are asked for, a tenth of each. A cube of 5 by 5 by 5 cells leaves 1.5 by 1.5 "
        "by 5, 11 of 120, more as cells are unequal; a sort by one column leaves a third of the queries everything.",
        statements=curve("soil_points", "zorder(`east`, `north`, `depth`)"),
    ),
    Truth(
        "auctions",
        auctions,
        each(
            "SELECT avg(bids) FROM lake.db.auctions WHERE price BETWEEN {} AND {}"
            f" AND {within('ends_at')}",
            [
                (a := n * 7919 % 870_000, a + 120_000, *one)
                for n, one in enumerate(windows((n * 13 % 39 for n in range(90)), 10))
            ],
        ),
        sound=False,
        first=Change("order", ("price", "ends_at"), "truncate(100000, price), ends_at"),
        also_fine=(
            Change("partition", ("price",), "truncate(100000, price), sorted by ends_at"),
            Change("partition", ("ends_at",), "months(ends_at), sorted by price"),
        ),
        harmful=(r"hours\(", r"bucket\(", r"ORDERED BY `?bids", r"ADD PARTITION FIELD `?price`?;"),
        share=(0.9, 0.96),
        why="An eighth of the prices by a fifth of the time. By price alone 13 of 100 files are left, by time 21; ten "
        "ranges of ten files in order of time leave 2.2 by 3 or 4.",
        statements=sort("auctions", "truncate(100000, `price`), `ends_at`"),
    ),
    Truth(
        "warranty_claims",
        warranty_claims,
        [
            *each(
                "SELECT sum(cents) FROM lake.db.warranty_claims WHERE part_no = 'P{:04d}'",
                [n * 43 % 3000 for n in range(100)],
            ),
            *each(
                "SELECT sum(cents) FROM lake.db.warranty_claims WHERE dealer = {}",
                [n * 7 % 80 for n in range(100)],
            ),
        ],
        sound=False,
        first=Change("order", ("dealer", "part_no"), "truncate(8..10, dealer), part_no"),
        also_fine=(
            Change("partition", ("dealer",), "bucket(8..12, dealer), sorted by part_no"),
            Change("partition", ("part_no",), "bucket(8..12, part_no), sorted by dealer"),
            Change("order", ("dealer", "part_no"), "zorder, or ranges of part_no, then dealer"),
        ),
        harmful=(
            r"ADD PARTITION FIELD `?(part_no|dealer|cents)",
            r"ORDERED BY `?cents",
        ),
        share=(0.83, 0.9),
        why="Both groups are of one weight. One column alone serves one of them (50 %); ten ranges of dealers, each "
        "of ten files in order of the part, leave a dealer 10 and a part 11 of 96.",
        statements=sort("warranty_claims", "truncate(8, `dealer`), `part_no`"),
    ),
    Truth(
        "flight_legs",
        flight_legs,
        [
            *each(
                "SELECT count(*) FROM lake.db.flight_legs WHERE origin = {}"
                f" AND {within('departs_at')}",
                [
                    (n * 7 % 128, instant(n % 2 * 31 * DAY), instant((31 + n % 2 * 28) * DAY))
                    for n in range(72)
                ],
            ),
            *each(
                "SELECT count(*) FROM lake.db.flight_legs WHERE destination = {}"
                f" AND {within('departs_at')}",
                [(n * 11 % 128, instant(59 * DAY), instant(90 * DAY)) for n in range(48)],
            ),
        ],
        sound=False,
        first=Change(
            "order", ("origin", "destination"), "zorder(origin, destination) inside months"
        ),
        also_fine=(
            Change(
                "order",
                ("origin", "destination"),
                "hilbert, or ranges of the first, then the other",
            ),
            Change(
                "partition", ("origin",), "bucket(8, origin) beside months, sorted by destination"
            ),
            Change(
                "partition",
                ("destination",),
                "bucket(8, destination) beside months, sorted by origin",
            ),
        ),
        harmful=(
            r"DROP PARTITION FIELD",
            r"ADD PARTITION FIELD `?(origin|destination)",
            r"hours\(|days\(",
        ),
        share=(0.55, 0.75),
        why="A month has 16 files, as many as four by four cells: each of the two leaves about 5 of 16. By origin alone "
        "two fifths of the queries read on (56 %).",
        statements=curve("flight_legs", "zorder(`origin`, `destination`)"),
    ),
    Truth(
        "telescope_frames",
        telescope_frames,
        each(
            "SELECT * FROM lake.db.telescope_frames WHERE ra BETWEEN {} AND {} AND dec BETWEEN {} AND {}",
            [(a := n * 41 % 299, a + 60, b := -89 + n * 67 % 148, b + 30) for n in range(100)],
        ),
        sound=False,
        first=Change("order", ("ra", "dec"), "zorder(ra, dec)"),
        also_fine=(
            Change(
                "order",
                ("dec", "ra"),
                "hilbert of both, or one of them in ranges and then the other",
            ),
        ),
        harmful=(r"PARTITION FIELD.*taken_at", r"ORDERED BY `?taken_at"),
        share=(0.84, 0.93),
        why="Boxes of a sixth by a sixth: one column leaves 19 of 110 files, a curve of both 3 by 3 cells or so, "
        "more where the bits of fractions make cells unequal.",
        statements=curve("telescope_frames", "zorder(`ra`, `dec`)"),
    ),
    Truth(
        "receipts_by_two_numbers",
        receipts_by_two_numbers,
        [
            *each(
                "SELECT * FROM lake.db.receipts_by_two_numbers WHERE order_no = {}",
                [40_000 + 2 * (n * 601 % 50_000) for n in range(90)],
            ),
            *each(
                "SELECT * FROM lake.db.receipts_by_two_numbers WHERE receipt_no BETWEEN {} AND {}",
                [(a := 9_000_000 + 3 * (n * 547 % 50_000), a + 40) for n in range(90)],
            ),
        ],
        sound=False,
        first=Change(
            "order", ("order_no", "receipt_no"), "order_no (or receipt_no): one serves both"
        ),
        also_fine=(Change("order", ("order_no", "receipt_no"), "zorder of both: no more"),),
        harmful=(
            r"ADD PARTITION FIELD `?(order_no|receipt_no)`?;",
            r"ORDERED BY `?cents",
        ),
        share=(0.96, 0.99),
        why="Both numbers grow together, so a sort by either leaves the other's in 1 or 2 of 85 files.",
        statements=sort("receipts_by_two_numbers", "`order_no`"),
    ),
)
