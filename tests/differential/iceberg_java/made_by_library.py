"""Tables that Spark SQL cannot write: other types, required fields in optional structs, columns
with an initial default, and equality deletes."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

from tests.differential.iceberg_java.values import POOLS, random_value, seeded

Command = dict[str, Any]
Commands = tuple[Command, ...]

_RARE = ("t", "u", "fx", "big_dec", "long_dec", "tsn", "i", "s")
_SMALL = ("small_i", "small_l", "s")
_NANOS = ("tns", "tzns", "i", "s")
_NESTED = ("outer.inner.z", "outer.inner.w", "outer.n", "i")


def library_cases() -> Iterator[tuple[str, tuple[str, ...], Commands]]:
    """Name, columns that filters compare, and commands of each table."""
    for name, transform in (
        ("t", "identity"),
        ("u", "identity"),
        ("u", "bucket[4]"),
        ("fx", "bucket[4]"),
        ("fx", "identity"),
        ("t", "bucket[4]"),
        ("big_dec", "identity"),
        ("big_dec", "truncate[100]"),
        ("long_dec", "truncate[7]"),
    ):
        kind = transform.partition("[")[0]
        yield (
            f"rare_by_{kind}_of_{name}",
            _RARE,
            (_create(_flat(_RARE), (name, transform)), *_appends(_RARE)),
        )
    for name, transform in (
        ("tns", "day"),
        ("tns", "hour"),
        ("tzns", "year"),
        ("tzns", "bucket[4]"),
        ("tns", "identity"),
    ):
        kind = transform.partition("[")[0]
        yield (
            f"nanos_by_{kind}_of_{name}",
            _NANOS,
            (_create(_flat(_NANOS), (name, transform), version=3), *_appends(_NANOS)),
        )
    for name, transform in (("small_i", "truncate[10]"), ("small_l", "truncate[20]")):
        yield (
            f"smallest_by_truncate_of_{name}",
            _SMALL,
            (_create(_flat(_SMALL), (name, transform)), *_appends(_SMALL)),
        )
    yield "smallest", _SMALL, (_create(_flat(_SMALL)), *_appends(_SMALL))
    yield "rare", _RARE, (_create(_flat(_RARE)), *_appends(_RARE))
    yield "uncounted", ("d", "i"), (_create(_flat(("d", "i"))), *_uncounted())
    yield "required", _RARE, (_create(_flat(_RARE, required=True)), *_appends(_RARE, nulls=False))
    yield (
        "nested_required",
        (*_NESTED, "outer", "outer.inner"),
        (_create(_nested()), *_appends_nested()),
    )
    yield (
        "void",
        _RARE,
        (_create(_flat(_RARE), ("i", "void"), ("s", "truncate[1]")), *_appends(_RARE)),
    )
    yield (
        "defaults",
        ("i", "s", "later", "later_text"),
        (
            _create(_flat(("i", "s")), version=3),
            *_appends(("i", "s"), parts=(0, 1)),
            {"add": {"name": "later", "type": "int", "default": 7}},
            {"add": {"name": "later_text", "type": "string", "default": "xy"}},
            *_appends(("i", "s", "later", "later_text"), parts=(2, 3)),
        ),
    )


def _uncounted() -> Iterator[Command]:
    """Files of one number, some of them with NaN, whose counts of NaN nobody knows."""
    for number in (1.0, 3.5):
        for other in (number, float("nan")):
            yield {"rows": [{"d": number, "i": 1}, {"d": other, "i": 10}], "uncounted": True}


def with_equality_deletes() -> Iterator[tuple[str, str, int, Commands]]:
    """Name, partitioning and format version of tables of Spark's, and commands that then delete
    from them."""
    kinds = {"plain": "", "by_truncate": "truncate(10, i)", "by_day": "days(ts)", "by_text": "s"}
    for suffix, clause in kinds.items():
        for version in (2, 3):
            yield f"equality_deletes_{suffix}_v{version}", clause, version, tuple(_deletes())


def _deletes() -> Iterator[Command]:
    random_ = seeded(11)
    columns = ("i", "l", "d", "s", "dt", "ts")
    for number, compared in enumerate((("i",), ("s", "l"), ("ts",), ("d",))):
        rows = [
            {column: random_value(random_, column, number) for column in columns} for _ in range(6)
        ]
        yield {"delete": {"columns": list(compared), "spec": 0, "rows": rows}}
        if number == 1:
            yield _append(random_, columns, number)


def _create(fields: list[Command], *partitioning: tuple[str, str], version: int = 2) -> Command:
    ids = {field["name"]: field["id"] for field in fields}
    return {
        "create": {
            "schema": {"type": "struct", "schema-id": 0, "fields": fields},
            "spec": {
                "spec-id": 0,
                "fields": [
                    {
                        "name": f"p_{name}",
                        "transform": transform,
                        "source-id": ids[name],
                        "field-id": 1000 + number,
                    }
                    for number, (name, transform) in enumerate(partitioning)
                ],
            },
            "properties": {"format-version": str(version)},
        }
    }


def _flat(columns: Sequence[str], *, required: bool = False) -> list[Command]:
    return [
        {"id": number, "name": column, "required": required, "type": POOLS[column].type}
        for number, column in enumerate(columns, start=1)
    ]


def _nested() -> list[Command]:
    inner = [
        {"id": 5, "name": "z", "required": True, "type": "long"},
        {"id": 6, "name": "w", "required": False, "type": "string"},
    ]
    outer = [
        {"id": 3, "name": "inner", "required": False, "type": {"type": "struct", "fields": inner}},
        {"id": 4, "name": "n", "required": True, "type": "int"},
    ]
    a_list = {"type": "list", "element-id": 8, "element": "int", "element-required": False}
    a_map = {
        "type": "map",
        "key-id": 10,
        "key": "string",
        "value-id": 11,
        "value": "long",
        "value-required": False,
    }
    return [
        {"id": 7, "name": "a_list", "required": False, "type": a_list},
        {"id": 2, "name": "outer", "required": False, "type": {"type": "struct", "fields": outer}},
        {"id": 9, "name": "a_map", "required": False, "type": a_map},
        {"id": 1, "name": "i", "required": False, "type": "int"},
    ]


def _appends(
    columns: Sequence[str], *, parts: Sequence[int] = range(4), nulls: bool = True
) -> Iterator[Command]:
    random_ = seeded(7)
    for part in parts:
        yield _append(random_, columns, part, nulls=nulls)


def _append(
    random_: random.Random, columns: Sequence[str], part: int, *, nulls: bool = True
) -> Command:
    rows = []
    for _ in range(20):
        row = {column: random_value(random_, column, part) for column in columns}
        if not nulls:
            row = {
                column: POOLS[column].values[part] if value is None else value
                for column, value in row.items()
            }
        rows.append(row)
    return {"rows": rows}


def _appends_nested() -> Iterator[Command]:
    random_ = seeded(8)
    # Structs that are all there, some of them, and none.
    for part, share in enumerate((1.0, 0.5, 0.0)):
        rows = []
        for _ in range(12):
            inner = {
                "z": random_.choice([1, 2, 3]),
                "w": random_value(random_, "outer.inner.w", part),
            }
            outer = {
                "inner": inner if random_.random() < share else None,
                "n": random_.choice([1, 2, 3]),
            }
            rows.append(
                {
                    "i": random_value(random_, "i", part),
                    "outer": outer if random_.random() < share else None,
                    "a_list": [1, None, part],
                    "a_map": {"k": part},
                }
            )
        yield {"rows": rows}
