"""A program: has Spark write tables, and answer conditions on them, logging its events.

    python judge.py ICEBERG_JAR DIRECTORY < questions.json > answers.json

The input has the `statements` that write the tables, and the `asked`: the table, the condition and
the time zone of each. An answer has the `filters` that Spark hands to Iceberg (null where the plan
has no scan) and Iceberg's `counters` of the scan, or the `error` of what Spark does not plan. The
`warehouse` and the `events` are folders of the directory.

It is a process of its own, because it is of another Spark than the tests, and Iceberg's classes
must not be in the session of these.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

from pyspark.sql import SparkSession

_FILTERS = re.compile(r"[\[ ]filters=(.*?), (?:runtimeFilters|groupedBy)=", re.DOTALL)
_METRICS = (
    "totalDataManifest", "scannedDataManifests", "resultDataFiles", "skippedDataFiles",
    "totalDataFileSize",
)  # fmt: skip
"""As Spark names the counters of Iceberg's scan report."""


def main(jar: str, directory: Path) -> None:
    """Answers all of standard input."""
    spark = _session(jar, directory)
    request = json.load(sys.stdin)
    for statement in request["statements"]:
        spark.sql(statement)
    answers = [_answer(spark, number, *asked) for number, asked in enumerate(request["asked"])]
    spark.stop()
    json.dump(answers, sys.stdout)


def _answer(spark: SparkSession, number: int, table: str, where: str, zone: str) -> dict[str, Any]:
    sql = f"/* {number} */ SELECT n FROM lake.db.{table} WHERE {where}"
    spark.conf.set("spark.sql.session.timeZone", zone)
    spark.sparkContext.setJobDescription(sql)
    try:
        frame = spark.sql(sql)
        plan = frame._jdf.queryExecution().executedPlan()  # noqa: SLF001
    except Exception as error:  # noqa: BLE001  # of analysis, or of Java
        return {"error": _first_line(error)}
    found = _FILTERS.search(plan.toString())
    if found is None:
        return {"filters": None}
    # An action up to its first job: the scan is planned, counted and logged, and reads nothing.
    frame.localCheckpoint(eager=False)
    return {"filters": found[1], "counters": _counters(plan)}


def _counters(plan: Any) -> dict[str, int]:
    metrics = plan.collectLeaves().apply(0).metrics()
    return {name: metrics.apply(name).value() for name in _METRICS if metrics.contains(name)}


def _first_line(error: Exception) -> str:
    return str(error).splitlines()[0]


def _session(jar: str, directory: Path) -> SparkSession:
    events = directory / "events"
    events.mkdir(parents=True)
    settings: dict[str, bool | float | int | str | None] = {
        "spark.driver.bindAddress": "127.0.0.1",
        # Short statements gain nothing from generated and optimised code.
        "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
        "spark.driver.host": "127.0.0.1",
        "spark.eventLog.compress": "false",
        "spark.eventLog.dir": events.as_uri(),
        "spark.eventLog.enabled": "true",
        "spark.jars": jar,
        "spark.log.level": "ERROR",
        "spark.sql.adaptive.enabled": "false",
        "spark.sql.catalog.lake": "org.apache.iceberg.spark.SparkCatalog",
        "spark.sql.catalog.lake.type": "hadoop",
        "spark.sql.catalog.lake.warehouse": str(directory / "warehouse"),
        "spark.sql.codegen.factoryMode": "NO_CODEGEN",
        "spark.sql.codegen.wholeStage": "false",
        "spark.sql.extensions": (
            "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions"
        ),
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.shuffle.partitions": "1",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
    }
    return SparkSession.builder.master("local[2]").config(map=settings).getOrCreate()


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
