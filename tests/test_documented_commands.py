"""What README and docs have people copy is taken by what they paste it into."""

from __future__ import annotations

import json
import re
import shlex
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
import sqlglot
import yaml
from sqlglot import exp

from audit_jobs.config import AuditConfig, validate_config
from tests.documented import LANGUAGES, PAGES, ROOT, Block, blocks, commands
from tests.schedule.commands import options_of

SHELL = blocks("sh")
TARGETS = re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
INLINE = re.compile(r"`(prunescope [a-z]+ [^`\n]+)`")
KNOWN = {"aws", "cat", "cp", "dbt", "docker", "eval", "export", "gcloud", "helm", "install"} | {
    "journalctl", "kubectl", "pip", "pipx", "spark-submit", "systemctl", "tr", "useradd", "xargs",
}  # fmt: skip
"""Programs of others, whose lines tests/schedule and tests/helm look at, or nobody here can."""


def named(found: list[Block]) -> list[Any]:
    """Blocks as parameters, by their place."""
    return [pytest.param(block, id=block.place) for block in found]


@pytest.fixture
def working_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder with what the commands of the documentation expect to be there."""
    for folder in ("ops", "target/compiled", "docs"):
        (tmp_path / folder).mkdir(parents=True)
    for file in ("audit.yaml", "ops/audit.yaml", "settings.yaml"):
        (tmp_path / file).touch()
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("working_directory")
@pytest.mark.parametrize("block", named(SHELL))
def test_commands_are_taken(block: Block) -> None:
    taken = [_take(line) for line in commands(block)]
    assert taken


def _take(line: str) -> str:
    """The program of a command line, of which all that is ours was looked at."""
    words = shlex.split(line)
    while "=" in words[0]:
        words = words[1:]
    program, *arguments = words
    program = program.removeprefix(".venv/bin/").removeprefix("/opt/prunescope/bin/")
    if program == "uvx":
        program, *arguments = arguments[arguments.index(".") + 1 :]
    if program == "prunescope" and arguments[-1] != "--help":
        options_of(shlex.join([program, *_without_output(arguments)]))
    elif program == "make":
        assert arguments[0] in TARGETS
    elif program in ("python", "python3", "pytest"):
        _look_at_python(arguments)
    else:
        known = program in KNOWN or program in (".", "prunescope")
        assert known, f"nothing looks at {program}"
    return program


def _without_output(arguments: list[str]) -> list[str]:
    return arguments[: arguments.index(">")] if ">" in arguments else arguments


def _look_at_python(arguments: list[str]) -> None:
    """Modules that are run, and files of tests, are there."""
    if "-m" in arguments:
        module = arguments[arguments.index("-m") + 1]
        assert find_spec(module) is not None
    for word in arguments:
        if word.startswith("tests/"):
            assert (ROOT / word.partition("::")[0]).exists()


YAML = [block for block in blocks("yaml") if not block.page.startswith("docs/upstream")]
# Of Prometheus, of GitHub's workflows, of Kubernetes.
OF_OTHERS = {"scrape_configs", "run", "spec"}


@pytest.mark.parametrize("block", named(YAML))
def test_configurations_are_valid(block: Block) -> None:
    """Those of an audit, whole or in part, and the values of the chart (tests/helm has their
    schema): parts are given what they lack."""
    document = yaml.safe_load(block.text)
    keys = set(document[0] if isinstance(document, list) else document)
    if keys & OF_OTHERS:
        return
    if keys <= set(AuditConfig.model_fields):
        validate_config(_completed(document), block.place)
        return
    values = yaml.safe_load((ROOT / "helm" / "prunescope" / "values.yaml").read_text())
    assert keys <= set(values)
    if "config" in document:
        validate_config(document["config"], block.place)


def _completed(document: dict[str, Any]) -> dict[str, Any]:
    sources = [{"type": "trino_events", "paths": ["x"]}]
    return {"catalogs": {"lake": {}}, "audit": {"catalog": "lake"}, "sources": sources} | document


@pytest.mark.parametrize("block", named(blocks("json")))
def test_json_can_be_read(block: Block) -> None:
    assert json.loads(block.text)


QUERIES = [block for block in blocks("sql") if block.text.startswith("SELECT")]


@pytest.mark.parametrize("block", named(QUERIES))
def test_queries_can_be_parsed(block: Block) -> None:
    if "…" not in block.text:
        assert isinstance(sqlglot.parse_one(block.text, dialect="trino"), exp.Query)


@pytest.mark.usefixtures("working_directory")
def test_commands_within_text_are_taken() -> None:
    lines = {line for page in PAGES for line in INLINE.findall(page.read_text(encoding="utf-8"))}
    whole = sorted(line for line in lines if not re.search(r"[A-Z]{3}|…", line))
    assert whole
    assert [_take(line) for line in whole] == ["prunescope"] * len(whole)


def test_every_language_has_a_reader() -> None:
    """Those of `python` are of docs/upstream, which tests/test_upstream.py runs; `text` is what was
    answered."""
    read = {"sh", "yaml", "json", "sql", "python", "text"}
    others = {"properties", "nginx", "mermaid"}  # settings of others, and a picture
    assert LANGUAGES - others == read
