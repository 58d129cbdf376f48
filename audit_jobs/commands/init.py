"""`prunescope init`."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

import click

from prunescope.audit_jobs.commands.line import CONFIG, DONE, SOME_FAILED, examples, stop
from prunescope.audit_jobs.commands.typed import InitOptions
from prunescope.audit_jobs.printing import tell
from prunescope.audit_jobs.secret import make_secret
from prunescope.audit_jobs.starter.catalogs import CATALOGS, STORAGES, Reached, reached
from prunescope.audit_jobs.writing import replace_text
from prunescope.collectors.errors import PrunescopeError, what_failed
from prunescope.collectors.safe_text import plain
from prunescope.collectors.tables.catalog_variables import variable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from prunescope.audit_jobs.config import AuditConfig
    from prunescope.audit_jobs.doctor.model import Check
    from prunescope.audit_jobs.starter.recognise import Recognised
    from prunescope.collectors.storage.files import Storage

_NAME_THE_TIME = "; name the field that does: fields: {started_at: THEIR_NAME}"


@click.command(
    epilog=examples(
        "init.md",
        "prunescope init --catalog-type rest --uri https://catalog.example.com --logs s3://logs/",
        "prunescope init --catalog-type glue --glue-region eu-central-1 --logs athena.jsonl",
    )
)
@click.option(
    "--output",
    type=click.Path(path_type=Path),
    default=CONFIG,
    show_default=True,
    help="The file to write.",
)
@click.option("--force", is_flag=True, help="Replace the file if it is there.")
@click.option("--name", default="lake", show_default=True, help="The catalog's name.")
@click.option(
    "--alias", "aliases", multiple=True, help="Another name that engines use for the catalog."
)
@click.option("--catalog-type", type=click.Choice(CATALOGS), help="The catalog's kind.")
@click.option(
    "--uri", help="The catalog's address: https://…, thrift://…, sqlite:///… or postgresql+…://…"
)
@click.option("--warehouse", help="The warehouse, if the catalog has several or requires one.")
@click.option("--storage", type=click.Choice(STORAGES), help="Where the tables' files are.")
@click.option(
    "--s3-endpoint", help="Endpoint of an S3-compatible store, such as http://minio:9000."
)
@click.option("--s3-region", help="The region of S3.")
@click.option(
    "--s3-virtual-hosts",
    is_flag=True,
    help="Buckets are part of the host name (default with an endpoint: part of the path).",
)
@click.option("--glue-region", help="The AWS region of Glue.")
@click.option("--gcs-project", help="The project of GCS.")
@click.option("--adls-account", help="The storage account of ADLS.")
@click.option(
    "--property",
    "properties",
    multiple=True,
    metavar="KEY=VALUE",
    help="Any other property of PyIceberg's, but not a credential.",
)
@click.option("--logs", multiple=True, metavar="PATH", help="Query logs: a file, folder or glob.")
@click.option("--no-probe", is_flag=True, help="Do not try to open the catalog.")
def init(
    output: Path,
    force: bool,
    logs: tuple[str, ...],
    no_probe: bool,
    **options: Unpack[InitOptions],
) -> None:
    """Write an audit.yaml for a catalog and query logs.

    Prompts for missing values. Detects log formats. Never stores credentials: the file lists the
    environment variables to set.
    """
    from prunescope.audit_jobs.config import parse_config
    from prunescope.audit_jobs.doctor.model import State
    from prunescope.audit_jobs.starter.text import locations_text
    from prunescope.audit_jobs.suggestions import listed
    from prunescope.collectors.tables.catalog import storage_of

    if output.exists() and not force:
        stop(f"{output} exists; name another file with --output, or replace it with --force")
    if has_terminal():
        logs = _asked(options, logs)
    try:
        catalog = _catalog(options)
        storage = storage_of(catalog.name, catalog.properties)
        found = [seen for path in logs for seen in _recognised(path, storage)]
        doctor = plain(f"prunescope doctor --config {shlex.quote(str(output))}")
        secret = output.absolute().with_suffix(".secret")
        text = _text(catalog, options["aliases"], found, doctor, secret)
        checks = [] if no_probe else _probe(parse_config(text, "what was asked for"))
        places = [(check.place, check.detail) for check in checks if check.place is not None]
        make_secret(secret)
        replace_text(output, text + locations_text(places))
    except PrunescopeError as error:
        stop(str(error))
    except OSError as error:
        stop(f"{output} cannot be written ({what_failed(error)}); name another with --output")
    if places:
        named = listed([place for place, _ in places])
        tell(f"{output} allows what tables say, not the catalog; look whether they may: {named}")
    is_well = all(check.state is not State.FAILED for check in checks)
    click.echo(f"wrote {plain(str(output))}; next: {doctor}")
    sys.exit(DONE if is_well else SOME_FAILED)


def has_terminal() -> bool:
    """True if somebody can be asked."""
    return sys.stdin.isatty()


def _asked(options: InitOptions, logs: tuple[str, ...]) -> tuple[str, ...]:
    """Fills in the options that are missing; returns the logs."""
    if options["catalog_type"] is None:
        kind = click.prompt("Catalog", type=click.Choice(CATALOGS), default="rest")
        options["catalog_type"] = kind
    if options["uri"] is None and options["catalog_type"] != "glue":
        options["uri"] = click.prompt("Its address (uri)")
    if options["catalog_type"] == "glue":
        question = "Region of Glue (empty: that of the environment)"
        options["glue_region"] = _or_asked(options["glue_region"], question)
    options["warehouse"] = _or_asked(options["warehouse"], "Warehouse, if it needs one")
    if options["storage"] is None:
        storage = click.prompt("Files are in", type=click.Choice(STORAGES), default="s3")
        options["storage"] = storage
    match options["storage"]:
        case "s3":
            question = "Endpoint, if it is not AWS' S3"
            options["s3_endpoint"] = _or_asked(options["s3_endpoint"], question)
        case "adls":
            question = "Storage account of ADLS"
            options["adls_account"] = _or_asked(options["adls_account"], question)
        case "gcs":
            options["gcs_project"] = _or_asked(options["gcs_project"], "Project of GCS")
    if logs:
        return logs
    path = click.prompt("Query logs: a file, folder or glob (empty: later)", default="")
    return (path,) if path else ()


def _or_asked(known: str | None, question: str) -> str | None:
    """The value of an option, or else the answer to a question; None for an empty one."""
    return known if known is not None else click.prompt(question, default="") or None


def _catalog(options: InitOptions) -> Reached:
    kind = options["catalog_type"]
    if kind is None:
        stop(f"say what catalog it is with --catalog-type: {', '.join(CATALOGS)}")
    is_elsewhere = kind == "glue" or variable(options["name"], "uri") in os.environ
    if options["uri"] is None and not is_elsewhere:
        stop(f"say where the {kind} catalog is with --uri")
    more = {}
    for text in options["properties"]:
        key, separator, value = text.partition("=")
        if not separator or not key:
            stop("write --property KEY=VALUE")
        more[key] = value
    given = {
        "uri": options["uri"],
        "warehouse": options["warehouse"],
        "glue.region": options["glue_region"],
        "s3.endpoint": options["s3_endpoint"],
        "s3.region": options["s3_region"],
        "s3.force-virtual-addressing": "true" if options["s3_virtual_hosts"] else None,
        "gcs.project-id": options["gcs_project"],
        "adls.account-name": options["adls_account"],
    }
    return reached(options["name"], kind, options["storage"] or _storage(options), given, more)


def _storage(options: InitOptions) -> str:
    """The kind of storage of files, by its options, or by the warehouse."""
    if options["s3_endpoint"] or options["s3_region"]:
        return "s3"
    if options["gcs_project"]:
        return "gcs"
    if options["adls_account"]:
        return "adls"
    scheme = (options["warehouse"] or "").partition("://")[0]
    known = {"s3": "s3", "s3a": "s3", "gs": "gcs", "abfs": "adls", "abfss": "adls"}
    return known.get(scheme, "s3" if options["catalog_type"] == "glue" else "local")


def _recognised(path: str, storage: Storage) -> Sequence[Recognised]:
    """Recognises the logs at a path, and reports them."""
    from prunescope.audit_jobs.starter.recognise import recognise
    from prunescope.audit_jobs.suggestions import listed

    found = recognise(path, storage)
    for seen in found.sources:
        files = "1 file" if seen.files == 1 else f"{seen.files:,} files"
        click.echo(plain(f"{path}: {seen.source.what} ({files}, {seen.of_files} looked into)"))
        for example in seen.examples:
            click.echo(plain(f"  {example}"))
        if not seen.examples:
            tell(
                f"{path}: the files that were looked into hold no query on an Iceberg table that "
                "ended; the source is written all the same"
            )
        if seen.is_timeless:
            tell(
                f"{path}: no query says when it started, so every audit would take all of them"
                f"{_NAME_THE_TIME if seen.source.type == 'sql_records' else ''}"
            )
    if found.strange:
        tell(
            f"{path}: {len(found.strange):,} of {found.files:,} files were not recognised as query "
            f"logs: {listed(found.strange)}; docs/logs/README.md lists what is read"
        )
    return found.sources


def _text(
    catalog: Reached,
    aliases: tuple[str, ...],
    found: list[Recognised],
    doctor: str,
    secret: Path,
) -> str:
    from prunescope.audit_jobs.config import parse_config
    from prunescope.audit_jobs.starter.absolute import absolute_logs
    from prunescope.audit_jobs.starter.text import configuration_text, secret_text

    named = list(dict.fromkeys(name for seen in found for name in seen.catalogs))
    if not aliases and catalog.name not in named and len(named) == 1:
        aliases = (named[0],)
        tell(f"queries name the catalog {named[0]}: taken as an alias of {catalog.name}")
    sources = [(seen.source.what, absolute_logs(seen.source)) for seen in found]
    secrets = list(catalog.secrets())
    text = configuration_text(catalog.name, catalog.properties, aliases, sources, secrets, doctor)
    text += secret_text(str(secret))
    parse_config(text, "what was asked for")
    return text


def _probe(config: AuditConfig) -> list[Check]:
    """Checks the catalog, and reports the results; those with places to allow are only returned."""
    from prunescope.audit_jobs.doctor.catalogs import check_catalogs
    from prunescope.audit_jobs.views.checks import print_check
    from prunescope.audit_jobs.views.console import PlainConsole

    console, checks = PlainConsole(), list(check_catalogs(config))
    for check in checks:
        if check.place is None:
            print_check(console, check)
    return checks
