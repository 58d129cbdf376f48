"""Which layouts are scored."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from audit_jobs.advice.candidates import Candidate, Curve, Term
from audit_jobs.advice.proposals import MAX_LAYOUTS, proposable, propose
from audit_jobs.advice.rounds import Asking, answered
from audit_jobs.advice.workload import UsedColumn
from collectors.arrays import Floats
from collectors.predicates.operators import Op
from tests.audit_jobs.advice.samples import fields, layouts, numbers, rows_of, sampled_of

TYPES = {"a": "long", "b": "long", "c": "long", "d": "long"}
FIELDS = fields(TYPES)
WANTED = (FIELDS["c"], FIELDS["a"], FIELDS["b"])


def _agreement(candidate: Candidate) -> int:
    """How many columns a sort begins with of those that are wanted, in order."""
    pairs = zip(candidate.order.columns, WANTED, strict=False)
    same = [one == other for one, other in pairs]
    return same.index(False) if False in same else len(same)


def _by_order(some: Sequence[Candidate]) -> Asking[Floats]:
    yield from ()
    return np.array([10.0 - _agreement(c) for c in some])


@pytest.mark.parametrize(
    ("current", "partitions"),
    [
        pytest.param((), {()}, id="none"),
        pytest.param(
            (Term("identity", FIELDS["d"]),), {(Term("identity", FIELDS["d"]),)}, id="one"
        ),
        pytest.param(None, set(), id="one of which no row tells"),
    ],
)
def test_partitions_that_are_overwritten_stay(
    current: tuple[Term, ...] | None, partitions: set[tuple[Term, ...]]
) -> None:
    draw = np.random.default_rng(4)
    rows = rows_of({name: numbers(draw.integers(0, 9, 2_000).tolist()) for name in TYPES}, TYPES)
    used = [UsedColumn(column, frozenset({Op.EQ}), 1.0) for column in FIELDS.values()]
    sampled = sampled_of(layouts(rows, 20))
    by = proposable(sampled.layouts, used, current, keep=True)
    found = answered(propose(by, _by_order), sampled)
    assert {candidate.partition for candidate in found.candidates} == partitions


def test_the_best_sorts_are_followed_to_three_columns() -> None:
    """Whatever it is that makes them cheap: each column of the right order does here."""
    draw = np.random.default_rng(3)
    rows = rows_of({name: numbers(draw.integers(0, 9, 2_000).tolist()) for name in TYPES}, TYPES)

    def costs(some: Sequence[Candidate]) -> Asking[Floats]:
        yield from ()
        return np.array([10.0 - _agreement(c) - 5 * (c.order.curve is Curve.SORT) for c in some])

    used = [UsedColumn(column, frozenset({Op.EQ}), 1.0) for column in FIELDS.values()]
    sampled = sampled_of(layouts(rows, 20))
    found = answered(propose(proposable(sampled.layouts, used, ()), costs), sampled)
    assert len(found.candidates) == len(set(found.candidates)) <= MAX_LAYOUTS
    best = found.candidates[int(np.argmin(found.costs))]
    assert best.order.columns == WANTED


@pytest.mark.parametrize("keep", [False, True], ids=["any partitions", "the present ones"])
@pytest.mark.parametrize(
    ("current", "widths"),
    [
        pytest.param((), (100_000, 50_000, 25_000), id="of 400 files"),
        pytest.param(
            (Term("identity", FIELDS["d"]),), (200_000, 100_000, 50_000), id="of 100 files each"
        ),
    ],
)
def test_ranges_of_a_column_of_many_values_are_followed_by_another(
    current: tuple[Term, ...], widths: Sequence[int], *, keep: bool
) -> None:
    """About as many ranges as the square root of the files of a partition."""
    draw = np.random.default_rng(5)
    most = {"a": 1_000_000, "b": 9, "c": 9, "d": 4}
    drawn = {name: numbers(draw.integers(0, most[name], 4_000).tolist()) for name in TYPES}
    used = [UsedColumn(column, frozenset({Op.EQ}), 1.0) for column in FIELDS.values()]
    sampled = sampled_of(layouts(rows_of(drawn, TYPES), 400))
    by = proposable(sampled.layouts, used, current, keep=keep)

    def costs(some: Sequence[Candidate]) -> Asking[Floats]:
        yield from ()
        ranks = [c.order.columns[:1] == (FIELDS["a"],) and c.partition == current for c in some]
        return np.array([2.0 - rank for rank in ranks])

    found = answered(propose(by, costs), sampled)
    assert len(found.candidates) <= MAX_LAYOUTS
    ranged = [one for one in found.candidates if one.order.is_by_ranges]
    orders = [str(one.order) for one in ranged if one.partition == current]
    assert {f"truncate({width}, a), b" for width in widths} <= set(orders)
    assert {one.order.columns[0] for one in ranged} == {FIELDS["a"]}
