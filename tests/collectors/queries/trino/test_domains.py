"""Domains of dynamic filters, as Trino prints them, and what they say of a column."""

from __future__ import annotations

import pytest

from prunescope.collectors.predicates.render import render
from prunescope.collectors.queries.trino.domains import said_of

SET = "[ SortedRangeSet[type={}, ranges={}, {{{}}}] ]"


@pytest.mark.parametrize(
    ("domain", "expected"),
    [
        # As the documentation of Trino shows one.
        (SET.format("bigint", 3, "[2451546], ..., [2451905]"), "c >= 2451546 AND c <= 2451905"),
        (SET.format("integer", 1, "[-7]"), "c >= -7 AND c <= -7"),
        (SET.format("bigint", 2, "[1], (5,9)"), "(c >= 1 AND c <= 1) OR (c > 5 AND c < 9)"),
        (SET.format("bigint", 1, "(<min>,9]"), "c <= 9"),
        (SET.format("bigint", 1, "[9,<max>)"), "c >= 9"),
        (SET.format("bigint", 9, "(<min>,9), ..., [12]"), "c <= 12"),
        (SET.format("bigint", 1, "(<min>,<max>)"), "TRUE"),
        (SET.format("decimal(10,2)", 1, "[1.50,2.00]"), "c >= 1.50 AND c <= 2.00"),
        (
            SET.format("date", 1, "[2026-01-01,2026-01-07]"),
            "c >= DATE '2026-01-01' AND c <= DATE '2026-01-07'",
        ),
        ("[ NONE ]", "FALSE"),
    ],
)
def test_what_a_domain_says(domain: str, expected: str) -> None:
    found = said_of("c", domain)
    assert found is not None
    assert render(found) == expected


@pytest.mark.parametrize(
    "domain",
    [
        "",
        "[ ALL ]",
        # Nulls that are equal to nulls.
        "[ NULL, SortedRangeSet[type=bigint, ranges=1, {[1]}] ]",
        # A text may hold the marks around it.
        SET.format("varchar(9)", 1, "[a], [b]"),
        SET.format("double", 1, "[1.0]"),
        SET.format("timestamp(6)", 1, "[2026-01-01 00:00:00.000000]"),
        SET.format("bigint", 0, ""),
        SET.format("bigint", 2, "[1], [2"),
        SET.format("bigint", 1, "[one]"),
        SET.format("date", 1, "[+12026-01-01]"),
        SET.format("decimal(3,1)", 1, "[1.x]"),
        "[ EquatableValueSet[type=bigint, values=1, {1}] ]",
    ],
)
def test_what_cannot_be_read_says_nothing(domain: str) -> None:
    assert said_of("c", domain) is None
