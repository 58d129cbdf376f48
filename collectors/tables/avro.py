"""Avro files of table metadata, decoded by PyIceberg, only the fields that are needed.

The schema is taken from the file itself: manifests describe their own partition type, and
older writers leave fields out. Fields that are not wanted are skipped, not decoded.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import IO, Any

from pyiceberg.avro.file import AvroFile
from pyiceberg.avro.reader import Reader, StructReader
from pyiceberg.avro.resolver import construct_reader
from pyiceberg.typedef import Record
from pyiceberg.types import IcebergType, StructType

from collectors.tables.storage import in_memory

Wanted = Mapping[int, "Wanted | None"]
"""Field ids to decode; None decodes the whole field, a mapping only those fields of it."""


class AvroContent:
    """An Avro file held in memory."""

    def __init__(self, content: bytes, wanted: Wanted) -> None:
        """Reads the header. Raises whatever PyIceberg raises for malformed content."""
        self._file = AvroFile[Any](_InMemoryInput(content))  # type: ignore[arg-type]
        self._file.__enter__()
        self.struct = self._file.schema.as_struct()
        """The type of the records, with all fields of the file: see `positions`."""
        reader = construct_reader(self._file.schema)
        self._file.reader = _only(reader, self.struct, wanted)

    def records(self) -> Iterator[Any]:
        """The file's records, as sequences in the order of `struct`; fields that are not
        wanted are None. Can be consumed once."""
        yield from self._file


def positions(struct: StructType) -> dict[int, int]:
    """Field id to position within a record of the struct."""
    return {field.field_id: position for position, field in enumerate(struct.fields)}


def field_type(struct: StructType, field_id: int) -> IcebergType | None:
    """The type of a field of the struct; None if it has no such field."""
    return next((f.field_type for f in struct.fields if f.field_id == field_id), None)


def _only(reader: Reader, struct: IcebergType, wanted: Wanted) -> StructReader:
    if not isinstance(reader, StructReader) or not isinstance(struct, StructType):
        raise ValueError("records of another type than a struct")
    readers: list[tuple[int | None, Reader]] = []
    for (position, field_reader), field in zip(reader.field_readers, struct.fields, strict=True):
        if field.field_id not in wanted:
            readers.append((None, field_reader))
            continue
        inner = wanted[field.field_id]
        chosen = field_reader if inner is None else _only(field_reader, field.field_type, inner)
        readers.append((position, chosen))
    return StructReader(tuple(readers), Record, struct)


class _InMemoryInput:
    """As much of PyIceberg's InputFile as AvroFile asks for."""

    def __init__(self, content: bytes) -> None:
        self._content = content

    def open(self) -> IO[bytes]:
        return in_memory(self._content)
