"""Spark runs the statements that findings recommend, whatever the names are, and they do what they
say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from prunescope.audit_jobs.findings.change_statements import spark_statements
from prunescope.audit_jobs.findings.model import Change, Files
from prunescope.audit_jobs.findings.statements import (
    spark_add_field,
    spark_call,
    spark_drop_field,
    spark_identifier,
    spark_properties,
    spark_replace_field,
    spark_table,
)
from prunescope.collectors.observed import TableName
from tests.documented import statements
from tests.scenarios.lake import Lake

pytestmark = [pytest.mark.spark, pytest.mark.slow, pytest.mark.exhaustive]

NAMES = (
    "plain_1",
    "Upper",
    "with space",
    'with"quote',
    "with`tick",
    "with'apostrophe",
    "with\\backslash",
    "1st",
    "größe",
    "日付",
    "order",
    "table",
    "days",
    "with,comma(and) more",
)

COLUMNS = (*NAMES, "a_struct.plain", "a_struct.in the struct", "with.dot")


def metadata_of(lake: Lake, table: TableName) -> dict[str, Any]:
    """The current metadata of a table."""
    folder = Path(lake.directory, "warehouse", *table.namespace, table.table, "metadata")
    version = (folder / "version-hint.text").read_text().strip()
    metadata: dict[str, Any] = json.loads((folder / f"v{version}.metadata.json").read_text())
    return metadata


def spec_of(metadata: dict[str, Any]) -> list[tuple[str, int]]:
    """The fields of the current spec: transform and source column."""
    specs = {spec["spec-id"]: spec["fields"] for spec in metadata["partition-specs"]}
    fields = specs[metadata["default-spec-id"]]
    return [(field["transform"], field["source-id"]) for field in fields]


def order_of(metadata: dict[str, Any]) -> list[int]:
    """The source columns of the current sort order."""
    orders = {order["order-id"]: order["fields"] for order in metadata["sort-orders"]}
    return [field["source-id"] for field in orders[metadata["default-sort-order-id"]]]


@pytest.mark.parametrize("name", [*NAMES, "with.dot"])
def test_tables_of_any_name(lake: Lake, name: str) -> None:
    table = TableName("lake", (f"names of {name}", "nested"), name)
    lake.sql(
        f"CREATE TABLE {spark_table(table)} (id BIGINT, at TIMESTAMP) USING iceberg",
        f"INSERT INTO {spark_table(table)} SELECT id, timestamp_seconds(id) FROM range(10)",
        spark_add_field(table, "day", "at"),
        spark_properties(table, {"it's": "a \\ 'text'", "write.metadata.metrics.default": "full"}),
        *spark_statements(table, Change(files=Files.ALL)),
        spark_call(table, "rewrite_manifests"),
    )
    metadata = metadata_of(lake, table)
    assert spec_of(metadata) == [("day", 2)]
    assert metadata["properties"]["it's"] == "a \\ 'text'"
    assert metadata["snapshots"][1]["summary"]["operation"] == "replace"


def test_columns_of_any_name(lake: Lake) -> None:
    table = TableName("lake", ("names",), "columns")
    given = ", ".join(f"{spark_identifier(name)} BIGINT" for name in NAMES)
    lake.sql(
        f"CREATE TABLE {spark_table(table)} ({given}, `with.dot` BIGINT, a_struct "
        "STRUCT<plain: BIGINT, `in the struct`: BIGINT>) USING iceberg "
        "TBLPROPERTIES ('format-version' = '2')",
        f"INSERT INTO {spark_table(table)} SELECT {'id, ' * len(NAMES)} id, struct(id, id) "
        "FROM range(10)",
    )
    for name in COLUMNS:
        lake.sql(spark_add_field(table, "bucket[4]", name))
        ((transform, source_id),) = spec_of(metadata_of(lake, table))
        assert transform == "bucket[4]"
        lake.sql(spark_replace_field(table, ("bucket[4]", name), ("truncate[10]", name)))
        assert spec_of(metadata_of(lake, table)) == [("truncate[10]", source_id)]
        lake.sql(spark_drop_field(table, "truncate[10]", name))
        assert spec_of(metadata_of(lake, table)) == []

    lake.sql(*spark_statements(table, Change(order=COLUMNS, files=Files.ALL)))
    assert len(set(order_of(metadata_of(lake, table)))) == len(COLUMNS)


def test_times(lake: Lake) -> None:
    table = TableName("lake", ("names",), "times")
    lake.sql(
        f"CREATE TABLE {spark_table(table)} (`the time` TIMESTAMP) USING iceberg "
        "PARTITIONED BY (years(`the time`)) TBLPROPERTIES ('format-version' = '2')"
    )
    for old, new in (("year", "month"), ("month", "day"), ("day", "hour"), ("hour", "identity")):
        lake.sql(spark_replace_field(table, (old, "the time"), (new, "the time")))
        assert spec_of(metadata_of(lake, table)) == [(new, 1)]
    lake.sql(spark_drop_field(table, "identity", "the time"))
    assert spec_of(metadata_of(lake, table)) == []


def test_statements_of_the_documentation_are_parsed(lake: Lake) -> None:
    documented = [each.text for each in statements() if each.is_whole and "Spark" in each.engines]
    assert len(documented) > 20
    lake.parses(documented)
    with pytest.raises(AssertionError, match="ParseException"):
        lake.parses([f"{documented[0]} )"])
