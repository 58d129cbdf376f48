"""Queries that LIMIT lets end early are not counted as if they read all that planning keeps."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace

import pytest

from prunescope.audit_jobs.findings.early_stop import STOPPED, as_far_as_read
from prunescope.audit_jobs.pruning.summary import Funnel
from prunescope.audit_jobs.workload.queries import ScanFinder
from prunescope.collectors.needed_rows import AnyRows
from prunescope.collectors.observed import ObservedQuery
from prunescope.collectors.predicates.operators import Op
from tests.audit_jobs.findings.usages import (
    BYTES,
    FIELDS,
    FILE,
    FILES,
    NAME,
    TABLE,
    Night,
    compared,
    part,
    partitioned,
    plan,
    scan,
    table,
)

ID = next(of for of in FIELDS if of.type == "long")
EQUAL = compared(ID, Op.EQ, 7)


@pytest.mark.parametrize(
    ("enough", "share", "read"),
    [
        (None, 0.01, BYTES),
        (100, 0.01, FILE),  # of ten million rows that match, the first file has enough
        (5_000_000, 0.01, BYTES // 2),
        (20_000_000, 0.01, BYTES),
        (0, 0.01, FILE),
    ],
)
def test_as_much_is_read_as_has_enough_rows(enough: int | None, share: float, read: int) -> None:
    found = as_far_as_read(scan(part(EQUAL), share=share, enough=enough), table())

    assert found.summary is not None
    assert found.potential is not None
    assert (found.summary.bytes.kept, found.potential.bytes.kept) == (read, read)
    assert (STOPPED in found.traits) == (read < BYTES)


def test_who_reads_most_of_what_is_kept_is_served_by_a_layout() -> None:
    found = as_far_as_read(scan(part(EQUAL), share=0.01, enough=8_000_000), table())

    assert found.summary is not None
    assert found.summary.bytes.kept == BYTES * 8 // 10
    assert STOPPED not in found.traits


def test_rows_that_no_sample_shows_are_as_many_as_bounds_tell() -> None:
    """One id of a million in a thousand million rows: a thousand rows."""
    whole = scan(part(EQUAL), share=0.0, enough=1)
    assert whole.matching is not None
    found = as_far_as_read(replace(whole, matching=replace(whole.matching, high=0.01)), table())

    assert found.summary is not None
    assert found.summary.bytes.kept == max(FILE, BYTES // 1_000)


def test_what_matches_is_not_known_where_nothing_tells_of_the_table() -> None:
    whole = scan(part(EQUAL), enough=1)
    assert as_far_as_read(whole, None) is whole


def test_nothing_is_lost_by_a_layout_that_is_left_after_one_file() -> None:
    lookups = scan(part(EQUAL, share=0.01), share=0.01)
    reads_all = Night((lookups,), health=table())
    stops = Night((replace(lookups, enough=10),), health=table())

    assert reads_all.findings("unclustered_column")
    assert not stops.findings("unclustered_column")
    assert sum(group.bytes_read for group in stops.usage.groups) == stops.times * FILE


def test_no_row_group_is_lost_that_is_left_after_one_file() -> None:
    """A file in each partition, of ten row groups, all of which have rows that match."""
    kept = replace(
        plan(FILES),
        row_groups=Funnel(None, 10 * FILES, 10 * FILES),
        row_group_bytes=Funnel(None, BYTES, BYTES),
    )
    lookups = scan(part(EQUAL, share=0.01), kept=kept, share=0.01)
    spec = [(NAME, "identity")]
    reads_all = Night((lookups,), spec, health=partitioned(1_000))
    stops = replace(reads_all, scans=(replace(lookups, enough=10),))

    assert reads_all.findings("row_groups_not_pruned")
    assert not stops.findings("row_groups_not_pruned")
    (group,) = stops.usage.groups
    assert group.sums.potential.row_group_bytes == group.bytes_read


@pytest.mark.parametrize("limits", [(10, 500), (500, 10)])
def test_limits_of_one_template_are_told_apart(limits: tuple[int, int]) -> None:
    finder = ScanFinder({TABLE: {"id": "long"}})
    for limit in limits:
        sql = f"SELECT * FROM {TABLE} WHERE id = 7 LIMIT {limit}"
        query = ObservedQuery(
            "test", f"q{limit}", sql=sql, dialect="trino", started_at=dt.datetime.now(dt.UTC)
        )
        (found,) = finder.find(query).scans
        assert found.needed == AnyRows(limit)
