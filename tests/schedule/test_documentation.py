"""What docs/schedule.md has people type."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from prunescope.audit_jobs import cli
from tests.helm.chart import NEWEST
from tests.schedule.commands import options_of

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "schedule.md").read_text()


def blocks(language: str) -> list[str]:
    """The code blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)


COMMANDS = [
    line for block in blocks("sh") for line in block.replace("\\\n", " ").splitlines() if line
]


def command(start: str) -> str:
    """The one command that starts so."""
    (found,) = [line for line in COMMANDS if line.startswith(start)]
    return found


@pytest.fixture
def rendered(require_program: Callable[[str], Path], tmp_path: Path) -> list[dict[str, Any]]:
    """The objects that the command to install the chart makes of the values above it."""
    helm = require_program("helm")
    (values,) = blocks("yaml")
    (tmp_path / "values.yaml").write_text(values)
    (tmp_path / "helm").symlink_to(ROOT / "helm")
    install = command("helm ")
    template = install.replace("helm upgrade --install", f"{helm} template")
    assert template != install
    done = subprocess.run(
        [*shlex.split(template), "--kube-version", f"{NEWEST}.0"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return [document for document in yaml.safe_load_all(done.stdout) if document]


PRUNESCOPE = [
    *re.findall(r"`(prunescope \w+ [^`]+)`", TEXT),
    *(line for line in COMMANDS if line.startswith("prunescope ")),
]


@pytest.mark.parametrize("line", PRUNESCOPE)
def test_prunescope_takes_every_command(line: str) -> None:
    options_of(line)


def test_what_is_submitted_is_the_audit() -> None:
    """tests/integration/test_standalone_cluster.py submits the same to a cluster."""
    line = command("spark-submit ")
    *_, program, subcommand, option, value = shlex.split(line)
    assert options_of(f"prunescope {subcommand} {option} {value}")[0] == "audit"
    export = command("export PYSPARK_PYTHON=").partition("=")[0].partition(" ")[2]
    assert f"${export}" in program
    ask = shlex.split(program.removeprefix(f"$(${export}").removesuffix(")"))
    found = subprocess.run([sys.executable, *ask], capture_output=True, text=True, check=True)
    assert Path(found.stdout.strip()) == Path(cli.__file__)


def test_the_job_that_is_started_is_of_the_chart(rendered: list[dict[str, Any]]) -> None:
    create = shlex.split(command("kubectl --namespace prunescope create job"))
    (source,) = [word.removeprefix("--from=") for word in create if word.startswith("--from=")]
    jobs = {f"{one['kind']}/{one['metadata']['name']}".lower() for one in rendered}
    assert source in jobs
    assert command("kubectl --namespace prunescope logs").endswith(f"job/{create[-1]}")


def test_the_credential_is_where_the_chart_looks_for_it(rendered: list[dict[str, Any]]) -> None:
    *_, name, option = shlex.split(command("kubectl --namespace prunescope create secret"))
    (audit,) = [one for one in rendered if one["metadata"]["name"] == "prunescope-audit"]
    (container,) = audit["spec"]["jobTemplate"]["spec"]["template"]["spec"]["containers"]
    (reference,) = [
        variable["valueFrom"]["secretKeyRef"]
        for variable in container["env"]
        if variable["name"] == "PYICEBERG_CATALOG__LAKE__CREDENTIAL"
    ]
    assert (reference["name"], f"--from-file={reference['key']}") == (name, option)


def test_the_services_find_what_is_installed(
    require_program: Callable[[str], Path], tmp_path: Path
) -> None:
    for name in ("audit.yaml", ".pyiceberg.yaml"):
        (tmp_path / name).touch()
    (tmp_path / "docs").symlink_to(ROOT / "docs")
    (tmp_path / "etc" / "systemd" / "system").mkdir(parents=True)
    for line in COMMANDS:
        if line.startswith(("install ", "cp ")):
            moved = line.replace("/etc/", f"{tmp_path}/etc/").replace("=/etc", f"={tmp_path}/etc")
            program, *words = shlex.split(moved)
            subprocess.run([require_program(program), *words], cwd=tmp_path, check=True)
    units = tmp_path / "etc" / "systemd" / "system"
    for name in ("audit", "maintain"):
        text = (units / f"prunescope-{name}.service").read_text()
        (config,) = re.findall(r"--config (\S+)", text)
        (credential,) = re.findall(r"^LoadCredential=.*:(\S+)$", text, re.MULTILINE)
        assert (tmp_path / config.removeprefix("/")).is_file()
        assert (tmp_path / credential.removeprefix("/")).stat().st_mode & 0o077 == 0
    for unit in re.findall(r"prunescope-\w+\.(?:service|timer)\b", TEXT):
        assert (units / unit).is_file()
    assert (units / "prunescope-.service.d" / "sandbox.conf").is_file()


def test_the_alerts_that_it_names_are_in_the_rules() -> None:
    rules = (ROOT / "dashboards" / "generated" / "prunescope-rules.yaml").read_text()
    named = set(re.findall(r"`(Prunescope\w+)`", TEXT))
    assert named
    assert named <= set(re.findall(r"alert: (\w+)", rules))
