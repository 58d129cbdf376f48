"""A nightly run of `audit.yaml` here without Spark: `python -m tests.audit_jobs.jobs.night DAY`
prints the run's id."""

from __future__ import annotations

import datetime as dt
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from prunescope.audit_jobs.config import AuditConfig, load_config
from prunescope.audit_jobs.jobs import nightly
from prunescope.audit_jobs.planning.items import Runner
from prunescope.audit_jobs.planning.runner import LocalRunner
from prunescope.audit_jobs.progress import Progress
from prunescope.audit_jobs.records import Window
from prunescope.audit_jobs.results.result import AuditResult


@contextmanager
def _in_process(_: AuditConfig, __: Progress) -> Iterator[Runner]:
    yield LocalRunner()


def run(config: AuditConfig, day: dt.date) -> AuditResult:
    """The run of a day, in UTC."""
    start = dt.datetime.combine(day, dt.time(), dt.UTC)
    window = Window(start, start + dt.timedelta(days=1))
    return nightly.run_nightly(config, window, lambda _: None, open_runner=_in_process)


if __name__ == "__main__":
    done = run(load_config(Path("audit.yaml")), dt.date.fromisoformat(sys.argv[1]))
    print(done.run.run_id)  # noqa: T201  # its answer
