"""Nodes of Spark's plans that replace partitions of an Iceberg table."""

from __future__ import annotations

import re

from prunescope.collectors.observed import TableName
from prunescope.collectors.queries.spark.nodes import table_named

# Spark 3.5 to 4.1, Iceberg 1.9 to 1.11. What OverwriteByExpression replaces it does not print:
# the partitions that a condition selects, or the whole table. Before 4.1 a function comes first.
_OVERWRITE = re.compile(
    r"Overwrite(?:PartitionsDynamic|ByExpression) (?:\S+, )?"
    r"IcebergWrite\(table=(?P<table>[^,]+), format=.*",
    re.DOTALL,
)


def overwritten(text: str) -> frozenset[TableName]:
    """The table whose partitions the node that prints a text replaces, or none."""
    found = _OVERWRITE.fullmatch(text)
    table = None if found is None else table_named(found["table"])
    return frozenset(() if table is None else (table,))
