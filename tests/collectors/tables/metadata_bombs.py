"""Metadata files of which little stands for much: text of JSON, or packed, of a valid table but for
one thing."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from tests.collectors.tables.test_metadata import SCHEMA, document

_PLACE = '"PLACE"'


def with_texts(key: str, text: str, **changes: Any) -> bytes:
    """Valid metadata in which the value of a key is a text of JSON, however long."""
    whole = json.dumps(document(**{**changes, key: "PLACE"}))
    return whole.replace(_PLACE, text).encode()


def listed(items: Iterable[str]) -> str:
    """A list of texts of JSON."""
    return "[" + ",".join(items) + "]"


def leaf(number: int, name: str) -> str:
    """A field of a schema."""
    return f'{{"id":{number},"name":"{name}","required":false,"type":"int"}}'


def nested(depth: int, name: Callable[[int], str], leaves: str) -> str:
    """Fields within so many structs."""
    heads = (
        f'{{"id":{9_000_000 + number},"name":"{name(number)}","required":false,"type":'
        '{"type":"struct","fields":['
        for number in range(depth)
    )
    return "".join((*heads, leaves, "]}}" * depth))


def schemas(fields: str) -> str:
    """A list of the first schema of the document, with other fields, and the second."""
    wider = json.dumps({**SCHEMA, "schema-id": 1})
    return f'[{{"type":"struct","schema-id":0,"fields":[{fields}]}},{wider}]'


def deep_long_names() -> bytes:
    return with_texts("schemas", schemas(nested(300, lambda _: "n" * 400_000, leaf(1, "x"))))


def deep_long_names_packed() -> bytes:
    return gzip.compress(deep_long_names(), 6)


def wide_below_deep_names() -> bytes:
    leaves = ",".join(leaf(n, f"c{n}") for n in range(100_000))
    return with_texts("schemas", schemas(nested(250, lambda n: f"n{n}" * 20, leaves)))


def wide_below_deep_short_names() -> bytes:
    leaves = ",".join(leaf(n, "") for n in range(500_000))
    return with_texts("schemas", schemas(nested(250, lambda _: "", leaves)))


def a_name_of_100_megabytes() -> bytes:
    return with_texts("schemas", schemas(leaf(1, "n" * (100 << 20))))


def a_type_of_100_megabytes() -> bytes:
    field = leaf(1, "n").replace('"int"', '"' + "decimal(9" * (12 << 20) + '"')
    return with_texts("schemas", schemas(field))


def wide_characters() -> bytes:
    return with_texts("properties", '{"a":"' + "é" * (60 << 20) + "\U0001f600" + '"}')


def millions_of_fields() -> bytes:
    return with_texts("schemas", schemas(",".join(leaf(n, "a") for n in range(1_200_000))))


def millions_of_small_values() -> bytes:
    return with_texts("properties", listed(["[]"] * 20_000_000))


def millions_of_small_objects() -> bytes:
    return with_texts("properties", listed(['{"":0}'] * 5_000_000))


def millions_of_properties() -> bytes:
    return with_texts("properties", "{" + ",".join(f'"{n}":""' for n in range(6_000_000)) + "}")


def millions_of_snapshots() -> bytes:
    one = '{{"snapshot-id":{},"timestamp-ms":1}}'.format
    return with_texts("snapshots", listed(map(one, range(3_000_000))))


def millions_of_refs() -> bytes:
    ref = '"{}":{{"snapshot-id":30,"type":"tag"}}'.format
    return with_texts("refs", "{" + ",".join(map(ref, range(2_500_000))) + "}")


def millions_of_specs() -> bytes:
    spec = '{{"spec-id":{},"fields":[]}}'.format
    return with_texts("partition-specs", listed(map(spec, range(2_500_000))))


def millions_of_sort_orders() -> bytes:
    order = '{{"order-id":{},"fields":[]}}'.format
    return with_texts("sort-orders", listed(map(order, range(2_500_000))))


def millions_of_schemas() -> bytes:
    schema = '{{"type":"struct","schema-id":{},"fields":[]}}'.format
    return with_texts("schemas", listed(map(schema, range(2_000_000))))


def packed_without_end() -> bytes:
    return gzip.compress(bytes(300 << 20), 9)


def nested_without_end() -> bytes:
    return with_texts("properties", '{"a":' * 5_000_000 + "1" + "}" * 5_000_000)


REFUSED: Mapping[str, Callable[[], bytes]] = {
    made.__name__: made
    for made in (
        deep_long_names,
        deep_long_names_packed,
        wide_below_deep_names,
        wide_below_deep_short_names,
        a_name_of_100_megabytes,
        a_type_of_100_megabytes,
        millions_of_fields,
        millions_of_small_values,
        millions_of_small_objects,
        millions_of_properties,
        millions_of_snapshots,
        millions_of_refs,
        millions_of_specs,
        millions_of_sort_orders,
        millions_of_schemas,
        packed_without_end,
        nested_without_end,
    )
}
"""More than a process can hold: each is unreadable."""


def many_partition_fields_of_many_columns() -> bytes:
    """Each field of a spec looks for its column."""
    fields = listed(
        f'{{"source-id":{n},"field-id":{1000 + n},"name":"p{n}","transform":"bucket[4]"}}'
        for n in range(100_000)
    )
    columns = schemas(",".join(leaf(n, f"c{n}") for n in range(100_000)))
    return with_texts("schemas", columns).replace(
        json.dumps(document()["partition-specs"]).encode(),
        f'[{{"spec-id":0,"fields":[]}},{{"spec-id":1,"fields":{fields}}}]'.encode(),
    )


def many_partition_fields_of_many_schemas() -> bytes:
    many = [f'{{"type":"struct","schema-id":{n},"fields":[{leaf(1, "a")}]}}' for n in range(20_000)]
    fields = listed(
        f'{{"source-id":{n},"field-id":{1000 + n},"name":"p{n}","transform":"bucket[4]"}}'
        for n in range(50_000)
    )
    return with_texts("schemas", listed(many)).replace(
        json.dumps(document()["partition-specs"]).encode(),
        f'[{{"spec-id":0,"fields":[]}},{{"spec-id":1,"fields":{fields}}}]'.encode(),
    )


def a_mapping_of_doubling_names() -> bytes:
    """Of 2 names at each of 60 depths."""
    mapping = '[{"names":["a","b"],"field-id":1,"fields":' * 60 + "[]" + "}]" * 60
    return with_texts("properties", json.dumps({"schema.name-mapping.default": mapping}))


def a_mapping_of_millions() -> bytes:
    mapping = "[" + ",".join(['{"names":["a"]}'] * 1_000_000) + "]"
    return with_texts("properties", json.dumps({"schema.name-mapping.default": mapping}))


def hundred_thousand_snapshots() -> bytes:
    """As large as that of tables which are never cleaned."""
    summary = json.dumps({f"total-{n}-files": str(n) for n in range(20)} | {"operation": "append"})
    one = '{{"snapshot-id":{},"timestamp-ms":1,"manifest-list":"s3://bucket/table/{}.avro",'
    text = listed(
        one.format(n, n) + f'"sequence-number":{n},"schema-id":0,"summary":{summary}}}'
        for n in range(100_000)
    )
    return with_texts("snapshots", text)


READ: Mapping[str, Callable[[], bytes]] = {
    made.__name__: made
    for made in (
        wide_characters,
        many_partition_fields_of_many_columns,
        many_partition_fields_of_many_schemas,
        a_mapping_of_doubling_names,
        a_mapping_of_millions,
        hundred_thousand_snapshots,
    )
}
"""What can be held: each is a table."""
