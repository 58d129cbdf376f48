"""Classes of conjuncts, by Iceberg's own test and by Trino's domains."""

from __future__ import annotations

from decimal import Decimal

import pytest

from prunescope.audit_jobs.pruning.conjunct_classes import classify, is_remaining
from prunescope.audit_jobs.pruning.selection import selects_partitions
from prunescope.collectors.partitioning import PartitionField, PartitionSpec, result_type
from prunescope.collectors.predicates.column_domains import domains_of
from prunescope.collectors.predicates.literals import PhysicalValue
from prunescope.collectors.predicates.model import (
    And,
    BoundComparison,
    Field,
    Or,
    Predicate,
    Reason,
    Unsupported,
)
from prunescope.collectors.predicates.operators import Op

UNSUPPORTED = Unsupported(Reason.FUNCTION, "f(x)", "f(x)")
RUNTIME = Unsupported(Reason.RUNTIME, "x IN dynamic filter", "x IN dynamic filter")
MIDNIGHT = 1_709_251_200_000_000
NOON = MIDNIGHT + 12 * 3_600_000_000
DAY = 86_400_000_000


def partitioned(transform: str, type_name: str) -> PartitionSpec:
    kind = result_type(transform, type_name)
    return PartitionSpec(1, (PartitionField(1000, 1, "p", transform, type_name, kind),))


def leaf(op: Op, type_name: str, *values: PhysicalValue, source: int = 1) -> Predicate:
    return BoundComparison(op, Field(source, f"x{source}", type_name), values)


@pytest.mark.parametrize(
    ("conjunct", "specs", "expected"),
    [
        pytest.param(
            leaf(Op.LT, "timestamp", MIDNIGHT), ["day"], "enforced", id="range-on-boundary"
        ),
        pytest.param(leaf(Op.LT, "timestamp", NOON), ["day"], "unenforced", id="range-inside"),
        pytest.param(
            leaf(Op.GT_EQ, "timestamp", MIDNIGHT), ["day"], "enforced", id="ge-on-boundary"
        ),
        pytest.param(leaf(Op.GT, "timestamp", MIDNIGHT), ["day"], "unenforced", id="gt-boundary"),
        pytest.param(
            leaf(Op.LT_EQ, "timestamp", MIDNIGHT - 1), ["day"], "enforced", id="le-before-boundary"
        ),
        pytest.param(leaf(Op.LT, "timestamp", NOON), ["hour"], "enforced", id="hour-boundary"),
        pytest.param(leaf(Op.EQ, "timestamp", NOON), ["day"], "unenforced", id="eq-on-day"),
        pytest.param(leaf(Op.IS_NULL, "timestamp"), ["day"], "enforced", id="is-null"),
        pytest.param(leaf(Op.EQ, "timestamp", NOON), ["identity"], "enforced", id="identity-eq"),
        pytest.param(leaf(Op.LT, "timestamp", NOON), ["identity"], "enforced", id="identity-lt"),
        pytest.param(leaf(Op.LT, "timestamp", NOON), ["bucket[8]"], "unenforced", id="bucket-lt"),
        pytest.param(leaf(Op.EQ, "timestamp", NOON), ["bucket[8]"], "unenforced", id="bucket-eq"),
        pytest.param(leaf(Op.IS_NULL, "timestamp"), ["bucket[8]"], "enforced", id="bucket-null"),
        pytest.param(leaf(Op.IS_NULL, "timestamp"), ["void"], "unenforced", id="void"),
        pytest.param(
            leaf(Op.LT, "timestamp", NOON), ["hour", "identity"], "enforced", id="all-specs"
        ),
        pytest.param(
            leaf(Op.LT, "timestamp", NOON), ["hour", "day"], "unenforced", id="only-some-specs"
        ),
        pytest.param(leaf(Op.LT, "timestamp", NOON), [], "unenforced", id="no-specs"),
        pytest.param(UNSUPPORTED, ["day"], "unsupported", id="unsupported"),
        pytest.param(
            Or((leaf(Op.LT, "timestamp", NOON), UNSUPPORTED)),
            ["identity"],
            "unsupported",
            id="or-with-unsupported",
        ),
        pytest.param(
            Or((leaf(Op.LT, "timestamp", MIDNIGHT), leaf(Op.IS_NULL, "timestamp"))),
            ["day"],
            "enforced",
            id="or-of-enforced",
        ),
        pytest.param(RUNTIME, ["day"], "runtime", id="runtime"),
    ],
)
def test_by_icebergs_own_test(conjunct: Predicate, specs: list[str], expected: str) -> None:
    typed = [partitioned(transform, "timestamp") for transform in specs]
    selecting = [selects_partitions(conjunct, typed)]
    assert classify([conjunct], selecting, typed, by_domains=False) == (expected,)


@pytest.mark.parametrize(
    ("conjuncts", "type_name", "specs", "expected"),
    [
        pytest.param(
            [leaf(Op.LT, "timestamp", MIDNIGHT)],
            "timestamp",
            ["day"],
            ["enforced"],
            id="aligned range",
        ),
        pytest.param(
            [leaf(Op.LT, "timestamp", NOON)],
            "timestamp",
            ["day"],
            ["unenforced"],
            id="range within a day",
        ),
        pytest.param(
            [leaf(Op.LT_EQ, "timestamp", MIDNIGHT - 1)],
            "timestamp",
            ["day"],
            ["enforced"],
            id="last moment of a day",
        ),
        pytest.param(
            [leaf(Op.GT, "timestamp", MIDNIGHT - 1)],
            "timestamp",
            ["day"],
            ["enforced"],
            id="after the last moment of a day",
        ),
        pytest.param(
            [leaf(Op.GT, "timestamp", MIDNIGHT)],
            "timestamp",
            ["day"],
            ["unenforced"],
            id="after the first moment of a day",
        ),
        pytest.param(
            [leaf(Op.GT_EQ, "timestamp", MIDNIGHT), leaf(Op.LT, "timestamp", NOON)],
            "timestamp",
            ["day"],
            ["unenforced", "unenforced"],
            id="one bound of the domain is not aligned",
        ),
        pytest.param(
            [leaf(Op.GT_EQ, "timestamp", MIDNIGHT), leaf(Op.GT_EQ, "timestamp", NOON - DAY)],
            "timestamp",
            ["day"],
            ["enforced", "enforced"],
            id="the bound that is not aligned does not bind",
        ),
        pytest.param(
            [leaf(Op.EQ, "timestamp", MIDNIGHT)],
            "timestamp",
            ["day"],
            ["unenforced"],
            id="one moment of a day",
        ),
        pytest.param(
            [leaf(Op.EQ, "date", 19_000)], "date", ["day"], ["enforced"], id="one day of days"
        ),
        pytest.param(
            [leaf(Op.EQ, "date", 19_000)],
            "date",
            ["month"],
            ["unenforced"],
            id="one day of a month",
        ),
        pytest.param(
            [leaf(Op.NOT_EQ, "date", 19_000)], "date", ["day"], ["enforced"], id="all but one day"
        ),
        pytest.param(
            [leaf(Op.NOT_EQ, "date", 19_000)], "date", ["identity"], ["enforced"], id="identity"
        ),
        pytest.param(
            [leaf(Op.EQ, "int", 5)], "int", ["bucket[4]"], ["unenforced"], id="equality on a bucket"
        ),
        pytest.param(
            [leaf(Op.IS_NULL, "int")],
            "int",
            ["bucket[4]"],
            ["enforced"],
            id="null check on a bucket",
        ),
        pytest.param(
            [leaf(Op.NOT_NULL, "int")],
            "int",
            ["bucket[4]"],
            ["unenforced"],
            id="not-null check on a bucket",
        ),
        pytest.param([leaf(Op.IS_NULL, "int")], "int", ["void"], ["unenforced"], id="void"),
        pytest.param(
            [leaf(Op.GT_EQ, "int", 20)],
            "int",
            ["truncate[10]"],
            ["enforced"],
            id="aligned with truncate",
        ),
        pytest.param(
            [leaf(Op.GT_EQ, "int", 21)],
            "int",
            ["truncate[10]"],
            ["unenforced"],
            id="not aligned with truncate",
        ),
        pytest.param(
            [And((leaf(Op.GT_EQ, "int", 20), leaf(Op.LT_EQ, "int", 29)))],
            "int",
            ["truncate[10]"],
            ["enforced"],
            id="one partition of truncate",
        ),
        pytest.param(
            [leaf(Op.GT, "decimal(9,2)", Decimal("-0.01"))],
            "decimal(9,2)",
            ["truncate[100]"],
            ["enforced"],
            id="after the last decimal before a truncated one",
        ),
        pytest.param(
            [leaf(Op.GT_EQ, "decimal(18,2)", Decimal("5.00"))],
            "decimal(18,2)",
            ["truncate[100]"],
            ["enforced"],
            id="from a truncated decimal on",
        ),
        pytest.param(
            [leaf(Op.GT, "decimal(9,2)", Decimal("5.00"))],
            "decimal(9,2)",
            ["truncate[100]"],
            ["unenforced"],
            id="within a truncated decimal",
        ),
        pytest.param(
            [leaf(Op.GT_EQ, "decimal(19,2)", Decimal("5.00"))],
            "decimal(19,2)",
            ["truncate[100]"],
            ["unenforced"],
            id="long decimals have no neighbour",
        ),
        pytest.param(
            [leaf(Op.GT_EQ, "string", b"ab")],
            "string",
            ["truncate[2]"],
            ["unenforced"],
            id="text has no neighbour",
        ),
        pytest.param(
            [leaf(Op.STARTS_WITH, "string", b"ab")],
            "string",
            ["identity"],
            ["unenforced"],
            id="a prefix stays a LIKE",
        ),
        pytest.param(
            [leaf(Op.EQ, "uuid", b"0" * 16)], "uuid", ["identity"], ["unsupported"], id="uuid"
        ),
        pytest.param(
            [leaf(Op.IS_NULL, "uuid")],
            "uuid",
            ["identity"],
            ["enforced"],
            id="null check on a uuid",
        ),
        pytest.param(
            [leaf(Op.IS_NAN, "double")],
            "double",
            ["identity"],
            ["unsupported"],
            id="NaN is no domain",
        ),
        pytest.param(
            [leaf(Op.LT, "date", 19_000)],
            "date",
            ["day", "month"],
            ["unenforced"],
            id="only one of two specs",
        ),
        pytest.param([leaf(Op.LT, "date", 19_000)], "date", [], ["unenforced"], id="no data"),
        pytest.param(
            [Or((leaf(Op.EQ, "int", 1), leaf(Op.EQ, "int", 2, source=2)))],
            "int",
            ["identity"],
            ["unsupported"],
            id="either of two columns",
        ),
        pytest.param(
            [
                Or(
                    (
                        And((leaf(Op.EQ, "int", 1), leaf(Op.EQ, "int", 3, source=2))),
                        And((leaf(Op.EQ, "int", 2), leaf(Op.EQ, "int", 4, source=2))),
                    )
                )
            ],
            "int",
            ["identity"],
            ["unenforced"],
            id="each arm constrains both columns",
        ),
        pytest.param(
            [Or((leaf(Op.EQ, "int", 1), leaf(Op.EQ, "string", b"a", source=2)))],
            "int",
            ["identity"],
            ["unsupported"],
            id="columns of two types",
        ),
        pytest.param(
            [leaf(Op.EQ, "int", 1), UNSUPPORTED, RUNTIME],
            "int",
            ["identity"],
            ["enforced", "unsupported", "runtime"],
            id="each its own",
        ),
    ],
)
def test_by_trinos_domains(
    conjuncts: list[Predicate], type_name: str, specs: list[str], expected: list[str]
) -> None:
    typed = [partitioned(transform, type_name) for transform in specs]
    selecting = [False] * len(conjuncts)
    assert list(classify(conjuncts, selecting, typed, by_domains=True)) == expected


def test_what_is_enforced_or_runtime_is_not_evaluated_again() -> None:
    classes = ("enforced", "unenforced", "unsupported", "runtime")
    assert [is_remaining(name) for name in classes] == [False, True, True, False]


@pytest.mark.parametrize(
    ("pushed", "expected"),
    [
        pytest.param([], "unsupported", id="nothing"),
        pytest.param([leaf(Op.LT, "timestamp", NOON)], "unsupported", id="less"),
        pytest.param([leaf(Op.LT, "timestamp", MIDNIGHT)], "enforced", id="as much"),
        pytest.param([leaf(Op.LT, "timestamp", MIDNIGHT - DAY)], "enforced", id="more"),
        pytest.param([leaf(Op.LT, "timestamp", MIDNIGHT - 1)], "unenforced", id="more, unaligned"),
    ],
)
def test_what_trino_does_not_push_is_unsupported(pushed: list[Predicate], expected: str) -> None:
    """Whatever it implies: `date_format(ts, …) < '2024-03-01'` is no domain."""
    conjunct = leaf(Op.LT, "timestamp", MIDNIGHT)
    domains = domains_of(And(tuple(pushed))) if pushed else {}
    specs = [partitioned("day", "timestamp")]
    assert classify([conjunct], [True], specs, domains, by_domains=True) == (expected,)


def test_conditions_that_always_hold_are_enforced() -> None:
    always = Or((leaf(Op.IS_NULL, "int"), leaf(Op.NOT_NULL, "int")))
    specs = [partitioned("day", "timestamp")]
    assert classify([always], [False], specs, {}, by_domains=True) == ("enforced",)


_CENT, _CENTS = Decimal("0.01"), Decimal("0.02")


@pytest.mark.parametrize(
    ("conjunct", "pushed", "expected"),
    [
        pytest.param(
            leaf(Op.LT_EQ, "int", 4), leaf(Op.LT, "int", 5), "unenforced", id="whole numbers"
        ),
        pytest.param(leaf(Op.LT_EQ, "int", 4), leaf(Op.LT, "int", 6), "unsupported", id="less"),
        pytest.param(
            leaf(Op.GT_EQ, "decimal(9, 2)", _CENTS),
            leaf(Op.GT, "decimal(9, 2)", _CENT),
            "unenforced",
            id="decimals",
        ),
        pytest.param(
            leaf(Op.LT_EQ, "double", 4.0), leaf(Op.LT, "double", 5.0), "unsupported", id="floating"
        ),
        pytest.param(
            leaf(Op.NOT_IN, "int", 22, 23, 25),
            leaf(Op.NOT_IN, "int", 22, 23, 25),
            "unenforced",
            id="nothing between neighbours",
        ),
    ],
)
def test_what_is_pushed_may_have_other_bounds_of_the_same_values(
    conjunct: Predicate, pushed: Predicate, expected: str
) -> None:
    specs = [PartitionSpec(0, ())]
    domains = domains_of(pushed)
    assert classify([conjunct], [False], specs, domains, by_domains=True) == (expected,)
