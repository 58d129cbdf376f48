"""Texts that are put together are taken apart without a row lost, whatever types their parts have.
The truth is the text itself, put together by Python as engines do."""

from __future__ import annotations

import datetime as dt
import itertools
import operator
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import duckdb
import pyarrow as pa
import pytest

from collectors.predicates.bind import bind
from collectors.predicates.model import And, Or, Predicate, Unsupported, all_of, any_of
from collectors.predicates.render import render
from collectors.schema import Schema, SchemaColumn
from collectors.sql.extraction.extract import condition
from collectors.sql.planners.profiles import PLANNERS
from tests.collectors.predicates.calculated import bound

Row = tuple[Any, ...]
SIGNS: dict[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
TEXTS = ["", "2", "20", "2026", "2026-02", "2026-02-03", "02", "03", "-", "a", " 0", "2027", None]
NUMBERS = [-2026, -1, 0, 1, 2, 3, 12, 20, 99, 123, 2025, 2026, 20_260, 202_602, None]
DATES = [dt.date(2025, 12, 31), dt.date(2026, 2, 3), dt.date(2026, 2, 4), dt.date(3, 2, 3), None]
IN_SPARK = {name: f"CAST({name} AS STRING)" for name in "abc"}
IN_TRINO = {name: f"CAST({name} AS varchar)" for name in "abc"}
PADDED = {name: f"lpad({text}, 2, '0')" for name, text in IN_TRINO.items()}
VALUES = ["2026-02-03", "20262", "-1-2"]
MORE_VALUES = ["2026-02", "2026-2", "2026", "-", "2026-02 03", "x"]


def schema(kind: str) -> Schema:
    return Schema(
        0,
        tuple(
            SchemaColumn(number, (name,), kind, False, False, False)
            for number, name in enumerate("abc", start=1)
        ),
    )


def known(predicate: Predicate) -> Predicate:
    match predicate:
        case Unsupported():
            return all_of()
        case And(children):
            return all_of(*map(known, children))
        case Or(children):
            return any_of(*map(known, children))
    return predicate


@pytest.fixture(scope="module")
def tables() -> Iterator[duckdb.DuckDBPyConnection]:
    """Tables of all combinations of three values, numbered."""
    with duckdb.connect(config={"threads": 1}) as connection:
        for kind, values in (("VARCHAR", TEXTS), ("BIGINT", NUMBERS), ("DATE", DATES)):
            columns = zip(*itertools.product(values, repeat=3), strict=True)
            made = pa.table({name: list(of) for name, of in zip("abc", columns, strict=True)})
            made = made.append_column("n", pa.array(range(len(made))))
            connection.register("made", made)
            connection.execute(f"CREATE TABLE {kind}s AS SELECT * FROM made")
        yield connection


def left_out(connection: duckdb.DuckDBPyConnection, kind: str, where: Predicate) -> list[int]:
    """The numbers of the rows that a predicate, as far as it is known, does not let through."""
    text = render(known(where))
    found = connection.execute(f"SELECT n FROM {kind}s WHERE ({text}) IS NOT TRUE")
    numbers: list[int] = found.fetchnumpy()["n"].tolist()
    return numbers


def text(value: object) -> str | None:
    return None if value is None else str(value)


def joined(*parts: object) -> str | None:
    texts = [text(part) for part in parts]
    return None if None in texts else "".join(texts)  # type: ignore[arg-type]


def with_separator(separator: str, *parts: object) -> str:
    return separator.join(str(part) for part in parts if part is not None)


def filled(value: object, size: int) -> str | None:
    return None if value is None else str(value).rjust(size, "0")[:size]


FORMS: list[tuple[str, str, Callable[..., str | None]]] = [
    ("spark", "concat(a, '-', b)", lambda a, b, _: joined(a, "-", b)),
    ("spark", "a || '-' || b || '-' || c", lambda a, b, c: joined(a, "-", b, "-", c)),
    ("spark", "concat(a, b)", lambda a, b, _: joined(a, b)),
    (
        "spark",
        f"concat_ws('-', {IN_SPARK['a']}, {IN_SPARK['b']})",
        lambda a, b, _: with_separator("-", a, b),
    ),
    (
        "spark",
        f"concat_ws('-', {', '.join(IN_SPARK.values())})",
        lambda a, b, c: with_separator("-", a, b, c),
    ),
    ("spark", "concat_ws('-', a, b, c)", lambda a, b, c: with_separator("-", a, b, c)),
    ("spark", "concat(a, ' ', b)", lambda a, b, _: joined(a, " ", b)),
    ("spark", "concat('20', a, '-')", lambda a, *_: joined("20", a, "-")),
    ("spark", "concat(a, '-', lpad(b, 2, '0'))", lambda a, b, _: joined(a, "-", filled(b, 2))),
    ("spark", "concat(lpad(a, 4, '0'), b)", lambda a, b, _: joined(filled(a, 4), b)),
    (
        "trino",
        f"concat({IN_TRINO['a']}, '-', lpad({IN_TRINO['b']}, 2, '0'))",
        lambda a, b, _: joined(a, "-", filled(b, 2)),
    ),
    (
        "trino",
        "CAST(a AS varchar) || ('-' || CAST(b AS varchar))",
        lambda a, b, _: joined(a, "-", b),
    ),
    (
        "trino",
        "concat_ws('-', CAST(a AS varchar), CAST(c AS varchar))",
        lambda a, _, c: with_separator("-", a, c),
    ),
]
KINDS: dict[str, tuple[str, list[Any]]] = {
    "VARCHAR": ("string", TEXTS),
    "BIGINT": ("long", NUMBERS),
    "DATE": ("date", DATES),
}


@cache
def rows_and_texts(
    made: Callable[..., str | None], kind: str
) -> tuple[list[Row], list[str | None]]:
    """The rows of a table, and the text that a form makes of each."""
    rows = list(itertools.product(KINDS[kind][1], repeat=3))
    return rows, [made(*row) for row in rows]


@pytest.mark.parametrize(
    "compared",
    [VALUES, pytest.param(MORE_VALUES, marks=[pytest.mark.slow, pytest.mark.exhaustive])],
)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("sign", SIGNS)
@pytest.mark.parametrize("form", FORMS, ids=[f"{d} {f}" for d, f, _ in FORMS])
def test_no_row_is_lost(
    form: tuple[str, str, Callable[..., str | None]],
    sign: str,
    kind: str,
    compared: list[str],
    tables: duckdb.DuckDBPyConnection,
) -> None:
    dialect, sql, made = form
    type_name, _ = KINDS[kind]
    rows, texts = rows_and_texts(made, kind)
    types = dict.fromkeys("abc", type_name)
    for value in compared:
        found = condition(f"{sql} {sign} '{value}'", dialect, time_zone="UTC", types=types)
        lost = [
            rows[n]
            for n in left_out(tables, kind, bind(found, schema(type_name), time_zone="UTC"))
            if (whole := texts[n]) is not None and SIGNS[sign](whole, value)
        ]
        assert not lost, (value, render(found), lost[:3])


@pytest.mark.parametrize(
    ("dialect", "sql", "expected"),
    [
        ("spark", "concat(a, '-', b) = '2026-02'", "a = '2026' AND b = '02'"),
        ("spark", "a || '|' || b IN ('x|1', 'y|2')",
         "(a = 'x' AND b = '1') OR (a = 'y' AND b = '2')"),
        ("trino", "concat(a, '-', b, '-', c) = '2026-02-03'",
         "a = '2026' AND b = '02' AND c = '03'"),
        ("spark", "concat('EU-', a) = 'EU-12'", "a = '12'"),
        ("spark", "concat('EU-', a) = 'US-12'", "FALSE"),
        ("spark", "concat(a, ' ', b) >= '2026-01-18 06'",
         "a > '2026-01-18' OR (a = '2026-01-18' AND b >= '06')"),
        ("spark", "concat(a, ' ', b) < '2026-01-18 06'",
         ("a < '2026-01-18' OR (a = '2026-01-18' AND b <= '06')"
         " OR (a > '2026-01-18' AND a <= '2026-01-18 06')")),
        ("spark", "concat(a, '-', b) >= '2026-01'", "a > '2026' OR (a = '2026' AND b >= '01')"),
        ("spark", "concat(a, 'x', b) >= '2026x01'", "TRUE"),  # 'x' comes after '2'
        ("spark", "concat(a, b) >= '202601'", "TRUE"),
        ("spark", "concat(a, b) <= '202601'", "a <= '202601'"),
        ("spark", "concat(a, b, c) = '20260203'", "TRUE"),  # 45 ways
        ("spark", "concat(a, b) = '12'",
         "(a = '12' AND b = '') OR (a = '1' AND b = '2') OR (a = '' AND b = '12')"),
        ("spark", "concat_ws('-', a, b) = '1-2'", "TRUE"),  # one may be an empty array
        ("spark", f"concat_ws('-', {IN_SPARK['a']}, {IN_SPARK['b']}) = '1-2'",
         "(a = '1' AND b = '2') OR a IS NULL OR b IS NULL"),
        ("spark", "NOT concat(a, '-', b) = '2026-02'", "TRUE"),
        ("spark", "concat(a, '-', b) <> '2026-02'", "TRUE"),
        ("snowflake", "concat(a, '-', b) = '2026-02'", "TRUE"),
        ("trino", "concat(a, '|', b) IN ('x|1', 'x|2')", "a = 'x' AND (b = '1' OR b = '2')"),
        ("trino", "concat_ws('-', a, b) = '1-2'", "TRUE"),
        ("spark", "concat(upper(a), '-', b) = 'EU-7'", "b = '7'"),
        ("spark", "concat(a, '-', b) = concat('x', '-', 'y')", "a = 'x' AND b = 'y'"),
    ],
)  # fmt: skip
def test_texts_are_taken_apart_in_the_ways_that_there_are(
    dialect: str, sql: str, expected: str
) -> None:
    found = known(bind(condition(sql, dialect, time_zone="UTC"), schema("string")))
    assert sorted(render(found).split(" OR ")) == sorted(expected.split(" OR "))


@pytest.mark.parametrize(
    ("sign", "expected"),
    [
        ("=", "a = 2026 AND (b = 2 OR b > 99) AND (c = 3 OR c > 99)"),
        (">=", "a >= 2026"),
        (">", "a >= 2026"),
        ("<", "a <= 2026"),
    ],
)
def test_trino_is_told_no_or_of_several_columns(sign: str, expected: str) -> None:
    form = DATE_FORMS[-1][1]
    found = condition(f"{form} {sign} DATE '2026-02-03'", "trino")
    assert render(known(bind(found, schema("long")))) == expected


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("concat(a, '-', b) >= '2026-02'", "a > '2026' OR (a = '2026' AND b >= '02')"),
        (
            "a || '-' || b || '-' || c >= '2026-02-03'",
            "a > '2026' OR (a = '2026' AND (b > '02' OR (b = '02' AND c >= '03')))",
        ),
        (
            "concat(a, '-', b) < '2026-02'",
            "a < '2026' OR (a = '2026' AND b <= '02') OR (a > '2026' AND a <= '2026-02')",
        ),
        # Those that go on after a part with what comes before the text between are not told apart.
        ("concat(a, '-', b) >= '20 6-02'", "a >= '20'"),
        ("concat(a, '-', b) >= '2026'", "a >= '2026'"),
        ("concat(a, b) >= '202602'", "TRUE"),
        ("concat(a, '-', b, c) >= '2026-02'", "a >= '2026'"),
    ],
)
def test_parts_decide_from_left_to_right(sql: str, expected: str) -> None:
    assert render(known(bind(condition(sql, "spark"), schema("string")))) == expected
    of_trino = render(known(bind(condition(sql, "trino"), schema("string"))))
    assert not {"b", "c"} & {*of_trino}


def test_many_ways_take_few_steps() -> None:
    parts = ", '-', ".join("abcabcab")
    value = "-" * 64
    assert render(known(condition(f"concat({parts}, 'x') = '{value}'", "spark"))) == "FALSE"
    assert render(known(condition(f"concat({parts}) = '{value}'", "spark"))) == "TRUE"


@pytest.mark.parametrize("sql", ["concat(a, '-', b) = '2026-02'", "a || ' ' || b >= '2026'"])
def test_no_engine_is_taken_to_push_it(sql: str) -> None:
    for planner in PLANNERS:
        pushed = known(condition(sql, "spark", planner=planner))
        assert render(pushed) in ("TRUE", "a IS NOT NULL AND b IS NOT NULL")


DATE_FORMS: list[tuple[str, str, Callable[..., str | None]]] = [
    ("spark", "CAST(concat(a, '-', b, '-', c) AS DATE)", lambda *abc: joined(*_dashed(abc))),
    ("spark", "to_date(a || '-' || b || '-' || c)", lambda *abc: joined(*_dashed(abc))),
    (
        "spark",
        f"to_date(concat_ws('-', {', '.join(IN_SPARK.values())}))",
        lambda *abc: with_separator("-", *abc),
    ),
    (
        "trino",
        f"CAST(concat({IN_TRINO['a']}, '-', {PADDED['b']}, '-', {PADDED['c']}) AS date)",
        lambda a, b, c: joined(a, "-", filled(b, 2), "-", filled(c, 2)),
    ),
]


def _dashed(parts: Row) -> Row:
    return parts[0], "-", parts[1], "-", parts[2]


def spark_date(whole: str | None) -> dt.date | None:
    """What Spark casts to a date: a year of four digits or more, and what it has after it."""
    if whole is None or whole.startswith("-"):
        return None
    year, *others = whole.split("-")
    if len(year) != 4 or len(others) > 2 or not all(0 < len(other) <= 2 for other in others):
        return None
    month, day = [*map(int, others), 1, 1][:2]
    try:
        return dt.date(int(year), month, day)
    except ValueError:
        return None


@cache
def dates(made: Callable[..., str | None]) -> list[dt.date | None]:
    """The date of each row of numbers."""
    return [spark_date(text) for text in rows_and_texts(made, "BIGINT")[1]]


@pytest.mark.parametrize("sign", SIGNS)
@pytest.mark.parametrize(
    ("dialect", "form", "made"), DATE_FORMS, ids=[f"{d} {f}" for d, f, _ in DATE_FORMS]
)
def test_no_date_of_numbers_is_lost(
    dialect: str,
    form: str,
    made: Callable[..., str | None],
    sign: str,
    tables: duckdb.DuckDBPyConnection,
) -> None:
    days = dates(made)
    for wanted in (dt.date(2026, 2, 3), dt.date(2025, 12, 20), dt.date(2026, 12, 1)):
        found = condition(f"{form} {sign} DATE '{wanted}'", dialect, time_zone="UTC")
        selected = {n for n, day in enumerate(days) if day is not None and SIGNS[sign](day, wanted)}
        assert selected
        rest = left_out(tables, "BIGINT", bind(found, schema("long"), time_zone="UTC"))
        assert selected.isdisjoint(rest), render(found)
        assert rest, "nothing is known"


def test_what_says_nothing_of_numbers_is_told_once() -> None:
    found = bound("concat(i, '-', l) <= 'x-1'", "trino")
    assert isinstance(found, Unsupported)
    assert found.columns == ("i", "l")


@pytest.mark.parametrize(
    ("types", "expected"),
    [
        ({"a": "string"}, "TRUE"),
        ({"a": "string", "b": "list"}, "TRUE"),
        ({"a": "map", "b": "string"}, "TRUE"),
    ],
)
def test_with_a_separator_columns_are_taken_apart_that_are_no_arrays(
    types: dict[str, str], expected: str
) -> None:
    sql = "concat_ws('-', a, b) = '1-2'"
    found = known(bind(condition(sql, "spark", types=types), schema("string")))
    assert sorted(render(found).split(" OR ")) == sorted(expected.split(" OR "))
