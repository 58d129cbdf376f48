"""A program: prints, as JSON, what Spark hands to Iceberg for each of some joins.

    python explain_pushdown.py ICEBERG_JAR DIRECTORY < joins.json

It reads a list of what follows FROM, with tables of `TABLES`, which have the columns of `COLUMNS`,
and prints an object of the filters of each table in the plan of each, without those that it does
not scan. It is a process of its own, because Iceberg's classes must not be in the session of the
tests.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

from pyspark.sql import SparkSession

COLUMNS = {
    "small": "INT",
    "big": "BIGINT",
    "amount": "DECIMAL(10, 2)",
    "single": "FLOAT",
    "price": "DOUBLE",
    "name": "STRING",
    "d": "DATE",
    "at": "TIMESTAMP",
    "wall": "TIMESTAMP_NTZ",
}
TABLES = ("t", "u", "v")
_FILTERS = re.compile(
    r"BatchScan lake\.db\.(\w+)[^\n]*?[\[ ]filters=(.*?), (?:runtimeFilters|groupedBy)=", re.DOTALL
)


def main(jar: str, directory: Path) -> None:
    """Answers all of standard input."""
    settings: dict[str, bool | float | int | str | None] = {
        "spark.driver.bindAddress": "127.0.0.1",
        # Short statements gain nothing from generated and optimised code.
        "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
        "spark.driver.host": "127.0.0.1",
        "spark.jars": jar,
        "spark.log.level": "ERROR",
        "spark.pyspark.python": sys.executable,
        "spark.sql.catalog.lake": "org.apache.iceberg.spark.SparkCatalog",
        "spark.sql.catalog.lake.type": "hadoop",
        "spark.sql.catalog.lake.warehouse": str(directory / "warehouse"),
        "spark.sql.codegen.factoryMode": "NO_CODEGEN",
        "spark.sql.codegen.wholeStage": "false",
        "spark.sql.session.timeZone": "UTC",
        "spark.ui.enabled": "false",
    }
    builder = SparkSession.builder.master("local[1]").appName("explain")
    spark = builder.config(map=settings).getOrCreate()
    columns = ", ".join(f"{name} {kind}" for name, kind in COLUMNS.items())
    values = ", ".join(f"CAST(NULL AS {kind})" for kind in COLUMNS.values())
    for table in TABLES:
        spark.sql(f"CREATE TABLE lake.db.{table} ({columns}) USING iceberg")
        spark.sql(f"INSERT INTO lake.db.{table} SELECT {values}")
    spark.sql("USE lake.db")
    plans = {from_: _plan(spark, from_) for from_ in json.load(sys.stdin)}
    json.dump({from_: dict(_FILTERS.findall(plan)) for from_, plan in plans.items()}, sys.stdout)
    spark.stop()


def _plan(spark: SparkSession, from_: str) -> str:
    frame = spark.sql(f"SELECT count(*) FROM {from_}")
    # Not of EXPLAIN, which plans each twice.
    return str(frame._jdf.queryExecution().executedPlan())  # noqa: SLF001


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
