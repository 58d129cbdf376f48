"""Casts to text: of a text they are nothing, of all else no engine takes them apart."""

from __future__ import annotations

from collections.abc import Iterator

import duckdb
import pytest

from prunescope.collectors.predicates.bind import bind
from prunescope.collectors.predicates.model import Predicate
from prunescope.collectors.predicates.render import render
from prunescope.collectors.schema import Schema, SchemaColumn
from prunescope.collectors.sql.extraction.extract import condition
from prunescope.collectors.sql.planners.profiles import Planner, bind_pushed
from tests.property.test_meant_ranges import known
from tests.unsupported import has_unsupported

CASTS = [
    ("CAST(c AS {}) = '2026-01-05'", "c = '2026-01-05'"),
    ("CAST(c AS {}) = '17'", "c = '17'"),
    ("CAST(c AS {}) <> '2026-01-05'", "c <> '2026-01-05'"),
    ("'DE' = CAST(c AS {})", "c = 'DE'"),
    ("CAST(c AS {}) >= '2026-01'", "c >= '2026-01'"),
    ("CAST(c AS {}) <= '2026-01-05'", "c <= '2026-01-05'"),
    ("CAST(c AS {}) BETWEEN '2026-01-05' AND '2026-02'", "c BETWEEN '2026-01-05' AND '2026-02'"),
    ("NOT (CAST(c AS {}) < '2026-01-05')", "NOT (c < '2026-01-05')"),
    ("CAST(c AS {}) LIKE '2026-01%'", "c LIKE '2026-01%'"),
    ("CAST(c AS {}) LIKE 'EU%'", "c LIKE 'EU%'"),
]  # fmt: skip
LISTS = [("CAST(c AS {}) IN ('2026-01-05', 'x')", "c = '2026-01-05' OR c = 'x'")]
ENGINES = [("trino", "varchar"), ("spark", "string")]


_TEXTS = ["", "17", "2026", "2026-01", "2026-01-04", "2026-01-05", "2026-01-06", "2026-02", "DE",
    "EU", "EUR", "x", "y"]  # fmt: skip


def _selected(predicate: Predicate) -> list[tuple[str]]:
    rows = ", ".join(f"('{text}')" for text in _TEXTS)
    asked = f"SELECT c FROM (VALUES {rows}, (NULL)) t(c) WHERE {render(predicate)} ORDER BY c"
    return duckdb.execute(asked).fetchall()


def schema(kind: str) -> Schema:
    return Schema(0, (SchemaColumn(1, ("c",), kind, False, False, False),))


@pytest.mark.parametrize(("engine", "text"), ENGINES)
@pytest.mark.parametrize(("cast", "plain"), CASTS + LISTS)
def test_a_cast_of_text_to_text_is_nothing(cast: str, plain: str, engine: str, text: str) -> None:
    strings, planner = schema("string"), Planner(engine)
    wanted, same = (
        bind(condition(sql, engine, types={"c": "string"}), strings)
        for sql in (plain, cast.format(text))
    )
    assert not has_unsupported(same)
    assert _selected(same) == _selected(wanted)
    bare, found = (
        bind_pushed(planner, condition(sql, engine, planner=planner), strings, time_zone="UTC")
        for sql in (plain, cast.format(text))
    )
    assert render(found) == render(bare) != "TRUE"


@pytest.mark.parametrize(("engine", "text"), ENGINES)
@pytest.mark.parametrize("kind", ["int", "long", "date", "timestamp", "uuid", "double", "boolean"])
@pytest.mark.parametrize(("cast", "_"), CASTS + LISTS)
def test_a_cast_of_other_types_is_pushed_by_none(
    cast: str, _: str, kind: str, engine: str, text: str
) -> None:
    planner = Planner(engine)
    pushed = condition(cast.format(text), engine, planner=planner)
    bound = bind_pushed(planner, pushed, schema(kind), time_zone="UTC")
    assert render(bound) in ("TRUE", "c IS NOT NULL")


@pytest.mark.parametrize("text", ["'EU'", "'2026-01'"])
def test_what_is_no_text_of_another_type_stays(text: str) -> None:
    for kind in ("date", "timestamp", "long"):
        found = condition(f"CAST(c AS varchar) = {text}", "trino", time_zone="UTC")
        assert has_unsupported(bind(found, schema(kind)))


NUMBERS = [0, 1, 2, 20, 202, 2026, 20_260, 20_261, 202_602, 2_026_020, 20_260_201, 20_270_101]
NUMBERS += [-2026, -20_260_201, 2_026_020_199, 2**31 - 1, -(2**31)]


@pytest.fixture(scope="module")
def numbers() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect(config={"threads": 1}) as connection:
        connection.execute("CREATE TABLE t (c BIGINT)")
        connection.executemany("INSERT INTO t VALUES (?)", [[number] for number in NUMBERS])
        yield connection


@pytest.mark.parametrize("kind", ["int", "long"])
@pytest.mark.parametrize("digits", ["2", "20", "2026", "202602", "20260201", "21", "2147483647"])
@pytest.mark.parametrize(
    "form",
    [
        "left(c, {size}) = '{digits}'",
        "substring(c, 1, {size}) IN ('{digits}', '{digits}')",
        "c LIKE '{digits}%'",
        "CAST(c AS STRING) LIKE '{digits}%'",
    ],
)
def test_numbers_start_with_digits(
    form: str, digits: str, kind: str, numbers: duckdb.DuckDBPyConnection
) -> None:
    found = bind(
        condition(form.format(size=len(digits), digits=digits), "spark", types={"c": kind}),
        schema(kind),
    )
    where = render(known(found))
    assert where != "TRUE"
    rows = numbers.execute(f"SELECT c FROM t WHERE {where} ORDER BY c").fetchall()
    wanted = [number for number in NUMBERS if str(number).startswith(digits)]
    assert [number for (number,) in rows] == sorted(wanted)


def test_spark_pushes_no_digits() -> None:
    for sql in ("c LIKE '2026%'", "CAST(c AS STRING) LIKE '2026%'", "left(c, 4) = '2026'"):
        planner = Planner("spark")
        pushed = bind_pushed(
            planner, condition(sql, "spark", planner=planner), schema("long"), time_zone=None
        )
        assert render(pushed) in ("TRUE", "c IS NOT NULL") or has_unsupported(pushed)
