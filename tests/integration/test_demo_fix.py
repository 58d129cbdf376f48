"""The fix of the README, run by Spark with the settings of docs/demo.md on the demo's lake."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import chdir
from pathlib import Path
from typing import Any

import pyspark
import pytest
from click.testing import CliRunner

from prunescope.audit_jobs.cli import main
from prunescope.audit_jobs.demo.setup import prepare
from tests.documented import blocks, statements
from tests.jars import ICEBERG_SPARK, artefact

# Not `spark`: the settings are for the newest one.
pytestmark = [pytest.mark.slow(minutes=1), pytest.mark.exhaustive]

PACKAGES = "spark.jars.packages"
QUESTION = ("explain", "lake.web.events", "--planner", "trino-482", "--where", "user_id = 4711")


def explained() -> dict[str, Any]:
    result = CliRunner().invoke(main, [*QUESTION, "--config", "demo/audit.yaml", "--json"])
    assert result.exit_code == 0, result.output
    answer: dict[str, Any] = json.loads(result.stdout)
    return answer


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Path]:
    """A folder in which the demo was made."""
    with chdir(tmp_path):
        prepare(Path("demo"))
        yield tmp_path


def test_the_statements_do_what_the_readme_shows(
    home: Path, require_program: Callable[[str], Path]
) -> None:
    (settings,) = (block for block in blocks("properties") if block.page == "docs/demo.md")
    given = dict(line.split() for line in settings.text.splitlines())
    packages = given.pop(PACKAGES).split(",")
    assert ICEBERG_SPARK["4.1"] in packages
    jars = [artefact(name, require_program) for name in packages]
    (home / "spark.conf").write_text("".join(f"{key} {value}\n" for key, value in given.items()))
    fix = [
        each.text
        for each in statements()
        if each.place.startswith("README.md:") and each.is_whole and each.engines == ("Spark",)
    ]
    before = explained()
    spark_sql(home, jars, fix)
    after = explained()
    assert before["data_files"] == {"total": 270, "considered": 270, "kept": 270}
    # How many files there are is up to how Spark cuts the sorted rows.
    assert after["data_files"]["total"] < before["data_files"]["total"]
    assert (after["manifests"]["kept"], after["data_files"]["kept"]) == (1, 1)
    assert after["bytes"]["kept"] < before["bytes"]["kept"] / 100
    assert after["records"]["total"] == before["records"]["total"]


def spark_sql(home: Path, jars: list[Path], lines: list[str]) -> None:
    """As somebody pastes them. JARs that are there stand for the packages of the settings."""
    assert len(lines) == 2
    done = subprocess.run(
        [
            Path(pyspark.__file__).parent / "bin" / "spark-sql",
            *("--properties-file", "spark.conf", "--master", "local[2]"),
            *("--jars", ",".join(map(str, jars))),
            *("--conf", "spark.ui.enabled=false", "--conf", "spark.driver.host=127.0.0.1"),
            *("-e", ";\n".join(lines)),
        ],
        cwd=home,
        env=os.environ | {"PYSPARK_PYTHON": sys.executable},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-4000:]
