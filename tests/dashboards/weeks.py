"""Three weeks of real audits in a real Prometheus, with all recording rules of them."""

from __future__ import annotations

import datetime as dt
import json
import subprocess
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import httpx

from prunescope.audit_jobs.config import load_config
from prunescope.audit_jobs.demo.warehouse import DAY
from prunescope.audit_jobs.jobs.audit import read_inputs, run_audit
from prunescope.audit_jobs.planning.runner import LocalRunner
from prunescope.audit_jobs.records import Window
from prunescope.audit_jobs.sinks.metric_catalogue import PUBLISHED
from prunescope.audit_jobs.sinks.metric_samples import Sample, run_samples
from prunescope.audit_jobs.sinks.run_rows import rows_of
from prunescope.dashboards.recording import RecordingRule, recording_rules
from prunescope.dashboards.settings import Settings
from tests.integration.prometheus_servers import process
from tests.ports import free_port

NIGHTS = 21
_NIGHTS_ALIKE = 3
STEP = dt.timedelta(minutes=30)
"""Between two samples of what a Pushgateway repeats."""
END = dt.datetime.combine(DAY, dt.time(12), dt.UTC)
"""When somebody looks, ten hours after the last night."""
START = END - dt.timedelta(days=NIGHTS)
_HOURS_PER_NIGHT = 12
_JOB = {"job": "prunescope", "audit_catalog": "lake"}


@dataclass(frozen=True, slots=True)
class Weeks:
    """A Prometheus that has three weeks until END."""

    address: str

    def now(self, expr: str) -> list[dict[str, Any]]:
        """The series of an instant query at END."""
        found: list[dict[str, Any]] = self._get("query", query=expr, time=END.timestamp())["result"]
        return found

    def over_time(self, expr: str, step: dt.timedelta = STEP) -> list[dict[str, Any]]:
        """The series of a range query over the three weeks."""
        span = {"start": START.timestamp(), "end": END.timestamp(), "step": step.total_seconds()}
        found: list[dict[str, Any]] = self._get("query_range", query=expr, **span)["result"]
        return found

    def label_values(self, label: str, selector: str) -> list[str]:
        """The values of a label in the series of a selector."""
        found: list[str] = self._get(f"label/{label}/values", **{"match[]": selector})
        return found

    def _get(self, path: str, **parameters: str | float) -> Any:
        answer = httpx.get(f"http://{self.address}/api/v1/{path}", params=parameters, timeout=60)
        assert answer.status_code == 200, answer.text
        return answer.json()["data"]


def audits(demo: Path) -> Iterator[tuple[dt.datetime, list[Sample]]]:
    """The samples of each night's audit. What a night is of are some hours of the demo's day: those
    of the night before, or other ones."""
    config = load_config(demo)
    midnight = dt.datetime.combine(DAY, dt.time(), dt.UTC)
    last = NIGHTS // _NIGHTS_ALIKE - 1
    for number in range(NIGHTS):
        if number % _NIGHTS_ALIKE == 0:
            later = (24 - _HOURS_PER_NIGHT) * (number // _NIGHTS_ALIKE) / last
            start = midnight + dt.timedelta(hours=later)
            window = Window(start, start + dt.timedelta(hours=_HOURS_PER_NIGHT))
            runner = LocalRunner()
            inputs = read_inputs(config, window, runner)
            rows = rows_of(run_audit(config, window, inputs, runner, lambda _: None))
        day = midnight - dt.timedelta(days=NIGHTS - 1 - number)
        ended = day + dt.timedelta(hours=1, minutes=30)
        dated = {**rows.run, "window_end": day, "started_at": ended, "finished_at": ended}
        yield ended, run_samples(replace(rows, run=dated), max_tables=50)


def sampled(nights: Sequence[tuple[dt.datetime, list[Sample]]]) -> Iterator[str]:
    """All samples as lines of OpenMetrics, each repeated until those of the next night."""
    ends = [*(ended for ended, _ in nights[1:]), END]
    for metric in PUBLISHED:
        yield f"# TYPE {metric.name} gauge"
        for (began, samples), end in zip(nights, ends, strict=True):
            told = [
                f"{_series(metric.name, _JOB | labels)} {sample.value}"
                for sample in samples
                if sample.metric == metric
                for labels in [dict(zip(metric.labels, sample.labels, strict=True))]
            ]
            for step in range((end - began) // STEP):
                moment = (began + step * STEP).timestamp()
                for text in told:
                    yield f"{text} {moment:.0f}"


def recorded(weeks: Weeks, rules: Iterable[RecordingRule]) -> Iterator[str]:
    """What rules record, as lines of OpenMetrics."""
    for rule in rules:
        yield f"# TYPE {rule.name} gauge"
        for found in weeks.over_time(rule.expr):
            series = _series(rule.name, found["metric"])
            for moment, value in found["values"]:
                yield f"{series} {value} {moment:.0f}"


def _series(name: str, labels: Mapping[str, str]) -> str:
    told = (
        f"{label}={json.dumps(text, ensure_ascii=False)}"
        for label, text in labels.items()
        if label != "__name__"
    )
    return f"{name}{{{','.join(told)}}}"


@contextmanager
def serving(require_program: Callable[[str], Path], folder: Path, demo: Path) -> Iterator[Weeks]:
    """The Prometheus, with its data in a folder."""
    promtool = require_program("promtool")

    def add(lines: Iterable[str]) -> None:
        text = folder / "samples"
        text.write_text("\n".join([*lines, "# EOF\n"]))
        # One block for all of it.
        command: list[str | Path] = [promtool, "tsdb", "create-blocks-from", "openmetrics"]
        command += ["--max-block-duration=720h", text, folder / "data"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr[-3_000:]

    add(sampled(list(audits(demo))))
    # Rules read what was sampled, and then what rules recorded.
    rules = recording_rules(Settings())
    names = {rule.name for rule in rules}
    first = [rule for rule in rules if not any(name in rule.expr for name in names)]
    for level in (first, [rule for rule in rules if rule not in first]):
        with _prometheus(require_program, folder) as weeks:
            add(recorded(weeks, level))
    with _prometheus(require_program, folder) as weeks:
        yield weeks


@contextmanager
def _prometheus(require_program: Callable[[str], Path], folder: Path) -> Iterator[Weeks]:
    address, config = f"127.0.0.1:{free_port()}", folder / "prometheus.yml"
    config.write_text("{}")
    options: list[str | Path] = [
        f"--config.file={config}",
        f"--storage.tsdb.path={folder / 'data'}",
        "--storage.tsdb.retention.time=10y",
        f"--query.lookback-delta={STEP.total_seconds() + 1:.0f}s",
    ]
    with process(require_program("prometheus"), address, options):
        yield Weeks(address)
