"""Conditions to leave as they are."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from tests.workloads.model import Expected, Pair
from tests.workloads.pairs.tables.periods import (
    FIRSTS,
    NOTHING,
    digests_in_order,
    number_days,
    six_regions,
    sixty_days,
    text_days,
    thirty_days,
    thirty_days_with_zone,
    twelve_months,
)
from tests.workloads.physical import Layout
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    SPARK,
    SPARK_35,
    day,
    each,
    laid_out,
    repeated,
    rng,
    table,
)


def times_of_day_in_order() -> Layout:
    """Forty files in order of the time of day."""
    seconds = np.sort(rng(3113).integers(0, DAY, 40 * FILE_ROWS))
    clock = pa.array(seconds * 1_000_000, pa.time64("us"))
    return laid_out(table({"at": clock, "n": np.arange(len(seconds))}))


PAIRS = (
    Pair(
        "constants_made_into_numbers",
        number_days,
        each(
            "SELECT sum(amount) FROM lake.db.constants_made_into_numbers"
            " WHERE dt = CAST(date_format(DATE '{}', '%Y%m%d') AS integer)",
            (day(20), day(40), day(55)),
        ),
        tempting=NOTHING,
    ),
    Pair(
        "constants_made_into_texts",
        text_days,
        [
            *each(
                "SELECT sum(amount) FROM lake.db.constants_made_into_texts"
                " WHERE dt = date_format(DATE '{}', 'yyyy-MM-dd')",
                (day(20), day(40)),
                **SPARK,
            ),
            *each(
                "SELECT sum(amount) FROM lake.db.constants_made_into_texts"
                " WHERE dt >= CAST(DATE '{}' - INTERVAL '3' DAY AS varchar)",
                (day(58), day(59)),
            ),
        ],
        tempting=NOTHING,
    ),
    Pair(
        "days_before_a_constant",
        sixty_days,
        [
            *repeated(
                "SELECT sum(amount) FROM lake.db.days_before_a_constant"
                " WHERE d >= date_sub(DATE '2026-03-01', 3)",
                3,
                **SPARK,
            ),
            *repeated(
                "SELECT sum(amount) FROM lake.db.days_before_a_constant"
                " WHERE d BETWEEN add_months(DATE '2026-03-01', -1)"
                " AND date_add(DATE '2026-02-01', 6)",
                3,
                **SPARK,
            ),
        ],
        tempting=NOTHING,
    ),
    Pair(
        "not_before",
        thirty_days,
        [
            *repeated(
                "SELECT sum(amount) FROM lake.db.not_before"
                " WHERE NOT (ts < TIMESTAMP '2026-01-28 00:00:00')",
                3,
            ),
            *repeated(
                "SELECT sum(amount) FROM lake.db.not_before"
                " WHERE NOT (ts < TIMESTAMP_NTZ '2026-01-28 00:00:00')",
                3,
                **SPARK_35,
            ),
        ],
        tempting={**NOTHING, "negated_condition": "it is a range"},
    ),
    # A partition has one value, which is judged exactly.
    Pair(
        "all_but_four_regions",
        six_regions,
        repeated(
            "SELECT count(*) FROM lake.db.all_but_four_regions"
            " WHERE region NOT IN ('AP', 'EU', 'LA', 'US')",
            4,
            **SPARK_35,
        ),
        tempting={**NOTHING, "negated_condition": "partitions are skipped by it"},
    ),
    # Rows of the left side stay, whether they match or not.
    Pair(
        "notes_beside_a_day",
        sixty_days,
        repeated(
            "SELECT t.d, n.note FROM lake.db.notes_beside_a_day t LEFT JOIN shop.public.notes n"
            " ON t.amount = n.amount AND t.d = DATE '2026-02-10'",
            4,
        ),
        tempting={**NOTHING, "runtime_only": "the join restricts nothing of it"},
    ),
    Pair(
        "one_range_or_another",
        sixty_days,
        each(
            "SELECT sum(amount) FROM lake.db.one_range_or_another WHERE d BETWEEN"
            " DATE '2026-01-05' AND DATE '2026-01-0{}' OR d BETWEEN DATE '2026-02-05'"
            " AND DATE '2026-02-07'",
            (7, 8, 9),
            **SPARK,
        ),
        tempting=NOTHING,
    ),
    Pair(
        "hours_of_two_days",
        thirty_days,
        repeated(
            "SELECT date_format(ts, '%Y-%m-%d'), CASE WHEN amount > 5 THEN 'a' ELSE 'b' END"
            " FROM lake.db.hours_of_two_days WHERE ts >= TIMESTAMP '2026-01-20 00:00:00'"
            " AND ts < TIMESTAMP '2026-01-22 00:00:00' AND hour(ts) BETWEEN 9 AND 17",
            4,
        ),
        # The hours of two days are two ranges, of which files of a day make nothing.
        allowed=(Expected("wrapped_column", ("ts",), statements=False, rewrite=True),),
        tempting={key: why for key, why in NOTHING.items() if key != "wrapped_column"},
    ),
    Pair(
        "days_by_the_partitions_own_function",
        thirty_days_with_zone,
        each(
            "SELECT sum(amount) FROM lake.db.days_by_the_partitions_own_function"
            " WHERE lake.system.days(ts) = DATE '{}'",
            (day(3), day(9)),
            **SPARK,
        ),
        tempting=NOTHING,
    ),
    Pair(
        "dates_of_times_with_zone",
        thirty_days_with_zone,
        each(
            "SELECT sum(amount) FROM lake.db.dates_of_times_with_zone"
            " WHERE CAST(ts AS date) BETWEEN DATE '{}' AND DATE '{}'",
            [(day(3), day(4)), (day(9), day(10))],
        ),
        tempting={**NOTHING, "local_day_boundaries": "days are those of UTC"},
    ),
    Pair(
        "this_day_and_that",
        sixty_days,
        [
            *repeated(
                "SELECT a.amount FROM lake.db.this_day_and_that a JOIN lake.db.this_day_and_that b"
                " ON a.amount = b.amount WHERE a.d = DATE '2026-02-10'"
                " AND b.d = DATE '2026-02-03'",
                3,
            ),
            *repeated(
                "SELECT sum(amount) FROM (SELECT amount FROM lake.db.this_day_and_that"
                " WHERE d = DATE '2026-01-10' UNION ALL SELECT amount"
                " FROM lake.db.this_day_and_that WHERE d = DATE '2026-01-11')",
                3,
                **SPARK,
            ),
        ],
        tempting={**NOTHING, "runtime_only": "both sides have dates"},
    ),
    Pair(
        "digests_as_bytes",
        digests_in_order,
        each(
            "SELECT count(*) FROM lake.db.digests_as_bytes WHERE digest = X'{}'",
            ("0A1B2C3D4E5F6071", "80FFEE0102030405"),
        ),
        tempting=NOTHING,
    ),
    Pair(
        "hours_of_the_clock",
        times_of_day_in_order,
        each(
            "SELECT count(*) FROM lake.db.hours_of_the_clock"
            " WHERE at BETWEEN TIME '{0}:00:00' AND TIME '{0}:59:59'",
            ("03", "09", "21"),
        ),
        tempting=NOTHING,
    ),
    Pair(
        "months_of_literals_with_intervals",
        twelve_months,
        each(
            "SELECT sum(amount) FROM lake.db.months_of_literals_with_intervals"
            " WHERE ts >= TIMESTAMP '{0}-01 00:00:00'"
            " AND ts < TIMESTAMP '{0}-01 00:00:00' + INTERVAL '1' MONTH",
            FIRSTS,
        ),
        tempting=NOTHING,
    ),
    Pair(
        "a_day_with_notes",
        sixty_days,
        repeated(
            "SELECT count(*) FROM lake.db.a_day_with_notes t"
            " WHERE t.d = DATE '2026-02-10' AND EXISTS (SELECT 1 FROM shop.public.notes n"
            " WHERE n.amount = t.amount)",
            4,
        ),
        allowed=(Expected("runtime_only", ()),),
        tempting=NOTHING,
    ),
    # Nothing restricts the table, and nothing could.
    Pair(
        "every_row_with_every_note",
        sixty_days,
        repeated(
            "SELECT count(*) FROM lake.db.every_row_with_every_note CROSS JOIN shop.public.notes",
            4,
        ),
        tempting={**NOTHING, "runtime_only": "the join restricts nothing of it"},
    ),
)
