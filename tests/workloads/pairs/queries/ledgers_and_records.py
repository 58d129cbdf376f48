"""Ledgers, shipments and records of patients and subscribers."""

from __future__ import annotations

import numpy as np

from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Commit, Layout
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    SPARK,
    SPARK_35,
    dates,
    day,
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

MONTH_STARTS = (0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365)
ACCOUNT_STEP = 1_234_567_890_123_456


def ledger() -> Layout:
    """A year of eight files a month, as booked. Value dates are three days off at most."""
    draw = rng(8301)
    count = 96 * FILE_ROWS
    booked = np.sort(draw.integers(0, 365, count))
    return laid_out(
        table(
            {
                "booking_date": dates(booked),
                "value_date": dates(booked + draw.integers(-3, 4, count)),
                "account": texts(draw.integers(0, 700, count) * ACCOUNT_STEP, "DE{:018d}"),
                "cents": draw.integers(-100_000, 100_000, count),
            }
        ),
        "months(booking_date)",
    )


def _shipments(seed: int, first: int, last: int, partition: str) -> Commit:
    draw = rng(seed)
    count = (last - first) * FILE_ROWS
    rows = table(
        {
            "created_at": times(np.sort(draw.uniform(first * DAY, last * DAY, count))),
            "carrier": texts(draw.integers(0, 9, count), "C{}"),
            "parcel_no": draw.integers(0, 1 << 40, count),
        },
        seed,
    )
    return Commit(loaded(rows, (partition,), FILE_ROWS), (partition,))


def shipments() -> Layout:
    """Three months by months, and 30 days since by days, all in order of time."""
    old = _shipments(8302, 0, 90, "months(created_at)")
    new = _shipments(8303, 90, 120, "days(created_at)")
    return Layout((old, new), ("days(created_at)",), scaled())


def results_of_patients() -> Layout:
    """50 files in order of patients, whose column got another name since."""
    draw = rng(8304)
    count = 50 * FILE_ROWS
    made = laid_out(
        table(
            {
                "patient": np.sort(draw.integers(0, 4000, count)).astype(np.int32),
                "taken_at": times(draw.uniform(0, 90 * DAY, count)),
                "value": draw.random(count),
            }
        )
    )
    return Layout(made.commits, (), made.properties, renamed={"patient": "patient_key"})


def users() -> Layout:
    """Ten months of eight files each, with any users in each."""
    draw = rng(8305)
    count = 80 * FILE_ROWS
    return laid_out(
        table(
            {
                "created_at": times(draw.uniform(0, 304 * DAY, count)),
                "user_id": draw.integers(0, 3000, count),
                "address": texts(draw.integers(0, 90_000, count), "street {}"),
            }
        ),
        "months(created_at)",
    )


def _tickets(seed: int, first: int, last: int, *partition: str) -> Commit:
    draw = rng(seed)
    count = (last - first) * FILE_ROWS
    rows = table(
        {
            "opened_at": times(draw.uniform(first * DAY, last * DAY, count)),
            "org": draw.integers(0, 500, count),
            "state": texts(draw.integers(0, 4, count), "state {}"),
        },
        seed,
    )
    return Commit(loaded(rows, partition, FILE_ROWS), partition)


def tickets() -> Layout:
    """20 days of four buckets each, and 20 since, when the buckets were dropped: in a table of
    version 1, whose specs keep them as void fields."""
    old = _tickets(8306, 0, 20, "bucket(4, org)", "days(opened_at)")
    new = _tickets(8307, 20, 40, "days(opened_at)")
    return Layout((old, new), ("days(opened_at)",), scaled(), format_version=1)


PAIRS = (
    # Value dates are in two or three files; an account is in all 96, of which 12 to 24 would do.
    Pair(
        "ledger_of_accounts_and_value_dates",
        ledger,
        [
            *each(
                "SELECT * FROM lake.db.ledger_of_accounts_and_value_dates"
                " WHERE account = 'DE{:018d}'",
                [n * ACCOUNT_STEP for n in range(3, 700, 35)],
                user="branch",
            ),
            *each(
                "SELECT sum(cents) FROM lake.db.ledger_of_accounts_and_value_dates"
                " WHERE value_date = DATE '{}'",
                [day(n) for n in range(8, 360, 40)],
                user="treasury",
                **SPARK,
            ),
            *each(
                "SELECT account, sum(cents) FROM lake.db.ledger_of_accounts_and_value_dates"
                " WHERE booking_date >= DATE '{}' AND booking_date < DATE '{}' GROUP BY account",
                [(day(MONTH_STARTS[n]), day(MONTH_STARTS[n + 1])) for n in (9, 10, 11)],
                user="closing",
            ),
            *repeated(
                "SELECT sum(cents) FROM lake.db.ledger_of_accounts_and_value_dates",
                2,
                user="checks",
                **SPARK_35,
            ),
        ],
        # 1,920 files of 2,160; value dates lose 60 or so.
        expected=(Expected("no_partition_filter", ("account",), (0.6, 0.8), True, False),),
        allowed=(
            Expected("misaligned_partitioning", (), statements=False),
            Expected("no_partition_filter", ("value_date",), statements=False),
        ),
        tempting={
            "truncated_bounds": "bounds of 16 characters tell hundreds apart",
            "partitions_too_coarse": "whole months are asked for",
        },
        never=("PARTITION FIELD",),
    ),
    # What is asked for has days, but for one report of all.
    Pair(
        "shipments_by_days_since",
        shipments,
        [
            *each(
                "SELECT carrier, count(*) FROM lake.db.shipments_by_days_since"
                " WHERE created_at >= TIMESTAMP '{}' AND created_at < TIMESTAMP '{}'"
                " GROUP BY carrier",
                [(instant(n * DAY), instant((n + 1) * DAY)) for n in range(92, 120, 2)],
                user="hub",
            ),
            *each(
                "SELECT parcel_no FROM lake.db.shipments_by_days_since"
                " WHERE carrier = 'C{}' AND created_at >= TIMESTAMP '{}'",
                [(n, instant(118 * DAY)) for n in range(9)],
                user="carrier",
                **SPARK,
            ),
            *each(
                "SELECT count(*) FROM lake.db.shipments_by_days_since"
                " WHERE created_at >= TIMESTAMP_NTZ '{}' AND created_at < TIMESTAMP_NTZ '{}'",
                [(instant(n * DAY), instant((n + 1) * DAY)) for n in (7, 40, 66)],
                user="claims",
                **SPARK_35,
            ),
            *repeated("SELECT count(*) FROM lake.db.shipments_by_days_since", 1, user="board"),
        ],
        tempting={
            "old_spec_files": "old files are in order of time, and hardly read",
            "unclustered_column": "carriers are in each file of their two days",
            "partitions_too_coarse": "months are those of old files",
        },
        never=("PARTITION FIELD", "ORDERED BY", "rewrite_data_files"),
    ),
    # Patients are in one file or two by what the column was called.
    Pair(
        "results_of_a_renamed_patient",
        results_of_patients,
        [
            *each(
                "SELECT * FROM lake.db.results_of_a_renamed_patient WHERE patient_key = {}",
                range(7, 4000, 80),
                user="ward",
            ),
            *each(
                "SELECT avg(value) FROM lake.db.results_of_a_renamed_patient"
                " WHERE patient_key IN ({}, {}, {})",
                [(n, n + 1, n + 2) for n in range(40, 4000, 400)],
                user="study",
                **SPARK,
            ),
            *each(
                "SELECT count(*) FROM lake.db.results_of_a_renamed_patient"
                " WHERE taken_at >= TIMESTAMP_NTZ '{}'",
                [instant(89 * DAY)] * 2,
                user="report",
                **SPARK_35,
            ),
        ],
        # Times would win 98 files, and patients lose thousands.
        allowed=(Expected("unclustered_column", ("taken_at",), statements=False),),
        tempting={"no_column_metrics": "bounds are kept by the column's id"},
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
    # 60 users are in nearly all files of a month, in whatever order.
    Pair(
        "users_to_forget",
        users,
        [
            *each(
                "SELECT user_id, address FROM lake.db.users_to_forget WHERE user_id IN ({})",
                [", ".join(map(str, rng(seed).integers(0, 3000, 60))) for seed in range(4)],
                user="privacy",
                **SPARK,
            ),
            *each(
                "SELECT count(*) FROM lake.db.users_to_forget"
                " WHERE created_at >= TIMESTAMP '{}' AND created_at < TIMESTAMP '{}'",
                [
                    (instant(MONTH_STARTS[n] * DAY), instant(MONTH_STARTS[n + 1] * DAY))
                    for n in range(10)
                ]
                * 2,
                user="bi",
            ),
        ],
        allowed=(
            Expected("no_partition_filter", ("user_id",), statements=False),
            Expected("misaligned_partitioning", (), statements=False),
        ),
        tempting={
            "long_in_list": "60 values are fewer than 200",
            "row_groups_not_pruned": "each file has some of them",
        },
        never=("PARTITION FIELD", "ORDERED BY", "bloom"),
    ),
    # Old files have days as well.
    Pair(
        "tickets_of_a_dropped_bucket",
        tickets,
        [
            *each(
                "SELECT state, count(*) FROM lake.db.tickets_of_a_dropped_bucket"
                " WHERE opened_at >= TIMESTAMP '{}' AND opened_at < TIMESTAMP '{}'"
                " GROUP BY state",
                [(instant(n * DAY), instant((n + 1) * DAY)) for n in range(1, 40, 3)],
                user="bi",
            ),
            *each(
                "SELECT * FROM lake.db.tickets_of_a_dropped_bucket"
                " WHERE org = {} AND opened_at >= TIMESTAMP '{}' AND opened_at < TIMESTAMP '{}'",
                [(n * 37, instant((n + 2) * DAY), instant((n + 3) * DAY)) for n in range(1, 37, 4)],
                user="support",
                **SPARK,
            ),
            *each(
                "SELECT count(*) FROM lake.db.tickets_of_a_dropped_bucket"
                " WHERE opened_at >= TIMESTAMP_NTZ '{}' AND opened_at < TIMESTAMP_NTZ '{}'",
                [(instant(n * 10 * DAY), instant((n + 1) * 10 * DAY)) for n in range(4)],
                user="report",
                **SPARK_35,
            ),
        ],
        tempting={
            "old_spec_files": "they are by days, too",
            "small_files": "no scan opens a hundred",
            "misaligned_partitioning": "a void field is none",
            "unclustered_column": "a day is a file",
        },
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
)
