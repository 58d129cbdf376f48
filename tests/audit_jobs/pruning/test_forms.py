"""Conjuncts by form: which are one evaluation, and that each scan finds its own there."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from prunescope.audit_jobs.pruning.forms import Conjuncts, Form, conjuncts_of
from prunescope.audit_jobs.pruning.rules import FLOOR, ICEBERG_1_12
from prunescope.audit_jobs.pruning.scans import Scan
from prunescope.audit_jobs.pruning.shapes import AllOf, AnyOf, Place, Tree, shapes
from prunescope.collectors.predicates.model import (
    TRUE,
    Always,
    And,
    BoundComparison,
    Field,
    Or,
    Predicate,
    Reason,
    Unsupported,
    all_of,
)
from prunescope.collectors.predicates.operators import Op

X, D, S = Field(1, "x", "long"), Field(2, "d", "double"), Field(3, "s", "string")
UNSUPPORTED = Unsupported(Reason.FUNCTION, "", "")


def by_form(*predicates: Predicate) -> Conjuncts:
    return conjuncts_of(shapes(Scan(n, predicate) for n, predicate in enumerate(predicates)))


def x(op: Op, *values: int) -> Predicate:
    return BoundComparison(op, X, values)


def test_a_condition_of_many_filters_is_one_row() -> None:
    common = x(Op.GT_EQ, 0)
    found = by_form(
        common,
        And((common, x(Op.LT, 9))),
        And((x(Op.LT, 7), common)),
        And((x(Op.LT, 9), BoundComparison(Op.IS_NULL, S), common)),
    )
    rows = {form.leaves[0].op: form.count for form in found.forms}
    assert rows == {Op.GT_EQ: 1, Op.LT: 2, Op.IS_NULL: 1}


def test_a_tree_is_one_row_where_all_of_its_literals_are_the_same() -> None:
    def either(low: int, high: int) -> Predicate:
        return Or((x(Op.LT, low), x(Op.GT, high)))

    found = by_form(
        either(1, 5), And((either(1, 6), x(Op.EQ, 3))), And((x(Op.LT, 2), either(1, 5)))
    )
    assert sorted(form.count for form in found.forms) == [1, 1, 2]


def test_scans_that_are_alike_stand_beside_each_other() -> None:
    scans = [Scan(0, x(Op.LT, 1)), Scan(1, x(Op.LT, 2)), Scan(2, x(Op.LT, 1), FLOOR)]
    found = conjuncts_of(shapes(scans))
    assert found.scans.tolist() == [0, 2, 1]
    assert [found.planners[number] for number in found.planner.tolist()] == [
        ICEBERG_1_12,
        FLOOR,
        ICEBERG_1_12,
    ]


def test_a_scan_without_conjuncts_has_none() -> None:
    found = by_form(TRUE, x(Op.LT, 1), TRUE)
    sizes = dict(zip(found.scans.tolist(), np.diff(found.first).tolist(), strict=True))
    assert sizes == {0: 0, 1: 1, 2: 0}


def test_no_scan_is_no_conjunct() -> None:
    found = conjuncts_of(())
    assert (found.forms, found.scans.tolist(), found.first.tolist()) == ((), [], [0])


comparisons = st.one_of(
    st.builds(x, st.sampled_from([Op.LT, Op.EQ, Op.NOT_EQ]), st.integers(0, 2)),
    st.builds(
        lambda values: x(Op.IN, *sorted(values)), st.sets(st.integers(0, 3), min_size=2, max_size=3)
    ),
    st.builds(lambda value: BoundComparison(Op.GT, D, (value,)), st.sampled_from([0.5, 1.5])),
    st.builds(lambda value: BoundComparison(Op.STARTS_WITH, S, (value,)), st.sampled_from([b"a"])),
    st.just(BoundComparison(Op.NOT_NULL, X)),
    st.just(UNSUPPORTED),
)
filters = st.lists(
    st.one_of(comparisons, st.builds(lambda a, b: Or((a, b)), comparisons, comparisons)),
    max_size=3,
).map(lambda parts: all_of(*parts))


@given(asked=st.lists(st.tuples(filters, st.sampled_from([ICEBERG_1_12, FLOOR])), max_size=8))
def test_each_scan_finds_its_own_conjuncts(asked: list[tuple[Predicate, object]]) -> None:
    scans = [Scan(n, predicate, rules) for n, (predicate, rules) in enumerate(asked)]  # type: ignore[arg-type]
    found = conjuncts_of(shapes(scans))
    assert sorted(found.scans.tolist()) == list(range(len(scans)))
    for place, position in enumerate(found.scans.tolist()):
        scan = scans[position]
        assert found.planners[found.planner[place]] == scan.rules
        own = slice(found.first[place], found.first[place + 1])
        conjuncts = [
            predicate(found.forms[form], row)
            for form, row in zip(found.form[own].tolist(), found.row[own].tolist(), strict=True)
        ]
        assert conjuncts == list(scan.conjuncts)


def predicate(form: Form, row: int) -> Predicate:
    """One row of a form as a predicate."""

    def of(tree: Tree) -> Predicate:
        match tree:
            case AllOf(children):
                return And(tuple(of(child) for child in children))
            case AnyOf(children):
                return Or(tuple(of(child) for child in children))
            case Place(number):
                return form.leaves[number].comparison(row)
            case Always() | Unsupported():
                return tree

    return of(form.tree)
