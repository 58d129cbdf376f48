"""Avro records of any writer, as Iceberg's own writers have them.

Iceberg (seen on 1.11) finds fields by their ids alone: it passes over those without one, whatever
their type, and minds neither what keys and values of maps are called nor which branch of a union is
null. PyIceberg's conversion of schemas refuses all of that, so schemas are made plain before, and
so are, where they differ, the records: value by value, as hardly anyone writes such files.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from pyiceberg.utils.decimal import decimal_required_bytes

from prunescope.collectors.budget import TooMuch
from prunescope.collectors.tables.avro_blocks import read_long

Copy = Callable[[bytes, int, bytearray], int]
"""Reads a value at a place, adds it as it is in plain records, and returns where it ends. Raises
EOFError or ValueError."""

Rewrite = Callable[[int, bytes], bytes]
"""So many records, plain."""

_MAX_BLOCK = 32 << 20
"""Bytes of records of one block that are made plain: decimals of a byte are sixteen times as long
there."""
_SIZES = {"null": 0, "boolean": 1, "float": 4, "double": 8}
_LOGICAL = {("int", "date"), ("long", "time-micros"), ("long", "timestamp-micros")}
"""The other logical types of Iceberg's are of fixed, or of arrays; what else there is tells nothing
of how a value is written."""


class _Type(NamedTuple):
    """A type: its plain schema, None if Iceberg reads past it wherever it is; how its values are
    copied; and whether they are plain as they are. Types that Iceberg refuses keep their schema,
    which is refused in turn where a field with an id has it."""

    schema: Any
    copy: Copy
    is_plain: bool = True
    fields: Sequence[tuple[dict[str, Any], _Type]] = ()
    """All written fields of a record."""
    value: _Type | None = None
    """The type of values that may be null: nulls add nothing."""


class _Names(dict[str, "_Type | None"]):
    """The types that are named so far, None for a name of two. With `has_sizes`, a fixed that is no
    decimal or UUID stands behind its size."""

    has_sizes = False


def plain(schema: str, *, has_sizes: bool = False) -> tuple[Any, Rewrite | None]:
    """The plain form of a schema of records in JSON, and a function that makes records plain, None
    if they are. With `has_sizes`, records have the size of each fixed before it. Raises ValueError,
    KeyError, TypeError or RecursionError for any other schema."""
    names = _Names()
    names.has_sizes = has_sizes
    found = _of(json.loads(schema), names)
    if not isinstance(found.schema, dict) or found.schema["type"] != "record":
        raise ValueError("records of another type than a struct")
    if found.is_plain:
        return found.schema, None

    def rewrite(count: int, block: bytes) -> bytes:
        out, at = bytearray(), 0
        for _ in range(count):
            at = found.copy(block, at, out)
            _require_room(out)
        if at != len(block):
            raise ValueError("a block does not end with its last record")
        return bytes(out)

    return found.schema, rewrite


def _of(schema: Any, named: _Names) -> _Type:
    match schema:
        case "int" | "long":
            return _Type(schema, _number)
        case "bytes" | "string":
            return _Type(schema, _text)
        case "null":
            return _Type(None, _fixed(0))
        case str() if schema in _SIZES:
            return _Type(schema, _fixed(_SIZES[schema]))
        case str():  # a fixed or an enum that is written out above
            found = named[_name(schema)]
            if found is None:
                raise ValueError("a name that is that of a record, or of two types")
            return found
        case list():
            return _union([_of(branch, named) for branch in schema], schema)
        case {"type": "record"}:
            return _record(schema, named)
        case {"type": "array"}:
            return _array(schema, named)
        case {"type": "map"}:
            return _Type(None, _items(_in_turn([_text, _of(schema["values"], named).copy])))
        case {"type": "enum"}:
            return _defined(schema, _Type(None, _number), named)
        case {"type": "fixed"}:
            return _defined(schema, _of_fixed(schema, named), named)
        case {"type": "bytes", "logicalType": "decimal"}:
            return _decimal(schema, read_long)
        case {"type": str() as kind}:
            of_kind = _of(kind, named)
            return of_kind._replace(schema=schema) if _is_known(schema) else of_kind
        case {"type": inner}:
            return _of(inner, named)
        case _:
            raise TypeError("no type of Avro's")


def _is_known(schema: Mapping[str, Any]) -> bool:
    return (schema["type"], schema.get("logicalType")) in _LOGICAL


def _defined(schema: Mapping[str, Any], found: _Type, named: _Names) -> _Type:
    """A type that may be named below, unless its name is another's as well but for namespaces."""
    name = _name(schema["name"])
    named[name] = None if name in named else found
    return found


def _name(name: str) -> str:
    return name.rpartition(".")[2]


def _of_fixed(schema: Mapping[str, Any], named: _Names) -> _Type:
    size = schema["size"]
    if not isinstance(size, int) or size < 0:
        raise ValueError("a size that cannot be")
    match schema:
        case {"logicalType": "decimal"}:
            return _decimal(schema, lambda _, at: (size, at))
        case {"logicalType": "uuid"} if size == 16:
            return _Type(schema, _fixed(size))
    plain_schema = {"type": "fixed", "name": schema["name"], "size": size}
    if not named.has_sizes:
        return _Type(plain_schema, _fixed(size))

    def copy(data: bytes, at: int, out: bytearray) -> int:
        told, at = read_long(data, at)
        if told != size:
            raise ValueError("what is fixed is not behind its size")
        return _fixed(size)(data, at, out)

    return _Type(plain_schema, copy, is_plain=False)


def _decimal(schema: Mapping[str, Any], size_at: Callable[[bytes, int], tuple[int, int]]) -> _Type:
    """Decimals of as many bytes as Iceberg's writers give them, whatever these have."""
    needed = decimal_required_bytes(schema["precision"])
    plain_schema = {**schema, "type": "fixed", "name": "decimal", "size": needed}
    if schema.get("size") == needed:
        return _Type(plain_schema, _fixed(needed))

    def copy(data: bytes, at: int, out: bytearray) -> int:
        size, at = size_at(data, at)
        end = _within(data, at, size)
        unscaled = int.from_bytes(data[at:end], "big", signed=True)
        try:
            out += unscaled.to_bytes(needed, "big", signed=True)
        except OverflowError as error:
            raise ValueError("a decimal of more digits than its type") from error
        return end

    return _Type(plain_schema, copy, is_plain=False)


def _record(schema: Mapping[str, Any], named: _Names) -> _Type:
    named[_name(schema["name"])] = None
    fields = [(field, _of(field["type"], named)) for field in schema["fields"]]
    kept, copies, is_plain = [], [], True
    for field, of in fields:
        if of.schema is None or not isinstance(field.get("field-id"), int):
            copies += [] if of.copy is _nothing else [_dropped(of.copy)]
            is_plain = False
        else:
            kept.append({**field, "type": of.schema})
            copies.append(of.copy)
            is_plain = is_plain and of.is_plain
    return _Type({**schema, "fields": kept}, _in_turn(copies), is_plain, fields)


def _union(branches: Sequence[_Type], schema: Sequence[Any]) -> _Type:
    any_of = _one_of([branch.copy for branch in branches])
    if len(branches) != 2 or "null" not in schema:
        return _Type({"type": "union"}, any_of)
    null = schema.index("null")
    value = branches[1 - null]
    if value.schema is None:
        return _Type(None, any_of)

    def optional(data: bytes, at: int, out: bytearray) -> int:
        out.append(0 if read_long(data, at)[0] == null else 2)
        return any_of(data, at, out)

    return _Type(
        ["null", value.schema],
        optional,
        null == 0 and value.is_plain,
        value=_Type(value.schema, any_of, is_plain=False),
    )


def _one_of(copies: Sequence[Copy]) -> Copy:
    def copy(data: bytes, at: int, out: bytearray) -> int:
        branch, at = read_long(data, at)
        if not 0 <= branch < len(copies):
            raise ValueError(f"branch {branch} of a union of {len(copies)} types")
        return copies[branch](data, at, out)

    return copy


def _array(schema: Mapping[str, Any], named: _Names) -> _Type:
    """A list, or a map, without its nulls."""
    if schema.get("logicalType") == "map":
        return _map(schema, named)
    item = _of(schema["items"], named)
    item = item.value or item
    if item.schema is None or "element-id" not in schema:
        return _Type(schema, _items(item.copy))
    plain_schema = {"type": "array", "items": item.schema, "element-id": schema["element-id"]}
    return _Type(plain_schema, _items(item.copy), item.is_plain)


def _map(schema: Mapping[str, Any], named: _Names) -> _Type:
    items = schema["items"]
    is_union = isinstance(items, list)
    branches = [_of(branch, named) for branch in (items if is_union else [items])]
    found = [_pair(branch) for branch in branches]
    copies = [(pair or branch).copy for branch, pair in zip(branches, found, strict=True)]
    copy = _items(_one_of(copies) if is_union else copies[0])
    pairs = [pair for pair in found if pair is not None]
    if len(pairs) != 1:
        return _Type(schema, copy)
    plain_schema = {**schema, "items": pairs[0].schema}
    return _Type(plain_schema, copy, pairs[0].is_plain and not is_union)


def _pair(item: _Type) -> _Type | None:
    """A key and a value, whatever these are called; neither is null in plain records."""
    if ["field-id" in field for field, _ in item.fields] != [True, True]:
        return None
    key, value = (of.value or of for _, of in item.fields)
    if key.schema is None or value.schema is None:
        return None

    def copy(data: bytes, at: int, out: bytearray) -> int:
        of_key, of_value = bytearray(), bytearray()
        at = value.copy(data, key.copy(data, at, of_key), of_value)
        if of_key and of_value:
            out += of_key + of_value
        return at

    fields = [
        {**field, "name": name, "type": of.schema}
        for name, (field, _), of in zip(("key", "value"), item.fields, (key, value), strict=True)
    ]
    plain_schema = {"type": "record", "name": "pair", "fields": fields}
    return _Type(plain_schema, copy, item.is_plain and key.is_plain and value.is_plain)


def _number(data: bytes, at: int, out: bytearray) -> int:
    _, end = read_long(data, at)
    out += data[at:end]
    return end


def _text(data: bytes, at: int, out: bytearray) -> int:
    size, start = read_long(data, at)
    end = _within(data, start, size)
    out += data[at:end]
    return end


def _nothing(_data: bytes, at: int, _out: bytearray) -> int:
    return at


def _fixed(size: int) -> Copy:
    if size == 0:
        return _nothing

    def copy(data: bytes, at: int, out: bytearray) -> int:
        end = _within(data, at, size)
        out += data[at:end]
        return end

    return copy


def _in_turn(copies: Sequence[Copy]) -> Copy:
    if not copies:
        return _nothing

    def copy(data: bytes, at: int, out: bytearray) -> int:
        for one in copies:
            at = one(data, at, out)
        return at

    return copy


def _dropped(copy: Copy) -> Copy:
    return lambda data, at, _: copy(data, at, bytearray())


def _items(item: Copy) -> Copy:
    """Blocks of items. Those that add nothing do not count."""

    def copy(data: bytes, at: int, out: bytearray) -> int:
        while True:
            count, at = read_long(data, at)
            if count < 0:  # the size in bytes follows
                count = -count
                _, at = read_long(data, at)
            if count == 0:
                out.append(0)
                return at
            found, kept = bytearray(), 0
            for _ in range(count):
                start, size = at, len(found)
                at = item(data, at, found)
                if at == start:
                    raise ValueError("a list of values that take no bytes")
                _require_room(found)
                kept += len(found) > size
            if kept:
                out += _long(kept) + found
                _require_room(out)

    return copy


def _require_room(out: bytearray) -> None:
    if len(out) > _MAX_BLOCK:
        raise TooMuch(f"a block of it takes more than {_MAX_BLOCK >> 20} MiB")


def _within(data: bytes, at: int, size: int) -> int:
    if not 0 <= size <= len(data) - at:
        raise EOFError("a value goes beyond the end of its block")
    return at + size


def _long(count: int) -> bytes:
    rest, found = count << 1, bytearray()
    while rest >= 0x80:
        found.append(rest & 0x7F | 0x80)
        rest >>= 7
    return bytes([*found, rest])
