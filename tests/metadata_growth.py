"""Table metadata of one shape that grows: what the owner of a table, or a tool, can write at any
length.

A shape changes a document of a real table, of whose one schema the columns are `id` (a long) and
`name`, so that it stays one that can be read.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

Document = dict[str, Any]
Grow = Callable[[Document, int], None]
"""Changes a document, to about so many of something."""


def _schemas(document: Document, n: int) -> None:
    (schema,) = document["schemas"]
    document["schemas"] = [{**schema, "schema-id": number} for number in range(n)]


def _columns(document: Document, n: int) -> None:
    (schema,) = document["schemas"]
    schema["fields"] += [_column(100 + number) for number in range(n)]


def _columns_with_defaults(document: Document, n: int) -> None:
    (schema,) = document["schemas"]
    schema["fields"] += [{**_column(100 + number), "initial-default": 7} for number in range(n)]


def _column(number: int, kind: object = "int") -> dict[str, Any]:
    return {"id": number, "name": f"c{number}", "required": False, "type": kind}


def _schemas_of_columns(document: Document, n: int) -> None:
    """So many columns in all, and as many schemas as each has columns."""
    side = max(1, int(n**0.5))
    _columns(document, side)
    _schemas(document, side)


def _structs(document: Document, n: int) -> None:
    """A column of structs within each other, 50 deep, with so many fields within the last."""
    (schema,) = document["schemas"]
    kind: Document = {"type": "struct", "fields": [_column(1_000 + i) for i in range(n)]}
    for depth in range(50):
        kind = {"type": "struct", "fields": [_column(100 + depth, kind)]}
    schema["fields"].append(_column(99, kind))


def _specs(document: Document, n: int) -> None:
    (spec,) = document["partition-specs"]
    document["partition-specs"] = [
        {**spec, "spec-id": number, "fields": [_partition(1_000)]} for number in range(n)
    ]


def _partition(number: int, transform: str = "bucket[16]") -> dict[str, Any]:
    return {
        "source-id": 1,
        "field-id": number,
        "name": f"p{number}",
        "transform": transform,
    }


def _spec_fields(document: Document, n: int) -> None:
    (spec,) = document["partition-specs"]
    document["partition-specs"] = [
        {**spec, "fields": []},
        {"spec-id": 1, "fields": [_partition(1_000 + number) for number in range(n)]},
    ]


def _default_spec_fields(document: Document, n: int) -> None:
    _spec_fields(document, n)
    document["default-spec-id"] = 1


def _spec_fields_by_schemas(document: Document, n: int) -> None:
    _spec_fields(document, n)
    _schemas(document, n)


def _spec_fields_by_columns(document: Document, n: int) -> None:
    """Each field is of another of so many columns."""
    _columns(document, n)
    _spec_fields(document, n)
    for number, field in enumerate(document["partition-specs"][1]["fields"]):
        field["source-id"] = 100 + number


def _snapshots(document: Document, n: int) -> None:
    """Each the parent of the next, a millisecond apart, up to the current one."""
    newest = document["snapshots"][-1]
    older = [
        {
            **newest,
            "snapshot-id": number + 1,
            "timestamp-ms": newest["timestamp-ms"] - n + number,
            "parent-snapshot-id": number or None,
        }
        for number in range(n)
    ]
    newest["parent-snapshot-id"] = n
    document["snapshots"] = [*older, newest]
    document["snapshot-log"] = []


def _branches(document: Document, n: int) -> None:
    _snapshots(document, n)
    current = document["current-snapshot-id"]
    document["refs"] = {
        name: {"snapshot-id": current, "type": "branch"} for name in ("main", "audit")
    }


def _snapshot_log(document: Document, n: int) -> None:
    (*_, newest) = document["snapshot-log"]
    document["snapshot-log"] = [
        {**newest, "timestamp-ms": newest["timestamp-ms"] - n + number} for number in range(n)
    ]


def _metadata_log(document: Document, n: int) -> None:
    document["metadata-log"] = [
        {"timestamp-ms": number, "metadata-file": f"/t/{number}.json"} for number in range(n)
    ]


def _refs(document: Document, n: int) -> None:
    ref = {"snapshot-id": document["current-snapshot-id"], "type": "tag"}
    document["refs"] = {f"tag{number}": ref for number in range(n)}


def _sort_orders(document: Document, n: int) -> None:
    field = {"transform": "identity", "source-id": 1, "direction": "asc"}
    document["sort-orders"] = [
        {"order-id": number, "fields": [{**field, "null-order": "nulls-first"}]}
        for number in range(n)
    ]
    document["default-sort-order-id"] = n - 1


def _sort_fields(document: Document, n: int) -> None:
    field = {"transform": "identity", "source-id": 1, "direction": "asc"}
    document["sort-orders"] = [{"order-id": 1, "fields": [field] * n}]
    document["default-sort-order-id"] = 1


def _properties(document: Document, n: int) -> None:
    document["properties"] |= {
        f"write.metadata.metrics.column.c{number}": "none" for number in range(n)
    }


def _bloom_filters(document: Document, n: int) -> None:
    document["properties"] |= {
        f"write.parquet.bloom-filter-enabled.column.c{number}": "true" for number in range(n)
    }


def _statistics_files(document: Document, n: int) -> None:
    document["statistics"] = [
        {"snapshot-id": number, "statistics-path": f"/t/{number}.puffin", "blob-metadata": []}
        for number in range(n)
    ]


def _summaries(document: Document, n: int) -> None:
    document["snapshots"][-1]["summary"] |= {f"changed.c{number}": "1" for number in range(n)}


def _mapped_names(document: Document, n: int) -> None:
    names = [{"field-id": 100 + number, "names": [f"c{number}"]} for number in range(n)]
    _map_names(document, names)


def mapped_in_each_other(document: Document, n: int) -> None:
    """Each of two names of a struct leads to those of the next."""
    names: list[dict[str, Any]] = []
    for depth in range(n):
        names = [{"field-id": depth, "names": ["a", "b"], "fields": names}]
    _map_names(document, names)


def _map_names(document: Document, names: list[dict[str, Any]]) -> None:
    document["properties"]["schema.name-mapping.default"] = json.dumps(names)


SHAPES: dict[str, Grow] = {
    "schemas": _schemas,
    "columns": _columns,
    "columns_with_defaults": _columns_with_defaults,
    "schemas_of_columns": _schemas_of_columns,
    "structs": _structs,
    "specs": _specs,
    "spec_fields": _spec_fields,
    "default_spec_fields": _default_spec_fields,
    "spec_fields_by_schemas": _spec_fields_by_schemas,
    "spec_fields_by_columns": _spec_fields_by_columns,
    "snapshots": _snapshots,
    "branches": _branches,
    "snapshot_log": _snapshot_log,
    "metadata_log": _metadata_log,
    "refs": _refs,
    "sort_orders": _sort_orders,
    "sort_fields": _sort_fields,
    "properties": _properties,
    "bloom_filters": _bloom_filters,
    "statistics_files": _statistics_files,
    "summaries": _summaries,
    "mapped_names": _mapped_names,
}
"""By the names of what grows."""
