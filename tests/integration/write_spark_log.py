"""A program: runs queries over an Iceberg table with Spark, which logs its events.

    python write_spark_log.py ICEBERG_JAR DIRECTORY CODEC...

It is a process of its own, because Iceberg's classes must not be in the session of the tests.
"""

from __future__ import annotations

import sys
from pathlib import Path

from pyspark.sql import SparkSession

CONDITIONS = (
    "CAST(ts AS DATE) = DATE '2024-03-02'",
    "year(ts) = 2024 AND id < 50",
    "country = 'O''Brien' OR id BETWEEN 3 AND 5",
    "id IN (1, 2, 3) AND amount > 10.555",
    "lake.system.days(ts) = DATE '2024-03-04'",
    "country LIKE 'C5%' AND ts >= TIMESTAMP '2024-03-08 00:00:00'",
    "ts IS NULL",
    "NOT (id > 250) AND country <> 'C1'",
)


def main(jar: str, directory: Path, codecs: list[str]) -> None:
    """Writes, for each codec, `warehouse` and `events` into its folder of the directory: of all
    that this program runs for the first, and of one query for the others."""
    for number, codec in enumerate(codecs):
        write(jar, directory / codec, codec, is_short=number > 0)


def write(jar: str, directory: Path, codec: str, *, is_short: bool) -> None:
    """Writes `warehouse` and `events` into the directory."""
    events = directory / "events"
    events.mkdir(parents=True)
    settings: dict[str, bool | float | int | str | None] = {
        # Statements are short: what takes time is starting and compiling.
        "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.eventLog.compress": str(codec != "none").lower(),
        "spark.eventLog.compression.codec": "zstd" if codec == "none" else codec,
        "spark.eventLog.dir": events.as_uri(),
        "spark.eventLog.enabled": "true",
        "spark.jars": jar,
        "spark.log.level": "ERROR",
        "spark.pyspark.python": sys.executable,
        "spark.sql.catalog.lake": "org.apache.iceberg.spark.SparkCatalog",
        "spark.sql.catalog.lake.type": "hadoop",
        "spark.sql.catalog.lake.warehouse": str(directory / "warehouse"),
        "spark.sql.extensions": (
            "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions"
        ),
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.shuffle.partitions": 2,
        "spark.ui.enabled": "false",
    }
    builder = SparkSession.builder.master("local[2]").appName("events")
    spark = builder.config(map=settings).getOrCreate()
    spark.sql(
        "CREATE TABLE lake.db.events (id BIGINT, country STRING, ts TIMESTAMP,"
        " amount DECIMAL(10, 2)) USING iceberg PARTITIONED BY (days(ts))"
    )
    for start in (0, 500):
        spark.sql(
            "INSERT INTO lake.db.events SELECT id, concat('C', id % 7),"
            " timestamp_seconds(1709251200 + (id div 50) * 43200 + id), CAST(id AS DECIMAL(10, 2))"
            f" FROM range({start}, {start + 500}) ORDER BY id"
        )
    for condition in CONDITIONS[:1] if is_short else CONDITIONS:
        spark.sql(
            f"SELECT count(country), sum(amount) FROM lake.db.events WHERE {condition}"
        ).show()
    if not is_short:
        write_more(spark)
    spark.stop()


def write_more(spark: SparkSession) -> None:
    """A join, and statements that change rows."""
    spark.sql(
        "SELECT count(a.country), count(b.country) FROM lake.db.events a"
        " JOIN lake.db.events b ON a.id = b.id"
        " WHERE a.country = 'C1' AND b.ts > TIMESTAMP '2024-03-05 00:00:00'"
    ).show()
    spark.sql("DELETE FROM lake.db.events WHERE id = 17")
    spark.sql(
        "MERGE INTO lake.db.events t USING (SELECT 5 AS id) s ON t.id = s.id AND t.country = 'C5'"
        " WHEN MATCHED THEN UPDATE SET amount = 1"
    )


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), sys.argv[3:])
