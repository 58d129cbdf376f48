"""Conditions of jobs whose SQL is in no log, as Spark's plans print them."""

from __future__ import annotations

import os
import random
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from prunescope.collectors.predicates.bind import bind
from prunescope.collectors.predicates.column_domains import tightened
from prunescope.collectors.predicates.model import (
    And,
    BoundComparison,
    Or,
    Predicate,
    Unsupported,
    conjuncts,
)
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.sql.catalyst.conditions import as_sql
from prunescope.collectors.sql.constants.session import Session
from prunescope.collectors.sql.extraction.extract import condition
from prunescope.collectors.sql.extraction.plan_conditions import parse_plan_conditions
from prunescope.collectors.sql.text.boolean import own_columns
from prunescope.collectors.sql.text.parse import parse_condition
from prunescope.collectors.tables.metadata_reading import parse_metadata
from tests.scenarios.lake import Lake, files, of_cause

pytestmark = [pytest.mark.spark, pytest.mark.slow, pytest.mark.exhaustive]

SEED = 20260922
DRAWS = 3 * int(os.environ.get("PRUNESCOPE_SCANS_PER_TABLE", "20"))

TEXTS = [
    "'DE'", "'de'", "'a b'", "'a, b'", "'a (b)'", r"'O\'Brien'", "''", "'null'", "'2024-03'",
    "'x = y'", "'a AND b'", "'a) AND (b'", "'5'", "'true'", "'%'", "'s#1'", "'(b'", r"'a\\b'",
    "'upper(s)'", "'NOT x'", "'ab_'",
]  # fmt: skip
TIMES = ["'2024-03-02 00:00:00'", "'2024-03-31 12:34:56.789'", "'1969-12-31 23:59:59'"]
DAYS = ["'2024-03-01'", "'2024-03-31'", "'1969-12-31'"]
STARTS = ["TIMESTAMP '2024-03-01 00:00:00'", "TIMESTAMP '2024-01-01 00:00:00'"]
NUMBERS = ["1", "-1", "5", "12"]
DATES = [f"DATE {day}" for day in DAYS]
OPERANDS: dict[str, Sequence[str]] = {
    "ts": [f"TIMESTAMP {time}" for time in TIMES],
    "tn": [f"TIMESTAMP_NTZ {time}" for time in TIMES],
    "d": DATES,
    "s": TEXTS,
    "n": NUMBERS,
    "id": ["1", "5000000000", "7"],
    "amount": ["1.50", "-0.10", "7"],
    "x": ["0.1D", "1e10", "-2.5D", "double('NaN')"],
    "f": ["float('0.1')", "float('2.5')"],
    "b": ["X'3132'", "X''"],
    "st.a": NUMBERS,
    "`Weird (s)`": TEXTS,
    "date_format(ts, 'yyyy-MM')": ["'2024-03'", "'2024-01'", "'1969-12'"],
    "date_format(d, 'yyyy-MM-dd')": DAYS,
    "date_format(tn, 'yyyyMMdd')": ["'20240331'", "'20240301'"],
    "date_format(ts, 'dd, MMMM')": ["'02, March'"],
    "year(ts)": ["2024", "1969"],
    "year(d)": ["2024", "1969"],
    "month(ts)": ["3", "12"],
    "quarter(d)": ["1", "4"],
    "hour(ts)": ["0", "23"],
    "date_trunc('month', ts)": STARTS,
    "date_trunc('day', ts)": STARTS,
    "trunc(d, 'MM')": DATES,
    "cast(ts AS date)": DATES,
    "cast(ts AS string)": ["'2024-03-02 00:00:00'", "'2024-03-02'"],
    "cast(d AS string)": DAYS,
    "substring(cast(d AS string), 1, 7)": ["'2024-03'", "'1969-12'"],
    "substring(s, 1, 2)": TEXTS,
    "upper(s)": TEXTS,
    "trim(s)": TEXTS,
    "concat(s, ', ')": TEXTS,
    "coalesce(s, 'x, y')": TEXTS,
    "length(s)": NUMBERS,
    "unix_timestamp(ts)": ["1709337600", "0"],
    "id + 1": ["2", "8"],
    "-n": NUMBERS,
    "abs(n)": NUMBERS,
    "n % 3": NUMBERS,
    "x * 2": ["0.2D", "-5.0D"],
    "coalesce(n, 0)": ["0", "5"],
    "date_add(d, 1)": DATES,
    "datediff(d, DATE '2024-03-01')": NUMBERS,
    "CASE WHEN n = 1 THEN s ELSE 'x' END": TEXTS,
}
COMPARISONS = (
    "{o} = {a}", "{o} <> {a}", "{o} < {a}", "{o} >= {a}", "{o} <=> {a}", "{o} IN ({a}, {b})",
    "{o} IN ({a}, {b}, {c})", "{o} NOT IN ({a}, {b}, {c})", "{o} BETWEEN {a} AND {b}",
    "{o} IS NULL", "NOT ({o} > {a})",
)  # fmt: skip
PATTERNS = ("s LIKE {a}", "s LIKE '{p}%'", "s LIKE '%{p}%'", "NOT (s LIKE '{p}%')", "s LIKE '%{p}'")
COMBINED = ("{0}", "{0}", "{0} AND {1}", "{0} OR {1}", "NOT ({0} OR {1})", "({0} OR {1}) AND {2}")


def drawn(count: int) -> list[str]:
    """Conditions of every operator on every type, alone and combined."""
    source = random.Random(SEED)  # noqa: S311  # no secret
    return [
        source.choice(COMBINED).format(*(_comparison(source) for _ in range(3)))
        for _ in range(count)
    ]


def _comparison(source: random.Random) -> str:
    if source.random() < 0.1:
        text = source.choice([text for text in TEXTS if "\\" not in text])  # else an escape
        return source.choice(PATTERNS).format(a=text, p=text[1:-1])
    operand, literals = source.choice(list(OPERANDS.items()))
    a, b, c = (source.choice(literals) for _ in "abc")
    return source.choice(COMPARISONS).format(o=operand, a=a, b=b, c=c)


@pytest.fixture
def typed(lake: Lake) -> Lake:
    """A table with columns of every type, and rows whose values are among the literals."""
    times, days = ", ".join(TIMES), ", ".join(DAYS)
    lake.sql(
        "CREATE TABLE lake.db.typed (id BIGINT, n INT, ts TIMESTAMP, tn TIMESTAMP_NTZ, d DATE,"
        " s STRING, amount DECIMAL(10, 2), x DOUBLE, f FLOAT, b BINARY, st STRUCT<a: INT>,"
        " `Weird (s)` STRING) USING iceberg",
        "INSERT INTO lake.db.typed SELECT"
        " if(i % 9 = 8, 5000000000, i), if(i % 7 = 6, NULL, i % 13 - 3),"
        f" CAST(array({times}, NULL)[i % 4] AS TIMESTAMP),"
        f" CAST(array({times}, NULL)[i % 4] AS TIMESTAMP_NTZ),"
        f" CAST(array({days}, NULL)[i % 4] AS DATE),"
        f" array({', '.join(TEXTS)}, NULL)[i % {len(TEXTS) + 1}],"
        " array(1.50BD, -0.10BD, 7.00BD, NULL)[i % 4],"
        " array(0.1D, 1e10, -2.5D, double('NaN'), NULL)[i % 5],"
        " float(array(0.1D, 2.5D, NULL)[i % 3]), array(X'3132', X'', NULL)[i % 3],"
        " named_struct('a', i % 13 - 3),"
        f" array({', '.join(TEXTS)}, NULL)[(i * 5) % {len(TEXTS) + 1}]"
        " FROM (SELECT CAST(id AS INT) AS i FROM range(0, 200, 1, 1))",
    )
    return lake


def test_what_plans_print_says_what_was_asked(typed: Lake) -> None:
    location = typed.metadata_of("typed")
    schema = parse_metadata(Path(location).read_bytes(), location).schema(None)
    session = Session("spark", None, "UTC")
    asked = [text for text in drawn(DRAWS) if _is_scanned(typed, text)]
    read = typed.logged(*(f"SELECT id FROM lake.db.typed WHERE {text}" for text in asked))
    same = 0
    exact: dict[str, str] = {}
    for text, query in zip(asked, read, strict=True):
        (scan,) = query.scans
        conditions = scan.row_filter.conditions
        assert scan.row_filter.is_shown
        said = parse_plan_conditions(conditions, schema, "UTC")
        meant = condition(text, "spark", time_zone="UTC", types=schema.types)
        written = bind(meant, schema, time_zone="UTC")
        if _core(said) == _core(written):
            same += 1
        else:
            # Of a part that no value satisfies, nothing is left of the text.
            named = {column.name for column in own_columns(parse_condition(text, "spark"))}
            assert _columns(said) <= named | {"st.a"}, (text, conditions)
        again = " AND ".join(as_sql(part, schema, session) for part in conditions)
        if "…" not in again:
            exact[text] = again
    assert _told_apart(typed, exact) == {}
    assert len(exact) > 0.6 * len(asked)
    assert same > 0.4 * len(asked)


def _told_apart(lake: Lake, pairs: dict[str, str]) -> dict[str, str]:
    """The pairs of conditions that Spark itself finds other rows by."""
    counts = ", ".join(
        f"count_if(coalesce({one}, false) <> coalesce({other}, false))"
        for one, other in pairs.items()
    )
    (found,) = lake.sql(f"SELECT {counts} FROM lake.db.typed")
    return {one: pairs[one] for one, count in zip(pairs, found, strict=True) if count}


def _is_scanned(lake: Lake, text: str) -> bool:
    """Whether Spark reads the table at all for a condition."""
    plan = lake.sql(f"EXPLAIN SELECT id FROM lake.db.typed WHERE {text}")[0][0]
    return "BatchScan" in plan


def _core(predicate: Predicate) -> frozenset[Predicate]:
    """A filter without the null checks that Spark adds, and the words of what is unknown."""
    return frozenset(
        _without_words(part)
        for part in conjuncts(tightened(predicate))
        if not (isinstance(part, BoundComparison) and part.op is Op.NOT_NULL)
    )


def _without_words(predicate: Predicate) -> Predicate:
    match predicate:
        case And(children) | Or(children):
            return replace(predicate, children=tuple(map(_without_words, children)))
        case Unsupported():
            return replace(predicate, text="", redacted="")
        case _:
            return predicate


def _columns(predicate: Predicate) -> frozenset[str]:
    match predicate:
        case And(children) | Or(children):
            return frozenset().union(*map(_columns, children))
        case BoundComparison(_, field):
            return frozenset((field.name,))
        case Unsupported(columns=columns):
            return frozenset(columns)
        case _:
            return frozenset()


@pytest.fixture(scope="module")
def hidden(lake: Lake) -> Lake:
    """Twelve months of a file each, with countries in order."""
    lake.sql(
        "CREATE TABLE lake.db.hidden (id BIGINT, ts TIMESTAMP, country STRING) USING iceberg "
        "PARTITIONED BY (months(ts))",
        *files(
            "hidden",
            12,
            rows=50,
            columns=[
                "id",
                "make_timestamp(2026, 1 + CAST(id div 50 AS INT), 5, 0, 0, 0)",
                "array('DE', 'FR', 'US')[id % 3]",
            ],
        ),
    )
    return lake


SEPTEMBER = (
    "`ts` >= TIMESTAMP '2026-09-01 00:00:00 UTC' AND `ts` < TIMESTAMP '2026-10-01 00:00:00 UTC'"
)


@pytest.mark.parametrize(
    ("where", "column", "range_"),
    [
        pytest.param("date_format(ts, 'yyyy-MM') = '2026-09'", "ts", SEPTEMBER, id="date_format"),
        pytest.param("month(ts) = 9", "ts", None, id="month"),
        pytest.param("year(ts) = 2026 AND month(ts) = 9", "ts", SEPTEMBER, id="year and month"),
        pytest.param("upper(country) = 'DE'", "country", None, id="upper"),
        pytest.param("upper(country) IN ('DE', 'FR')", "country", None, id="upper, of several"),
    ],
)
def test_the_wrapped_column_of_a_job_is_found(
    hidden: Lake, where: str, column: str, range_: str | None
) -> None:
    read = hidden.logged(f"SELECT id FROM lake.db.hidden WHERE {where}")
    result = hidden.audit(*read)
    (finding,) = of_cause(result, "wrapped_column")
    assert finding.columns == (column,)
    if range_ is not None:
        assert finding.fix.rewrite is not None
        assert finding.fix.rewrite.endswith(range_)
    (scan,) = result.scan_plans("data_files_kept", "observed", "agreement")
    assert scan["data_files_kept"] == dict(scan["observed"])["result_data_files"] == 12
    assert scan["agreement"] == "agrees"


def test_what_spark_pushes_is_no_wrapped_column(hidden: Lake) -> None:
    read = hidden.logged(
        "SELECT id FROM lake.db.hidden WHERE ts >= TIMESTAMP '2026-09-01 00:00:00'",
        "SELECT id FROM lake.db.hidden WHERE CAST(ts AS DATE) = DATE '2026-09-05'",
        "SELECT id FROM lake.db.hidden WHERE country IN ('DE', 'FR', 'a, b')",
    )
    assert of_cause(hidden.audit(*read), "wrapped_column") == []


def test_literals_of_plans_are_redacted(hidden: Lake) -> None:
    read = hidden.logged(
        "SELECT id FROM lake.db.hidden WHERE date_format(ts, 'yyyy-MM') = '2026-09'"
    )
    result = hidden.audit(*read, literals="redact")
    (finding,) = of_cause(result, "wrapped_column")
    assert finding.conjunct == "DATE_FORMAT(ts, ?) = ?"
    # Not among the digits of an id; the query itself was run in some year.
    assert re.search(r"\b2026\b", repr(replace(finding, example=None))) is None
