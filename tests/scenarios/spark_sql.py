"""A program that runs Spark SQL with Iceberg, one request a line: {"sql": […]} is answered by
{"rows": […]} of the last statement, or {"error": …}; {"parse": […]} by no rows, or an error. Its
session is its own, as Iceberg's JAR must be there when a JVM starts."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from pyspark.sql import SparkSession


def main(jar: str, warehouse: str, events: str) -> None:
    """Serves until the end of the input. Its event log is in the folder `events`."""
    Path(events).mkdir()
    spark = (
        SparkSession.builder.master("local[2]")
        .config("spark.jars", jar)
        # Statements are short, and each is another: what takes time is starting and compiling.
        .config("spark.driver.extraJavaOptions", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")
        .config("spark.sql.codegen.factoryMode", "NO_CODEGEN")
        .config("spark.sql.codegen.wholeStage", "false")
        .config("spark.eventLog.enabled", "true")
        .config("spark.eventLog.dir", Path(events).as_uri())
        .config("spark.eventLog.compress", "false")
        .config("spark.eventLog.rolling.enabled", "false")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "2")
        .config("spark.sql.session.timeZone", "UTC")
        .config("spark.sql.adaptive.coalescePartitions.enabled", "false")
        .config(
            "spark.sql.extensions",
            "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions",
        )
        .config("spark.sql.catalog.lake", "org.apache.iceberg.spark.SparkCatalog")
        .config("spark.sql.catalog.lake.type", "hadoop")
        .config("spark.sql.catalog.lake.warehouse", warehouse)
        .getOrCreate()
    )
    spark.sparkContext.setLogLevel("ERROR")
    answer({"rows": []})
    for line in sys.stdin:
        try:
            rows: list[list[object]] = []
            request = json.loads(line)
            for statement in request.get("parse", ()):
                # As a session with Iceberg's extensions reads it: a plan is of tables that are not.
                spark._jsparkSession.sessionState().sqlParser().parsePlan(statement)  # noqa: SLF001
            for statement in request.get("sql", ()):
                rows = [list(row) for row in spark.sql(statement).collect()]
            answer({"rows": rows})
        except Exception as error:  # noqa: BLE001  # the test that asked will tell
            answer({"error": f"{type(error).__name__}: {str(error)[:2000]}"})


def answer(document: dict[str, object]) -> None:
    """Writes one line, by its own mark: libraries print as well."""
    print("ANSWER " + json.dumps(document, default=str), flush=True)  # noqa: T201


if __name__ == "__main__":
    main(*sys.argv[1:])
