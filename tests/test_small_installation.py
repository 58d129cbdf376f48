"""Without an extra, what needs none works, and what needs one says which.

The installation is a folder of links to the packages that `dependencies` in pyproject.toml bring,
with theirs, as an environment without any extra has them.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from importlib.metadata import distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from prunescope.audit_jobs.demo.warehouse import DAY

ROOT = Path(__file__).parent.parent
EXTRAS = ("pyspark", "great_expectations", "pandas", "uvicorn", "opentelemetry/sdk")

pytestmark = [pytest.mark.slow, pytest.mark.exhaustive]


def _needed(requirements: list[str]) -> set[str]:
    """The names of the distributions that requirements bring, with theirs."""
    wanted = [(Requirement(text), "") for text in requirements]
    seen: set[tuple[str, str]] = set()
    while wanted:
        requirement, own = wanted.pop()
        if requirement.marker is not None and not requirement.marker.evaluate({"extra": own}):
            continue
        for extra in ("", *requirement.extras):
            found = (canonicalize_name(requirement.name), extra)
            if found not in seen:
                seen.add(found)
                texts = distribution(requirement.name).requires or ()
                wanted += [(Requirement(text), extra) for text in texts]
    return {name for name, _ in seen}


@pytest.fixture(scope="module")
def installation(tmp_path_factory: pytest.TempPathFactory) -> Path:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    folder = tmp_path_factory.mktemp("installation")
    for name in (project["name"], *_needed(project["dependencies"])):
        for file in distribution(name).files or ():
            if ".." not in file.parts and (name != project["name"] or "dist-info" in str(file)):
                link = folder / file
                link.parent.mkdir(parents=True, exist_ok=True)
                link.symlink_to(file.locate())
    (folder / "prunescope").symlink_to(ROOT / "prunescope")
    assert not any((folder / package).exists() for package in EXTRAS)
    return folder


def _run(installation: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    program = "from prunescope.audit_jobs.cli import main; main()"
    return subprocess.run(
        [sys.executable, "-S", "-c", program, *arguments],
        env={**os.environ, "PYTHONPATH": str(installation)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_explain_needs_no_extra(installation: Path, demo_lake: Path) -> None:
    where = ("--where", "order_ts >= DATE '2024-04-29'", "--config", str(demo_lake))
    done = _run(installation, "explain", "lake.sales.orders", *where, "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["row_groups"]["kept"] > 0


def test_check_needs_no_extra(installation: Path, demo_lake: Path, tmp_path: Path) -> None:
    query = "SELECT * FROM sales.orders WHERE date_format(order_ts, '%Y-%m-%d') = '2024-04-29'"
    (tmp_path / "daily.sql").write_text(query)
    command = ("check", "--sql-dir", str(tmp_path), "--config", str(demo_lake), "--fail-on", "info")
    done = _run(installation, *command, "--engine", "trino-482")
    assert done.returncode == 1, done.stderr
    assert "wrapped_column" in done.stdout


@pytest.mark.parametrize("command", ["tables", "advise"])
def test_others_need_no_extra(installation: Path, demo_lake: Path, command: str) -> None:
    days = () if command == "tables" else ("--window", DAY.isoformat())
    done = _run(installation, command, *days, "--config", str(demo_lake), "--json")
    assert re.search(r'"(lake\.sales\.)?orders"', done.stdout), done.stderr


@pytest.mark.parametrize(
    ("command", "extra"),
    [
        (("audit", "--last", "24h", "--config"), "audit"),
        (("demo", "--directory"), "audit"),
        (("collect",), "collect"),
    ],
)
def test_what_needs_an_extra_says_which(
    installation: Path, demo_lake: Path, tmp_path: Path, command: tuple[str, ...], extra: str
) -> None:
    named = demo_lake if command[-1] == "--config" else tmp_path / "new"
    done = _run(installation, *command, str(named))
    assert done.returncode == 2
    assert f"pip install 'prunescope[{extra}]'" in done.stderr
    assert not (tmp_path / "new").exists()
