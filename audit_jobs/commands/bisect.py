"""`prunescope bisect`."""

from __future__ import annotations

import datetime as dt
import sys
from typing import TYPE_CHECKING, Unpack

import click

from prunescope.audit_jobs.commands import completed
from prunescope.audit_jobs.commands.inputs import configured, open_table, planner_named, window_of
from prunescope.audit_jobs.commands.line import CONFIG, DONE, SOME_FAILED, examples, stop
from prunescope.audit_jobs.commands.options import (
    DialectName,
    table_options,
    time_zone,
    window_options,
)
from prunescope.audit_jobs.commands.typed import BisectOptions
from prunescope.audit_jobs.printing import print_json
from prunescope.audit_jobs.startup import start_fast
from prunescope.collectors.errors import PrunescopeError

if TYPE_CHECKING:
    from prunescope.audit_jobs.jobs.questions import Question
    from prunescope.collectors.sql.planners.profiles import Planner


@click.command(
    epilog=examples(
        "bisect.md",
        "prunescope bisect lake.sales.orders --where 'id = 7'",
        "prunescope bisect lake.sales.orders --fingerprint 64c869bb2b8b433b --last 2d",
        "prunescope bisect lake.sales.orders --sql 'SELECT …' --planner spark-3.5 --every",
    )
)
@table_options
@click.option("--where", help="A SQL condition over the table's columns.")
@click.option("--sql", help="A whole query that reads the table.")
@click.option("--fingerprint", help="The newest query of this shape in the configured logs.")
@click.option(
    "--dialect",
    type=DialectName(),
    default="trino",
    show_default=True,
    help="SQL dialect of --sql and --where.",
)
@time_zone
@click.option(
    "--planner",
    metavar="ENGINE[-VERSION][/ICEBERG]",
    shell_complete=completed.planners,
    help="Plan as this engine does: trino-482, spark-3.5/1.9.2 (default: that of the log, else "
    "the whole filter).",
)
@window_options
@click.option("--every", is_flag=True, help="Replay every snapshot, not only as many as it takes.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def bisect(**options: Unpack[BisectOptions]) -> None:
    """Find the commit since which a query reads more of TABLE."""
    start_fast()
    from prunescope.audit_jobs.jobs import bisect as bisecting
    from prunescope.audit_jobs.views.bisect_text import bisected_document, print_bisected

    try:
        question, planner = _question(options)
        table = open_table(options)
        found = bisecting.bisect(table, question, planner, every=options["every"])
    except PrunescopeError as error:
        stop(str(error))
    if options["as_json"]:
        print_json(bisected_document(found))
    else:
        print_bisected(found)
    sys.exit(DONE if found.bad is None else SOME_FAILED)


def _question(options: BisectOptions) -> tuple[Question, Planner | None]:
    """The query to replay, and its planner. Raises PrunescopeError."""
    from prunescope.audit_jobs.jobs.logged import newest_of_shape
    from prunescope.audit_jobs.jobs.questions import Question

    asked = (options["where"], options["sql"], options["fingerprint"])
    if sum(one is not None for one in asked) != 1:
        stop("give one of --where, --sql and --fingerprint")
    planner = planner_named(options["planner"])
    if (fingerprint := options["fingerprint"]) is None:
        where, sql = options["where"], options["sql"]
        return Question(None, where, sql, options["dialect"], options["time_zone"]), planner
    config = configured(options["config"] or CONFIG, all_findings=False)
    window = window_of(options, dt.datetime.now(dt.UTC))
    question, logged = newest_of_shape(config, window, fingerprint)
    return question, planner or logged
