"""Findings on made tables are those that an engineer would name."""

from __future__ import annotations

import pytest

from tests.workloads.corpus import PAIRS
from tests.workloads.judge import judge
from tests.workloads.lake import Tables, audit_pair
from tests.workloads.model import Pair

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Tables:
    return Tables(tmp_path_factory.mktemp("tables"))


@pytest.mark.parametrize(
    "pair",
    [
        pytest.param(
            pair,
            id=pair.name,
            # What the product does not do yet, each with what it does instead; fails once it does.
            marks=[pytest.mark.xfail(strict=True, reason=pair.unmet)] if pair.unmet else [],
        )
        for pair in PAIRS.values()
    ],
)
def test_findings_are_those_that_an_engineer_names(pair: Pair, tables: Tables) -> None:
    verdict = judge(pair, audit_pair(pair, tables))
    assert verdict.right, str(verdict)


def test_nothing_is_both_named_and_false() -> None:
    for pair in PAIRS.values():
        named = {
            cause for wanted in (*pair.expected, *pair.allowed) for cause in wanted.cause.split("|")
        }
        assert not named & pair.tempting.keys(), pair.name
