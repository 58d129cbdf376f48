"""Binding, as text: what a comparison with a literal becomes on a column's type."""

import datetime as dt
from decimal import Decimal

import pytest

from prunescope.collectors.predicates.bind import bind
from prunescope.collectors.predicates.instants import parse_timestamp
from prunescope.collectors.predicates.literals import LiteralValue, Timestamp
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
from prunescope.collectors.schema import Schema, SchemaColumn

NAN, INFINITY = float("nan"), float("inf")
TYPES = (
    "boolean",
    "int",
    "long",
    "float",
    "double",
    "decimal(5,2)",
    "decimal(38,0)",
    "date",
    "time",
    "timestamp",
    "timestamptz",
    "timestamp_ns",
    "string",
    "binary",
    "fixed[2]",
    "uuid",
    "struct",
    "list",
)
SCHEMA = Schema(
    0,
    (
        *(SchemaColumn(n, (name,), name, False, False, False) for n, name in enumerate(TYPES, 1)),
        SchemaColumn(50, ("struct", "inner"), "int", False, False, False),
        SchemaColumn(51, ("needed",), "int", True, True, False),
        SchemaColumn(52, ("twice",), "int", False, False, False),
        SchemaColumn(53, ("TWICE",), "int", False, False, False),
        SchemaColumn(54, ("Camel",), "int", False, False, False),
    ),
)
UUID_TEXT = "f79c3e09-677c-4bbd-a479-3f349cb785e7"


def bound(
    op: Op, column: str, *values: LiteralValue, zone: str | None = None, term: str | None = None
) -> Predicate:
    leaf = Comparison(op, Column(tuple(column.split("/")), term), values)
    return bind(leaf, SCHEMA, time_zone=zone)


def stamp(text: str) -> Timestamp:
    parsed = parse_timestamp(text)
    assert parsed is not None
    return parsed


@pytest.mark.parametrize(
    ("op", "column", "value", "expected"),
    [
        pytest.param(Op.LT, "int", 5, "int < 5", id="whole"),
        pytest.param(Op.LT, "int", 5.5, "int <= 5", id="lt-fraction"),
        pytest.param(Op.LT_EQ, "int", 5.5, "int <= 5", id="le-fraction"),
        pytest.param(Op.GT, "int", 5.5, "int >= 6", id="gt-fraction"),
        pytest.param(Op.GT_EQ, "int", -5.5, "int >= -5", id="ge-negative-fraction"),
        pytest.param(Op.EQ, "int", Decimal("5.5"), "FALSE", id="eq-fraction"),
        pytest.param(Op.NOT_EQ, "int", Decimal("5.5"), "int IS NOT NULL", id="ne-fraction"),
        pytest.param(Op.EQ, "int", Decimal("5.0"), "int = 5", id="eq-whole-decimal"),
        pytest.param(Op.EQ, "int", "5", "int = 5", id="whole-text"),
        pytest.param(Op.LT, "int", 2**31, "int IS NOT NULL", id="lt-above-range"),
        pytest.param(Op.GT, "int", 2**31, "FALSE", id="gt-above-range"),
        pytest.param(Op.EQ, "int", 2**31, "FALSE", id="eq-above-range"),
        pytest.param(Op.NOT_EQ, "int", 2**31, "int IS NOT NULL", id="ne-above-range"),
        pytest.param(Op.GT_EQ, "int", -(2**31) - 1, "int IS NOT NULL", id="ge-below-range"),
        pytest.param(Op.LT_EQ, "int", -(2**31) - 1, "FALSE", id="le-below-range"),
        pytest.param(Op.EQ, "int", 2**31 - 1, "int = 2147483647", id="largest"),
        pytest.param(Op.LT, "long", 2**63, "TRUE", id="lt-above-long"),
        pytest.param(Op.EQ, "long", -(2**63), f"long = {-(2**63)}", id="smallest-long"),
        pytest.param(Op.LT, "long", INFINITY, "long IS NOT NULL", id="lt-infinity"),
        pytest.param(Op.LT, "long", -INFINITY, "FALSE", id="lt-minus-infinity"),
        pytest.param(Op.EQ, "boolean", True, "boolean = TRUE", id="boolean"),
        pytest.param(Op.EQ, "boolean", "FALSE", "boolean = FALSE", id="boolean-text"),
        pytest.param(Op.LT, "double", 5, "double < 5.0", id="double"),
        pytest.param(Op.LT, "double", Decimal("0.5"), "double < 0.5", id="double-of-decimal"),
        pytest.param(Op.LT, "double", INFINITY, "double < inf", id="double-infinity"),
        pytest.param(Op.EQ, "double", NAN, "double IS NAN", id="eq-nan"),
        pytest.param(Op.NOT_EQ, "float", NAN, "float IS NOT NAN", id="ne-nan"),
        pytest.param(Op.LT, "float", 1e300, "float < inf", id="beyond-a-float"),
        pytest.param(Op.EQ, "decimal(5,2)", 1, "decimal(5,2) = 1.00", id="decimal"),
        pytest.param(
            Op.LT, "decimal(5,2)", Decimal("1.234"), "decimal(5,2) <= 1.23", id="decimal-lt-between"
        ),
        pytest.param(
            Op.GT,
            "decimal(5,2)",
            Decimal("-1.234"),
            "decimal(5,2) >= -1.23",
            id="decimal-gt-between",
        ),
        pytest.param(Op.EQ, "decimal(5,2)", Decimal("1.234"), "FALSE", id="decimal-eq-between"),
        pytest.param(
            Op.LT, "decimal(5,2)", 1000, "decimal(5,2) IS NOT NULL", id="decimal-lt-above-precision"
        ),
        pytest.param(
            Op.LT_EQ, "decimal(5,2)", Decimal("999.99"), "decimal(5,2) <= 999.99", id="nines"
        ),
        pytest.param(
            Op.EQ,
            "decimal(38,0)",
            Decimal("1" * 38),
            f"decimal(38,0) = {'1' * 38}",
            id="38-digits-are-not-rounded",
        ),
        pytest.param(Op.EQ, "date", "2024-03-08", "date = DATE '2024-03-08'", id="date-text"),
        pytest.param(
            Op.EQ, "date", dt.date(1969, 12, 31), "date = DATE '1969-12-31'", id="date-before-1970"
        ),
        pytest.param(
            Op.LT, "date", stamp("2024-03-08 12:00"), "date <= DATE '2024-03-08'", id="date-lt-noon"
        ),
        pytest.param(
            Op.GT, "date", stamp("2024-03-08 12:00"), "date >= DATE '2024-03-09'", id="date-gt-noon"
        ),
        pytest.param(Op.EQ, "date", stamp("2024-03-08 12:00"), "FALSE", id="date-eq-noon"),
        pytest.param(Op.EQ, "time", "12:30", "time = TIME '12:30:00'", id="time-text"),
        pytest.param(
            Op.EQ, "time", dt.time(0, 0, 0, 1), "time = TIME '00:00:00.000001'", id="time"
        ),
        pytest.param(
            Op.LT,
            "timestamp",
            "2024-03-08",
            "timestamp < TIMESTAMP '2024-03-08 00:00:00'",
            id="timestamp-of-date-text",
        ),
        pytest.param(
            Op.LT,
            "timestamp",
            stamp("2024-03-08 00:00:00.0000015"),
            "timestamp <= TIMESTAMP '2024-03-08 00:00:00.000001'",
            id="timestamp-lt-between-microseconds",
        ),
        pytest.param(
            Op.EQ,
            "timestamp_ns",
            stamp("2024-03-08 00:00:00.000000001"),
            "timestamp_ns = TIMESTAMP '2024-03-08 00:00:00.000000001'",
            id="nanoseconds",
        ),
        pytest.param(
            Op.EQ,
            "timestamptz",
            "2024-03-08T02:00:00+02:00",
            "timestamptz = TIMESTAMP '2024-03-08 00:00:00 UTC'",
            id="timestamptz-with-offset",
        ),
        pytest.param(Op.EQ, "string", "äb", "string = 'äb'", id="string"),
        pytest.param(Op.STARTS_WITH, "string", "a", "string LIKE 'a%'", id="starts-with"),
        pytest.param(Op.STARTS_WITH, "string", "", "string IS NOT NULL", id="every-string"),
        pytest.param(Op.NOT_STARTS_WITH, "string", "", "string IS NULL", id="no-string-but-null"),
        pytest.param(Op.EQ, "binary", b"\x00\xff", "binary = X'00FF'", id="binary"),
        pytest.param(Op.EQ, "fixed[2]", b"\x00\xff", "fixed[2] = X'00FF'", id="fixed"),
        pytest.param(
            Op.EQ, "uuid", UUID_TEXT, f"uuid = X'{UUID_TEXT.replace('-', '').upper()}'", id="uuid"
        ),
    ],
)
def test_literals_become_exact_values(
    op: Op, column: str, value: LiteralValue, expected: str
) -> None:
    assert render(bound(op, column, value)) == expected


@pytest.mark.parametrize(
    ("column", "value", "zone", "expected"),
    [
        pytest.param(
            "timestamptz",
            "2024-03-08 00:00:00",
            "Europe/Berlin",
            "2024-03-07 23:00:00 UTC",
            id="wall-clock-to-utc-in-winter",
        ),
        pytest.param(
            "timestamptz",
            "2024-07-08",
            "Europe/Berlin",
            "2024-07-07 22:00:00 UTC",
            id="wall-clock-to-utc-in-summer",
        ),
        pytest.param(
            "timestamptz",
            "2024-03-08 00:00:00Z",
            "Europe/Berlin",
            "2024-03-08 00:00:00 UTC",
            id="own-zone-wins",
        ),
        pytest.param(
            "timestamp", "2024-03-08 00:00:00", None, "2024-03-08 00:00:00", id="none-needed"
        ),
    ],
)
def test_time_zones(column: str, value: str, zone: str | None, expected: str) -> None:
    found = bound(Op.LT, column, value, zone=zone)
    assert render(found) == f"{column} < TIMESTAMP '{expected}'"


@pytest.mark.parametrize(
    ("op", "column", "values", "expected"),
    [
        pytest.param(Op.IN, "int", (3, 1, 3), "int IN (1, 3)", id="sorted-and-distinct"),
        pytest.param(Op.IN, "int", (1, 2**40), "int = 1", id="out-of-range-items-vanish"),
        pytest.param(Op.IN, "int", (2**40,), "FALSE", id="in-nothing"),
        pytest.param(Op.NOT_IN, "int", (2**40,), "int IS NOT NULL", id="not-in-nothing"),
        pytest.param(Op.IN, "int", (), "FALSE", id="in-empty"),
        pytest.param(Op.NOT_IN, "int", (), "TRUE", id="not-in-empty"),
        pytest.param(Op.IN, "int", (1, 1.5), "int = 1", id="fractions-vanish"),
        pytest.param(Op.NOT_IN, "int", (3, 1), "int NOT IN (1, 3)", id="not-in"),
        pytest.param(Op.NOT_IN, "int", (3,), "int != 3", id="not-in-one"),
        pytest.param(
            Op.IN, "double", (1.0, NAN, 2.0), "double IS NAN OR double IN (1.0, 2.0)", id="nan"
        ),
        pytest.param(
            Op.NOT_IN, "double", (1.0, NAN), "double IS NOT NAN AND double != 1.0", id="not-nan"
        ),
        pytest.param(Op.IN, "double", (NAN,), "double IS NAN", id="only-nan"),
        pytest.param(Op.IN, "string", ("b", "a"), "string IN ('a', 'b')", id="strings"),
    ],
)
def test_lists(op: Op, column: str, values: tuple[LiteralValue, ...], expected: str) -> None:
    assert render(bound(op, column, *values)) == expected


OF_EVERY_VALUE = [
    pytest.param(Op.NOT_EQ, (Decimal("5.5"),), id="fraction"),
    pytest.param(Op.NOT_EQ, (10**12,), id="out-of-range"),
    pytest.param(Op.NOT_IN, (5.5, 10**12), id="list"),
    pytest.param(Op.LT, (10**12,), id="below"),
    pytest.param(Op.GT_EQ, (-INFINITY,), id="above"),
]


@pytest.mark.parametrize(("op", "values"), OF_EVERY_VALUE)
def test_what_every_value_satisfies_no_null_does(op: Op, values: tuple[LiteralValue, ...]) -> None:
    assert render(bound(op, "int", *values)) == "int IS NOT NULL"
    assert bound(op, "needed", *values) == TRUE


@pytest.mark.parametrize(("op", "values"), OF_EVERY_VALUE)
def test_iceberg_itself_has_nulls_satisfy_it(op: Op, values: tuple[LiteralValue, ...]) -> None:
    leaf = Comparison(op, Column(("int",)), values)
    assert bind(leaf, SCHEMA, folds_like_iceberg=True) == TRUE
    nested = And((Or((leaf, leaf)), leaf))
    assert bind(nested, SCHEMA, folds_like_iceberg=True) == TRUE


@pytest.mark.parametrize(
    ("column", "value", "expected"),
    [
        pytest.param("double", 1, "double < 1.0 OR double IS NAN", id="double"),
        pytest.param("float", 0.5, "float < 0.5 OR float IS NAN", id="float"),
        pytest.param("int", 1, "int < 1", id="int"),
        pytest.param("int", 10**12, "int IS NOT NULL", id="out-of-range"),
        pytest.param("decimal(5,2)", 1, "decimal(5,2) < 1.00", id="decimal"),
        pytest.param("string", "a", "string < 'a'", id="string"),
    ],
)
def test_what_nan_satisfies_it_does_where_a_type_has_it(
    column: str, value: LiteralValue, expected: str
) -> None:
    leaf = Comparison(Op.LT, Column((column,)), (value,), or_nan=True)
    assert render(bind(leaf, SCHEMA)) == expected


@pytest.mark.parametrize(
    ("op", "column", "value", "reason"),
    [
        pytest.param(Op.EQ, "nowhere", 1, Reason.UNKNOWN_COLUMN, id="unknown"),
        pytest.param(Op.EQ, "$path", "a", Reason.METADATA_COLUMN, id="metadata-trino"),
        pytest.param(Op.GT, "_pos", 1, Reason.METADATA_COLUMN, id="metadata-iceberg"),
        pytest.param(Op.EQ, "Twice", 1, Reason.AMBIGUOUS_COLUMN, id="ambiguous"),
        pytest.param(Op.EQ, "list", 1, Reason.NOT_PRIMITIVE, id="list"),
        pytest.param(Op.EQ, "struct", 1, Reason.NOT_PRIMITIVE, id="struct"),
        pytest.param(Op.EQ, "int", "x", Reason.TYPE_MISMATCH, id="word-for-int"),
        pytest.param(Op.EQ, "int", "5.5", Reason.TYPE_MISMATCH, id="fractional-text-for-int"),
        pytest.param(Op.EQ, "int", "1/2", Reason.TYPE_MISMATCH, id="ratio-for-int"),
        pytest.param(Op.EQ, "int", True, Reason.TYPE_MISMATCH, id="boolean-for-int"),
        pytest.param(Op.LT, "int", NAN, Reason.TYPE_MISMATCH, id="nan-for-int"),
        pytest.param(Op.LT, "double", NAN, Reason.NOT_CONSTANT, id="less-than-nan"),
        pytest.param(Op.EQ, "double", 10**400, Reason.TYPE_MISMATCH, id="beyond-double"),
        pytest.param(Op.EQ, "boolean", 1, Reason.TYPE_MISMATCH, id="one-for-boolean"),
        pytest.param(Op.EQ, "date", "soon", Reason.TYPE_MISMATCH, id="word-for-date"),
        pytest.param(Op.EQ, "date", 5, Reason.TYPE_MISMATCH, id="number-for-date"),
        pytest.param(
            Op.EQ, "date", "2024-03-08 12:00:00", Reason.TYPE_MISMATCH, id="time-of-day-for-date"
        ),
        pytest.param(Op.EQ, "time", "25:00", Reason.TYPE_MISMATCH, id="no-such-time"),
        pytest.param(Op.EQ, "timestamp", "2024-13-01", Reason.TYPE_MISMATCH, id="no-such-month"),
        pytest.param(
            Op.EQ, "timestamptz", "2024-03-08", Reason.TIME_ZONE_UNKNOWN, id="zone-not-known"
        ),
        pytest.param(Op.EQ, "string", 5, Reason.TYPE_MISMATCH, id="number-for-string"),
        pytest.param(Op.EQ, "string", "\ud800", Reason.TYPE_MISMATCH, id="half-a-surrogate-pair"),
        pytest.param(Op.STARTS_WITH, "string", "\ud800", Reason.TYPE_MISMATCH, id="half-prefix"),
        pytest.param(Op.STARTS_WITH, "string", 5, Reason.TYPE_MISMATCH, id="number-as-prefix"),
        pytest.param(Op.STARTS_WITH, "binary", "a", Reason.TYPE_MISMATCH, id="prefix-of-binary"),
        pytest.param(Op.EQ, "binary", "a", Reason.TYPE_MISMATCH, id="text-for-binary"),
        pytest.param(Op.EQ, "uuid", "a", Reason.TYPE_MISMATCH, id="text-for-uuid"),
        pytest.param(Op.EQ, "uuid", b"a", Reason.TYPE_MISMATCH, id="short-uuid"),
    ],
)
def test_what_has_no_exact_meaning_is_unsupported(
    op: Op, column: str, value: LiteralValue, reason: Reason
) -> None:
    found = bound(op, column, value)
    assert isinstance(found, Unsupported)
    assert found.reason is reason
    assert found.columns == (column,)
    assert found.redacted.count("?") == 1


@pytest.mark.parametrize("column", ["int", "long", "decimal(5,2)", "decimal(38,0)"])
def test_numbers_that_no_float_holds_are_compared_exactly(column: str) -> None:
    whole = column in ("int", "long")  # of which nulls are less as well, as Spark 4.1 has it
    assert render(bound(Op.LT, column, 10**400)) == ("TRUE" if whole else f"{column} IS NOT NULL")
    assert bound(Op.GT, column, 10**400) == FALSE


def test_an_unknown_session_zone_is_not_guessed() -> None:
    found = bound(Op.EQ, "timestamptz", "2024-03-08", zone="Mars/Olympus")
    assert isinstance(found, Unsupported)
    assert found.reason is Reason.TIME_ZONE_UNKNOWN


@pytest.mark.parametrize("op", [Op.IS_NAN, Op.NOT_NAN])
def test_only_floating_columns_have_nan(op: Op) -> None:
    assert isinstance(bound(op, "int"), Unsupported)
    assert bound(op, "float") == BoundComparison(op, Field(4, "float", "float"))


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        pytest.param("struct/inner", "struct.inner IS NULL", id="nested"),
        pytest.param("STRUCT/Inner", "struct.inner IS NULL", id="nested-in-another-case"),
        pytest.param("camel", "Camel IS NULL", id="another-case"),
        pytest.param("twice", "twice IS NULL", id="exact-spelling-wins"),
        pytest.param("needed", "FALSE", id="required"),
    ],
)
def test_columns_are_resolved(path: str, expected: str) -> None:
    assert render(bound(Op.IS_NULL, path)) == expected


@pytest.mark.parametrize(
    ("op", "kind", "expected"),
    [
        (Op.IS_NULL, "variant", "c IS NULL"),
        (Op.NOT_NULL, "geometry(OGC:CRS84)", "c IS NOT NULL"),
        (Op.IS_NULL, "geography(srid:4326, spherical)", "c IS NULL"),
        (Op.IS_NULL, "unknown", "TRUE"),
        (Op.NOT_NULL, "unknown", "FALSE"),
    ],
)
def test_of_types_without_an_order_nulls_are_asked(op: Op, kind: str, expected: str) -> None:
    schema = Schema(0, (SchemaColumn(1, ("c",), kind, False, False, False),))
    assert render(bind(Comparison(op, Column(("c",))), schema)) == expected
    found = bind(Comparison(Op.EQ, Column(("c",)), (5,)), schema)
    assert isinstance(found, Unsupported)
    assert found.reason is Reason.NOT_PRIMITIVE


@pytest.mark.parametrize("kind", ["struct", "list", "map"])
def test_nulls_of_nested_types_are_not_counted(kind: str) -> None:
    schema = Schema(0, (SchemaColumn(1, ("c",), kind, False, False, False),))
    assert isinstance(bind(Comparison(Op.IS_NULL, Column(("c",))), schema), Unsupported)
