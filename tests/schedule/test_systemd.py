"""The example units, as systemd itself reads them, and their commands, as prunescope does."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from click import UsageError

from tests.schedule.commands import options_of

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples" / "systemd"
SERVICES = {path.stem.removeprefix("prunescope-"): path for path in EXAMPLES.glob("*.service")}
_INSTALLED = "/opt/prunescope/bin"


@dataclass(frozen=True, slots=True)
class Systemd:
    """systemd-analyze, and a copy of the units that names the program of this environment."""

    program: Path
    units: Path

    def analyze(self, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [self.program, *arguments],
            env=os.environ | {"TZ": "UTC", "LC_ALL": "C.UTF-8"},
            capture_output=True,
            text=True,
            check=False,
        )

    def complaints(self) -> str:
        """What systemd has to say about the units."""
        files = [path for path in self.units.iterdir() if path.is_file()]
        said = self.analyze("verify", "--man=no", "--recursive-errors=no", *files)
        return said.stdout + said.stderr

    def moments(self, calendar: str, base: str, count: int) -> list[str]:
        """The next moments of an OnCalendar expression, from a base time on."""
        options = [f"--base-time={base}", f"--iterations={count}"]
        shown = self.analyze("calendar", *options, calendar).stdout
        return re.findall(r"(?:Next elapse|Iter\. #\d+): (.*)", shown)


@pytest.fixture
def systemd(require_program: Callable[[str], Path], tmp_path: Path) -> Systemd:
    units = tmp_path / "units"
    shutil.copytree(EXAMPLES, units)
    for path in units.glob("*.service"):
        path.write_text(path.read_text().replace(_INSTALLED, str(Path(sys.executable).parent)))
    return Systemd(require_program("systemd-analyze"), units)


def test_systemd_has_no_complaint(systemd: Systemd) -> None:
    assert systemd.complaints() == ""


@pytest.mark.parametrize(
    ("file", "wrong"),
    [
        ("prunescope-audit.service", "RestartSecs=10min"),
        ("prunescope-audit.timer", "OnCalendar=*-*-* 25:30"),
        ("prunescope-.service.d/sandbox.conf", "ProtectSystem=very"),
    ],
)
def test_systemd_would_complain_of_a_mistake(systemd: Systemd, file: str, wrong: str) -> None:
    section = "Timer" if file.endswith("timer") else "Service"
    with (systemd.units / file).open("a") as unit:
        unit.write(f"[{section}]\n{wrong}\n")
    assert f"{systemd.units / file}:" in systemd.complaints()


@pytest.mark.parametrize("service", SERVICES)
def test_a_service_is_confined(systemd: Systemd, service: str) -> None:
    """By systemd's own measure, exposure is below 2 of 10; without the drop-in it is above 9."""
    unit = systemd.units / f"prunescope-{service}.service"
    judged = systemd.analyze("security", "--no-pager", "--offline=true", "--threshold=20", unit)
    assert judged.returncode == 0, judged.stdout


@pytest.mark.parametrize("service", SERVICES)
def test_a_service_runs_a_command_that_there_is(service: str) -> None:
    (line,) = re.findall(r"^ExecStart=(.*)$", SERVICES[service].read_text(), re.MULTILINE)
    subcommand, options = options_of(line)
    assert line.startswith(f"{_INSTALLED}/")
    assert subcommand == service
    if service == "collect":
        assert str(options["token_file"]) == "%d/tokens", "without it, it listens on loopback only"
    else:
        assert str(options["config"]) == "/etc/prunescope/audit.yaml"


def test_a_command_that_there_is_not_is_refused() -> None:
    with pytest.raises(UsageError):
        options_of("prunescope audit --config audit.yaml --days 2")


def test_only_a_service_that_reads_catalogs_has_their_credentials() -> None:
    with_credentials = {
        service for service, path in SERVICES.items() if ".pyiceberg.yaml" in path.read_text()
    }
    assert with_credentials == {"audit", "export", "maintain"}


@pytest.mark.parametrize(
    ("timer", "moments"),
    [
        ("audit", ["Tue 2026-03-10 01:30:00 UTC", "Wed 2026-03-11 01:30:00 UTC"]),
        ("maintain", ["Sun 2026-03-15 05:30:00 UTC", "Sun 2026-03-22 05:30:00 UTC"]),
    ],
)
def test_timers_elapse_when_they_should(systemd: Systemd, timer: str, moments: list[str]) -> None:
    text = (EXAMPLES / f"prunescope-{timer}.timer").read_text()
    (calendar,) = re.findall(r"^OnCalendar=(.*)$", text, re.MULTILINE)
    assert systemd.moments(calendar, "2026-03-10 00:00:00 UTC", len(moments)) == moments
    assert (EXAMPLES / f"prunescope-{timer}.service").is_file()
