"""Iceberg tables as a list of commits, written by PyIceberg file by file.

A layout is what a table is made of: which rows are in which file, which files are in which commit,
and the partition spec of each commit. Building a table and laying it out anew are both functions
that give a layout; `write` makes a table of it.
"""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from pyiceberg.catalog import Catalog, MetastoreCatalog
from pyiceberg.catalog.noop import NoopCatalog
from pyiceberg.conversions import to_bytes
from pyiceberg.io import pyarrow as writers
from pyiceberg.manifest import DataFile, DataFileContent, FileFormat
from pyiceberg.partitioning import PartitionField, PartitionFieldValue, PartitionKey, PartitionSpec
from pyiceberg.schema import Schema, assign_fresh_schema_ids
from pyiceberg.table import CommitTableResponse, TableProperties
from pyiceberg.table import Table as IcebergTable
from pyiceberg.table.update import TableRequirement, TableUpdate
from pyiceberg.transforms import IdentityTransform, Transform, parse_transform
from pyiceberg.typedef import Record
from pyiceberg.types import PrimitiveType

from tests.workloads.deletes import delete_first_rows

_TERM = re.compile(r"^(?P<name>\w+)\s*\((?P<arguments>[^()]*)\)$")
_TRANSFORMS = {
    "year": "year",
    "years": "year",
    "month": "month",
    "months": "month",
    "day": "day",
    "days": "day",
    "hour": "hour",
    "hours": "hour",
}


@dataclass(frozen=True)
class Term:
    """One field of a partition spec: a column (dotted, where nested) and a transform's name."""

    column: str
    transform: str = "identity"


def parse_term(text: str) -> Term:
    """A partition field as Spark's SQL writes it: `days(ts)`, `bucket(16, id)`, `region`."""
    text = text.strip()
    call = _TERM.match(text)
    if call is None:
        return Term(unquoted(text))
    name = call["name"].lower()
    arguments = [argument.strip() for argument in call["arguments"].split(",")]
    if name in _TRANSFORMS:
        return Term(unquoted(arguments[0]), _TRANSFORMS[name])
    if name not in {"bucket", "truncate"}:
        raise ValueError(f"{text!r} is no partition field")
    width = next(argument for argument in arguments if argument.isdigit())
    column = next(argument for argument in arguments if not argument.isdigit())
    return Term(unquoted(column), f"{name}[{width}]")


def unquoted(name: str) -> str:
    """A column's name without Spark's backticks."""
    return name.strip().replace("`", "")


@dataclass(frozen=True)
class Commit:
    """Files that one commit adds, each as its rows, under one partition spec.

    `unbounded` are columns of which its writer kept no bounds, whatever the table's properties say
    since. `deletes` has it also add a position delete file for each data file of earlier commits,
    that deletes its first row, as an upsert of one row of each does.
    """

    files: tuple[pa.Table, ...]
    partition: tuple[str, ...] = ()
    unbounded: tuple[str, ...] = ()
    deletes: bool = False


@dataclass(frozen=True)
class Layout:
    """A table: its commits, and the spec of new files, as `partition`. `properties_since` are those
    that were set when all commits were there, and `renamed` the columns that got other names then.
    Columns that files of later commits alone have were added by these. `declared` are columns by
    which the table's sort order tells writers to write, whatever they did."""

    commits: tuple[Commit, ...]
    partition: tuple[str, ...] = ()
    properties: Mapping[str, str] = field(default_factory=dict)
    format_version: int = 2
    properties_since: Mapping[str, str] = field(default_factory=dict)
    renamed: Mapping[str, str] = field(default_factory=dict)
    declared: tuple[str, ...] = ()

    @property
    def files(self) -> Iterator[pa.Table]:
        """The rows of each file, in the order in which they were committed."""
        return (file for commit in self.commits for file in commit.files)


def split(rows: pa.Table, partition: Sequence[str]) -> list[pa.Table]:
    """The rows of each partition, in the order of partitions; rows keep theirs."""
    if not partition or not len(rows):
        return [rows]
    schema = _iceberg_schema(rows.schema)
    codes = np.zeros(len(rows), dtype=np.int64)
    for text in partition:
        values = _transformed(rows, schema, parse_term(text))
        encoded = pc.rank(values, sort_keys="ascending", tiebreaker="dense").to_numpy()
        codes = codes * (int(encoded.max()) + 1) + encoded.astype(np.int64)
    order = np.argsort(codes, kind="stable")
    starts = np.flatnonzero(np.diff(codes[order], prepend=-1))
    ends = [*starts[1:], len(rows)]
    return [
        rows.take(pa.array(order[a:b])).combine_chunks() for a, b in zip(starts, ends, strict=True)
    ]


def cut(rows: pa.Table, file_rows: int) -> list[pa.Table]:
    """Files of about `file_rows` rows, all of one size."""
    count = max(1, round(len(rows) / file_rows))
    edges = [len(rows) * number // count for number in range(count + 1)]
    return [rows.slice(a, b - a) for a, b in pairwise(edges)]


def column_of(rows: pa.Table, name: str) -> pa.Array:
    """A column, or the leaf of a struct (`device.id`), as one array."""
    head, *rest = name.split(".")
    values = rows.column(head).combine_chunks()
    if isinstance(values, pa.ChunkedArray):
        values = pa.concat_arrays(values.chunks)
    for part in rest:
        values = pc.struct_field(values, part)
    return values.storage if isinstance(values, pa.ExtensionArray) else values


class _Catalog(NoopCatalog, MetastoreCatalog):
    """What PyIceberg needs to write a table: its catalogs keep tables in a database, which takes
    longer than most else of a commit."""

    def create(self, folder: str, schema: pa.Schema, properties: dict[str, str]) -> IcebergTable:
        """A table without rows, in a folder."""
        made = self._create_staged_table(("db", "t"), schema, folder, properties=properties)
        self._write_metadata(made.metadata, made.io, made.metadata_location)
        return IcebergTable(made.name(), made.metadata, made.metadata_location, made.io, self)

    def commit_table(
        self,
        table: IcebergTable,
        requirements: tuple[TableRequirement, ...],
        updates: tuple[TableUpdate, ...],
    ) -> CommitTableResponse:
        made = self._update_and_stage_table(table, table.name(), requirements, updates)
        self._write_metadata(made.metadata, made.io, made.metadata_location)
        return CommitTableResponse(
            metadata=made.metadata,
            metadata_location=made.metadata_location,  # type: ignore[call-arg]  # it has an alias
        )


def write(warehouse: str, layout: Layout) -> IcebergTable:
    """Makes the table `db.t` of a layout, in a folder. Its data files have the same names each
    time, as an audit draws files by their names."""
    table = _Catalog("lake").create(
        f"{warehouse}/db/t",
        next(layout.files).schema,
        {
            "format-version": str(layout.format_version),
            "write.parquet.compression-codec": "snappy",
            "write.manifest.compression-codec": "none",
            **layout.properties,
        },
    )
    _declare(table, layout.declared)
    for number, commit in enumerate(layout.commits):
        _widen(table, commit)
        _evolve(table, commit.partition)
        if commit.deletes:
            delete_first_rows(table, number)
        if commit.files:
            _append(table, commit, uuid.UUID(int=number))
    _evolve(table, layout.partition)
    if layout.properties_since:
        with table.transaction() as transaction:
            transaction.set_properties(dict(layout.properties_since))
    if layout.renamed:
        with table.update_schema() as update:
            for old, new in layout.renamed.items():
                update.rename_column(old, new)
    return table


def metadata_path(table: IcebergTable) -> str:
    """Where the current metadata file is."""
    return table.metadata_location


def _declare(table: IcebergTable, columns: Sequence[str]) -> None:
    if columns:
        with table.update_sort_order() as update:
            for column in columns:
                update.asc(column, IdentityTransform())


def _widen(table: IcebergTable, commit: Commit) -> None:
    """Adds the columns that the table lacks, and a commit's files have."""
    added = [
        name
        for file in commit.files[:1]
        for name in file.schema.names
        if name not in table.schema().column_names
    ]
    if added:
        with table.update_schema() as update:
            update.union_by_name(_iceberg_schema(commit.files[0].schema))


def _evolve(table: IcebergTable, partition: Sequence[str]) -> None:
    wanted = {
        (term.column, term.transform): field_name(term) for term in map(parse_term, partition)
    }
    schema = table.schema()
    present = {
        (schema.find_column_name(field.source_id), str(field.transform)): field.name
        for field in table.spec().fields
        if str(field.transform) != "void"
    }
    if wanted.keys() == present.keys():
        return
    with table.update_spec() as update:
        for key, name in present.items():
            if key not in wanted:
                update.remove_field(name)
        for (column, transform), name in wanted.items():
            if (column, transform) not in present:
                update.add_field(column, _transform(transform), name)


def field_name(term: Term) -> str:
    """The name of a partition field."""
    column = term.column.replace(".", "_")
    kind = re.sub(r"\W", "", term.transform)
    return column if kind == "identity" else f"{column}_{kind}"


def _transform(text: str) -> Transform[object, object]:
    return parse_transform(text)


def _append(table: IcebergTable, commit: Commit, write_id: uuid.UUID) -> None:
    schema = table.schema()
    unbounded = [schema.find_field(name).field_id for name in commit.unbounded]
    leaves = _bounded_leaves(schema, table.properties)
    with table.transaction() as transaction, transaction.update_snapshot().fast_append() as append:
        made = zip(commit.files, _data_files(table, commit.files, write_id), strict=True)
        for rows, data_file in made:
            _bound_leaves(data_file, rows, leaves)
            for field_id in unbounded:
                data_file.lower_bounds.pop(field_id, None)
                data_file.upper_bounds.pop(field_id, None)
            append.append_data_file(data_file)


def _data_files(
    table: IcebergTable, files: Sequence[pa.Table], write_id: uuid.UUID
) -> Iterator[DataFile]:
    """Writes files, of rows with one schema, as PyIceberg's `write_file` does, which finds out for
    each of them what is the same for all."""
    schema, spec, properties = table.schema(), table.spec(), table.properties
    rows = pa.concat_tables(files).combine_chunks()
    ends = np.cumsum([len(file) for file in files])
    written = writers._to_requested_schema(  # noqa: SLF001
        schema,
        schema,
        rows.to_batches()[0],
        include_field_ids=True,
        format_model=writers.ParquetFormatModel(),
    )
    options = writers._get_parquet_writer_kwargs(properties)  # noqa: SLF001
    row_group_rows = int(
        properties.get(
            TableProperties.PARQUET_ROW_GROUP_LIMIT,
            TableProperties.PARQUET_ROW_GROUP_LIMIT_DEFAULT,
        )
    )
    wanted = writers.compute_statistics_plan(schema, properties)
    field_ids = writers.parquet_path_to_id_mapping(schema)
    firsts = rows.take(pa.array([0, *ends[:-1]]))
    keys = _partition_keys(firsts, schema, spec)
    locations = table.location_provider()
    for number, (file, end, key) in enumerate(zip(files, ends, keys, strict=True)):
        name = f"00000-{number}-{write_id}.parquet"
        output = table.io.new_output(locations.new_data_location(name, key))
        with output.create() as stream:
            writer = pq.ParquetWriter(
                stream, written.schema, store_decimal_as_integer=True, **options
            )
            with writer:
                writer.write_batch(written.slice(end - len(file), len(file)), row_group_rows)
        statistics = writers.data_file_statistics_from_parquet_metadata(
            writer.writer.metadata, wanted, field_ids
        )
        yield DataFile.from_args(
            content=DataFileContent.DATA,
            file_path=output.location,
            file_format=FileFormat.PARQUET,
            partition=Record() if key is None else key.partition,
            file_size_in_bytes=len(output),
            sort_order_id=None,
            spec_id=spec.spec_id,
            equality_ids=None,
            key_metadata=None,
            **statistics.to_serialized_dict(),
        )


def _bounded_leaves(
    schema: Schema, properties: Mapping[str, str]
) -> list[tuple[int, str, PrimitiveType]]:
    """The leaves of structs that have bounds: their ids, names, and types."""
    leaves = []
    for field_id in schema.field_ids:
        name, kind = schema.find_column_name(field_id), schema.find_type(field_id)
        if name is None or "." not in name or not isinstance(kind, PrimitiveType):
            continue
        if properties.get(f"write.metadata.metrics.column.{name}") not in {"none", "counts"}:
            leaves.append((field_id, name, kind))
    return leaves


def _bound_leaves(
    data_file: DataFile, rows: pa.Table, leaves: Iterable[tuple[int, str, PrimitiveType]]
) -> None:
    """Adds the bounds of leaves of structs, which Iceberg's writers have, and PyIceberg's lacks."""
    for field_id, name, kind in leaves:
        ends = pc.min_max(column_of(rows, name)).as_py()
        lower, upper = (to_bytes(kind, ends[end]) for end in ("min", "max"))
        assert max(len(lower), len(upper)) <= 16, f"{name} is too long for a bound"
        data_file.lower_bounds[field_id] = lower
        data_file.upper_bounds[field_id] = upper


def _partition_keys(
    rows: pa.Table, schema: Schema, spec: PartitionSpec
) -> Sequence[PartitionKey | None]:
    """The partition of each row."""
    if spec.is_unpartitioned():
        return [None] * len(rows)
    values = [_partition_values(rows, schema, field) for field in spec.fields]
    return [
        PartitionKey([*map(PartitionFieldValue, spec.fields, of_row)], spec, schema)
        for of_row in zip(*values, strict=True)
    ]


def _partition_values(rows: pa.Table, schema: Schema, field: PartitionField) -> Sequence[object]:
    if str(field.transform) == "void":
        return [None] * len(rows)
    name = schema.find_column_name(field.source_id)
    assert name is not None
    values: list[object] = _transformed(rows, schema, Term(name, str(field.transform))).to_pylist()
    return values


def _transformed(rows: pa.Table, schema: Schema, term: Term) -> pa.Array:
    values = column_of(rows, term.column)
    if term.transform == "identity":
        return values
    source = schema.find_field(term.column).field_type
    made = _transform(term.transform).pyarrow_transform(source)(values)
    return pa.concat_arrays(made.chunks) if isinstance(made, pa.ChunkedArray) else made


def transformed(rows: pa.Table, term: Term) -> pa.Array:
    """The values of a column as a transform makes them."""
    return _transformed(rows, _iceberg_schema(rows.schema), term)


def _iceberg_schema(schema: pa.Schema) -> Schema:
    # There is no public way from Arrow's schema to the one that a catalog makes of it.
    return assign_fresh_schema_ids(Catalog._convert_schema_if_needed(schema))  # noqa: SLF001
