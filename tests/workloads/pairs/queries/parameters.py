"""Parameters that queries name in a relation of one row: of a SELECT, of VALUES, and of others."""

from __future__ import annotations

from tests.workloads.model import Pair
from tests.workloads.pairs.queries.days_in_words import (
    BETWEEN_DAYS,
    SEVERAL_DAYS,
    compact_days,
    days_of_events,
)
from tests.workloads.rows import SPARK, each

PAIRS = (
    Pair(
        "variables_in_a_cte",
        days_of_events,
        each(
            "WITH params AS (SELECT TIMESTAMP '{} 00:00:00' AS t0, TIMESTAMP '{} 00:00:00' AS t1)"
            " SELECT count(*) FROM lake.db.variables_in_a_cte CROSS JOIN params"
            " WHERE event_ts >= params.t0 AND event_ts < params.t1",
            BETWEEN_DAYS,
        ),
    ),
    Pair(
        "variables_by_scalar",
        days_of_events,
        each(
            "WITH p AS (SELECT TIMESTAMP_NTZ '{} 00:00:00' AS t0, TIMESTAMP_NTZ '{}"
            " 00:00:00' AS t1)"
            " SELECT count(*) FROM lake.db.variables_by_scalar"
            " WHERE event_ts >= (SELECT t0 FROM p) AND event_ts < (SELECT t1 FROM p)",
            BETWEEN_DAYS,
            **SPARK,
        ),
    ),
    Pair(
        "days_of_a_derived_row",
        compact_days,
        each(
            "SELECT sum(amount) FROM lake.db.days_of_a_derived_row"
            " JOIN (SELECT '{}' AS lo) AS v ON dt = v.lo",
            ["20260107", "20260115", "20260203"],
            **SPARK,
        ),
    ),
    Pair(
        "days_from_values",
        compact_days,
        each(
            "SELECT sum(amount) FROM lake.db.days_from_values"
            " CROSS JOIN (VALUES ('{}')) AS v (lo) WHERE dt = lo",
            ["20260107", "20260115", "20260203"],
        ),
    ),
    Pair(
        "periods_of_parameters",
        days_of_events,
        each(
            "WITH p AS (SELECT DATE '{}' AS d), w AS (SELECT d - INTERVAL '1' DAY AS d0,"
            " d + INTERVAL '2' DAY AS d1 FROM p), picked AS (SELECT e.* FROM"
            " lake.db.periods_of_parameters AS e JOIN w ON e.event_ts >= w.d0"
            " AND e.event_ts < w.d1) SELECT status, count(*) FROM picked GROUP BY status",
            SEVERAL_DAYS,
        ),
    ),
)
