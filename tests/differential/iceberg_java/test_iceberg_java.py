"""The product's replay agrees with Iceberg Java's own planner, and with its Parquet reader on row
groups, counter by counter.

PRUNESCOPE_SCANS_PER_TABLE changes how many filters each table is asked; without it, a few are
asked of some of the tables.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from prunescope.audit_jobs.pruning.rules import (
    ICEBERG_1_10,
    ICEBERG_1_11,
    ICEBERG_1_12,
    PlannerRules,
)
from tests.differential.iceberg_java.comparison import COUNTERS, Compared, Failed, compare
from tests.differential.iceberg_java.differences import (
    BEFORE_1_10,
    BEFORE_1_12,
    DIFFERENCES,
    Difference,
    Kind,
)
from tests.differential.iceberg_java.lake import Answer, Lake, judge, write_lake
from tests.differential.iceberg_java.tables import SOME, table_cases
from tests.differential.summary import Summary, tell
from tests.jars import artefact

pytestmark = [pytest.mark.slow(minutes=2), pytest.mark.exhaustive]

_WANTED = os.environ.get("PRUNESCOPE_SCANS_PER_TABLE")
SCANS_PER_TABLE = int(_WANTED or 16)
_OF_OLDER = SCANS_PER_TABLE // (3 if _WANTED else 4)
"""Of releases before the newest one, which differ in little."""
_RUNTIME = "org.apache.iceberg:iceberg-spark-runtime-4.1_2.13"
_WRITER = f"{_RUNTIME}:1.12.0"

# Exceptions that Iceberg raises on filters that are fine.
RAISES = (
    # IN and NOT IN on a null partition of strings (1.11.0; apache/iceberg#18124)
    "NullPointerException: Invalid object: null",
    # a transform on a column that another transform partitions (apache/iceberg#15502)
    "ValidationException: Invalid value for conversion to type",
    # a time in nanoseconds, lifted onto an identity partition (apache/iceberg#13160)
    "ArithmeticException: long overflow",
    # a prefix of a null partition
    'NullPointerException: Cannot invoke "String.startsWith(String)"',
    # Parquet statistics of UUIDs (1.9)
    "ClassCastException: class java.util.UUID cannot be cast to class java.nio.ByteBuffer",
)


@dataclass(frozen=True)
class Version:
    """A release of Iceberg: its runtime for some Spark, the rules it plans by, and where the
    product is known to differ."""

    name: str
    runtime: str
    rules: PlannerRules
    differences: tuple[Difference, ...] = DIFFERENCES


NEWEST = Version("1.12.0", _WRITER, ICEBERG_1_12)
VERSIONS = (
    NEWEST,
    Version("1.11.0", f"{_RUNTIME}:1.11.0", ICEBERG_1_11, BEFORE_1_12),
    Version(
        "1.10.1",
        "org.apache.iceberg:iceberg-spark-runtime-4.0_2.13:1.10.1",
        ICEBERG_1_10,
        BEFORE_1_12,
    ),
    Version(
        "1.9.2",
        "org.apache.iceberg:iceberg-spark-runtime-3.5_2.12:1.9.2",
        ICEBERG_1_10,
        BEFORE_1_10,
    ),
)


@dataclass(frozen=True)
class Comparison:
    """What a version of Iceberg says, and the product's plan of each scan that it plans."""

    version: Version
    answers: Sequence[Answer]
    compared: Sequence[Compared]
    failed: Sequence[Failed]


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory, require_program: Callable[[str], Path]) -> Lake:
    require_program("java")
    cases = [case for case in table_cases() if _WANTED or case.name in SOME]
    iceberg = artefact(_WRITER, require_program)
    return write_lake(tmp_path_factory.mktemp("lake"), iceberg, cases)


@pytest.fixture(scope="module")
def comparisons(lake: Lake, require_program: Callable[[str], Path]) -> Mapping[Version, Comparison]:
    answers = {
        version: judge(
            lake,
            artefact(version.runtime, require_program),
            SCANS_PER_TABLE if version is NEWEST else _OF_OLDER,
        )
        for version in VERSIONS
    }
    plans = compare(
        lake, [(one.name, v, one.rules) for one, judged in answers.items() for v in judged]
    )
    return {
        version: Comparison(
            version,
            judged,
            [plan for plan in plans[version.name] if isinstance(plan, Compared)],
            [plan for plan in plans[version.name] if isinstance(plan, Failed)],
        )
        for version, judged in answers.items()
    }


@pytest.fixture(scope="module", params=VERSIONS, ids=lambda version: version.name)
def comparison(
    request: pytest.FixtureRequest, comparisons: Mapping[Version, Comparison]
) -> Comparison:
    found = comparisons[request.param]
    tell(*summed_up(found))
    return found


def summed_up(comparison: Comparison) -> tuple[Summary, Counter[str]]:
    """Scans compared, equal, and different by the names of the differences."""
    differences = comparison.version.differences
    different = [scan for scan in comparison.compared if scan.different]
    unknown = [
        [kind for kind in scan.kinds if not scan.explanations(kind, differences)]
        for scan in different
    ]
    names = Counter(
        found[0].name
        for scan in different
        for kind in scan.kinds
        if (found := scan.explanations(kind, differences))
    )
    summary = Summary(
        engine="Iceberg",
        version=comparison.version.name,
        tables=len({answer.table for answer in comparison.answers}),
        scans=len(comparison.compared),
        refused=sum(answer.raises is not None for answer in comparison.answers),
        equal=len(comparison.compared) - len(different),
        explained=sum(not kinds for kinds in unknown),
        unexplained=sum(bool(kinds) for kinds in unknown),
        over_pruned=sum(Kind.FEWER in kinds for kinds in unknown),
    )
    return summary, names


def test_enough_is_compared(comparison: Comparison) -> None:
    tables = {answer.table for answer in comparison.answers}
    assert len(tables) >= (100 if _WANTED else 50)
    raised = sum(answer.raises is not None for answer in comparison.answers)
    assert raised <= len(comparison.answers) / 50


def test_plans_whatever_iceberg_plans(comparison: Comparison) -> None:
    assert Counter((failed.answer.table, failed.code) for failed in comparison.failed) == {}


def test_iceberg_raises_only_for_what_is_known(comparison: Comparison) -> None:
    raised = [answer.raises for answer in comparison.answers if answer.raises is not None]
    assert [text for text in raised if not any(known in text for known in RAISES)] == []


def test_keeps_whatever_iceberg_keeps(comparison: Comparison) -> None:
    assert _unexplained(comparison, Kind.FEWER) == []


def test_keeps_no_more_than_iceberg(comparison: Comparison) -> None:
    assert _unexplained(comparison, Kind.MORE) == []


@pytest.mark.parametrize("counter", COUNTERS)
def test_counter_is_compared(comparison: Comparison, counter: str) -> None:
    """And does not only ever say 0."""
    found = [scan.counters[counter] for scan in comparison.compared if counter in scan.counters]
    assert any(theirs == ours > 0 for theirs, ours in found)


@pytest.mark.parametrize("comparison", [NEWEST], indirect=True, ids=lambda version: version.name)
def test_every_difference_is_needed(comparison: Comparison) -> None:
    """For some scan that no other one explains."""
    explanations = (
        scan.explanations(kind, DIFFERENCES) for scan in comparison.compared for kind in scan.kinds
    )
    needed = {found[0] for found in explanations if len(found) == 1}
    assert [difference.name for difference in DIFFERENCES if difference not in needed] == []


def _unexplained(comparison: Comparison, kind: Kind) -> list[str]:
    return [
        f"{scan.answer.table}: {json.dumps(scan.answer.filter)}: {scan.different}"
        for scan in comparison.compared
        if kind in scan.kinds and not scan.explanations(kind, comparison.version.differences)
    ]
