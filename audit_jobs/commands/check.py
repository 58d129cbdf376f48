"""`prunescope check`."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

import click

from prunescope.audit_jobs.commands import completed
from prunescope.audit_jobs.commands.inputs import planner_named
from prunescope.audit_jobs.commands.line import DONE, SOME_FAILED, examples, stop
from prunescope.audit_jobs.commands.options import (
    SEVERITIES,
    DialectName,
    Percent,
    Size,
    config_file,
    finding_output,
    progress_options,
    time_zone,
)
from prunescope.audit_jobs.commands.typed import CheckOptions
from prunescope.audit_jobs.printing import print_json, tell
from prunescope.audit_jobs.startup import start_fast
from prunescope.collectors.errors import PrunescopeError

if TYPE_CHECKING:
    from prunescope.audit_jobs.jobs.check import Asked, Check
    from prunescope.collectors.queries.sql_files import SqlFile

_FORMATS = ("text", "json", "sarif", "github")


@click.command(
    epilog=examples(
        "check.md",
        "prunescope check --dbt . --engine trino-482 --format github",
        "prunescope check --sql-dir sql --fail-on medium --sarif > prunescope.sarif",
        "prunescope check models/orders.sql --fix",
    )
)
@click.argument("files", nargs=-1, type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option(
    "--sql-dir",
    "directory",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="A directory with *.sql at any depth.",
)
@click.option(
    "--dbt",
    "project",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="A dbt project that `dbt compile` has compiled.",
)
@config_file
@click.option("--select", multiple=True, metavar="GLOB", help="Only files whose paths match.")
@click.option(
    "--dialect", type=DialectName(), help="SQL dialect (default: the engine's, else trino)."
)
@click.option(
    "--engine",
    metavar="ENGINE[-VERSION][/ICEBERG]",
    shell_complete=completed.planners,
    help="The engine of the SQL: spark-3.5/1.9.2, trino-482, … (default: the dialect's).",
)
@click.option(
    "--catalog",
    help=(
        "Catalog of unqualified table names (default: the only one that does not hold the audit "
        "tables)."
    ),
)
@click.option("--schema", help="For table names that leave it out.")
@time_zone
@click.option(
    "--fail-on",
    type=click.Choice(SEVERITIES),
    default="high",
    show_default=True,
    help="Exit with 1 on findings of this severity or higher.",
)
@click.option(
    "--max-bytes", type=Size(), help="Exit with 1 if a file reads more than this: 500MB, 2TB."
)
@click.option(
    "--max-share",
    type=Percent(),
    help="Exit with 1 if a scan reads more than this share of its table: 20%.",
)
@click.option(
    "--baseline",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="Exit with 1 only on what is worse than in this file.",
)
@click.option(
    "--write-baseline",
    "new_baseline",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write what is found to this file, as known.",
)
@click.option("--all", "small", is_flag=True, help="Include findings below the thresholds.")
@click.option(
    "--diff",
    "shows_diff",
    is_flag=True,
    help="Show conditions that could be replaced and select the same rows. Changes no file.",
)
@click.option("--fix", "fixes", is_flag=True, help="Replace them in the files, and show the diff.")
@progress_options
@click.option(
    "--format",
    "form",
    type=click.Choice(_FORMATS),
    help="What to print (default: text); github: annotations of a workflow.",
)
@finding_output
def check(config: Path, **options: Unpack[CheckOptions]) -> None:
    """Check SQL files before you merge them. Reports scans that would read too much, and why."""
    start_fast()
    from prunescope.audit_jobs.checking.baseline import baseline_in
    from prunescope.audit_jobs.findings.model import Severity
    from prunescope.audit_jobs.jobs.check import STAGES, run_check
    from prunescope.audit_jobs.views.stages import stages

    form = _form(options)
    try:
        asked = _asked(options)
        files = _files(options)
        known = options["baseline"]
        baseline = None if known is None else baseline_in(_read(known), str(known))
        with stages(STAGES, quiet=form != "text") as progress:
            checked = run_check(config, files, asked, progress=progress)
    except PrunescopeError as error:
        stop(str(error))
    if baseline is not None:
        checked = checked.against(baseline)
    if options["new_baseline"] is not None:
        checked = _written(checked, options["new_baseline"])
    changes = _changes(checked) if options["fixes"] or options["shows_diff"] else ""
    if options["fixes"]:
        checked = _fixed(checked)
    _print(checked, form, details=options["details"])
    if changes:
        click.echo(changes, nl=False, err=form != "text")
    sys.exit(DONE if checked.is_clean(Severity(options["fail_on"])) else SOME_FAILED)


def _form(options: CheckOptions) -> str:
    """The one format that is asked for."""
    flags = {"--json": options["as_json"], "--sarif": options["as_sarif"]}
    asked = [name for name, is_asked in flags.items() if is_asked]
    if options["form"] is not None:
        asked.append(f"--format {options['form']}")
    if len(asked) > 1:
        stop(f"give at most one of {' and '.join(asked)}")
    return asked[0].removeprefix("--").removeprefix("format ") if asked else "text"


def _asked(options: CheckOptions) -> Asked:
    """The session and limits of a check. Raises BadArgument."""
    from prunescope.audit_jobs.api.naming import session_named
    from prunescope.audit_jobs.checking.limits import Limits
    from prunescope.audit_jobs.jobs.check import Asked

    planner_named(options["engine"])
    session = session_named(
        options["engine"],
        options["dialect"],
        options["time_zone"],
        catalog=options["catalog"],
        schema=options["schema"],
    )
    source = click.get_current_context().get_parameter_source("time_zone")
    return Asked(
        session,
        is_zone_certain=source is not click.core.ParameterSource.DEFAULT,
        limits=Limits(options["max_bytes"], options["max_share"]),
        small=options["small"],
    )


def _files(options: CheckOptions) -> list[SqlFile]:
    """The files that are named, or those of a folder or of a dbt project. Raises
    PrunescopeError."""
    from prunescope.audit_jobs.jobs.check import NoSqlFiles
    from prunescope.collectors.queries.dbt import dbt_models
    from prunescope.collectors.queries.sql_files import SqlFile, find_sql_files, name_of, selected

    named, directory, project = options["files"], options["directory"], options["project"]
    if [bool(named), directory is not None, project is not None].count(True) != 1:
        stop("give files, or --sql-dir with a directory, or --dbt with a project")
    if project is not None:
        found, where = dbt_models(project), f"compiled model in {project}"
    elif directory is not None:
        found, where = find_sql_files(directory), f"file *.sql under {directory}"
    else:
        by_name = {name_of(path): SqlFile(name_of(path), path) for path in named}
        found, where = [by_name[name] for name in sorted(by_name)], "file"
    chosen = selected(found, options["select"])
    if not chosen:
        matching = " that --select matches" if found else ""
        raise NoSqlFiles(f"there is no {where}{matching}")
    return chosen


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        stop(f"{path} cannot be read: {type(error).__name__}")


def _written(checked: Check, path: Path) -> Check:
    """Writes a baseline of all that was found; the check against it."""
    from prunescope.audit_jobs.checking.baseline import baseline_of, text_of
    from prunescope.audit_jobs.writing import replace_text

    baseline = baseline_of(checked.entries, checked.excesses)
    try:
        replace_text(path, text_of(baseline))
    except OSError as error:
        stop(f"{path} cannot be written: {error.strerror}")
    tell(f"wrote {path}: {baseline.findings.total():,} findings are known from now on")
    return checked.against(baseline)


def _changes(checked: Check) -> str:
    """The diff of all files that would change, by their paths from here."""
    from prunescope.audit_jobs.checking.edits import diff
    from prunescope.audit_jobs.views.place_text import as_text, from_here

    return "".join(
        diff(as_text(from_here(each.file.edited)), each.before, each.after)
        for each in checked.edited
    )


def _fixed(checked: Check) -> Check:
    """Writes the files that change; the check without what that mends."""
    from prunescope.audit_jobs.writing import replace_text

    written = []
    for each in checked.edited:
        try:
            replace_text(each.file.edited, each.after)
        except OSError as error:
            tell(f"{each.file.edited} cannot be written: {error.strerror}")
        else:
            written.append(each)
    return replace(checked, edited=tuple(written)).after_edits()


def _print(checked: Check, form: str, *, details: bool) -> None:
    from prunescope.audit_jobs.jobs.check import check_document
    from prunescope.audit_jobs.views.finding_lists import print_check
    from prunescope.audit_jobs.views.github import workflow_commands
    from prunescope.audit_jobs.views.sarif import sarif

    match form:
        case "json":
            print_json(check_document(checked))
        case "sarif":
            found = sarif(checked.entries, checked.paths, checked.failed, checked.excesses)
            print_json(found, indent=2)
        case "github":
            for line in workflow_commands(checked):
                click.echo(line)
        case _:
            print_check(checked, details=details)
