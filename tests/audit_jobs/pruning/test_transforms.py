import uuid
from decimal import Decimal

import pyarrow as pa
import pytest

from prunescope.audit_jobs.pruning.rules import FLOOR, ICEBERG_1_12, ROWS, Rules
from prunescope.audit_jobs.pruning.transforms import apply, in_range, transform_bounds, width
from prunescope.collectors.partitioning import result_type
from prunescope.collectors.predicates.literals import PhysicalValue
from prunescope.collectors.predicates.model import BoundComparison, Field
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.statistics import ColumnStatistics, Statistics, constant, from_counts
from prunescope.collectors.types import arrow_type
from tests.audit_jobs.pruning.judging import states

UUID = uuid.UUID("f79c3e09-677c-4bbd-a479-3f349cb785e7").bytes


@pytest.mark.parametrize(
    ("type_name", "value", "hashed"),
    [
        # Hashes of the table spec, "Appendix B: 32-bit Hash Requirements".
        pytest.param("int", 34, 2017239379, id="int"),
        pytest.param("long", 34, 2017239379, id="long"),
        pytest.param("decimal(9,2)", Decimal("14.20"), -500754589, id="decimal"),
        pytest.param("date", 17486, -653330422, id="date"),
        pytest.param("time", 81_068_000_000, -662762989, id="time"),
        pytest.param("timestamp", 1_510_871_468_000_000, -2047944441, id="timestamp"),
        pytest.param("timestamptz", 1_510_871_468_000_000, -2047944441, id="timestamptz"),
        pytest.param("timestamp_ns", 1_510_871_468_000_000_000, -2047944441, id="timestamp-ns"),
        pytest.param("string", b"iceberg", 1210000089, id="string"),
        pytest.param("uuid", UUID, 1488055340, id="uuid"),
        pytest.param("fixed[4]", b"\x00\x01\x02\x03", -188683207, id="fixed"),
        pytest.param("binary", b"\x00\x01\x02\x03", -188683207, id="binary"),
    ],
)
def test_bucket_is_the_hash_modulo_its_count(
    type_name: str, value: PhysicalValue, hashed: int
) -> None:
    for count in (16, 1000):
        assert apply(f"bucket[{count}]", type_name, value) == (hashed & 0x7FFFFFFF) % count


@pytest.mark.parametrize(
    ("transform", "type_name", "value", "expected"),
    [
        pytest.param("identity", "string", b"abc", b"abc", id="identity"),
        pytest.param("truncate[10]", "int", 19, 10, id="truncate-int"),
        pytest.param("truncate[2]", "string", b"\xffab", b"\xffa", id="truncate-no-text"),
        pytest.param("truncate[10]", "long", -1, -10, id="truncate-rounds-down"),
        pytest.param(
            "truncate[50]",
            "decimal(9,2)",
            Decimal("10.65"),
            Decimal("10.50"),
            id="truncate-decimal",
        ),
        pytest.param(
            "truncate[50]", "decimal(9,2)", Decimal("-0.01"), Decimal("-0.50"), id="decimal-down"
        ),
        pytest.param("truncate[2]", "string", "äöü".encode(), "äö".encode(), id="truncate-string"),
        pytest.param("truncate[2]", "binary", b"\xff\xfe\xfd", b"\xff\xfe", id="truncate-binary"),
        pytest.param("year", "date", 19790, 54, id="year"),
        pytest.param("year", "date", -1, -1, id="year-before-1970"),
        pytest.param("month", "date", 19790, 650, id="month"),
        pytest.param("month", "timestamp", -1, -1, id="month-before-1970"),
        pytest.param("day", "timestamp", 86_400_000_000, 1, id="day"),
        pytest.param("day", "timestamp", -1, -1, id="day-before-1970"),
        pytest.param("day", "timestamptz_ns", 86_400_000_000_000 - 1, 0, id="day-of-nanoseconds"),
        pytest.param("hour", "timestamp", 3_600_000_000, 1, id="hour"),
        pytest.param("hour", "timestamp_ns", -1, -1, id="hour-before-1970"),
    ],
)
def test_partition_values(
    transform: str, type_name: str, value: PhysicalValue, expected: PhysicalValue
) -> None:
    assert apply(transform, type_name, value) == expected


def test_width() -> None:
    assert (width("bucket[16]"), width("truncate[4]")) == (16, 4)
    with pytest.raises(ValueError, match="no width"):
        width("day")


@pytest.mark.parametrize(
    ("value", "type_name", "held"),
    [
        (-(2**63), "long", True),
        (-(2**63) - 1, "long", False),
        (2**63, "timestamp", False),
        (-(2**31), "int", True),
        (-(2**31) - 1, "int", False),
        (Decimal("9" * 38), "decimal(38, 0)", True),
        (Decimal("1" + "0" * 38), "decimal(38, 0)", False),
        (b"a", "binary", True),
        (1e300, "double", True),
    ],
)
def test_what_types_can_hold(value: PhysicalValue, type_name: str, held: bool) -> None:
    assert in_range(value, type_name) is held


@pytest.mark.parametrize(
    ("transform", "source", "expected"),
    [
        ("identity", "decimal(9,2)", "decimal(9,2)"),
        ("truncate[4]", "string", "string"),
        ("bucket[16]", "uuid", "int"),
        ("year", "date", "int"),
        ("month", "timestamptz_ns", "int"),
        ("day", "timestamp", "date"),
        ("hour", "timestamp", "int"),
        ("hour", "date", None),
        ("day", "string", None),
        ("year", "time", None),
        ("void", "long", None),
        ("zorder", "long", None),
        ("identity", None, None),
    ],
)
def test_types_of_partition_values(
    transform: str, source: str | None, expected: str | None
) -> None:
    assert result_type(transform, source) == expected


def bounded(type_name: str, *bounds: tuple[object, object]) -> ColumnStatistics:
    kind, size = arrow_type(type_name), len(bounds)
    return from_counts(
        pa.array([lower for lower, _ in bounds], kind),
        pa.array([upper for _, upper in bounds], kind),
        null_count=pa.array([0] * size, pa.int64()),
        nan_count=None,
        value_count=pa.array([9] * size, pa.int64()),
    )


@pytest.mark.parametrize(
    ("transform", "type_name", "bounds", "expected"),
    [
        pytest.param("identity", "long", (3, 7), (3, 7), id="identity"),
        pytest.param("truncate[10]", "long", (-1, 25), (-10, 20), id="truncate-long"),
        pytest.param("truncate[10]", "long", (-(2**63), 5), (None, 0), id="below-all-longs"),
        pytest.param(
            "truncate[50]",
            "decimal(9,2)",
            (Decimal("-0.01"), Decimal("10.65")),
            (Decimal("-0.50"), Decimal("10.50")),
            id="truncate-decimal",
        ),
        pytest.param(
            "truncate[50]",
            "decimal(38,0)",
            (Decimal("-" + "9" * 38), Decimal(49)),
            (None, Decimal(0)),
            id="below-all-decimals",
        ),
        pytest.param(
            "truncate[2]", "string", ("äöü".encode(), b"zzz"), ("äö".encode(), b"zz"), id="string"
        ),
        pytest.param(
            "truncate[2]", "string", (b"a\xc3", b"z"), (None, b"z"), id="cut-within-a-code-point"
        ),
        pytest.param("truncate[1]", "binary", (b"\xc3\xa4", b"\xff"), (b"\xc3", b"\xff"), id="bin"),
        pytest.param("day", "timestamp", (-1, 86_400_000_000), (-1, 1), id="day"),
        pytest.param("hour", "timestamp", (None, 3_600_000_000), (None, 1), id="hour-no-lower"),
        pytest.param("month", "date", (-1, 31), (-1, 1), id="month"),
        pytest.param("year", "timestamp_ns", (-1, 0), (-1, 0), id="year"),
        pytest.param("bucket[4]", "long", (3, 3), (None, None), id="bucket-has-no-order"),
        pytest.param("lower", "string", (b"Eu", b"Eu"), (b"eu", b"eu"), id="lower"),
        pytest.param(
            "upper", "string", ("\u00e4b".encode(),) * 2, ("\u00c4B".encode(),) * 2, id="upper"
        ),
        pytest.param("trim", "string", (b" \t", b" \t"), (b"", b""), id="trim"),
        pytest.param("lower", "string", (b"AP", b"US"), (None, None), id="lower-of-several"),
        # 1969-12-28, a Sunday, 23:59:58; 2026-03-31, a Tuesday.
        pytest.param("hour_of_day", "timestamp", (-259_202_000_000,) * 2, (23, 23), id="hours"),
        pytest.param(
            "minute_of_hour", "timestamp", (-259_202_000_000,) * 2, (59, 59), id="minutes"
        ),
        pytest.param("second_of_minute", "timestamp", (-259_202_000_000,) * 2, (58, 58), id="secs"),
        pytest.param("day_of_week", "timestamp", (-259_202_000_000,) * 2, (7, 7), id="sunday"),
        pytest.param("day_of_week", "date", (20_543, 20_543), (2, 2), id="tuesday"),
        pytest.param("day_of_month", "date", (20_543, 20_543), (31, 31), id="days"),
        pytest.param("day_of_year", "date", (20_543, 20_543), (90, 90), id="days-of-a-year"),
        pytest.param("month_of_year", "date", (20_543, 20_543), (3, 3), id="months"),
        pytest.param("quarter_of_year", "date", (20_543, 20_543), (1, 1), id="quarters"),
        pytest.param("hour_of_day", "date", (20_543, 20_543), (None, None), id="hour-of-a-date"),
        pytest.param("hour_of_day", "timestamp", (0, 7), (None, None), id="hour-of-several"),
        pytest.param("lower", "string", (b"a\xc3", b"a\xc3"), (None, None), id="lower-of-no-text"),
    ],
)
def test_bounds_of_transform_terms(
    transform: str,
    type_name: str,
    bounds: tuple[object, object],
    expected: tuple[object, object],
) -> None:
    field = Field(1, "x", type_name, transform)
    found = transform_bounds(bounded(type_name, bounds), field)
    assert found is not None
    assert (found.lower.to_pylist(), found.upper.to_pylist()) == ([expected[0]], [expected[1]])


@pytest.mark.parametrize(
    ("transform", "type_name"),
    [("void", "long"), ("zorder", "long"), ("hour", "date"), ("year", "long")],
)
def test_nothing_is_known_of_other_terms(transform: str, type_name: str) -> None:
    field = Field(1, "x", type_name, transform)
    assert transform_bounds(bounded(type_name, (3, 7)), field) is None


@pytest.mark.parametrize(
    ("op", "values", "expected"),
    [
        pytest.param(Op.EQ, (2,), "FT?", id="eq"),
        pytest.param(Op.LT, (1,), "FF?", id="lt"),
        pytest.param(Op.NOT_EQ, (1,), "FT?", id="ne-prunes-one-day"),
        pytest.param(Op.IS_NULL, (), "FFF", id="is-null"),
    ],
)
def test_terms_are_compared_by_their_own_bounds(
    op: Op, values: tuple[int, ...], expected: str
) -> None:
    day = 86_400_000_000
    column = bounded("timestamp", (day, day + 5), (day, 3 * day), (None, None))
    statistics = Statistics(3, constant(False, 3), {(1, "timestamp"): column})
    leaf = BoundComparison(op, Field(1, "ts", "timestamp", "day"), values)
    assert states(leaf, statistics, Rules()) == expected


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        pytest.param(ROWS.metrics, "TF?", id="rows"),
        pytest.param(FLOOR.metrics, "???", id="statistics"),
        pytest.param(ICEBERG_1_12.metrics, "???", id="planner"),
    ],
)
def test_only_rows_tell_what_functions_make_of_texts(rules: Rules, expected: str) -> None:
    column = bounded("string", (b"EU", b"EU"), (b"us", b"us"), (b"AP", b"US"))
    statistics = Statistics(3, constant(False, 3), {(1, "string"): column})
    leaf = BoundComparison(Op.IN, Field(1, "region", "string", "lower"), (b"ap", b"eu"))
    assert states(leaf, statistics, rules) == expected
