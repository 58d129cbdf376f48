"""Conditions on what a query within gives, under the names of columns or under others: the
condition to write has to mean the same where it is told to stand."""

from __future__ import annotations

import numpy as np

from tests.workloads.model import Expected, Pair
from tests.workloads.pairs.times.of_views import (
    COUNT,
    DAYS,
    created_and_updated,
    days_of_times,
    days_of_zoned_times,
    in_order_of_number,
)
from tests.workloads.physical import Layout
from tests.workloads.rows import DAY, SPARK, laid_out, repeated, rng, table, times

WITHIN = "goes into the WHERE of the SELECT that reads the table"


def two_times() -> Layout:
    """40 files in order of one time, with another in no order."""
    draw = rng(5201)
    began, ended = np.sort(draw.uniform(0, DAYS * DAY, COUNT)), draw.uniform(0, DAYS * DAY, COUNT)
    return laid_out(table({"began": times(began), "ended": times(ended)}))


PAIRS = (
    # A view moves the time under its own name: there, the range of the column is another one.
    Pair(
        "moved_under_its_name",
        days_of_zoned_times,
        repeated(
            "WITH local AS (SELECT from_utc_timestamp(ts, 'Australia/Brisbane') AS ts, amount"
            " FROM lake.db.moved_under_its_name) SELECT sum(amount) FROM local"
            " WHERE date_format(ts, 'yyyy-MM-dd') = '2026-01-20'",
            5,
            **SPARK,
        ),
        expected=(Expected("wrapped_column", ("ts",), (0.9, 1), False, True, (WITHIN,)),),
        unsaid=("it selects the same rows", "beside it"),
    ),
    Pair(
        "scaled_under_its_name",
        in_order_of_number,
        repeated(
            "SELECT count(*) FROM (SELECT order_id * 10 AS order_id, n"
            " FROM lake.db.scaled_under_its_name) o WHERE o.order_id BETWEEN 30000 AND 60000",
            5,
        ),
        expected=(Expected("wrapped_column", ("order_id",), (0.8, 1), False, True, (WITHIN,)),),
        unsaid=("it selects the same rows",),
    ),
    Pair(
        "names_that_change_places",
        two_times,
        repeated(
            "SELECT count(*) FROM (SELECT began AS ended, ended AS began"
            " FROM lake.db.names_that_change_places) c"
            " WHERE date_format(c.ended, '%Y-%m-%d') = '2026-01-20'",
            5,
        ),
        expected=(
            Expected(
                "wrapped_column",
                ("began",),
                (0.9, 1),
                False,
                True,
                ("c.ended >= ", "the same rows"),
            ),
        ),
        unsaid=(WITHIN,),
    ),
    # What is grouped has the text alone.
    Pair(
        "days_of_groups",
        days_of_times,
        repeated(
            "SELECT day, total FROM (SELECT date_format(ts, '%Y-%m-%d') AS day, sum(amount) AS"
            " total FROM lake.db.days_of_groups GROUP BY 1) d WHERE day = '2026-01-20'",
            5,
        ),
        expected=(Expected("wrapped_column", ("ts",), (0.9, 1), False, True, (WITHIN,)),),
        unsaid=("it selects the same rows",),
    ),
    # Two queries further out the time has another name, beside the month that is asked for.
    Pair(
        "named_two_queries_out",
        created_and_updated,
        repeated(
            "SELECT count(*) FROM (SELECT q.week, q.created_at AS opened FROM (SELECT"
            " date_trunc('WEEK', created_at) AS week, created_at, n"
            " FROM lake.db.named_two_queries_out) q) r"
            " WHERE r.week = TIMESTAMP '2026-01-19 00:00:00'",
            5,
            **SPARK,
        ),
        expected=(
            Expected("wrapped_column", ("created_at",), (0.7, 0.9), False, True, ("r.opened >=",)),
        ),
        unsaid=(WITHIN,),
    ),
    # Spark moves no condition on another name of a key through a window.
    Pair(
        "last_of_each_order",
        in_order_of_number,
        repeated(
            "SELECT count(*) FROM (SELECT order_id AS number, row_number() OVER"
            " (PARTITION BY order_id ORDER BY n DESC) AS nth FROM lake.db.last_of_each_order) o"
            " WHERE nth = 1 AND number BETWEEN 30000 AND 60000",
            5,
            **SPARK,
        ),
        expected=(
            Expected("wrapped_column", ("order_id",), (0.3, 1), False, True, (WITHIN, "window")),
        ),
        unsaid=("beside it",),
    ),
)
