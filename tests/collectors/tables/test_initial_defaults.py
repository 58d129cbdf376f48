"""Initial defaults, as JSON has them, in physical form."""

from __future__ import annotations

from decimal import Decimal

import pytest

from prunescope.collectors.budget import Budget
from prunescope.collectors.schema import read_schema
from prunescope.collectors.storage import limits
from prunescope.collectors.tables.initial_defaults import initial_defaults


@pytest.mark.parametrize(
    ("type_name", "default", "expected"),
    [
        pytest.param("int", 34, 34, id="int"),
        pytest.param("boolean", False, 0, id="boolean"),
        pytest.param("double", 0.0, 0.0, id="double"),
        pytest.param("decimal(4, 2)", "14.20", Decimal("14.20"), id="decimal"),
        pytest.param("date", "2017-11-16", 17486, id="date"),
        pytest.param("timestamp", "2017-11-16T22:31:08.123456", 1510871468123456, id="timestamp"),
        pytest.param("timestamptz", "2017-11-16T22:31:08+00:00", 1510871468000000, id="zoned"),
        pytest.param("string", "iceberg", b"iceberg", id="string"),
        pytest.param("uuid", "f79c3e09-677c-4bbd-a479-3f349cb785e7",
                     bytes.fromhex("f79c3e09677c4bbda4793f349cb785e7"), id="uuid"),
        pytest.param("binary", "000102ff", None, id="bytes-are-text-in-json"),
        pytest.param("int", "x", None, id="of-another-type"),
    ],
)  # fmt: skip
def test_values(type_name: str, default: object, expected: object) -> None:
    field = {"id": 1, "name": "x", "type": type_name, "required": False, "initial-default": default}
    schema = read_schema({"schema-id": 0, "fields": [field]}, Budget(limits.NAMES))
    assert initial_defaults(schema) == {(1, type_name): expected}


def test_a_field_of_a_struct_that_is_null_has_no_default() -> None:
    inner = {"id": 2, "name": "x", "type": "int", "required": False, "initial-default": 1}
    kind = {"type": "struct", "fields": [inner]}
    outer = {"id": 1, "name": "st", "type": kind, "required": False}
    schema = read_schema({"schema-id": 0, "fields": [outer]}, Budget(limits.NAMES))
    assert initial_defaults(schema) == {(2, "int"): None}
