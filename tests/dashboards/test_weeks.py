"""Dashboards over three weeks of real audits: every query, field and unit of every panel."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from prunescope.dashboards.dashboards import dashboard_files
from prunescope.dashboards.settings import Settings
from tests.dashboards.shown import lines, number, panels, rows, substituted, text_of
from tests.dashboards.weeks import END, START, Weeks, serving

pytestmark = pytest.mark.slow

BOARDS: dict[str, dict[str, Any]] = {
    name.removesuffix(".json"): json.loads(text)
    for name, text in dashboard_files(Settings()).items()
    if "fingerprints" not in name
}
PANELS = {
    f"{uid.removeprefix('prunescope-')}: {panel['title']} {panel['id']}": panel
    for uid, board in BOARDS.items()
    for panel in panels(board)
}
DAYS = (END - START).days
DOCS = Path(__file__).parents[2] / "docs"


def of(kind: str) -> list[Any]:
    return [pytest.param(panel, id=name) for name, panel in PANELS.items() if panel["type"] == kind]


@pytest.fixture(scope="module")
def weeks(
    demo_lake: Path,
    require_program: Callable[[str], Path],
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Weeks]:
    with serving(require_program, tmp_path_factory.mktemp("weeks"), demo_lake) as found:
        yield found


def test_every_panel_is_of_a_kind_that_is_tested() -> None:
    assert len(PANELS) == sum(len(of(kind)) for kind in ("stat", "table", "timeseries")) > 0


@pytest.mark.parametrize("panel", of("stat"))
def test_a_number_is_one_and_fits_its_unit(weeks: Weeks, panel: dict[str, Any]) -> None:
    shown = number(panel, weeks)
    assert shown >= 0
    if panel["fieldConfig"]["defaults"]["unit"] == "percentunit":
        assert shown <= 1


@pytest.mark.parametrize("panel", of("timeseries"))
def test_a_chart_has_all_its_lines_over_all_weeks(weeks: Weeks, panel: dict[str, Any]) -> None:
    of_targets = [list(lines(panel | {"targets": [each]}, weeks)) for each in panel["targets"]]
    assert all(of_targets)
    shown = [line for found in of_targets for line in found]
    assert len({line.name for line in shown}) == len(shown)
    days = {moment.date() for line in shown for moment, _ in line.points}
    assert len(days) == DAYS
    highest = panel["fieldConfig"]["defaults"].get("max", float("inf"))
    assert all(0 <= value <= highest for line in shown for _, value in line.points)


@pytest.mark.parametrize("panel", of("table"))
def test_a_table_has_the_columns_that_it_names(weeks: Weeks, panel: dict[str, Any]) -> None:
    shown = rows(panel, weeks)
    [named] = [
        one["options"]["renameByName"]
        for one in panel["transformations"]
        if one["id"] == "organize"
    ]
    assert shown.titles == tuple(named.values())
    assert shown.units.keys() <= set(shown.titles)
    for row in shown.rows:
        assert {title for title, value in row.items() if isinstance(value, float)} <= set(
            shown.units
        )


@pytest.mark.parametrize("uid", BOARDS)
def test_every_variable_has_values(weeks: Weeks, uid: str) -> None:
    queries = [one["query"] for one in BOARDS[uid]["templating"]["list"] if one["type"] == "query"]
    assert queries
    for query in queries:
        found = re.fullmatch(r"label_values\((.*), (\w+)\)", query)
        assert found is not None
        assert weeks.label_values(found[2], substituted(found[1]))


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (0.125, "percentunit", "12.5%"),
        (0, "bytes", "0 B"),
        (1536, "bytes", "1.5 KiB"),
        (2_500_000, "short", "2.5 M"),
        (36_000, "s", "10 hours"),
        (0.25, "s", "0.25 s"),
    ],
)
def test_numbers_are_written_in_units_of_grafana(value: float, unit: str, text: str) -> None:
    assert text_of(value, unit) == text


def test_every_dashboard_that_asks_prometheus_has_its_picture() -> None:
    page = (DOCS / "dashboards.md").read_text()
    assert set(re.findall(r"images/dashboards/([\w-]+)\.png", page)) == BOARDS.keys()
    assert {path.stem for path in (DOCS / "images" / "dashboards").iterdir()} == BOARDS.keys()
