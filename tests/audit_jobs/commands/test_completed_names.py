"""A shell completes causes, planners and tables."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.shell_completion import BashComplete

from prunescope.audit_jobs.cli import main
from prunescope.audit_jobs.findings.catalogue import BY_ID
from tests.audit_jobs.api.lake import write_lake

PROGRAM = "from prunescope.audit_jobs.cli import main; main(prog_name='prunescope')"
ORDERS = ["lake.sales.orders"]


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with audit.yaml, and a catalog with one table."""
    folder = tmp_path_factory.mktemp("lake")
    write_lake(folder)
    return folder


def completed(*words: str) -> list[str]:
    """What the last word may become."""
    *arguments, last = words
    shell = BashComplete(main, {}, "prunescope", "_PRUNESCOPE_COMPLETE")
    return [item.value for item in shell.get_completions(arguments, last)]


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (["findings", "--cause", "wrapped"], ["wrapped_column"]),
        (["findings", "--cause", ""], list(BY_ID)),
        (["findings", "--table", "lake.s"], ORDERS),
        (["explain", "lake.sales."], ORDERS),
        (["explain", "--config", "audit.yaml", "l"], ORDERS),
        (["bisect", "lake"], ORDERS),
        (["advise", ""], ORDERS),
        (["advise", "lake.sales.orders", "la"], ORDERS),
        (["tables", "lake"], ORDERS),
        (["tables", "other"], []),
        (["tables", "--config", "nowhere.yaml", "lake"], []),
    ],
)
def test_names_that_begin_so(
    lake: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], found: list[str]
) -> None:
    monkeypatch.chdir(lake)
    assert completed(*words) == found


@pytest.mark.parametrize(
    "words",
    [
        ["explain", "lake.sales.orders", "--planner"],
        ["bisect", "--planner"],
        ["check", "--engine"],
        ["compare", "--planner"],
        ["compare", "--with"],
    ],
)
def test_planners_have_their_newest_version(words: list[str]) -> None:
    engines = completed(*words, "")
    assert {"pyiceberg", "spark", "trino"} <= {*engines}
    versioned = [name for name in engines if name.startswith("trino-")]
    assert len(versioned) == 1
    assert completed(*words, "trino-") == versioned


@pytest.mark.slow
def test_a_shell_gets_them_and_nothing_else(lake: Path) -> None:
    words = {"COMP_WORDS": "prunescope tables lake", "COMP_CWORD": "2"}
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        cwd=lake,
        env={**os.environ, **words, "_PRUNESCOPE_COMPLETE": "bash_complete"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ran.stdout, ran.stderr) == ("plain,lake.sales.orders\n", "")
