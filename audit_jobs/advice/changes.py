"""What is inside of files: how it is written, what scans keep of it, and what to change."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from audit_jobs import units
from audit_jobs.advice.candidates import Order
from audit_jobs.advice.intervals import Interval
from collectors.predicates.model import Field


@dataclass(frozen=True, slots=True)
class Written:
    """How files are written: the bytes that a row group and a bloom filter should have; the columns
    of which a filter tells readers nothing new, as row groups have dictionaries of all their
    values, or filters; the columns by which the table is sorted, and those of which new files will
    have filters by its properties."""

    row_group_bytes: int
    filter_bytes: int
    told: frozenset[int]
    order: tuple[Field, ...] = ()
    filtered: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Reading:
    """What a scan keeps of row groups, on average."""

    bytes: Interval
    groups: float


@dataclass(frozen=True, slots=True)
class Change:
    """What to change inside of files: the order of rows, the bytes of row groups (None: neither),
    and the columns to have bloom filters."""

    order: Order | None
    row_group_bytes: int | None
    bloom_filters: tuple[Field, ...]

    def __str__(self) -> str:
        return "; ".join(self._parts())

    def _parts(self) -> Iterator[str]:
        if self.order is not None:
            yield f"rows of each partition sorted by {self.order}"
        if self.row_group_bytes is not None:
            yield f"row groups of {units.size(self.row_group_bytes)}"
        if self.bloom_filters:
            names = ", ".join(column.name for column in self.bloom_filters)
            yield f"bloom filters of {names}"

    @property
    def complexity(self) -> tuple[int, ...]:
        """Of changes as good as each other, the one with less of it is advised."""
        return (
            self.order is not None,
            self.row_group_bytes is not None,
            len(self.bloom_filters),
        )


@dataclass(frozen=True, slots=True)
class Inside:
    """What scans keep of row groups: of the table as it is; of the advised layout (None: none is,
    or a change of what is inside wins as much without it, or scans that read what they keep of row
    groups now would cost more by it, `costs_more`); and after a `change` that wins more
    than may be chance (None: there is none), with what it wins, the bytes of filters taken off.
    `effects` are means by fingerprint: as it is, and with all that is advised. `written` tells of
    the files as they are."""

    now: Reading
    layout: Reading | None
    change: Change | None
    then: Reading | None
    gain: Interval | None
    effects: Mapping[str, tuple[float, float]]
    written: Written
    costs_more: bool = False
