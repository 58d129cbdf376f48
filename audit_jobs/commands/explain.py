"""`prunescope explain`."""

from __future__ import annotations

import sys
from typing import Unpack

import click

from prunescope.audit_jobs.commands import completed
from prunescope.audit_jobs.commands.inputs import open_table, planner_named
from prunescope.audit_jobs.commands.line import DONE, SOME_FAILED, examples, stop
from prunescope.audit_jobs.commands.options import DialectName, Instant, table_options, time_zone
from prunescope.audit_jobs.commands.typed import ExplainOptions
from prunescope.audit_jobs.printing import print_json
from prunescope.audit_jobs.startup import start_fast
from prunescope.collectors.errors import PrunescopeError
from prunescope.collectors.outcomes import Outcome


@click.command(
    epilog=examples(
        "explain.md",
        "prunescope explain lake.sales.orders --where 'id = 7'",
        "prunescope explain --metadata 00042-….metadata.json --sql 'SELECT …' --planner spark-3.5",
    )
)
@table_options
@click.option("--where", help="A SQL condition over the table's columns.")
@click.option("--sql", help="A whole query that reads the table.")
@click.option(
    "--where-file",
    type=click.File("rb"),
    help='JSON lines: {"id", "where", "dialect", "time_zone"}, or "sql" for "where".',
)
@click.option(
    "--dialect",
    type=DialectName(),
    default="trino",
    show_default=True,
    help="SQL dialect of --sql, --where, and lines of --where-file that name none.",
)
@time_zone
@click.option(
    "--planner",
    metavar="ENGINE[-VERSION][/ICEBERG]",
    shell_complete=completed.planners,
    help="Plan as this engine does, with what it pushes down: trino-482, spark-3.5/1.9.2, …",
)
@click.option("--snapshot", type=int, help="A snapshot id.")
@click.option("--ref", help="A branch or tag.")
@click.option("--as-of", type=Instant(), help="The snapshot that was current at this time.")
@click.option(
    "--max-footers",
    type=click.IntRange(1),
    help="Read a random sample of about N Parquet footers.",
)
@click.option("--list-files", is_flag=True, help="List the data files that the filter keeps.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, one line a query.")
def explain(**options: Unpack[ExplainOptions]) -> None:
    """Show what a filter prunes in TABLE, pass by pass."""
    start_fast()
    from prunescope.audit_jobs.jobs import explain as explaining
    from prunescope.audit_jobs.jobs.questions import Question, parse_question
    from prunescope.collectors.sql.scopes.time_travel import Version

    asked = (options["where"], options["sql"], options["where_file"])
    if sum(one is not None for one in asked) != 1:
        stop("give one of --where, --sql and --where-file")
    chosen = (options["snapshot"], options["ref"], options["as_of"])
    if sum(one is not None for one in chosen) > 1:
        stop("give at most one of --snapshot, --ref and --as-of")
    if options["where_file"] is not None:
        questions = [
            parse_question(line, number, options["dialect"], options["time_zone"])
            for number, line in enumerate(options["where_file"], start=1)
            if line.strip()
        ]
    else:
        questions = [
            Question(
                None,
                options["where"],
                options["sql"],
                options["dialect"],
                options["time_zone"],
            )
        ]
    try:
        table = open_table(options, options["as_of"])
        answers = explaining.explain(
            table,
            Version(*chosen),
            questions,
            as_of=options["as_of"],
            planner=planner_named(options["planner"]),
            list_files=options["list_files"],
            max_footers=options["max_footers"],
        )
    except PrunescopeError as error:
        stop(str(error))
    if options["as_json"] or options["where_file"] is not None:
        for answer in answers:
            print_json(answer)
    else:
        from prunescope.audit_jobs.views.answer_text import print_answer

        for answer in answers:
            print_answer(answer)
    scans = [scan for answer in answers for scan in (answer, *answer.get("more_scans", ()))]
    replayed = all(scan["outcome"] == Outcome.REPLAYED for scan in scans)
    sys.exit(DONE if replayed else SOME_FAILED)
