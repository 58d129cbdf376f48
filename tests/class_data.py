"""Class data of Spark: what its JVMs load and verify when they start, shared between all that tests
start. `python -m tests.class_data` makes it, once for a Java and a PySpark, in 20 s of CPU; without
it each JVM takes 3 s longer."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from hashlib import sha256
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from tests.cache_folder import cache_folder

_NAME = "spark-classes-"
_QUIET = "-Xlog:disable"
"""A JVM leaves aside an archive that is not of its own version or JARs, and warns of it."""
_SOME_WORK = """
from prunescope.audit_jobs.config import SparkConfig
from prunescope.audit_jobs.planning.spark_session import open_spark_session

spark, _ = open_spark_session(SparkConfig(master="local[2]"))
spark.sql("SELECT count(*), id % 3 FROM range(100) GROUP BY 2").collect()
spark.range(10).mapInArrow(lambda rows: rows, "id long").collect()
gateway = spark.sparkContext._gateway
spark.stop()
gateway.shutdown()
gateway.proc.stdin.close()
gateway.proc.wait()
"""


def archive() -> Path | None:
    """Where the class data of the installed Spark and Java are kept; None without either."""
    spark, java = find_spec("pyspark"), _java()
    if spark is None or spark.origin is None or java is None:
        return None
    of = (Path(spark.origin).resolve(), java.resolve())
    key = sha256(repr([(str(path), path.stat().st_mtime_ns) for path in of]).encode())
    return cache_folder() / f"{_NAME}{version('pyspark')}-{key.hexdigest()[:16]}.jsa"


def options() -> str:
    """What has a JVM of Spark take its class data from the archive; empty where there is none."""
    found = archive()
    return f"-XX:SharedArchiveFile={found} {_QUIET}" if found is not None and found.exists() else ""


def share() -> None:
    """Has the drivers that this process and its children start do so."""
    if found := options():
        os.environ.setdefault("SPARK_SUBMIT_OPTS", found)


def make() -> None:
    """Makes the archive, unless it is there."""
    found = archive()
    if found is None or found.exists():
        return
    found.parent.mkdir(parents=True, exist_ok=True)
    for old in found.parent.glob(f"{_NAME}{version('pyspark')}-*"):
        old.unlink()
    with tempfile.TemporaryDirectory(dir=found.parent) as made:
        part = Path(made) / found.name
        options = f"-XX:ArchiveClassesAtExit={part} {_QUIET}"
        subprocess.run(
            [sys.executable, "-c", _SOME_WORK],
            env=os.environ | {"SPARK_SUBMIT_OPTS": options, "PYSPARK_PYTHON": sys.executable},
            check=True,
        )
        part.rename(found)


def _java() -> Path | None:
    home = os.environ.get("JAVA_HOME")
    found = shutil.which("java", path=f"{home}/bin" if home else None)
    return None if found is None else Path(found)


if __name__ == "__main__":
    make()
