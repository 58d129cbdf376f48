"""The passes over small batches: a table of long `x` (id 1), partitioned by truncate[10](x)."""

from collections.abc import Sequence
from dataclasses import fields, replace

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from prunescope.audit_jobs.pruning import verdicts
from prunescope.audit_jobs.pruning.counts import no_counts
from prunescope.audit_jobs.pruning.packed import unpack
from prunescope.audit_jobs.pruning.passes import prune_files, prune_manifests
from prunescope.audit_jobs.pruning.row_groups import FooterNeeds
from prunescope.audit_jobs.pruning.rules import FLOOR, ICEBERG_1_12, PlannerRules
from prunescope.audit_jobs.pruning.scans import Scan
from prunescope.audit_jobs.pruning.shapes import shapes
from prunescope.audit_jobs.pruning.verdicts import Verdicts
from prunescope.collectors.partitioning import PartitionField, PartitionSpec
from prunescope.collectors.predicates.model import (
    FALSE,
    TRUE,
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
from prunescope.collectors.statistics import (
    ColumnStatistics,
    FileBatch,
    ManifestBatch,
    Statistics,
    constant,
    from_counts,
    from_summaries,
    from_values,
)
from tests.audit_jobs.pruning.judging import reach

X = Field(1, "x", "long")
SPEC = PartitionSpec(1, (PartitionField(1000, 1, "p", "truncate[10]", "long", "long"),))
UNSUPPORTED = Unsupported(Reason.FUNCTION, "f(x)", "f(x)")


def x(op: Op, *values: int) -> Predicate:
    return BoundComparison(op, X, values)


def mask(text: str) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    return np.array([letter == "T" for letter in text], np.bool_)


def text(found: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> str:
    return "".join("T" if one else "F" for one in found)


def counted(predicate: Predicate, verdict: Verdicts) -> list[tuple[int, int]]:
    """Of each conjunct, what it alone rules out, and of how much nothing is known."""
    found = no_counts([Scan(0, predicate)])
    found.add_conjuncts(("data_files_pruned", "data_files_unknown"), verdict)
    numbers = found.of_all_conjuncts()
    pruned, unknown = numbers["data_files_pruned"], numbers["data_files_unknown"]
    return list(zip(pruned.tolist(), unknown.tolist(), strict=True))


def longs(values: Sequence[int | None]) -> pa.Array:
    return pa.array(values, pa.int64())


def metrics(*bounds: tuple[int, int] | None) -> dict[tuple[int, str], ColumnStatistics]:
    """Columns without nulls; None for containers of which nothing is known."""
    counts = [None if b is None else 0 for b in bounds]
    column = from_counts(
        longs([None if b is None else b[0] for b in bounds]),
        longs([None if b is None else b[1] for b in bounds]),
        null_count=longs(counts),
        nan_count=None,
        value_count=longs([None if b is None else 9 for b in bounds]),
    )
    return {(1, "long"): column}


def manifests() -> ManifestBatch:
    """Partitions 0 to 20; 30 to 50; 30 to 50 without live entries; not summarised."""
    column = from_summaries(
        longs([0, 30, 30, None]),
        longs([20, 50, 50, None]),
        has_lower=pa.array([True, True, True, None]),
        has_upper=pa.array([True, True, True, None]),
        contains_null=pa.array([False, False, False, None]),
        contains_nan=None,
    )
    statistics = Statistics(4, constant(False, 4), {(1000, "long"): column})
    return ManifestBatch(1, np.arange(4), mask("TTFT"), statistics)


@pytest.mark.parametrize(
    ("predicate", "kept", "conjuncts"),
    [
        pytest.param(TRUE, "TTFT", [], id="no-filter"),
        pytest.param(FALSE, "FFFF", [(4, 0)], id="false"),
        pytest.param(x(Op.EQ, 5), "TFFT", [(2, 1)], id="eq"),
        pytest.param(And((x(Op.GT_EQ, 25), x(Op.LT, 30))), "TFFT", [(0, 1), (2, 1)], id="range"),
        pytest.param(
            And((x(Op.EQ, 5), UNSUPPORTED)),
            "TFFT",
            [(2, 1), (0, 0)],
            id="unsupported-prunes-nothing",
        ),
        pytest.param(Or((x(Op.EQ, 5), x(Op.EQ, 45))), "TTFT", [(0, 1)], id="or"),
    ],
)
def test_manifests(predicate: Predicate, kept: str, conjuncts: list[tuple[int, int]]) -> None:
    found = shapes([Scan(7, predicate)])
    (verdict,) = prune_manifests(found, manifests(), SPEC, reach("T", of=[0] * 4))
    assert text(verdict.considered[0]) == "TTTT"
    assert text(verdict.kept[0]) == kept
    assert counted(predicate, verdict) == conjuncts


def files() -> FileBatch:
    """x in 0 to 4; 5 to 9; 10 to 19; not known; 30 to 39 in another format than Parquet."""
    count = 5
    partition = from_values(longs([0, 0, 10, 20, 30]))
    return FileBatch(
        spec_id=1,
        manifest=np.arange(count),
        paths=pa.array(list("abcde")),
        content=np.zeros(count, np.int64),
        sequence_number=np.zeros(count, np.int64),
        records=np.full(count, 9),
        size=np.full(count, 100),
        row_groups=np.ones(count, np.int64),
        parquet=mask("TTTTF"),
        partition=Statistics(count, constant(False, count), {(1000, "long"): partition}),
        metrics=Statistics(
            count, constant(False, count), metrics((0, 4), (5, 9), (10, 19), None, (30, 39))
        ),
    )


@pytest.mark.parametrize(
    ("predicate", "reached", "kept", "conjuncts"),
    [
        pytest.param(TRUE, "TTTTT", "TTTTT", [], id="no-filter"),
        pytest.param(x(Op.LT, 5), "TTTTT", "TFFFF", [(4, 0)], id="metrics-within-a-partition"),
        pytest.param(x(Op.EQ, 25), "TTTTT", "FFFTF", [(4, 1)], id="partition-without-metrics"),
        pytest.param(x(Op.LT, 5), "FTTFF", "FFFFF", [(2, 0)], id="only-what-is-considered"),
        pytest.param(
            And((x(Op.GT_EQ, 5), x(Op.LT, 10))), "TTTTT", "FTFFF", [(1, 1), (3, 0)], id="range"
        ),
    ],
)
def test_files(
    predicate: Predicate, reached: str, kept: str, conjuncts: list[tuple[int, int]]
) -> None:
    found = shapes([Scan(0, predicate)])
    (verdict,) = prune_files(found, files(), SPEC, reach(reached))
    assert text(verdict.considered[0]) == reached
    assert text(verdict.kept[0]) == kept
    assert counted(predicate, verdict) == conjuncts


@pytest.mark.parametrize(
    ("predicate", "unmeasured"),
    [
        pytest.param(x(Op.EQ, 25), [1], id="kept-and-not-measured"),
        pytest.param(And((x(Op.EQ, 25), UNSUPPORTED)), [1, 1], id="not-understood"),
        pytest.param(And((x(Op.GT_EQ, 5), x(Op.LT, 10))), [0, 0], id="ruled-out-by-another"),
        pytest.param(x(Op.LT, 5), [0], id="measured"),
    ],
)
def test_kept_files_of_which_metadata_does_not_tell(
    predicate: Predicate, unmeasured: list[int]
) -> None:
    (verdict,) = prune_files(shapes([Scan(0, predicate)]), files(), SPEC, reach("TTTTT"))
    found = no_counts([Scan(0, predicate)])
    found.add_unmeasured("data_files_unmeasured", verdict)
    assert found.of_all_conjuncts()["data_files_unmeasured"].tolist() == unmeasured


conditions = st.one_of(
    st.builds(x, st.sampled_from([Op.LT_EQ, Op.EQ, Op.NOT_EQ]), st.sampled_from([0, 7, 12, 45])),
    st.just(Or((x(Op.LT, 5), x(Op.GT, 30)))),
    st.just(UNSUPPORTED),
)
asked_scans = st.lists(
    st.tuples(
        st.lists(conditions, max_size=3).map(lambda parts: all_of(*parts)),
        st.sampled_from([ICEBERG_1_12, FLOOR]),
        st.sampled_from(["TTTTT", "TFTFT", "FFTTT"]),
    ),
    min_size=1,
    max_size=8,
)
PASS = ("data_files_pruned", "data_files_unknown")


cells = st.sampled_from([1, 15, 60, verdicts.CELLS])


@given(asked=asked_scans, judged=cells, combined=cells)
def test_scans_are_judged_together_as_alone(
    asked: list[tuple[Predicate, PlannerRules, str]], judged: int, combined: int
) -> None:
    """In portions and cohorts of any size, also those of several snapshots, which have the same
    literals and reach other files."""
    everyone = [Scan(number, filter_, rules) for number, (filter_, rules, _) in enumerate(asked)]
    counts = no_counts(everyone)
    together = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(verdicts, "JUDGED", judged)
        patch.setattr(verdicts, "CELLS", combined)
        masks = reach(*(mask_of_scan for _, _, mask_of_scan in asked))
        for verdict in prune_files(shapes(everyone), files(), SPEC, masks):
            counts.add_conjuncts(PASS, verdict)
            for position, kept in zip(verdict.scans.tolist(), verdict.kept, strict=True):
                together[position] = text(kept)
    for number, (filter_, _, mask_of_scan) in enumerate(asked):
        own = slice(counts.first[number], counts.first[number + 1])
        (alone,) = prune_files(shapes([everyone[number]]), files(), SPEC, reach(mask_of_scan))
        assert together[number] == text(alone.kept[0])
        numbers = (counts.of_all_conjuncts()[name][own].tolist() for name in PASS)
        assert list(zip(*numbers, strict=True)) == counted(filter_, alone)


@pytest.mark.parametrize("times", [1, 13, 40])
def test_many_containers_are_judged_as_few(times: int) -> None:
    """More than one word has bits for."""
    batch = files()
    many = replace(
        batch,
        manifest=np.zeros(5 * times, np.int64),
        parquet=np.tile(batch.parquet, times),
        partition=repeated(batch.partition, times),
        metrics=repeated(batch.metrics, times),
    )
    asked = [x(Op.LT, 5), And((x(Op.EQ, 25), UNSUPPORTED)), Or((x(Op.EQ, 7), x(Op.GT, 30))), TRUE]
    for predicate in asked:
        found = shapes([Scan(0, predicate)])
        (one,) = prune_files(found, batch, SPEC, reach("T", of=[0] * 5))
        (verdict,) = prune_files(found, many, SPEC, reach("T", of=[0] * 5 * times))
        assert text(verdict.kept[0]) == times * text(one.kept[0])
        assert counted(predicate, verdict) == [
            (times * pruned, times * unknown) for pruned, unknown in counted(predicate, one)
        ]
        needed = unpack(FooterNeeds(many, SPEC)(verdict), 5 * times)
        assert text(needed[0]) == times * text(unpack(FooterNeeds(batch, SPEC)(one), 5)[0])


def repeated(statistics: Statistics, times: int) -> Statistics:
    """The same containers so many times."""
    columns = {
        key: ColumnStatistics(
            *(pa.concat_arrays([getattr(column, fact.name)] * times) for fact in fields(column))
        )
        for key, column in statistics.columns.items()
    }
    return Statistics(
        statistics.count * times, pa.concat_arrays([statistics.empty] * times), columns
    )
