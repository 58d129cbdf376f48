import datetime as dt
from decimal import Decimal

import pytest

from prunescope.collectors.predicates.literals import Timestamp
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
from prunescope.collectors.predicates.render import redact, render


def unbound(op: Op, *values: object) -> Comparison:
    return Comparison(op, Column(("a", "b")), values)  # type: ignore[arg-type]


A = Comparison(Op.EQ, Column(("a",)), (1,))
B = Comparison(Op.LT, Column(("b",)), ("x",))
UNSUPPORTED = Unsupported(Reason.FUNCTION, "f(x) = 1", "f(x) = ?", ("x",))


@pytest.mark.parametrize(
    ("predicate", "text", "redacted"),
    [
        pytest.param(TRUE, "TRUE", "TRUE", id="true"),
        pytest.param(FALSE, "FALSE", "FALSE", id="false"),
        pytest.param(unbound(Op.IS_NULL), "a.b IS NULL", "a.b IS NULL", id="unary"),
        pytest.param(unbound(Op.GT_EQ, 5), "a.b >= 5", "a.b >= ?", id="comparison"),
        pytest.param(unbound(Op.IN, 5, 6, 7), "a.b IN (5, 6, 7)", "a.b IN (?)", id="list"),
        pytest.param(
            unbound(Op.NOT_STARTS_WITH, "x"),
            "a.b NOT LIKE 'x%'",
            "a.b NOT LIKE ? || '%'",
            id="prefix",
        ),
        pytest.param(
            Comparison(Op.EQ, Column(("ts",), "day"), (5,)), "day(ts) = 5", "day(ts) = ?", id="term"
        ),
        pytest.param(UNSUPPORTED, "f(x) = 1", "f(x) = ?", id="unsupported"),
        pytest.param(And((A, B)), "a = 1 AND b < 'x'", "a = ? AND b < ?", id="and"),
        pytest.param(
            And((Or((A, B)), UNSUPPORTED)),
            "(a = 1 OR b < 'x') AND f(x) = 1",
            "(a = ? OR b < ?) AND f(x) = ?",
            id="or-inside-and",
        ),
        pytest.param(
            Or((And((A, B)), A)),
            "(a = 1 AND b < 'x') OR a = 1",
            "(a = ? AND b < ?) OR a = ?",
            id="and-inside-or",
        ),
    ],
)
def test_predicates(predicate: Predicate, text: str, redacted: str) -> None:
    assert render(predicate) == text
    assert redact(predicate) == redacted


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        pytest.param(True, "TRUE", id="boolean"),
        pytest.param("it's", "'it''s'", id="quote"),
        pytest.param(b"\x00\xff", "X'00FF'", id="binary"),
        pytest.param(Decimal("1E+3"), "1000", id="decimal-without-exponent"),
        pytest.param(dt.date(2024, 3, 8), "DATE '2024-03-08'", id="date"),
        pytest.param(dt.time(1, 2, 3), "TIME '01:02:03'", id="time"),
        pytest.param(Timestamp(0, zoned=False), "TIMESTAMP '1970-01-01 00:00:00'", id="wall-clock"),
        pytest.param(
            Timestamp(-1, zoned=True),
            "TIMESTAMP '1969-12-31 23:59:59.999999999 UTC'",
            id="nanosecond-before-1970",
        ),
        pytest.param(1.5, "1.5", id="float"),
    ],
)
def test_literals(value: object, expected: str) -> None:
    assert render(unbound(Op.EQ, value)) == f"a.b = {expected}"


@pytest.mark.parametrize(
    ("type_name", "value", "expected"),
    [
        pytest.param("boolean", 1, "TRUE", id="boolean"),
        pytest.param("date", -1, "DATE '1969-12-31'", id="date"),
        pytest.param("time", 1_500_000, "TIME '00:00:01.5'", id="time"),
        pytest.param("timestamp", 1_500_000, "TIMESTAMP '1970-01-01 00:00:01.5'", id="micros"),
        pytest.param("timestamptz_ns", 1, "TIMESTAMP '1970-01-01 00:00:00.000000001 UTC'", id="ns"),
        pytest.param(
            "timestamp", 2**62, "TIMESTAMP 'epoch 4611686018427 s'", id="beyond-year-9999"
        ),
        pytest.param("string", "é".encode(), "'é'", id="string"),
        pytest.param("string", b"\xff", "'\ufffd'", id="broken-string"),
        pytest.param("decimal(9,2)", Decimal("1.50"), "1.50", id="decimal"),
    ],
)
def test_physical_values(type_name: str, value: bytes | int | Decimal, expected: str) -> None:
    leaf = BoundComparison(Op.EQ, Field(1, "x", type_name), (value,))
    assert render(leaf) == f"x = {expected}"
