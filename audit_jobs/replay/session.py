"""The Spark session of an audit."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from audit_jobs.config import SparkConfig
from audit_jobs.errors import BadConfiguration

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_LOCAL_DEFAULTS = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.sql.execution.arrow.maxRecordsPerBatch": "1000",
    "spark.driver.host": "localhost",
    "spark.driver.bindAddress": "127.0.0.1",
}


def open_session(config: SparkConfig) -> tuple[SparkSession, bool]:
    """The active session (of `spark-submit`, a notebook, Databricks), or a new one; and
    whether it is new, and so to be stopped.

    In local mode the workers run this interpreter. Raises BadConfiguration if a session must
    be started and there is no Java 17 or later.
    """
    from pyspark.sql import SparkSession  # noqa: PLC0415  # slow to import

    active = SparkSession.getActiveSession()
    if active is not None:
        return active, False
    if "SPARK_ENV_LOADED" in os.environ or os.environ.get("PYSPARK_GATEWAY_PORT"):
        return SparkSession.builder.appName("prunescope").getOrCreate(), True
    require_java()
    local = config.master.startswith("local")
    builder = SparkSession.builder.appName("prunescope").master(config.master)
    settings = _LOCAL_DEFAULTS if local else {}
    for key, value in {**settings, **config.conf}.items():
        builder = builder.config(key, value)
    if local:
        builder = builder.config("spark.pyspark.python", sys.executable)
        builder = builder.config("spark.pyspark.driver.python", sys.executable)
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
        cores = os.cpu_count() or 2
        builder = builder.config("spark.sql.shuffle.partitions", str(2 * cores))
        builder = builder.config("spark.default.parallelism", str(cores))
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    return session, True


def require_java() -> None:
    """Raises BadConfiguration, in one sentence, unless Java 17 or later can be started."""
    home = os.environ.get("JAVA_HOME")
    java = str(Path(home, "bin", "java")) if home else shutil.which("java")
    advice = "install a JDK 17 or later and put it on PATH or set JAVA_HOME"
    if java is None or shutil.which(java) is None:
        raise BadConfiguration(f"Spark needs Java 17 or later, and there is none: {advice}")
    answer = subprocess.run(  # noqa: S603  # the Java that Spark would start
        [java, "-version"], capture_output=True, text=True, check=False
    )
    _, _, quoted = answer.stderr.partition('"')
    version = quoted.partition('"')[0]
    major = version.removeprefix("1.").split(".")[0]
    if not major.isdecimal() or int(major) < 17:
        raise BadConfiguration(
            f"Spark needs Java 17 or later, and {java} is {version or 'of no known version'}: "
            f"{advice}"
        )
