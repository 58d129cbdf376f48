"""A text of another dialect that differs from a known one in literals has the scans of one that
nobody has seen before."""

from __future__ import annotations

import datetime as dt
from itertools import product

import pytest

from prunescope.audit_jobs.workload.queries import ScanFinder
from prunescope.collectors.observed import ObservedQuery, TableName
from tests.property.test_templates import assert_same

_KINDS = {"s": "string", "d": "date", "n": "int", "ts": "timestamp", "tz": "timestamptz"}
_COLUMNS = {TableName("lake", ("db",), name): _KINDS for name in ("t", "u")}
_DAYS = ("'2026-01-05'", "'2026-13-05'", "'x'", "5")


@pytest.mark.parametrize(
    ("dialect", "sql", "literals"),
    [
        ("clickhouse", "FROM t FINAL WHERE d >= toDate({}) AND n = {}", _DAYS),
        ("clickhouse", "FROM t WHERE tz >= toDateTime({}, {})",
         ("'2026-01-05'", "'2026-01-05 01:02:03'", "'UTC'", "'Asia/Tokyo'", "5")),
        ("clickhouse", "FROM t WHERE d > today() - {} OR d = subtractDays(today(), {})", "1 7 'x'"),
        ("clickhouse", "FROM t WHERE ts >= {} AND tz < {} AND s > toString(toDate({}))", _DAYS),
        ("clickhouse", "FROM t WHERE toDate(ts) = {} OR toDate(tz) IN ({}, toDate({}))", _DAYS),
        ("clickhouse", "FROM t WHERE less(tz, toDateTime({})) AND in(n, ({}, {}))", _DAYS),
        ("clickhouse", "FROM t WHERE tz > toDateTime({}) AND ts < now() - {}", ("'x'", *_DAYS)),
        ("clickhouse", "FROM (WITH {} AS k, toDate({}) AS e SELECT * FROM t WHERE n = k AND d > e)",
         ("1", "'x'", "'2026-01-05'")),
        ("clickhouse", "FROM t SAMPLE {} / {} WHERE n = 1", ("1", "10", "0.5")),
        ("clickhouse", "FROM t ANY LEFT JOIN u ON t.n = u.n AND u.s = {} WHERE t.n = {}", "1 'x'"),
        ("clickhouse", "FROM t WHERE n = {} SETTINGS iceberg_snapshot_id = {}", "0 1 12"),
        ("snowflake", "FROM t WHERE d > CURRENT_DATE - {} AND d < DATE_FROM_PARTS({}, 1, {})",
         ("1", "2026", "31", "'x'")),
        ("snowflake", "FROM t WHERE d >= TO_DATE({}, {})",
         (*_DAYS, "'YYYY-MM-DD'", "'05.01.2026'", "'DD.MM.YYYY'")),
        ("snowflake", "FROM IDENTIFIER({}) WHERE n = {}", ("'t'", "'db.u'", "'x y'", "1")),
        ("dremio", "FROM t WHERE ts >= TIMESTAMPADD(DAY, {}, TIMESTAMP {})", ("-7", "1", *_DAYS)),
        ("dremio", "FROM t WHERE ts >= TO_TIMESTAMP({}, {})", (*_DAYS, "'YYYY-MM-DD'")),
        ("duckdb", "FROM t WHERE d >= make_date({}, {}, {})", ("2026", "2", "29", "28", "'x'")),
        ("duckdb", "FROM t WHERE ts >= strptime({}, {})", (*_DAYS, "'%Y-%m-%d'", "'%d'")),
        ("duckdb", "FROM t ASOF JOIN u ON t.n = u.n AND t.ts >= u.ts WHERE t.n = {}", "1 7 'x'"),
        ("duckdb", "FROM t TABLESAMPLE {} ROWS WHERE n = {}", ("1", "10")),
    ],
)  # fmt: skip
@pytest.mark.parametrize("hour", [0, 23])
def test_other_literals_say_what_a_new_text_does(
    dialect: str, sql: str, literals: tuple[str, ...] | str, hour: int
) -> None:
    finder = ScanFinder(_COLUMNS)
    drawn = literals.split() if isinstance(literals, str) else literals
    for each in product(drawn, repeat=sql.count("{}")):
        query = ObservedQuery(
            source="test",
            query_id="q",
            sql=f"SELECT * {sql.format(*each)}",
            dialect=dialect,
            started_at=dt.datetime(2026, 3, 1, hour, tzinfo=dt.UTC),
            catalog="lake",
            schema="db",
            time_zone="Asia/Tokyo" if hour else "UTC",
        )
        assert_same(query, _COLUMNS, finder)
