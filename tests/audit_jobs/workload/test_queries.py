"""From queries to scans: texts are read once, and an engine's own plan comes first."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace

import pytest

from prunescope.audit_jobs.workload import text_scans
from prunescope.audit_jobs.workload.queries import NOT_SCANNED, ScanFinder, name_tables
from prunescope.collectors.needed_rows import AnyRows
from prunescope.collectors.observed import (
    ALL_ROWS,
    ObservedQuery,
    ObservedScan,
    PlanText,
    Reference,
    RowFilter,
    TableName,
)
from prunescope.collectors.predicates.model import TRUE, Reason, Unsupported
from prunescope.collectors.predicates.render import render
from prunescope.collectors.sql.extraction import extract as sql_extract
from prunescope.collectors.sql.text.parse import parse
from prunescope.collectors.table_scans import TableScan

T, U = TableName("lake", ("db",), "t"), TableName("lake", ("db",), "u")
COLUMNS = {T: ("id", "day"), U: ("id",)}
NODE = ObservedScan(T, 7, {"result_data_files": 3}, pushed=PlanText("id IS NOT NULL, id = 5"))
QUERY = ObservedQuery(
    source="s",
    query_id="q",
    sql="SELECT * FROM t WHERE id = 5",
    dialect="trino",
    started_at=dt.datetime(2024, 3, 1, tzinfo=dt.UTC),
    catalog="lake",
    schema="db",
    time_zone="UTC",
)


def shown(scans: tuple[TableScan, ...]) -> list[tuple[str, str]]:
    return [(scan.table.table, render(scan.predicate)) for scan in scans]


@pytest.fixture
def analysed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The schemas of the texts that were analysed, in order."""
    calls: list[str] = []
    place = sql_extract.place

    def counting(*arguments: object, **options: object) -> object:
        calls.append(str(options["schema"]))
        return place(*arguments, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(text_scans, "place", counting)
    return calls


def test_a_repeated_text_is_analysed_once(analysed: list[str]) -> None:
    finder = ScanFinder(COLUMNS)
    for hour in range(5):
        later = QUERY.started_at and QUERY.started_at + dt.timedelta(hours=hour)
        found = finder.find(replace(QUERY, query_id=f"q{hour}", started_at=later))
        assert shown(found.scans) == [("t", "id = 5")]
    assert len(analysed) == 1


def test_texts_that_differ_in_literals_are_analysed_once(analysed: list[str]) -> None:
    finder = ScanFinder(COLUMNS)
    for number in range(5):
        condition = f"id = {number} AND day > DATE '2024-01-0{number + 1}'"
        sql = f"SELECT * FROM t WHERE {condition} -- {number}"
        assert shown(finder.find(replace(QUERY, sql=sql)).scans) == [("t", condition)]
    assert len(analysed) == 1


def test_prepared_statements_are_analysed_once_whatever_their_values_are(
    analysed: list[str],
) -> None:
    finder = ScanFinder(COLUMNS)
    for values in (("5", "'a'"), ("6", "'b''c'"), ("-7", "'d'"), ("8", "'e'")):
        query = replace(QUERY, sql="SELECT * FROM t WHERE id = ? AND day = ?", parameters=values)
        assert shown(finder.find(query).scans) == [("t", f"id = {values[0]} AND day = {values[1]}")]
    assert len(analysed) == 2, "a minus is no part of a literal"


@pytest.mark.parametrize(
    "change",
    [
        {"time_zone": "Asia/Tokyo"},
        {"schema": "other"},
        {"engine": "spark"},
        {"sql": "SELECT * FROM t WHERE id = 6 LIMIT 1"},
        {"sql": "SELECT * FROM t WHERE id IN (5, 6)"},
        {"references": (Reference(T, row_filters=("day = 'x'",)),)},
    ],
)
def test_what_a_text_depends_on_is_analysed_anew(
    analysed: list[str], change: dict[str, object]
) -> None:
    finder = ScanFinder(COLUMNS)
    finder.find(QUERY)
    finder.find(replace(QUERY, **change))  # type: ignore[arg-type]
    assert len(analysed) == 2


def test_a_text_that_asks_for_the_time_is_analysed_for_each_time() -> None:
    finder = ScanFinder(COLUMNS)
    sql = "SELECT * FROM t WHERE day >= current_date - INTERVAL '1' DAY"
    days = []
    for day in (1, 2, 2):
        moment = dt.datetime(2024, 3, day, 12, tzinfo=dt.UTC)
        found = finder.find(replace(QUERY, sql=sql, started_at=moment))
        days.append(render(found.scans[0].predicate))
    assert days == [
        "day >= DATE '2024-02-29'",
        "day >= DATE '2024-03-01'",
        "day >= DATE '2024-03-01'",
    ]


def test_the_scans_of_a_text_have_what_their_engine_pushes() -> None:
    sql = "SELECT * FROM t WHERE id = 5 AND lower(day) = 'x'"
    (scan,) = ScanFinder(COLUMNS).find(replace(QUERY, sql=sql, engine="trino")).scans
    assert render(scan.predicate) == "id = 5 AND LOWER(day) = 'x'"
    assert scan.pushed is not None
    assert render(scan.pushed) == "id = 5"
    (unknown,) = ScanFinder(COLUMNS).find(replace(QUERY, sql=sql, engine="other")).scans
    assert unknown.pushed is None


def test_reports_are_of_the_scans_in_order() -> None:
    runtime = Unsupported(Reason.RUNTIME, "id IN x", "id IN x", ("id",))
    first = ObservedScan(T, 7, {"result_data_files": 3}, runtime=(runtime,))
    sql = "SELECT * FROM t a JOIN t b ON a.id = b.id"
    found = ScanFinder(COLUMNS).find(replace(QUERY, sql=sql, scans=(first,))).scans
    assert found[0].observed == first
    assert render(found[0].predicate) == "id IN x"
    assert found[1].observed == ObservedScan(T, 7, {}), "told once, however often it is scanned"


def test_the_plan_of_an_engine_counts_and_the_text_adds_to_it() -> None:
    sql = "SELECT * FROM t WHERE year(day) = 2024 AND id = 5"
    query = replace(QUERY, sql=sql, dialect="spark", scans=(NODE,), plan_known=True)
    assert name_tables(query).tables == (T,)
    (scan,) = ScanFinder(COLUMNS).find(query).scans
    assert scan.shown == NODE.pushed
    assert scan.observed == NODE
    assert "id = 5" in render(scan.predicate)


def test_a_text_whose_references_differ_adds_nothing() -> None:
    sql = "SELECT * FROM t a JOIN t b ON a.id = b.id WHERE a.day = 'x'"
    query = replace(QUERY, sql=sql, scans=(NODE,), plan_known=True)
    (scan,) = ScanFinder(COLUMNS).find(query).scans
    assert scan.predicate == TRUE


def test_a_query_for_which_nothing_was_planned_says_so() -> None:
    named = name_tables(replace(QUERY, plan_known=True))
    assert named.failure == NOT_SCANNED
    assert named.fingerprint is not None
    assert ScanFinder(COLUMNS).find(replace(QUERY, plan_known=True)).scans == ()


def test_one_statement_that_fails_leaves_the_others() -> None:
    query = replace(QUERY, sql="SELECT * FROM t WHERE id = 5; SELECT (; SHOW TABLES")
    named = name_tables(query)
    assert named.tables == (T,)
    assert named.failure is not None
    assert named.failure.code == "unparseable"
    assert shown(ScanFinder(COLUMNS).find(query).scans) == [("t", "id = 5")]


def test_statements_that_read_nothing_are_no_failure_beside_a_query() -> None:
    named = name_tables(replace(QUERY, sql="USE lake.db; SELECT * FROM u; SHOW TABLES"))
    assert (named.tables, named.failure) == ((U,), None)


# In each case, the search for scans, or the parser, asks something of a literal.
@pytest.mark.parametrize(
    ("first", "then"),
    [
        pytest.param("t.day = DATE '2024-01-01'", "t.day = DATE '2024-13-01'", id="no date"),
        pytest.param(
            "t.moment = TIMESTAMP '2024-01-01 00:00:00'",
            "t.moment = TIMESTAMP '2024-01-01 00:00:00.5 UTC'",
            id="zone and fraction",
        ),
        pytest.param("t.id BETWEEN 1 AND 2", "t.id BETWEEN 2 AND 1", id="empty range"),
        pytest.param("t.id IN (1, 2)", "t.id IN (2, 2)", id="equal items"),
        pytest.param("t.id = 1 AND t.id = 2", "t.id = 2 AND t.id = 2", id="equal conjuncts"),
        pytest.param("t.id = 1 OR 1 = 2", "t.id = 1 OR 2 = 2", id="constants that are equal"),
        pytest.param("t.name LIKE 'a%'", "t.name LIKE '%'", id="any text"),
        pytest.param("t.name LIKE 'a%'", "t.name LIKE 'a_c'", id="no prefix"),
        pytest.param(
            "year(t.moment) = 2024 AND month(t.moment) = 2",
            "year(t.moment) = 2024 AND month(t.moment) = 13",
            id="no month",
        ),
        pytest.param(
            "t.moment > now() - INTERVAL '1' DAY",
            "t.moment > now() - INTERVAL '2' DAY",
            id="interval",
        ),
        pytest.param(
            "CAST(t.moment AS date) = DATE '2024-01-01'",
            "CAST(t.moment AS date) = DATE '0000-01-01'",
            id="no day",
        ),
        pytest.param(
            "t.id > DECIMAL '1.50'",
            "t.id > DECIMAL '1.5000000000000000000000000000000000001'",
            id="scale",
        ),
        pytest.param(
            "t.id IN (SELECT id FROM u WHERE id > 1)",
            "t.id IN (SELECT id FROM u WHERE id > 2)",
            id="nested",
        ),
    ],
)
@pytest.mark.parametrize("engine", [None, "trino", "spark"])
def test_a_literal_that_decides_more_than_values_is_heeded(
    engine: str | None, first: str, then: str
) -> None:
    columns = {
        T: {"id": "int", "day": "date", "moment": "timestamptz", "name": "string"},
        U: {"id": "int", "day": "date", "moment": "timestamptz", "name": "string"},
    }
    frame = (
        "SELECT * FROM t LEFT JOIN u ON t.id = u.id AND t.day = u.day AND t.moment = u.moment"
        " AND t.name = u.name WHERE {}"
    )
    finder = ScanFinder(columns)
    for number, condition in enumerate((first, then, first, then)):
        query = replace(QUERY, sql=frame.format(condition), engine=engine, time_zone="Asia/Tokyo")
        # Another set of views makes it a text that nobody knows.
        views = (Reference(TableName("lake", ("db",), f"unrelated{number}")),)
        alone = ScanFinder(columns).find(replace(query, references=views))
        assert repr(finder.find(query)) == repr(alone)


@pytest.mark.parametrize(
    ("sql", "dialect", "zone"),
    [
        ("SET TIME ZONE 'Asia/Tokyo'; SELECT * FROM t", "trino", "Asia/Tokyo"),
        ("SELECT * FROM t SETTINGS session_timezone = 'Asia/Tokyo'", "clickhouse", "?"),
        ("SELECT * FROM t SETTINGS session_timezone = 'UTC'", "clickhouse", "UTC"),
        ("SELECT * FROM t", "clickhouse", None),
    ],
)
def test_a_scan_tells_the_zone_that_its_text_sets(sql: str, dialect: str, zone: str | None) -> None:
    (scan,) = ScanFinder(COLUMNS).find(replace(QUERY, sql=sql, dialect=dialect)).scans
    assert scan.time_zone == zone


def test_a_literal_that_stays_is_written_as_the_full_way_writes_it() -> None:
    """DuckDB's months are an interval where their number is known."""
    finder = ScanFinder(COLUMNS)
    for day in (1, 2):
        sql = f"SELECT * FROM t WHERE add_months(day, 1) = DATE '2026-02-0{day}'"
        found = finder.find(replace(QUERY, sql=sql, dialect="duckdb"))
        (alone,) = sql_extract.extract(
            parse(sql, "duckdb"), dialect="duckdb", columns=COLUMNS, catalog="lake", schema="db"
        )
        assert [scan.predicate for scan in found.scans] == [alone.predicate]


CHECKED = replace(NODE, row_filter=RowFilter(("(upper(day#) = X)",)))


def test_what_a_plan_has_above_a_scan_stands_for_its_text() -> None:
    query = replace(QUERY, sql=None, plan_known=True, scans=(CHECKED,))
    (scan,) = ScanFinder(COLUMNS).find(query).scans
    assert scan.checked == CHECKED.row_filter
    (scan,) = ScanFinder(COLUMNS).find(replace(query, sql="SELECT * FROM t WHERE id = 5")).scans
    assert scan.checked == ALL_ROWS
    two = "SELECT * FROM t a, t b WHERE a.id = 5 AND b.id = 6"
    (scan,) = ScanFinder(COLUMNS).find(replace(query, sql=two)).scans
    assert scan.checked == CHECKED.row_filter, "which of the two it is, is not known"


def test_what_a_plan_does_with_rows_stands_for_its_text() -> None:
    seen = replace(NODE, joined=("id",), needed=AnyRows(10))
    query = replace(QUERY, sql=None, plan_known=True, scans=(seen,), traits=frozenset(("join",)))
    assert name_tables(query).all_traits == {"join"}
    (scan,) = ScanFinder(COLUMNS).find(query).scans
    assert (scan.text_place.joined, scan.needed) == (("id",), AnyRows(10))
    told = replace(query, sql="SELECT count(*) FROM t WHERE id = 5", traits=frozenset())
    assert name_tables(told).all_traits == {"aggregate"}
    (scan,) = ScanFinder(COLUMNS).find(told).scans
    assert (scan.text_place.joined, scan.needed) == ((), None)
