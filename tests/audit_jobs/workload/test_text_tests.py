"""Which conditions on texts of partitions are tests of their values, and what these rule out."""

from __future__ import annotations

import datetime as dt

import pytest

from prunescope.audit_jobs.workload.text_tests import with_text_tests
from prunescope.collectors.partitioning import PartitionField, PartitionSpec
from prunescope.collectors.predicates.model import (
    BoundComparison,
    Field,
    Predicate,
    Reason,
    Unsupported,
    all_of,
    any_of,
)
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.schema import Schema, SchemaColumn
from prunescope.collectors.sql.constants.session import Session

DT, HOUR, PAGE = (Field(number, name, "string") for number, name in enumerate(("dt", "hr", "page")))
SCHEMA = Schema(
    0,
    tuple(
        SchemaColumn(
            field.field_id,
            (field.name,),
            field.type,
            required=False,
            declared_required=False,
            has_default=False,
        )
        for field in (DT, HOUR, PAGE)
    ),
)
SPECS = [
    PartitionSpec(
        0,
        (
            PartitionField(1000, DT.field_id, "dt", "identity", "string", "string"),
            PartitionField(1001, HOUR.field_id, "hr", "identity", "string", "string"),
            PartitionField(1002, PAGE.field_id, "page_bucket", "bucket[4]", "string", "int"),
        ),
    )
]
NOW = dt.datetime(2026, 3, 8, 9, tzinfo=dt.UTC)


def asked(dialect: str, text: str, column: str = "dt", zone: str | None = None) -> Predicate:
    leaf = Unsupported(Reason.TYPE_MISMATCH, text, "?", (column,))
    return with_text_tests(leaf, SCHEMA, SPECS, Session(dialect, NOW, zone))


def as_read(pattern: str | None, op: Op, *values: str, field: Field = DT) -> BoundComparison:
    transform = "number" if pattern is None else f"time[{pattern}]"
    return BoundComparison(
        op, field._replace(transform=transform), tuple(value.encode() for value in values)
    )


DAY = "2026-01-05 00:00:00"


@pytest.mark.parametrize(
    ("dialect", "text", "expected"),
    [
        ("spark", "TO_DATE(dt) = CAST('2026-01-05' AS DATE)", as_read("%Y-%m-%d", Op.EQ, DAY)),
        ("spark", "dt = DATE '2026-01-05'", as_read("%Y-%m-%d", Op.EQ, DAY)),
        ("spark", "dt < date_sub(date '2026-01-06', 1)", as_read("%Y-%m-%d", Op.LT, DAY)),
        ("spark", "to_date(dt, 'dd.MM.yyyy') = '2026-01-05'", as_read("%d.%m.%Y", Op.EQ, DAY)),
        ("spark", "DATE '2026-01-05' <= to_date(dt, 'yyyyMMdd')", as_read("%Y%m%d", Op.GT_EQ, DAY)),
        (
            "spark",
            "to_date(dt, 'yyyy-MM') BETWEEN '2026-01-01' AND '2026-02-01'",
            all_of(
                as_read("%Y-%m", Op.GT_EQ, "2026-01-01 00:00:00"),
                as_read("%Y-%m", Op.LT_EQ, "2026-02-01 00:00:00"),
            ),
        ),
        ("trino", "CAST(dt AS date) <> DATE '2026-01-05'", as_read("%Y-%m-%d", Op.NOT_EQ, DAY)),
        (
            "trino",
            "date_parse(dt, '%Y%m%d%H') >= TIMESTAMP '2026-01-05 07:30:00'",
            as_read("%Y%m%d%H", Op.GT_EQ, "2026-01-05 07:30:00"),
        ),
        (
            "trino",
            "date(date_parse(dt, '%Y-%m-%d')) IN (DATE '2026-01-06', DATE '2026-01-05')",
            as_read("%Y-%m-%d", Op.IN, DAY, "2026-01-06 00:00:00"),
        ),
        ("trino", "from_iso8601_date(dt) = DATE '2026-01-05'", as_read("%Y-%m-%d", Op.EQ, DAY)),
        ("bigquery", "parse_date('%Y%m%d', dt) = DATE '2026-01-05'", as_read("%Y%m%d", Op.EQ, DAY)),
        ("spark", "dt >= 20260105", as_read(None, Op.GT_EQ, "000000020260105")),
        ("trino", "CAST(dt AS integer) = 7", as_read(None, Op.EQ, "000000000000007")),
    ],
)
def test_values_are_asked_as_conditions_read_them(
    dialect: str, text: str, expected: Predicate
) -> None:
    assert asked(dialect, text) == expected


@pytest.mark.parametrize(
    ("dialect", "text"),
    [
        pytest.param("trino", "dt = DATE '2026-01-05'", id="an-error-in-trino"),
        pytest.param("spark", "year(to_date(dt)) = 2026", id="of-more-than-the-text"),
        pytest.param("spark", "to_date(substr(dt, 1, 10)) = DATE '2026-01-05'", id="of-a-part"),
        pytest.param("spark", "to_date(concat(dt, '-01')) = DATE '2026-01-05'", id="of-a-longer"),
        pytest.param("spark", "to_date(dt, 'yy-MM-dd') = DATE '2026-01-05'", id="two-digits"),
        pytest.param("spark", "to_date(dt, 'MMM dd') = DATE '2026-01-05'", id="names"),
        pytest.param("spark", "to_date(dt, hr) = DATE '2026-01-05'", id="a-pattern-of-a-column"),
        pytest.param("spark", "to_date(dt) = to_date(hr)", id="no-constant"),
        pytest.param("spark", "to_date(dt) IN (DATE '2026-01-05', NULL)", id="null-in-a-list"),
        pytest.param("spark", "NOT (to_date(dt) = DATE '2026-01-05')", id="negated"),
        pytest.param("spark", "CAST(dt AS double) = 5", id="a-floating-point-number"),
        pytest.param("spark", "CAST(dt AS int) = -5", id="below-zero"),
        pytest.param(
            "spark", "coalesce(to_date(dt), current_date()) = DATE '2026-01-05'", id="nulls"
        ),
    ],
)
def test_what_is_made_of_texts_otherwise_stays(dialect: str, text: str) -> None:
    assert isinstance(asked(dialect, text), Unsupported)


@pytest.mark.parametrize(
    ("zone", "is_told"), [("UTC", True), ("Europe/Berlin", False), (None, False)]
)
def test_hours_are_told_where_no_clock_skips_any(zone: str | None, is_told: bool) -> None:
    text = "to_timestamp(dt, 'yyyyMMddHH') >= TIMESTAMP '2026-01-05 07:00:00'"
    assert isinstance(asked("spark", text, zone=zone), BoundComparison) == is_told


def test_texts_of_columns_that_partitions_do_not_have_stay() -> None:
    assert isinstance(asked("spark", "to_date(page) = DATE '2026-01-05'", "page"), Unsupported)


def test_each_leaf_is_tested() -> None:
    leaves = [
        Unsupported(Reason.CAST, f"CAST({name} AS int) = 5", "?", (name,)) for name in ("dt", "hr")
    ]
    tests = [as_read(None, Op.EQ, "000000000000005", field=field) for field in (DT, HOUR)]
    for join in (all_of, any_of):
        found = with_text_tests(join(*leaves), SCHEMA, SPECS, Session("trino", NOW))
        assert found == join(*tests)
