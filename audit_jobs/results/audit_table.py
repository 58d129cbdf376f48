"""Definition of an audit table: its columns, partitioning and documentation."""

from __future__ import annotations

from dataclasses import dataclass

from pyiceberg.partitioning import PartitionField, PartitionSpec
from pyiceberg.schema import Schema
from pyiceberg.transforms import DayTransform
from pyiceberg.types import IcebergType, ListType, MapType, NestedField, StringType, TimestamptzType


@dataclass(frozen=True, slots=True)
class Column:
    """A column; `type` is a primitive, or the element or value type of `list` or `map`."""

    name: str
    type: IcebergType
    doc: str
    required: bool = False
    container: str | None = None


@dataclass(frozen=True, slots=True)
class AuditTable:
    """An audit table: a name within the namespace, the meaning of a row, and its columns."""

    name: str
    comment: str
    columns: tuple[Column, ...]

    def schema(self) -> Schema:
        """A schema with fresh field ids: the ids of an existing table are its own."""
        nested_id = len(self.columns)
        result = []
        for field_id, column in enumerate(self.columns, start=1):
            kind = column.type
            if column.container == "list":
                nested_id += 1
                kind = ListType(nested_id, column.type, element_required=True)
            elif column.container == "map":
                nested_id += 2
                kind = MapType(nested_id - 1, StringType(), nested_id, column.type, True)
            result.append(NestedField(field_id, column.name, kind, column.required, column.doc))
        return Schema(*result)


def day_of_window(schema: Schema) -> PartitionSpec:
    """The partition spec: the day (in UTC) in which the audited window starts."""
    source = schema.find_field("window_start").field_id
    return PartitionSpec(PartitionField(source, 1000, DayTransform(), "window_start_day"))


IDENTITY = (
    Column(
        "run_id",
        StringType(),
        "Identifies the run; a row counts only if audit_runs has its run",
        required=True,
    ),
    Column(
        "window_start", TimestamptzType(), "Start of the audited window, inclusive", required=True
    ),
    Column("window_end", TimestamptzType(), "End of the audited window, exclusive", required=True),
)
"""Columns that identify the run of a row, and its window."""
