"""What is advised of a function around columns, by what that is and what it is compared with."""

from __future__ import annotations

import duckdb
import pytest

from prunescope.audit_jobs.findings.function_advice import Wrapped, way_out

_TEXT = Wrapped('"c"', "c", "string")
_TIME = Wrapped('"ts"', "ts", "timestamp")
_SEARCH = "filter on a known prefix"
_NORMALISED = "Store the normalised string"
_PIECE = "Store this part of the value"
_DATES = "Compare the column with timestamps"
_BEGINNING = "The condition is on a prefix"
_NOTHING = "No rewrite of the query helps"
_NULLS = '("c" = ? OR "c" IS NULL)'
_RANGE = "Planners prune by a range that the condition implies"


def _advice(condition: str, *columns: Wrapped, dialect: str = "trino") -> str:
    return way_out([condition], dialect, columns, of_parts=False, by_column=True).advice


@pytest.mark.parametrize(
    ("dialect", "condition", "advice"),
    [
        # No order tells where a text is that holds another one, whatever is made of it first.
        ("trino", "lower(c) LIKE '%x%'", _SEARCH),
        ("trino", "lower(c) LIKE '_x%'", _SEARCH),
        ("trino", "NOT lower(c) LIKE '%!_x%' ESCAPE '!'", _SEARCH),
        ("trino", "strpos(c, 'x') > 0", _SEARCH),
        ("trino", "0 < strpos(lower(c), 'x')", _SEARCH),
        ("trino", "position('x' IN c) > 0", _SEARCH),
        ("trino", "regexp_like(lower(c), 'x.?y')", _SEARCH),
        ("trino", "strpos(lower(c), 'x') = 2", _SEARCH),
        ("trino", "strpos(lower(c), 'x') = 1", _NORMALISED),
        ("trino", "1 = strpos(reverse(c), 'x')", _PIECE),
        ("trino", "json_extract_scalar(c, '$.a') LIKE '%x%'", _SEARCH),
        ("spark", "c RLIKE 'x.?y'", _SEARCH),
        ("spark", "contains(lower(c), 'x')", _SEARCH),
        ("spark", "instr(c, 'x') > 0", _SEARCH),
        ("spark", "locate('x', c) <> 0", _SEARCH),
        ("spark", "charindex('x', c) >= 1", _SEARCH),
        ("spark", "NOT endswith(c, 'x')", _SEARCH),
        ("trino", "lower(c) LIKE 'x%'", _NORMALISED),
        ("trino", "regexp_like(lower(c), '^x')", _NORMALISED),
        ("trino", "lower(split_part(c, '-', 2)) = 'x'", _NORMALISED),
        ("trino", "replace(c, '-', '') = 'x'", _NORMALISED),
        ("spark", "replace(c, '-', '') = '20261119'", "such as \"c\" = '2026-01-31'"),
        ("trino", "replace(c, '/') IN ('20261119', '20261120')", "\"c\" = '2026/01/31'"),
        ("spark", "regexp_replace(c, '-', '') >= '202611'", "\"c\" = '2026-01'"),
        ("trino", "CAST(replace(c, '-', '') AS bigint) = 20261119", "\"c\" = '2026-01-31'"),
        ("trino", "replace(c, '-', '/') = '20261119'", _NORMALISED),
        ("trino", "replace(c, 'a', '') = '20261119'", _NORMALISED),
        ("trino", "replace(c, '-', '') IN ('20261119', '202611')", _NORMALISED),
        ("trino", "lower(c) = '20261119'", _NORMALISED),
        ("spark", "btrim(c) = 'x'", _NORMALISED),
        ("trino", "split_part(lower(c), '-', 2) = 'x'", _PIECE),
        ("trino", "reverse(c) LIKE 'x%'", _PIECE),
        ("spark", "get_json_object(c, '$.a') = 'x'", _PIECE),
        ("spark", "split(c, '-')[1] = 'x'", _PIECE),
        # The first part lies by the order of the text, if that is compared as it is.
        ("trino", "CAST(split_part(c, '#', 1) AS date) = DATE '2026-02-03'", _BEGINNING),
        ("spark", "substring_index(c, '#', 1) <> 'x'", _BEGINNING),
        ("spark", "CAST(left(c, 4) AS int) = 2026", _BEGINNING),
        ("spark", "CAST(split(c, '-')[0] AS int) > 3", _BEGINNING),
        ("trino", r"regexp_extract(c, '^(\d+)#', 1) = '7'", _BEGINNING),
        ("trino", r"regexp_extract(c, 'x(\d+)#', 1) = '7'", _PIECE),
        ("trino", "CAST(split_part(c, '#', 2) AS date) = DATE '2026-02-03'", _PIECE),
        ("trino", "CAST(substr(c, 3, 2) AS integer) = 20", _PIECE),
        ("trino", "split_part(reverse(c), '#', 1) = 'x'", _PIECE),
        ("trino", "upper(split_part(c, '#', 1)) = 'X'", _NORMALISED),
        ("trino", "length(lower(c)) = 3", _NOTHING),
        ("trino", "month(date_parse(c, '%Y%m%d')) = 2", _NOTHING),
        ("spark", "pmod(hash(c), 10) = 3", _NOTHING),
        ("trino", "coalesce(concat(c, 'x'), 'none') = 'none'", _NULLS),
        ("trino", "nullif(coalesce(c, ''), '') IS NULL", _NULLS),
        ("trino", "coalesce(trim(c), 'none') = 'none'", _NORMALISED),
        ("trino", "from_base64(c) = x'00'", _RANGE),
        ("trino", "no SQL at all", _RANGE),
    ],
)
def test_of_texts(dialect: str, condition: str, advice: str) -> None:
    assert advice in _advice(condition, _TEXT, dialect=dialect)


@pytest.mark.parametrize(
    ("dialect", "condition", "advice"),
    [
        ("trino", "date_format(ts, '%H') = '03'", _NOTHING),
        ("trino", "date_format(ts, '%W') = 'Monday'", _NOTHING),
        ("trino", "date_format(ts, '%d') = '01'", _NOTHING),
        ("trino", "format_datetime(ts, 'HH') = '03'", _NOTHING),
        ("trino", "format_datetime(ts, '''yy'' HH') = 'yy 03'", _NOTHING),
        ("spark", "date_format(ts, 'HH') BETWEEN '08' AND '10'", _NOTHING),
        ("spark", "date_format(ts, 'EEEE') IN ('Saturday', 'Sunday')", _NOTHING),
        ("spark", "weekday(ts) = 3", _NOTHING),
        ("trino", "EXTRACT(HOUR FROM ts) = 3", _NOTHING),
        ("trino", "substr(CAST(ts AS varchar), 12, 2) = '03'", _NOTHING),
        ("trino", "CAST(ts AS varchar) LIKE '%:30:%'", _NOTHING),
        ("trino", "date_format(ts, '%d/%m/%Y') >= '05/01/2026'", _DATES),
        ("trino", "upper(date_format(ts, '%b %Y')) = 'FEB 2026'", _DATES),
        ("spark", "lower(date_format(ts, 'MMM yyyy')) = 'feb 2026'", _DATES),
        ("trino", "trim(CAST(ts AS varchar)) LIKE '2026-02-1%'", _DATES),
        ("trino", "strpos(date_format(ts, '%b %Y'), 'Feb 2026') = 1", _DATES),
        ("trino", "strpos(CAST(ts AS varchar), '-20') = 8", _NOTHING),
        ("trino", "lower(CAST(year(ts) AS varchar)) = '2027'", _DATES),
        ("trino", "replace(date_format(ts, '%Y-%m-%d'), '-', '') = '20260203'", _DATES),
        ("trino", "concat(CAST(year(ts) AS varchar), date_format(ts, '%m')) = '202602'", _DATES),
        ("trino", "year(ts) - month(ts) / 7 = 2026", _RANGE),
        # Days that have gone by go on, hours come again.
        ("spark", "extract(DAY FROM current_timestamp() - ts) < 3", _RANGE),
        ("spark", "extract(HOUR FROM current_timestamp() - ts) < 3", _NOTHING),
        ("spark", "extract(DAY FROM ts - INTERVAL '3' HOUR) < 3", _NOTHING),
    ],
)
def test_of_times(dialect: str, condition: str, advice: str) -> None:
    assert advice in _advice(condition, _TIME, dialect=dialect)


@pytest.mark.parametrize(
    "condition",
    [
        "month(ts) = 2",
        "week(ts) = 6",
        "EXTRACT(QUARTER FROM ts) = 1",
        "day_of_year(ts) <= 20",
        "month(ts) = 2 AND day(ts) = 29",
        "date_format(ts, '%m') = '02'",
        "date_format(ts, '%m-%d') >= '12-24'",
    ],
)
def test_what_comes_once_a_year_has_a_range_in_each(condition: str) -> None:
    assert "one range per year" in _advice(condition, _TIME)


def test_what_comes_once_a_year_is_one_range_in_a_year_that_is_known() -> None:
    told = way_out(
        ["date_format(ts, '%m') = '02'"],
        "trino",
        [_TIME],
        of_parts=False,
        by_column=True,
        is_bounded=True,
    )
    assert '"ts" >= ? AND "ts" < ?.' in told.advice


@pytest.mark.parametrize(
    ("condition", "advice"),
    [
        ("concat(year, '-', month, '-', day) = 'x'", "year = ? AND month = ? AND day = ?"),
        (
            "concat(year, '-', month, '-', day) IN ('x', 'y')",
            "each value of the list: (year = ? AND month = ? AND day = ? OR year = ?",
        ),
        (
            "concat(year, '-', month, '-', day) IN ('x')",
            "part by itself: year = ? AND month = ? AND",
        ),
        ("concat(year, '-', month, '-', day) <> 'x'", ": (year <> ? OR month <> ? OR day <> ?)"),
        (
            "concat(day, '.', month, '.', year) >= 'x'",
            "(year > ? OR year = ? AND (month > ? OR month = ? AND day >= ?))",
        ),
        (
            "CAST(year || '-' || month || '-' || day AS date) < DATE '2026-01-01'",
            "(year < ? OR year = ? AND (month < ? OR month = ? AND day < ?))",
        ),
        (
            "format('%d-%02d-%02d', year, month, day) BETWEEN 'a' AND 'b'",
            "day >= ?)) AND (year < ? OR year = ? AND (month < ? OR month = ? AND day <= ?))",
        ),
    ],
)
def test_dates_of_parts_are_compared_from_the_year_on(condition: str, advice: str) -> None:
    columns = [Wrapped(name, name, "int") for name in ("day", "year", "month")]
    assert advice in _advice(condition, *columns)


_MONTHS = [(year, month) for year in range(2021, 2025) for month in range(1, 13)]


@pytest.mark.parametrize(
    ("conditions", "ends"),
    [
        pytest.param(["concat(y, m) BETWEEN ? AND ?"], (">=", "<="), id="BETWEEN"),
        pytest.param(["concat(y, m) >= ?", "concat(y, m) <= ?"], (">=", "<="), id="two conditions"),
        pytest.param(["concat(y, m) > ? AND concat(y, m) < ?"], (">", "<"), id="one of both"),
        pytest.param(["? <= concat(y, m)", "? > concat(y, m)"], (">=", "<"), id="from the right"),
        pytest.param(["concat(y, m) >= ?"], (">=",), id="one end"),
    ],
)
def test_both_ends_of_a_range_are_told(conditions: list[str], ends: tuple[str, ...]) -> None:
    """What is told selects the months that the condition does, as DuckDB evaluates both."""
    columns = [Wrapped(name, name, "string") for name in ("y", "m")]
    texts = iter(("'202211'", "'202402'"))
    asked = ["".join(next(texts) if c == "?" else c for c in text) for text in conditions]
    told = way_out(asked, "trino", columns, of_parts=False, by_column=False).advice
    values = iter(["2022", "2022", "11", "2024", "2024", "02"])
    instead = told.partition("equal: ")[2].removesuffix(".")
    instead = "".join(f"'{next(values)}'" if c == "?" else c for c in instead)
    months = ", ".join(f"('{year}', '{month:02}')" for year, month in _MONTHS)

    def selected(condition: str) -> list[tuple[str, str]]:
        where = f"SELECT y, m FROM (VALUES {months}) AS t (y, m) WHERE {condition} ORDER BY y, m"
        return duckdb.execute(where).fetchall()

    found = selected(instead)
    assert found == selected(" AND ".join(asked))
    assert len(found) == {"<=": 16, "<": 15 - (ends[0] == ">"), ">=": 26}[ends[-1]]


def test_other_parts_are_compared_as_they_are_put_together() -> None:
    columns = [Wrapped(name, name, "string") for name in ("city", "name")]
    found = _advice("name || '-' || city > 'ab'", *columns)
    assert "(name > ? OR name = ? AND city > ?)" in found
    assert "write name = ? AND … where one value of it is wanted" in found


@pytest.mark.parametrize(
    ("condition", "advice"),
    [
        ("x - x % 10 = 70", _RANGE),
        ("x - (x % 10) = 70", _RANGE),
        ("date_from_parts(x / 10000, x / 100 % 100, x % 100) >= y", _RANGE),
        ("x - y % 10 = 70", _NOTHING),
        ("x % 10 = 7", _NOTHING),
    ],
)
def test_remainders_come_again_but_not_what_they_leave(condition: str, advice: str) -> None:
    assert advice in _advice(condition, Wrapped("x", "x", "double"))
