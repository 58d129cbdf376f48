"""`prunescope demo --serve`, as it is typed: what it tells to try next, and what it serves."""

from __future__ import annotations

import datetime as dt
import json
import os
import re
import shlex
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
from click.testing import CliRunner, Result

from prunescope.audit_jobs.cli import main
from prunescope.audit_jobs.demo.next_steps import next_steps, program
from prunescope.audit_jobs.demo.shapes import TRINO
from prunescope.audit_jobs.demo.warehouse import DAY
from prunescope.audit_jobs.sinks.metric_catalogue import PUBLISHED
from tests.documented import blocks

pytestmark = pytest.mark.slow

COMMAND = [sys.executable, "-m", "prunescope.audit_jobs.cli", "demo"]
DIRECTORY = "my first/lake"


@dataclass(frozen=True)
class Demo:
    """A demo that serves: where it was typed, its lines on standard output, and its addresses."""

    folder: Path
    process: subprocess.Popen[str]
    lines: Sequence[str]

    def address(self, name: str) -> str:
        (found,) = (line for line in self.lines if line.startswith(f"{name} ") and "http" in line)
        return found.split()[1]

    def command(self, words: str) -> str:
        """The printed command with some words in it."""
        (found,) = (line for line in self.lines if line.startswith("  ") and words in line)
        return found


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Demo]:
    folder = tmp_path_factory.mktemp("home")
    (folder / DIRECTORY).parent.mkdir()
    with subprocess.Popen(
        [*COMMAND, "--directory", DIRECTORY, "--serve", "--quiet"],
        cwd=folder,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        lines: list[str] = []
        for line in process.stdout:
            lines.append(line.rstrip("\n"))
            if line.startswith("dashboards "):
                break
        try:
            yield Demo(folder, process, lines)
        finally:
            process.kill()


def pasted(demo: Demo, line: str, *more: str) -> Result:
    """What a printed line does in the directory in which the demo was typed."""
    name, *arguments = shlex.split(line)
    assert name == "prunescope"
    before = Path.cwd()
    os.chdir(demo.folder)
    try:
        return CliRunner().invoke(main, [*arguments, *more])
    finally:
        os.chdir(before)


@pytest.mark.exhaustive
def test_three_commands_can_be_pasted_and_show_what_is_promised(demo: Demo) -> None:
    steps = next_steps(Path(DIRECTORY) / "audit.yaml")
    assert len(steps) == 3
    told = demo.lines[demo.lines.index("Try next:") :]
    for step in steps:
        assert told[told.index(step.shows) + 1] == f"  {step.command}"
        assert pasted(demo, step.command).exit_code == 0
    wrapped, by_range = (
        json.loads(pasted(demo, step.command, "--json").stdout) for step in steps[:2]
    )
    every, few = (found["data_files"] for found in (wrapped, by_range))
    assert every["kept"] == every["total"] == few["total"]
    assert few["kept"] == wrapped["potential"]["data_files"]
    assert 0 < few["kept"] < few["total"] / 30
    finding = pasted(demo, steps[2].command).stdout
    wasted = re.search(r"could skip ([\d.]+) of ([\d.]+) MB", finding)
    assert wasted is not None
    assert float(wasted[1]) > float(wasted[2]) / 2
    assert "WRITE ORDERED BY `user_id`" in finding


@pytest.mark.exhaustive
def test_findings_are_as_the_readme_shows(demo: Demo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "102")
    told = _words(pasted(demo, f"prunescope findings --config '{DIRECTORY}/audit.yaml' --details"))
    shown = [
        block for block in blocks("text") if block.page == "README.md" and block.text[0] == " "
    ]
    assert len(shown) == 2
    for block in shown:
        for line in block.text.splitlines():
            assert " ".join(line.split()) in told


def _words(result: Result) -> str:
    return " ".join(result.stdout.split())


@pytest.mark.exhaustive
def test_the_wrapped_condition_is_one_of_the_queries(demo: Demo) -> None:
    line = demo.command("date_format")
    condition = shlex.split(line)[-1]
    queries = [shape.sql for shape in TRINO]
    asked = _of_any_day(condition)
    assert any(query.endswith(f"WHERE {asked}") for query in queries)


def test_the_query_of_the_readme_is_one_of_them() -> None:
    shown, *_ = [block.text.strip() for block in blocks("sql") if block.page == "README.md"]
    assert _of_any_day(shown) in [shape.sql for shape in TRINO]


def _of_any_day(text: str) -> str:
    return text.replace((DAY - dt.timedelta(days=1)).isoformat(), "{day}")


@pytest.mark.exhaustive
def test_the_line_that_audits_again_is_one_that_can_be_pasted(demo: Demo) -> None:
    (line,) = (line for line in demo.lines if line.startswith("run again"))
    words = shlex.split(line.removeprefix("run again"))
    assert words[:3] == ["prunescope", "audit", "--config"]
    assert (demo.folder / words[3]).is_file()
    assert words[4:] == ["--window", DAY.isoformat()]


@pytest.mark.exhaustive
def test_report_and_metrics_are_served_until_it_is_interrupted(demo: Demo) -> None:
    page = httpx.get(demo.address("report"))
    assert page.content == (demo.folder / DIRECTORY / "report.html").read_bytes()
    assert page.headers["Content-Type"] == "text/html; charset=utf-8"
    metrics = httpx.get(demo.address("metrics")).text
    assert 'prunescope_export_up{audit_catalog="lake"} 1.0' in metrics
    told = (demo.folder / DIRECTORY / "metrics" / "prunescope.prom").read_text()
    names = {metric.name for metric in PUBLISHED}
    samples = [line for line in told.splitlines() if re.split(r"[ {]", line)[0] in names]
    assert len(samples) > 100
    assert set(samples) <= set(metrics.splitlines())
    assert httpx.get(f"{demo.address('report')}other").status_code == 404
    assert httpx.post(demo.address("report")).status_code == 405
    host, port = demo.address("report").removeprefix("http://").strip("/").split(":")
    assert host == "127.0.0.1"
    with pytest.raises(OSError, match="refused"), socket.socket() as other:
        other.connect(("127.0.0.2", int(port)))
    demo.process.send_signal(signal.SIGINT)
    assert demo.process.wait(timeout=30) == 0


def test_a_port_that_is_taken_is_told_before_anything_is_built(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        arguments = ["demo", "--directory", str(tmp_path / "lake"), "--serve", "--port", port]
        result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 2
    assert f"port {port} of 127.0.0.1 cannot be listened on" in result.stderr
    assert not (tmp_path / "lake").exists()


def test_a_port_without_a_server_is_refused(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["demo", "--directory", str(tmp_path), "--port", "80"])
    assert (result.exit_code, "--serve" in result.stderr) == (2, True)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("started", "expected"),
    [
        pytest.param("found/prunescope", "prunescope", id="on the path"),
        pytest.param("my env/bin/prunescope", "'my env/bin/prunescope'", id="by its path"),
        pytest.param("audit_jobs/cli.py", "prunescope", id="as a module"),
    ],
)
def test_commands_name_the_program_as_a_shell_finds_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, started: str, expected: str
) -> None:
    (tmp_path / "found").mkdir()
    (tmp_path / "found" / "prunescope").touch(mode=0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path / "found"))
    monkeypatch.setattr(sys, "argv", [started])
    assert program() == expected
