"""Partition specs, as the pruning passes need them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from prunescope.collectors.types import NANOS_PER_UNIT

UNKNOWN = "unknown"
"""A transform onto whose values nothing lifts."""

_WIDTH = re.compile(r"(?:bucket|truncate)\[0*([1-9]\d{0,9})\]")
_MAX_WIDTH = 2**31 - 1


@dataclass(frozen=True, slots=True)
class PartitionField:
    """One field of a partition spec.

    `transform` is the spec's text (`identity`, `bucket[16]`, `truncate[4]`, `day`, `void`, …).
    The types are those of the schema that a scan uses; both are None where that schema has
    no such source column, and then nothing lifts onto the field.
    """

    field_id: int
    source_id: int
    name: str
    transform: str
    source_type: str | None
    result_type: str | None


@dataclass(frozen=True, slots=True)
class PartitionSpec:
    """A partition spec; no fields if unpartitioned."""

    spec_id: int
    fields: tuple[PartitionField, ...]

    def __hash__(self) -> int:
        """Hashes two fields only, because files are grouped by the spec of each."""
        return hash((self.spec_id, len(self.fields)))


def has_width(transform: str) -> bool:
    """True if a transform has the width that it needs: for `bucket[N]` and `truncate[W]`, a
    positive number of 31 bits (table spec, "Partition Transforms")."""
    if not transform.startswith(("bucket", "truncate")):
        return True
    found = _WIDTH.fullmatch(transform)
    return found is not None and int(found[1]) <= _MAX_WIDTH


def result_type(transform: str, source_type: str | None) -> str | None:
    """The type of a partition value (table spec, "Partition Transforms").

    None for void and unknown transforms, and for transforms that the source type does not have:
    such values are never compared.
    """
    if source_type is None:
        return None
    if transform == "identity" or transform.startswith("truncate["):
        return source_type
    if transform.startswith("bucket["):
        return "int"
    if source_type not in NANOS_PER_UNIT or (transform, source_type) == ("hour", "date"):
        return None
    if transform == "day":
        return "date"
    return "int" if transform in ("year", "month", "hour") else None
