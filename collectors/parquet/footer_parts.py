"""A serialised footer taken apart: its row groups are read one at a time, however many there are.

Structures take a hundred times the bytes that they are written in, so that no more of them is built
than is in use, and none of a footer that has more than any file should have.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import TypeVar

from prunescope.collectors.budget import Budget
from prunescope.collectors.json_fields import MAX_NAME
from prunescope.collectors.parquet.thrift_numbers import list_head, varint
from prunescope.collectors.parquet.thrift_types import (
    MAX_ITEMS,
    Anything,
    CountedRowGroup,
    FileMetaData,
    MalformedParquet,
    SchemaElement,
    Structure,
    Structures,
    decode,
)
from prunescope.collectors.storage import limits

Chunk = TypeVar("Chunk", bound=Structure)

MAX_CHUNKS = 1_000_000
"""Column chunks of a file: ten times those of 1,000 columns and 100 row groups. A row group counts
as one too."""

# In the compact protocol: the next field, a list, or an i64; and the kind of a structure.
NEXT_LIST, NEXT_NUMBER, STRUCT = b"\x19", b"\x16", 12
_VERSION = b"\x15"
NO_ROW_GROUPS = b"\x49\x0c"
"""The fourth field of a footer, an empty list, which precedes what follows row groups."""
_MAX_ELEMENTS = 100_000
"""Columns, and groups of them, of a file."""
_MAX_DEPTH = 100
_OF_ELEMENT = 1_000
"""Bytes of one of these, as Arrow has it, besides its names."""
_ITEMS = 4_096
"""The longest list within a row group, unless the row group has more chunks."""


@dataclass(frozen=True, slots=True)
class FooterParts:
    """A footer of a file of `leaves` leaves and `records` rows: it has `count` row groups, the
    first of which begins at `first`."""

    thrift: bytes
    leaves: int
    records: int
    count: int
    first: int

    def row_groups(self) -> Iterator[CountedRowGroup]:
        """Reads the row groups with the statistics of their chunks, one at a time. Raises
        MalformedParquet."""
        structures = self._structures()
        for _ in range(self.count):
            yield structures.read(CountedRowGroup)

    def chunks(
        self, kind: type[Chunk], wanted: Collection[int], row_groups: Collection[int] | None = None
    ) -> Iterator[dict[int, Chunk]]:
        """Reads the wanted chunks of row groups, by leaf: of all row groups, or of those with these
        numbers, in order. Raises MalformedParquet."""
        structures = self._structures()
        for number in range(self.count):
            if row_groups is not None and number not in row_groups:
                structures.read(Anything)
                continue
            try:
                is_list = self.thrift[structures.at : structures.at + 1] == NEXT_LIST
                chunks, of, structures.at = list_head(self.thrift, structures.at + 1)
            except IndexError as error:
                raise MalformedParquet("a footer that ends early") from error
            if not is_list or of != STRUCT or chunks != self.leaves:
                raise MalformedParquet("a row group has not one chunk for each column")
            found: dict[int, Chunk] = {}
            for leaf in range(chunks):
                if leaf in wanted:
                    found[leaf] = structures.read(kind)
                else:
                    structures.read(Anything)
            structures.read(Anything)  # the other fields of the row group
            yield found

    def rest(self) -> FileMetaData:
        """The metadata behind the row groups. Raises MalformedParquet."""
        structures = self._structures()
        for _ in range(self.count):
            structures.read(Anything)
        return rest_of(self.thrift[structures.at :], self.leaves)

    def _structures(self) -> Structures:
        return Structures(self.thrift, self.first, max(self.leaves, _ITEMS))


def head_of(thrift: bytes) -> bytes:
    """The start of a serialised footer, to the end of its schema. Raises MalformedParquet, and
    TooMuch."""
    if not thrift.startswith(_VERSION):
        raise MalformedParquet("a footer does not begin with its version")
    try:
        _, at = varint(thrift, 1)
        is_list = thrift[at : at + 1] == NEXT_LIST
        count, kind, at = list_head(thrift, at + 1)
    except IndexError as error:
        raise MalformedParquet("a footer that ends early") from error
    if not is_list:
        raise MalformedParquet("a footer has no schema after its version")
    if kind != STRUCT:
        raise MalformedParquet("a schema is no list of structures")
    return thrift[: _end_of_schema(thrift, at, count)]


def _end_of_schema(thrift: bytes, at: int, count: int) -> int:
    """The place where a schema of so many elements (columns, and groups of them) ends. Raises
    MalformedParquet, and TooMuch if Arrow would take much memory for it, because it joins the name
    of each element with those around it."""
    if count > _MAX_ELEMENTS:
        raise MalformedParquet(f"a schema of {count:,} columns")
    budget = Budget(limits.NAMES)
    structures = Structures(thrift, at, MAX_ITEMS)
    around: list[tuple[int, int]] = []
    """The members that follow, and the letters of the path, of each group around a column."""
    for _ in range(count):
        element = structures.read(SchemaElement)
        while around and around[-1][0] == 0:
            around.pop()
        letters = len(element.name or b"")
        if letters > MAX_NAME:
            raise MalformedParquet(f"a name of more than {MAX_NAME:,} bytes")
        if around:
            left, letters_around = around[-1]
            around[-1] = left - 1, letters_around
            letters += letters_around
        budget.take(_OF_ELEMENT + letters)
        if element.num_children:
            around.append((element.num_children, letters))
        if len(around) > _MAX_DEPTH:
            raise MalformedParquet("a schema of too many groups in each other")
    return structures.at


def parts_of(thrift: bytes, head: int, leaves: int) -> FooterParts:
    """The parts of a footer that begins with so many bytes of version and schema. Raises
    MalformedParquet, also for more chunks than any file has."""
    try:
        records, at = varint(thrift, head + 1)
        count, kind, first = list_head(thrift, at + 1)
    except IndexError as error:
        raise MalformedParquet("a footer that ends early") from error
    if thrift[head : head + 1] != NEXT_NUMBER or thrift[at : at + 1] != NEXT_LIST or kind != STRUCT:
        raise MalformedParquet("row groups do not follow the schema and the number of rows")
    if count * (leaves + 1) > MAX_CHUNKS:
        raise MalformedParquet(f"{count:,} row groups of {leaves:,} columns")
    return FooterParts(thrift, leaves, (records >> 1) ^ -(records & 1), count, first)


def rest_of(text: bytes, leaves: int) -> FileMetaData:
    """The metadata behind row groups, for so many leaves. Raises MalformedParquet."""
    found, _ = decode(FileMetaData, NO_ROW_GROUPS + text, max(leaves, _ITEMS))
    return found
