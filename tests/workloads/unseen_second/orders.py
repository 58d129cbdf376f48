"""One order of all rows: by a single column, or by one of few values and then another."""

from __future__ import annotations

import numpy as np

from tests.workloads.physical import Layout
from tests.workloads.rows import DAY, FILE_ROWS, each, laid_out, repeated, rng, table, texts, times
from tests.workloads.unseen.truth import Change, Truth, fields, sort
from tests.workloads.unseen_second.asked import windows, within


def quotes_by_strike() -> Layout:
    """70 files of quotes in order of time; strikes are fractions, in no order."""
    draw = rng(81001)
    count = 70 * FILE_ROWS
    return laid_out(
        table(
            {
                "quoted_at": times(np.sort(draw.uniform(0, 35 * DAY, count))),
                "strike": draw.uniform(10, 510, count).round(2),
                "bid": draw.integers(1, 9000, count),
            }
        )
    )


def charging_sessions() -> Layout:
    """90 files in no order: six operators, one of which has two fifths."""
    draw = rng(81002)
    count = 90 * FILE_ROWS
    operator = draw.choice(6, count, p=[0.4, 0.2, 0.15, 0.1, 0.1, 0.05])
    return laid_out(
        table(
            {
                "operator": texts(operator, "op-{}"),
                "started_at": times(draw.uniform(0, 60 * DAY, count)),
                "wh": draw.integers(100, 90_000, count),
            }
        )
    )


def kiln_logs() -> Layout:
    """Three months of 30 files, in no order inside; twelve kilns in each of four plants."""
    draw = rng(81003)
    count = 90 * FILE_ROWS
    return laid_out(
        table(
            {
                "plant": draw.integers(1, 5, count),
                "kiln": draw.integers(1, 13, count),
                "logged_at": times(draw.uniform(0, 90 * DAY - 1, count)),
                "celsius": draw.integers(200, 1400, count),
            }
        ),
        "months(logged_at)",
    )


def samples_by_site() -> Layout:
    """Three sites of 42, 25 and 17 files; barcodes in no order."""
    draw = rng(81004)
    count = 84 * FILE_ROWS
    return laid_out(
        table(
            {
                "site": texts(draw.choice(3, count, p=[0.5, 0.3, 0.2]), "lab{}"),
                "barcode": draw.permutation(count) * 3 + 500_000,
                "result": draw.integers(0, 999, count),
            }
        ),
        "site",
    )


def alarms_by_severity() -> Layout:
    """80 files in order of time; one alarm in fifty is of severity 5, at any time."""
    draw = rng(81005)
    count = 80 * FILE_ROWS
    return laid_out(
        table(
            {
                "raised_at": times(np.sort(draw.uniform(0, 40 * DAY, count))),
                "severity": draw.choice(5, count, p=[0.6, 0.25, 0.1, 0.03, 0.02]) + 1,
                "unit": draw.integers(0, 400, count),
            }
        )
    )


def fuel_cards() -> Layout:
    """100 files in no order; asked for by card, by station, and by day."""
    draw = rng(81006)
    count = 100 * FILE_ROWS
    return laid_out(
        table(
            {
                "card": draw.integers(0, 8000, count),
                "station": draw.integers(0, 900, count),
                "filled_at": times(draw.uniform(0, 50 * DAY, count)),
            }
        )
    )


def sensor_lists() -> Layout:
    """96 files in order of time, asked for lists of five of 4,000 sensors."""
    draw = rng(81007)
    count = 96 * FILE_ROWS
    return laid_out(
        table(
            {
                "sensor": draw.integers(0, 4000, count),
                "read_at": times(np.sort(draw.uniform(0, 48 * DAY, count))),
                "value": draw.integers(0, 900, count),
            }
        )
    )


def tender_lots() -> Layout:
    """80 files in no order; nearly all queries want a lot, few a week of closing."""
    draw = rng(81008)
    count = 80 * FILE_ROWS
    return laid_out(
        table(
            {
                "lot": draw.integers(0, 20_000, count),
                "closing_at": times(draw.uniform(0, 91 * DAY, count)),
                "offer": draw.integers(1, 90_000, count),
            }
        )
    )


PAIRS = (
    Truth(
        "quotes_by_strike",
        quotes_by_strike,
        [
            *each(
                "SELECT avg(bid) FROM lake.db.quotes_by_strike WHERE strike BETWEEN {} AND {}",
                [(10.5 + n * 37 % 480, 20.5 + n * 37 % 480) for n in range(120)],
            ),
            *repeated("SELECT count(*), avg(bid) FROM lake.db.quotes_by_strike", 5),
        ],
        sound=False,
        first=Change("order", ("strike",), "strike"),
        also_fine=(Change("order", ("strike", "quoted_at"), "strike, quoted_at"),),
        harmful=(
            r"bucket\(",
            r"ADD PARTITION FIELD `?(strike|bid)",
            r"ORDERED BY `?(quoted_at|bid)",
        ),
        share=(0.88, 0.95),
        why="A fiftieth of all strikes is in 1.4 files once they are sorted, so 2 or 3 of 70 are read; "
        "120 of 125 queries ask so: 0.96 * (1 - 2.4 / 70) = 0.93.",
        statements=sort("quotes_by_strike", "`strike`"),
    ),
    Truth(
        "charging_sessions",
        charging_sessions,
        each(
            "SELECT sum(wh) FROM lake.db.charging_sessions WHERE operator = 'op-{}'"
            f" AND {within('started_at')}",
            [(n % 6, *one) for n, one in enumerate(windows((n * 11 % 48 for n in range(96)), 12))],
        ),
        sound=False,
        first=Change("order", ("operator", "started_at"), "operator, started_at"),
        also_fine=(
            Change("partition", ("operator",), "by operator, sorted by started_at inside"),
            Change("order", ("started_at", "operator"), "months(started_at) or weeks, operator"),
        ),
        harmful=(
            r"hours\(",
            r"ORDERED BY `?wh",
            r"PARTITION FIELD.*`?wh`?",
            r"zorder\(`operator`, `wh`",
        ),
        share=(0.93, 0.97),
        why="An operator has 15 of 90 files on average, a window a fifth of them: 3 and one more, 4 of 90. "
        "One column alone leaves 16 (operator) or 19 (time).",
        statements=sort("charging_sessions", "`operator`, `started_at`"),
    ),
    Truth(
        "kiln_logs",
        kiln_logs,
        each(
            "SELECT max(celsius) FROM lake.db.kiln_logs WHERE plant = {} AND kiln = {}"
            f" AND {within('logged_at')}",
            [
                (1 + n % 4, 1 + n * 5 % 12, *one)
                for n, one in enumerate(
                    windows((1 + n * 7 % 26 + n % 3 * 31 for n in range(90)), 3)
                )
            ],
        ),
        sound=False,
        first=Change(
            "partition", ("kiln", "logged_at"), "kiln beside months(logged_at), sorted by logged_at"
        ),
        also_fine=(
            Change("partition", ("plant",), "plant beside months, sorted by kiln, or by logged_at"),
            Change(
                "order", ("kiln", "logged_at"), "kiln, logged_at inside months: five points less"
            ),
        ),
        harmful=(r"hours\(", r"ORDERED BY `?celsius", r"PARTITION FIELD.*celsius"),
        share=(0.93, 0.975),
        why="Of a month's 30 files a kiln fills 2.5, as much as a partition should: sorted by time, 1.1 are read. "
        "In one order by kiln and time it is 2.6, as kilns share files with others.",
        statements=fields("kiln_logs", "ADD PARTITION FIELD `kiln`", by="`logged_at`"),
    ),
    Truth(
        "samples_by_site",
        samples_by_site,
        [
            *each(
                "SELECT * FROM lake.db.samples_by_site WHERE site = 'lab{}' AND barcode = {}",
                [(n % 3, 500_000 + 3 * (n * 739 % 50_000)) for n in range(120)],
            ),
            *each(
                "SELECT * FROM lake.db.samples_by_site WHERE barcode = {}",
                [500_000 + 3 * (n * 601 % 50_000) for n in range(80)],
            ),
        ],
        sound=False,
        first=Change("order", ("barcode",), "barcode inside site"),
        also_fine=(
            Change(
                "partition", ("barcode",), "bucket(4..8, barcode) beside site: less than the sort"
            ),
            Change("bloom", ("barcode",), "barcode"),
        ),
        harmful=(r"ADD PARTITION FIELD `?(barcode|result)", r"ORDERED BY `?result"),
        share=(0.93, 0.98),
        why="Of a site's 28 files one is left, and three of 84 where no site is named. Without partitions "
        "of sites it would be two points more, for a spec that queries use.",
        statements=sort("samples_by_site", "`barcode`"),
    ),
    Truth(
        "alarms_by_severity",
        alarms_by_severity,
        [
            *repeated(
                "SELECT unit, count(*) FROM lake.db.alarms_by_severity WHERE severity = 5 GROUP BY unit",
                80,
            ),
            *each(
                f"SELECT count(*) FROM lake.db.alarms_by_severity WHERE {within('raised_at')}",
                windows(n * 3 % 40 for n in range(100)),
            ),
        ],
        sound=False,
        first=Change("partition", ("severity",), "by severity, in order of time inside"),
        also_fine=(
            Change("order", ("severity", "raised_at"), "severity, raised_at: five points less"),
        ),
        harmful=(
            r"ORDERED BY `?severity`?;",
            r"zorder\(",
            r"ORDERED BY `?unit",
            r"hours\(",
            r"ADD PARTITION FIELD `?unit",
        ),
        share=(0.84, 0.92),
        why="Severity 5 fills 1.6 files: 80 queries read 2 in place of 80. A day is then in five runs, 6 or 7 "
        "files in place of 3: 80 * 1.6 + 100 * 6.6 of 6,700. By severity alone, days would read everything.",
        statements=fields("alarms_by_severity", "ADD PARTITION FIELD `severity`", by="`raised_at`"),
    ),
    Truth(
        "fuel_cards",
        fuel_cards,
        [
            *each(
                "SELECT * FROM lake.db.fuel_cards WHERE card = {}",
                [n * 113 % 8000 for n in range(140)],
            ),
            *each(
                "SELECT count(*) FROM lake.db.fuel_cards WHERE station = {}",
                [n * 17 % 900 for n in range(60)],
            ),
            *each(
                f"SELECT count(*) FROM lake.db.fuel_cards WHERE {within('filled_at')}",
                windows(n * 7 % 50 for n in range(10)),
            ),
        ],
        sound=False,
        first=Change(
            "order", ("card", "station"), "ranges of card (truncate(800..1600, card)), station"
        ),
        also_fine=(
            Change("order", ("card", "station"), "zorder(card, station)"),
            Change("partition", ("card",), "bucket(8..16, card), sorted by station"),
            Change("partition", ("station",), "bucket(8..16, station), sorted by card"),
        ),
        harmful=(
            r"\A(?![\s\S]*bucket\()[\s\S]*ORDERED BY `?filled_at`?;",
            r"ADD PARTITION FIELD `?(card|station)",
            r"hours\(",
        ),
        share=(0.76, 0.88),
        why="Two thirds of the queries are by card, a quarter by station. By card alone a third reads on "
        "(67 %); ranges of cards, each sorted by station, leave a tenth for both: 0.95 * 0.88.",
        statements=sort("fuel_cards", "truncate(800, `card`), `station`"),
    ),
    Truth(
        "sensor_lists",
        sensor_lists,
        each(
            "SELECT * FROM lake.db.sensor_lists WHERE sensor IN ({}, {}, {}, {}, {})",
            [tuple((n * 31 + k * 797) % 4000 for k in range(5)) for n in range(110)],
        ),
        sound=False,
        first=Change("order", ("sensor",), "sensor"),
        also_fine=(
            Change("order", ("sensor", "read_at"), "sensor, read_at"),
            Change("partition", ("sensor",), "bucket(64..96, sensor), if no fewer"),
        ),
        harmful=(
            r"ADD PARTITION FIELD `?sensor",
            r"PARTITION FIELD.*read_at",
            r"ORDERED BY `?(read_at|value)",
        ),
        share=(0.92, 0.96),
        why="Five sensors are in five or six files of 96 once these are sorted by sensor.",
        statements=sort("sensor_lists", "`sensor`"),
    ),
    Truth(
        "tender_lots",
        tender_lots,
        [
            *each(
                "SELECT * FROM lake.db.tender_lots WHERE lot = {}",
                [n * 61 % 20_000 for n in range(300)],
            ),
            *each(
                f"SELECT sum(offer) FROM lake.db.tender_lots WHERE {within('closing_at')}",
                windows((n * 7 % 84 for n in range(15)), 7),
            ),
        ],
        sound=False,
        first=Change("order", ("lot",), "lot"),
        also_fine=(
            Change("order", ("lot", "closing_at"), "ranges of lot, then closing_at: no less"),
            Change("partition", ("lot",), "bucket(16..32, lot), sorted by closing_at"),
        ),
        harmful=(
            r"\A(?![\s\S]*bucket\()[\s\S]*ORDERED BY `?closing_at`?;",
            r"ADD PARTITION FIELD `?lot",
            r"ORDERED BY `?offer",
        ),
        share=(0.9, 0.96),
        why="300 of 315 queries are of one lot, of which a sort leaves one file of 80; the others read on. "
        "Twenty ranges of lots sorted by time give these three quarters, and cost the lots as much.",
        statements=sort("tender_lots", "`lot`"),
    ),
)
