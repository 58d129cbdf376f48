import ast
import json
import re
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prunescope.collectors.predicates.bind import bind
from prunescope.collectors.predicates.literals import Timestamp
from prunescope.collectors.predicates.model import (
    FALSE,
    TRUE,
    And,
    BoundComparison,
    Column,
    Comparison,
    Or,
    Predicate,
    Reason,
    Unsupported,
    all_of,
    any_of,
)
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.predicates.plan_text import (
    AmbiguousPlanFilter,
    UnreadablePlanFilter,
    parse_plan_filters,
)
from prunescope.collectors.predicates.render import render
from prunescope.collectors.predicates.walks import negate
from prunescope.collectors.schema import Schema, SchemaColumn

COLUMNS = {
    ("event_id",): "long",
    ("user_id",): "long",
    ("ts",): "timestamptz",
    ("ts_ntz",): "timestamp",
    ("d",): "date",
    ("country",): "string",
    ("amount",): "decimal(10, 2)",
    ("score",): "double",
    ("f",): "float",
    ("ok",): "boolean",
    ("payload",): "string",
    ("bin",): "binary",
    ("Weird Col.x",): "int",
    ("st",): "struct",
    ("st", "a"): "int",
    ("st", "b"): "string",
    ("u",): "uuid",
    ("tags",): "list",
    ("nanos",): "timestamptz_ns",
    ("a, b",): "string",
    # Of the other tables in the sample logs.
    ("o_id",): "long",
    ("o_date",): "date",
    ("o_amount",): "decimal(10, 2)",
    ("o_status",): "string",
    ("o_region",): "string",
    ("o_note",): "string",
    ("d_date",): "date",
    ("d_year",): "int",
    ("d_moy",): "int",
    ("s_none",): "string",
    ("s_counts",): "string",
    ("dbl",): "double",
    ("id",): "long",
}
SCHEMA = Schema(
    0,
    tuple(
        SchemaColumn(number, path, kind, required=False, declared_required=False, has_default=False)
        for number, (path, kind) in enumerate(COLUMNS.items(), start=1)
    ),
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("", "TRUE", id="no-filter"),
        pytest.param("true", "TRUE", id="true"),
        pytest.param("user_id = 1, false", "FALSE", id="false"),
        pytest.param("d = 19784", "d = DATE '2024-03-02'", id="date-in-days"),
        pytest.param(
            "ts >= 1709337600000000", "ts >= TIMESTAMP '2024-03-02 00:00:00 UTC'", id="timestamptz"
        ),
        pytest.param("ts_ntz < -1", "ts_ntz < TIMESTAMP '1969-12-31 23:59:59.999999'", id="ntz"),
        pytest.param("amount = 10.50", "amount = 10.50", id="decimal"),
        pytest.param("amount = 1E+3", "amount = 1000.00", id="decimal-with-exponent"),
        pytest.param("score > 1.0E10", "score > 10000000000.0", id="double"),
        pytest.param("score > -Infinity", "score > -inf", id="infinity"),
        pytest.param("f = 0.1", "f = 0.10000000149011612", id="float-as-the-single-it-is"),
        pytest.param("is_nan(score), not_nan(f)", "score IS NAN AND f IS NOT NAN", id="nan"),
        pytest.param("NOT (ok = true)", "ok != TRUE", id="not"),
        pytest.param("bin = X'61'", "bin = X'61'", id="binary"),
        pytest.param("bin = X''", "bin = X''", id="no-bytes"),
        pytest.param("country IN ('DE')", "country = 'DE'", id="list-of-one"),
        pytest.param("country IN ('DE', 'US')", "country IN ('DE', 'US')", id="list-of-strings"),
        pytest.param("user_id NOT IN (2, 1, 2)", "user_id NOT IN (1, 2)", id="not-in"),
        pytest.param("payload LIKE 'a%'", "payload LIKE 'a%'", id="prefix"),
        pytest.param(
            "payload LIKE '50%%'",
            r"payload LIKE '50\%%' ESCAPE '\'",
            id="prefix-with-percent",
        ),
        pytest.param("payload NOT LIKE 'a%'", "payload NOT LIKE 'a%'", id="not-prefix"),
        pytest.param("day(ts) = 19784", "day(ts) = DATE '2024-03-02'", id="day"),
        pytest.param("year(ts) = 54, hour(ts) > 9", "year(ts) = 54 AND hour(ts) > 9", id="hour"),
        pytest.param("bucket[4](user_id) IN (1, 2)", "bucket[4](user_id) IN (1, 2)", id="bucket"),
        pytest.param("truncate[2](country) = 'DE'", "truncate[2](country) = 'DE'", id="truncate"),
        pytest.param("Weird Col.x = 3, st.a = 2", "Weird Col.x = 3 AND st.a = 2", id="names"),
        pytest.param("a, b = 'x', d IS NULL", "a, b = 'x' AND d IS NULL", id="name-with-comma"),
        pytest.param(
            "((user_id >= 1 AND user_id <= 3) OR country = 'DE')",
            "(user_id >= 1 AND user_id <= 3) OR country = 'DE'",
            id="nested",
        ),
        pytest.param(
            "country = 'a, b', d = 1", "country = 'a, b' AND d = DATE '1970-01-02'", id="comma"
        ),
        pytest.param("country = 'O'Brien'", "country = 'O''Brien'", id="quote"),
        pytest.param("country = '''", "country = ''''", id="only-a-quote"),
        pytest.param(
            "(country = 'O'Brien' OR country = 'x')",
            "country = 'O''Brien' OR country = 'x'",
            id="quote-with-one-reading",
        ),
    ],
)
def test_filters_mean_what_iceberg_was_given(text: str, expected: str) -> None:
    assert render(parse_plan_filters(text, SCHEMA)) == expected


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("country = 'O'Brien', country = 'x'", id="two-strings-and-a-quote"),
        pytest.param("country IN ('a', ', 'b')", id="quote-in-a-list"),
    ],
)
def test_text_with_two_readings_is_refused(text: str) -> None:
    with pytest.raises(AmbiguousPlanFilter) as raised:
        parse_plan_filters(text, SCHEMA)
    assert raised.value.code == "ambiguous_filter"
    assert "Brien" not in str(raised.value)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("nobody = 5", id="unknown-column"),
        pytest.param("User_Id = 5", id="other-case"),
        pytest.param("user_id = (2-digit-int)", id="sanitised"),
        pytest.param("country = (hash-27fa7cc0)", id="sanitised-string"),
        pytest.param("user_id = 5,", id="trailing-comma"),
        pytest.param("user_id = 5 ", id="trailing-blank"),
        pytest.param("user_id = 1.5", id="fraction-for-a-long"),
        pytest.param("user_id = '5'", id="string-for-a-long"),
        pytest.param("country = 5", id="number-for-a-string"),
        pytest.param("country = 'x", id="cut-off-string"),
        pytest.param("(user_id = 1 AND user_id = 2", id="cut-off-bracket"),
        pytest.param("(user_id = 1)", id="brackets-around-one"),
        pytest.param("user_id IN ()", id="empty-list"),
        pytest.param("amount = 10.555", id="more-digits-than-the-scale"),
        pytest.param("f = 1.0E39", id="more-than-a-float-holds"),
        pytest.param("nanos = 1709337600000000", id="nanoseconds-that-spark-cannot-read"),
        pytest.param("st = 5", id="struct"),
        pytest.param("bin = X'6'", id="half-a-byte"),
        pytest.param("(" * 5_000, id="brackets"),
        pytest.param("NOT (" * 5_000, id="nots"),
        pytest.param("country IN (" + ", ".join(["'''"] * 400) + ")", id="quotes"),
    ],
)
def test_text_without_a_reading_is_refused(text: str) -> None:
    with pytest.raises(UnreadablePlanFilter) as raised:
        parse_plan_filters(text, SCHEMA)
    assert raised.value.code == "unreadable_filter"


def test_null_checks_of_structs_and_lists_never_prune() -> None:
    found = parse_plan_filters("tags IS NOT NULL, user_id = 1", SCHEMA)
    assert isinstance(found, And)
    unsupported, comparison = found.children
    assert isinstance(unsupported, Unsupported)
    assert unsupported.reason is Reason.NOT_PRIMITIVE
    assert isinstance(comparison, BoundComparison)


def test_a_value_that_holds_filters_is_read_as_these() -> None:
    """The text is that of the two filters too, which is what people write."""
    value = "x', country = 'y"
    found = parse_plan_filters(f"country = '{value}'", SCHEMA)
    assert render(found) == "country = 'x' AND country = 'y'"


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(", ".join(f"user_id != {n}" for n in range(3_000)), id="conjuncts"),
        pytest.param(f"user_id IN ({', '.join(map(str, range(20_000)))})", id="numbers"),
        pytest.param(
            "country IN (" + ", ".join(f"'{n}'" for n in range(20_000)) + ")", id="strings"
        ),
        pytest.param(
            "(" * 100 + "country = 'x'" + "".join(f" OR country = '{n}')" for n in range(100)),
            id="nested-strings",
        ),
        pytest.param(f"country = '{chr(39) * 3_000}'", id="one-string-of-quotes"),
    ],
)
@pytest.mark.slow
def test_long_filters_are_read(text: str) -> None:
    assert parse_plan_filters(text, SCHEMA) not in (TRUE, FALSE)


@pytest.mark.shared
def test_every_filter_that_spark_pushed_is_read(shared: Path) -> None:
    folder = shared / "samples" / "spark_event_logs"
    truth = folder / "spark35_iceberg190_filter_pushdown_ground_truth.txt"
    lines = truth.read_text().splitlines()
    assert len(lines) >= 60
    texts = [
        text
        for line in lines
        for text in ast.literal_eval(line.split("  ||  ")[1].split("  || resid")[0])
    ]
    logs = [path.read_text() for path in folder.rglob("local-*")]
    printed = {text for log in logs for text in re.findall(r"filters=(.*?), groupedBy=\]", log)}
    texts += [json.loads(f'"{text}"') for text in printed]
    assert len(texts) > 90
    for text in texts:
        found = parse_plan_filters(text, SCHEMA)
        assert (found == TRUE) == (text == "")


# What follows prints filters as Iceberg's Spark3Util.describe does, and reads them again.

Kind = tuple[st.SearchStrategy[Any], Callable[[Any], str]]
VALUES: dict[str, Kind] = {
    "user_id": (st.integers(-(2**63), 2**63 - 1), str),
    "Weird Col.x": (st.integers(-(2**31), 2**31 - 1), str),
    "st.a": (st.integers(-(2**31), 2**31 - 1), str),
    "d": (
        st.integers(-800_000, 800_000).map(lambda n: Timestamp(n * 86_400_000_000_000, False)),
        lambda value: str(value.nanos // 86_400_000_000_000),
    ),
    "ts": (
        st.integers(-(2**60), 2**60).map(lambda n: Timestamp(n * 1_000, True)),
        lambda value: str(value.nanos // 1_000),
    ),
    "amount": (st.decimals(-99_999, 99_999, places=2), str),
    "score": (st.floats(-1e6, 1e6).filter(lambda x: x == 0 or abs(x) > 1e-3), repr),
    "ok": (st.booleans(), lambda value: str(value).lower()),
    "bin": (st.binary(max_size=3), lambda value: f"X'{value.hex().upper()}'"),
}
PLAIN = st.text("ab ,=()%_XINDOR1", max_size=8) | st.sampled_from([" AND ", ", d = 1", ") OR ("])
QUOTED = st.lists(PLAIN | st.sampled_from(["'", "', country = '", "', '"]), max_size=4).map("".join)
COMPARISONS = [Op.EQ, Op.NOT_EQ, Op.LT, Op.LT_EQ, Op.GT, Op.GT_EQ]
Printed = tuple[str, Predicate]


def column(name: str) -> Column:
    return Column(("st", "a") if name == "st.a" else (name,))


@st.composite
def leaves(draw: st.DrawFn, strings: st.SearchStrategy[str]) -> Printed:
    kinds: dict[str, Kind] = {
        **VALUES,
        "country": (strings, lambda value: f"'{value}'"),
        "a, b": (strings, lambda value: f"'{value}'"),
    }
    name = draw(st.sampled_from(sorted(kinds)))
    values, spell = kinds[name]
    forms = ["null", "not null", "compare", "in", "not in"]
    form = draw(st.sampled_from([*forms, "like"] if name in ("country", "a, b") else forms))
    if form in ("null", "not null"):
        op = Op.IS_NULL if form == "null" else Op.NOT_NULL
        return f"{name} {op}", Comparison(op, column(name))
    if form == "compare":
        op = draw(st.sampled_from(COMPARISONS))
        value = draw(values)
        return f"{name} {op} {spell(value)}", Comparison(op, column(name), (value,))
    if form == "like":
        value = draw(strings)
        return f"{name} LIKE '{value}%'", Comparison(Op.STARTS_WITH, column(name), (value,))
    op = Op.IN if form == "in" else Op.NOT_IN
    listed = draw(st.lists(values, min_size=1, max_size=3))
    return f"{name} {op} ({', '.join(map(spell, listed))})", Comparison(
        op, column(name), tuple(listed)
    )


def trees(strings: st.SearchStrategy[str]) -> st.SearchStrategy[Printed]:
    def combine(inner: st.SearchStrategy[Printed]) -> st.SearchStrategy[Printed]:
        pairs = st.tuples(inner, inner)
        return st.one_of(
            pairs.map(lambda p: (f"({p[0][0]} AND {p[1][0]})", all_of(p[0][1], p[1][1]))),
            pairs.map(lambda p: (f"({p[0][0]} OR {p[1][0]})", any_of(p[0][1], p[1][1]))),
            inner.map(lambda p: (f"NOT ({p[0]})", negate(p[1]))),
        )

    return st.recursive(leaves(strings), combine, max_leaves=4)


def filters(strings: st.SearchStrategy[str]) -> st.SearchStrategy[Printed]:
    return st.lists(trees(strings), min_size=1, max_size=3).map(
        lambda parts: (", ".join(text for text, _ in parts), all_of(*(p for _, p in parts)))
    )


def holds_quotes(predicate: Predicate) -> bool:
    match predicate:
        case And(children) | Or(children):
            return any(map(holds_quotes, children))
        case BoundComparison(values=values, field=field):
            return field.type == "string" and any(b"'" in bytes(v) for v in values)  # type: ignore[arg-type]
    return False


@given(filters(PLAIN))
def test_printed_filters_are_read_back(printed: Printed) -> None:
    text, predicate = printed
    assert parse_plan_filters(text, SCHEMA) == bind(predicate, SCHEMA)


@given(filters(QUOTED))
def test_filters_with_quotes_are_read_back_or_refused(printed: Printed) -> None:
    """Or read as the filters without any quote in a value that their text is as well."""
    text, predicate = printed
    try:
        found = parse_plan_filters(text, SCHEMA)
    except (AmbiguousPlanFilter, UnreadablePlanFilter):
        assert "'" in text
        return
    assert found == bind(predicate, SCHEMA) or not holds_quotes(found)


def test_uuids_are_read_in_either_case() -> None:
    digits = "C3F5B7C8-0000-0000-0000-00000000000A"
    upper = parse_plan_filters(f"u = '{digits}'", SCHEMA)
    assert upper == parse_plan_filters(f"u = '{digits.lower()}'", SCHEMA)
    assert isinstance(upper, BoundComparison)


def test_decimals_keep_the_scale_of_the_column() -> None:
    found = parse_plan_filters("amount = 1E+3", SCHEMA)
    assert isinstance(found, BoundComparison)
    assert found.values == (Decimal("1000.00"),)
