"""Engines that read tables without a server (PyIceberg, Polars, DuckDB, DataFusion, ClickHouse)
answer no row that the product's plan leaves out, and read what it keeps, or a named rule says why
not.

PRUNESCOPE_SCANS_PER_TABLE changes how many conditions each table is asked.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from types import ModuleType

import pytest

from tests.differential.iceberg_java.values import seeded
from tests.differential.readers import forms
from tests.differential.readers.comparison import Compared, Engine, Refused, compare
from tests.differential.readers.conditions import Condition, random_condition, sql
from tests.differential.readers.differences import DIFFERENCES, Kind, explanations, kinds
from tests.differential.readers.tables import Lake, write_lakes
from tests.differential.summary import Summary, tell

pytestmark = [pytest.mark.slow, pytest.mark.exhaustive]

_WANTED = os.environ.get("PRUNESCOPE_SCANS_PER_TABLE")
# PyIceberg refuses some.
SCANS_PER_TABLE = int(_WANTED) * 11 // 10 if _WANTED else 8

# The package of each engine, the module that asks it, and the class in it.
ENGINES = (
    ("pyiceberg", "by_pyiceberg", "PyIceberg"),
    ("polars", "by_polars", "Polars"),
    ("duckdb", "by_duckdb", "DuckDb"),
    ("datafusion", "by_datafusion", "DataFusion"),
    ("chdb", "by_clickhouse", "ClickHouse"),
)

_NAMES = ("PyIceberg", "Polars", "DuckDB", "DataFusion", "ClickHouse")

# What PyIceberg raises on ranges over a column with a null partition, in the residual.
RAISES = "not supported between instances of 'NoneType' and"


@dataclass(frozen=True)
class Comparison:
    """What an engine reads and the product plans, and the conditions that the engine refuses."""

    engine: Engine
    compared: Sequence[Compared]
    refused: Sequence[tuple[Condition, Refused]]


@pytest.fixture(scope="module")
def lakes(tmp_path_factory: pytest.TempPathFactory) -> Sequence[Lake]:
    return list(write_lakes(tmp_path_factory.mktemp("readers")))


@pytest.fixture(scope="module")
def compared(lakes: Sequence[Lake]) -> Callable[[str, str], Comparison]:
    """The comparison of an engine, by the module that asks it and the class in it: made once, in
    whatever order tests ask for it."""

    @cache
    def made(module: str, name: str) -> Comparison:
        engine: Engine = getattr(import_module(f"tests.differential.readers.{module}"), name)()
        scans: list[Compared] = []
        refused: list[tuple[Condition, Refused]] = []
        for lake in lakes:
            random_ = seeded(lake.name)
            asked = [random_condition(random_) for _ in range(SCANS_PER_TABLE)]
            for found in compare(engine, lake, asked):
                if isinstance(found, Compared):
                    scans.append(found)
                else:
                    refused.append(found)
        comparison = Comparison(engine, scans, refused)
        tell(*summed_up(comparison))
        return comparison

    return made


@pytest.fixture(params=ENGINES, ids=lambda engine: engine[0])
def comparison(
    request: pytest.FixtureRequest,
    compared: Callable[[str, str], Comparison],
    require_package: Callable[[str], ModuleType],
) -> Comparison:
    package, module, name = request.param
    require_package(package)
    return compared(module, name)


def summed_up(comparison: Comparison) -> tuple[Summary, Counter[str]]:
    """Scans compared, equal, and different by the names of the differences."""
    scans = comparison.compared
    different = [scan for scan in scans if kinds(scan)]
    unexplained = [scan for scan in different if _unknown(comparison, scan)]
    names = Counter(
        f"{kind.name.lower().replace('_', ' ')}: {known[0].name}"
        for scan in different
        for kind in kinds(scan)
        if (known := explanations(comparison.engine.name, scan, kind))
    )
    summary = Summary(
        engine=comparison.engine.name,
        version=comparison.engine.version,
        tables=len({scan.lake.name for scan in scans}),
        scans=len(scans),
        refused=len(comparison.refused),
        equal=len(scans) - len(different),
        explained=len(different) - len(unexplained),
        unexplained=len(unexplained),
        over_pruned=sum(bool(scan.over_pruned) for scan in scans),
    )
    return summary, names


def _unknown(comparison: Comparison, scan: Compared) -> list[Kind]:
    name = comparison.engine.name
    return [kind for kind in kinds(scan) if not explanations(name, scan, kind)]


def test_enough_is_compared(comparison: Comparison) -> None:
    scans = comparison.compared
    asked = len(scans) + len(comparison.refused)
    assert asked >= 60
    assert len(comparison.refused) <= asked / 10
    assert all(RAISES in str(error) for _, error in comparison.refused)
    row_groups = [scan for scan in scans if 0 < _kept(scan) < len(scan.lake.rows)]
    assert len(row_groups) > asked / 4, "scans that keep some row groups and not all"
    assert any(scan.answer for scan in scans)


def _kept(scan: Compared) -> int:
    return sum(scan.ours.keeps(home) for home in scan.lake.rows)


def test_the_page_on_engines_tells_what_was_measured(
    comparison: Comparison, lakes: Sequence[Lake]
) -> None:
    forms.check(comparison.engine, _NAMES, lakes[0])


def test_every_difference_is_needed(comparison: Comparison, lakes: Sequence[Lake]) -> None:
    """For its case, which no other one explains."""
    name = comparison.engine.name
    needless = []
    for known in DIFFERENCES[name]:
        lake = next(lake for lake in lakes if lake.name == known.table)
        (scan,) = compare(comparison.engine, lake, [known.case])
        assert isinstance(scan, Compared)
        if not any(explanations(name, scan, kind) == [known] for kind in kinds(scan)):
            needless.append(f"{known.name}: {_shown(scan)}")
    assert needless == []


def test_no_row_that_is_wanted_is_ruled_out(comparison: Comparison) -> None:
    found = [_shown(scan) for scan in comparison.compared if scan.over_pruned]
    assert found == []


@pytest.mark.parametrize("kind", Kind, ids=lambda kind: kind.name.lower())
def test_agrees(comparison: Comparison, kind: Kind) -> None:
    """In the files and row groups that are read (no more, and no fewer), and in the answers."""
    found = [_shown(scan) for scan in comparison.compared if kind in _unknown(comparison, scan)]
    assert found == []


def _shown(scan: Compared) -> str:
    rows = sorted(scan.answer ^ scan.theirs.rows)
    return (
        f"{scan.lake.name}: {sql(scan.condition)}: files {scan.files}, row groups"
        f" {scan.row_groups}, rows that differ {rows[:5]}, that are lost {sorted(scan.lost)[:5]}"
    )
