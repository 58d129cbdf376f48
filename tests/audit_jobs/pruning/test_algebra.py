"""Every operator against every state of the statistics, at every granularity.

Each table is one batch of containers, described above it; an expectation has one letter per
container: T can match, F cannot, ? unknown. Only F prunes.
"""

import itertools

import numpy as np
import pytest

from prunescope.audit_jobs.pruning import algebra
from prunescope.audit_jobs.pruning.algebra import Evaluation, evaluate
from prunescope.audit_jobs.pruning.literals import Leaf, literals_of
from prunescope.audit_jobs.pruning.rules import Rules
from prunescope.audit_jobs.pruning.scans import Scan
from prunescope.audit_jobs.pruning.shapes import shapes
from prunescope.audit_jobs.pruning.tristate import Masks, TriState, all_of
from prunescope.collectors.predicates.model import (
    FALSE,
    TRUE,
    And,
    BoundComparison,
    Column,
    Comparison,
    Field,
    Or,
    Predicate,
    Reason,
    Unsupported,
)
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.statistics import Statistics, columns_of, constant, from_counts
from tests.audit_jobs.pruning.judging import (
    DOUBLE,
    INT,
    METADATA_RULES,
    PARTITION_RULES,
    ROW_GROUP_RULES,
    by_column,
    flags,
    ints,
    letters,
    states,
)

UNSUPPORTED = Unsupported(Reason.FUNCTION, "f(x)", "f(x)")


@pytest.mark.parametrize(
    ("size", "rules", "expected"),
    [
        pytest.param(200, METADATA_RULES, "FF?", id="files-200"),
        pytest.param(201, METADATA_RULES, "?F?", id="files-201-keeps-all-but-all-null"),
        pytest.param(200, ROW_GROUP_RULES, "FF?", id="row-groups-200"),
        pytest.param(201, ROW_GROUP_RULES, "?F?", id="row-groups-201"),
        pytest.param(5000, PARTITION_RULES, "FF?", id="partition-values-have-no-limit"),
    ],
)
def test_long_in_lists(size: int, rules: Rules, expected: str) -> None:
    column = from_counts(
        ints(3, None, None),
        ints(7, None, None),
        null_count=ints(0, 10, None),
        nan_count=None,
        value_count=ints(10, 10, 10),
    )
    assert by_column(Op.IN, tuple(range(100, 100 + size)), INT, column, rules) == expected


@pytest.mark.parametrize(
    "predicate",
    [
        TRUE,
        UNSUPPORTED,
        BoundComparison(Op.EQ, INT, (5,)),
        BoundComparison(Op.NOT_EQ, INT, (9,)),
        BoundComparison(Op.IS_NULL, INT),
        BoundComparison(Op.EQ, Field(99, "y", "int"), (5,)),
    ],
    ids=str,
)
def test_empty_containers_match_nothing(predicate: Predicate) -> None:
    column = from_counts(
        ints(3, 3, 3),
        ints(7, 7, 7),
        null_count=ints(1, 1, 1),
        nan_count=None,
        value_count=ints(9, 9, 9),
    )
    statistics = Statistics(3, flags("TF?"), {(1, "int"): column})
    empty, filled, unsaid = list(states(predicate, statistics, METADATA_RULES))
    assert empty == "F"
    assert filled != "F"
    assert unsaid == "?"


@pytest.mark.parametrize(
    ("predicate", "expected"),
    [
        pytest.param(TRUE, "TT", id="true"),
        pytest.param(FALSE, "FF", id="false"),
        pytest.param(UNSUPPORTED, "??", id="unsupported"),
        pytest.param(And((UNSUPPORTED, FALSE)), "FF", id="unsupported-and-false"),
        pytest.param(Or((UNSUPPORTED, TRUE)), "TT", id="unsupported-or-true"),
        pytest.param(Or((UNSUPPORTED, FALSE)), "??", id="unsupported-or-false"),
        pytest.param(BoundComparison(Op.EQ, INT, (5,)), "??", id="column-without-statistics"),
        pytest.param(BoundComparison(Op.IS_NULL, INT), "??", id="unary-without-statistics"),
    ],
)
def test_what_needs_no_statistics(predicate: Predicate, expected: str) -> None:
    statistics = Statistics(2, constant(False, 2), {})
    assert states(predicate, statistics, METADATA_RULES) == expected


LEFT, RIGHT = BoundComparison(Op.IS_NULL, INT), BoundComparison(Op.IS_NULL, DOUBLE)
PAIRS = list(itertools.product("TF?", repeat=2))


@pytest.mark.parametrize(
    ("predicate", "expected"),
    [
        #                                    TTTFFF???
        #                                    TF?TF?TF?
        pytest.param(And((LEFT, RIGHT)), "TF?FFF?F?", id="and"),
        pytest.param(Or((LEFT, RIGHT)), "TTTTF?T??", id="or"),
        pytest.param(And((LEFT, RIGHT, LEFT)), "TF?FFF?F?", id="and-of-three"),
        pytest.param(Or((And((LEFT, RIGHT)), LEFT)), "TTTFFF???", id="absorption"),
    ],
)
def test_kleene_truth_tables(predicate: Predicate, expected: str) -> None:
    table = {
        LEFT: tristate_of("".join(left for left, _ in PAIRS)),
        RIGHT: tristate_of("".join(right for _, right in PAIRS)),
    }
    (shape,) = shapes([Scan(0, predicate)])
    found = all_of(
        [
            evaluate(tree, lambda place: table[shape.leaves[place.number].comparison(0)])
            for tree in shape.conjuncts
        ]
    )
    assert letters(found, 9) == expected


def tristate_of(text: str) -> TriState:
    possible, shown = ([letter in kinds for letter in text] for kinds in ("T?", "T"))
    return Masks(np.array([possible]), np.array([shown])).packed(len(text))


@pytest.mark.parametrize("rules", [METADATA_RULES, PARTITION_RULES, ROW_GROUP_RULES, Rules()])
@pytest.mark.parametrize(
    ("op", "rows"),
    [
        (Op.LT, [(5,), (9,), (2,)]),
        (Op.GT_EQ, [(5,), (9,), (2,)]),
        (Op.IN, [(5,), (1, 9), tuple(range(300, 600))]),
        (Op.NOT_IN, [(4,), (1, 4), (9,)]),
        (Op.IS_NULL, [(), ()]),
    ],
)
def test_comparisons_are_judged_a_few_at_a_time_as_all_at_once(
    op: Op, rows: list[tuple[int, ...]], rules: Rules
) -> None:
    column = from_counts(
        ints(3, 4, None, None),
        ints(7, 4, None, None),
        null_count=ints(0, 0, 10, None),
        nan_count=None,
        value_count=ints(10, 10, 10, 10),
    )
    statistics = Statistics(4, flags("FFFF"), {(1, "int"): column})
    leaf = Leaf(op, INT, literals_of(rows, "int"))
    whole = Evaluation(statistics)(leaf, rules)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(algebra, "CELLS", 4)
        in_turn = Evaluation(statistics)(leaf, rules)
    for row in range(len(rows)):
        one = Evaluation(statistics)(leaf.take(np.array([row])), rules)
        assert letters(one, 4) == letters(of_row(whole, row), 4) == letters(of_row(in_turn, row), 4)


def of_row(state: TriState, row: int) -> TriState:
    """One of several rows, or what is the same for all."""
    masks = (
        mask[row : row + 1] if len(mask) > 1 else mask for mask in (state.possible, state.shown)
    )
    return TriState(*masks)


def test_an_unbound_predicate_is_refused() -> None:
    with pytest.raises(TypeError, match="bound"):
        shapes([Scan(0, Comparison(Op.IS_NULL, Column(("x",))))])


def test_columns_are_found_in_order_of_first_use() -> None:
    nested = And((Or((RIGHT, LEFT)), UNSUPPORTED, LEFT, TRUE))
    assert list(columns_of([nested, RIGHT])) == [(2, "double"), (1, "int")]
