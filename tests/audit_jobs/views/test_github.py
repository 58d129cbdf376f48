"""Workflow commands, read as the runner of GitHub Actions reads them (actions/runner,
ActionCommand.TryParseV2: properties are split at commas, then unescaped)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from prunescope.audit_jobs.checking.limits import Excess
from prunescope.audit_jobs.findings.entries import FileOutcome, Place, entries
from prunescope.audit_jobs.findings.model import Severity
from prunescope.audit_jobs.jobs.check import Check
from prunescope.audit_jobs.views.github import command, workflow_commands
from tests.audit_jobs.sinks.results import SPREAD

PLACE = Place("a.sql", 3, 7, 3, 22, is_condition=True, replacement="at >= 1")


def read(line: str) -> tuple[str, dict[str, str], str]:
    """The kind, the properties and the message of a command."""
    assert "\n" not in line
    assert "\r" not in line
    head, _, message = line.removeprefix("::").partition("::")
    kind, _, told = head.partition(" ")
    pairs = (pair.split("=", 1) for pair in told.split(",") if pair)
    return kind, {name: unescaped(value) for name, value in pairs}, unescaped(message)


def unescaped(text: str) -> str:
    for code, letter in (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
        text = text.replace(code, letter)
    return text


@pytest.mark.parametrize(
    "text",
    ["plain", "50 %", "a:b,c=d", "::error::x", "%0A", "é 😀", "100%25", "a::b"],
)
def test_what_is_written_is_read(text: str) -> None:
    assert read(command("error", {"file": text, "title": text}, [text, text])) == (
        "error",
        {"file": text, "title": text},
        f"{text}\n{text}",
    )


def test_a_line_end_in_a_name_ends_no_command() -> None:
    _, properties, _ = read(command("error", {"file": "a\n::warning::x"}, ["x\n::error::y"]))
    assert properties["file"] == "a\n::warning::x"


def commands(check: Check) -> list[tuple[str, dict[str, str], str]]:
    return [read(line) for line in workflow_commands(check)]


def checked(*places: Place, severity: Severity = Severity.HIGH, known: bool = False) -> Check:
    (entry,) = entries([replace(SPREAD, severity=severity)])
    entry = replace(entry, files=("a.sql",), places=places, is_known=known)
    return Check((), (entry,), paths={"a.sql": Path("models/a.sql")})


def test_a_finding_is_at_its_condition_with_what_to_write() -> None:
    ((kind, properties, message),) = commands(checked(PLACE))
    assert kind == "error"
    where = {name: value for name, value in properties.items() if name != "title"}
    assert where == {
        "file": "models/a.sql",
        "line": "3",
        "endLine": "3",
        "col": "7",
        "endColumn": "22",
    }
    assert message.endswith("it selects the same rows: at >= 1")


def test_columns_are_of_one_line_only() -> None:
    ((_, properties, _),) = commands(checked(replace(PLACE, end_line=5)))
    assert (properties["line"], properties["endLine"]) == ("3", "5")
    assert not {"col", "endColumn"} & set(properties)


@pytest.mark.parametrize(
    ("severity", "kind"),
    [(Severity.CRITICAL, "error"), (Severity.MEDIUM, "warning"), (Severity.INFO, "notice")],
)
def test_kinds_are_by_severity(severity: Severity, kind: str) -> None:
    assert [found for found, *_ in commands(checked(PLACE, severity=severity))] == [kind]


def test_what_is_known_is_not_told() -> None:
    assert commands(checked(PLACE, known=True)) == []
    some = checked(replace(PLACE, is_known=True), replace(PLACE, line=9, end_line=9))
    assert [properties["line"] for _, properties, _ in commands(some)] == ["9"]


def test_files_that_fail_and_limits_are_errors() -> None:
    file = FileOutcome("a.sql", "template", "line 1 has a template")
    excess = Excess("a.sql", "max_bytes", None, 20, 100)
    check = Check((file,), (), excesses=(excess,), paths={"a.sql": Path("a.sql")})
    template, limit = commands(check)
    assert template == (
        "error",
        {"file": "a.sql", "title": "template"},
        "line 1 has a template",
    )
    assert "20 of 100 B (20 %)" in limit[2]
