"""Partition values in the form in which they are compared, whichever way a manifest is read, and of
columns whose type was promoted since."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from prunescope.collectors.partitioning import PartitionField, PartitionSpec
from prunescope.collectors.statistics import ColumnStatistics
from prunescope.collectors.tables.avro import AvroContent
from prunescope.collectors.tables.entries import Entries
from prunescope.collectors.tables.entry_readers import at_once, one_by_one
from prunescope.collectors.tables.file_batches import (
    file_batch,
    partition_statistics,
    partition_tuples,
)
from prunescope.collectors.tables.kept_entries import kept, opened, packed
from prunescope.collectors.tables.manifests import ManifestEntries
from tests.collectors.tables.avro_files import file
from tests.collectors.tables.made_manifests import KINDS, WANTED, encoded, entry, schema

FIELD = 3000
DAY = 86_400_000_000
LONGEST = Decimal((1, (1, *[0] * 38), -10))
"""Of 39 digits: what a truncation makes of the least decimal of 38."""


def manifest(kind: str, values: Sequence[Any]) -> bytes:
    """Of files that have these values, written as what their column was then."""
    parts = [encoded(entry(n, [value]), [kind], 100) for n, value in enumerate(values)]
    return file(schema([kind]), (len(parts), b"".join(parts)))


def ways(content: bytes) -> dict[str, Entries]:
    """The entries of a manifest by each reader, and as they are kept."""
    (alone,) = one_by_one(AvroContent(content, WANTED))
    (together,) = at_once([AvroContent(content, WANTED)])
    of_each = kept(alone, np.array([len(alone)]))
    (again,) = opened([packed([one for one in of_each if one], len(content))], None)
    (of_kept,) = again.parts
    return {"one by one": alone, "at once": together.entries, "kept": of_kept}


def columns(entries: Entries, type_name: str) -> dict[str, ColumnStatistics]:
    """What pass 2 and pass 3 compare, for a column of this type."""
    spec = PartitionSpec(0, (PartitionField(FIELD, 1, "p", "identity", type_name, type_name),))
    key = (FIELD, type_name)
    manifests = [ManifestEntries([len(entries)], [entries])]
    of_files = file_batch(manifests, spec, [], [key]).partition.columns
    of_footers = partition_statistics(partition_tuples(manifests, spec), spec, [key])
    return {"files": of_files[key], "row groups": of_footers[key]}


@pytest.mark.parametrize(
    ("kind", "type_name", "written", "expected"),
    [
        ("boolean", "boolean", True, 1),
        ("int", "int", -5, -5),
        ("int", "long", -5, -5),
        ("date", "date", 19_782, 19_782),
        ("date", "timestamp", 19_782, 19_782 * DAY),
        ("date", "timestamp", -1, -DAY),
        ("date", "timestamp_ns", 1, 1_000 * DAY),
        pytest.param("date", "timestamp_ns", 2_932_896, 2**63 - 1, id="after-all-nanoseconds"),
        pytest.param("date", "timestamp_ns", -719_162, -(2**63), id="before-all-nanoseconds"),
        pytest.param("long", "timestamp", 19_782, 19_782, id="microseconds-of-1970"),
        ("nanos", "timestamp_ns", 5, 5),
        ("float", "double", 1.5, 1.5),
        ("double", "double", 0.1, 0.1),
        ("string", "string", "é", "é".encode()),
        ("bytes", "binary", b"\xff", b"\xff"),
        ("fixed", "fixed[3]", b"abc", b"abc"),
        ("uuid", "uuid", uuid.UUID(int=1), bytes(15) + b"\x01"),
        ("decimal", "decimal(9,2)", Decimal("-1.50"), Decimal("-1.50")),
        ("decimal", "decimal(18,2)", Decimal("-1.50"), Decimal("-1.50")),
    ],
)
def test_values_are_those_of_the_type_that_the_column_has_now(
    kind: str, type_name: str, written: object, expected: object
) -> None:
    for way, entries in ways(manifest(kind, [written, None])).items():
        for stage, column in columns(entries, type_name).items():
            assert column.lower.to_pylist() == [expected, None], (way, stage)
            assert column.has_null.to_pylist() == [False, True], (way, stage)


def test_decimals_of_39_digits_are_values(monkeypatch: pytest.MonkeyPatch) -> None:
    long = {"type": "fixed", "name": "d", "size": 16, "logicalType": "decimal"}
    long |= {"precision": 38, "scale": 10}
    raw = int(LONGEST.scaleb(10)).to_bytes(16, "big", signed=True)
    monkeypatch.setitem(KINDS, "longest", (long, None, bytes))
    for way, entries in ways(manifest("longest", [raw, None])).items():
        for stage, column in columns(entries, "decimal(38,10)").items():
            assert column.lower.to_pylist() == [LONGEST, None], (way, stage)


def test_a_number_that_is_none_of_32_bits_is_no_date() -> None:
    content = AvroContent(manifest("date", [2**40]), WANTED)
    with pytest.raises(pa.ArrowInvalid):
        list(one_by_one(content))
