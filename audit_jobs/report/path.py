"""Path of a run's report."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

from prunescope.audit_jobs.publishing_config import REPORT_FIELDS
from prunescope.audit_jobs.results.columns import Row


def report_path(template: str, run: Row) -> Path:
    """A path with the fields of REPORT_FIELDS filled in; times are in UTC, and shown as a date at
    midnight."""
    values = (_moment(run["window_start"]), _moment(run["window_end"]), run["run_id"])
    for field, value in zip(REPORT_FIELDS, values, strict=True):
        template = template.replace(field, value)
    return Path(template)


def _moment(moment: dt.datetime) -> str:
    moment = moment.astimezone(dt.UTC)
    return f"{moment:%Y-%m-%d}" if moment.time() == dt.time() else f"{moment:%Y-%m-%dT%H%M%S}"
