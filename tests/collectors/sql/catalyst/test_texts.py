"""What may be a text in a condition that Catalyst prints: no word of it is shown."""

from __future__ import annotations

import pytest

from prunescope.collectors.predicates.render import redact
from prunescope.collectors.schema import Schema, SchemaColumn
from prunescope.collectors.sql.extraction.plan_conditions import parse_plan_conditions

_TYPES = {
    "id": "long",
    "email": "string",
    "name": "string",
    "ts": "timestamptz",
    "amount": "decimal(10, 2)",
    "ok": "boolean",
    "props": "map",
}
SCHEMA = Schema(
    0,
    tuple(
        SchemaColumn(number, (name,), kind, False, False, False)
        for number, (name, kind) in enumerate(_TYPES.items(), start=1)
    ),
)

_TEXTS = [
    "Miller(x)", "Miller()", "Miller(1)", "Miller(1, 2)", "Miller(email#2)", "Miller(email#2, 3)",
    "Miller(a, b(c))", "Miller_x(1.5)", "(1 + Miller(2))", "Miller(.*)", "Miller(a|b)",
    "Miller.y(x)", "Miller-y(x)", "Miller (x)", "a Miller(x)", "Miller(name#3 = 3)",
    "-Miller(id#1L)",
    "Miller(x) = b", "Miller(email#2) IN (a,b)", "Miller(email#2) LIKE a%", "(Miller(email#2) = 3)",
    "(Miller(id#1L) + 1)", "NOT Miller(ok#7)", "cast(Miller(email#2) as int)", "upper(Miller(x))",
    "CASE WHEN Miller(ok#7) THEN Miller(x) ELSE b END", "if (Miller(ok#7)) true else Miller(x)",
    "split(Miller(email#2), a, -1)[0]", "id#1L + INTERVAL '1' MILLER",
    "id#1L + INTERVAL '1-1' YEAR TO MILLER", "date_trunc(MILLER, ts#5, Some(UTC))",
    "timestampdiff(MILLER, ts#5, ts#5, Some(UTC))", "<lambda>(Miller(x))", "st#1.Miller",
    "x) AND (Miller(email#2)", "x) THEN true WHEN (Miller(email#2) = y", "x, Miller(email#2)",
    "x AND Miller(email#2)", "x AND Miller(C50)", "Miller(email#2) AND x",
]  # fmt: skip
_PLACES = [
    "(email#2 = {})", "({} = email#2)", "(lower(email#2) > {})", "({} = lower(email#2))",
    "(score(email#2) = {})", "({} = score(email#2))", "(score(email#2, {}) > 0.5)",
    "(score({}, email#2) > 0.5)", "score(email#2, {})", "NOT score(email#2, {})",
    "(coalesce(lower(email#2), {}) = b)", "NOT coalesce((email#2 = {}), false)",
    "(regexp_extract(email#2, {}, 1) = x)", "(concat({}, email#2, y) = x)", "(length({}) > id#1L)",
    "(if (isnull(email#2)) {} else email#2 = x)", "(lower(trim(concat(email#2, {}), None)) = x)",
    "(CASE WHEN isnull(email#2) THEN {} ELSE email#2 END = x)", "(split(email#2, {}, -1)[0] = x)",
    "CASE WHEN (lower(email#2) = {}) THEN (id#1L > 3) END", "(amount#6 > cast({} as int))",
    "(cast(coalesce(email#2, {}) as int) = 3)", "(map(a, {})[email#2] = x)",
    "array_contains(split(email#2, ;, -1), {})", "(hash(email#2, {}, 42) = 3)",
    "email#2 IN ({},b)", "score(email#2) IN ({},b)", "lower(email#2) LIKE {}",
    "(lower(email#2) LIKE {} AND ok#7)",
    "((lower(email#2) = {}) OR (id#1L = 3))", "(isnotnull(email#2) AND (lower(email#2) = {}))",
    "(Subquery subquery#5, [id=#7] = {})", "(rand(5) = {})", "((id#1L + 1) = {})",
]  # fmt: skip


@pytest.mark.parametrize("text", _TEXTS)
def test_no_word_of_a_text_is_taken_for_a_name(text: str) -> None:
    conditions = [place.replace("{}", text) for place in _PLACES]
    shown = [redact(parse_plan_conditions([one], SCHEMA, "UTC")) for one in conditions]
    assert [one for one in shown if "miller" in one.lower()] == []


@pytest.mark.parametrize(
    ("printed", "shown"),
    [
        pytest.param("score(email#2)", "SCORE(email)", id="a condition"),
        pytest.param("(ok#7 AND NOT score(email#2))", "ok = ? AND NOT (SCORE(email))",
                     id="in a connector"),
        pytest.param("(score(email#2, a, b) > 0.5)", "SCORE(email, ?) > ?", id="before a literal"),
        pytest.param("(0.5 < score(id#1L))", "? < SCORE(id)", id="behind a literal"),
        pytest.param("((cast(score(id#1L) as double) + 1) > 0.5)",
                     "(CAST(SCORE(id) AS DOUBLE) + ?) > ?", id="calculated"),
        pytest.param("score(id#1L) IN (1,2)", "SCORE(id) IN (?, ?)", id="in a list"),
    ],
)  # fmt: skip
def test_names_of_functions_are_shown_where_no_text_can_stand(printed: str, shown: str) -> None:
    assert redact(parse_plan_conditions([printed], SCHEMA, "UTC")) == shown
