"""Rejections are counted, and a few are told."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prunescope.collectors.observed import ObservedQuery, Rejected
from prunescope.collectors.queries import rejections
from prunescope.collectors.queries.rejections import EXAMPLES, counted

QUERY = ObservedQuery("s", "q", "SELECT 1", "trino")


def rejected(reason: str, number: int = 0) -> Rejected:
    return Rejected("s", f"log:{number}", reason, f"{reason} {number}", f"id {number}")


@given(st.lists(st.sampled_from(["query", "malformed_json", "missing_sql"]), max_size=200))
@pytest.mark.slow
def test_every_input_is_counted_once_and_few_are_told(kinds: list[str]) -> None:
    records = [QUERY if kind == "query" else rejected(kind, n) for n, kind in enumerate(kinds)]
    told = list(counted(records, "s", "log"))
    counts: Counter[str] = Counter()
    for record in told:
        if isinstance(record, Rejected):
            counts[record.reason] += record.inputs
    assert counts == Counter(kind for kind in kinds if kind != "query")
    assert sum(record is QUERY for record in told) == kinds.count("query")
    assert len(told) <= kinds.count("query") + 2 * (EXAMPLES + 1)


def test_the_first_are_told_as_they_are_and_the_rest_at_the_log() -> None:
    records = [rejected("malformed_json", number) for number in range(EXAMPLES + 3)]
    *first, rest = counted(records, "s", "log")
    assert first == records[:EXAMPLES]
    assert isinstance(rest, Rejected)
    assert (rest.location, rest.query_id, rest.inputs) == ("log", None, 3)


def test_a_log_of_nothing_but_rejections_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rejections, "MOST_IN_A_ROW", 50)
    mixed = [QUERY if n % 50 == 0 else rejected("missing_sql", n) for n in range(1, 201)]
    assert len([r for r in counted(mixed, "s", "log") if r is QUERY]) == 4
    source = iter([rejected("missing_sql", n) for n in range(1_000)])
    told = list(counted(source, "s", "log"))
    assert Counter({r.reason: r.inputs for r in told})["unreadable_file"] == 1
    assert sum(record.inputs for record in told) == 51
    assert sum(1 for _ in source) == 950
