"""The product's Spark profile agrees with what real Sparks hand to Iceberg, for conditions of every
operator, type and form of literal; and audits of their event logs, and `explain`, count what
Iceberg counted.

Without PRUNESCOPE_SCANS_PER_TABLE, the installed Spark is asked a few; with it, every version is
asked twice as many of each table, and many more forms of literals.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from pyspark import __version__ as installed

from prunescope.collectors.predicates.render import render
from prunescope.collectors.sql.planners.profiles import planner_of
from tests.differential import page
from tests.differential.iceberg_java.values import seeded
from tests.differential.spark import forms, not_null
from tests.differential.spark.comparison import Compared, compare
from tests.differential.spark.conditions import Condition, every_form, random_condition
from tests.differential.spark.differences import DIFFERENCES, Difference, Kind, explanations, kinds
from tests.differential.spark.engine import judge
from tests.differential.spark.tables import NAMES
from tests.differential.summary import Summary, tell
from tests.jars import ICEBERG_SPARK, artefact, packaged

pytestmark = [pytest.mark.spark, pytest.mark.slow, pytest.mark.exhaustive]

_WANTED = os.environ.get("PRUNESCOPE_SCANS_PER_TABLE")
SCANS_PER_TABLE = 2 * int(_WANTED) if _WANTED else 12
_SOME_FORMS, _MANY_FORMS = 60, 1_200
_FEWER = frozenset({Kind.FEWER, Kind.AUDITS_FEWER})
# Those that are not installed come from packages of their own.
_VERSIONS = ("3.5.9", "4.0.1", "4.1.4")


@dataclass(frozen=True)
class Found:
    """What a version of Spark pushes and the profile says, and the conditions that it refuses."""

    version: str
    compared: Sequence[Compared]
    refused: Sequence[tuple[Condition, str]]


def _asked() -> Iterator[tuple[str, Condition]]:
    literals = every_form()
    some = seeded("forms").sample(literals, _MANY_FORMS if _WANTED else _SOME_FORMS)
    for form in (*forms.CONDITIONS, *some):
        yield "plain", form
    checked = [
        Condition(sql, "UTC")
        for sql in not_null.recorded()
        if sql not in not_null.inferred_otherwise()
    ]
    for each in checked if _WANTED else seeded("not null").sample(checked, _SOME_FORMS):
        yield "plain", each
    for known in DIFFERENCES:
        yield known.table, Condition(known.case, "UTC")
    for name in NAMES:
        random_ = seeded(name)
        for _ in range(SCANS_PER_TABLE):
            yield name, random_condition(random_)


@pytest.fixture(scope="module", params=_VERSIONS if _WANTED or page.IS_WRITTEN else (installed,))
def found(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    require_program: Callable[[str], Path],
) -> Found:
    version: str = request.param
    iceberg = ICEBERG_SPARK[".".join(version.split(".")[:2])]
    spark = None if version == installed else packaged(f"pyspark=={version}")
    jar = artefact(iceberg, require_program)
    judged = judge(tmp_path_factory.mktemp("spark"), jar, list(_asked()), spark)
    planner = planner_of("spark", version, iceberg.rpartition(":")[2])
    assert planner is not None
    audited = judged.audited()
    compared: list[Compared] = []
    for name in NAMES:
        asked = [one for one in judged.asked if one.table == name]
        compared += compare(judged.open(name), planner, asked, audited)
    made = Found(version, compared, judged.refused)
    tell(*summed_up(made))
    return made


def summed_up(found: Found) -> tuple[Summary, Counter[str]]:
    """Scans compared, equal, and different by the names of the differences."""
    scans = found.compared
    different = [scan for scan in scans if kinds(scan)]
    unknown = [scan for scan in different if _unknown(found, scan)]
    names = Counter(
        f"{kind.name.lower().replace('_', ' ')}: {known[0].name}"
        for scan in different
        for kind in kinds(scan)
        if (known := explanations(found.version, scan, kind))
    )
    summary = Summary(
        engine="Spark",
        version=found.version,
        tables=len(NAMES),
        scans=len(scans),
        refused=len(found.refused),
        equal=len(scans) - len(different),
        explained=len(different) - len(unknown),
        unexplained=len(unknown),
        over_pruned=sum(not _FEWER.isdisjoint(_unknown(found, scan)) for scan in unknown),
    )
    return summary, names


def _unknown(found: Found, scan: Compared) -> list[Kind]:
    return [kind for kind in kinds(scan) if not explanations(found.version, scan, kind)]


def test_enough_is_compared(found: Found) -> None:
    scans = found.compared
    assert len(scans) >= (2_000 if _WANTED else 150)
    assert len(found.refused) <= len(scans) / 10
    counted = [scan for scan in scans if scan.asked.counters]
    assert len(counted) > len(scans) / 2
    assert sum(scan.audited is not None for scan in counted) == len(counted)
    assert any(scan.asked.counters["resultDataFiles"] > 0 for scan in counted)


@pytest.mark.parametrize("kind", Kind, ids=lambda kind: kind.name.lower())
def test_agrees(found: Found, kind: Kind) -> None:
    """In what is pushed, and in the counts of `explain` and of the audit."""
    assert [_shown(scan) for scan in found.compared if kind in _unknown(found, scan)] == []


def _shown(scan: Compared) -> str:
    theirs, ours = ([render(part) for part in side] for side in scan.pushed)
    return (
        f"{scan.asked.table} ({scan.asked.condition.zone}): {scan.asked.condition.sql}: only Spark"
        f" pushes {theirs}, only the profile {ours}; explained {scan.explained}, audited"
        f" {scan.audit}"
    )


def test_the_page_on_engines_tells_what_was_measured(found: Found) -> None:
    plain = [scan for scan in found.compared if scan.asked.table == "plain"]
    pushed = {scan.asked.condition: scan.theirs for scan in plain}
    forms.check(found.version, _VERSIONS, pushed)


def test_the_recorded_columns_are_those_that_it_infers_to_be_not_null(found: Found) -> None:
    if found.version != not_null.VERSION:
        pytest.skip("of another version")
    recorded = not_null.recorded()
    asked = [scan for scan in found.compared if scan.asked.condition.sql in recorded]
    assert len(asked) >= _SOME_FORMS - 5
    for scan in asked:
        pushed = set(re.findall(r"([\w.]+) IS NOT NULL", scan.asked.filters or ""))
        assert pushed == recorded[scan.asked.condition.sql], scan.asked.condition.sql


@pytest.mark.parametrize("known", DIFFERENCES, ids=lambda known: known.name[:40])
def test_every_difference_is_needed(found: Found, known: Difference) -> None:
    """For its case, which no other one explains, in the versions that it is of."""
    asked = known.table, Condition(known.case, "UTC")
    scan = next(one for one in found.compared if (one.asked.table, one.asked.condition) == asked)
    needed = any(explanations(found.version, scan, kind) == [known] for kind in kinds(scan))
    assert needed is found.version.startswith(known.versions), _shown(scan)
