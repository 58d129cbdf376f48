"""Constants through joins on the day, period or year of a column, as Trino 483 infers them."""

from __future__ import annotations

import pytest

from prunescope.collectors.observed import TableName
from prunescope.collectors.predicates.model import Unsupported, conjuncts
from prunescope.collectors.predicates.render import render
from prunescope.collectors.sql.extraction.extract import extract
from prunescope.collectors.sql.text.parse import parse

F = TableName("c", ("s",), "f")
D = TableName("c", ("s",), "d")
_F = {"ts": "timestamp", "tz": "timestamptz", "day": "date", "i": "int", "s": "string"}
_D = {"full": "date", "start": "timestamp", "y": "int", "s": "string", "k": "int"}
_DAY = "ts >= DATE '2026-11-20' & ts < DATE '2026-11-21'"
_FIRST, _LAST = "DATE '2026-11-20'", "DATE '2026-11-22'"
_ON_DAY = "d.full = DATE '2026-11-20'"


def _said(sql: str, dialect: str, *, knows_dates: bool = True) -> str:
    """What a query says of `f`."""
    columns = {F: _F, D: _D} if knows_dates else {F: _F}
    found = extract(
        parse(sql, dialect), dialect=dialect, columns=columns, catalog="c", schema="s",
        time_zone="UTC",
    )  # fmt: skip
    predicate = next(scan.predicate for scan in found if scan.table == F)
    parts = [part for part in conjuncts(predicate) if not isinstance(part, Unsupported)]
    return " & ".join(dict.fromkeys(map(render, parts)))


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        (f"f JOIN d ON CAST(f.ts AS date) = d.full WHERE {_ON_DAY}", _DAY),
        (f"f JOIN d ON d.full = date(f.ts) WHERE {_ON_DAY}", _DAY),
        (f"f, d WHERE CAST(f.ts AS date) = d.full AND {_ON_DAY}", _DAY),
        (f"f LEFT JOIN d ON CAST(f.ts AS date) = d.full WHERE {_ON_DAY}", _DAY),
        (
            f"f JOIN d ON date(f.ts) = d.full WHERE d.full BETWEEN {_FIRST} AND {_LAST}",
            "ts >= DATE '2026-11-20' & ts < DATE '2026-11-23'",
        ),
        (f"f JOIN d ON date_trunc('day', f.ts) = d.full WHERE {_ON_DAY}", _DAY),
        (
            "f JOIN d ON date_trunc('month', f.ts) = d.start WHERE d.start >= DATE '2026-11-01'",
            "ts >= DATE '2026-11-01'",
        ),
        (
            "f JOIN d ON year(f.ts) = d.y WHERE d.y = 2026",
            "ts >= DATE '2026-01-01' & ts < DATE '2027-01-01'",
        ),
        (f"f JOIN (SELECT full FROM d WHERE {_ON_DAY}) q ON date(f.ts) = q.full", _DAY),
        (f"f WHERE CAST(ts AS date) IN (SELECT full FROM d WHERE {_ON_DAY})", _DAY),
        (
            f"f JOIN d ON date(f.ts) = d.full JOIN d e ON e.full = d.full WHERE e.{_ON_DAY[2:]}",
            _DAY,
        ),
        # What keeps rows without partners, and what is no period of a known type.
        (f"f LEFT JOIN d ON CAST(f.ts AS date) = d.full AND {_ON_DAY}", ""),
        (f"f WHERE CAST(ts AS date) NOT IN (SELECT full FROM d WHERE {_ON_DAY})", ""),
        ("f JOIN d ON date(f.ts) = d.full WHERE d.full = DATE '2026-11-20' OR d.k = 3", ""),
        ("f JOIN d ON CAST(f.s AS date) = d.full WHERE d.full = DATE '2026-11-20'", ""),
        ("f JOIN d ON f.i + 1 = d.k WHERE d.k = 5", ""),
        ("f JOIN d ON date_trunc('day', f.ts) = d.full WHERE d.full >= DATE '2026-11-20'", ""),
        ("f JOIN d ON date(f.ts) = d.start WHERE d.start = TIMESTAMP '2026-11-20 00:00:00'", ""),
        ("f JOIN d ON CAST(f.ts AS date) >= d.full WHERE d.full >= DATE '2026-11-20'", ""),
    ],
)
def test_conditions_travel_to_periods(sql: str, expected: str) -> None:
    assert _said(f"SELECT * FROM {sql}", "trino") == expected


def test_tables_that_are_not_audited_are_taken_for_that_type() -> None:
    sql = f"SELECT * FROM f JOIN d ON CAST(f.ts AS date) = d.full WHERE {_ON_DAY}"
    assert _said(sql, "trino", knows_dates=False) == _DAY


@pytest.mark.parametrize(("key", "said"), [("date(f.ts) = d.full", _DAY), ("year(f.ts) = d.y", "")])
def test_spark_infers_them_of_days_alone(key: str, said: str) -> None:
    sql = f"SELECT * FROM f JOIN d ON {key} WHERE {_ON_DAY} AND d.y = 2026"
    assert _said(sql, "spark") == said
