"""The Spark session of an audit."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from prunescope.audit_jobs.config import SparkConfig
from prunescope.audit_jobs.errors import BadConfiguration, SparkUnavailable
from prunescope.audit_jobs.planning.spark_files import private_files
from prunescope.collectors.errors import what_failed

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_LOG_SETTINGS = Path(__file__).with_name("log4j2.properties")
_OF_WORKERS = {
    # Arrow's own allocator keeps what was freed: some hundred MiB of each worker, and no time won.
    "spark.executorEnv.ARROW_DEFAULT_MEMORY_POOL": "system",
    # That of the system (glibc) gives back what is free at the end, and is given it again page by
    # page: an eighth of the CPU of reading manifests. No worker is larger for keeping these bytes.
    "spark.executorEnv.MALLOC_TRIM_THRESHOLD_": str(64 << 20),
    "spark.executorEnv.MALLOC_MMAP_THRESHOLD_": str(32 << 20),
}
_OF_PLANS = {
    # Partitions are numbered explicitly, and rows are few and large: to plan anew after each
    # shuffle, and to compile what is planned, takes longer than to run it.
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.codegen.wholeStage": "false",
}

_ENDING = 1.0
"""Seconds for a JVM whose connections are closed to end as a process."""


def open_spark_session(config: SparkConfig) -> tuple[SparkSession, bool]:
    """The active session (of a notebook or a managed Spark), or a new one, and whether it is new
    and so must be stopped.

    In a process that `spark-submit` started, the new session is that of `spark-submit`. In local
    mode workers run this interpreter. Raises BadConfiguration if a JVM must be started and there is
    no Java 17, and SparkUnavailable if Spark does not start.
    """
    from pyspark.sql import SparkSession  # noqa: PLC0415  # slow to import

    active = SparkSession.getActiveSession()
    if active is not None:
        return active, False
    builder = SparkSession.builder.appName("prunescope")
    if "PYSPARK_GATEWAY_PORT" in os.environ:
        session = builder.getOrCreate()
        if (session.conf.get("spark.master", None) or "").startswith("local"):
            session.sparkContext.pythonExec = sys.executable
        return session, True
    require_java()
    builder = builder.master(config.master)
    defaults = _OF_WORKERS | _OF_PLANS
    if config.master.startswith("local"):
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
        defaults |= _local_defaults()
    for key, value in {**defaults, **config.conf}.items():
        builder = builder.config(key, value)
    try:
        with private_files(config.conf):
            return builder.getOrCreate(), True
    except Exception as error:  # of Py4J, of Spark, of the operating system
        raise SparkUnavailable(
            f"Spark does not start with master {config.master!r} ({_why(error)}): check "
            "spark.master and spark.conf in the configuration, and what Spark says above"
        ) from error


def _why(error: Exception) -> str:
    """The reason of a failure: only the type for Py4J's errors, whose messages have Java stack
    traces."""
    return what_failed(error) if isinstance(error, OSError) else type(error).__name__


def is_gone(spark: SparkSession) -> bool:
    """True if the JVM that this process started for a session has exited: usually the system killed
    it because memory ran out. False if another process started the JVM, or if its state is unknown.
    """
    try:
        gateway: Any = spark.sparkContext._gateway  # noqa: SLF001  # which nothing else tells
        started = gateway.proc
    except Exception:  # noqa: BLE001  # of Spark Connect, and of a Spark that was submitted
        return False
    try:
        started.wait(_ENDING)
    except subprocess.TimeoutExpired:
        return False
    return True


def _local_defaults() -> dict[str, str]:
    cores = os.cpu_count() or 2
    return {
        # The JVM only moves small batches: what takes time there is starting and compiling.
        "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC "
        f"-Dlog4j2.configurationFile={_LOG_SETTINGS.as_uri()}",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.driver.host": "localhost",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.default.parallelism": str(cores),
        "spark.sql.shuffle.partitions": str(2 * cores),
        # Rows hold blocks of thousands of scans.
        "spark.sql.execution.arrow.maxRecordsPerBatch": "128",
    }


def require_java() -> None:
    """Raises BadConfiguration, in one sentence, unless Java 17 or later can be started."""
    home = os.environ.get("JAVA_HOME")
    java = str(Path(home, "bin", "java")) if home else shutil.which("java")
    advice = "Install a JDK 17 or later, and put it on PATH or set JAVA_HOME."
    if java is None or shutil.which(java) is None:
        raise BadConfiguration(f"Spark needs Java 17 or later; found none. {advice}")
    _, _, quoted = _version(java).partition('"')
    version = quoted.partition('"')[0]
    major = version.removeprefix("1.").split(".")[0]
    if not major.isdecimal() or int(major) < 17:
        raise BadConfiguration(
            f"Spark needs Java 17 or later; found {version or 'an unknown version'} at {java}. "
            f"{advice}"
        )


def _version(java: str) -> str:
    """The output of `java -version`. Raises BadConfiguration if Java does not run, whatever its
    version."""
    try:
        answer = subprocess.run(  # noqa: S603  # the Java that Spark would start
            [java, "-version"], capture_output=True, text=True, check=False
        )
    except OSError as error:
        why = what_failed(error)
    else:
        if answer.returncode == 0:
            return answer.stderr
        said = f"{answer.stderr}{answer.stdout}".splitlines()  # a JVM without memory uses both
        why = next(iter(said), f"exit code {answer.returncode}")
    raise BadConfiguration(
        f"Spark needs Java 17 or later, and {java} does not run here ({why}): look for limits of "
        f"memory (ulimit -v), and try {java} -version"
    )
