"""Events that a Trino 483 emitted (tests/differential/trino), with made tables and literals."""

from __future__ import annotations

import gzip
import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from prunescope.collectors.observed import ObservedQuery
from prunescope.collectors.predicates.render import render
from prunescope.collectors.queries.trino.events import from_json

_FILE = Path(__file__).with_name("events_of_483.jsonl.gz")
_VIEWS = {"twice_filtered": "day_ts"}


@pytest.fixture(scope="module")
def queries() -> Sequence[ObservedQuery]:
    lines = gzip.decompress(_FILE.read_bytes()).splitlines()
    found = [from_json(line, f"{_FILE.name}:{at}") for at, line in enumerate(lines, start=1)]
    assert len(found) > 20
    read = [query for query in found if isinstance(query, ObservedQuery)]
    assert read == found
    return read


def test_each_is_of_this_trino(queries: Sequence[ObservedQuery]) -> None:
    assert {(q.engine, q.dialect, q.catalog, q.schema) for q in queries} == {
        ("trino", "trino", "lake", "db")
    }
    assert len({query.query_id for query in queries}) == len(queries)


def test_scans_are_of_tables_that_the_text_names(queries: Sequence[ObservedQuery]) -> None:
    for query in queries:
        named = set(re.findall(r"(?:FROM|JOIN|INTO|UPDATE) (\w+)", query.sql or ""))
        named |= {_VIEWS[name] for name in named & set(_VIEWS)}
        assert {scan.table.table for scan in query.scans} <= named, query.sql
        for scan in query.scans:
            assert scan.table.namespace == ("db",)
            assert scan.snapshot_id is not None
            assert scan.counters["result_data_files"] <= scan.counters["snapshot_total_data_files"]


def test_what_access_control_and_views_add_is_told(queries: Sequence[ObservedQuery]) -> None:
    told = {
        reference.name.table: (reference.view_sql, reference.row_filters)
        for query in queries
        for reference in query.references
    }
    assert told["guarded"] == (None, ("(i > 0)",))
    assert "day_ts" in (told["filtered"][0] or "").split()


def test_dynamic_filters_are_told_without_their_values(queries: Sequence[ObservedQuery]) -> None:
    found = [
        render(leaf)
        for query in queries
        if " JOIN " in (query.sql or "")
        for scan in query.scans
        for leaf in scan.runtime
    ]
    assert any(re.fullmatch(r"n IN dynamic filter \(\d+ ranges\)", text) for text in found)
