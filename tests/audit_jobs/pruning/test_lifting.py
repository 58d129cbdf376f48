"""Lifting, as text: what a comparison becomes on the partition value `p`, inclusive and strict."""

import datetime as dt
from decimal import Decimal
from typing import Any

import pytest

from audit_jobs.pruning.lifting import lift_inclusive, lift_strict
from collectors.partitioning import PartitionField, PartitionSpec, result_type
from collectors.predicates.model import (
    FALSE,
    TRUE,
    And,
    BoundComparison,
    Column,
    Comparison,
    Field,
    Op,
    Or,
    PhysicalValue,
    Predicate,
    Reason,
    Unsupported,
)
from collectors.predicates.render import render

UNSUPPORTED = Unsupported(Reason.FUNCTION, "f(x)", "f(x)")
LONG_MIN, LONG_MAX = -(2**63), 2**63 - 1
NINES = Decimal("9" * 38)
DAY = 86_400_000_000


def partitioned(
    transform: str, type_name: str, *, source: int = 1, name: str = "p"
) -> PartitionSpec:
    kind = result_type(transform, type_name)
    return PartitionSpec(1, (PartitionField(1000, source, name, transform, type_name, kind),))


def leaf(op: Op, type_name: str, *values: PhysicalValue, term: str | None = None) -> Predicate:
    return BoundComparison(op, Field(1, "x", type_name, term), values)


def micros(text: str) -> int:
    span = dt.datetime.fromisoformat(text) - dt.datetime(1970, 1, 1)
    return span // dt.timedelta(microseconds=1)


def assert_lifts(spec: PartitionSpec, part: Predicate, inclusive: str, strict: str) -> None:
    assert render(lift_inclusive(part, spec)) == inclusive
    assert render(lift_strict(part, spec)) == strict


@pytest.mark.parametrize(
    ("op", "values", "inclusive", "strict"),
    [
        pytest.param(Op.LT, (20,), "p <= 10", "p < 20", id="lt-at-boundary"),
        pytest.param(Op.LT, (25,), "p <= 20", "p < 20", id="lt-inside"),
        pytest.param(Op.LT_EQ, (29,), "p <= 20", "p < 30", id="le-at-last-of-partition"),
        pytest.param(Op.LT_EQ, (25,), "p <= 20", "p < 20", id="le-inside"),
        pytest.param(Op.GT, (29,), "p >= 30", "p > 20", id="gt-at-last-of-partition"),
        pytest.param(Op.GT, (25,), "p >= 20", "p > 20", id="gt-inside"),
        pytest.param(Op.GT_EQ, (30,), "p >= 30", "p > 20", id="ge-at-boundary"),
        pytest.param(Op.GT_EQ, (25,), "p >= 20", "p > 20", id="ge-inside"),
        pytest.param(Op.EQ, (25,), "p = 20", "FALSE", id="eq"),
        pytest.param(Op.IN, (25, 29), "p = 20", "FALSE", id="in-of-one-partition-is-eq"),
        pytest.param(Op.IN, (25, 31), "p IN (20, 30)", "FALSE", id="in"),
        pytest.param(Op.NOT_EQ, (25,), "TRUE", "p != 20", id="ne"),
        pytest.param(Op.NOT_IN, (25, 29), "TRUE", "p != 20", id="not-in-of-one-partition-is-ne"),
        pytest.param(Op.NOT_IN, (25, 31), "TRUE", "p NOT IN (20, 30)", id="not-in"),
        pytest.param(Op.IS_NULL, (), "p IS NULL", "p IS NULL", id="is-null"),
        pytest.param(Op.NOT_NULL, (), "p IS NOT NULL", "p IS NOT NULL", id="not-null"),
        pytest.param(Op.LT, (-5,), "p <= -10", "p < -10", id="negative-rounds-down"),
        pytest.param(Op.EQ, (-1,), "p = -10", "FALSE", id="negative-eq"),
    ],
)
@pytest.mark.parametrize("type_name", ["int", "long"])
def test_truncate_of_whole_numbers(
    type_name: str, op: Op, values: tuple[int, ...], inclusive: str, strict: str
) -> None:
    spec = partitioned("truncate[10]", type_name)
    assert_lifts(spec, leaf(op, type_name, *values), inclusive, strict)


@pytest.mark.parametrize(
    ("op", "value", "inclusive", "strict"),
    [
        pytest.param(
            Op.LT_EQ,
            LONG_MAX,
            "p <= 9223372036854775800",
            "p < 9223372036854775800",
            id="le-largest",
        ),
        pytest.param(
            Op.GT,
            LONG_MAX,
            "p >= 9223372036854775800",
            "p > 9223372036854775800",
            id="gt-largest",
        ),
        # The partition value of the smallest longs would lie below all longs.
        pytest.param(Op.GT_EQ, LONG_MIN, "TRUE", "FALSE", id="ge-smallest"),
        pytest.param(Op.LT, LONG_MIN, "TRUE", "FALSE", id="lt-smallest"),
        pytest.param(Op.EQ, LONG_MIN + 1, "TRUE", "FALSE", id="eq-next-to-smallest"),
        pytest.param(Op.NOT_EQ, LONG_MIN, "TRUE", "FALSE", id="ne-smallest"),
    ],
)
def test_truncate_at_the_ends_of_long(op: Op, value: int, inclusive: str, strict: str) -> None:
    assert_lifts(partitioned("truncate[10]", "long"), leaf(op, "long", value), inclusive, strict)


@pytest.mark.parametrize(
    ("type_name", "op", "value", "inclusive", "strict"),
    [
        pytest.param(
            "decimal(9,2)", Op.LT, "10.50", "p <= 10.00", "p < 10.50", id="lt-at-boundary"
        ),
        pytest.param("decimal(9,2)", Op.LT, "10.65", "p <= 10.50", "p < 10.50", id="lt-inside"),
        pytest.param("decimal(9,2)", Op.LT_EQ, "10.99", "p <= 10.50", "p < 11.00", id="le"),
        pytest.param("decimal(9,2)", Op.GT, "10.99", "p >= 11.00", "p > 10.50", id="gt"),
        pytest.param("decimal(9,2)", Op.GT_EQ, "11.00", "p >= 11.00", "p > 10.50", id="ge"),
        pytest.param("decimal(9,2)", Op.EQ, "-0.01", "p = -0.50", "FALSE", id="eq-negative"),
        pytest.param("decimal(9,2)", Op.NOT_EQ, "10.65", "TRUE", "p != 10.50", id="ne"),
        pytest.param(
            "decimal(38,2)",
            Op.LT,
            "123456789012345678901234567890123456.78",
            "p <= 123456789012345678901234567890123456.50",
            "p < 123456789012345678901234567890123456.50",
            id="38-digits-are-not-rounded",
        ),
        pytest.param("decimal(38,0)", Op.GT, str(NINES), "TRUE", f"p > {'9' * 36}50", id="largest"),
        pytest.param("decimal(38,0)", Op.EQ, f"-{NINES}", "TRUE", "FALSE", id="smallest"),
    ],
)
def test_truncate_of_decimals(
    type_name: str, op: Op, value: str, inclusive: str, strict: str
) -> None:
    part = leaf(op, type_name, Decimal(value))
    assert_lifts(partitioned("truncate[50]", type_name), part, inclusive, strict)


@pytest.mark.parametrize(
    ("op", "value", "inclusive", "strict"),
    [
        pytest.param(Op.LT, "abcde", "p <= 'abc'", "p < 'abc'", id="lt"),
        pytest.param(Op.LT_EQ, "abc", "p <= 'abc'", "p < 'abc'", id="le"),
        pytest.param(Op.GT, "abcde", "p >= 'abc'", "p > 'abc'", id="gt"),
        pytest.param(Op.GT_EQ, "ab", "p >= 'ab'", "p > 'ab'", id="ge-shorter-than-width"),
        pytest.param(Op.EQ, "abcde", "p = 'abc'", "FALSE", id="eq"),
        pytest.param(Op.NOT_EQ, "abcde", "TRUE", "p != 'abc'", id="ne"),
        pytest.param(
            Op.STARTS_WITH, "ab", "p LIKE 'ab' || '%'", "p LIKE 'ab' || '%'", id="prefix-shorter"
        ),
        pytest.param(Op.STARTS_WITH, "abc", "p = 'abc'", "p = 'abc'", id="prefix-of-width"),
        pytest.param(Op.STARTS_WITH, "abcd", "p LIKE 'abc' || '%'", "FALSE", id="prefix-longer"),
        pytest.param(
            Op.NOT_STARTS_WITH,
            "ab",
            "p NOT LIKE 'ab' || '%'",
            "p NOT LIKE 'ab' || '%'",
            id="not-prefix-shorter",
        ),
        pytest.param(
            Op.NOT_STARTS_WITH, "abc", "p != 'abc'", "p != 'abc'", id="not-prefix-of-width"
        ),
        pytest.param(
            Op.NOT_STARTS_WITH, "abcd", "TRUE", "p NOT LIKE 'abc' || '%'", id="not-prefix-longer"
        ),
        pytest.param(Op.EQ, "äöüß", "p = 'äöü'", "FALSE", id="code-points-not-bytes"),
        pytest.param(Op.STARTS_WITH, "äöü", "p = 'äöü'", "p = 'äöü'", id="prefix-in-code-points"),
        pytest.param(Op.EQ, "😀😀😀😀", "p = '😀😀😀'", "FALSE", id="beyond-the-basic-plane"),
    ],
)
def test_truncate_of_strings(op: Op, value: str, inclusive: str, strict: str) -> None:
    part = leaf(op, "string", value.encode())
    assert_lifts(partitioned("truncate[3]", "string"), part, inclusive, strict)


def test_truncate_of_binary() -> None:
    part = leaf(Op.LT, "binary", b"\xff\xfe\xfd")
    assert_lifts(partitioned("truncate[2]", "binary"), part, "p <= X'FFFE'", "p < X'FFFE'")


@pytest.mark.parametrize(
    ("op", "values", "inclusive", "strict"),
    [
        # The bucket of 34 is 3 of 16: the hash 2017239379 is in the table spec.
        pytest.param(Op.EQ, (34,), "p = 3", "FALSE", id="eq"),
        pytest.param(Op.IN, (34, 35), "p IN (3, 5)", "FALSE", id="in"),
        pytest.param(Op.NOT_EQ, (34,), "TRUE", "p != 3", id="ne"),
        pytest.param(Op.NOT_IN, (34, 35), "TRUE", "p NOT IN (3, 5)", id="not-in"),
        pytest.param(Op.LT, (34,), "TRUE", "FALSE", id="lt"),
        pytest.param(Op.LT_EQ, (34,), "TRUE", "FALSE", id="le"),
        pytest.param(Op.GT, (34,), "TRUE", "FALSE", id="gt"),
        pytest.param(Op.GT_EQ, (34,), "TRUE", "FALSE", id="ge"),
        pytest.param(Op.IS_NULL, (), "p IS NULL", "p IS NULL", id="is-null"),
        pytest.param(Op.NOT_NULL, (), "p IS NOT NULL", "p IS NOT NULL", id="not-null"),
    ],
)
def test_bucket(op: Op, values: tuple[int, ...], inclusive: str, strict: str) -> None:
    assert_lifts(partitioned("bucket[16]", "long"), leaf(op, "long", *values), inclusive, strict)


@pytest.mark.parametrize("op", [Op.STARTS_WITH, Op.NOT_STARTS_WITH])
def test_prefixes_do_not_lift_onto_buckets(op: Op) -> None:
    assert_lifts(partitioned("bucket[16]", "string"), leaf(op, "string", b"a"), "TRUE", "FALSE")


@pytest.mark.parametrize("op", list(Op), ids=str)
def test_identity_lifts_every_operator_unchanged(op: Op) -> None:
    lists = op in (Op.IN, Op.NOT_IN)
    values = () if op.name.endswith(("NULL", "NAN")) else (b"a", b"b") if lists else (b"a",)
    target = BoundComparison(op, Field(1000, "p", "string"), values)
    spec = partitioned("identity", "string")
    assert lift_inclusive(leaf(op, "string", *values), spec) == target
    assert lift_strict(leaf(op, "string", *values), spec) == target


@pytest.mark.parametrize(
    ("transform", "type_name"),
    [
        pytest.param("void", "long", id="void"),
        pytest.param("zorder[4]", "long", id="unknown"),
        pytest.param("hour", "date", id="hour-of-a-date"),
        pytest.param("year", "string", id="year-of-a-string"),
    ],
)
@pytest.mark.parametrize("op", list(Op), ids=str)
def test_nothing_lifts_onto_transforms_without_meaning(
    op: Op, transform: str, type_name: str
) -> None:
    value: PhysicalValue = b"a" if type_name == "string" else 1
    values = () if op.name.endswith(("NULL", "NAN")) else (value,)
    assert_lifts(partitioned(transform, type_name), leaf(op, type_name, *values), "TRUE", "FALSE")


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


TWO_FIELDS = PartitionSpec(
    1,
    (
        PartitionField(1000, 1, "t", "truncate[10]", "long", "long"),
        PartitionField(1001, 1, "b", "bucket[16]", "long", "int"),
        PartitionField(1002, 2, "other", "identity", "string", "string"),
    ),
)


@pytest.mark.parametrize(
    ("part", "inclusive", "strict"),
    [
        pytest.param(leaf(Op.EQ, "long", 34), "t = 30 AND b = 3", "FALSE", id="both-inclusive"),
        pytest.param(leaf(Op.NOT_EQ, "long", 34), "TRUE", "t != 30 OR b != 3", id="both-strict"),
        pytest.param(leaf(Op.LT, "long", 34), "t <= 30", "t < 30", id="one-of-two"),
    ],
)
def test_several_fields_of_one_column(part: Predicate, inclusive: str, strict: str) -> None:
    assert_lifts(TWO_FIELDS, part, inclusive, strict)


IDENTITY = partitioned("identity", "long")
LOW, HIGH = leaf(Op.GT, "long", 3), leaf(Op.LT, "long", 7)
ELSEWHERE = BoundComparison(Op.EQ, Field(9, "y", "long"), (1,))


@pytest.mark.parametrize(
    ("predicate", "inclusive", "strict"),
    [
        pytest.param(TRUE, "TRUE", "TRUE", id="true"),
        pytest.param(FALSE, "FALSE", "FALSE", id="false"),
        pytest.param(UNSUPPORTED, "TRUE", "FALSE", id="unsupported"),
        pytest.param(ELSEWHERE, "TRUE", "FALSE", id="not-a-partition-column"),
        pytest.param(And((LOW, HIGH)), "p > 3 AND p < 7", "p > 3 AND p < 7", id="and"),
        pytest.param(Or((LOW, HIGH)), "p > 3 OR p < 7", "p > 3 OR p < 7", id="or"),
        pytest.param(And((LOW, ELSEWHERE)), "p > 3", "FALSE", id="and-elsewhere"),
        pytest.param(Or((LOW, ELSEWHERE)), "TRUE", "p > 3", id="or-elsewhere"),
        pytest.param(And((LOW, UNSUPPORTED)), "p > 3", "FALSE", id="and-unsupported"),
        pytest.param(Or((LOW, UNSUPPORTED)), "TRUE", "p > 3", id="or-unsupported"),
    ],
)
def test_trees(predicate: Predicate, inclusive: str, strict: str) -> None:
    assert_lifts(IDENTITY, predicate, inclusive, strict)


@pytest.mark.parametrize("lift", [lift_inclusive, lift_strict])
def test_an_unbound_predicate_is_refused(lift: Any) -> None:
    with pytest.raises(TypeError, match="bound"):
        lift(Comparison(Op.IS_NULL, Column(("x",))), IDENTITY)
