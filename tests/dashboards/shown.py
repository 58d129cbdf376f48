"""What Grafana shows of a panel: the numbers, lines and rows that its queries return."""

from __future__ import annotations

import datetime as dt
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tests.dashboards.weeks import Weeks

Panel = dict[str, Any]
VARIABLES = {
    "__rate_interval": "31m",
    "job": ".+",
    "catalog": "lake",
    "namespace": "sales",
    "table": "orders",
}
"""As somebody chooses them who looks at three weeks."""
_STEPS = {
    "short": (1000.0, ("", " K", " M", " G")),
    "bytes": (1024.0, (" B", " KiB", " MiB", " GiB", " TiB")),
}
_DURATIONS = ((86_400.0, "days"), (3_600.0, "hours"), (60.0, "mins"), (1.0, "s"))


@dataclass(frozen=True, slots=True)
class Line:
    """A series of a chart, by its name in the legend."""

    name: str
    points: tuple[tuple[dt.datetime, float], ...]


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows of a table by its columns' titles, as they are sorted."""

    titles: tuple[str, ...]
    units: Mapping[str, str]
    rows: tuple[Mapping[str, str | float], ...]


def panels(board: dict[str, Any]) -> list[Panel]:
    """Those of a dashboard that show something."""
    return [panel for panel in board["panels"] if panel["type"] != "row"]


def substituted(text: str) -> str:
    """A query as Grafana sends it."""
    return re.sub(r"\$(\w+)", lambda match: VARIABLES[match[1]], text)


def text_of(value: float, unit: str) -> str:
    """A number in one of Grafana's units."""
    if unit == "percentunit":
        return f"{100 * value:.3g}%"
    if unit == "s":
        size, name = next((one for one in _DURATIONS if value >= one[0]), _DURATIONS[-1])
        return f"{value / size:.3g} {name}"
    base, names = _STEPS[unit]
    power = min(int(math.log(value, base)), len(names) - 1) if value >= 1 else 0
    return f"{value / base**power:.3g}{names[power]}"


def number(panel: Panel, weeks: Weeks) -> float:
    """What a panel of one number shows."""
    [target] = panel["targets"]
    [series] = weeks.now(substituted(target["expr"]))
    return float(series["value"][1])


def lines(panel: Panel, weeks: Weeks) -> Iterator[Line]:
    """What a chart shows. A legend names labels that its series have, or KeyError is raised."""
    for target in panel["targets"]:
        for series in weeks.over_time(substituted(target["expr"])):
            points = (
                (dt.datetime.fromtimestamp(moment, dt.UTC), float(value))
                for moment, value in series["values"]
            )
            yield Line(_legend(target["legendFormat"], series["metric"]), tuple(points))


def _legend(template: str, labels: Mapping[str, str]) -> str:
    return re.sub(r"{{(\w+)}}", lambda match: labels[match[1]], template)


def rows(panel: Panel, weeks: Weeks) -> Rows:
    """What a table shows: the fields of its queries merged, named and ordered as it says."""
    merged: dict[tuple[tuple[str, str], ...], dict[str, str | float]] = {}
    is_one = len(panel["targets"]) == 1
    for target in panel["targets"]:
        field = "Value" if is_one else f"Value #{target['refId']}"
        for series in weeks.now(substituted(target["expr"])):
            key = tuple(sorted(series["metric"].items()))
            row = merged.setdefault(key, dict(series["metric"]))
            row[field] = float(series["value"][1])
    [options] = [one["options"] for one in panel["transformations"] if one["id"] == "organize"]
    fields = {field for row in merged.values() for field in row} - options["excludeByName"].keys()
    order = sorted(fields, key=lambda field: options["indexByName"][field])
    titles = {field: options["renameByName"][field] for field in order}
    [sort] = panel["options"]["sortBy"]
    found = [
        {titles[field]: row[field] for field in order if field in row} for row in merged.values()
    ]
    found.sort(key=lambda row: row.get(sort["displayName"], float("-inf")), reverse=sort["desc"])
    return Rows(tuple(titles.values()), _units(panel), tuple(found))


def _units(panel: Panel) -> dict[str, str]:
    return {
        override["matcher"]["options"]: each["value"]
        for override in panel["fieldConfig"]["overrides"]
        for each in override["properties"]
        if each["id"] == "unit"
    }
