"""`prunescope watch`."""

from __future__ import annotations

import datetime as dt
import time
from collections.abc import Iterator
from functools import partial
from itertools import count
from pathlib import Path

import click

from prunescope.audit_jobs.commands.inputs import configured, history_of
from prunescope.audit_jobs.commands.line import examples, stop
from prunescope.audit_jobs.commands.options import config_file, progress_options
from prunescope.audit_jobs.printing import print_json
from prunescope.audit_jobs.startup import start_fast
from prunescope.collectors.errors import PrunescopeError


@click.command(
    epilog=examples(
        "watch.md",
        "prunescope watch",
        "prunescope watch --last 15m --every 10 --all --json",
    )
)
@config_file
@click.option(
    "--last",
    metavar="LENGTH",
    default="1h",
    show_default=True,
    help="The queries that are audited: those of the last 15m, 1h, 1d.",
)
@click.option(
    "--every",
    type=click.FloatRange(min=1),
    default=15.0,
    show_default=True,
    help="Seconds between looks at the logs.",
)
@click.option("--rounds", type=click.IntRange(min=1), help="End after so many looks at the logs.")
@click.option("--all", "all_findings", is_flag=True, help="Also report small findings.")
@progress_options
@click.option("--json", "as_json", is_flag=True, help="Print an object a round, one a line.")
def watch(
    config: Path,
    last: str,
    every: float,
    rounds: int | None,
    all_findings: bool,
    as_json: bool,
) -> None:
    """Audit the latest queries whenever a log changes. Publishes nothing.

    Prints each finding once, when it is first found. Ctrl-C ends it.
    """
    start_fast()
    from prunescope.audit_jobs import windows
    from prunescope.audit_jobs.jobs import watching
    from prunescope.audit_jobs.views.watch_text import print_round, round_document

    try:
        windows.up_to_now(last, dt.datetime.now(dt.UTC))
        configuration = configured(config, all_findings=all_findings)
        for found in watching.watch(
            configuration,
            lambda: windows.up_to_now(last, dt.datetime.now(dt.UTC)),
            partial(next, _waits(every, rounds), False),
            partial(history_of, configuration),
        ):
            if as_json:
                print_json(round_document(found))
            else:
                print_round(found)
    except PrunescopeError as error:
        stop(str(error))


def _waits(seconds: float, rounds: int | None) -> Iterator[bool]:
    """True after each wait, so many times; without a number, for ever."""
    for _ in count() if rounds is None else range(rounds - 1):
        time.sleep(seconds)
        yield True
