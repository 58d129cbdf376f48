"""Settings of an installation: the selection of its own metrics, thresholds, and labels of
alerts."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from pydantic import AfterValidator, ConfigDict, Field, TypeAdapter, ValidationError

from prunescope.audit_jobs.errors import BadConfiguration
from prunescope.dashboards.promql import TABLE

Duration = Annotated[str, Field(pattern=r"^([0-9]+(ms|[smhdwy]))+$")]
"""A time as Prometheus writes it: `90s`, `26h`, `4w`."""
SomeTime = Annotated[
    str,
    Field(pattern=r"^([0-9]+(ms|[smhdwy]))*[0-9]*[1-9][0-9]*(ms|[smhdwy])([0-9]+(ms|[smhdwy]))*$"),
]
"""A duration of more than nothing."""
Age = Annotated[
    str, Field(pattern=r"^([0-9]+[smhdwy])*[0-9]*[1-9][0-9]*[smhdwy]([0-9]+[smhdwy])*$")
]
"""Likewise, in whole seconds."""
_MATCHER = r"""\s*[A-Za-z_][A-Za-z0-9_]*\s*(=|!=|=~|!~)\s*("([^"\\]|\\.)*"|'([^'\\]|\\.)*')\s*"""
Matchers = Annotated[str, Field(pattern=f"^{_MATCHER}(,{_MATCHER})*$")]
"""Label matchers of PromQL, without braces: `job="prunescope", site!="test"`."""
Pass = Literal["manifests", "data_files", "row_groups"]
Ratio = Annotated[float, Field(ge=0, le=1)]
Count = Annotated[int, Field(ge=0)]

OWN_LABELS = ("alertname", "severity", "pass", "finding", "instance", *TABLE)
"""Labels of alerts that tell them apart: none of an installation may take their place."""


def _is_free(label: str) -> str:
    if label in OWN_LABELS:
        raise ValueError(f"alerts have a label {label} of their own; choose another name")
    return label


Label = Annotated[str, Field(pattern="^[A-Za-z_][A-Za-z0-9_]*$"), AfterValidator(_is_free)]
"""The name of a label that Prometheus takes, and that alerts do not have."""

_REPOSITORY = "https://github.com/prunescope/prunescope/blob/main"


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Thresholds at which alerts fire. Ratios are of containers kept to containers considered, 0 to
    1."""

    __pydantic_config__ = ConfigDict(extra="forbid")

    kept_ratio: Mapping[Pass, Ratio] = field(
        default_factory=lambda: {"manifests": 0.9, "data_files": 0.9, "row_groups": 0.95}
    )
    """Pruning is low where a pass keeps more than this share; a pass that is not named is not
    judged."""
    containers_per_scan: Count = 10
    """A pass is judged where at least so many containers reach it per scan: a table of three
    files has nothing to prune."""
    bytes_read: Count = 10 * 1024**3
    """Tables of which a run's scans read fewer bytes are not worth an alert about pruning."""
    regression: Ratio = 0.25
    """The points by which the kept ratio exceeds the table's own baseline."""
    unparseable_rise: Ratio = 0.05
    """The points by which the share of unparseable queries exceeds its own baseline."""
    footers_unread: Ratio = 0.05
    """The share of the footers that a run needs that may be unreadable."""
    success_age: Age = "26h"
    """A nightly audit is missing when its last success is older: a day and some slack."""
    maintenance_age: Age = "15d"
    """A weekly maintenance is missing when the last one that worked is older: two of them in a
    row, and some slack."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that the generated rules depend on beside the metrics themselves.

    Durations assume a nightly run, whose values stand until the next one: a burn-in of more than
    a day is two runs in a row.
    """

    __pydantic_config__ = ConfigDict(extra="forbid")

    selector: Matchers = 'job="prunescope"'
    """Label matchers of the audit's metrics, without braces."""
    lookback: SomeTime | None = None
    """The time for which the last sample counts, if nobody repeats samples between runs, as with
    OTLP. A Pushgateway, a textfile and `prunescope export` repeat them, and need none."""
    evaluation_interval: SomeTime = "2m"
    baseline_window: SomeTime = "4w"
    baseline_step: SomeTime = "6h"
    """The time between the samples of which a baseline is the median."""
    baseline_offset: Duration = "1d"
    """Baselines leave out so much of the present: the run that is compared with them."""
    burn_in: Duration = "25h"
    """The time for which pruning must be low, or worse than usual, before anybody is notified."""
    hold: Duration = "25h"
    """The time for which pruning must be good again before an alert resolves."""
    settle: Duration = "10m"
    """The time for which any other condition must last, and its absence as well, so that a restart
    of a gateway or a failed scrape does not notify."""
    runbook_url: Annotated[str, Field(pattern="^https?://[^/?#]")] = f"{_REPOSITORY}/docs/alerts.md"
    """The page that explains the alerts; each has an anchor of its name in lower case."""
    labels: Mapping[Label, str] = field(default_factory=dict)
    """Further labels of every alert, for its way through Alertmanager."""
    thresholds: Thresholds = field(default_factory=Thresholds)


_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800, "y": 31_536_000}


def seconds(age: str) -> float:
    """The length of an age in seconds."""
    parts = re.findall(r"(\d+)([smhdwy])", age)
    return float(sum(int(number) * _UNITS[unit] for number, unit in parts))


def load_settings(path: Path) -> Settings:
    """Settings from a YAML or JSON file with the names of `Settings`; names that are left out keep
    their default. Raises BadConfiguration."""
    try:
        document: Any = yaml.safe_load(path.read_text(encoding="utf-8"))
        return TypeAdapter(Settings).validate_python({} if document is None else document)
    except OSError as error:
        raise BadConfiguration(f"{path} cannot be read ({type(error).__name__})") from error
    except yaml.YAMLError as error:
        raise BadConfiguration(f"{path} is no YAML: {error}") from error
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or "the document"
        raise BadConfiguration(f"{path}: {where}: {first['msg']}") from error
