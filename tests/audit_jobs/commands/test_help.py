"""What `--help` says of every command."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from prunescope.audit_jobs.cli import main
from prunescope.audit_jobs.findings.model import DOCUMENTATION

ROOT = Path(__file__).parents[3]
NAMES = main.list_commands(click.Context(main))


def help_of(name: str) -> str:
    result = CliRunner().invoke(main, [name, "--help"], terminal_width=100)
    assert result.exit_code == 0
    return result.output


def test_the_list_of_commands_says_of_each_in_full_what_it_does() -> None:
    """On a terminal of 80 columns."""
    listed = CliRunner().invoke(main, ["--help"], terminal_width=80).output
    rows = listed.partition("Commands:\n")[2].splitlines()
    assert [row.split()[0] for row in rows] == NAMES
    assert [row for row in rows if row.endswith("...")] == []


@pytest.mark.parametrize("name", NAMES)
def test_it_ends_with_examples_and_a_page_that_is_there(name: str) -> None:
    text = help_of(name)
    (page,) = re.findall(r"More: (\S+)", text)
    assert page.rpartition("/")[0] == DOCUMENTATION.rpartition("/")[0]
    assert (ROOT / "docs" / page.rpartition("/")[2]).is_file()
    assert f"  prunescope {name}" in text or f"(prunescope {name}" in text


@pytest.mark.parametrize("name", NAMES)
def test_its_examples_are_of_options_that_it_has(name: str) -> None:
    command = main.get_command(click.Context(main), name)
    assert command is not None
    known = {option for parameter in command.params for option in parameter.opts}
    for line in re.findall(rf"^  (prunescope {name} .*)$", help_of(name), re.MULTILINE):
        used = {word for word in shlex.split(line) if word.startswith("--")}
        assert used <= known, line


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_gets_a_script_that_completes(shell: str) -> None:
    result = CliRunner().invoke(main, ["completion", shell])
    assert result.exit_code == 0
    assert "_PRUNESCOPE_COMPLETE" in result.stdout
    assert "prunescope" in result.stdout


def test_commands_are_completed() -> None:
    environment = {
        "_PRUNESCOPE_COMPLETE": "bash_complete",
        "COMP_WORDS": "prunescope ta",
        "COMP_CWORD": "1",
    }
    result = CliRunner().invoke(main, [], env=environment, prog_name="prunescope")
    assert "plain,tables" in result.stdout
