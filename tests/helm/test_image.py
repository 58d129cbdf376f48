"""What the image is built from, and what its entry point starts."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pyspark
import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.helm.chart import CHART

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", " ")
INSTRUCTIONS = [line.split() for line in DOCKERFILE.splitlines() if re.match("[A-Z]+ ", line)]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
PIN = re.compile(r"(?m)^([a-z0-9-]+)==([^\s;]+)")
SPARK_HOME = Path(pyspark.__file__).parent
CACHES = shutil.ignore_patterns("__pycache__")
EXECUTOR = {
    "JAVA_HOME": "/java",
    "SPARK_HOME": "/spark",
    "SPARK_DRIVER_URL": "spark://CoarseGrainedScheduler@10.0.0.1:7078",
    "SPARK_EXECUTOR_ID": "1",
    "SPARK_EXECUTOR_CORES": "2",
    "SPARK_EXECUTOR_MEMORY": "1024m",
    "SPARK_APPLICATION_ID": "spark-1",
    "SPARK_EXECUTOR_POD_IP": "10.0.0.2",
    "SPARK_EXECUTOR_POD_NAME": "executor-1",
    "SPARK_RESOURCE_PROFILE_ID": "0",
}
"""What Spark sets in an executor's pod, and the image."""


def pinned(*names: str) -> str:
    """Text of files of pins."""
    return "".join((ROOT / "requirements" / f"{name}.txt").read_text() for name in names)


def pins(*names: str) -> dict[str, str]:
    return {match[1]: match[2] for match in PIN.finditer(pinned(*names))}


def copied() -> Iterator[str]:
    """What the build takes from the project."""
    for word, *arguments in INSTRUCTIONS:
        if word == "COPY" and not arguments[0].startswith("--from"):
            yield from arguments[:-1]


@pytest.fixture(scope="module")
def entrypoint() -> ModuleType:
    spec = importlib.util.spec_from_file_location("entrypoint", ROOT / "docker" / "entrypoint.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_dockerfile_is_lint_free() -> None:
    hadolint = Path(sys.executable).with_name("hadolint")
    done = subprocess.run(
        [hadolint, "--config", ".hadolint.yaml", "Dockerfile"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "")


def test_the_image_is_of_pinned_bases_and_its_processes_are_nobody() -> None:
    sources = [arguments for word, *arguments in INSTRUCTIONS if word == "FROM"]
    stages = {name for _, *named in sources for name in named[1:]}
    bases = [source for source, *_ in sources if source not in stages]
    assert bases
    assert all(re.fullmatch(r"[a-z-]+:\d+\.\d+\.\d+\S*", base) for base in bases)
    users = [arguments for word, *arguments in INSTRUCTIONS if word == "USER"]
    assert users == [["185:185"]]
    security = yaml.safe_load((CHART / "values.yaml").read_text())["podSecurityContext"]
    assert (security["runAsUser"], security["runAsGroup"]) == (185, 185)
    last = max(n for n, (word, *_) in enumerate(INSTRUCTIONS) if word == "RUN")
    assert last < INSTRUCTIONS.index(["USER", "185:185"])


def test_everything_that_is_copied_is_there_and_sent_to_the_builder() -> None:
    sent = {
        line.removeprefix("!")
        for line in (ROOT / ".dockerignore").read_text().splitlines()
        if line.startswith("!")
    }
    for source in copied():
        assert (ROOT / source).exists(), source
        assert source.split("/")[0] in sent, source
    assert sent == {source.split("/")[0] for source in copied()}


def test_the_image_has_every_dependency_and_no_tool_of_developers() -> None:
    image = pins("image", "spark-4.1")
    extras = PROJECT["optional-dependencies"]
    needed = [*PROJECT["dependencies"], *extras["collect"], *extras["otlp"]]
    for requirement in map(Requirement, needed):
        assert image[canonicalize_name(requirement.name)] in requirement.specifier
    assert not image.keys() & {"pytest", "hypothesis", "mypy", "ruff"}


def test_the_operator_is_told_the_version_of_spark_in_the_image() -> None:
    values = yaml.safe_load((CHART / "values.yaml").read_text())
    assert values["audit"]["operator"]["sparkVersion"] == pins("spark-4.1")["pyspark"]


def test_chart_and_image_have_the_projects_version() -> None:
    chart = yaml.safe_load((CHART / "Chart.yaml").read_text())
    assert chart["appVersion"] == PROJECT["version"]


def test_the_wheel_of_what_is_copied_is_whole(tmp_path: Path) -> None:
    """Built as the Dockerfile does, and run without the project's folder."""
    source, installed = tmp_path / "source", tmp_path / "installed"
    source.mkdir()
    for name in copied():
        path = ROOT / name
        if path.is_dir():
            shutil.copytree(path, source / name, symlinks=True, ignore=CACHES)
        elif path.parent == ROOT:
            shutil.copy(path, source)
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
    build = [*pip, "wheel", "-q", "--no-deps", "--no-build-isolation", "--wheel-dir", "dist", "."]
    subprocess.run(build, cwd=source, check=True)
    [wheel] = (source / "dist").iterdir()
    subprocess.run(
        [*pip, "install", "-q", "--no-deps", "--no-index", "--target", installed, wheel], check=True
    )
    names = {
        str(Path("prunescope", path.relative_to(ROOT)))
        for path in (ROOT / "audit_jobs").rglob("*.*")
    }
    assert {name for name in names if "__pycache__" not in name} <= {
        str(path.relative_to(installed)) for path in installed.rglob("*.*")
    }
    program = (
        "from prunescope.audit_jobs import cli\n"
        "from prunescope.audit_jobs.receiver import app, landing\n"
        "import json\n"
        "print(json.dumps(cli.__file__))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(installed)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert Path(json.loads(done.stdout)).is_relative_to(installed)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        pytest.param([], ["prunescope"], id="nothing"),
        pytest.param(["--help"], ["prunescope", "--help"], id="the-images-default"),
        pytest.param(
            ["audit", "--config", "executor"],
            ["prunescope", "audit", "--config", "executor"],
            id="a-command",
        ),
        pytest.param(
            ["driver", "--properties-file", "/opt/spark/conf/spark.properties", "local:///job.py"],
            [
                "/spark/bin/spark-submit",
                *("--conf", "spark.driver.bindAddress=10.0.0.1"),
                *("--conf", "spark.executorEnv.SPARK_DRIVER_POD_IP=10.0.0.1"),
                *("--deploy-mode", "client"),
                *("--properties-file", "/opt/spark/conf/spark.properties", "local:///job.py"),
            ],
            id="driver",
        ),
    ],
)
def test_the_entry_point_starts_what_spark_asks_for(
    entrypoint: ModuleType, arguments: list[str], expected: list[str]
) -> None:
    environment = {"SPARK_HOME": "/spark", "SPARK_DRIVER_BIND_ADDRESS": "10.0.0.1"}
    assert entrypoint.command(arguments, environment) == expected


def test_an_executor_gets_the_options_of_java_in_their_order(entrypoint: ModuleType) -> None:
    options = {f"SPARK_JAVA_OPT_{number}": f"-Dx{number}=a b" for number in (10, 2, 0)}
    paths = {"SPARK_CONF_DIR": "/conf", "SPARK_CLASSPATH": "/extra/*"}
    started = entrypoint.command(["executor"], EXECUTOR | options | paths)
    assert started[:8] == [
        *("/java/bin/java", "-Dx0=a b", "-Dx2=a b", "-Dx10=a b", "-Xms1024m", "-Xmx1024m"),
        *("-cp", "/conf:/extra/*:/spark/jars/*"),
    ]


def test_the_variables_of_an_executor_are_those_that_spark_sets() -> None:
    [jar] = (SPARK_HOME / "jars").glob("spark-kubernetes_*.jar")
    with zipfile.ZipFile(jar) as archive:
        constants = archive.read("org/apache/spark/deploy/k8s/Constants$.class")
    names = {*EXECUTOR, "SPARK_JAVA_OPT_", "SPARK_CONF_DIR", "SPARK_CLASSPATH"}
    names |= {"SPARK_DRIVER_BIND_ADDRESS"}
    assert {name for name in names if name.encode() not in constants} == {"JAVA_HOME", "SPARK_HOME"}


def test_spark_understands_how_its_executor_is_started(
    entrypoint: ModuleType, tmp_path: Path, require_program: Callable[[str], Path]
) -> None:
    """It goes as far as to look for its driver, where there is none."""
    java = require_program("java").resolve()
    environment = EXECUTOR | {
        "JAVA_HOME": str(java.parent.parent),
        "SPARK_HOME": str(SPARK_HOME),
        "SPARK_EXECUTOR_MEMORY": "256m",
        "SPARK_EXECUTOR_POD_IP": "127.0.0.1",
        "SPARK_DRIVER_URL": "spark://CoarseGrainedScheduler@127.0.0.1:1",
        "SPARK_JAVA_OPT_0": "-Dspark.rpc.numRetries=0",
    }
    started = entrypoint.command(["executor"], environment)
    done = subprocess.run(
        started, env=environment, cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "Failed to connect to /127.0.0.1:1" in done.stderr
    assert "Unrecognized options" not in done.stderr
