"""Which comparisons select whole partitions: many at once as each alone, by what they lift to."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from prunescope.audit_jobs.pruning.literals import Leaf, compared_type, family, literals_of
from prunescope.audit_jobs.pruning.selection import leaf_selects_partitions, selects_partitions
from prunescope.collectors.partitioning import PartitionField, PartitionSpec, result_type
from prunescope.collectors.predicates.model import BoundComparison, Or
from tests.audit_jobs.pruning.test_lifting_properties import CASES, comparisons

TRANSFORMS = ("identity", "truncate[10]", "bucket[4]", "hour", "day", "month", "year", "void")


@st.composite
def specs(draw: st.DrawFn, type_name: str) -> list[PartitionSpec]:
    fields = st.sampled_from([t for t in TRANSFORMS if result_type(t, type_name)])
    found = draw(st.lists(st.lists(fields, max_size=2), max_size=2))
    return [
        PartitionSpec(
            number,
            tuple(
                PartitionField(
                    1000 + i, draw(st.sampled_from([1, 1, 1, 2])), "p", t, type_name,
                    result_type(t, type_name),
                )
                for i, t in enumerate(transforms)
            ),
        )
        for number, transforms in enumerate(found)
    ]  # fmt: skip


@st.composite
def cases(draw: st.DrawFn) -> tuple[list[BoundComparison], list[PartitionSpec]]:
    transform, type_name = draw(st.sampled_from(list(CASES)))
    first = draw(comparisons(transform, type_name))
    others = draw(st.lists(comparisons(transform, type_name), max_size=8))
    same = [part for part in others if family(part.op) is family(first.op)]
    return [first, *same], draw(specs(type_name))


@given(cases())
def test_many_literals_are_judged_as_each_alone(
    case: tuple[list[BoundComparison], list[PartitionSpec]],
) -> None:
    parts, of_data = case
    op, field = family(parts[0].op), parts[0].field
    leaf = Leaf(op, field, literals_of([p.values for p in parts], compared_type(op, field)))
    # An OR of one arm is compared as the predicates that it lifts to.
    expected = [selects_partitions(Or((part,)), of_data) for part in parts]
    assert leaf_selects_partitions(leaf, of_data).tolist() == expected
