"""Avro files of table metadata: only the fields that are needed, decoded.

The schema is taken from the file itself: manifests describe their own partition type, and
older writers leave fields out. Fields that are not wanted are skipped, not decoded.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from pyiceberg.avro.decoder import new_decoder
from pyiceberg.types import IcebergType, StructType
from pyiceberg.utils.schema_conversion import AvroSchemaConversion

from prunescope.collectors.budget import Budget, weight_of_json
from prunescope.collectors.storage import limits
from prunescope.collectors.tables.avro_blocks import blocks, read_header
from prunescope.collectors.tables.avro_plain import Rewrite, plain
from prunescope.collectors.tables.avro_values import (
    BlockEnd,
    Read,
    field_reader,
    in_order,
    padding,
    past,
    value_reader,
    weight_of,
)

SCHEMA = "avro.schema"
"""The note of the types of records."""
_FIXED = '"fixed"'

MAX_RECORDS = 5_000_000
"""The most records of one file: the manifests of a snapshot, or the files of a manifest."""

Wanted = Mapping[int, "Wanted | None"]
"""Field ids to decode; None decodes the whole field, a mapping only those fields of it."""


class AvroContent:
    """An Avro object container file held in memory (Avro 1.11, "Object Container Files")."""

    def __init__(self, content: bytes, wanted: Wanted) -> None:
        """Reads the header. Raises EOFError, ValueError, KeyError, TypeError or RecursionError for
        malformed content."""
        self._content = content
        self._header = read_header(content)
        self.metadata: Mapping[str, str] = self._header.metadata
        """Metadata that the writer noted in the file's header."""
        self.struct, self._rewrite = _struct(self.metadata[SCHEMA])
        """The type of the records, with all fields of the file: see `positions`."""
        self.wanted = wanted
        """The fields of the records that are decoded."""
        self.built = Budget(limits.BUILT)
        """Memory that the records in use take."""
        if _FIXED in self.metadata[SCHEMA]:
            self._read_sizes()

    def blocks(self) -> Iterator[tuple[int, bytes]]:
        """The blocks of records, as `avro_blocks.blocks` reads them; records are of `struct`, also
        if the file's own are not."""
        found = blocks(self._content, self._header)
        rewrite = self._rewrite
        return found if rewrite is None else ((n, rewrite(n, block)) for n, block in found)

    def _read_sizes(self) -> None:
        """Reads a size before each partition value of fixed size, as Iceberg's Java library writes
        and reads such columns (apache/iceberg#17501), if all records have it."""
        known = self._rewrite
        self._rewrite = _struct(self.metadata[SCHEMA], has_sizes=True)[1]
        try:
            for _ in self.blocks():
                pass
        except (EOFError, ValueError, IndexError):
            self._rewrite = known

    def records(self) -> Iterator[Any]:
        """The file's records, as sequences in the order of `struct`; fields that are not
        wanted are None. Raises EOFError or ValueError where the file is truncated or damaged."""
        block = BlockEnd(self.built)
        read = _row_reader(self.struct, self.wanted, block)
        weight = weight_of(self.struct)
        # What the compiled decoder reads past the end is zeros, and found out afterwards.
        zeros = padding(self.struct)
        found = 0
        for count, data in self.blocks():
            found += count
            if found > MAX_RECORDS:
                raise ValueError(f"more than {MAX_RECORDS} records")
            block.end = len(data)
            decoder = new_decoder(b"".join((data, bytes(zeros + len(data)))))
            for _ in range(count):
                self.built.take(weight)
                record = read(decoder)
                if decoder.tell() > block.end:
                    raise EOFError("a record goes beyond the end of its block")
                yield record
            if decoder.tell() != block.end:
                raise ValueError("a block does not end with its last record")


def notes_of(content: bytes) -> Mapping[str, str]:
    """The metadata in the header of a file, empty if it has no header."""
    try:
        return read_header(content).metadata
    except (EOFError, ValueError):
        return {}


@lru_cache(maxsize=8)
def _struct(schema: str, *, has_sizes: bool = False) -> tuple[StructType, Rewrite | None]:
    """The type that an Avro schema in JSON describes, and what makes records plain, if they are not
    of it as they are. Manifests of one table mostly have one, which takes as long to read as twenty
    of their entries."""
    Budget(limits.AVRO_SCHEMA).take(weight_of_json(schema.encode()))
    found, rewrite = plain(schema, has_sizes=has_sizes)
    return AvroSchemaConversion().avro_to_iceberg(found).as_struct(), rewrite


def positions(struct: StructType) -> dict[int, int]:
    """Field id to position within a record of the struct."""
    return {field.field_id: position for position, field in enumerate(struct.fields)}


def field_type(struct: StructType, field_id: int) -> IcebergType | None:
    """The type of a field of the struct; None if it has no such field."""
    return next((f.field_type for f in struct.fields if f.field_id == field_id), None)


def _row_reader(struct: IcebergType | None, wanted: Wanted, block: BlockEnd) -> Read:
    if not isinstance(struct, StructType):
        raise ValueError("records of another type than a struct")
    functions: list[tuple[int | None, Read]] = []
    for position, field in enumerate(struct.fields):
        if field.field_id not in wanted:
            functions.append((None, field_reader(field, past(field.field_type, block))))
            continue
        inner = wanted[field.field_id]
        if inner is None:
            read = value_reader(field.field_type, block)
        else:
            read = _row_reader(field.field_type, inner, block)
        functions.append((position, field_reader(field, read)))
    return in_order(functions)
