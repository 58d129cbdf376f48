"""A program: writes tables with Spark.

    python -m tests.differential.iceberg_java.write_tables ICEBERG_JAR WAREHOUSE TABLE...

It is a process of its own, because Iceberg's classes must not be in the session of the tests.
"""

from __future__ import annotations

import datetime as dt
import random
import sys
from collections.abc import Container
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from pathlib import Path
from typing import Any

from pyspark.sql import SparkSession

from tests.differential.iceberg_java.tables import DDL, MANY, NAMES, PARTS, TableCase, table_cases
from tests.differential.iceberg_java.values import FILLERS, POOLS, random_value, seeded

_WRITERS = 2
_ROWS_PER_PART = 40
_MANY_ROWS = 700


def main(jar: str, warehouse: Path, names: Container[str]) -> None:
    """Writes the tables of these names that are Spark's."""
    spark = _session(jar, warehouse)
    random_ = seeded(5)
    rows = [_row(random_, part) for part in range(PARTS) for _ in range(_ROWS_PER_PART)]
    many = [_distinct_row(random_, number) for number in range(_MANY_ROWS)]
    for name, found in (("rows", rows), (MANY, many)):
        # One task, and one way into the JVM, for all that reads them.
        frame = spark.createDataFrame(found, f"part INT, {DDL}").coalesce(1).cache()
        frame.createOrReplaceTempView(name)
    spark.sql("CREATE NAMESPACE lake.db")

    def write(case: TableCase) -> None:
        for statement in case.statements:
            spark.sql(statement).collect()

    with ThreadPoolExecutor(_WRITERS) as writers:
        list(writers.map(write, (case for case in table_cases() if case.name in names)))
    spark.stop()


def _row(random_: random.Random, part: int) -> tuple[Any, ...]:
    values = [_value(name, random_value(random_, name, part)) for name in NAMES[:-1]]
    return (part, *values, _struct(random_, part))


def _struct(random_: random.Random, part: int) -> dict[str, Any] | None:
    if random_.random() < 0.08:
        return None
    return {name: random_value(random_, f"st.{name}", part) for name in ("x", "y")}


def _distinct_row(random_: random.Random, number: int) -> tuple[Any, ...]:
    """A row like those of a part, with the values of IN lists instead of some."""
    values = list(_row(random_, number * PARTS // _MANY_ROWS))
    for position, name in enumerate(NAMES[:-1], start=1):
        filler = FILLERS.get(POOLS[name].type)
        if filler is not None and random_.random() < 0.9:
            values[position] = _value(name, filler(random_.randrange(240)))
    return tuple(values)


def _value(name: str, value: Any) -> Any:
    """What Spark wants for a value in JSON form."""
    if value is None:
        return None
    type_name = POOLS[name].type
    if type_name.startswith("decimal"):
        return Decimal(value)
    match type_name:
        case "date":
            return dt.date.fromisoformat(value)
        case "timestamp" | "timestamptz":
            return dt.datetime.fromisoformat(value)
        case "binary":
            return bytes.fromhex(value)
        case "float" | "double":
            return float(value)
        case _:
            return value


def _session(jar: str, warehouse: Path) -> SparkSession:
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
        "spark.sql.catalog.lake.warehouse": str(warehouse),
        "spark.sql.codegen.factoryMode": "NO_CODEGEN",
        "spark.sql.codegen.wholeStage": "false",
        "spark.sql.extensions": (
            "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions"
        ),
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.shuffle.partitions": "2",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
    }
    return SparkSession.builder.master("local[2]").config(map=settings).getOrCreate()


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), sys.argv[3:])
