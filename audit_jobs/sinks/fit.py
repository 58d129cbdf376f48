"""Checks that an existing audit table can take our rows: others may have changed it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from io import BytesIO

import pyarrow as pa
import pyarrow.parquet as pq
from pyiceberg.catalog import Catalog
from pyiceberg.exceptions import ResolveError
from pyiceberg.io.pyarrow import _get_parquet_writer_kwargs, compute_statistics_plan
from pyiceberg.schema import Schema, promote
from pyiceberg.table import Table, TableProperties
from pyiceberg.table.metadata import TableMetadata
from pyiceberg.types import IcebergType, NestedField
from pyiceberg.utils.properties import property_as_int

from prunescope.audit_jobs.errors import PublishFailed
from prunescope.audit_jobs.results.audit_table import AuditTable, day_of_window
from prunescope.collectors.storage.locations import shown
from prunescope.collectors.storage.places import Places

_TOLD = 3
_FORMAT, _PARQUET = TableProperties.WRITE_FILE_FORMAT, TableProperties.WRITE_FILE_FORMAT_DEFAULT
_OF_FILES = ("write.parquet.", "write.metadata.metrics.", "write.target-file-size-bytes")
_ELSEWHERE = (
    *("write.data.path", "write.metadata.path", "write.folder-storage.path"),
    *("write.object-storage.", "write.location-provider.", "write.py-location-provider."),
    "encryption.",  # no file is encrypted, so none is what readers expect
)
"""Properties that say where files are, by which code that is chosen, or that they are encrypted.
The configuration says where audit tables are."""
_ROW = pa.table({"probe": pa.array([1], pa.int64())})


def require_fit(catalog: Catalog, namespace: str, audit_table: AuditTable, table: Table) -> None:
    """Raises PublishFailed, which names the change, unless our rows can be written to a table, as
    its readers expect them, and in the place that the configuration has for audit tables. The table
    may lack optional columns of ours: publishing a run adds them."""
    found = [
        *_misfits(table.schema(), audit_table.schema()),
        *_other_places(catalog, namespace, table),
        *_other_files(table),
    ]
    if not found:
        return
    more = f"; and {len(found) - _TOLD} more" if len(found) > _TOLD else ""
    raise PublishFailed(
        f"Cannot write audit table {namespace}.{audit_table.name} in catalog {catalog.name!r}, "
        f"because it was changed. To repair it: {'; '.join(found[:_TOLD])}{more}. Or rename the "
        f"table: the next run creates a new one."
    )


def require_same(written: TableMetadata, present: TableMetadata, name: str) -> None:
    """Raises PublishFailed unless files that were written for a table belong to its present state:
    the values of a column that was dropped and added again meanwhile would be null."""
    fields = {field.name: field.field_id for field in present.schema().fields}
    changed = [
        field.name for field in written.schema().fields if fields.get(field.name) != field.field_id
    ]
    if written.table_uuid != present.table_uuid:
        what = "it was made anew"
    elif changed:
        what = f"the columns {', '.join(changed[:_TOLD])} were dropped, renamed or made anew"
    else:
        return
    raise PublishFailed(
        f"audit table {name} was changed while the run was written ({what}), so that its files are "
        "of another table; run the window again"
    )


def _other_places(catalog: Catalog, namespace: str, table: Table) -> Iterator[str]:
    """Yields remedies for settings that would have files written elsewhere, or by code that the
    table names."""
    for name in sorted(table.properties):
        if name.startswith(_ELSEWHERE):
            yield f"unset its property {name}"
    warehouse = str(catalog.properties.get("warehouse", ""))
    places = [warehouse] if ":" in warehouse or warehouse.startswith("/") else []
    if Places.of(places).has(table.location()):
        return
    with suppress(Exception):  # not all catalogs tell, and then nobody knows
        told = catalog.load_namespace_properties(tuple(namespace.split(".")))
        places += [told[key] for key in ("location", "locationUri") if told.get(key)]
    if places and not Places.of(places).has(table.location()):
        yield (
            f"set its location, which is {shown(table.location())}, to a place in "
            f"{' or '.join(map(shown, places))}"
        )


def _other_files(table: Table) -> Iterator[str]:
    """Yields remedies for settings that would have files of another kind or partition written, or
    none."""
    ours = day_of_window(table.schema()).fields if "window_start" in _names(table) else ()
    if [(f.source_id, f.transform) for f in table.spec().fields] != [
        (f.source_id, f.transform) for f in ours
    ]:
        yield "partition it by day(window_start) alone"
    if table.properties.get(_FORMAT, _PARQUET).lower() != _PARQUET:
        yield f"set its property {_FORMAT} to {_PARQUET}"
    asked = sorted(name for name in table.properties if name.startswith(_OF_FILES))
    if asked and not _are_usable(table):
        yield f"correct or unset its properties {', '.join(asked)}"


def _are_usable(table: Table) -> bool:
    """True if PyIceberg can write a file with the properties of a table."""
    properties = table.properties
    try:
        rows = property_as_int(properties, TableProperties.PARQUET_ROW_GROUP_LIMIT, 1)
        size = property_as_int(properties, TableProperties.WRITE_TARGET_FILE_SIZE_BYTES, 1)
        compute_statistics_plan(table.schema(), properties)
        options = _get_parquet_writer_kwargs(properties)
        with pq.ParquetWriter(BytesIO(), _ROW.schema, **options) as writer:
            writer.write(_ROW, row_group_size=rows)
    except Exception:  # noqa: BLE001  # of PyIceberg and of Arrow
        return False
    return (rows or 0) > 0 and (size or 0) > 0


def _names(table: Table) -> set[str]:
    return {field.name for field in table.schema().fields}


def _misfits(present: Schema, wanted: Schema) -> Iterator[str]:
    """Yields remedies for columns that differ."""
    theirs = {field.name: field for field in present.fields}
    ours = {field.name: field for field in wanted.fields}
    for name, field in ours.items():
        there = theirs.get(name)
        if there is None:
            if field.required:
                yield f"add the column {name} ({field.field_type})"
        elif not _takes(there, field.field_type):
            yield f"make the column {name} {field.field_type}, which is {there.field_type}"
        elif there.required and not field.required:
            yield f"make the column {name} optional, as it is for us"
    for name, field in theirs.items():
        if field.required and name not in ours:
            yield f"make the column {name} optional, which is not ours"


def _takes(there: NestedField, ours: IcebergType) -> bool:
    # The text leaves out the ids of elements, which are the table's own.
    if str(there.field_type) == str(ours):
        return True
    try:
        return bool(promote(ours, there.field_type))
    except ResolveError:
        return False
