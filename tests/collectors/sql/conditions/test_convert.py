"""`condition`: one boolean expression over one table as a predicate."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import replace

import pytest
from sqlglot.dialects import Dialects

from prunescope.collectors.errors import TooComplexSql, UnparseableSql
from prunescope.collectors.predicates.literals import LiteralValue
from prunescope.collectors.predicates.model import (
    FALSE,
    TRUE,
    And,
    Column,
    Comparison,
    Or,
    Predicate,
    Reason,
    Unsupported,
)
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.sql.extraction.extract import condition

STARTED = dt.datetime(2024, 3, 31, 12, 0, tzinfo=dt.UTC)


def leaf(op: Op, name: str, *values: LiteralValue) -> Comparison:
    return Comparison(op, Column(tuple(name.split("."))), values)


def unwritten(predicate: Predicate) -> Predicate:
    """The predicate without how its conditions are written."""
    match predicate:
        case Or(children):
            return Or(tuple(map(unwritten, children)))
        case Comparison():
            return replace(predicate, written=None)
    return predicate


def of_text(op: Op, name: str, text: str) -> Comparison:
    return Comparison(op, Column((name,)), (text,), of_text=True)


def or_nan(op: Op, name: str, *values: LiteralValue) -> Comparison:
    return Comparison(op, Column((name,)), values, or_nan=True)


def read(sql: str, dialect: str = "trino", time_zone: str | None = "UTC") -> Predicate:
    return condition(sql, dialect, started_at=STARTED, time_zone=time_zone)


A_IS_1 = leaf(Op.EQ, "a", 1)
NULL = leaf(Op.IS_NULL, "a")
NAN = float("nan")
NOT_EQ_NAN = leaf(Op.NOT_EQ, "a", NAN)
NOT_1 = Or((leaf(Op.NOT_EQ, "a", 1), NULL))


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        pytest.param("a = 1", A_IS_1, id="="),
        pytest.param("a <> 1", leaf(Op.NOT_EQ, "a", 1), id="<>"),
        pytest.param("5 < a", leaf(Op.GT, "a", 5), id="literal first"),
        pytest.param("NOT a < 5", or_nan(Op.GT_EQ, "a", 5), id="negated comparison"),
        pytest.param("NOT 5 < a", or_nan(Op.LT_EQ, "a", 5), id="negated, literal first"),
        pytest.param("NOT NOT a < 5", leaf(Op.LT, "a", 5), id="negated twice"),
        pytest.param("(a < 5) IS FALSE", or_nan(Op.GT_EQ, "a", 5), id="comparison is false"),
        pytest.param("NOT (a > 1 OR a < 0)",
                     And((or_nan(Op.LT_EQ, "a", 1), or_nan(Op.GT_EQ, "a", 0))), id="not or"),
        pytest.param("a = NULL", FALSE, id="= null"),
        pytest.param("NOT (a = NULL)", FALSE, id="not = null"),
        pytest.param("a BETWEEN 1 AND 2", And((leaf(Op.GT_EQ, "a", 1), leaf(Op.LT_EQ, "a", 2))),
                     id="between"),
        pytest.param("a NOT BETWEEN 1 AND 2", Or((or_nan(Op.LT, "a", 1), or_nan(Op.GT, "a", 2))),
                     id="not between"),
        pytest.param("a NOT BETWEEN NULL AND 2", or_nan(Op.GT, "a", 2), id="not between null"),
        pytest.param("1 BETWEEN a AND b", And((leaf(Op.LT_EQ, "a", 1), leaf(Op.GT_EQ, "b", 1))),
                     id="between columns"),
        pytest.param("a IN (1, 2)", leaf(Op.IN, "a", 1, 2), id="in"),
        pytest.param("a IN (1, NULL)", A_IS_1, id="in with null"),
        pytest.param("a IN (NULL)", FALSE, id="in nothing"),
        pytest.param("a NOT IN (1, 2)", leaf(Op.NOT_IN, "a", 1, 2), id="not in"),
        pytest.param("a NOT IN (1, NULL)", FALSE, id="not in with null"),
        pytest.param("a IS NULL", leaf(Op.IS_NULL, "a"), id="is null"),
        pytest.param("a IS NOT NULL", leaf(Op.NOT_NULL, "a"), id="is not null"),
        pytest.param("a IS NOT DISTINCT FROM NULL", leaf(Op.IS_NULL, "a"), id="null-safe null"),
        pytest.param("a IS NOT DISTINCT FROM 1", A_IS_1, id="null-safe"),
        pytest.param("a IS DISTINCT FROM 1", NOT_1, id="is distinct from"),
        pytest.param("NOT (a IS NOT DISTINCT FROM 1)", NOT_1,
                     id="not null-safe"),
        pytest.param("NOT (a IS DISTINCT FROM 1)", A_IS_1, id="not distinct"),
        pytest.param("a <> 1", leaf(Op.NOT_EQ, "a", 1), id="not equal"),
        pytest.param("NOT (a = 1)", leaf(Op.NOT_EQ, "a", 1), id="not (equal)"),
        pytest.param("a IS DISTINCT FROM NULL", leaf(Op.NOT_NULL, "a"), id="distinct from null"),
        pytest.param("a", leaf(Op.EQ, "a", True), id="boolean column"),
        pytest.param("NOT a", leaf(Op.EQ, "a", False), id="negated boolean column"),
        pytest.param("a IS TRUE", leaf(Op.EQ, "a", True), id="is true"),
        pytest.param("a IS NOT TRUE", Or((leaf(Op.NOT_EQ, "a", True), NULL)), id="is not true"),
        pytest.param("a IS FALSE", leaf(Op.EQ, "a", False), id="is false"),
        pytest.param("(a = 1) IS TRUE", A_IS_1, id="comparison is true"),
        pytest.param("(a <> 1) IS FALSE", A_IS_1, id="comparison is false"),
        pytest.param("is_nan(a)", leaf(Op.IS_NAN, "a"), id="is_nan"),
        pytest.param("st.a = 1", leaf(Op.EQ, "st.a", 1), id="nested field"),
        pytest.param("p.q.r.s.t = 1", leaf(Op.EQ, "p.q.r.s.t", 1), id="deeply nested field"),
        pytest.param('"a.b c" = 1', Comparison(Op.EQ, Column(("a.b c",)), (1,)), id="quoted name"),
        pytest.param("NOT (a = 1 AND b = 2)",
                     Or((leaf(Op.NOT_EQ, "a", 1), leaf(Op.NOT_EQ, "b", 2))), id="de morgan"),
        pytest.param("1 = 0", FALSE, id="never"),
        pytest.param("1 = 1", TRUE, id="always"),
        pytest.param("TRUE AND a = 1", A_IS_1, id="true and"),
        pytest.param("1 = 0 OR a = 1", A_IS_1, id="never or"),
        pytest.param("NULL", FALSE, id="null"),
        pytest.param("((((a = 1))))", A_IS_1, id="brackets"),
    ],
)  # fmt: skip
def test_conditions_become_comparisons(sql: str, expected: Predicate) -> None:
    assert read(sql) == expected


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        pytest.param("a LIKE 'abc'", of_text(Op.EQ, "a", "abc"), id="no wildcard"),
        pytest.param("a NOT LIKE 'abc'", of_text(Op.NOT_EQ, "a", "abc"), id="no wildcard, negated"),
        pytest.param("a LIKE 'abc%'", leaf(Op.STARTS_WITH, "a", "abc"), id="prefix"),
        pytest.param("a LIKE 'abc%%'", leaf(Op.STARTS_WITH, "a", "abc"), id="two wildcards"),
        pytest.param("a NOT LIKE 'abc%'", leaf(Op.NOT_STARTS_WITH, "a", "abc"), id="not prefix"),
        pytest.param("NOT a NOT LIKE 'abc%'", leaf(Op.STARTS_WITH, "a", "abc"), id="not not"),
        pytest.param("a LIKE 'x!%%' ESCAPE '!'", leaf(Op.STARTS_WITH, "a", "x%"), id="escape"),
        pytest.param("a LIKE '%'", leaf(Op.NOT_NULL, "a"), id="anything"),
        pytest.param("a LIKE NULL", FALSE, id="null"),
        pytest.param("starts_with(a, 'abc')", leaf(Op.STARTS_WITH, "a", "abc"), id="starts_with"),
    ],
)  # fmt: skip
def test_prefix_patterns_become_comparisons(sql: str, expected: Predicate) -> None:
    assert read(sql) == expected


def test_a_pattern_with_a_prefix_gives_the_prefix_and_the_rest() -> None:
    rest = Unsupported(Reason.LIKE_PATTERN, "a LIKE 'abc%x_'", "a LIKE ?", ("a",))
    assert read("a LIKE 'abc%x_'") == And((leaf(Op.STARTS_WITH, "a", "abc"), rest))


def test_the_negation_of_a_pattern_with_a_prefix_says_nothing_of_the_prefix() -> None:
    found = read("NOT (a LIKE 'abc%x_')")
    assert isinstance(found, Unsupported)
    assert found.reason is Reason.LIKE_PATTERN


@pytest.mark.parametrize(
    ("sql", "ordered", "ieee"),
    [
        pytest.param("NOT a < 5", leaf(Op.GT_EQ, "a", 5), or_nan(Op.GT_EQ, "a", 5), id="range"),
        pytest.param("NOT a BETWEEN 1 AND 2", Or((leaf(Op.LT, "a", 1), leaf(Op.GT, "a", 2))),
                     Or((or_nan(Op.LT, "a", 1), or_nan(Op.GT, "a", 2))), id="between"),
        pytest.param("a <> CAST('NaN' AS DOUBLE)", NOT_EQ_NAN, leaf(Op.NOT_NULL, "a"), id="<> NaN"),
        pytest.param("NOT a = CAST('NaN' AS DOUBLE)", NOT_EQ_NAN, leaf(Op.NOT_NULL, "a"),
                     id="not = NaN"),
        pytest.param("a NOT IN (1, CAST('NaN' AS DOUBLE))", leaf(Op.NOT_IN, "a", 1, NAN),
                     leaf(Op.NOT_IN, "a", 1), id="not in"),
        pytest.param("a IS DISTINCT FROM CAST('NaN' AS DOUBLE)", Or((NOT_EQ_NAN, NULL)),
                     Or((NOT_EQ_NAN, NULL)), id="distinct"),
    ],
)  # fmt: skip
@pytest.mark.parametrize(
    ("dialect", "is_ordered"),
    [
        ("spark", True),
        ("databricks", True),
        ("trino", False),
        ("hive", False),
        ("postgres", False),
    ],
)
def test_nan_in_negations(
    sql: str, ordered: Predicate, ieee: Predicate, dialect: str, is_ordered: bool
) -> None:
    found = read(sql, dialect)
    assert repr(unwritten(found)) == repr(ordered if is_ordered else ieee)


@pytest.mark.parametrize(
    ("call", "dialect"),
    [
        ("year()", "spark"),
        ("month()", "databricks"),
        ("date_part('day')", "snowflake"),
        ("date_trunc('day')", "trino"),
    ],
)
@pytest.mark.parametrize("condition", ["{} = 5", "{} LIKE 'a%'", "a = {}", "a > 1 AND {} = 5"])
def test_calls_without_an_argument_say_nothing(call: str, dialect: str, condition: str) -> None:
    try:
        found = read(condition.format(call), dialect)
    except UnparseableSql:
        return
    parts = found.children if isinstance(found, And) else (found,)
    assert isinstance(parts[-1], Unsupported)


@pytest.mark.parametrize(
    "dialect", [d.value for d in Dialects if d.value not in ("", "dax", "prql")]
)
def test_every_dialect_negates(dialect: str) -> None:
    assert read("a IS NOT NULL", dialect) == leaf(Op.NOT_NULL, "a")
    assert read("NOT (a IS NOT NULL)", dialect) == NULL
    assert read("NOT (a IS NULL)", dialect) == leaf(Op.NOT_NULL, "a")
    assert read("a NOT LIKE 'x%'", dialect) == leaf(Op.NOT_STARTS_WITH, "a", "x")
    assert read("NOT (a NOT LIKE 'x%')", dialect) == leaf(Op.STARTS_WITH, "a", "x")
    assert read("a NOT IN (1, 2)", dialect) == leaf(Op.NOT_IN, "a", 1, 2)
    found = read("a NOT BETWEEN 1 AND 2", dialect)
    assert isinstance(found, Or)
    assert [part.op for part in found.children if isinstance(part, Comparison)] == [Op.LT, Op.GT]
    assert read("a IS NOT NULL OR b IS NULL", dialect) == Or(
        (leaf(Op.NOT_NULL, "a"), leaf(Op.IS_NULL, "b"))
    )


def test_spark_escapes_with_a_backslash_and_trino_does_not() -> None:
    assert read(r"a LIKE 'x\\_y%'", "spark") == leaf(Op.STARTS_WITH, "a", "x_y")
    found = read(r"a LIKE 'x\_y'", "trino")
    assert isinstance(found, And)
    assert found.children[0] == leaf(Op.STARTS_WITH, "a", "x\\")


@pytest.mark.parametrize(
    ("sql", "reason"),
    [
        pytest.param("a LIKE '%x'", Reason.LIKE_PATTERN, id="suffix pattern"),
        pytest.param("-a < 5", Reason.ARITHMETIC, id="minus"),
        pytest.param("a + 1 > 5", Reason.ARITHMETIC, id="plus"),
        pytest.param("a < b", Reason.COLUMN_TO_COLUMN, id="two columns"),
        pytest.param("a IN (1, b)", Reason.COLUMN_TO_COLUMN, id="column in a list"),
        pytest.param("lower(a) = 'x'", Reason.FUNCTION, id="function"),
        pytest.param("coalesce(a, 1) = 2", Reason.FUNCTION, id="coalesce"),
        pytest.param("CASE WHEN a > 1 THEN b + 1 END = 1", Reason.FUNCTION, id="case"),
        pytest.param("month(a) = 3", Reason.FUNCTION, id="month"),
        pytest.param("a ILIKE 'x'", Reason.LIKE_PATTERN, id="ilike"),
        pytest.param("regexp_like(a, 'x')", Reason.FUNCTION, id="regular expression"),
        pytest.param("CAST(a AS bigint) = 1", Reason.CAST, id="cast to bigint"),
        pytest.param("CAST(a AS varchar) = b", Reason.COLUMN_TO_COLUMN, id="cast to varchar"),
        pytest.param("CAST(a AS timestamp) > TIMESTAMP '2024-01-01 00:00:00'", Reason.CAST,
                     id="trino's rounding cast to timestamp"),
        pytest.param("a = random()", Reason.NOT_CONSTANT, id="volatile"),
        pytest.param("a = ?", Reason.NOT_CONSTANT, id="parameter without value"),
        pytest.param("a IN (SELECT x FROM u)", Reason.SUBQUERY, id="in subquery"),
        pytest.param("EXISTS (SELECT x FROM u)", Reason.SUBQUERY, id="exists"),
        pytest.param("NOT a IN (SELECT x FROM u)", Reason.SUBQUERY, id="not in subquery"),
        pytest.param("a = ANY (SELECT x FROM u)", Reason.SUBQUERY, id="any of a subquery"),
        pytest.param("a >= (SELECT x FROM u)", Reason.SUBQUERY_VALUE, id="value of a subquery"),
        pytest.param("a >= (SELECT x FROM u) - 7", Reason.SUBQUERY_VALUE,
                     id="value from a subquery"),
        pytest.param("(SELECT x FROM u) = a", Reason.SUBQUERY_VALUE,
                     id="value of a subquery first"),
        pytest.param("a BETWEEN (SELECT x FROM u) AND (SELECT y FROM u)", Reason.SUBQUERY_VALUE,
                     id="between values of subqueries"),
        pytest.param("(a, b) <> (1, 2)", Reason.FUNCTION, id="rows"),
        pytest.param("m['k'] = 1", Reason.EXPRESSION, id="map element"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("negated", [False, True])
def test_other_conditions_are_unsupported_for_a_reason(
    sql: str, reason: Reason, negated: bool
) -> None:
    found = read(f"NOT ({sql})" if negated else sql)
    assert isinstance(found, Unsupported)
    assert found.reason is reason


def test_a_comparison_that_is_not_true_may_be_unknown() -> None:
    assert isinstance(read("(a < 5) IS NOT TRUE"), Unsupported)
    assert read("NOT ((a < 5) IS NOT TRUE)") == leaf(Op.LT, "a", 5)


def test_an_unsupported_part_keeps_its_text_columns_and_a_text_without_literals() -> None:
    found = read("lower(a) = 'secret' AND b = 1")
    assert found == And(
        (
            Unsupported(Reason.FUNCTION, "LOWER(a) = 'secret'", "LOWER(a) = ?", ("a",)),
            leaf(Op.EQ, "b", 1),
        )
    )


@pytest.mark.parametrize(
    "sql",
    [
        pytest.param("", id="empty"),
        pytest.param("a = 1) OR (b = 2", id="unbalanced"),
        pytest.param("a = 1; DROP TABLE t", id="two statements"),
        pytest.param("a = 1 ORDER BY a", id="another clause"),
    ],
)
def test_text_that_is_no_condition_is_unparseable(sql: str) -> None:
    with pytest.raises(UnparseableSql):
        condition(sql, "trino")


@pytest.mark.slow
def test_a_condition_in_too_many_brackets_is_too_complex() -> None:
    with pytest.raises(TooComplexSql):
        condition("(" * 10_000 + "a" + ")" * 10_000, "trino")


@pytest.mark.slow
def test_ten_thousand_arms_of_an_or_are_read() -> None:
    found = condition(" OR ".join(f"a = {n}" for n in range(10_000)), "trino")
    assert isinstance(found, Or)
    assert len(found.children) == 10_000


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("a = 1 AND (b) <> 2 AND s.x IN (3) AND c BETWEEN 4 AND 5 AND d IS NULL", {None}),
        ("year(ts) = 2024", {"YEAR(ts) = ?"}),
        (
            "NOT (DATE '2024-03-01' = CAST(ts AS date))",
            {"NOT (CAST(? AS DATE) = CAST(ts AS DATE))"},
        ),
        (
            "date_trunc('month', ts) IN (DATE '2024-03-01', DATE '2024-05-01') AND a > 1",
            {"DATE_TRUNC('MONTH', ts) IN (CAST(? AS DATE), CAST(? AS DATE))", None},
        ),
    ],
)
def test_ranges_of_wrapped_columns_know_what_was_written(
    sql: str, expected: set[str | None]
) -> None:
    written = {found.written for found in comparisons(read(sql))}
    assert {None if each is None else each.redacted for each in written} == expected


def comparisons(predicate: Predicate) -> Iterator[Comparison]:
    if isinstance(predicate, And | Or):
        for child in predicate.children:
            yield from comparisons(child)
    elif isinstance(predicate, Comparison):
        yield predicate
