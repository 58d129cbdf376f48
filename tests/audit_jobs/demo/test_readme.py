"""What the README shows of the demo's lake is what it shows today: answers, and the picture."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from prunescope.audit_jobs.cli import main
from tests.audit_jobs.demo.funnel_picture import document, funnels
from tests.documented import ROOT

pytestmark = pytest.mark.slow

README = (ROOT / "README.md").read_text(encoding="utf-8")
# A command, perhaps a few lines about it, and its answer.
ANSWERED = re.compile(r"```sh\n(prunescope explain lake\.[^`]*)```\n[^`]*```text\n([^`]*)```")
ANSWERS = [
    pytest.param(command, answer, id=shlex.split(command)[-1])
    for command, answer in ANSWERED.findall(README)
]


@pytest.mark.parametrize(("command", "answer"), ANSWERS)
def test_explain_answers_as_the_readme_says(command: str, answer: str, demo_lake: Path) -> None:
    _, *words = shlex.split(command.replace("\\\n", " "))
    here = [word.replace("demo/audit.yaml", str(demo_lake)) for word in words]
    result = CliRunner(env={"COLUMNS": "100"}).invoke(main, here)
    assert result.exit_code == 0, result.output
    shown = _without_margins(result.stdout)
    for part in _without_margins(answer).split("…"):
        assert part.strip() in shown


def _without_margins(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.strip().splitlines())


def test_the_funnel_is_what_the_demo_shows(demo_lake: Path) -> None:
    picture = ROOT / "docs" / "images" / "funnel.svg"
    assert picture.read_text(encoding="utf-8") == document(funnels(demo_lake))
