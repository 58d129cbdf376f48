"""Tables in which the property tests once found a pruned container with a matching row, or a
plan that depended on what else was planned."""

from __future__ import annotations

from decimal import Decimal

import pytest

from prunescope.audit_jobs.planning.local import replay
from prunescope.collectors.predicates.bind import bind
from prunescope.collectors.predicates.model import Column, Comparison, Predicate, any_of
from prunescope.collectors.predicates.operators import Op
from tests.property.lake import Lakes
from tests.property.strategies import Design, DesignColumn, Rows
from tests.property.test_soundness import check


@pytest.fixture
def lakes(tmp_path_factory: pytest.TempPathFactory) -> Lakes:
    return Lakes(tmp_path_factory.mktemp("lakes"))


def _design(columns: dict[str, str], partition: tuple[tuple[str, str], ...], rows: Rows) -> Design:
    created = tuple(DesignColumn(name, kind, required=False) for name, kind in columns.items())
    return Design(
        columns=created,
        partition=partition,
        properties={"write.parquet.row-group-limit": "1"},
        appends=(rows,),
        steps=(),
        final=created,
    )


def _leaf(op: Op, name: str, *values: float | Decimal | str) -> Comparison:
    return Comparison(op, Column((name,)), values)


@pytest.mark.parametrize(
    ("design", "predicate"),
    [
        pytest.param(
            # PyIceberg 0.12's compiled Avro decoder reads doubles with 32 bits: as infinity.
            _design({"d": "double"}, (("d", "identity"),), ({"d": 3.8e222},)),
            _leaf(Op.EQ, "d", 3.8e222),
            id="double-partition-beyond-float",
        ),
        pytest.param(
            _design({"d": "double"}, (("d", "identity"),), ({"d": 0.1},)),
            _leaf(Op.LT_EQ, "d", 0.1),
            id="double-partition-between-floats",
        ),
        pytest.param(
            _design({"s": "string"}, (), ({"s": "a"}, {"s": None})),
            _leaf(Op.NOT_STARTS_WITH, "s", ""),
            id="null-does-not-start-with-nothing",
        ),
    ],
)
def test_no_pruned_container_holds_a_matching_row(
    lakes: Lakes, design: Design, predicate: Predicate
) -> None:
    with lakes.holding(design) as lake:
        check(lake, [predicate])


@pytest.mark.parametrize(
    ("design", "predicate", "other"),
    [
        pytest.param(
            # As a whole the filter does not lift (v is no partition column), but its parts do:
            # only the file's partition value disproves so long a list.
            _design(
                {"p": "int", "v": "int"}, (("p", "identity"),), ({"p": 1, "v": 1}, {"p": 1, "v": 9})
            ),
            any_of(_leaf(Op.IN, "p", *range(1_000, 1_300)), _leaf(Op.GT, "v", 5)),
            _leaf(Op.EQ, "p", 1),
            id="part-of-an-or-lifts",
        ),
        pytest.param(
            # Longer than what partitions keep of a value, so only the strict lift exists; that
            # the partition does not prove the comparison leaves it to the row groups.
            _design({"s": "string"}, (("s", "truncate[2]"),), ({"s": "prefix"}, {"s": "prose"})),
            _leaf(Op.NOT_STARTS_WITH, "s", "prefix"),
            _leaf(Op.EQ, "s", "prose"),
            id="strict-lift-only",
        ),
    ],
)
def test_a_plan_does_not_depend_on_the_other_plans(
    lakes: Lakes, design: Design, predicate: Predicate, other: Predicate
) -> None:
    with lakes.holding(design) as lake:
        snapshot = lake.table.metadata.current_snapshot()
        schema = lake.table.metadata.schema(snapshot)
        bound, also = bind(predicate, schema), bind(other, schema)
        (alone,) = replay(lake.table, snapshot, [bound])
        together, _ = replay(lake.table, snapshot, [bound, also])
    assert alone == together
    assert alone.summary is not None
    assert (alone.summary.row_groups.considered, alone.summary.row_groups.kept) == (2, 1)
