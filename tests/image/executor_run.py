"""Runs in the image: a driver, whose only executor the image's entry point starts."""

from __future__ import annotations

import os
import shlex
import signal
import socket
import subprocess
import sys
import time

from pyspark.sql import SparkSession


def main() -> None:
    """Prints what the executor's Python computed, and where."""
    jars = f"{os.environ['SPARK_HOME']}/jars/*"
    java = f"{os.environ['JAVA_HOME']}/bin/java"
    address = ["--host", "127.0.0.1", "--port", "7077"]
    master = subprocess.Popen(  # it only tells the driver that there is a cluster
        [java, "-cp", jars, "org.apache.spark.deploy.master.Master", *address]
    )
    while True:
        try:
            socket.create_connection(("127.0.0.1", 7077)).close()
            break
        except OSError:
            time.sleep(0.1)
    settings = {
        "spark.driver.host": "127.0.0.1",
        "spark.driver.port": "7078",
        "spark.ui.enabled": "false",
        "spark.sql.shuffle.partitions": "2",
    }
    builder = SparkSession.builder.master("spark://127.0.0.1:7077")
    for name, value in settings.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    environment = {
        "SPARK_DRIVER_URL": "spark://CoarseGrainedScheduler@127.0.0.1:7078",
        "SPARK_EXECUTOR_ID": "1",
        "SPARK_EXECUTOR_CORES": "2",
        "SPARK_EXECUTOR_MEMORY": "512m",
        "SPARK_APPLICATION_ID": session.sparkContext.applicationId,
        "SPARK_EXECUTOR_POD_IP": "127.0.0.1",
        "SPARK_EXECUTOR_POD_NAME": "executor-1",
        "SPARK_RESOURCE_PROFILE_ID": "0",
    }
    # Spark opens modules of Java to itself.
    told = session.sparkContext.getConf().get("spark.executor.extraJavaOptions", "")
    options = ["-Dspark.driver.port=7078", *shlex.split(str(told))]
    environment |= {f"SPARK_JAVA_OPT_{n}": option for n, option in enumerate(options)}
    entrypoint = [sys.executable, "/opt/prunescope/entrypoint.py", "executor"]
    executor = subprocess.Popen(entrypoint, env=os.environ | environment)
    parts = session.sparkContext.parallelize(range(100), 4)
    parent = parts.map(lambda _: os.environ.get("SPARK_EXECUTOR_POD_NAME")).distinct().collect()
    counted = session.range(1000).mapInArrow(lambda batches: batches, "id long").count()
    print(f"RESULT {parent} {counted}")  # noqa: T201
    session.stop()
    for process in (executor, master):
        process.send_signal(signal.SIGTERM)
        process.wait()


if __name__ == "__main__":
    main()
