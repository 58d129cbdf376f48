"""Next steps with the demo's own lake, once it is audited."""

from __future__ import annotations

import datetime as dt
import shlex
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

from prunescope.audit_jobs.demo.shapes import EVENTS, ORDERS
from prunescope.audit_jobs.demo.warehouse import CATALOG, DAY

_PROGRAM = "prunescope"
_ASKED = DAY - dt.timedelta(days=1)
_RANGE = f"order_ts >= DATE '{_ASKED}' AND order_ts < DATE '{DAY}'"
_WRAPPED = f"date_format(order_ts, '%Y-%m-%d') = '{_ASKED}'"


@dataclass(frozen=True, slots=True)
class Step:
    """A command to paste into a shell, and its purpose."""

    shows: str
    command: str


def next_steps(config: Path) -> tuple[Step, ...]:
    """Three commands, for a configuration at a path as the user knows it."""
    at = f"--config {shlex.quote(str(config))}"
    explain = f"{program()} explain {CATALOG}.{ORDERS} {at} --planner trino-482"
    return (
        Step(
            "One of the queries: a day's orders, for which Trino opens every file of the table",
            f'{explain} --where "{_WRAPPED}"',
        ),
        Step(
            "The same rows by a range of the column itself: it opens that day's files alone",
            f'{explain} --where "{_RANGE}"',
        ),
        Step(
            "Most of what is read to find a user's events is wasted: the SQL that ends it",
            f"{program()} findings {at} --table {CATALOG}.{EVENTS} --details",
        ),
    )


def program() -> str:
    """This program's name, if the shell finds it by that, or else the path that started it."""
    started = Path(sys.argv[0])
    if started.name != _PROGRAM:  # Python was told which module to run
        return _PROGRAM
    found = shutil.which(_PROGRAM)
    is_found = found is not None and Path(found).resolve() == started.resolve()
    return _PROGRAM if is_found else shlex.quote(str(started))
