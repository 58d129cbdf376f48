"""Which ranges of a column's values a sort may have first."""

from __future__ import annotations

from dataclasses import replace

import pytest

from prunescope.audit_jobs.findings.ranges_of_values import are_in_ranges, roundings
from prunescope.audit_jobs.findings.thresholds import Thresholds
from prunescope.audit_jobs.findings.usage import TableUsage
from prunescope.collectors.predicates.literals import PhysicalValue
from tests.audit_jobs.findings.groups import usage_of
from tests.audit_jobs.findings.strategies import TABLE, metadata
from tests.audit_jobs.findings.workloads import HEALTH

FILES = 100


def usage(partitions: int | None = None, depth: float | None = None) -> TableUsage:
    """A table of some files, so many of which have a value of any column."""
    health = replace(
        HEALTH,
        data_files=FILES,
        partitions=partitions,
        partition_files=None if partitions is None else FILES / partitions,
        columns=tuple(replace(column, depth=depth) for column in HEALTH.columns),
    )
    return usage_of(TABLE, (), metadata([], {}), health, Thresholds())


USAGE = usage()


def _of(kind: str, low: PhysicalValue | None, high: PhysicalValue | None) -> TableUsage:
    health = USAGE.health
    assert health is not None
    column = replace(health.columns[0], name="c", type=kind, low=low, high=high)
    return replace(USAGE, health=replace(health, columns=(column,)))


@pytest.mark.parametrize(
    ("kind", "low", "high", "widths"),
    [
        pytest.param("long", 0, 7999, [1600, 800, 400], id="of 100 files 5, 10 and 20"),
        pytest.param("int", -50, 49, [20, 10, 5], id="of few numbers"),
        pytest.param("long", 1, 10, [2], id="no range of one value"),
        pytest.param("long", 0, 123_456, [25_000, 12_000, 6_200], id="two digits"),
        pytest.param("long", 0, 2**40, [], id="wider than Iceberg has them"),
        pytest.param("long", 7, 7, [], id="one value"),
        pytest.param("long", None, 7, [], id="no bounds"),
        pytest.param("string", b"user-00", b"user-99", [6], id="the first character that differs"),
        pytest.param("string", b"00ab", b"ffe1", [1], id="texts of anything"),
        pytest.param("string", b"a", b"a", [], id="one text"),
        pytest.param("double", 0.0, 9.0, [], id="of a type that is not cut"),
        pytest.param("date", 0, 900, [], id="of a time"),
    ],
)
def test_ranges(
    kind: str, low: PhysicalValue | None, high: PhysicalValue | None, widths: list[int]
) -> None:
    assert roundings(_of(kind, low, high), "c") == [f"truncate[{width}]" for width in widths]


def test_ranges_are_of_the_files_of_a_partition() -> None:
    found = usage(partitions=25)
    assert roundings(found, "id") == ["truncate[500000]", "truncate[250000]"]
    assert roundings(found, "unknown") == []


@pytest.mark.parametrize(
    ("id_depth", "ts_depth", "holds"),
    [
        pytest.param(10, 10, True, id="ranges of one in order of the other"),
        pytest.param(20, 7, True, id="half as many ranges"),
        pytest.param(100, 1, False, id="in order of one"),
        pytest.param(1, 100, False, id="narrow ranges"),
        pytest.param(100, 100, False, id="in no order"),
        pytest.param(None, 10, False, id="no bounds"),
    ],
)
def test_of_100_files_few_hold_a_value_of_either(
    id_depth: float | None, ts_depth: float | None, holds: bool
) -> None:
    depths = {"id": id_depth, "ts": ts_depth}
    health = USAGE.health
    assert health is not None
    columns = [replace(column, depth=depths.get(column.name)) for column in health.columns]
    found = replace(USAGE, health=replace(health, columns=tuple(columns)))
    assert are_in_ranges(found, ("id", "ts")) is holds
    assert not are_in_ranges(found, ("id", "unknown"))


@pytest.mark.parametrize(("mixed", "holds"), [(0.2, True), (0.9, False), (None, False)])
def test_of_partitions_few_of_their_files_hold_it(mixed: float | None, holds: bool) -> None:
    found = usage(partitions=4, depth=60)
    assert found.health is not None
    columns = tuple(replace(column, mixed=mixed) for column in found.health.columns)
    health = replace(found.health, columns=columns, files_by_spec={found.health.spec_id: FILES})
    found = replace(found, health=health)
    assert are_in_ranges(found, ("id", "ts")) is holds
