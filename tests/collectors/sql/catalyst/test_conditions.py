"""Conditions as Spark 3.5, 4.0 and 4.1 print them, in SQL and as predicates."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from prunescope.collectors.predicates.model import And, Or, Predicate, Reason, Unsupported
from prunescope.collectors.predicates.render import render
from prunescope.collectors.schema import Schema, SchemaColumn
from prunescope.collectors.sql.catalyst.conditions import as_sql
from prunescope.collectors.sql.constants.session import Session
from prunescope.collectors.sql.extraction.plan_conditions import parse_plan_conditions

TYPES = {
    "id": "long",
    "n": "int",
    "ts": "timestamptz",
    "tn": "timestamp",
    "d": "date",
    "s": "string",
    "country": "string",
    "amount": "decimal(10, 2)",
    "x": "double",
    "f": "float",
    "ok": "boolean",
    "bin": "binary",
    "order": "int",
    "Weird (s)": "string",
    "st": "struct",
    "st.a": "int",
    "arr": "list",
}
SCHEMA = Schema(
    0,
    tuple(
        SchemaColumn(
            number,
            tuple(name.split(".")) if name.startswith("st.") else (name,),
            kind,
            False,
            False,
            False,
        )
        for number, (name, kind) in enumerate(TYPES.items(), start=1)
    ),
)


def said(text: str, time_zone: str | None = "UTC") -> Predicate:
    return parse_plan_conditions([text], SCHEMA, time_zone)


SEPTEMBER = "ts >= TIMESTAMP '2026-09-01 00:00:00 UTC' AND ts < TIMESTAMP '2026-10-01 00:00:00 UTC'"

YEAR = "ts >= TIMESTAMP '2026-01-01 00:00:00 UTC' AND ts < TIMESTAMP '2027-01-01 00:00:00 UTC'"
NEXT = YEAR.replace("2027", "2028").replace("2026", "2027")
YEARS = f"({YEAR}) OR ({NEXT})"
BUCKET = (
    "(applyfunctionexpression(org.apache.iceberg.spark.functions.BucketFunction$BucketLong@fcce1,"
    " 4, id#1L) = 1)"
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("isnotnull(ts#1)", "ts IS NOT NULL"),
        ("(d#1 = 2024-03-02)", "d = DATE '2024-03-02'"),
        ("NOT (d#1 = 2024-03-02)", "d != DATE '2024-03-02'"),
        ("(d#1 <=> 2024-03-02)", "d = DATE '2024-03-02'"),
        ("NOT (d#1 <=> 2024-03-02)", "d != DATE '2024-03-02' OR d IS NULL"),
        ("d#1 IN (2024-03-02,2024-03-05)", "d IN (DATE '2024-03-02', DATE '2024-03-05')"),
        ("(tn#1 < 2024-03-02 00:00:00.5)", "tn < TIMESTAMP '2024-03-02 00:00:00.5'"),
        ("(ts#1 > 2024-03-02 00:00:00)", "ts > TIMESTAMP '2024-03-02 00:00:00 UTC'"),
        ("(s#1 = )", "s = ''"),
        ("(s#1 = null)", "s = 'null'"),
        ("(s#1 = O'Brien)", "s = 'O''Brien'"),
        ("(s#1 = a, b)", "s = 'a, b'"),
        ("(s#1 = a = b)", "s = 'a = b'"),
        ("(s#1 = a AND b)", "s = 'a AND b'"),
        ("(s#1 = a (b))", "s = 'a (b)'"),
        ("(Weird (s)#1 = A)", "Weird (s) = 'A'"),
        ("(S#1 = A)", "s = 'A'"),
        ("s#1 IN (a,b)", "s IN ('a', 'b')"),
        ("StartsWith(s#1, a_%, b)", r"s LIKE 'a\_\%, b%' ESCAPE '\'"),
        ("NOT StartsWith(s#1, ab)", "s NOT LIKE 'ab%'"),
        ("EndsWith(s#1, ab)", "s LIKE '%ab'"),
        ("s#1 LIKE a_c%", "s LIKE 'a%' AND s LIKE 'a_c%'"),
        ("id#1L INSET 1, 10, 2", "id IN (1, 2, 10)"),
        ("NOT id#1L IN (1,2,3)", "id NOT IN (1, 2, 3)"),
        ("id#1L IN (1,null)", "id = 1"),
        ("(n#1 = -5)", "n = -5"),
        ("(-n#1 > 5)", "n >= -2147483647 AND n < -5"),
        ("(~n#1 IN (1,2) AND (n#1 = 3))", "(~n) IN (1, 2) AND n = 3"),
        ("(amount#1 >= 10.50)", "amount >= 10.50"),
        ("(x#1 > 1.0E10)", "x > 10000000000.0"),
        ("(f#1 = 2.5)", "f = 2.5"),
        ("(bin#1 = 0x3132)", "bin = X'3132'"),
        ("(isnotnull(ok#1) AND NOT ok#1)", "ok IS NOT NULL AND ok = FALSE"),
        ("((n#1 = 1) <=> true)", "n = 1"),
        ("(st#1.a = 2)", "st.a = 2"),
        ("(order#1 = 2)", "order = 2"),
        ("((n#1 = 1) OR (s#2 = a))", "n = 1 OR s = 'a'"),
        ("(date_format(ts#1, yyyy-MM, Some(UTC)) = 2026-09)", SEPTEMBER),
        ("((year(cast(ts#1 as date)) = 2026) AND (month(cast(ts#1 as date)) = 9))",
         f"{YEAR} AND {SEPTEMBER}"),
        ("(date_trunc(MONTH, ts#1, Some(UTC)) = 2026-09-01 00:00:00)", SEPTEMBER),
        ("(trunc(d#1, MM) = 2024-03-01)", "d >= DATE '2024-03-01' AND d < DATE '2024-04-01'"),
        ("StartsWith(cast(d#1 as string), 2024-03)",
         "d >= DATE '2024-03-01' AND d < DATE '2024-04-01'"),
        ("(substring(s#1, 1, 2) = ab)", "s >= 'ab' AND s < 'ac'"),
        ("(knownnotnull(n#1) = 3)", "n = 3"),
        ("(coalesce(s#1, x) = x)", "s = 'x' OR s IS NULL"),
        ("(coalesce(n#1, 0) > 5)", "n > 5"),
        ("(abs(n#1) = 5)", "n IN (-5, 5)"),
        ("(date_add(d#1, 1) < 2024-03-02)", "d < DATE '2024-03-01'"),
        ("(datediff(d#1, 2024-03-01) < 7)", "d < DATE '2024-03-08'"),
        ("(size(arr#1, false) > 0)", "arr IS NOT NULL"),
        ("CASE WHEN (n#1 = 1) THEN (s#2 = y) ELSE false END", "n = 1 AND s = 'y'"),
        ("CASE WHEN (s#1 <=> DE) THEN true WHEN (s#1 <=> THEN) THEN false ELSE false END",
         "s = 'DE'"),
        ("if ((n#1 = 1)) (s#2 = else ) else false", "n = 1 AND s = 'else '"),
    ],
)  # fmt: skip
def test_what_has_a_meaning_is_a_predicate(text: str, expected: str) -> None:
    assert render(said(text)) == expected


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        pytest.param("s#1 IN (a,b,c)", {"s"}, id="texts with commas or without"),
        pytest.param("s#1 IN (a,null)", {"s"}, id="a null or its name"),
        pytest.param("NOT date_format(ts#1, yyyy-MM, Some(UTC)) IN (2026-01,2026-02,2026-03)",
                     {"ts"}, id="negated list"),
        pytest.param("(isnotnull(s#1) AND (s#1 = a) AND (n#2 = 5))", {"s", "n"},
                     id="a text with brackets turned outwards"),
        pytest.param("((s#1 = a)) OR ((n#2 = 5))", {"s", "n"}, id="no group"),
        pytest.param("(s#1 = (b)", {"s"}, id="odd bracket"),
        pytest.param("(s#1 = n#2)", {"s", "n"}, id="a column or a text that names one"),
        pytest.param("NOT (s#1 = s#2)", {"s"}, id="a text or the same column"),
        pytest.param("(upper(s#1) = lower(country#2))", {"s", "country"}, id="texts of columns"),
        pytest.param("(s#1 = rand(5))", {"s"}, id="a call or a text"),
        pytest.param("(date_format(ts#1, yyyy-MM, Some(Asia/Tokyo)) = 2026-09)", {"ts"},
                     id="another zone"),
        pytest.param("if (isnull(s#1)) false else (substring(s#1, -2, 2) = bc)", {"s"}, id="if"),
        pytest.param("CASE WHEN (n#1 = 1) THEN (s#2 = y) ELSE (s#2 END", {"n", "s"},
                     id="half a case"),
        pytest.param("CASE WHEN (n#1 = 1) THEN s#2 ELSE s#2 END", {"n", "s"}, id="case of texts"),
        pytest.param("(CASE WHEN (n#1 = 1) THEN a ELSE b END = a)", {"n"}, id="case of literals"),
        pytest.param("CASE WHEN NOT date_format(ts#1, yyyy-MM, Some(UTC)) IN"
                     " (2026-01,2026-02,2026-03) THEN false ELSE true END", {"ts"},
                     id="list in a case"),
        pytest.param("(id#1L = Subquery subquery#9, [id=#4])", {"id"}, id="subquery"),
        pytest.param("might_contain(Subquery subquery#9, [id=#4], xxhash64(id#1L, 42))", {"id"},
                     id="bloom filter of a join"),
        pytest.param("dynamicpruningexpression(d#1 IN dynamicpruning#7)", {"d"}, id="pruning"),
        pytest.param("(arr#1[0] = 1)", {"arr"}, id="item"),
        pytest.param("(ts#1 + INTERVAL '1-2' MONTH TO DAY > 2024-03-02 00:00:00)", {"ts"},
                     id="interval of no units"),
        pytest.param("(greatest(n#1, id#2L, ... 3 more fields) = 5)", {"n", "id"}, id="shortened"),
        pytest.param("(lambda v#1 > 3)", set(), id="no column"),
        pytest.param("(x1?# = 1)", set(), id="a column of another node"),
        pytest.param("(n#1 = 1\x00)", set(), id="mark"),
    ],
)  # fmt: skip
def test_what_has_none_or_several_is_unknown(text: str, columns: set[str]) -> None:
    found = said(text)
    assert _columns(found) == columns
    assert not _compares(found)


def test_a_time_that_the_clock_reads_twice_is_unknown() -> None:
    twice = "(ts#1 > 2026-10-25 02:30:00)"
    assert not _compares(said(twice, "Europe/Berlin"))
    assert _compares(said(twice, "UTC"))
    assert not _compares(said(twice, None))


def test_parts_that_are_unclear_leave_the_others_alone() -> None:
    found = said("((isnotnull(n#1) AND (n#1 = 5)) AND s#2 IN (a,b,c))")
    assert render(found) == "n IS NOT NULL AND n = 5 AND (s, '…')"


def test_many_conditions_nest_as_deep() -> None:
    text, expected = "(n#1 = 0)", "n = 0"
    for number in range(1, 400):
        text = f"({text} OR (n#1 = {number}))"
        expected = f"{expected} OR n = {number}"
    assert render(said(text)) == expected
    mixed = "((((n#1 = 1) OR (n#1 = 2)) AND (s#2 = a)) OR ((n#1 = 3) AND (d#3 = 2024-03-01)))"
    assert render(said(mixed)) == (
        "((n = 1 OR n = 2) AND s = 'a') OR (n = 3 AND d = DATE '2024-03-01')"
    )


def test_conditions_of_several_nodes_belong_together() -> None:
    found = parse_plan_conditions(["(year(d#1) = 2024)", "(month(d#1) = 3)"], SCHEMA, "UTC")
    assert "d >= DATE '2024-03-01' AND d < DATE '2024-04-01'" in render(found)


@pytest.mark.parametrize(
    ("text", "sql"),
    [
        ("(upper(country#1) = 5)", "(UPPER(country) = '5')"),
        ("(`odd`(s#1) = 5)", "(s, '…')"),
        ("(replace(s#1, a, b) = 5)", "(REPLACE(s, '…') = '5')"),
        ("(coalesce(s#1, x, y) = x)", "(SPARK_COALESCE(s, '…') = 'x')"),
        ("(coalesce(s#1, 5) = 5)", "(COALESCE(s, '5') = '5')"),
        ("(coalesce(n#1, 5) = 5)", "(COALESCE(n, 5) = 5)"),
        ("(date_add(d#1, 1) = 2024-03-02)", "(DATE_ADD(d, 1) = DATE '2024-03-02')"),
        (BUCKET, "(system.bucket(4, id) = 1)"),
        ("(year(UDF(s#1)) = 1)", "(YEAR(UDF(s)) = 1)"),
        ("<lambda>(s#1, ts#2)", "LAMBDA(s, ts, '…')"),
        ("(<lambda>(s#1) = 5)", "(LAMBDA(s, '…') = 5)"),
    ],
)  # fmt: skip
def test_functions_keep_their_names(text: str, sql: str) -> None:
    assert as_sql(text, SCHEMA, Session("spark", None, "UTC")) == sql


# Any text, and such as plans are made of.
_PIECES = st.sampled_from(
    ["(", ")", ", ", " AND ", " OR ", " = ", " < ", "NOT ", "s#1", "n#2", "ts#3", "upper(", "cast(",
     " as date)", " IN (", " INSET ", "5", "DE", "CASE WHEN ", "isnotnull(", "#", ".", "'", "\\"]
)  # fmt: skip
_TEXTS = st.lists(_PIECES, max_size=25).map("".join) | st.text(max_size=40)


IN_CASES = Schema(
    0,
    tuple(
        SchemaColumn(number, (name,), kind, False, False, False)
        for number, (name, kind) in enumerate(
            [("Name", "string"), ("name", "string"), ("NAME", "int"), ("d", "date")], start=1
        )
    ),
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("(Name# = n5)", "Name = 'n5'", id="first"),
        pytest.param("(name# = n5)", "name = 'n5'", id="second"),
        pytest.param("(NAME# = 7)", "NAME = 7", id="of another type"),
        pytest.param("NOT name# IN (a,b)", "name NOT IN ('a', 'b')", id="list"),
        pytest.param("(upper(name#) = A)", "UPPER(name) = 'A'", id="in a function"),
        pytest.param("(nAme# = n5)", "('…', '…')", id="none of these"),
        pytest.param("(D# = 2024-03-02)", "d = DATE '2024-03-02'", id="one by that name"),
    ],
)
def test_of_columns_that_differ_in_case_only_that_is_meant_which_is_printed(
    text: str, expected: str
) -> None:
    assert render(parse_plan_conditions([text], IN_CASES, None)) == expected


@given(text=_TEXTS)
@example(text="(" * 3_000)
@example(text="NOT " * 3_000 + "s#1")
@example(text="(n#1 = 1" * 500 + ")" * 500)
def test_any_text_is_read_as_something(text: str) -> None:
    said(text)


@given(literal=st.text(alphabet="ab ()=<,#'\\%_1.-", max_size=12), column=st.sampled_from("sn"))
def test_a_text_never_becomes_another_condition(literal: str, column: str) -> None:
    """Beside a condition on another column, whatever it holds."""
    condition = said(f"((s#1 = {literal}) AND ({column}#2 = 7))")
    if not isinstance(condition, And):
        assert not _compares(condition)
        return
    assert literal in render(said(f"(s#1 = {literal})")).replace("''", "'") or not any(
        _compares(part) and _columns(part) == {"s"} for part in condition.children[:1]
    )


_WORDS = st.sampled_from(
    ["a", " THEN ", "true", "false", " WHEN ", " ELSE ", " END", " = ", " AND ", " else ", "if "]
)


@given(words=st.lists(_WORDS, max_size=8).map("".join))
@example(words="a THEN false WHEN a")
def test_words_of_a_text_are_none_of_a_case(words: str) -> None:
    """Whatever it holds but brackets, a text is compared as it is, or not at all."""
    condition = said(f"CASE WHEN (s#1 = {words}) THEN (n#2 = 7) ELSE false END")
    whole = words.replace("'", "''")
    assert render(condition) == f"s = '{whole}' AND n = 7" or not _compares(condition)


def _columns(predicate: Predicate) -> set[str]:
    match predicate:
        case And(children) | Or(children):
            return set().union(*map(_columns, children))
        case Unsupported(columns=columns):
            return set(columns)
        case _:
            return {str(getattr(predicate, "field", ""))} - {""}


def _compares(predicate: Predicate) -> bool:
    match predicate:
        case And(children) | Or(children):
            return any(map(_compares, children))
        case Unsupported():
            return False
        case _:
            return bool(getattr(predicate, "values", ()))


@pytest.mark.parametrize(
    "text",
    [
        "(ts#1 >= cast(Subquery subquery#5, [id=#7] as timestamp))",
        "(s#1 = Subquery scalar-subquery#5, [id=#7])",
        "NOT (id# = Subquery subquery#, [id=#])",
    ],
)
def test_the_value_of_a_subquery_is_known_as_one(text: str) -> None:
    found = said(text)
    assert isinstance(found, Unsupported)
    assert found.reason is Reason.SUBQUERY_VALUE
