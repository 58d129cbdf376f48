"""The example DAGs, as the pinned Airflow reads them, and their commands, as prunescope does.

Airflow gets an environment of its own: it needs other versions of what prunescope needs.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, cast

import pytest
import yaml

from prunescope.audit_jobs.commands.inputs import window_of
from prunescope.audit_jobs.commands.typed import WindowOptions
from prunescope.audit_jobs.records import Window
from tests.conftest import IN_CI
from tests.schedule.commands import options_of

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
MOMENT = dt.datetime(2026, 3, 10, 1, 30, tzinfo=dt.UTC)


@pytest.fixture(scope="session")
def airflow() -> Path:
    """The Python of an environment with Airflow, which is kept between runs. Where its packages
    cannot be had, the test skips, and fails in CI."""
    pinned = ROOT / "requirements" / "airflow.txt"
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    name = f"airflow-{hashlib.sha256(pinned.read_bytes()).hexdigest()[:16]}"
    folder = Path(cache) / "prunescope" / name
    python, ready = folder / "bin" / "python", folder / ".ready"
    if not ready.exists():
        install = ["pip", "install", "--require-hashes", "--only-binary", ":all:"]
        commands: tuple[list[str | Path], ...] = (
            ["venv", "--clear", "--python", sys.executable, folder],
            [*install, "--python", python, "--requirement", pinned],
        )
        for command in commands:
            uv = [sys.executable, "-m", "uv", "--quiet", *command]
            done = subprocess.run(uv, capture_output=True, text=True, timeout=600, check=False)
            if done.returncode:
                reason = f"Airflow cannot be installed: {done.stderr.strip()[-500:]}"
                if IN_CI:
                    pytest.fail(f"{reason}, and CI must not skip for that", pytrace=False)
                pytest.skip(reason)
        ready.touch()
    return python


@pytest.fixture(scope="module")
def shown(airflow: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What Airflow makes of the examples."""
    home = {"AIRFLOW_HOME": str(tmp_path_factory.mktemp("airflow"))}
    script, dags = Path(__file__).with_name("show_dags.py"), ROOT / "docs" / "examples" / "airflow"
    done = subprocess.run(
        [airflow, script, dags, MOMENT.isoformat()],
        env=os.environ | home | {"AIRFLOW__LOGGING__LOGGING_LEVEL": "ERROR"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    answer: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return answer


def test_airflow_loads_them(shown: dict[str, Any]) -> None:
    assert shown["errors"] == {}
    assert set(shown["dags"]) == {"prunescope_audit", "prunescope_maintain"}


@pytest.mark.parametrize("run", ["scheduled", "triggered"])
def test_a_run_audits_the_utc_day_before(shown: dict[str, Any], run: str) -> None:
    subcommand, options = options_of(shown["dags"]["prunescope_audit"]["commands"][run])
    assert subcommand == "audit"
    midnight = MOMENT.replace(hour=0, minute=0)
    assert window_of(cast("WindowOptions", options), MOMENT) == Window(
        midnight - dt.timedelta(days=1), midnight
    )


def test_maintenance_is_the_command(shown: dict[str, Any]) -> None:
    subcommand, _ = options_of(shown["dags"]["prunescope_maintain"]["commands"]["scheduled"])
    assert subcommand == "maintain"


@pytest.mark.parametrize(
    ("dag", "ends"),
    [
        ("prunescope_audit", {"0": "success", "1": "skipped", "2": "failed"}),
        ("prunescope_maintain", {"0": "success", "1": "failed", "2": "failed"}),
    ],
)
def test_exit_codes_are_what_they_mean(
    shown: dict[str, Any], dag: str, ends: dict[str, str]
) -> None:
    assert shown["dags"][dag]["ends"] == ends
    assert shown["dags"][dag]["retries"] == 2


def test_they_run_when_the_chart_does_one_at_a_time(shown: dict[str, Any]) -> None:
    values = yaml.safe_load((ROOT / "helm" / "prunescope" / "values.yaml").read_text())
    for name, component in (("audit", "audit"), ("maintain", "maintenance")):
        dag = shown["dags"][f"prunescope_{name}"]
        assert dag["schedule"] == values[component]["schedule"]
        assert (dag["time_zone"], values[component]["timeZone"]) == ("UTC", "Etc/UTC")
        assert dag["max_active_runs"] == 1
