"""Functions as Spark 3.5, 4.0 and 4.1 print them say of columns what their SQL does."""

from __future__ import annotations

import pytest

from prunescope.collectors.predicates.bind import bind
from prunescope.collectors.predicates.model import Predicate, Unsupported, all_of, conjuncts
from prunescope.collectors.predicates.render import render
from prunescope.collectors.sql.extraction.extract import condition
from tests.collectors.sql.catalyst.test_conditions import SCHEMA, said


def comparisons(predicate: Predicate) -> str:
    """What it says beside conditions that only stand for themselves."""
    return render(all_of(*(p for p in conjuncts(predicate) if not isinstance(p, Unsupported))))


@pytest.mark.parametrize(
    ("printed", "sql"),
    [
        ("(last_day(d#1) = 2026-02-28)", "last_day(d) = DATE '2026-02-28'"),
        ("(last_day(cast(ts#1 as date)) = 2026-02-28)", "last_day(ts) = '2026-02-28'"),
        ("(add_months(d#1, -1) >= 2026-03-03)", "add_months(d, -1) >= DATE '2026-03-03'"),
        ("(next_day(d#1, MON, true) = 2026-02-09)", "next_day(d, 'MON') = DATE '2026-02-09'"),
        ("(date_add(1970-01-01, n#1) = 2026-02-03)",
         "date_add(DATE '1970-01-01', n) = DATE '2026-02-03'"),
        ("(months_between(2026-03-01 00:00:00, cast(d#1 as timestamp), true, Some(UTC)) < 2.0)",
         "months_between(DATE '2026-03-01', d) < 2"),
        ("(timestampdiff(HOUR, ts#1, 2026-02-03 00:00:00, Some(UTC)) < 24)",
         "timestampdiff(HOUR, ts, TIMESTAMP '2026-02-03 00:00:00') < 24"),
        (("(from_unixtime(unix_timestamp(ts#1, yyyy-MM-dd HH:mm:ss, Some(UTC), true), yyyy-MM-dd,"
         " Some(UTC)) = 2026-02-03)"),
         "from_unixtime(unix_timestamp(ts), 'yyyy-MM-dd') = '2026-02-03'"),
        ("(timestamp_seconds(id#1L) >= 2026-02-03 00:00:00)",
         "timestamp_seconds(id) >= TIMESTAMP '2026-02-03 00:00:00'"),
        ("(timestamp_millis(id#1L) >= 2026-02-03 00:00:00)",
         "timestamp_millis(id) >= TIMESTAMP '2026-02-03 00:00:00'"),
        ("(date_from_unix_date(n#1) = 2026-02-03)", "date_from_unix_date(n) = DATE '2026-02-03'"),
        (("((from_utc_timestamp(ts#1, Asia/Tokyo) >= 2026-02-03 00:00:00) AND"
         " (from_utc_timestamp(ts#1, Asia/Tokyo) < 2026-02-04 00:00:00))"),
         ("to_date(from_utc_timestamp(ts, 'Asia/Tokyo')) >= DATE '2026-02-03'"
         " AND to_date(from_utc_timestamp(ts, 'Asia/Tokyo')) < DATE '2026-02-04'")),
        ("(date_format(from_utc_timestamp(ts#1, Asia/Tokyo), yyyy-MM, Some(UTC)) = 2026-02)",
         "date_format(from_utc_timestamp(ts, 'Asia/Tokyo'), 'yyyy-MM') = '2026-02'"),
        # Of Spark 4.1, and of 3.5.
        (("(gettimestamp(cast(n#1 as string), yyyyMMdd, TimestampType, try_to_date, Some(UTC),"
          " true) >= 2026-02-03 00:00:00)"),
         "to_date(cast(n as string), 'yyyyMMdd') >= DATE '2026-02-03'"),
        (("(gettimestamp(cast(n#1 as string), yyyyMMdd, TimestampType, Some(UTC), false)"
         " >= 2026-02-03 00:00:00)"),
         "to_date(cast(n as string), 'yyyyMMdd') >= DATE '2026-02-03'"),
        ("((yearofweek(d#1) = 2026) AND (weekofyear(d#1) = 6))",
         "extract(YEAROFWEEK FROM d) = 2026 AND weekofyear(d) = 6"),
        ("((cast(n#1 as double) / 10.0) >= 5.0)", "n / 10 >= 5"),
        ("((x#1 * 2.0) > 5.0)", "x * 2 > 5"),
        ("(CEIL(amount#1) = 5)", "ceil(amount) = 5"),
        ("(FLOOR(x#1) = 5)", "floor(x) = 5"),
        ("(round(amount#1, 1) = 5.0)", "round(amount, 1) = 5.0"),
        ("(round(x#1, 0) = 5.0)", "round(x) = 5"),
        ("(shiftright(n#1, 2) = 5)", "shiftright(n, 2) = 5"),
        ("(split(s#1, -, -1)[0] = abc)", "split(s, '-')[0] = 'abc'"),
        ("(element_at(stringsplitsql(s#1, -), 1, Some(), false) = abc)",
         "split_part(s, '-', 1) = 'abc'"),
        ("(element_at(split(s#1, -, -1), 1, None, true) = abc)",
         "element_at(split(s, '-'), 1) = 'abc'"),
        ("(substring_index(s#1, -, 1) = abc)", "substring_index(s, '-', 1) = 'abc'"),
        ("(instr(s#1, abc) = 1)", "instr(s, 'abc') = 1"),
        ("(locate(abc, s#1, 1) = 1)", "locate('abc', s) = 1"),
        ("RLIKE(s#1, ^EU-[0, 1])", "s RLIKE '^EU-[0, 1]'"),
        ("RLIKE(s#1, ^(EU|US)-)", "s RLIKE '^(EU|US)-'"),
        (("(concat(cast(year(cast(ts#1 as date)) as string),"
         " lpad(cast(month(cast(ts#1 as date)) as string), 2, 0)) = 202602)"),
         "concat(year(ts), lpad(month(ts), 2, '0')) = '202602'"),
        ("substring(s#1, 1, 2) INSET ab, cd, ef", "substring(s, 1, 2) IN ('ab', 'cd', 'ef')"),
        ("coalesce((d#1 = 2026-02-10), false)", "coalesce(d = DATE '2026-02-10', false)"),
        ("coalesce(ok#1, false)", "nvl(ok, false)"),
        ("(named_struct(n, n#1, d, d#2) = [3,2026-02-01])", "(n, d) = (3, DATE '2026-02-01')"),
        ("(named_struct(n, n#1, id, id#2L) >= [3,5])", "(n, id) >= (3, 5)"),
        ("named_struct(n, n#1, id, id#2L) IN ([3,5],[4,6])", "(n, id) IN ((3, 5), (4, 6))"),
        ("CASE WHEN (n#1 = 1) THEN (s#2 = y) ELSE false END",
         "CASE WHEN n = 1 THEN s = 'y' ELSE false END"),
        ("CASE WHEN (n#1 = 1) THEN true WHEN n#1 IN (2,3) THEN (id#2L > 5) END",
         "CASE WHEN n = 1 THEN true WHEN n IN (2, 3) THEN id > 5 END"),
    ],
)  # fmt: skip
def test_a_function_says_what_its_sql_does(printed: str, sql: str) -> None:
    types = {".".join(column.path): column.type for column in SCHEMA.columns}
    found = condition(sql, "spark", time_zone="UTC", types=types)
    expected = bind(found, SCHEMA, time_zone="UTC")
    assert comparisons(expected) != "TRUE"
    assert comparisons(said(printed)) == comparisons(expected)


@pytest.mark.parametrize(
    "printed",
    [
        pytest.param("(last_day(d#1, 5) = 2026-02-28)", id="one more argument"),
        pytest.param("(from_unixtime(id#1L, yyyy-MM-dd, Some(Asia/Tokyo)) = 2026-02-03)",
                     id="another zone"),
        pytest.param("(substring_index(s#1, -, a, 1) = abc)", id="a text with a comma"),
        pytest.param("(concat(s#1, y, z) = xy, z)", id="put together of a text with a comma"),
        pytest.param("(nvl2(s#1, a, b) = a)", id="a choice of texts"),
        pytest.param("(instr(s#1, rand(5)) = 1)", id="a call or a text"),
        pytest.param("(locate(abc, s#1, 2) = 1)", id="not from the beginning"),
        pytest.param("(arr#1[0] = a)", id="an item of a list"),
        pytest.param("(split(s#1, -, 2)[0] = abc)", id="split into some"),
        pytest.param("(named_struct(s, s#1, n, n#2) = [a,2])", id="a row with a text"),
        pytest.param("(named_struct(n, n#1, id, id#2L) = [3,5,6])", id="a row of three"),
        pytest.param("CASE WHEN (n#1 < 10) THEN low ELSE high END IN (low,mid)",
                     id="texts or numbers"),
        pytest.param("(CASE WHEN (n#1 = 1) THEN a WHEN b THEN s#2 ELSE c END = c)",
                     id="a keyword or a text"),
        pytest.param("(CASE WHEN (n#1 = 1) THEN s#2 ELSE null END = a)", id="null or its name"),
        pytest.param("CASE WHEN (n#1 = 1) THEN CASE WHEN (n#1 = 2) THEN false ELSE true END ELSE"
                     " false END", id="within each other"),
        pytest.param("if ((n#1 = 0)) (n#1 = 2) else s#2 IN (a,b)", id="of a part or the whole"),
        pytest.param("array_contains([a,b], s#1)", id="one text or two"),
        pytest.param("substring(s#1, 1, 7) IN (a,b,cdefghi)", id="one short text or two"),
        pytest.param("NOT cast(n#1 as string) IN (3,4,5)", id="not a list"),
    ],
)  # fmt: skip
def test_what_may_be_another_says_nothing(printed: str) -> None:
    assert comparisons(said(printed)) == "TRUE"


def test_what_is_negated_never_says_more() -> None:
    assert comparisons(said("NOT RLIKE(s#1, ^abc)")) == "s NOT LIKE 'abc%'"
    assert comparisons(said("NOT RLIKE(s#1, c$)")) == "TRUE"
    chosen = "CASE WHEN (n#1 = 1) THEN (s#2 = y) ELSE true END"
    assert comparisons(said(f"NOT {chosen}")) == "n = 1 AND s != 'y'"
