"""Watching query logs: the latest window is audited in this process each time a log changes.
Nothing is published."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from prunescope.audit_jobs.config import AuditConfig
from prunescope.audit_jobs.findings.entries import Entry, entries, reported
from prunescope.audit_jobs.findings.history import History
from prunescope.audit_jobs.jobs.audit import read_inputs, run_audit
from prunescope.audit_jobs.jobs.sources import log_sizes, storage_of_logs
from prunescope.audit_jobs.planning.runner import LocalRunner
from prunescope.audit_jobs.records import Window
from prunescope.audit_jobs.results.result import AuditResult


@dataclass(frozen=True, slots=True)
class Round:
    """One audit of a window, and those of its findings that no earlier round had."""

    result: AuditResult
    new: tuple[Entry, ...]


def watch(
    config: AuditConfig,
    window: Callable[[], Window],
    wait: Callable[[], bool],
    history: Callable[[Window], History],
) -> Iterator[Round]:
    """Audits `window()` at first, and again after each `wait()` that finds other logs, or logs of
    other sizes, until `wait` is False. A log that cannot be read is among the rejected inputs of a
    round, a table that cannot be read among its failed tables."""
    seen: Mapping[str, int] | None = None
    known: set[str] = set()
    while True:
        sizes = log_sizes(config.sources, storage_of_logs(config))
        if sizes != seen:
            seen = sizes
            result = _audited(config, window(), history)
            found = entries(reported(result.findings))
            yield Round(result, tuple(entry for entry in found if entry.key not in known))
            known |= {entry.key for entry in found}
        if not wait():
            return


def _audited(
    config: AuditConfig,
    window: Window,
    history: Callable[[Window], History],
) -> AuditResult:
    runner = LocalRunner()
    inputs = read_inputs(config, window, runner)
    return run_audit(config, window, inputs, runner, _ignore, history(window))


def _ignore(_stage: str) -> None:
    """Announces no stages: a round takes a second or two."""
