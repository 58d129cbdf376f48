"""Java artefacts for tests, by their Maven coordinates, kept between runs."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import IN_CI

# The newest Iceberg for the Scala and Spark that each PySpark brings.
_ICEBERG_SPARK = {
    "3.5": "org.apache.iceberg:iceberg-spark-runtime-3.5_2.12:1.9.2",
    "4.0": "org.apache.iceberg:iceberg-spark-runtime-4.0_2.13:1.11.0",
    "4.1": "org.apache.iceberg:iceberg-spark-runtime-4.1_2.13:1.11.0",
}


def iceberg_spark_runtime(require_program: Callable[[str], Path]) -> Path:
    """Iceberg's runtime for the installed Spark."""
    from pyspark import __version__ as spark_version  # noqa: PLC0415

    return artefact(_ICEBERG_SPARK[".".join(spark_version.split(".")[:2])], require_program)


def artefact(coordinates: str, require_program: Callable[[str], Path]) -> Path:
    """The JAR of `group:artifact:version`. Where it does not resolve, the test skips, and fails
    in CI."""
    _, name, version = coordinates.split(":")
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    folder = Path(cache) / "prunescope" / "jars"
    jar = folder / f"{name}-{version}.jar"
    if not jar.exists():
        command = [
            str(require_program("mvn")),
            "--batch-mode",
            "--quiet",
            "dependency:copy",
            f"-Dartifact={coordinates}",
            f"-DoutputDirectory={folder}",
        ]
        if subprocess.run(command, capture_output=True, timeout=600, check=False).returncode:
            reason = f"Maven does not resolve {coordinates}"
            if IN_CI:
                pytest.fail(f"{reason}, and CI must not skip for that", pytrace=False)
            pytest.skip(reason)
    return jar
