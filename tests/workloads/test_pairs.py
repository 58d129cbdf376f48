"""Findings on made tables are those that an engineer would name, and the conditions that they have
queries written with select the rows that the queries did."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pytest

from tests.sampled import one_in
from tests.scenarios.lake import Query
from tests.workloads.answers import selected
from tests.workloads.corpus import FILES, PAIRS, THEMES
from tests.workloads.judge import judge
from tests.workloads.lake import Night, Tables, audit_pair
from tests.workloads.model import Pair
from tests.workloads.outcomes import in_its_place, rewritten
from tests.workloads.physical import Layout

_NOT_IN_DUCKDB = {
    "trips_of_a_day_in_trino": "it reads times by the session's clock, and Trino in UTC",
    "codes_by_substring_index": "it has no such function",
    "hours_before_a_time": "its date_diff() counts where hours begin, and Trino whole ones",
}
_ASKED_OF_DUCKDB = {
    pair.name
    for pair in (
        *(*THEMES["days and times"], *THEMES["texts"], *THEMES["other conditions"]),
        *(*FILES["partitions/hive"], *FILES["files/of_nulls"]),
        *(*FILES["queries/whole"], *FILES["queries/of_spark_alone"]),
    )
} - _NOT_IN_DUCKDB.keys()

pytestmark = pytest.mark.slow(minutes=7)


def _of_tables() -> list[tuple[Pair, ...]]:
    """Pairs by their table."""
    found: dict[Callable[[], Layout], list[Pair]] = {}
    for pair in PAIRS.values():
        found.setdefault(pair.layout, []).append(pair)
    return [*map(tuple, found.values())]


def _names(pairs: tuple[Pair, ...]) -> str:
    return ",".join(pair.name for pair in pairs)


@pytest.mark.parametrize("pairs", one_in(30, _of_tables(), _names))
def test_findings_are_those_that_an_engineer_names(
    pairs: tuple[Pair, ...], tmp_path: Path, subtests: pytest.Subtests
) -> None:
    tables = Tables(tmp_path)
    for pair in pairs:
        with subtests.test(pair.name):
            night = audit_pair(pair, tables)
            assessment = judge(pair, night)
            assert assessment.right, f"{assessment} ({pair.why})"
            if pair.name in _ASKED_OF_DUCKDB:
                _select_the_same_rows(pair, night)


def _select_the_same_rows(pair: Pair, night: Night) -> None:
    """Conditions that findings have queries written with select the rows that the queries did."""
    rows = pa.concat_tables(pair.layout().files)
    for finding in night.findings:
        told = rewritten(pair, finding)
        # What is merged or deleted has no rows to count.
        if not told or finding.cause in pair.rewritten:
            continue
        asked = pair.queries[0]
        assert isinstance(asked, Query), "what has no text is not rewritten"
        count = selected(asked, rows)
        assert count > 0
        assert selected(told[0], rows) == count, finding.fix.rewrite
        if "Both select the same rows" in (finding.fix.advice or ""):
            alone = in_its_place(asked, finding)
            assert alone is None or selected(alone, rows) == count, finding.fix.rewrite


def test_pairs_go_to_other_processes() -> None:
    assert [*pickle.loads(pickle.dumps(PAIRS))] == [*PAIRS]  # noqa: S301  # of our own


def test_nothing_is_both_named_and_false() -> None:
    for pair in PAIRS.values():
        named = {
            cause for wanted in (*pair.expected, *pair.allowed) for cause in wanted.cause.split("|")
        }
        assert not named & pair.tempting.keys(), pair.name
