"""What versions of Spark push of conditions of one form each, as a table of docs/engines.md."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from collectors.predicates.model import FALSE, BoundComparison, Predicate, conjuncts
from collectors.predicates.operators import Op
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
