"""The text of a configuration, with comments on its other options."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence

from prunescope.audit_jobs.sources.source import Logs
from prunescope.collectors.safe_text import plain
from prunescope.collectors.storage.locations import local_path

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")
_WORDS = {"true", "false", "null", "yes", "no", "on", "off", "y", "n"}


def configuration_text(
    name: str,
    properties: Mapping[str, str],
    aliases: Sequence[str],
    sources: Sequence[tuple[str, Logs]],
    secrets: Sequence[tuple[str, str]],
    doctor: str,
) -> str:
    """`audit.yaml` of a catalog and sources, each with a comment. `secrets` are environment
    variables, and the kind of their contents; `doctor` is the command that checks the file."""
    return "\n".join(_lines(name, properties, aliases, sources, secrets, doctor)) + "\n"


def locations_text(places: Sequence[tuple[str, str]]) -> str:
    """The section of `audit.yaml` with places to allow, each with the contents found there."""
    if not places:
        return ""
    lines = [
        "",
        "# TO BE LOOKED AT: tables say that they have files there, and the catalog does not.",
        "# Delete what they must not have read: docs/security.md",
        "locations:",
        "  allow:",
        *(f"    - {_scalar(place)}  # {plain(what)}" for place, what in places),
    ]
    return "\n".join(lines) + "\n"


def secret_text(file: str) -> str:
    """The part of `audit.yaml` that names the file of the secret."""
    return (
        "\n# keys of scans are made with it, and are others with another one: docs/security.md\n"
        f"secret_file: {_scalar(file)}\n"
    )


def _lines(
    name: str,
    properties: Mapping[str, str],
    aliases: Sequence[str],
    sources: Sequence[tuple[str, Logs]],
    secrets: Sequence[tuple[str, str]],
    doctor: str,
) -> Iterator[str]:
    yield f"# Every key: docs/configuration.md. Check it: {doctor}"
    yield ""
    yield "catalogs:"
    yield f"  {_scalar(name)}:"
    yield "    properties:  # PyIceberg's, but for credentials"
    for key, value in properties.items():
        yield f"      {key}: {_scalar(value)}"
    for variable, what in secrets:
        yield f"      # {what}: set {variable} in the environment"
    if aliases:
        yield f"    aliases: {_list(aliases)}  # names under which engines know the catalog"
    else:
        yield "    # aliases: [iceberg]  # names under which engines know the catalog"
    yield ""
    yield "sources:  # docs/logs/README.md"
    if not sources:
        yield "  # Put your query logs here: nothing was found yet."
        yield "  - {type: trino_events, paths: [/path/to/logs/]}"
    for comment, source in sources:
        yield f"  # {plain(comment)}"
        yield f"  - type: {source.type}"
        yield f"    paths: {_list(source.paths)}"
        options = source.model_dump(by_alias=True, exclude_defaults=True)
        for key, value in options.items():
            if key == "fields":
                yield "    fields:  # our name: theirs"
                yield from (f"      {ours}: {_scalar(theirs)}" for ours, theirs in value.items())
            elif key not in ("type", "paths"):
                yield f"    {key}: {_scalar(value)}"
    if any(local_path(path) is None for _, source in sources for path in source.paths):
        yield f"source_storage: {_scalar(name)}  # read as the files of this catalog's tables are"
    yield ""
    yield "audit:  # where the audit tables are: created by the first run"
    yield f"  catalog: {_scalar(name)}"
    yield "  namespace: pruning_audit"
    yield ""
    yield '# report: {path: "/var/www/prunescope/{window_start}.html"}'
    yield "# metrics: {textfile: /var/lib/node_exporter/prunescope.prom}"
    yield ""
    yield "# findings:  # smaller tables and losses are left alone: docs/findings.md"
    yield "#   thresholds:"
    yield '#     - {table: "*", small_table_bytes: 0, min_bytes_at_stake: 1000000}'


def _list(values: Sequence[str]) -> str:
    return f"[{', '.join(map(_scalar, values))}]"


def _scalar(value: str) -> str:
    """A string in YAML, as JSON if needed: JSON is YAML."""
    is_plain = _PLAIN.fullmatch(value) and value.lower() not in _WORDS
    return value if is_plain else json.dumps(value)
