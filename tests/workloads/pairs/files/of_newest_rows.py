"""Queues: of all states but one, the newest files alone have rows, as those came."""

from __future__ import annotations

import numpy as np

from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Layout
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    SPARK,
    SPARK_35,
    each,
    laid_out,
    repeated,
    rng,
    table,
    texts,
    times,
)

DAYS = 60
COUNT = DAYS * FILE_ROWS

CHANGES = r"ALTER|CALL"
"""What no statement is to do to a table that is as it should be."""


def _queue(seed: int, open_days: int) -> Layout:
    """Jobs in order of time, a file a day; of those of the last days, a tenth is pending."""
    draw = rng(seed)
    seconds = np.sort(draw.uniform(0, DAYS * DAY, COUNT))
    is_new = seconds > (DAYS - open_days) * DAY
    is_pending = is_new & (draw.random(COUNT) < 0.1)
    return laid_out(
        table(
            {
                "created_at": times(seconds),
                "state": texts(np.where(is_pending, "pending", "done")),
                "id": np.arange(COUNT),
            },
            seed,
        )
    )


def queue() -> Layout:
    """Three days have pending jobs."""
    return _queue(9101, 3)


def long_queue() -> Layout:
    """Twenty days have pending jobs."""
    return _queue(9102, 20)


def orders_with_few_open() -> Layout:
    """Orders in order of time, a file a day, that are done or cancelled. Half of those of the last
    three days are neither yet."""
    draw = rng(9104)
    states = draw.choice(["done", "cancelled"], COUNT, p=[0.9, 0.1])
    is_open = (np.arange(COUNT) >= COUNT - 3 * FILE_ROWS) & (draw.random(COUNT) < 0.5)
    waiting = draw.choice(["open", "pending"], COUNT)
    return laid_out(
        table(
            {
                "created_at": times(np.sort(draw.uniform(0, DAYS * DAY, COUNT))),
                "state": texts(np.where(is_open, waiting, states)),
            },
            9104,
        )
    )


def users_in_buckets() -> Layout:
    """16 buckets of four files each, whose users are in no order inside."""
    draw = rng(9103)
    users = draw.integers(0, 20_000, 64 * FILE_ROWS)
    return laid_out(
        table({"user_id": users, "amount": np.arange(len(users))}), "bucket(16, user_id)"
    )


def versions_of_users() -> Layout:
    """Versions of users, of which one in twelve is current, anywhere."""
    count = 40 * FILE_ROWS
    return laid_out(
        table({"id": np.arange(count), "is_current": rng(9105).random(count) < 1 / 12}, 9105)
    )


PAIRS = (
    # Three of 60 files have them, and one would, of a table that is rewritten for that.
    Pair(
        "pending_jobs",
        queue,
        repeated("SELECT id FROM lake.db.pending_jobs WHERE state = 'pending'", 20),
        tempting={"unclustered_column": "what is pending is in the newest files anyway"},
        never=(CHANGES,),
    ),
    Pair(
        "jobs_that_are_not_done",
        queue,
        repeated(
            "SELECT id FROM lake.db.jobs_that_are_not_done WHERE state <> 'done'", 10, **SPARK
        ),
        tempting={"negated_condition": "the planner rules out all other files"},
        never=(CHANGES,),
    ),
    # An old planner reads all 60, and three of a list.
    Pair(
        "jobs_that_are_not_done_by_an_old_planner",
        queue,
        repeated(
            "SELECT id FROM lake.db.jobs_that_are_not_done_by_an_old_planner WHERE state <> 'done'",
            10,
            **SPARK_35,
        ),
        expected=(
            Expected(
                "negated_condition",
                ("state",),
                (0.94, 0.96),
                False,
                True,
                ("state IN", "the list is enough"),
            ),
        ),
        never=(CHANGES,),
    ),
    # Bounds of what is done or cancelled rule out no third state, but those that are listed.
    Pair(
        "neither_done_nor_cancelled",
        orders_with_few_open,
        repeated(
            "SELECT * FROM lake.db.neither_done_nor_cancelled"
            " WHERE state NOT IN ('done', 'cancelled')",
            7,
        )
        + repeated(
            "SELECT count(*) FROM lake.db.neither_done_nor_cancelled"
            " WHERE created_at >= TIMESTAMP '2026-02-27 00:00:00'",
            7,
        ),
        expected=(
            Expected(
                "negated_condition", ("state",), (0.85, 0.95), False, True, ("audit again before",)
            ),
        ),
        rewritten={
            "negated_condition": repeated(
                "SELECT * FROM lake.db.neither_done_nor_cancelled"
                " WHERE state IN ('open', 'pending')",
                7,
            )
        },
        never=(CHANGES,),
    ),
    # What is not false is true.
    Pair(
        "not_what_is_over",
        versions_of_users,
        repeated("SELECT id FROM lake.db.not_what_is_over WHERE NOT (is_current = false)", 7),
        expected=(
            Expected(
                "negated_condition", ("is_current",), (0.8, 0.95), True, True, (r"is_current = \?",)
            ),
        ),
        unsaid=("list",),
    ),
    # A third of the files; a sort would leave two or three of the 60.
    Pair(
        "jobs_of_a_long_queue",
        long_queue,
        repeated("SELECT id FROM lake.db.jobs_of_a_long_queue WHERE state = 'pending'", 20),
        expected=(
            Expected(
                "unclustered_column",
                ("state",),
                (0.8, 0.9),
                True,
                False,
                ("spread over several files",),
            ),
        ),
        unsaid=("all files",),
    ),
    # Four files of a bucket.
    Pair(
        "users_of_a_bucket",
        users_in_buckets,
        each(
            "SELECT sum(amount) FROM lake.db.users_of_a_bucket WHERE user_id = {}",
            range(17, 20_000, 1_500),
        ),
        expected=(
            Expected(
                "unclustered_column",
                ("user_id",),
                (0.7, 0.78),
                True,
                False,
                ("all files of the partitions that have them",),
            ),
        ),
    ),
)
