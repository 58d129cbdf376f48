"""SQL of templates that schedule, sync, check and clean, and of what they load."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Layout
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    SPARK,
    dates,
    day,
    day_text,
    each,
    instant,
    laid_out,
    repeated,
    rng,
    table,
    texts,
    times,
)

COUNT = 60 * FILE_ROWS


def exports() -> Layout:
    """30 days of two files each; days are texts such as 20260105."""
    draw = rng(91_101)
    return laid_out(
        table(
            {
                "ds": day_text(draw.integers(0, 30, COUNT), "%Y%m%d"),
                "object_id": draw.integers(0, 5000, COUNT),
            }
        ),
        "ds",
    )


def accounts() -> Layout:
    """30 days of changes, of two files each."""
    draw = rng(91_102)
    return laid_out(
        table(
            {
                "updated_at": times(draw.uniform(0, 30 * DAY, COUNT)),
                "id": draw.permutation(COUNT),
            }
        ),
        "days(updated_at)",
    )


def registrations() -> Layout:
    """30 days of two files each."""
    draw = rng(91_103)
    return laid_out(
        table(
            {
                "loaded_on": dates(draw.integers(0, 30, COUNT)),
                "email": texts(draw.integers(0, 9000, COUNT), "u{:05d}@mail.example"),
                "plan_id": draw.integers(0, 40, COUNT),
            }
        ),
        "loaded_on",
    )


def incidents() -> Layout:
    """40 files of incidents, each with a list of labels."""
    draw = rng(91_104)
    count = 40 * FILE_ROWS
    words = np.array(["network", "storage", "urgent", "billing", "door"])
    labels = words[draw.integers(0, 5, (count, 2))].tolist()
    return laid_out(
        table({"number": np.arange(count), "labels": pa.array(labels, pa.list_(pa.string()))}),
        properties={"write.metadata.metrics.column.labels.element": "none"},
    )


def visitors() -> Layout:
    """Six months of ten files each."""
    draw = rng(91_105)
    return laid_out(
        table(
            {
                "created_on": dates(draw.integers(0, 181, COUNT)),
                "visitor_id": draw.integers(0, 8000, COUNT),
            }
        ),
        "months(created_on)",
    )


def telegrams() -> Layout:
    """Six months of ten files each, by a time within a header."""
    draw = rng(91_106)
    header = pa.StructArray.from_arrays(
        [times(draw.uniform(0, 181 * DAY, COUNT)), pa.array(draw.integers(0, 50, COUNT))],
        ["sent_at", "channel"],
    )
    return laid_out(table({"header": header}), "months(header.sent_at)")


def _cursor(number: int) -> tuple[str, str, int]:
    at = instant(28 * DAY + 3600 * number)
    return at, at, 600 * number


PAIRS = (
    # A template has a number where a text is: each value is cast, and the days tell nothing.
    Pair(
        "exports_by_ds_as_a_number",
        exports,
        each(
            "SELECT count(DISTINCT object_id) FROM lake.db.exports_by_ds_as_a_number"
            " WHERE ds = 202601{:02d}",
            range(5, 30, 3),
            user="airflow",
            **SPARK,
        ),
        expected=(Expected("type_mismatch", ("ds",), None, False),),
        tempting={
            "no_partition_filter": "days are asked for",
            "wrapped_column": "nobody wrote a function",
            "misaligned_partitioning": "days are asked for",
        },
        never=("ORDERED BY", "PARTITION FIELD"),
    ),
    # Texts in a format of its own, read by a function.
    Pair(
        "exports_of_the_last_week",
        exports,
        each(
            "SELECT object_id, max(ds) FROM lake.db.exports_of_the_last_week"
            " WHERE to_date(ds, 'yyyyMMdd') BETWEEN date_sub(DATE '{0}', 6) AND DATE '{0}'"
            " GROUP BY object_id",
            [day(number) for number in range(8, 30, 3)],
            user="airflow",
            **SPARK,
        ),
        expected=(Expected("wrapped_column|type_mismatch", ("ds",), None, False),),
        tempting={
            "no_partition_filter": "days are asked for",
            "misaligned_partitioning": "days are asked for",
        },
        never=("ORDERED BY", "PARTITION FIELD"),
    ),
    # Both arms say of `updated_at` that it is no earlier, and that is what Trino takes of them.
    Pair(
        "accounts_after_a_cursor",
        accounts,
        each(
            "SELECT id, updated_at FROM lake.db.accounts_after_a_cursor"
            " WHERE updated_at > TIMESTAMP '{}' OR (updated_at = TIMESTAMP '{}' AND id > {})"
            " ORDER BY updated_at, id LIMIT 1000",
            [_cursor(number) for number in range(12)],
            user="sync",
        ),
        tempting={
            "or_across_columns": "each arm has the time, which is pushed",
            "no_partition_filter": "days are asked for",
            "partitions_too_coarse": "two days of two are asked for",
        },
        never=("ORDERED BY", "PARTITION FIELD"),
    ),
    # Each check has its day, and looks at all of it.
    Pair(
        "expectations_of_a_day",
        registrations,
        [
            *each(
                "SELECT count(*) FROM lake.db.expectations_of_a_day t"
                " LEFT JOIN billing.public.plans p ON t.plan_id = p.plan_id"
                " WHERE p.plan_id IS NULL AND t.loaded_on = DATE '{}'",
                [day(number) for number in range(20, 28)],
                user="dq",
            ),
            *each(
                "SELECT count(DISTINCT email) * 1.0 / count(*) FROM lake.db.expectations_of_a_day"
                " WHERE loaded_on = DATE '{}'",
                [day(number) for number in range(20, 28)],
                user="dq",
            ),
            *each(
                "SELECT count(*) FROM lake.db.expectations_of_a_day WHERE loaded_on = DATE '{}'"
                " AND NOT regexp_like(email, '^[^@]+@[^@]+$')",
                [day(number) for number in range(20, 28)],
                user="dq",
            ),
            *each(
                "SELECT count(*) FROM lake.db.expectations_of_a_day"
                " WHERE loaded_on = '{}' AND email NOT LIKE '%@%'",
                [day(number) for number in range(20, 28)],
                user="dq",
                **SPARK,
            ),
        ],
        tempting={
            "like_without_prefix": "the day is told",
            "negated_condition": "the day is told",
            "runtime_only": "the day is told",
            "wrapped_column": "the day is told",
            "type_mismatch": "Spark makes a date of the text, not of the column",
            "unclustered_column": "whole days are looked at",
        },
        never=("ORDERED BY", "PARTITION FIELD"),
    ),
    # No bounds say what is in lists. A column that has the one word that matters would.
    Pair(
        "incidents_by_a_label",
        incidents,
        [
            *repeated(
                "SELECT number FROM lake.db.incidents_by_a_label WHERE contains(labels, 'urgent')",
                6,
            ),
            *repeated(
                "SELECT number FROM lake.db.incidents_by_a_label"
                " WHERE array_contains(labels, 'door')",
                6,
                **SPARK,
            ),
        ],
        allowed=(Expected("wrapped_column", ("labels|labels.element",), (0, 0), False, False),),
        tempting={
            "no_column_metrics": "bounds of lists would tell nothing of one of their values",
            "unclustered_column": "lists have no order that helps",
        },
        never=("ORDERED BY", "PARTITION FIELD", "TBLPROPERTIES"),
        unsaid=(r"labels >= \?",),
    ),
    # Ten to twenty files of 60 hold what is old enough.
    Pair(
        "visitors_forgotten_in_time",
        visitors,
        each(
            "DELETE FROM lake.db.visitors_forgotten_in_time"
            " WHERE date_add(created_on, 90) < DATE '{}'",
            [day(number) for number in (110, 113, 116, 119, 138, 141, 144, 147)],
            user="gdpr",
            **SPARK,
        ),
        expected=(
            Expected(
                "wrapped_column", ("created_on",), (0.6, 0.85), False, True, (r"2026-0[12]-\d\d",)
            ),
        ),
        tempting={
            "no_partition_filter": "months are asked for, in a sum",
            "partitions_too_coarse": "what is old is most of its months",
        },
        never=("ORDERED BY", "PARTITION FIELD"),
    ),
    # Spark undoes no `year` and no `month`, of a leaf as of a column. Ten files of 60.
    Pair(
        "telegrams_of_a_month",
        telegrams,
        each(
            "SELECT header.channel, count(*) FROM lake.db.telegrams_of_a_month"
            " WHERE year(header.sent_at) = 2026 AND month(header.sent_at) = {}"
            " GROUP BY header.channel",
            (1, 2, 3, 4, 5, 6),
            **SPARK,
        ),
        expected=(
            Expected(
                "wrapped_column",
                ("header.sent_at",),
                (0.75, 0.85),
                False,
                True,
                (r"2026-0\d-01", r"header\.sent_at"),
            ),
        ),
        tempting={"no_partition_filter": "months are asked for, in Spark's words"},
        never=("ORDERED BY", "PARTITION FIELD"),
    ),
)
