from typing import Any

import pytest

from prunescope.collectors.budget import Budget
from prunescope.collectors.schema import read_schema
from prunescope.collectors.storage import limits

RAW: dict[str, Any] = {
    "schema-id": 3,
    "fields": [
        {"id": 1, "name": "id", "required": True, "type": "long"},
        {
            "id": 2,
            "name": "s",
            "required": False,
            "type": {
                "type": "struct",
                "fields": [
                    {"id": 3, "name": "Inner", "required": True, "type": "decimal(9,2)"},
                    {"id": 4, "name": "x", "required": False, "type": "int", "initial-default": 0},
                ],
            },
        },
        {
            "id": 5,
            "name": "l",
            "required": True,
            "type": {
                "type": "list",
                "element-id": 6,
                "element": "string",
                "element-required": True,
            },
        },
        {"id": 7, "name": "ID", "required": False, "type": "string"},
    ],
}


def test_fields_outside_of_lists_are_flattened_in_order() -> None:
    schema = read_schema(RAW, Budget(limits.NAMES))
    assert schema.schema_id == 3
    assert [(c.field_id, c.name, c.type) for c in schema.columns] == [
        (1, "id", "long"),
        (2, "s", "struct"),
        (3, "s.Inner", "decimal(9,2)"),
        (4, "s.x", "int"),
        (5, "l", "list"),
        (7, "ID", "string"),
    ]
    assert schema.top_level_names == ("id", "s", "l", "ID")


def test_a_required_field_of_an_optional_struct_can_be_null() -> None:
    schema = read_schema(RAW, Budget(limits.NAMES))
    required = {c.name for c in schema.columns if c.required}
    assert required == {"id", "l"}
    assert [c.name for c in schema.columns if c.has_default] == ["s.x"]


@pytest.mark.parametrize(
    ("path", "ids"),
    [
        (("id",), [1]),
        (("ID",), [7]),
        (("Id",), [1, 7]),
        (("S", "inner"), [3]),
        (("s", "nothing"), []),
        (("l", "element"), []),
    ],
)
def test_paths(path: tuple[str, ...], ids: list[int]) -> None:
    assert [c.field_id for c in read_schema(RAW, Budget(limits.NAMES)).by_path(path)] == ids


def test_ids() -> None:
    schema = read_schema(RAW, Budget(limits.NAMES))
    found = schema.by_id(4)
    assert found is not None
    assert found.path == ("s", "x")
    assert schema.by_id(6) is None
