"""The demo's audit, made in this process."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

from prunescope.audit_jobs.config import AuditConfig, load_config
from prunescope.audit_jobs.demo.warehouse import DAY
from prunescope.audit_jobs.jobs.audit import read_inputs, run_audit
from prunescope.audit_jobs.planning.runner import LocalRunner
from prunescope.audit_jobs.records import Window
from prunescope.audit_jobs.results.result import AuditResult


def audited_demo(demo: Path) -> tuple[AuditResult, AuditConfig]:
    """What an audit of the demo with a configuration finds, unpublished, and what that says."""
    config = load_config(demo)
    start = dt.datetime.combine(DAY, dt.time(), dt.UTC)
    window = Window(start, start + dt.timedelta(days=1))
    runner = LocalRunner()
    inputs = read_inputs(config, window, runner)
    return run_audit(config, window, inputs, runner, lambda _: None), config
