"""A table of somebody else's, and how its files can be made to lie."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from pyiceberg.avro.file import AvroFile, AvroOutputFile
from pyiceberg.io.pyarrow import PyArrowFileIO
from pyiceberg.schema import Schema
from pyiceberg.table import Table
from pyiceberg.typedef import Record

from tests.chaos.lake import BY_DAY, SCHEMA, open_sql_catalog, rows
from tests.integration.audits import backdate

_FILES = 3


@dataclass(frozen=True, slots=True)
class Victim:
    """A table of three files in a catalog of its own."""

    catalog: str
    folder: Path
    table: Table

    @property
    def name(self) -> str:
        """As queries have it."""
        return f"{self.catalog}.db.t"

    @property
    def metadata(self) -> Path:
        """Its metadata file."""
        return path_of(self.table.metadata_location)

    @property
    def manifest_list(self) -> Path:
        """Of its current snapshot."""
        snapshot = self.table.current_snapshot()
        assert snapshot is not None
        return path_of(snapshot.manifest_list)

    @property
    def manifests(self) -> list[Path]:
        """Of its current snapshot, in order."""
        snapshot = self.table.current_snapshot()
        assert snapshot is not None
        return [path_of(m.manifest_path) for m in snapshot.manifests(self.table.io)]

    @property
    def data_files(self) -> list[Path]:
        """Of its current snapshot."""
        return [path_of(task.file.file_path) for task in self.table.scan().plan_files()]

    def edit(self, change: Callable[[dict[str, Any]], None]) -> None:
        """Changes its metadata file."""
        document = json.loads(self.metadata.read_text())
        change(document)
        self.metadata.write_text(json.dumps(document))

    def set_property(self, key: str, value: object) -> None:
        """As its owner may."""
        self.edit(lambda document: document["properties"].__setitem__(key, value))


def make_victim(name: str, folder: Path) -> Victim:
    """Writes the table, partitioned by day, in a catalog of a name."""
    folder.mkdir(parents=True)
    catalog = open_sql_catalog(name, folder)
    catalog.create_namespace("db")
    table = catalog.create_table(("db", "t"), SCHEMA, partition_spec=BY_DAY)
    for part in range(_FILES):
        table.append(rows(part))
    backdate(table)
    return Victim(name, folder, table)


def path_of(location: str) -> Path:
    """Of a file:// location."""
    return Path(urlsplit(location).path)


def rewrite(path: Path, change: Callable[[Record, Schema], None]) -> None:
    """Changes each record of an Avro file."""

    def changed(records: list[Record], schema: Schema) -> list[Record]:
        for record in records:
            change(record, schema)
        return records

    rewrite_all(path, changed)


def rewrite_all(path: Path, change: Callable[[list[Record], Schema], list[Record]]) -> None:
    """Writes other records into an Avro file."""
    file_io = PyArrowFileIO()
    with AvroFile[Record](file_io.new_input(str(path))) as source:
        schema, header = source.schema, source.header.meta
        found = list(source)
    own = {key: value for key, value in header.items() if not key.startswith("avro.")}
    name = json.loads(header["avro.schema"])["name"]
    output = file_io.new_output(str(path))
    path.unlink()
    with AvroOutputFile[Record](output, schema, name, metadata=own) as target:
        target.write_block(change(found, schema))


def set_field(record: Record, schema: Schema, field_id: int, value: object) -> None:
    """Sets a field of a record, or of its data file, by its id."""
    for position, field in enumerate(schema.fields):
        if field.field_id == field_id:
            record[position] = value
            return
        inner = field.field_type
        fields = getattr(inner, "fields", ())
        for place, nested in enumerate(fields):
            if nested.field_id == field_id:
                record[position][place] = value
                return
    raise KeyError(field_id)
