"""Which conditions on functions of texts rows are asked for."""

from __future__ import annotations

import pytest

from prunescope.audit_jobs.workload.row_tests import with_row_tests
from prunescope.collectors.predicates.model import (
    BoundComparison,
    Field,
    Predicate,
    Reason,
    Unsupported,
    all_of,
    any_of,
)
from prunescope.collectors.predicates.moments import Clocks
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.schema import Schema, SchemaColumn

_TYPES = {"region": "string", "id": "long", "ts": "timestamp", "at": "timestamptz"}
SCHEMA = Schema(
    0,
    tuple(
        SchemaColumn(
            number, (name,), kind, required=False, declared_required=False, has_default=False
        )
        for number, (name, kind) in enumerate(
            {"region": "string", "id": "long", "ts": "timestamp", "at": "timestamptz"}.items(), 1
        )
    ),
)
ID = BoundComparison(Op.EQ, Field(2, "id", "long"), (7,))


def opaque(text: str, column: str = "region", reason: Reason = Reason.FUNCTION) -> Unsupported:
    return Unsupported(reason, text, "?", (column,))


def asked(function: str | None, op: Op, *values: bytes) -> Predicate:
    return BoundComparison(op, Field(1, "region", "string", function), values)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("LOWER(region) = 'eu'", asked("lower", Op.EQ, b"eu")),
        ("UPPER(o.region) = 'EU'", asked("upper", Op.EQ, b"EU")),
        ("LOWER(region) IN ('us', 'eu', 'us')", asked("lower", Op.IN, b"eu", b"us")),
        ("LOWER(region) IN ('it''s, or not')", asked("lower", Op.EQ, b"it's, or not")),
        ("LOWER(region) = 'é'", asked("lower", Op.EQ, "é".encode())),
        ("TRIM(region) <> ''", asked("trim", Op.NOT_EQ, b"")),
        ("LENGTH(TRIM(o.region)) > 0", asked("trim", Op.NOT_EQ, b"")),
        ("LENGTH(region) > 0", asked(None, Op.NOT_EQ, b"")),
        ("LENGTH(region) >= 1", asked(None, Op.NOT_EQ, b"")),
    ],
)
def test_what_rows_are_asked(text: str, expected: Predicate) -> None:
    leaf = opaque(text)
    assert with_row_tests(leaf, SCHEMA, Clocks(None)) == expected
    assert with_row_tests(all_of(ID, leaf), SCHEMA, Clocks(None)) == all_of(ID, expected)
    assert with_row_tests(any_of(leaf, ID), SCHEMA, Clocks(None)) == any_of(expected, ID)


@pytest.mark.parametrize(
    "leaf",
    [
        pytest.param(opaque("LOWER(id) = '7'", "id"), id="of-no-text"),
        pytest.param(opaque("LOWER(other) = 'a'", "other"), id="no-column"),
        pytest.param(opaque("LENGTH(id) > 0", "id"), id="length-of-no-text"),
        pytest.param(opaque("LENGTH(region) > 5"), id="another-length"),
        pytest.param(opaque("LENGTH(region) < 1"), id="empty"),
        pytest.param(opaque("TRIM(region) <> 'eu'"), id="another-text"),
        pytest.param(opaque("NOT (LOWER(region) = 'eu')"), id="negated"),
        pytest.param(opaque("LOWER(region) <> 'eu'"), id="not-equal"),
        pytest.param(opaque("LOWER(TRIM(region)) = 'eu'"), id="nested"),
        pytest.param(opaque("LOWER(region) = 'a' || 'b'"), id="no-literal"),
        pytest.param(opaque("LOWER(region || '-x') = 'eu-x'"), id="of-more-than-the-column"),
        pytest.param(opaque("LOWER(region COLLATE x) = 'eu'"), id="of-the-column-otherwise"),
        pytest.param(opaque("LOWER(region) IN ('a', NULL, 'b')"), id="null-in-a-list"),
        pytest.param(opaque(r"LOWER(region) = 'a\'b'"), id="escaped"),
        pytest.param(opaque("REVERSE(region) = 'ue'"), id="another-function"),
        pytest.param(opaque("LOWER(region) = 'eu'", reason=Reason.CAST), id="another-reason"),
    ],
)
def test_what_nobody_can_tell(leaf: Unsupported) -> None:
    assert with_row_tests(leaf, SCHEMA, Clocks(None)) == leaf


TS, AT = Field(3, "ts", "timestamp"), Field(4, "at", "timestamptz")


def part(function: str, op: Op, *values: int, field: Field = TS) -> Predicate:
    return BoundComparison(op, field._replace(transform=function), values)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("HOUR(ts) >= 6", part("hour_of_day", Op.GT_EQ, 6)),
        ("EXTRACT(HOUR FROM t.ts) = 3", part("hour_of_day", Op.EQ, 3)),
        ("DAY_OF_WEEK(ts) BETWEEN 1 AND 3", part("day_of_week", Op.IN, 1, 2, 3)),
        ("MONTH(ts) IN (12, 1, 1)", part("month_of_year", Op.IN, 1, 12)),
        ("QUARTER(ts) BETWEEN 2 AND 2", part("quarter_of_year", Op.EQ, 2)),
        ("MINUTE(ts) <> 0", part("minute_of_hour", Op.NOT_EQ, 0)),
    ],
)
def test_what_is_asked_of_times(text: str, expected: Predicate) -> None:
    assert with_row_tests(opaque(text, "ts"), SCHEMA, Clocks(None)) == expected


@pytest.mark.parametrize(
    "text",
    [
        "DAYOFWEEK(ts) = 1",
        "EXTRACT(DOW FROM ts) = 1",
        "NOT (HOUR(ts) = 3)",
        "HOUR(ts) = 3.5",
        "HOUR(ts + INTERVAL '1' HOUR) = 3",
        "HOUR(ts) BETWEEN 5 AND 3",
        "HOUR(ts) = MINUTE(ts)",
    ],
)
def test_what_nobody_can_tell_of_times(text: str) -> None:
    leaf = opaque(text, "ts")
    assert with_row_tests(leaf, SCHEMA, Clocks("UTC")) == leaf


@pytest.mark.parametrize("zone", [None, "Europe/Berlin"])
def test_instants_are_read_on_the_clock_of_utc(zone: str | None) -> None:
    leaf = opaque("HOUR(at) = 3", "at")
    assert with_row_tests(leaf, SCHEMA, Clocks(zone)) == leaf
    assert with_row_tests(leaf, SCHEMA, Clocks("UTC")) == part("hour_of_day", Op.EQ, 3, field=AT)
