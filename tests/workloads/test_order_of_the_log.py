"""Findings do not depend on the order in which queries are in the log."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.workloads.corpus import PAIRS
from tests.workloads.lake import Night, Tables, audit_pair

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Tables:
    return Tables(tmp_path_factory.mktemp("tables"))


@pytest.mark.parametrize(
    "name",
    [
        "two_lookups",
        "bucketed_both",
        "regions_for_some",
        "customers_reported",
        "absolute_delta",
        "years_for_months",
    ],
)
def test_a_log_in_reverse_has_the_same_findings(name: str, tables: Tables) -> None:
    pair = PAIRS[name]
    reverse = replace(pair, queries=pair.queries[::-1])
    assert _told(audit_pair(reverse, tables)) == _told(audit_pair(pair, tables))


def _told(night: Night) -> list[str]:
    # Queries are numbered in the order of the log: an example has another number.
    return sorted(repr(replace(one, example=None)) for one in night.findings)
