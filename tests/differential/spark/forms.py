"""What versions of Spark push of conditions of one form each, as a table of docs/engines.md."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from prunescope.collectors.predicates.model import FALSE, BoundComparison, Predicate, conjuncts
from prunescope.collectors.predicates.operators import Op
from tests.differential import page
from tests.differential.spark.conditions import Condition

_FORMS = (
    "i = 5", "i <=> 5", "i <> 5", "i IS DISTINCT FROM 5", "i > 5", "i BETWEEN 1 AND 5",
    "i NOT BETWEEN 1 AND 5", "i IN (1, 5, 9)", "i NOT IN (1, 5, 9)", "i IN (1, NULL)",
    "i NOT IN (1, NULL)", "i IS NULL", "i IS NOT NULL", "i = 1 AND i = 2", "i = 1 OR l = 2",
    "NOT (i = 1 AND l = 2)", "i = 5.5", "i = 5.0F", "i = 1e1", "i = '5'", "i IN ('5')",
    "i = 5000000000", "l = 5", "l = 1e1", "CAST(i AS BIGINT) = 5", "CAST(i AS STRING) = '5'",
    "CAST(l AS INT) = 5", "CAST(i AS DECIMAL(12, 2)) = 5.50", "i + 1 = 5", "abs(i) = 5",
    "l % 2 = 0", "coalesce(i, 0) = 5", "i = l", "(i > 5) IS NULL", "(i > 5) IS TRUE",
    "CASE WHEN i = 1 THEN true ELSE false END", "d > 1.5D", "d <> 1.5D", "d = double('NaN')",
    "isnan(d)", "d IN (double('NaN'), 1.5D)", "f = 1.5", "dec = 1.5", "dec = 1.505",
    "dec = 123456789.01", "dec = '1.5'", "dec = 1.5D", "b", "NOT b", "b = false", "b <> false",
    "b IS TRUE", "s = 'ab'", "s > 'ab'", "s LIKE 'ab%'", "s LIKE 'ab%c'", "s LIKE 'a%b%c'",
    "s LIKE 'ab%%'", "s LIKE 'ab'", "i LIKE '5'", "s LIKE '%ab'", "s LIKE 'a_'", "s LIKE '%'",
    "s NOT LIKE 'ab%'", "startswith(s, 'ab')", "substr(s, 1, 2) = 'ab'", "upper(s) = 'AB'",
    "s RLIKE '^ab'", "s ILIKE 'ab%'", "bin = X'61'", "dt = DATE '2024-03-01'", "dt = '2024-03-01'",
    "dt >= TIMESTAMP '2024-03-01 00:00:00'", "ts >= TIMESTAMP '2024-03-01 00:00:00'",
    "ts >= '2024-03-01'", "ts >= DATE '2024-03-01'", "ts >= TIMESTAMP_NTZ '2024-03-01 00:00:00'",
    "tsn >= TIMESTAMP_NTZ '2024-03-01 00:00:00'", "tsn >= TIMESTAMP '2024-03-01 00:00:00'",
    "tsn >= '2024-03-01'", "CAST(ts AS DATE) = DATE '2024-03-01'",
    "CAST(ts AS DATE) <=> DATE '2024-03-01'", "to_date(ts) >= DATE '2024-03-01'",
    "CAST(ts AS DATE) BETWEEN DATE '2024-03-01' AND DATE '2024-03-02'",
    "CAST(ts AS DATE) IN (DATE '2024-03-01', DATE '2024-03-03')",
    "CAST(tsn AS DATE) = DATE '2024-03-01'",
    "date_trunc('DAY', ts) = TIMESTAMP '2024-03-01 00:00:00'", "year(ts) = 2024",
    "date_format(ts, 'yyyy-MM') = '2024-03'", "ts + INTERVAL '1' DAY > current_timestamp()",
    "ts > current_timestamp() - INTERVAL '1' DAY", "system.days(ts) = DATE '2024-03-01'",
    "system.bucket(4, l) = 1", "system.truncate(2, s) = 'ab'", "st.x = 1", "st.x <> 1",
    "st.x + 1 = 2", "st IS NULL",
    "5 = i", "i = 1 OR i = 2", "i > 1 AND i < 9", "NOT (i = 5)", "NOT (i IN (1, 5))",
    "NOT (i = 1 OR l = 2)", "(i = 1 AND l = 2) OR (i = 3 AND l = 4)", "i IN (SELECT 5)",
    "i = (SELECT 5)", "i = abs(-5)", "i = least(5, 7)", "i - 1 = 4", "i * 2 > 10", "i DIV 100 = 5",
    "-i < 5", "nullif(i, 0) = 5", "nvl(i, 0) > 5", "greatest(i, 0) = 5", "if(i > 5, true, false)",
    "CASE i WHEN 1 THEN 'a' END = 'a'", "CAST(i AS BIGINT) IN (5, 7)", "CAST(i AS BIGINT) <=> 5",
    "CAST(i AS DOUBLE) > 5.5D", "CAST(i AS FLOAT) = 5.0F", "CAST(i AS DECIMAL(5, 2)) = 5.50",
    "CAST(i AS SMALLINT) = 5S", "CAST(l AS DOUBLE) = 5D", "l < 9223372036854775808",
    "d BETWEEN 1.0D AND 2.0D", "d IN (1.5D, 2.5D)", "round(d) = 2", "f > 0.1", "f = 0.1D",
    "CAST(f AS DOUBLE) > 0.1D", "dec > 1.505", "dec <> 1.5", "dec IN (1.5, 2.5)",
    "dec BETWEEN 1 AND 2", "CAST(dec AS DECIMAL(12, 4)) = 1.5", "CAST(dec AS DOUBLE) > 1.5D",
    "round(dec) = 2", "big_dec > 1.5", "b IS DISTINCT FROM true", "b = (1 = 1)", "b IS NOT FALSE",
    "s <> 'ab'", "s IN ('a', 'b')", "s NOT IN ('a', 'b')", "s BETWEEN '2024-01' AND '2024-03'",
    "s = 'a' OR s = 'b'", "s <=> 'ab'", "s LIKE '%a%'", "s LIKE 'a!%b%' ESCAPE '!'",
    "s LIKE 'a%' OR s LIKE 'b%'", "s LIKE ANY ('a%', 'b%')", "s LIKE ALL ('a%', '%b')",
    "lower(s) = 'ab'", "trim(s) = 'ab'", "concat(s, 'x') = 'abx'", "length(s) = 2",
    "instr(s, 'ab') = 1", "locate('ab', s) = 1", "contains(s, 'ab')", "left(s, 2) = 'ab'",
    "s = upper('ab')", "s = 5", "coalesce(s, 'x') = 'ab'", "CAST(s AS DATE) = DATE '2024-03-01'",
    "to_date(s, 'yyyyMMdd') = DATE '2024-03-01'", "CAST(s AS INT) = 5",
    "s >= date_format(current_date(), 'yyyy-MM-dd')", "bin > X'61'",
    "to_date(CAST(i AS STRING), 'yyyyMMdd') = DATE '2024-03-01'",
    "timestamp_seconds(l) >= TIMESTAMP '2024-03-01 00:00:00'",
    "from_unixtime(l) >= '2024-03-01'", "dt IN (DATE '2024-03-01', DATE '2024-03-03')",
    "dt BETWEEN DATE '2024-03-01' AND DATE '2024-03-31'", "dt IS DISTINCT FROM DATE '2024-03-01'",
    "dt = DATE '2024-03-01' OR dt IS NULL", "dt >= current_date() - INTERVAL '7' DAY",
    "dt >= date_sub(current_date(), 7)", "dt + INTERVAL '1' DAY > DATE '2024-03-01'",
    "date_add(dt, 1) > DATE '2024-03-01'", "datediff(dt, DATE '2024-03-01') < 7",
    "year(dt) = 2024", "month(dt) = 3", "year(dt) = 2024 AND month(dt) = 3", "dayofweek(dt) = 1",
    "trunc(dt, 'MM') = DATE '2024-03-01'", "date_format(dt, 'yyyy-MM') = '2024-03'",
    "CAST(dt AS STRING) = '2024-03-01'", "CAST(dt AS STRING) LIKE '2024-03%'",
    "CAST(dt AS TIMESTAMP) >= TIMESTAMP '2024-03-01 00:00:00'",
    "coalesce(dt, DATE '2024-03-01') > DATE '2024-02-01'",
    "ts IN (TIMESTAMP '2024-03-01 00:00:00', TIMESTAMP '2024-03-03 00:00:00')",
    "ts BETWEEN TIMESTAMP '2024-03-01 00:00:00' AND TIMESTAMP '2024-03-31 00:00:00'",
    "CAST(ts AS DATE) <> DATE '2024-03-01'",
    "CAST(ts AS DATE) NOT BETWEEN DATE '2024-03-01' AND DATE '2024-03-02'",
    "hour(ts) = 12", "unix_timestamp(ts) > 1709251200",
    "date_trunc('MONTH', tsn) = TIMESTAMP_NTZ '2024-03-01 00:00:00'", "year(tsn) = 2024",
    "system.months(tsn) = 650", "system.years(dt) = 54", "system.hours(ts) >= 474000",
    "st.x IN (1, 3)", "st.x NOT BETWEEN 1 AND 3", "st.x = 1 OR st.x > 5", "st.x IS NULL",
    "st.x <=> 1", "CAST(st.x AS BIGINT) = 1", "st.y = 'p'", "st.y LIKE 'p%'", "upper(st.y) = 'P'",
    "st = named_struct('x', 1, 'y', 'p')",
)  # fmt: skip

# Spark names Iceberg's functions by their catalog.
_ASKED: Mapping[str, Condition] = {
    form: Condition(form.replace("system.", "lake.system."), "UTC") for form in _FORMS
}
CONDITIONS: Sequence[Condition] = tuple(_ASKED.values())
"""What a version is asked on the table `plain`."""


def check(version: str, versions: Sequence[str], pushed: Mapping[Condition, Predicate]) -> None:
    """That the page has what a version, which is one of those `versions`, pushes of each form;
    what it refuses to plan is not in `pushed`."""
    told = {form: _told(form, pushed.get(asked)) for form, asked in _ASKED.items()}
    page.check_column("Spark", versions, version, told)


def _told(form: str, pushed: Predicate | None) -> str:
    if pushed is None:
        return "is refused"
    if pushed == FALSE:
        return "nothing is read"
    parts = conjuncts(pushed)
    if not parts:
        return "no"
    if "IS NOT NULL" not in form and all(map(_is_not_null, parts)):
        return "only that it is not null"
    return "yes"


def _is_not_null(part: Predicate) -> bool:
    return isinstance(part, BoundComparison) and part.op is Op.NOT_NULL
