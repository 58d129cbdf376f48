"""The layout that a table asks its writers for."""

from __future__ import annotations

from prunescope.audit_jobs.advice.candidates import Term
from prunescope.audit_jobs.pruning.transforms import TIME_TRANSFORMS
from prunescope.collectors.partitioning import UNKNOWN, PartitionField
from prunescope.collectors.predicates.model import Field
from prunescope.collectors.tables.metadata import TableMetadata
from prunescope.collectors.tables.properties import BLOOM_FILTER_OF, ROW_GROUP_BYTES, count_of

SPANNED = ("date", "timestamp", "timestamptz")
"""Types of times of which statements may name spans."""


def current_terms(metadata: TableMetadata) -> tuple[Term, ...] | None:
    """The partition fields of new files; None if rows cannot be laid out by one of them."""
    return terms_of(metadata, metadata.default_spec_id)


def terms_of(metadata: TableMetadata, spec_id: int) -> tuple[Term, ...] | None:
    """The partition fields of files of a spec; None if rows do not have the values of one."""
    schema = metadata.schema(None)
    names = {column.field_id: column.name for column in schema.columns}
    spec = metadata.specs(schema).get(spec_id)
    if spec is None:
        return None
    terms = []
    for one in spec.fields:
        if one.transform == "void":
            continue
        is_known = one.source_type is not None and one.source_id in names
        if one.result_type is None or one.transform == UNKNOWN or not is_known:
            return None
        assert one.source_type is not None
        column = Field(one.source_id, names[one.source_id], one.source_type)
        terms.append(Term(one.transform, column))
    return tuple(terms)


def field_of_times(metadata: TableMetadata) -> int | None:
    """The id of the first partition field of new files by years, months, days or hours, or by
    dates; None if there is none."""
    fields = metadata.specs(metadata.schema(None))[metadata.default_spec_id].fields
    return next((one.field_id for one in fields if is_of_times(one)), None)


def is_of_times(field: PartitionField) -> bool:
    """Tells whether partitions of a field are numbered spans of a time that Spark compares: of a
    date, or of a timestamp in microseconds."""
    is_date = (field.transform, field.source_type) == ("identity", "date")
    is_known = field.result_type is not None and field.source_type in SPANNED
    return is_known and (is_date or field.transform in TIME_TRANSFORMS)


def sorted_by(metadata: TableMetadata) -> tuple[str, ...]:
    """The names of the columns of the sort order; empty if there is none, or one of them is not in
    the schema."""
    names = {column.field_id: column.name for column in metadata.schema(None).columns}
    if not all(column in names for column in metadata.sort_columns):
        return ()
    return tuple(names[column] for column in metadata.sort_columns)


def row_group_bytes(metadata: TableMetadata) -> int | None:
    """The bytes that row groups of new files should have; None if the table has no such
    property."""
    return count_of(metadata.properties, ROW_GROUP_BYTES.name)


def bloom_filters(metadata: TableMetadata) -> tuple[str, ...]:
    """The names of the columns of which new files will have bloom filters."""
    return tuple(
        key.removeprefix(BLOOM_FILTER_OF)
        for key, value in metadata.properties.items()
        if key.startswith(BLOOM_FILTER_OF) and value.lower() == "true"
    )
