"""Row groups over small batches: a table of long `x` (id 1), partitioned by truncate[10](x)."""

from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from prunescope.audit_jobs.pruning.dictionaries import Dictionaries
from prunescope.audit_jobs.pruning.literals import leaf_of
from prunescope.audit_jobs.pruning.packed import unpack
from prunescope.audit_jobs.pruning.passes import prune_files
from prunescope.audit_jobs.pruning.row_groups import (
    FooterNeeds,
    RowGroupVerdicts,
    may_prune_row_groups,
    prune_row_groups,
    wanted_evidence,
)
from prunescope.audit_jobs.pruning.rules import FLOOR, ICEBERG_1_12, PlannerRules
from prunescope.audit_jobs.pruning.scans import Scan
from prunescope.audit_jobs.pruning.shapes import AllOf, shapes
from prunescope.collectors.arrays import BoolArray
from prunescope.collectors.predicates.model import (
    FALSE,
    TRUE,
    And,
    BoundComparison,
    Field,
    Or,
    Predicate,
)
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.statistics import (
    RowGroupBatch,
    Statistics,
    ValueSets,
    constant,
    from_values,
)
from tests.audit_jobs.pruning.judging import letters, reach
from tests.audit_jobs.pruning.test_passes import (
    SPEC,
    UNSUPPORTED,
    counted,
    files,
    longs,
    mask,
    metrics,
    repeated,
    text,
    x,
)

DICTIONARIES = ValueSets(longs([1, 5, 12]), np.array([0, 1, 3]), mask("TTFT"), mask("TFFT"))
NO_FILTERS = replace(ICEBERG_1_12, name="no filters", dictionaries=False, bloom_filters=False)


def row_groups() -> RowGroupBatch:
    """File 0 (partition 0): x in 0 to 4, 5 to 9. File 1 (partition 10): statistics that lie,
    x in 0 to 99, and one row group of which nothing is known."""
    partition = from_values(longs([0, 10]))
    return RowGroupBatch(
        spec_id=1,
        file=np.array([0, 0, 1, 1]),
        records=np.full(4, 9),
        size=np.full(4, 100),
        partition=Statistics(2, constant(False, 2), {(1000, "long"): partition}),
        metrics=Statistics(4, constant(False, 4), metrics((0, 4), (5, 9), (0, 99), None)),
    )


def judged(scan: Scan, batch: RowGroupBatch) -> RowGroupVerdicts:
    files_kept = reach("T" * (int(batch.file.max()) + 1), of=batch.file.tolist())
    (found,) = prune_row_groups(shapes([scan]), batch, SPEC, files_kept)
    return found


@pytest.mark.parametrize(
    ("predicate", "kept"),
    [
        pytest.param(TRUE, "TTTT", id="no-filter"),
        pytest.param(x(Op.LT, 5), "TFFF", id="statistics-and-partition"),
        pytest.param(x(Op.LT, 10), "TTFF", id="proven-by-the-partition"),
        pytest.param(x(Op.EQ, 12), "FFTT", id="unknown-is-kept"),
        pytest.param(x(Op.NOT_EQ, 5), "TTTT", id="not-equal-prunes-by-dictionaries-only"),
        pytest.param(Or((x(Op.LT, 3), x(Op.EQ, 7))), "TTFF", id="or-of-residuals"),
    ],
)
def test_row_groups(predicate: Predicate, kept: str) -> None:
    found = judged(Scan(0, predicate), row_groups())
    assert text(found.verdicts.kept[0]) == kept


def test_a_null_partition_value_sorts_first_and_so_proves_less_than() -> None:
    partition = from_values(longs([None]))
    batch = RowGroupBatch(
        spec_id=1,
        file=np.array([0]),
        records=np.array([9]),
        size=np.array([100]),
        partition=Statistics(1, constant(False, 1), {(1000, "long"): partition}),
        metrics=Statistics(1, constant(False, 1), metrics((50, 99))),
    )
    assert text(judged(Scan(0, x(Op.LT, 5)), batch).verdicts.kept[0]) == "T"
    assert text(judged(Scan(0, x(Op.GT, 500)), batch).verdicts.kept[0]) == "F"


@pytest.mark.parametrize(
    ("predicate", "needed"),
    [
        pytest.param(TRUE, "FFFFF", id="no-filter"),
        pytest.param(x(Op.LT, 10), "FFTTF", id="proven-by-some-partitions"),
        pytest.param(x(Op.LT, 5), "TTTTF", id="within-a-partition"),
        pytest.param(x(Op.NOT_EQ, 5), "TTFFF", id="not-equal-by-dictionaries"),
        pytest.param(UNSUPPORTED, "FFFFF", id="unsupported"),
        pytest.param(And((x(Op.LT, 10), x(Op.GT, 3))), "TTTTF", id="any-conjunct"),
    ],
)
def test_footers_are_read_only_where_they_can_matter(predicate: Predicate, needed: str) -> None:
    (block,) = prune_files(shapes([Scan(0, predicate)]), files(), SPEC, reach("TTTTT"))
    assert text(unpack(FooterNeeds(files(), SPEC)(block), 5)[0]) == needed


@pytest.mark.parametrize(
    ("predicate", "by_statistics", "by_dictionaries"),
    [
        pytest.param(x(Op.EQ, 5), True, True, id="comparison"),
        pytest.param(x(Op.IS_NULL), True, True, id="is-null"),
        pytest.param(x(Op.NOT_EQ, 5), False, True, id="not-equal"),
        pytest.param(x(Op.NOT_IN, 5, 6), False, True, id="not-in"),
        pytest.param(And((x(Op.NOT_EQ, 5), x(Op.EQ, 5))), True, True, id="and-needs-one"),
        pytest.param(Or((x(Op.NOT_EQ, 5), x(Op.EQ, 5))), False, True, id="or-needs-all"),
        pytest.param(UNSUPPORTED, False, False, id="unsupported"),
        pytest.param(TRUE, False, False, id="true"),
        pytest.param(FALSE, True, True, id="false"),
        pytest.param(
            BoundComparison(Op.EQ, Field(1, "x", "long", "bucket[4]"), (1,)),
            False,
            False,
            id="term",
        ),
    ],
)
def test_what_row_groups_can_judge(
    predicate: Predicate, by_statistics: bool, by_dictionaries: bool
) -> None:
    (shape,) = shapes([Scan(0, predicate)])
    tree = AllOf(shape.conjuncts)
    assert may_prune_row_groups(tree, NO_FILTERS) is by_statistics
    assert may_prune_row_groups(tree, ICEBERG_1_12) is by_dictionaries


def with_evidence() -> RowGroupBatch:
    """Four row groups of file 0 (partition 0) with x in 0 to 9. Dictionaries: {1, 5}, {5} without
    nulls, {5} with nulls, none. The last one has x in 0 to 7, and 7 only in its bloom filter."""
    sets = ValueSets(longs([1, 5, 5, 5]), np.array([0, 0, 1, 2]), mask("TTTF"), mask("TTFF"))

    def may_contain(values: Any, rows: Any, count: int) -> tuple[BoolArray, BoolArray]:
        possible = np.ones((count, 4), np.bool_)
        possible[:, 3] = False
        possible[rows[values == 7], 3] = True
        return possible, mask("FFFT")

    return RowGroupBatch(
        spec_id=1,
        file=np.zeros(4, np.int64),
        records=np.full(4, 9),
        size=np.full(4, 100),
        partition=Statistics(1, constant(False, 1), {(1000, "long"): from_values(longs([0]))}),
        metrics=Statistics(4, constant(False, 4), metrics((0, 9), (0, 9), (0, 9), (0, 7))),
        dictionaries={(1, "long"): sets},
        bloom_filters={(1, "long"): may_contain},
    )


@pytest.mark.parametrize(
    ("predicate", "statistics", "dictionary", "bloom"),
    [
        pytest.param(x(Op.EQ, 50), "FFFF", "FFFF", "FFFF", id="the-partition-rules-out-all"),
        pytest.param(x(Op.EQ, 1), "TTTT", "TFFT", "TFFF", id="equal"),
        pytest.param(x(Op.EQ, 7), "TTTT", "FFFT", "FFFT", id="in-the-bloom-filter"),
        pytest.param(x(Op.IN, 1, 7), "TTTT", "TFFT", "TFFT", id="in"),
        pytest.param(x(Op.LT, 3), "TTTT", "TFFT", "TFFT", id="bloom-filters-know-no-order"),
        pytest.param(x(Op.NOT_EQ, 5), "TTTT", "TFTT", "TFTT", id="nulls-are-not-equal"),
        pytest.param(x(Op.NOT_IN, 1, 5), "TTTT", "FFTT", "FFTT", id="not-in"),
        pytest.param(x(Op.NOT_NULL), "TTTT", "TTTT", "TTTT", id="no-nulls-in-dictionaries"),
        pytest.param(
            Or((x(Op.EQ, 1), x(Op.EQ, 7))), "TTTT", "TFFT", "TFFT", id="or-within-a-level"
        ),
        pytest.param(Or((x(Op.GT, 8), x(Op.EQ, 1))), "TTTT", "TFFT", "TFFT", id="or-across-levels"),
    ],
)
def test_levels_judge_in_turn(
    predicate: Predicate, statistics: str, dictionary: str, bloom: str
) -> None:
    found = judged(Scan(0, predicate), with_evidence())
    kept = {level: text(unpack(after, 4)[0]) for level, after in found.kept_after.items()}
    assert kept == {"statistics": statistics, "dictionary": dictionary, "bloom": bloom}
    assert text(found.verdicts.kept[0]) == bloom


@pytest.mark.parametrize(
    ("rules", "kept"),
    [
        pytest.param(ICEBERG_1_12, "TFFT", id="iceberg-judges-the-whole-by-each-level"),
        pytest.param(FLOOR, "TFFF", id="the-floor-combines-levels"),
        pytest.param(NO_FILTERS, "TTTT", id="statistics-only"),
    ],
)
def test_what_levels_say_of_the_sides_of_an_or(rules: PlannerRules, kept: str) -> None:
    """Of the last row group, statistics rule out one side and the bloom filter the other."""
    predicate = Or((x(Op.GT, 8), x(Op.EQ, 1)))
    found = judged(Scan(0, predicate, rules), with_evidence())
    assert text(found.verdicts.kept[0]) == kept


def test_a_conjunct_is_unknown_where_no_level_says_anything() -> None:
    predicate = And((x(Op.NOT_EQ, 5), x(Op.EQ, 1)))
    found = judged(Scan(0, predicate), with_evidence())
    assert counted(predicate, found.verdicts) == [(1, 2), (3, 0)]


def test_only_evidence_that_can_matter_is_wanted() -> None:
    batch = row_groups()
    scans = [Scan(0, x(Op.LT, 3)), Scan(1, x(Op.EQ, 12)), Scan(2, x(Op.LT, 10))]
    files_kept = reach("TT", "TT", "TT", of=[0, 0, 1, 1])
    wanted = wanted_evidence(shapes(scans), batch, SPEC, files_kept)[1, "long"]
    # Scan 0 keeps the first row group, scan 1 the last two, scan 2 is proven by partitions.
    assert text(wanted.dictionary) == "TFTT"
    assert text(wanted.bloom_filter) == "FFTT"


@pytest.mark.parametrize(
    ("op", "values", "expected"),
    [
        pytest.param(Op.GT, (1.0,), "TT", id="nan-sorts-last"),
        pytest.param(Op.LT, (1.0,), "TF", id="nan-is-not-low"),
        pytest.param(Op.IS_NAN, (), "FT", id="is-nan"),
        pytest.param(Op.NOT_NAN, (), "TF", id="not-nan"),
        pytest.param(Op.EQ, (0.0,), "TF", id="negative-zero-equals-zero"),
    ],
)
def test_dictionaries_of_floats(op: Op, values: tuple[float, ...], expected: str) -> None:
    """{-0.0, 2.0} and {NaN}."""
    sets = ValueSets(
        pa.array([-0.0, 2.0, float("nan")]), np.array([0, 0, 1]), mask("TT"), mask("TT")
    )
    leaf = BoundComparison(op, Field(1, "d", "double"), values)
    said = Dictionaries(sets)(leaf_of(leaf), ICEBERG_1_12.row_groups)
    assert letters(said.packed(2), 2) == expected


@pytest.mark.parametrize("times", [13, 40])
@pytest.mark.parametrize("rules", [ICEBERG_1_12, FLOOR], ids=lambda rules: rules.name)
def test_many_row_groups_of_many_files_are_judged_as_few(rules: PlannerRules, times: int) -> None:
    """More than one word has bits for."""
    few = replace(row_groups(), dictionaries={(1, "long"): DICTIONARIES})
    many = replace(
        few,
        file=np.concatenate([few.file + 2 * number for number in range(times)]),
        records=np.tile(few.records, times),
        size=np.tile(few.size, times),
        partition=repeated(few.partition, times),
        metrics=repeated(few.metrics, times),
        dictionaries={
            (1, "long"): ValueSets(
                pa.concat_arrays([DICTIONARIES.values] * times),
                np.concatenate([DICTIONARIES.owner + 4 * number for number in range(times)]),
                np.tile(DICTIONARIES.complete, times),
                np.tile(DICTIONARIES.without_nulls, times),
            )
        },
    )
    for predicate in (x(Op.LT, 10), x(Op.EQ, 12), And((x(Op.NOT_EQ, 5), Or((x(Op.EQ, 7), TRUE))))):
        one, found = (judged(Scan(0, predicate, rules), batch) for batch in (few, many))
        for level, after in one.kept_after.items():
            whole = unpack(found.kept_after[level], 4 * times)
            assert text(whole[0]) == times * text(unpack(after, 4)[0])
        assert counted(predicate, found.verdicts) == [
            (times * pruned, times * unknown)
            for pruned, unknown in counted(predicate, one.verdicts)
        ]
        wanted = [
            wanted_evidence(
                shapes([Scan(0, predicate, rules)]),
                batch,
                SPEC,
                reach("T" * (int(batch.file.max()) + 1), of=batch.file.tolist()),
            )[1, "long"]
            for batch in (few, many)
        ]
        assert text(wanted[1].dictionary) == times * text(wanted[0].dictionary)
        assert text(wanted[1].bloom_filter) == times * text(wanted[0].bloom_filter)
