"""Which scans are asked what they keep."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from prunescope.audit_jobs.health.sketch import MAX_VOTERS
from prunescope.audit_jobs.planning.voters import voters_of
from prunescope.audit_jobs.planning.work import Block, table_work
from prunescope.audit_jobs.pruning.rules import FLOOR, ICEBERG_1_12
from prunescope.audit_jobs.pruning.scans import Scan
from prunescope.collectors.predicates.literals import PhysicalValue
from prunescope.collectors.predicates.model import BoundComparison, Field, Predicate, all_of
from prunescope.collectors.predicates.operators import Op

N, X, S = Field(1, "n", "long"), Field(2, "x", "double"), Field(3, "s", "string")


def predicates() -> list[Predicate]:
    """Filters of several shapes, of which none is like another."""
    found: list[Predicate] = []
    for number in range(200):
        text: tuple[PhysicalValue, ...] = (b"a%d" % number, b"b")
        found += [
            BoundComparison(Op.EQ, N, (number,)),
            BoundComparison(Op.GT, N, (number,)),
            all_of(BoundComparison(Op.LT, X, (number / 7,)), BoundComparison(Op.IN, S, text)),
        ]
    return found


def block(wanted: Sequence[Predicate], snapshot_id: int = 1) -> Block:
    """One of scans that each is planned by an engine as well."""
    scans = [
        (snapshot_id, Scan(number, predicate, rules))
        for number, predicate in enumerate(wanted)
        for rules in (ICEBERG_1_12, FLOOR)
    ]
    return table_work(0, "t", 0, {}, scans).block


def hashes(*blocks: Block) -> list[int]:
    """Those of all blocks that count."""
    found = {hash_ for one in blocks for hash_ in voters_of(one).hashes.tolist()}
    return sorted(found)[:MAX_VOTERS]


@pytest.mark.parametrize("size", [1, 50, 599])
def test_the_same_scans_are_asked_in_blocks_of_any_size(size: int) -> None:
    wanted = predicates()
    parts = [wanted[start : start + size] for start in range(0, len(wanted), size)]
    whole = hashes(block(wanted))
    assert len(whole) == MAX_VOTERS
    assert hashes(*map(block, reversed(parts))) == whole


def test_scans_are_told_apart_by_their_filters_and_snapshots() -> None:
    wanted = predicates()
    alone = {hashes(block([predicate]))[0] for predicate in wanted}
    assert len(alone) == len(wanted)
    assert hashes(block(wanted[:1], 2)) != hashes(block(wanted[:1], 1))


def test_scans_that_statistics_plan_are_asked() -> None:
    assert set(voters_of(block(predicates()[:9])).scans.tolist()) == set(range(1, 18, 2))
