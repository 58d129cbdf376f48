"""Plans tell of which tables they replace partitions, also where a program wrote them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from prunescope.collectors.effects import REPLACED
from prunescope.collectors.observed import TableName
from tests.collectors.queries.spark.logs import end, node, plan, queries, read, start

T = TableName("lake", ("db",), "t")
STRATEGY = "org.apache.spark.sql.execution.datasources.v2.DataSourceV2Strategy"
WRITE = "IcebergWrite(table=lake.db.t, format=PARQUET)"


def writing(text: str, *below: dict[str, Any]) -> dict[str, Any]:
    """A plan whose first node prints a text."""
    name = text.partition(" ")[0]
    return {**plan(*below), "nodeName": name, "simpleString": text}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"OverwritePartitionsDynamic {WRITE}", (T,)),
        (f"OverwriteByExpression {WRITE}", (T,)),
        # Spark 3.5 and 4.0
        (f"OverwriteByExpression {STRATEGY}$$Lambda$48/0x00007fbec94c8b98@3749d5d6, {WRITE}", (T,)),
        (f"AppendData {WRITE}", ()),
        (f"ReplaceData {WRITE}", ()),
        ("OverwriteByExpression ParquetTable(/x)", ()),
    ],
)
def test_what_nodes_overwrite(text: str, expected: tuple[TableName, ...], tmp_path: Path) -> None:
    (query,) = queries(tmp_path, start(0, writing(text, node("id = 1", table="a.b.s"))), end(0))
    assert query.effects == tuple((table, REPLACED) for table in expected)


def test_an_overwrite_is_a_query_that_reads_nothing(tmp_path: Path) -> None:
    dynamic = start(0, writing(f"OverwritePartitionsDynamic {WRITE}"))
    (query,) = queries(tmp_path, dynamic, end(0))
    assert (query.sql, query.scans, query.effects) == (None, (), ((T, REPLACED),))
    assert read(tmp_path, [start(0, writing(f"AppendData {WRITE}")), end(0)]) == []
