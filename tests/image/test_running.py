"""The built image, run as a cluster runs it: uid 185, a read-only root, no network."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from scripts.image_sbom import bill
from tests.helm.test_image import PROJECT, copied, pinned, pins
from tests.image.conftest import NAME, ROOT, build
from tests.image.container import USER, Container, Image

pytestmark = [pytest.mark.slow(minutes=2), pytest.mark.exhaustive]

NEXT = "localhost/prunescope:next"
_STARTS_WITHIN = 60.0
"""Seconds."""


def owned(folder: Path) -> Path:
    """A folder that the image's user may write to, as volumes are of `fsGroup`."""
    folder.mkdir()
    os.chown(folder, USER, USER)
    return folder


def shell(image: Image, script: str) -> subprocess.CompletedProcess[str]:
    return Container(image, ["-c", script], entrypoint=["/bin/sh"]).run()


@pytest.fixture(scope="module")
def work(image: Image, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A volume with the demo, which the image has made and audited."""
    folder = owned(tmp_path_factory.mktemp("volumes") / "work")
    arguments = ["demo", "--directory", "/lake/demo", "--quiet"]
    done = Container(image, arguments, volumes={"/lake": folder}).run()
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def answer(process: subprocess.Popen[bytes], url: str, *options: str) -> str:
    """What a server answers on the loopback of its container, once it does."""
    program = (
        "import sys, urllib.request as r; url, body, token = sys.argv[1:]; "
        "q = r.Request(url, body.encode() or None, {'Authorization': 'Bearer ' + token}); "
        "print(r.urlopen(q).status, r.urlopen(q).read().decode())"
    )
    body, token = options or ("", "")
    enter = ["nsenter", "--target", str(process.pid), "--net"]
    deadline = time.monotonic() + _STARTS_WITHIN
    while process.poll() is None:
        done = subprocess.run(
            [*enter, sys.executable, "-c", program, url, body, token],
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode == 0:
            return done.stdout
        assert time.monotonic() < deadline, done.stderr
        time.sleep(0.2)
    raise AssertionError(f"it ended with {process.returncode}")


@pytest.mark.parametrize("arguments", [["--version"], ["--help"], []])
def test_it_says_what_it_is(image: Image, arguments: list[str]) -> None:
    done = Container(image, arguments or image.config["Cmd"]).run()
    assert done.returncode == 0, done.stderr
    expected = f"version {PROJECT['version']}" if "--version" in arguments else "Usage: prunescope"
    assert expected in done.stdout


def test_its_processes_are_nobody_and_write_nowhere(image: Image) -> None:
    done = shell(
        image, "id -u; id -G; find / -xdev -writable ! -type l 2>/dev/null; cat /proc/net/dev"
    )
    uid, groups, *rest = done.stdout.splitlines()
    assert (uid, groups) == (str(USER), str(USER))
    assert [line for line in rest if line.startswith("/")] == ["/tmp"]  # noqa: S108
    devices = [line.split(":")[0].strip() for line in rest if ":" in line]
    assert devices == ["lo"]


def test_it_audits_the_demo(work: Path) -> None:
    assert "<html" in (work / "demo" / "report.html").read_text()
    [metrics] = (work / "demo" / "metrics").iterdir()
    assert "prunescope_" in metrics.read_text()


def test_the_exporter_answers(image: Image, work: Path, tmp_path: Path) -> None:
    arguments = ["export", "--config", "/lake/demo/audit.yaml", "--port", "9898"]
    exporter = Container(image, arguments, volumes={"/lake": work})
    with exporter.running(tmp_path / "log") as process:
        answer(process, "http://127.0.0.1:9898/-/ready")
        assert "prunescope_" in answer(process, "http://127.0.0.1:9898/metrics")


def test_the_receiver_keeps_what_it_is_sent(image: Image, tmp_path: Path) -> None:
    kept = owned(tmp_path / "kept")
    secret = owned(tmp_path / "secret")
    (secret / "token").write_text("first-token\n")
    arguments = ["collect", "/kept", "--port", "8787", "--token-file", "/secret/token"]
    volumes = {"/kept": kept, "/secret": secret}
    receiver = Container(image, arguments, volumes=volumes, read_only=frozenset({"/secret"}))
    event = {"metadata": {"queryId": "q1", "query": "SELECT 1", "queryState": "FINISHED"}}
    with receiver.running(tmp_path / "log") as process:
        answer(process, "http://127.0.0.1:8787/readyz")
        url = "http://127.0.0.1:8787/v1/trino/events"
        answer(process, url, json.dumps(event | {"statistics": {}}), "first-token")
    files = [path for path in kept.rglob("*") if path.is_file() and "trino" in path.parts]
    assert files != [], (tmp_path / "log").read_text()
    assert {path.stat().st_uid for path in files} == {USER}


def test_an_executor_works_for_a_driver(image: Image, tmp_path: Path) -> None:
    scripts = owned(tmp_path / "scripts")
    shutil.copy(Path(__file__).with_name("executor_run.py"), scripts)
    done = Container(
        image,
        ["/scripts/executor_run.py"],
        entrypoint=["python"],
        volumes={"/scripts": scripts},
        environment={"SPARK_LOCAL_IP": "127.0.0.1"},
    ).run()
    assert "RESULT ['executor-1'] 1000" in done.stdout, done.stderr[-4_000:]


def test_no_build_tool_is_in_it(image: Image) -> None:
    tools = "gcc cc ld make git curl pip pip3 uv wheel javac"
    found = shell(image, f"for tool in {tools}; do command -v $tool; done")
    assert found.stdout == ""
    for module in ("pip", "setuptools", "wheel", "ensurepip", "uv"):
        done = shell(image, f"python -c 'import {module}'")
        assert "ModuleNotFoundError" in done.stderr, module
    assert not [*image.root.rglob("pip-*.whl"), *image.root.rglob("setuptools-*.whl")]


def test_the_bill_of_materials_is_what_was_pinned(image: Image) -> None:
    components = bill(image.root)["components"]
    expected = pins("image", "spark-4.1")
    python = {each["name"]: each["version"] for each in components if "pkg:pypi" in each["purl"]}
    assert python.pop("prunescope") == PROJECT["version"]
    assert python == {name: expected[name] for name in python}
    # A pin is left out only where it is another platform's.
    text = pinned("image")
    elsewhere = {name for name in expected if f"\n{name}=={expected[name]} ; " in text}
    assert set(expected) - set(python) <= elsewhere
    assert {"libc6", "openjdk"} <= {each["name"] for each in components}


def pushed_bytes(name: str, registry: Path) -> int:
    """The size of an image's layers as a registry gets them, of the fastest compression."""
    push = ["buildah", "push", "--quiet", "--compression-level", "1"]
    subprocess.run([*push, name, f"oci:{registry}:{name}"], check=True)
    [found] = json.loads((registry / "index.json").read_text())["manifests"]
    manifest = json.loads((registry / "blobs" / found["digest"].replace(":", "/")).read_text())
    return sum(each["size"] for each in manifest["layers"])


def inspected(name: str) -> dict[str, Any]:
    """An image as it is stored."""
    command = ["buildah", "inspect", "--type", "image", name]
    found: dict[str, Any] = json.loads(subprocess.check_output(command))
    return found


def layers(name: str) -> dict[str, int]:
    """The bytes of an image's layers, by digest, before they are compressed. Whose digest is the
    same is pulled once."""
    manifest = json.loads(inspected(name)["Manifest"])
    return {each["digest"]: each["size"] for each in manifest["layers"]}


def test_less_than_a_gigabyte_is_pulled(image: Image, tmp_path: Path) -> None:
    assert image.config["User"] == "185:185"
    assert pushed_bytes(NAME, tmp_path / "registry") < 1_000_000_000


def test_no_secret_of_the_build_is_in_it(image: Image) -> None:
    assert "/run/secrets" not in inspected(NAME)["Config"]
    assert not (image.root / "etc" / "pip.conf").exists()
    assert [path for path in (image.root / "run").rglob("*") if "secret" in path.name] == []
    for name in ("root/.config/pip", "root/.pip", "root/.cache", "build"):
        assert not (image.root / name).exists(), name
    trusted = image.root / "etc/ssl/certs/ca-certificates.crt"
    base = shell(image, "cat /usr/share/ca-certificates/mozilla/*.crt").stdout
    assert trusted.read_text().count("BEGIN") == base.count("BEGIN")


@pytest.mark.usefixtures("image")
def test_a_new_version_changes_one_small_layer(tmp_path: Path) -> None:
    project = tmp_path / "project"
    sent = [*copied(), "Dockerfile", ".dockerignore", "scripts"]
    project.mkdir()
    for name in sent:
        source = ROOT / name
        if source.is_dir():
            ignored = shutil.ignore_patterns("__pycache__")
            shutil.copytree(source, project / name, symlinks=True, ignore=ignored)
        else:
            (project / name).parent.mkdir(exist_ok=True)
            shutil.copy(source, project / name)
    old = f'version = "{PROJECT["version"]}"'
    told = (project / "pyproject.toml").read_text()
    assert old in told
    (project / "pyproject.toml").write_text(told.replace(old, 'version = "99.0.0"'))
    (project / "audit_jobs" / "new.py").write_text("NEW = True\n")
    build(NEXT, project)
    try:
        first, second = layers(NAME), layers(NEXT)
    finally:
        subprocess.run(["buildah", "rmi", "--force", NEXT], check=True, capture_output=True)
    (changed,) = second.keys() - first.keys()
    assert len(first.keys() - second.keys()) == 1
    assert second[changed] < 20_000_000
