"""Made tables, written by Spark: what is told to be done wins what was promised, does no harm when
it stops half-way, and is not asked for again. `python -m tests.workloads.on_spark` has more."""

from __future__ import annotations

import pytest

from tests.scenarios.lake import Lake
from tests.workloads.on_spark import drawn, pairs, trial

pytestmark = pytest.mark.slow

NEAR = 0.05
"""How near a promise is to what comes, as a part of what all scans read."""


@pytest.mark.parametrize(
    ("theme", "name"),
    [
        ("partitions_too_coarse", "sirens_hour_by_hour"),
        ("range_on_bucketed_column", "bucketed_ranges_one_window"),
    ],
)
def test_what_is_promised_comes(lake: Lake, theme: str, name: str) -> None:
    done = trial(lake, pairs()[theme][name])
    assert done is not None
    assert done.refused is None
    assert len(done.halfway) + 1 == len(done.outcome.finding.fix.spark) > 1
    assert done.error is not None
    assert done.error < NEAR
    assert not done.outcome.harmful
    assert not done.worse_halfway
    assert done.then == ()


def test_all_tables_are_drawn_once_each_theme_in_turn() -> None:
    themes = pairs()
    names = [*drawn(themes, seed=1)]
    assert sorted(names) == sorted(name for some in themes.values() for name in some)
    first = [theme for name in names[: len(themes)] for theme in themes if name in themes[theme]]
    assert first == sorted(themes)
    assert names != [*drawn(themes, seed=2)]
