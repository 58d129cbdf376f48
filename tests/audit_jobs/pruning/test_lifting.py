"""Lifting, as text: what a comparison becomes on the partition value `p`, inclusive and strict."""

from decimal import Decimal
from typing import Any

import pytest

from prunescope.audit_jobs.pruning.lifting import lift_inclusive, lift_strict
from prunescope.audit_jobs.pruning.rules import ICEBERG_1_12
from prunescope.collectors.partitioning import PartitionField, PartitionSpec
from prunescope.collectors.predicates.literals import PhysicalValue
from prunescope.collectors.predicates.model import (
    FALSE,
    TRUE,
    And,
    BoundComparison,
    Column,
    Comparison,
    Field,
    Or,
    Predicate,
    Reason,
    Unsupported,
)
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.predicates.render import render
from tests.audit_jobs.pruning.lifted import assert_lifts, leaf, partitioned

UNSUPPORTED = Unsupported(Reason.FUNCTION, "f(x)", "f(x)")
LONG_MIN, LONG_MAX = -(2**63), 2**63 - 1
NINES = Decimal("9" * 38)


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
        pytest.param(Op.STARTS_WITH, "ab", "p LIKE 'ab%'", "p LIKE 'ab%'", id="prefix-shorter"),
        pytest.param(Op.STARTS_WITH, "abc", "p = 'abc'", "p = 'abc'", id="prefix-of-width"),
        pytest.param(Op.STARTS_WITH, "abcd", "p LIKE 'abc%'", "FALSE", id="prefix-longer"),
        pytest.param(
            Op.NOT_STARTS_WITH,
            "ab",
            "p NOT LIKE 'ab%'",
            "p NOT LIKE 'ab%'",
            id="not-prefix-shorter",
        ),
        pytest.param(
            Op.NOT_STARTS_WITH, "abc", "p != 'abc'", "p != 'abc'", id="not-prefix-of-width"
        ),
        pytest.param(
            Op.NOT_STARTS_WITH, "abcd", "TRUE", "p NOT LIKE 'abc%'", id="not-prefix-longer"
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


@pytest.mark.parametrize(
    ("prefix", "spec_says", "java_says"),
    [
        ("\U0001f600", "p LIKE '\U0001f600%'", "p = '\U0001f600'"),
        ("\U0001f600x", "p = '\U0001f600x'", "p LIKE '\U0001f600x%'"),
        ("\u65e5", "p LIKE '\u65e5%'", "p LIKE '\u65e5%'"),
    ],
)
def test_iceberg_measures_prefixes_by_other_units(
    prefix: str, spec_says: str, java_says: str
) -> None:
    spec = partitioned("truncate[2]", "string")
    starts = leaf(Op.STARTS_WITH, "string", prefix.encode())
    assert render(lift_inclusive(starts, spec)) == spec_says
    assert render(lift_inclusive(starts, spec, ICEBERG_1_12.lifting)) == java_says


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
