"""Conditions as authors write them: quoted, and with literals only where they are shown."""

from __future__ import annotations

from dataclasses import replace

import pytest

from prunescope.audit_jobs.findings.condition import Condition
from prunescope.audit_jobs.findings.engines import identifier_for_all, original, written
from prunescope.collectors.predicates.model import (
    BoundComparison,
    Field,
    Predicate,
    Written,
    all_of,
    any_of,
)
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.predicates.render import redact, render
from prunescope.collectors.table_scans import ColumnPaths, TextPlace
from tests.audit_jobs.findings.groups import group_of
from tests.audit_jobs.sinks.results import replayed

NAME = BoundComparison(Op.EQ, Field(1, "Full name", "string"), (b"Ada",))
ZONED = BoundComparison(Op.GT_EQ, Field(2, "at", "timestamptz"), (0,))
BARE = BoundComparison(Op.GT_EQ, Field(3, "local", "timestamp"), (0,))


@pytest.mark.parametrize(
    ("predicate", "engine", "shown", "expected"),
    [
        (NAME, "trino", True, "\"Full name\" = 'Ada'"),
        (NAME, "athena", False, '"Full name" = ?'),
        (NAME, "spark", False, "`Full name` = ?"),
        (any_of(NAME, ZONED), "trino", False, '("Full name" = ? OR "at" >= ?)'),
        (ZONED, "spark", True, "`at` >= TIMESTAMP '1970-01-01 00:00:00 UTC'"),
        (BARE, "spark", True, "`local` >= TIMESTAMP_NTZ '1970-01-01 00:00:00'"),
        (BARE, "trino", True, "\"local\" >= TIMESTAMP '1970-01-01 00:00:00'"),
    ],
)
def test_written(predicate: Predicate, engine: str, shown: bool, expected: str) -> None:
    text = render(predicate) if shown else redact(predicate)
    condition = Condition(text, predicate, "unenforced", False, 0, 0, 0, {})
    group = group_of([replace(replayed("0/0"), engine=engine)])
    assert written(group, condition) == expected


@pytest.mark.parametrize(
    ("qualifiers", "expected"),
    [
        ({}, '"Full name" = ?'),
        ({"full name": ("e",)}, '"e"."Full name" = ?'),
        ({"full name": ("db", "T")}, '"db"."T"."Full name" = ?'),
        ({"full name": (), "at": ("e",)}, '"Full name" = ?'),  # of USING, or no other table's
        ({"at": ("e",)}, '"e"."Full name" = ?'),  # which the query does not name
    ],
)
def test_a_column_stands_behind_what_the_query_has_before_it(
    qualifiers: ColumnPaths, expected: str
) -> None:
    condition = Condition(redact(NAME), NAME, "unenforced", False, 0, 0, 0, {})
    place = TextPlace(qualifiers=qualifiers)
    group = group_of([replace(replayed("0/0"), engine="trino", text_place=place)])
    assert written(group, condition) == expected


@pytest.mark.parametrize(
    ("outer_names", "expected"),
    [
        ({"full name": ("x", "n"), "at": ("x", "t")}, '("x"."n" = ? OR "x"."t" >= ?)'),
        # What is written together needs names at one place.
        ({"full name": ("x", "n"), "at": ()}, '("e"."Full name" = ? OR "e"."at" >= ?)'),
        ({"full name": ("x", "n")}, '("e"."Full name" = ? OR "e"."at" >= ?)'),
        ({"other": ("x", "o")}, '("e"."Full name" = ? OR "e"."at" >= ?)'),
    ],
)
def test_columns_are_called_as_where_all_conditions_on_them_stand(
    outer_names: ColumnPaths, expected: str
) -> None:
    both = any_of(NAME, ZONED)
    condition = Condition(redact(both), both, "unenforced", False, 0, 0, 0, {})
    place = TextPlace(qualifiers={"at": ("e",)}, outer_names=outer_names)
    group = group_of([replace(replayed("0/0"), engine="trino", text_place=place)])
    assert written(group, condition) == expected


@pytest.mark.parametrize(
    ("names", "expected"),
    [(["e"], '"e"."at"'), (["e", "e"], '"e"."at"'), (["e", "t"], '"at"'), (["e", ""], '"at"')],
)
def test_of_several_queries_a_column_has_what_all_have_before_it(
    names: list[str], expected: str
) -> None:
    places = [TextPlace(qualifiers={"at": (name,) if name else ()}) for name in names]
    groups = [
        group_of([replace(replayed("0/0"), engine="trino", text_place=place)]) for place in places
    ]
    assert identifier_for_all(groups, "at") == expected


PRICE = BoundComparison(Op.GT_EQ, Field(4, "price", "double"), (8.999999999999988,))


@pytest.mark.parametrize(
    ("op", "value", "expected"),
    [
        (Op.GT_EQ, 8.999999999999988, "8.999999"),
        (Op.LT_EQ, 11.000000000000012, "11.00001"),
        (Op.GT, -0.5000000000000006, "-0.5000001"),
        (Op.LT, 0.10000000149011612, "0.1000001"),
        (Op.GT_EQ, 0.10000000149011612, "0.1"),
        (Op.LT_EQ, 1.2345678901234567e300, "1.234568e+300"),
        (Op.LT_EQ, 52.123456789, "52.123456789"),
        (Op.LT_EQ, float("inf"), "inf"),
        (Op.EQ, 8.999999999999988, "8.999999999999988"),
    ],
)
def test_bounds_of_many_digits_are_told_with_a_few_beyond_them(
    op: Op, value: float, expected: str
) -> None:
    predicate = replace(PRICE, op=op, values=(value,))
    condition = Condition(render(predicate), predicate, "unenforced", False, 0, 0, 0, {})
    group = group_of([replace(replayed("0/0"), engine="trino")])
    assert written(group, condition) == f'"price" {op} {expected}'


@pytest.mark.parametrize(
    ("prefix", "engine", "expected"),
    [
        ("tmp/", "spark", "`Full name` NOT LIKE 'tmp/%'"),
        ("tmp/", "trino", "(\"Full name\" < 'tmp/' OR \"Full name\" >= 'tmp0')"),
        ("a_", "spark", "NOT startswith(`Full name`, 'a_')"),
        ("\U0010ffff", "trino", "\"Full name\" < '\U0010ffff'"),
    ],
)
def test_what_does_not_begin_so(prefix: str, engine: str, expected: str) -> None:
    predicate = replace(NAME, op=Op.NOT_STARTS_WITH, values=(prefix.encode(),))
    condition = Condition(render(predicate), predicate, "unenforced", False, 0, 0, 0, {})
    group = group_of([replace(replayed("0/0"), engine=engine)])
    assert written(group, condition) == expected


def made_of(text: str, value: int) -> Predicate:
    """A comparison that was made of a function with a literal."""
    made = Written(f"{text} = {value}", f"{text} = ?")
    return replace(ZONED, values=(value,), written=made)


YEAR, MONTH, OTHER = made_of("year(at)", 2026), made_of("month(at)", 2), made_of("year(at)", 2025)


@pytest.mark.parametrize(
    ("predicate", "shown", "expected"),
    [
        (all_of(YEAR, MONTH), True, "year(at) = 2026 AND month(at) = 2"),
        (all_of(YEAR, MONTH), False, "year(at) = ? AND month(at) = ?"),
        (all_of(YEAR, BARE), True, "year(at) = 2026"),
        (any_of(all_of(YEAR, MONTH), OTHER), True,
         "(year(at) = 2026 AND month(at) = 2) OR year(at) = 2025"),
        (all_of(MONTH, any_of(YEAR, OTHER)), True,
         "month(at) = 2 AND (year(at) = 2026 OR year(at) = 2025)"),
        (any_of(YEAR, OTHER), False, "year(at) = ?"),
        (any_of(YEAR, BARE), False, "at >= ? OR local >= ?"),
        (BARE, False, "local >= ?"),
    ],
)  # fmt: skip
def test_conditions_are_quoted_as_queries_have_them(
    predicate: Predicate, shown: bool, expected: str
) -> None:
    text = render(predicate) if shown else redact(predicate)
    assert original(Condition(text, predicate, "unenforced", False, 0, 0, 0, {})) == expected
