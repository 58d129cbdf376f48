"""Times that are moved by months: the last days of a month come to one day, on which the hours of
one day lie among those of another. DuckDB tells which rows match; the other dialects that are
written here move times alike."""

from __future__ import annotations

import datetime as dt

import duckdb
import pytest

from tests.unseen_forms.containers import kept_rows, predicate_of
from tests.unseen_forms.value_sets import Row

CASES = (
    ("trino", "ts + INTERVAL '1' MONTH", "ts + INTERVAL 1 MONTH"),
    ("trino", "date_add('month', -1, ts)", "ts - INTERVAL 1 MONTH"),
    ("duckdb", "ts + INTERVAL 1 MONTH", "ts + INTERVAL 1 MONTH"),
    ("duckdb", "ts - INTERVAL 1 YEAR", "ts - INTERVAL 1 YEAR"),
    ("snowflake", "DATEADD(quarter, 1, ts)", "ts + INTERVAL 3 MONTH"),
    ("bigquery", "DATETIME_SUB(ts, INTERVAL 1 MONTH)", "ts - INTERVAL 1 MONTH"),
    ("clickhouse", "addMonths(ts, 13)", "ts + INTERVAL 13 MONTH"),
    ("spark", "ts + INTERVAL '1' MONTH", "ts + INTERVAL 1 MONTH"),
)
ALSO = dt.datetime(2024, 1, 31, 12)
"""A time that each condition names as well, at which ranges may begin and end."""
OPERATORS = (">=", ">", "<", "=")


def _rows() -> list[Row]:
    """Four times of each day around the ends of months, with a leap day among them."""
    days = [dt.datetime(2024, month, day) for month in (1, 2, 3, 11, 12) for day in (27, 28, 29)]
    days += [dt.datetime(2024, month, day) for month in (1, 3, 11, 12) for day in (1, 30)]
    days += [dt.datetime(2024, month, 31) for month in (1, 3, 12)]
    return [{"ts": day + dt.timedelta(hours=hour)} for day in days for hour in (0, 11, 12, 13)]


@pytest.mark.parametrize(("dialect", "subject", "of_duckdb"), CASES)
def test_rows_that_match_are_those_that_are_kept(
    dialect: str, subject: str, of_duckdb: str
) -> None:
    rows = _rows()
    connection = duckdb.connect()
    moved = f"(SELECT {of_duckdb} FROM (SELECT ?::TIMESTAMP AS ts))"
    told = [connection.execute(moved, [row["ts"]]).fetchone() for row in rows]
    values = [each[0] for each in told if each is not None]
    for end in ("2024-02-29 12:00:00", "2024-11-30 12:00:00", "2023-02-28 12:00:00"):
        at = dt.datetime.fromisoformat(end)
        for operator in OPERATORS:
            match = {
                ">=": [value >= at for value in values],
                ">": [value > at for value in values],
                "<": [value < at for value in values],
                "=": [value == at for value in values],
            }[operator]
            match = [found or row["ts"] == ALSO for row, found in zip(rows, match, strict=True)]
            where = (
                f"{subject} {operator} {_literal(dialect, end)}"
                f" OR ts = {_literal(dialect, str(ALSO))}"
            )
            kept = kept_rows(
                predicate_of(where, dialect, "UTC", {"ts": "timestamp"}), {"ts": "timestamp"}, rows
            )
            assert kept == match, where


def _literal(dialect: str, text: str) -> str:
    if dialect == "clickhouse":
        return f"toDateTime64('{text}', 6)"
    kind = {"bigquery": "DATETIME", "spark": "TIMESTAMP_NTZ"}.get(dialect, "TIMESTAMP")
    return f"{kind} '{text}'"
