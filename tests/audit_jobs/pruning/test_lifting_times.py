"""Lifting of times, as text: what a comparison becomes on the partition value `p`, inclusive and
strict."""

import pytest

from prunescope.collectors.predicates.operators import Op
from tests.audit_jobs.pruning.lifted import assert_lifts, leaf, micros, partitioned

NOON, MIDNIGHT = micros("2024-03-08 12:00:00"), micros("2024-03-08")


@pytest.mark.parametrize(
    ("transform", "op", "values", "inclusive", "strict"),
    [
        pytest.param(
            "day",
            Op.LT,
            (MIDNIGHT,),
            "p <= DATE '2024-03-07'",
            "p < DATE '2024-03-08'",
            id="day-lt-at-midnight",
        ),
        pytest.param(
            "day",
            Op.LT,
            (NOON,),
            "p <= DATE '2024-03-08'",
            "p < DATE '2024-03-08'",
            id="day-lt-at-noon",
        ),
        pytest.param(
            "day",
            Op.LT_EQ,
            (MIDNIGHT - 1,),
            "p <= DATE '2024-03-07'",
            "p < DATE '2024-03-08'",
            id="day-le-last-microsecond",
        ),
        pytest.param(
            "day",
            Op.GT,
            (MIDNIGHT - 1,),
            "p >= DATE '2024-03-08'",
            "p > DATE '2024-03-07'",
            id="day-gt-last-microsecond",
        ),
        pytest.param(
            "day",
            Op.GT_EQ,
            (MIDNIGHT,),
            "p >= DATE '2024-03-08'",
            "p > DATE '2024-03-07'",
            id="day-ge-at-midnight",
        ),
        pytest.param("day", Op.EQ, (NOON,), "p = DATE '2024-03-08'", "FALSE", id="day-eq"),
        pytest.param("day", Op.NOT_EQ, (NOON,), "TRUE", "p != DATE '2024-03-08'", id="day-ne"),
        pytest.param(
            "day",
            Op.IN,
            (MIDNIGHT - 1, NOON),
            "p IN (DATE '2024-03-07', DATE '2024-03-08')",
            "FALSE",
            id="day-in",
        ),
        pytest.param("hour", Op.LT, (NOON,), "p <= 474971", "p < 474972", id="hour-lt"),
        pytest.param("hour", Op.GT_EQ, (NOON + 1,), "p >= 474972", "p > 474972", id="hour-ge"),
        pytest.param("month", Op.LT, (NOON,), "p <= 650", "p < 650", id="month-lt"),
        pytest.param(
            "month", Op.LT, (micros("2024-03-01"),), "p <= 649", "p < 650", id="month-lt-boundary"
        ),
        pytest.param("year", Op.GT, (NOON,), "p >= 54", "p > 54", id="year-gt"),
        pytest.param("year", Op.IS_NULL, (), "p IS NULL", "p IS NULL", id="year-is-null"),
    ],
)
@pytest.mark.parametrize("type_name", ["timestamp", "timestamptz"])
def test_times(
    type_name: str, transform: str, op: Op, values: tuple[int, ...], inclusive: str, strict: str
) -> None:
    spec = partitioned(transform, type_name)
    assert_lifts(spec, leaf(op, type_name, *values), inclusive, strict)


def test_nanosecond_timestamps_have_nanosecond_neighbours() -> None:
    spec = partitioned("hour", "timestamp_ns")
    part = leaf(Op.LT, "timestamp_ns", 3_600_000_000_000)
    assert_lifts(spec, part, "p <= 0", "p < 1")


def test_the_day_of_a_date_is_the_date() -> None:
    part = leaf(Op.LT, "date", 19790)
    expected = ("p <= DATE '2024-03-07'", "p < DATE '2024-03-08'")
    assert_lifts(partitioned("day", "date"), part, *expected)


@pytest.mark.parametrize(
    ("op", "values", "inclusive", "strict"),
    [
        # Iceberg 0.10 and older rounded these towards zero: -1.5 hours was stored as -1.
        pytest.param(Op.LT, (-2,), "p <= -2", "p < -2", id="lt-negative"),
        pytest.param(Op.LT, (0,), "p <= 0", "p < 0", id="lt-zero-lifts-to-negative"),
        pytest.param(Op.LT, (1,), "p <= 0", "p < 1", id="lt-positive"),
        pytest.param(Op.LT_EQ, (-1,), "p <= 0", "p < -1", id="le-negative"),
        pytest.param(Op.GT, (-2,), "p >= -2", "p > -1", id="gt-negative"),
        pytest.param(Op.GT, (0,), "p >= 0", "p > 1", id="gt-zero"),
        pytest.param(Op.GT, (1,), "p >= 1", "p > 1", id="gt-positive"),
        pytest.param(Op.GT_EQ, (1,), "p >= 1", "p > 1", id="ge-just-after-zero"),
        pytest.param(Op.EQ, (-1,), "p IN (-1, 0)", "FALSE", id="eq-negative"),
        pytest.param(Op.EQ, (0,), "p = 0", "FALSE", id="eq-zero"),
        pytest.param(Op.IN, (-2, 3), "p IN (-2, -1, 3)", "FALSE", id="in"),
        pytest.param(Op.NOT_EQ, (-1,), "TRUE", "p NOT IN (-1, 0)", id="ne-negative"),
        pytest.param(Op.NOT_IN, (-1, 3), "TRUE", "p NOT IN (-1, 0, 3)", id="not-in"),
        pytest.param(Op.IS_NULL, (), "p IS NULL", "p IS NULL", id="is-null"),
    ],
)
def test_times_before_1970_allow_for_old_rounding(
    op: Op, values: tuple[int, ...], inclusive: str, strict: str
) -> None:
    hours = [value * 3_600_000_000 for value in values]
    part = leaf(op, "timestamp", *hours)
    assert_lifts(partitioned("hour", "timestamp"), part, inclusive, strict)


@pytest.mark.parametrize(
    ("transform", "type_name", "value", "inclusive"),
    [
        pytest.param(
            "day",
            "timestamp",
            -1,
            "p IN (DATE '1969-12-31', DATE '1970-01-01')",
            id="day-of-a-timestamp",
        ),
        pytest.param("month", "date", -1, "p IN (-1, 0)", id="month-of-a-date"),
        pytest.param("year", "date", -400, "p IN (-2, -1)", id="year-of-a-date"),
        pytest.param("day", "date", -1, "p = DATE '1969-12-31'", id="day-of-a-date-is-exact"),
    ],
)
def test_which_times_were_rounded(
    transform: str, type_name: str, value: int, inclusive: str
) -> None:
    part = leaf(Op.EQ, type_name, value)
    assert_lifts(partitioned(transform, type_name), part, inclusive, "FALSE")


@pytest.mark.parametrize(
    ("term", "value", "transform", "inclusive", "strict"),
    [
        pytest.param("bucket[16]", 3, "bucket[16]", "p = 3", "p = 3", id="same-bucket"),
        pytest.param("bucket[16]", 3, "bucket[8]", "TRUE", "FALSE", id="other-bucket-count"),
        pytest.param("bucket[16]", 3, "identity", "TRUE", "FALSE", id="other-transform"),
        pytest.param("truncate[10]", 20, "truncate[10]", "p = 20", "p = 20", id="truncate"),
    ],
)
def test_transform_terms_lift_only_onto_the_same_transform(
    term: str, value: int, transform: str, inclusive: str, strict: str
) -> None:
    part = leaf(Op.EQ, "long", value, term=term)
    assert_lifts(partitioned(transform, "long"), part, inclusive, strict)


def test_transform_terms_need_no_allowance_for_old_rounding() -> None:
    part = leaf(Op.LT_EQ, "timestamp", -1, term="hour")
    assert_lifts(partitioned("hour", "timestamp"), part, "p <= -1", "p <= -1")
