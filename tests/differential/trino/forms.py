"""What Trino pushes of conditions of one form each, as tables of docs/engines.md."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tests.differential.page import table
from tests.differential.trino.engine import Refused, Scan, Trino

_EMPTY = "nothing is read"

_TIMES: Mapping[str, tuple[str, str]] = {
    "`date`": ("dt", "DATE '2024-03-01'"),
    "`timestamp`": ("tsn", "TIMESTAMP '2024-03-01 00:00:00'"),
    "`timestamp with time zone`": ("ts", "TIMESTAMP '2024-03-01 00:00:00 UTC'"),
}
_DAY = "DATE '2024-03-01'"
_OF_TIMES = (
    "{c} >= {v}",
    "{c} <> {v}",
    "{c} IN ({v}, {v} + INTERVAL '2' DAY)",
    "{c} >= {v} - INTERVAL '7' DAY",
    "CAST({c} AS date) = {d}",
    "date({c}) = {d}",
    "CAST({c} AS date) IN ({d}, {d} + INTERVAL '2' DAY)",
    "CAST({c} AS date) BETWEEN {d} AND {d} + INTERVAL '2' DAY",
    "CAST({c} AS date) NOT BETWEEN {d} AND {d} + INTERVAL '2' DAY",
    "CAST({c} AS date) IS DISTINCT FROM {d}",
    "date_trunc('day', {c}) = {v}",
    "date_trunc('week', {c}) = {v}",
    "date_trunc('month', {c}) = {v}",
    "date_trunc('quarter', {c}) = {v}",
    "date_trunc('year', {c}) >= {v}",
    "date_trunc('month', {c}) IN ({v}, {v} + INTERVAL '1' MONTH)",
    "date_trunc('month', {c}) BETWEEN {v} AND {v} + INTERVAL '1' MONTH",
    "year({c}) = 2024",
    "year({c}) IN (2022, 2024)",
    "year({c}) IN (2023, 2024)",
    "year({c}) BETWEEN 2023 AND 2024",
    "extract(YEAR FROM {c}) = 2024",
    "month({c}) = 3",
    "year({c}) = 2024 AND month({c}) = 3",
    "date_format(CAST({c} AS timestamp), '%Y-%m-%d') = '2024-03-01'",
    "CAST({c} AS varchar) LIKE '2024-03%'",
    "{c} + INTERVAL '1' DAY > {v}",
    "{c} BETWEEN {v} AND {v} + INTERVAL '1' MONTH",
    "{c} NOT BETWEEN {v} AND {v} + INTERVAL '1' MONTH",
    "{c} NOT IN ({v}, {v} + INTERVAL '2' DAY)",
    "{c} IS DISTINCT FROM {v}",
    "{c} = {v} OR {c} IS NULL",
    "{c} >= {d}",
    "{c} >= TIMESTAMP '2024-03-01 12:00:00'",
    "{c} >= CAST('2024-03-01' AS date)",
    "{c} >= date_parse('2024-03-01', '%Y-%m-%d')",
    "{c} >= from_unixtime(1709251200)",
    "{c} >= (SELECT {v})",
    "CAST({c} AS date) >= {d}",
    "CAST({c} AS date) <> {d}",
    "CAST({c} AS timestamp(6)) >= TIMESTAMP '2024-03-01 00:00:00'",
    "CAST({c} AS timestamp) >= TIMESTAMP '2024-03-01 00:00:00'",
    "CAST({c} AS varchar) = '2024-03-01'",
    "date_trunc('day', {c}) >= {v}",
    "date_trunc('month', {c}) <> {v}",
    "year({c}) > 2023",
    "year({c}) <> 2024",
    "year({c}) NOT IN (2022, 2024)",
    "quarter({c}) = 1",
    "week({c}) = 9",
    "day({c}) = 1",
    "day_of_week({c}) = 1",
    "date_add('day', 1, {c}) > {v}",
    "date_diff('day', {c}, {v}) < 7",
    "format_datetime(CAST({c} AS timestamp), 'yyyy-MM') = '2024-03'",
    "to_unixtime(CAST({c} AS timestamp)) > 1709251200",
    "coalesce({c}, {v}) >= {v}",
    "CASE WHEN {c} >= {v} THEN true ELSE false END",
)
_OTHERS = (
    "i = 5", "i <> 5", "i IN (1, 5, 9)", "i NOT IN (1, 5, 9)", "i BETWEEN 1 AND 5", "i IS NULL",
    "i IS NOT NULL", "i IS DISTINCT FROM 5", "i = 5.5", "i > 5.5", "i = 1 AND i = 2",
    "i = 1 OR i > 9", "i = 1 OR l = 2", "(i = 1 AND l = 2) OR (i = 3 AND l = 4)",
    "CAST(i AS bigint) = 5", "CAST(i AS varchar) = '5'", "i + 1 = 5", "abs(i) = 5", "l % 2 = 0",
    "coalesce(i, 0) = 5", "i = l", "i IN (SELECT 5)", "d > 1.5e0", "d <> 1.5e0",
    "d NOT IN (1.5e0, 2.5e0)", "NOT (d > 1.5e0)", "f = 1.5", "dec = 1.5", "dec = 1e0",
    "dec IN (1e0, 2e0)", "big_dec = 1e0", "b", "NOT b", "s = 'ab'", "s > 'ab'", "s LIKE 'ab%'",
    "s LIKE 'ab%c'", "s LIKE '%ab'", "s LIKE '日本%'", "s LIKE '%'", "s NOT LIKE 'ab%'",
    "starts_with(s, 'ab')", "substr(s, 1, 2) = 'ab'", "upper(s) = 'AB'", "regexp_like(s, '^ab')",
    "s = CAST('ab' AS char(4))", "bin = X'61'", "t >= TIME '12:00:00'",
    "u = UUID '0f8fad5b-d9cb-469f-a165-70867728950e'", "u IS NULL", "st.x = 1", "st.x <> 1",
    "st.x BETWEEN 1 AND 3 AND i = 5", "(st.x < 1 OR st.x > 3) AND i = 5", "st IS NULL",
    "i IN (1, NULL)", "i NOT IN (1, NULL)", "NOT (i = 1 AND l = 2)", "NOT (i = 1 OR l = 2)",
    "dec = DECIMAL '1.500'", "dec = DECIMAL '1.505'",
    "tsn < TIMESTAMP '2024-02-29 12:30:00.123456789'", "CAST(s AS varchar(2)) = 'ab'",
    "CAST(i AS decimal(12,2)) = DECIMAL '5.50'", "TRY_CAST(i AS bigint) = 5",
    "CASE WHEN i = 1 THEN true ELSE false END", "if(b, i = 1, i = 2)", "coalesce(i = 5, false)",
    "(i, l) IN ((1, 2), (3, 4))", "arr IS NULL", "contains(arr, 5)",
    "any_match(arr, x -> x > 5)", "element_at(m, 'a') = 1", "ts > current_timestamp",
    "ts >= TIMESTAMP '2024-02-29 12:30:00.123456789 UTC'",
    "year(tsn) = 2024 OR tsn IS NULL", "year(ts) = 2024 OR ts IS NULL",
    "CAST(tsn AS date) = DATE '2024-02-29' OR CAST(tsn AS date) = DATE '2024-03-31'",
    "year(tsn) = 2023 OR year(tsn) = 2024", "year(tsn) = 2022 OR year(tsn) = 2024",
    "(year(tsn) = 2023 AND i > 1) OR (year(tsn) = 2024 AND i < 0)",
    "((year(tsn) = 2023 AND i > 1) OR (year(tsn) = 2024 AND i < 0)) AND l = 2",
    "CAST(CAST(tsn AS date) AS timestamp) >= TIMESTAMP '2024-03-01 00:00:00'",
    "CAST(tsn AS timestamp with time zone) >= TIMESTAMP '2024-03-01 00:00:00 UTC'",
    "CAST(CAST(tsn AS timestamp(9)) AS date) = DATE '2024-03-01'",
    "CAST(date_trunc('month', tsn) AS date) >= DATE '2024-03-01'",
    "CAST(date_trunc('month', tsn) AS date) = DATE '2024-03-01'",
    "CAST(date_trunc('month', ts) AS date) >= DATE '2024-03-01'",
    "TRY(CAST(tsn AS date)) >= DATE '2024-03-01'", "TRY(i + 1) = 5",
    "tsn >= parse_datetime('2024-03-01', 'yyyy-MM-dd')", "l = 5e0", "l > 1e18", "l IN (1, 5e0)",
    "5 = i", "i = 1 OR i = 2", "NOT (i = 5)", "NOT (i IN (1, 5))", "i NOT BETWEEN 1 AND 5",
    "i IS NOT DISTINCT FROM 5", "i IN (VALUES 1, 5)", "i = ANY (VALUES 1, 5)", "i = (SELECT 5)",
    "i NOT IN (SELECT 5)", "i IN (SELECT 5) OR i = 7", "i = abs(-5)", "i = least(5, 7)",
    "i - 1 = 4", "i * 2 > 10", "i / 100 = 5", "i % 100 = 1", "-i < 5", "nullif(i, 0) = 5",
    "coalesce(i, 0) > 5", "greatest(i, 0) = 5", "if(i > 5, true, false)",
    "CASE i WHEN 1 THEN 'a' END = 'a'", "CASE WHEN i < 5 THEN 'a' WHEN i < 9 THEN 'b' END = 'b'",
    "CASE WHEN i < 5 THEN 'a' ELSE 'b' END = 'b'", "if(i = 5, 1) = 1", "if(i = 5, 1) <> 2",
    "if(i = 5, 1) = 1 OR i = 7", "CAST(i AS bigint) IN (5, 7)",
    "CAST(i AS bigint) IS DISTINCT FROM 5", "CAST(i AS double) > 5.5e0",
    "CAST(i AS real) = REAL '5'", "CAST(i AS decimal(5,2)) = DECIMAL '5.50'",
    "CAST(i AS smallint) = SMALLINT '5'", "CAST(l AS integer) = 5", "CAST(l AS double) = 5e0",
    "CAST(l AS double) IN (1e0, 5e0)",
    "date_parse(CAST(i AS varchar), '%Y%m%d') = TIMESTAMP '2024-03-01 00:00:00'",
    "from_unixtime(l) >= TIMESTAMP '2024-03-01 00:00:00 UTC'",
    "CAST(from_unixtime(l) AS date) = DATE '2024-03-01'", "d BETWEEN 1e0 AND 2e0",
    "d IN (1.5e0, 2.5e0)", "d = nan()", "is_nan(d)", "round(d) = 2e0", "f > 0.1", "f = 0.1e0",
    "CAST(f AS double) > 0.1e0", "dec > 1.505", "dec <> 1.5", "dec NOT IN (1.5, 2.5)",
    "dec BETWEEN 1 AND 2", "dec < 0.01e0", "CAST(dec AS decimal(12,4)) = DECIMAL '1.5000'",
    "CAST(dec AS double) > 1.5e0", "CAST(dec AS varchar) = '1.50'", "round(dec) = 2",
    "big_dec > 1.5", "b = true", "b <> false", "b IS DISTINCT FROM true", "b = (1 = 1)",
    "s <> 'ab'", "s IN ('a', 'b')", "s NOT IN ('a', 'b')", "s BETWEEN '2024-01' AND '2024-03'",
    "s = 'a' OR s = 'b'", "s IS NOT DISTINCT FROM 'ab'", "s LIKE 'abc'", "s LIKE 'a_c'",
    "s LIKE 'a!%b%' ESCAPE '!'", "s LIKE 'a%' OR s LIKE 'b%'", "lower(s) = 'ab'", "trim(s) = 'ab'",
    "s || 'x' = 'abx'", "length(s) = 2", "strpos(s, 'ab') = 1", "s = upper('ab')",
    "s = CAST(5 AS varchar)", "coalesce(s, 'x') = 'ab'", "CAST(s AS char(2)) = 'ab'",
    "CAST(s AS date) = DATE '2024-03-01'", "date(s) >= DATE '2024-03-01'",
    "date_parse(s, '%Y-%m-%d') >= TIMESTAMP '2024-03-01 00:00:00'", "TRY_CAST(s AS integer) = 5",
    "s >= date_format(current_date - INTERVAL '7' DAY, '%Y-%m-%d')", "bin > X'61'",
    "from_utf8(bin) = 'a'", "t BETWEEN TIME '09:00:00' AND TIME '12:00:00'",
    "u > UUID '0f8fad5b-d9cb-469f-a165-70867728950e'",
    "u IN (UUID '0f8fad5b-d9cb-469f-a165-70867728950e')",
    "u <> UUID '0f8fad5b-d9cb-469f-a165-70867728950e'",
    "CAST(u AS varchar) = '0f8fad5b-d9cb-469f-a165-70867728950e'", "u IS NOT NULL",
    "st.x IN (1, 3)", "st.x NOT BETWEEN 1 AND 3", "st.x = 1 OR st.x > 5", "st.x IS NULL",
    "st.x IS DISTINCT FROM 1", "st.x + 1 = 2", "CAST(st.x AS bigint) = 1", "st.y = 'p'",
    "st.y LIKE 'p%'", "upper(st.y) = 'P'", "st = ROW(1, 'p')", "arr[1] = 5",
    "cardinality(arr) > 0", "m['a'] = 1",
)  # fmt: skip

# Of tables that are partitioned so, whether rows are filtered again above the scan.
_PARTITIONED = (
    ("identity_s", "`s`", ("s = 'ab'", "s > 'ab'", "s LIKE 'ab%'", "upper(s) = 'AB'", "s IS NULL")),
    ("identity_i", "`i`", ("i = 5", "i <> 5", "i + 1 = 5")),
    ("bucket_l", "`bucket(l, 4)`", ("l = 7", "l IN (7, 9)", "l > 7", "l IS NULL", "l IS NOT NULL")),
    ("truncate_i", "`truncate(i, 10)`", ("i = 5", "i BETWEEN 0 AND 9", "i >= 10", "i > 10")),
    ("truncate_s", "`truncate(s, 2)`", ("s = 'ab'", "s LIKE 'ab%'", "s >= 'ab'", "s IS NOT NULL")),
    (
        "day_ts",
        "`day(ts)`",
        (
            "ts >= TIMESTAMP '2024-03-01 00:00:00 UTC'",
            "ts > TIMESTAMP '2024-03-01 00:00:00 UTC'",
            "CAST(ts AS date) = DATE '2024-03-01'",
            "year(ts) = 2024",
            "date_format(ts, '%Y') = '2024'",
        ),
    ),
    (
        "month_tsn",
        "`month(tsn)`",
        (
            "tsn < TIMESTAMP '2024-03-01 00:00:00'",
            "tsn <= TIMESTAMP '2024-03-01 00:00:00'",
            "CAST(tsn AS date) = DATE '2024-03-01'",
        ),
    ),
    (
        "year_dt",
        "`year(dt)`",
        ("dt >= DATE '2024-01-01'", "year(dt) = 2024", "dt = DATE '2024-01-01'"),
    ),
)

TABLES = ("plain", *(name for name, _, _ in _PARTITIONED))
"""The tables that are asked."""


def measured(trino: Trino) -> str:
    """The tables as Markdown, as this Trino plans the conditions."""
    return "\n".join(("", *_lines(trino), ""))


def _lines(trino: Trino) -> Iterator[str]:
    yield "Whether a condition on a date or time prunes, by the type of the column:"
    yield ""
    yield from table(
        ("condition", *_TIMES),
        (
            (f"`{form.format(c='c', v='…', d='DATE …')}`", *_by_type(trino, form))
            for form in _OF_TIMES
        ),
    )
    yield "Whether other conditions prune. `i` and `l` are whole numbers, `d` is a `double`, `f` a"
    yield "`real`, `dec` a `decimal(9,2)`, `big_dec` a `decimal(38,10)`, `st` a `row`:"
    yield ""
    yield from table(
        ("condition", "prunes"),
        ((f"`{form}`", _prunes(_scan(trino, "plain", form))) for form in _OTHERS),
    )
    yield "What partitioning answers, so that no row is filtered again (*enforced*):"
    yield ""
    yield from table(
        ("partitioned by", "condition", "class"),
        (
            (shown, f"`{form}`", _class(_scan(trino, name, form)))
            for name, shown, forms in _PARTITIONED
            for form in forms
        ),
    )


def _by_type(trino: Trino, form: str) -> Iterator[str]:
    for column, value in _TIMES.values():
        sql = form.format(c=column, v=value, d=_DAY)
        yield _prunes(_scan(trino, "plain", sql))


def _scan(trino: Trino, table: str, where: str) -> Scan | Refused | None:
    try:
        found = trino.scans(f"SELECT * FROM {table} WHERE {where}")
    except Refused as error:
        return error
    return found[0] if found else None


def _prunes(scan: Scan | Refused | None) -> str:
    if isinstance(scan, Refused):
        return "is refused"
    if scan is None:
        return _EMPTY
    taken = {*(scan.enforced or {}), *(scan.unenforced or {})}
    if not taken:
        return "no"
    names = ", ".join(f"`{name}`" for name in sorted(taken))
    is_part = len(taken) < len(scan.filtered) or bool(scan.higher)
    return f"by {names}" if is_part else "yes"


def _class(scan: Scan | Refused | None) -> str:
    assert not isinstance(scan, Refused)
    if scan is None:
        return _EMPTY
    if scan.filter is None:
        return "enforced"
    return "unenforced" if scan.enforced or scan.unenforced else "unsupported"
