"""ORs of equalities of one function, which Trino makes lists of: of which columns it pushes
something, as Trino 483 was seen to do it."""

from __future__ import annotations

import pytest

from prunescope.collectors.predicates.model import BoundComparison
from prunescope.collectors.predicates.walks import leaves
from prunescope.collectors.schema import Schema, SchemaColumn
from prunescope.collectors.sql.extraction.extract import condition
from prunescope.collectors.sql.planners.profiles import Planner, bind_pushed

TRINO = Planner("trino", (483,))
TYPES = {"ts": "timestamp", "tz": "timestamptz", "d": "date", "region": "string", "i": "int"}
SCHEMA = Schema(
    0,
    tuple(
        SchemaColumn(number, (name,), kind, False, False, False)
        for number, (name, kind) in enumerate(TYPES.items(), start=1)
    ),
)
DAY = "CAST(ts AS date) = DATE '2026-02-0{}'"

CASES = [
    # Years that follow one another are a range of years, which stays as it is.
    ("year(ts) = 2026 OR year(ts) = 2027", ""),
    ("year(d) = 2026 OR year(d) = 2027", ""),
    ("year(ts) = 2027 OR year(ts) = 2028 OR year(ts) = 2026", ""),
    ("year(ts) = 2026 OR year(ts) = 2028", "ts"),
    ("year(ts) = 2026 OR year(ts) = 2028 OR year(ts) = 2029", "ts"),
    ("year(ts) = 2026 OR year(ts) = 2026", "ts"),
    ("year(ts) = 2026 OR year(ts) > 2026", "ts"),
    ("year(ts) = 2026 OR year(ts) = 2027 OR ts > TIMESTAMP '2029-06-01 00:00:00'", ""),
    ("year(ts) = 2026 OR ts > TIMESTAMP '2029-06-01 00:00:00'", "ts"),
    ("year(ts) = 2026 OR date_trunc('month', ts) = TIMESTAMP '2027-01-01 00:00:00'", "ts"),
    (f"{DAY.format(3)} OR {DAY.format(5)}", ""),
    (f"{DAY.format(3)} OR CAST(ts AS date) > DATE '2026-02-05'", "ts"),
    # A short OR of ANDs becomes an AND of ORs.
    ("(year(ts) = 2026 AND region = 'EU') OR (year(ts) = 2027 AND region = 'US')", "region"),
    ("(year(ts) = 2026 AND region = 'EU') OR (year(ts) = 2028 AND region = 'US')", "ts region"),
    ("(year(ts) = 2026 AND region = 'EU') OR (year(ts) > 2026 AND region = 'US')", "ts region"),
    ("(year(ts) = 2026 AND month(ts) >= 11) OR (year(ts) = 2027 AND month(ts) <= 2)", ""),
    ("(year(d) = 2026 AND month(d) >= 11) OR (year(d) = 2027 AND month(d) <= 2)", ""),
    ("(year(ts) = 2026 AND i > 5) OR year(ts) = 2027", ""),
    (
        f"({DAY.format(3)} AND region = 'EU') OR ({DAY.format(5)} AND region = 'US')",
        "region",
    ),
    # A longer one does not.
    (
        (
            "(year(ts) = 2026 AND i > 5 AND region = 'EU')"
            " OR (year(ts) = 2027 AND i < 3 AND region = 'US')"
        ),
        "ts i region",
    ),
    (
        (
            "(year(ts) = 2026 AND region = 'EU') OR (year(ts) = 2027 AND region = 'US')"
            " OR (year(ts) = 2028 AND region = 'CA')"
        ),
        "ts region",
    ),
    (
        " OR ".join(f"({DAY.format(n)} AND i = {n})" for n in (3, 4, 5)),
        "ts i",
    ),
    (
        (
            "(year(ts) = 2026 AND month(ts) >= 11) OR year(ts) = 2027"
            " OR (year(ts) = 2028 AND month(ts) <= 2)"
        ),
        "ts",
    ),
    # What arms have in common is taken out first, and what is left of them stays an OR.
    ("(year(ts) = 2026 AND region = 'EU') OR (year(ts) = 2027 AND region = 'EU')", "region"),
    (
        (
            "(year(ts) = 2026 AND month(ts) >= 11 AND region = 'EU')"
            " OR (year(ts) = 2027 AND month(ts) <= 2 AND region = 'EU')"
        ),
        "ts region",
    ),
    # So does what is a part of a filter; but equalities that stand side by side are a list.
    (
        (
            "((year(ts) = 2026 AND month(ts) >= 11) OR (year(ts) = 2027 AND month(ts) <= 2))"
            " AND region = 'EU'"
        ),
        "ts region",
    ),
    ("(year(ts) = 2026 OR year(ts) = 2027) AND region = 'EU'", "region"),
    # Functions of what has a zone are unwrapped by the connector, which knows no OR.
    ("year(tz) = 2026 OR year(tz) = 2028", ""),
    ("(year(tz) = 2026 AND region = 'EU') OR (year(tz) = 2028 AND region = 'US')", "region"),
]


@pytest.mark.parametrize(("where", "expected"), CASES)
def test_of_which_columns_something_is_pushed(where: str, expected: str) -> None:
    found = condition(where, "trino", time_zone="UTC", planner=TRINO, types=TYPES)
    pushed = bind_pushed(TRINO, found, SCHEMA, time_zone="UTC")
    compared = {leaf.field.name for leaf in leaves(pushed) if isinstance(leaf, BoundComparison)}
    assert compared == set(expected.split())
