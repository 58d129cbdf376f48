"""ClickHouse within the process (`chdb`, which is no part of `test`) as a judge of forms."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from datetime import datetime

import pyarrow as pa
from chdb.session import Session

from tests.unseen_forms.arrow_rows import NUMBER
from tests.unseen_forms.engines import Matching, QueryFailedError
from tests.unseen_forms.forms import Form
from tests.unseen_forms.value_sets import Value


def in_clickhouse() -> Matching:
    """ClickHouse within the process; `timestamptz` is its DateTime64 in UTC, as in Iceberg."""
    session = Session()  # type: ignore[no-untyped-call]

    def matching(form: Form, table: pa.Table) -> AbstractSet[int]:
        types = ", ".join(
            f"{name} Nullable({_clickhouse_type(type_name)})"
            for name, type_name in form.columns.items()
        )
        rows = ", ".join(
            f"({', '.join(_clickhouse_literal(row[name]) for name in table.column_names)})"
            for row in table.to_pylist()
        )
        try:
            found = session.query(  # type: ignore[no-untyped-call]
                f"SELECT {NUMBER} FROM values('{NUMBER} UInt32, {types}', {rows}) "
                f"WHERE {form.where} SETTINGS session_timezone = '{form.zone}'",
                "CSV",
            )
        except RuntimeError as error:
            raise QueryFailedError(str(error)) from error
        return {int(line) for line in str(found).split()}

    return matching


def _clickhouse_type(type_name: str) -> str:
    types = {
        "date": "Date32", "double": "Float64", "int": "Int32", "long": "Int64", "string": "String",
        "timestamp": "DateTime64(6)", "timestamptz": "DateTime64(6, ''UTC'')",
    }  # fmt: skip
    return types.get(type_name, type_name.replace("decimal", "Decimal"))


def _clickhouse_literal(value: Value) -> str:
    match value:
        case None:
            return "NULL"
        case datetime():
            return f"'{value.replace(tzinfo=None)}'"
        case int() | float():
            return repr(value)
        case str():
            quoted = value.replace("\\", "\\\\").replace("'", "\\'")
            return f"'{quoted}'"
        case _:
            return f"'{value}'"
