"""Casts to text: of a text they are nothing, of all else no engine takes them apart."""

from __future__ import annotations

import pytest

from collectors.predicates.bind import bind, has_unsupported
from collectors.predicates.render import render
from collectors.schema import Schema, SchemaColumn
from collectors.sql.extraction.extract import condition
from collectors.sql.planners.profiles import Planner, bind_pushed

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


def schema(kind: str) -> Schema:
    return Schema(0, (SchemaColumn(1, ("c",), kind, False, False, False),))


@pytest.mark.parametrize(("engine", "text"), ENGINES)
@pytest.mark.parametrize(("cast", "plain"), CASTS + LISTS)
def test_a_cast_of_text_to_text_is_nothing(cast: str, plain: str, engine: str, text: str) -> None:
    strings, planner = schema("string"), Planner(engine)
    wanted = render(bind(condition(plain, engine), strings))
    assert render(bind(condition(cast.format(text), engine), strings)) == wanted
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


@pytest.mark.parametrize(
    ("sql", "wanted"),
    [
        ("substring(c, 1, 7) = '2026-02'", "c LIKE '2026-02' || '%'"),
        ("left(c, 10) >= '2026-02-03'", "c >= '2026-02-03'"),
        ("left(c, 7) < '2026-02'", "c < '2026-02'"),
        ("left(c, 10) = 'x'", "c = 'x'"),
        ("left(c, 4) <> '2026'", "c NOT LIKE '2026' || '%'"),
        ("c LIKE '2026-02-1%'", "c LIKE '2026-02-1' || '%'"),
        ("c LIKE '2026%'", "c LIKE '2026' || '%'"),
        ("c NOT LIKE '2026-02%'", "c NOT LIKE '2026-02' || '%'"),
        ("c LIKE '2026-02-10 05%'", "c LIKE '2026-02-10 05' || '%'"),
    ],
)
def test_spark_makes_text_of_times_alone(sql: str, wanted: str) -> None:
    found = condition(sql, "spark", time_zone="UTC")
    assert render(bind(found, schema("string"))) == wanted
    of_numbers = bind(found, schema("long"))
    assert has_unsupported(of_numbers), render(of_numbers)


@pytest.mark.parametrize("dialect", ["trino", "hive", "snowflake"])
def test_of_other_engines_only_texts_are_known(dialect: str) -> None:
    for sql in ("substr(c, 1, 7) = '2026-02'", "c LIKE '2026-02%'"):
        assert render(condition(sql, dialect)) == "c LIKE '2026-02' || '%'"
