"""Tables that queries unite with one that is not audited, whose columns have other names."""

from __future__ import annotations

import numpy as np

from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Layout
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    SPARK,
    day,
    each,
    laid_out,
    rng,
    table,
    texts,
    times,
)

DAYS = 40
COUNT = DAYS * FILE_ROWS


def payments() -> Layout:
    """Forty days of payments, a file each, with references in no order."""
    draw = rng(8_117)
    days = np.repeat(np.arange(DAYS), FILE_ROWS)
    return laid_out(
        table(
            {
                "paid_at": times(days * DAY + draw.uniform(0, DAY, COUNT)),
                "reference": texts(draw.permutation(COUNT), "P{:06d}"),
                "cents": draw.integers(0, 90_000, COUNT),
            },
            8_117,
        ),
        "days(paid_at)",
    )


_ALL_PAYMENTS = (
    "SELECT reference, paid_at AS at FROM lake.db.{0}"
    " UNION ALL SELECT booking, booked FROM ledger.public.bookings"
)

PAIRS = (
    Pair(
        "payments_and_bookings_of_days",
        payments,
        each(
            "SELECT count(*) FROM (SELECT booking, booked FROM ledger.public.bookings UNION"
            " SELECT reference, paid_at FROM lake.db.payments_and_bookings_of_days) b"
            " WHERE b.booked >= TIMESTAMP '{} 00:00:00' AND b.booked < TIMESTAMP '{} 00:00:00'",
            [(day(n), day(n + 1)) for n in range(0, 40, 4)],
        ),
        tempting={"no_partition_filter": "the day of the second branch is that of the first"},
    ),
    Pair(
        "payments_and_bookings_of_texts",
        payments,
        each(
            f"WITH b (ref, moment) AS ({_ALL_PAYMENTS.format('payments_and_bookings_of_texts')})"
            " SELECT * FROM b WHERE date_format(moment, 'yyyy-MM-dd') = '{}'",
            map(day, range(0, 40, 4)),
            **SPARK,
        ),
        expected=(Expected("wrapped_column", ("paid_at",), (0.9, 1.0), False, True),),
    ),
    Pair(
        "payments_and_bookings_by_reference",
        payments,
        each(
            f"SELECT * FROM ({_ALL_PAYMENTS.format('payments_and_bookings_by_reference')}) b"
            " WHERE b.reference = 'P{:06d}'",
            range(3, COUNT, 700),
        ),
        expected=(Expected("misaligned_partitioning", ("reference",)),),
    ),
    # Cents and euros: what is divided may be a double, of which no range of whole numbers is told.
    Pair(
        "payments_and_bookings_in_euros",
        payments,
        each(
            "SELECT * FROM (SELECT cents AS amount FROM lake.db.payments_and_bookings_in_euros"
            " UNION ALL SELECT euros FROM ledger.public.bookings) b WHERE b.amount / 100 > {}",
            [890, 895, 897] * 3,
        ),
        allowed=(Expected("misaligned_partitioning", ()),),
        tempting={"wrapped_column": "euros may have a fraction"},
    ),
)
