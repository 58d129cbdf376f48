"""Every kind of statement that is recommended for Trino, for a table whose names need quotes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from prunescope.audit_jobs.findings.statements import (
    text,
    trino_bloom_filters,
    trino_execute,
    trino_optimize,
    trino_partitioning,
    trino_sorted_by,
)
from prunescope.collectors.observed import TableName
from prunescope.collectors.predicates.literals import PhysicalValue
from prunescope.collectors.schema import Schema
from tests.differential.trino.engine import Trino

NAME = "to optimize"
"""A table with a name that needs quotes."""
CONTENT = f'SELECT count(*), count(DISTINCT "order") FROM "{NAME}"'
"""A query of how many rows there are, and how many values of one of its columns: two each."""

# Partition fields, and values of each that a row has, and that follow one another.
_LAYOUTS: Mapping[tuple[str, str], tuple[PhysicalValue | None, ...]] = {
    ("hour", "at"): (473352, 473353, None),
    ("day", "at"): (19723, 19724),
    ("month", "at"): (648, 650),
    ("year", "at"): (54, None),
    ("day", "on"): (19723, None),
    ("month", "since"): (648,),
    ("truncate[10]", "the key"): (0, 10),
    ("bucket[4]", "the key"): (1,),
    ("identity", "the key"): (1, None),
    ("identity", "order"): (b"a", None),
    ("identity", "on"): (19723,),
    ("truncate[4]", "order"): (b"a",),
    ("identity", "st.x"): (1,),
}


def create(trino: Trino, name: str, *fields: str) -> TableName:
    """A table of two rows, with partition fields."""
    trino.run(
        f'CREATE TABLE "{name}" ("the key" bigint, at timestamp(6) with time zone,'
        ' since timestamp(6), "on" date, "order" varchar, st row(x integer))'
        f" WITH (partitioning = ARRAY[{', '.join(map(text, fields))}])"
    )
    trino.run(
        f"INSERT INTO \"{name}\" VALUES (1, TIMESTAMP '2024-01-01 00:00:00 UTC',"
        " TIMESTAMP '2024-01-01 00:00:00', DATE '2024-01-01', 'a', ROW(1)), (2, TIMESTAMP"
        " '2024-02-01 00:00:00 UTC', TIMESTAMP '2024-02-01 00:00:00', NULL, 'b', ROW(2))"
    )
    return TableName("lake", ("db",), name)


def of_findings(trino: Trino, table: TableName) -> Iterator[str]:
    """What findings recommend: each statement is made when those before have run."""
    schema = _schema(trino)
    names = {column.field_id: column.name for column in schema.columns}
    yield trino_optimize(table)
    yield trino_optimize(table, threshold=None)
    yield trino_execute(table, "optimize_manifests")
    yield trino_sorted_by(table, ["the key", "order"])
    yield trino_optimize(table)
    yield trino_bloom_filters(table, ["order"])
    yield trino_optimize(table)
    for transform, column in _LAYOUTS:
        spec = trino.open(NAME).metadata.specs(schema)
        newest = spec[max(spec)]
        old = [field.field_id for field in newest.fields]
        yield trino_partitioning(table, newest, names, without=old, add=[(transform, column)])
        yield trino_optimize(table)


def _schema(trino: Trino) -> Schema:
    metadata = trino.open(NAME).metadata
    return metadata.schema(metadata.current_snapshot())
