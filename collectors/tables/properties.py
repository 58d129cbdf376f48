"""Properties of tables, which are text that their owners write, and the numbers in them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from prunescope.collectors.types import MAX_INT64

_DIGITS = len(str(MAX_INT64))


def count_of(properties: Mapping[str, str], name: str) -> int | None:
    """A property that is a whole number of at most 63 bits, without a sign; None for any other, and
    where there is none. It is as Java's `Long.parseLong` has it."""
    value = properties.get(name, "").removeprefix("+")
    if not value.isdecimal() or len(value.lstrip("0")) > _DIGITS:
        return None
    number = int(value.lstrip("0") or "0")
    return number if number <= MAX_INT64 else None


@dataclass(frozen=True, slots=True)
class SizeProperty:
    """A property that is a number of bytes, and Iceberg's default (its TableProperties, 1.11)."""

    name: str
    default: int

    def of(self, properties: Mapping[str, str]) -> int:
        """The bytes that hold for a table of these properties: the default if they set none, or
        none that can be read."""
        return count_of(properties, self.name) or self.default


FILE_BYTES = SizeProperty("write.target-file-size-bytes", 512 << 20)
"""The size of data files that writers aim at."""
MANIFEST_BYTES = SizeProperty("commit.manifest.target-size-bytes", 8 << 20)
"""The size of manifests that are merged or rewritten."""
ROW_GROUP_BYTES = SizeProperty("write.parquet.row-group-size-bytes", 128 << 20)
"""The size of row groups of new files."""
BLOOM_FILTER_BYTES = SizeProperty("write.parquet.bloom-filter-max-bytes", 1 << 20)
"""The largest size of a bloom filter; Spark makes all of them as large."""
OPEN_FILE_COST = SizeProperty("read.split.open-file-cost", 4 << 20)
"""The bytes for which opening a file counts when Spark plans splits."""

BLOOM_FILTER_OF = "write.parquet.bloom-filter-enabled.column."
"""With the name of a column behind it: whether new files have bloom filters of it."""
