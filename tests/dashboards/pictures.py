"""Draws what the panels of the dashboards show of three weeks: `make pictures`.

Usage: python -m tests.dashboards.pictures FOLDER. Numbers, lines, rows, titles, units and places
are those of the dashboards; the looks are matplotlib's, as no Grafana draws here.
"""

from __future__ import annotations

import datetime as dt
import json
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter

from prunescope.audit_jobs.demo.setup import prepare
from prunescope.dashboards.dashboards import dashboard_files
from prunescope.dashboards.settings import Settings
from tests.dashboards.shown import Panel, lines, number, panels, rows, text_of
from tests.dashboards.weeks import NIGHTS, Weeks, serving

_COLUMNS, _INCHES = 24, (0.55, 0.3)
"""Of Grafana's grid, and what one cell is wide and high."""
_MARK = f"drawn by matplotlib from {NIGHTS} nights of the demo; Grafana's looks are its own"
_SHOWN_ROWS, _SHOWN_LINES = 10, 8


def draw(board: dict[str, Any], weeks: Weeks) -> Figure:
    """All panels of a dashboard, at their places."""
    height = 2 + max(each["gridPos"]["y"] + each["gridPos"]["h"] for each in board["panels"])
    figure = Figure(figsize=(_COLUMNS * _INCHES[0], height * _INCHES[1]))
    figure.text(0.01, 1 - 1 / height, board["title"], fontsize=13, weight="bold", va="center")
    figure.text(0.99, 1 - 1 / height, _MARK, fontsize=8, ha="right", va="center", color="gray")
    for panel in panels(board):
        place = panel["gridPos"]
        # Room for the title above, and for ticks beside and below.
        left, wide = (place["x"] + 1.1) / _COLUMNS, (place["w"] - 1.4) / _COLUMNS
        low, high = 1 - (2 + place["y"] + place["h"] - 1) / height, (place["h"] - 2.2) / height
        axes = figure.add_axes((left, low, wide, high))
        axes.set_title(panel["title"], loc="left", fontsize=8, weight="bold")
        _DRAWN[panel["type"]](axes, panel, weeks)
    return figure


def _number(axes: Axes, panel: Panel, weeks: Weeks) -> None:
    shown = text_of(number(panel, weeks), panel["fieldConfig"]["defaults"]["unit"])
    axes.text(0.5, 0.5, shown, fontsize=17, ha="center", va="center")
    axes.set_axis_off()


def _chart(axes: Axes, panel: Panel, weeks: Weeks) -> None:
    defaults = panel["fieldConfig"]["defaults"]
    highest = 0.0
    for line in lines(panel, weeks):
        moments, values = zip(*line.points, strict=True)
        axes.step(moments, values, where="post", label=line.name, linewidth=1.2)
        highest = max(highest, *values)
    axes.set_ylim(0, defaults.get("max", 1.1 * highest or 1))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: text_of(value, defaults["unit"])))
    axes.xaxis.set_major_formatter(FuncFormatter(_day))
    axes.tick_params(labelsize=6)
    axes.grid(visible=True, linewidth=0.3)
    handles, labels = axes.get_legend_handles_labels()
    axes.legend(handles[:_SHOWN_LINES], labels[:_SHOWN_LINES], fontsize=6, loc="best", ncols=2)


def _day(days: float, _: object) -> str:
    """What matplotlib counts since 1970."""
    return f"{dt.datetime.fromtimestamp(days * 86_400, dt.UTC):%d %b}"


def _table(axes: Axes, panel: Panel, weeks: Weeks) -> None:
    axes.set_axis_off()
    shown = rows(panel, weeks)
    if not shown.rows:
        axes.text(0.5, 0.5, "No data", ha="center", va="center", color="gray")
        return
    cells = [
        [_cell(row.get(title), shown.units.get(title)) for title in shown.titles]
        for row in shown.rows
    ]
    table = axes.table(
        cells[:_SHOWN_ROWS],
        colLabels=list(shown.titles),
        loc="upper left",
        cellLoc="left",
        edges="horizontal",
    )
    table.auto_set_font_size(value=False)
    table.set_fontsize(7)
    table.scale(1, 1.2)


def _cell(value: str | float | None, unit: str | None) -> str:
    if isinstance(value, float) and unit is not None:
        return text_of(value, unit)
    return "–" if value is None else str(value)


_DRAWN = {"stat": _number, "timeseries": _chart, "table": _table}


def write_pictures(weeks: Weeks, folder: Path) -> None:
    """A picture of each dashboard that asks Prometheus."""
    for name, text in dashboard_files(Settings()).items():
        if "fingerprints" not in name:
            picture = folder / f"{name.removesuffix('.json')}.png"
            draw(json.loads(text), weeks).savefig(picture, dpi=100)


def _program(name: str) -> Path:
    found = shutil.which(name)
    if found is None:
        raise SystemExit(f"pictures need {name} on the PATH")
    return Path(found)


def main(folder: Path) -> None:
    """Makes the weeks, and draws them."""
    with tempfile.TemporaryDirectory() as made:
        demo = prepare(Path(made) / "demo")
        with serving(_program, Path(made), demo) as weeks:
            write_pictures(weeks, folder)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
