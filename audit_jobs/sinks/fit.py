"""Whether an audit table that is there can take our rows: others may have changed its columns."""

from __future__ import annotations

from collections.abc import Iterator

from pyiceberg.catalog import Catalog
from pyiceberg.exceptions import ResolveError
from pyiceberg.schema import Schema, promote
from pyiceberg.types import IcebergType, NestedField

from audit_jobs.errors import PublishFailed
from audit_jobs.results.audit_table import AuditTable

_TOLD = 3


def require_fit(catalog: Catalog, namespace: str, audit_table: AuditTable, present: Schema) -> None:
    """Raises PublishFailed, which names the columns, unless our rows can be written to a table of a
    schema. Of ours it may lack what is not required: that is added when a run is published."""
    found = list(_misfits(present, audit_table.schema()))
    if not found:
        return
    more = f"; and {len(found) - _TOLD} more" if len(found) > _TOLD else ""
    raise PublishFailed(
        f"audit table {namespace}.{audit_table.name} in catalog {catalog.name!r} cannot be "
        f"written, as its columns were changed: {'; '.join(found[:_TOLD])}{more}; do so, or "
        "rename the table, and the next run makes a new one"
    )


def _misfits(present: Schema, wanted: Schema) -> Iterator[str]:
    """What is to be done, by column."""
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
