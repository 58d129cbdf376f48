"""Rows as an Arrow table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pyarrow as pa

from tests.unseen_forms.value_sets import Row

NUMBER = "row_number_"  # the column that says which row it is

_TYPES = {
    "date": pa.date32(),
    "double": pa.float64(),
    "int": pa.int32(),
    "long": pa.int64(),
    "string": pa.string(),
    "timestamp": pa.timestamp("us"),
    "timestamptz": pa.timestamp("us", "UTC"),
}


def arrow_type(type_name: str) -> pa.DataType:
    """The Arrow type of an Iceberg type."""
    if type_name.startswith("decimal"):
        precision, scale = type_name.removeprefix("decimal(").removesuffix(")").split(",")
        return pa.decimal128(int(precision), int(scale))
    return _TYPES[type_name]


def table_of(types: Mapping[str, str], rows: Sequence[Row]) -> pa.Table:
    """The rows of columns of these Iceberg types, numbered from 0 in `NUMBER`."""
    columns = {NUMBER: pa.array(range(len(rows)), pa.int64())}
    for column, type_name in types.items():
        columns[column] = pa.array([row[column] for row in rows], arrow_type(type_name))
    return pa.table(columns)
