"""Values of a field in older files, which lack it: its `initial-default` (table spec, "Default
values")."""

from __future__ import annotations

from collections.abc import Mapping

from prunescope.collectors.predicates.bind import bind
from prunescope.collectors.predicates.literals import PhysicalValue
from prunescope.collectors.predicates.model import BoundComparison, Column, Comparison
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.schema import Schema, SchemaColumn
from prunescope.collectors.statistics import ColumnKey


def initial_defaults(schema: Schema) -> Mapping[ColumnKey, PhysicalValue | None]:
    """The columns with an initial default, and its value in physical form; None where it is not
    known, as it is for fields of structs, which can be null themselves."""
    defaults = (column for column in schema.columns if column.has_default)
    return {(column.field_id, column.type): _value(column, schema) for column in defaults}


def _value(column: SchemaColumn, schema: Schema) -> PhysicalValue | None:
    """The value as a literal would be bound; bytes, which JSON has as text, are not."""
    if len(column.path) > 1 or column.default is None:
        return None
    bound = bind(Comparison(Op.EQ, Column(column.path), (column.default,)), schema)
    match bound:
        case BoundComparison(Op.EQ, values=(value,)):
            return value
        case _:
            return None
