"""What is still open is null, and lies among what is closed: the order of values tells nothing of
nulls."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc

from tests.scenarios.lake import Query
from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Layout
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    SPARK,
    each,
    instant,
    laid_out,
    repeated,
    rng,
    table,
    times,
)

_DAYS = 60


def versions(seed: int, longest: float, *partition: str, null: float = 0.05) -> Layout:
    """Sixty days of versions of customers, of a file each, in order of the time from which they
    hold, which they do for so many days at most. Some, of all times, hold until now."""
    draw = rng(seed)
    count = _DAYS * FILE_ROWS
    begins = draw.uniform(0, _DAYS * DAY, count)
    begins.sort()
    ends = times(begins + draw.uniform(60, longest * DAY, count))
    is_open = pa.array(draw.random(count) < null)
    return laid_out(
        table(
            {
                "customer_id": draw.integers(0, 9000, count),
                "valid_from": times(begins),
                "valid_to": pc.if_else(is_open, pa.nulls(count, ends.type), ends),
            },
            seed,
        ),
        *partition,
    )


def _begun(name: str, step: int) -> list[Query]:
    return each(
        f"SELECT count(*) FROM lake.db.{name}"
        " WHERE valid_from >= TIMESTAMP '{}' AND valid_from < TIMESTAMP '{}'",
        [(instant(n * DAY), instant((n + 1) * DAY)) for n in range(0, _DAYS, step)],
    )


def _versions_in_days() -> Layout:
    return versions(7721, 0.04)


def _versions_of_months() -> Layout:
    return versions(7722, 30)


def _versions_of_which_few_ended() -> Layout:
    return versions(7723, 0.04, "months(valid_from)", null=0.97)


_FAR = "TIMESTAMP '9999-12-31 00:00:00'"
_LATER = ("serves conditions that the engine does not use only once they are written",)
_WRITTEN = Expected(
    "wrapped_column", ("valid_to",), None, False, True, ("valid_to IS NULL", "prunes once rows are")
)


def _open_and(name: str, condition: str, **asked: str) -> Pair:
    """What is open is asked for as it is, and by a condition that the engine does not use."""
    return Pair(
        name,
        _versions_in_days,
        repeated(f"SELECT count(*) FROM lake.db.{name} WHERE {condition}", 6, **asked)
        + repeated(f"SELECT customer_id FROM lake.db.{name} WHERE valid_to IS NULL", 10, **asked),
        expected=(
            Expected("unclustered_column", ("valid_to",), (0.85, 0.97), True, says=_LATER),
            _WRITTEN,
        ),
        unsaid=("behind the other values",),
    )


PAIRS = (
    # The nulls' order serves what asks for them in other words only once it is written so.
    _open_and("open_or_until_later", f"coalesce(valid_to, {_FAR}) > current_timestamp"),
    _open_and(
        "open_or_until_later_in_spark",
        "coalesce(valid_to, TIMESTAMP_NTZ '9999-12-31 00:00:00') > current_timestamp()",
        **SPARK,
    ),
    _open_and("open_or_far", f"coalesce(valid_to, {_FAR}) = {_FAR}"),
    _open_and("open_by_case", "CASE WHEN valid_to IS NULL THEN 'new' ELSE 'old' END = 'new'"),
    _open_and("open_by_if_in_spark", "if(valid_to IS NULL, 1, 0) = 1", **SPARK),
    # No order of it lasts, and without the condition none would serve it.
    Pair(
        "open_or_until_later_alone",
        _versions_in_days,
        repeated(
            "SELECT count(*) FROM lake.db.open_or_until_later_alone"
            f" WHERE coalesce(valid_to, {_FAR}) > current_timestamp",
            6,
        ),
        expected=(_WRITTEN,),
    ),
    # The rest stays in order of its end, and what holds until now in that of its beginning.
    Pair(
        "versions_that_hold",
        _versions_in_days,
        repeated("SELECT * FROM lake.db.versions_that_hold WHERE valid_to IS NULL", 10, **SPARK)
        + _begun("versions_that_hold", 3),
        expected=(Expected("unclustered_column", ("valid_to",), (0.75, 0.9), True),),
        never=("PARTITION FIELD",),
    ),
    # A report of each day's versions reads a file of it, and would read a dozen.
    Pair(
        "versions_of_long_that_hold",
        _versions_of_months,
        repeated("SELECT * FROM lake.db.versions_of_long_that_hold WHERE valid_to IS NULL", 4)
        + _begun("versions_of_long_that_hold", 1),
        allowed=(Expected("unclustered_column", ("valid_to",), None, False),),
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
    # What ended early is as rare, and lies in a file of each month once these are sorted.
    Pair(
        "versions_that_ended",
        _versions_of_which_few_ended,
        repeated(
            "SELECT customer_id FROM lake.db.versions_that_ended WHERE valid_to IS NOT NULL", 10
        ),
        expected=(
            Expected("no_partition_filter|unclustered_column", ("valid_to",), (0.85, 0.96), True),
        ),
        allowed=(Expected("misaligned_partitioning", ()),),
    ),
)
