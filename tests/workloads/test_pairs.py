"""Findings on made tables are those that an engineer would name, and the conditions that they have
queries written with select the rows that the queries did."""

from __future__ import annotations

import pickle
from collections.abc import Callable

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

ASKED_OF_DUCKDB = (
    *(*THEMES["days and times"], *THEMES["texts"], *THEMES["other conditions"]),
    *(*FILES["partitions/hive"], *FILES["files/of_nulls"]),
    *(*FILES["queries/whole"], *FILES["queries/of_spark_alone"]),
)

NOT_IN_DUCKDB = {
    "trips_of_a_day_in_trino": "it reads times by the session's clock, and Trino in UTC",
    "codes_by_substring_index": "it has no such function",
    "hours_before_a_time": "its date_diff() counts where hours begin, and Trino whole ones",
}

pytestmark = pytest.mark.slow(minutes=7)


@pytest.fixture(scope="module")
def night_of(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Pair], Night]:
    """The night of a pair, which is audited once for all that is asked of it."""
    tables = Tables(tmp_path_factory.mktemp("tables"))
    nights: dict[str, Night] = {}

    def night(pair: Pair) -> Night:
        if pair.name not in nights:
            nights[pair.name] = audit_pair(pair, tables)
        return nights[pair.name]

    return night


def _name(pair: Pair) -> str:
    return pair.name


@pytest.mark.parametrize("pair", one_in(30, PAIRS.values(), _name))
def test_findings_are_those_that_an_engineer_names(
    pair: Pair, night_of: Callable[[Pair], Night]
) -> None:
    assessment = judge(pair, night_of(pair))
    assert assessment.right, f"{assessment} ({pair.why})"


@pytest.mark.parametrize(
    "pair",
    one_in(30, (pair for pair in ASKED_OF_DUCKDB if pair.name not in NOT_IN_DUCKDB), _name),
)
def test_a_condition_beside_another_leaves_its_rows(
    pair: Pair, night_of: Callable[[Pair], Night]
) -> None:
    rows = pa.concat_tables(pair.layout().files)
    for finding in night_of(pair).findings:
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
