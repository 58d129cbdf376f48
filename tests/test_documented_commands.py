"""What README and docs have people copy is taken by what they paste it into."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from shutil import copyfile
from typing import Any

import pytest
import yaml

from prunescope.audit_jobs.config import AuditConfig, validate_config
from tests.documented import (
    INDENTED,
    LANGUAGES,
    PAGES,
    ROOT,
    Block,
    blocks,
    commands,
    outside_of_fences,
)
from tests.documented_programs import UNJUDGED, judge, judge_requirements
from tests.schedule.commands import options_of

SHELL = blocks("sh")
TARGETS = re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
INLINE = re.compile(r"`(prunescope [a-z]+ [^`\n]+)`")
READERS = {
    "json": "test_documented_commands",
    "mermaid": "test_documented_files",
    "nginx": "test_documented_settings",
    "properties": "test_documented_settings",
    "python": "test_schedulers",
    "sh": "test_documented_commands",
    "sql": "test_documented_sql",
    "text": "test_documented_outputs",
    "yaml": "test_documented_commands",
}
"""The tests that read blocks of a language."""
VARIABLES = re.findall(r"^(\w+) \?=", (ROOT / "Makefile").read_text(), re.MULTILINE)
EXTRAS_OF = re.compile(r"['\"](?:\.|prunescope)\[[\w,]+\]['\"]")
STARTERS: dict[str, Callable[[str], bool]] = {
    "spark-submit": lambda word: word.startswith("$("),  # asks where our own file is
    "uvx": lambda word: word == "prunescope",
    "xargs": lambda word: word in UNJUDGED,
}
"""Programs that start others, and the word in which these begin."""
INNER = re.compile(r"\$\((.*)\)")


def named(found: list[Block]) -> list[Any]:
    """Blocks as parameters, by their place."""
    return [pytest.param(block, id=block.place) for block in found]


@pytest.fixture
def working_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder with what the commands of the documentation expect to be there."""
    for folder in ("ops", "target/compiled", "docs", "sql", "models"):
        (tmp_path / folder).mkdir(parents=True)
    files = "audit.yaml", "ops/audit.yaml", "settings.yaml", "models/orders.sql", "known.json"
    for file in files:
        (tmp_path / file).touch()
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("working_directory")
@pytest.mark.parametrize(
    "block",
    [
        pytest.param(
            block,
            id=block.place,
            marks=[pytest.mark.slow] if "spark-submit" in block.text else [],  # starts a JVM
        )
        for block in SHELL
    ],
)
def test_commands_are_taken(block: Block) -> None:
    taken = [_take(line) for line in commands(block)]
    assert taken


@pytest.mark.parametrize("block", named(SHELL))
def test_a_shell_can_read_them(block: Block) -> None:
    subprocess.run(["bash", "-n"], input=block.text, text=True, check=True)


def _take(line: str) -> str:
    """The program of a command line, of which all was looked at that anything here can judge."""
    for inner in INNER.findall(line):
        _take(inner)
    words = shlex.split(line)
    while "=" in words[0]:
        words = words[1:]
    program, *arguments = words
    program = re.sub(r"^(\.venv|/opt/prunescope|/usr/local/airflow/prunescope)/bin/", "", program)
    starts = STARTERS.get(program)
    at = next((n for n, word in enumerate(arguments) if starts and starts(word)), None)
    if at is not None:
        judge([program, *arguments[:at]])
        started = "prunescope" if program == "spark-submit" else arguments[at]
        return _take(shlex.join([started, *arguments[at + 1 :]]))
    if program == "prunescope":
        if arguments[-1] != "--help":
            options_of(shlex.join([program, *_without_output(arguments)]))
    elif program == "make":
        assert arguments[0] in TARGETS
        assert {word.partition("=")[0] for word in arguments[1:]} <= set(VARIABLES)
    elif program in ("python", "python3", "$PYSPARK_PYTHON", "pytest"):
        _look_at_python(arguments)
    else:
        judge([program, *_without_output(arguments)])
        judge_requirements(arguments)
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


ELSEWHERE = ("docs/upstream", "docs/schedule/")
"""Pages whose blocks tests/test_upstream.py and tests/schedule/test_schedulers.py read."""
YAML = [block for block in blocks("yaml") if not block.page.startswith(ELSEWHERE)]
WORKFLOWS, SPARK_OPERATOR, PROMETHEUS = {"run", "uses"}, {"spec"}, {"scrape_configs"}
PRE_COMMIT = {"repos"}
OWN_ACTION = "prunescope/prunescope@main"
"""Configurations of others, by a key that they have."""


def _keys(block: Block) -> set[str]:
    document = yaml.safe_load(block.text)
    return set(document[0] if isinstance(document, list) else document)


def _with(keys: set[str]) -> list[Any]:
    return named([block for block in YAML if keys & _keys(block)])


@pytest.mark.parametrize(
    "block",
    named(
        [
            block
            for block in YAML
            if not _keys(block) & (WORKFLOWS | SPARK_OPERATOR | PROMETHEUS | PRE_COMMIT)
        ]
    ),
)
def test_configurations_are_valid(block: Block) -> None:
    """Those of an audit, whole or in part, which are given what they lack, and the values of the
    chart, of which tests/test_documented_chart.py asks Helm."""
    document = yaml.safe_load(block.text)
    if set(document) <= set(AuditConfig.model_fields):
        validate_config(_completed(document), block.place)
        return
    values = yaml.safe_load((ROOT / "helm" / "prunescope" / "values.yaml").read_text())
    assert set(document) <= set(values)
    if "config" in document:
        validate_config(document["config"], block.place)


@pytest.mark.parametrize("block", _with(PROMETHEUS))
def test_prometheus_takes_its_configuration(
    block: Block, tmp_path: Path, require_program: Callable[[str], Path]
) -> None:
    """With the rules, of which dashboards/generated has the file."""
    for name in yaml.safe_load(block.text)["rule_files"]:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        copyfile(ROOT / "dashboards" / "generated" / Path(name).name, tmp_path / name)
    (tmp_path / "prometheus.yml").write_text(block.text)
    command = [str(require_program("promtool")), "check", "config", "prometheus.yml"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.usefixtures("working_directory")
@pytest.mark.parametrize("block", _with(WORKFLOWS))
def test_steps_of_workflows_are_taken(block: Block) -> None:
    """Of what others made for workflows, nothing here can tell what it takes."""
    action = yaml.safe_load((ROOT / "action.yml").read_text())
    for step in yaml.safe_load(block.text):
        if "run" in step:
            _take(step["run"])
        assert set(step) <= {"run", "uses", "if", "with"}
        if step.get("uses") == OWN_ACTION:
            given = step["with"]
            assert set(given) <= set(action["inputs"])
            options_of(shlex.join(["prunescope", "check", *given.get("arguments", "").split()]))


@pytest.mark.usefixtures("working_directory")
@pytest.mark.parametrize("block", _with(PRE_COMMIT))
def test_hooks_are_there_and_take_their_arguments(block: Block) -> None:
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    entries = {hook["id"]: hook["entry"] for hook in hooks}
    for repository in yaml.safe_load(block.text)["repos"]:
        for hook in repository["hooks"]:
            options_of(shlex.join([*entries[hook["id"]].split(), *hook["args"]]))


@pytest.mark.parametrize("block", _with(SPARK_OPERATOR))
def test_settings_of_an_application_are_texts(block: Block) -> None:
    """As its definition wants them; tests/test_documented_settings.py knows their names."""
    (settings,) = yaml.safe_load(block.text)["spec"].values()
    assert {type(value) for value in settings.values()} == {str}


def _completed(document: dict[str, Any]) -> dict[str, Any]:
    sources = [{"type": "trino_events", "paths": ["x"]}]
    return {"catalogs": {"lake": {}}, "audit": {"catalog": "lake"}, "sources": sources} | document


@pytest.mark.parametrize("block", named(blocks("json")))
def test_json_can_be_read(block: Block) -> None:
    assert json.loads(block.text)


@pytest.mark.parametrize("page", [pytest.param(page, id=page.name) for page in PAGES])
def test_extras_are_there(page: Path) -> None:
    """In commands, their comments and texts."""
    judge_requirements([found[1:-1] for found in EXTRAS_OF.findall(page.read_text("utf-8"))])


def test_what_nothing_can_judge_is_used() -> None:
    """A reason stands for a program that the documentation has."""
    lines = [line for block in SHELL for line in commands(block)]
    assert {name for name in UNJUDGED if any(name in line.split() for line in lines)} == {*UNJUDGED}


@pytest.mark.usefixtures("working_directory")
def test_commands_within_text_are_taken() -> None:
    lines = {line for page in PAGES for line in INLINE.findall(page.read_text(encoding="utf-8"))}
    whole = sorted(line for line in lines if not re.search(r"[A-Z]{3}|…", line))
    assert whole
    assert [_take(line) for line in whole] == ["prunescope"] * len(whole)


def test_every_language_has_a_reader() -> None:
    assert set(READERS) >= LANGUAGES
    texts = {
        name: next((ROOT / "tests").rglob(f"{module}.py")).read_text()
        for name, module in READERS.items()
    }
    assert [language for language, text in texts.items() if language not in text] == []


@pytest.mark.parametrize("page", [pytest.param(page, id=page.name) for page in PAGES])
def test_no_block_is_without_a_fence(page: Path) -> None:
    assert INDENTED.findall(outside_of_fences(page)) == []
