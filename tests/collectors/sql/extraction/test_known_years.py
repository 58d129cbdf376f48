"""Months of a year that another condition of a query tells, whatever is written around either."""

from __future__ import annotations

import pytest

from prunescope.collectors.observed import TableName
from prunescope.collectors.predicates.render import render
from prunescope.collectors.sql.extraction.extract import extract
from prunescope.collectors.sql.text.parse import parse

_COLUMNS = {TableName("c", ("s",), "a"): {"ts": "timestamp", "d": "date"}}


@pytest.mark.parametrize(
    ("year", "month"),
    [
        ("year(d) = 2026", "month(d) = 11"),
        (
            "TRY_CAST(date_format(d, '%Y') AS integer) = 2026",
            "TRY_CAST(date_format(d, '%m') AS integer) = 11",
        ),
        ("year(d) = 2026", "CAST(date_format(d, '%m') AS bigint) = 11"),
    ],
)
def test_months_of_a_known_year_are_ranges(year: str, month: str) -> None:
    tree = parse(f"SELECT * FROM a WHERE {month} AND {year}", "trino")
    (scan,) = extract(tree, dialect="trino", columns=_COLUMNS, catalog="c", schema="s")
    assert "d >= DATE '2026-11-01' AND d < DATE '2026-12-01'" in render(scan.predicate)
