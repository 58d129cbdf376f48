"""The health of tables, without any query log."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from prunescope.audit_jobs.api import html
from prunescope.audit_jobs.api.documents import answer_of, arrow_of
from prunescope.audit_jobs.api.naming import CONFIG, Config, open_iceberg, path_of
from prunescope.audit_jobs.units import size

if TYPE_CHECKING:
    import pyarrow as pa
    from pyiceberg.table import Table as IcebergTable


@dataclass(frozen=True, slots=True)
class ColumnHealth:
    """The clustering of a table by one column of its sort order or partition spec: docs/columns.md
    has each attribute, as a column of the audit table `column_health`."""

    name: str
    field_id: int
    type: str
    bounded: float | None
    overlap: float | None
    depth: float | None
    common_bounds: float | None


@dataclass(frozen=True, slots=True)
class TableCondition:
    """Condition of a table by its metadata alone: docs/tables.md."""

    snapshots: int
    expirable: int
    metrics: str
    column_metrics: Mapping[str, str]
    metrics_columns: int | None
    sorted_by: tuple[str, ...]
    partitioned_by: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TableHealth:
    """The layout of a table's current snapshot: docs/columns.md has each attribute, as a column of
    the audit table `table_health`, and docs/tables.md the others. None is unknown, all numbers of
    a table without a snapshot, or with a `failure`."""

    catalog: str | None
    namespace: str
    table: str
    snapshot_id: int | None
    spec_id: int | None
    measured: float | None
    manifests: int | None
    manifest_bytes: int | None
    manifest_depth: float | None
    data_files: int | None
    records: int | None
    bytes: int | None
    target_file_bytes: int | None
    small_files: int | None
    position_delete_files: int | None
    equality_delete_files: int | None
    deletion_vectors: int | None
    partitions: int | None
    partition_files: float | None
    partition_bytes: float | None
    partition_fields: tuple[str, ...] | None
    sort_columns: tuple[str, ...] | None
    sequence_number: int | None
    added_since: int | None
    listed_since: int | None
    written_row_group_bytes: int | None
    written_bloom_filters: tuple[str, ...] | None
    deletes_of_one_file: int | None
    deletes_of_a_file: float | None
    files_by_spec: Mapping[str, int] | None
    columns: tuple[ColumnHealth, ...]
    condition: TableCondition | None
    needless_files: float | None
    failure: str | None

    @property
    def table_name(self) -> str:
        """`catalog.namespace.table`."""
        return ".".join(filter(None, (self.catalog, self.namespace, self.table)))


@dataclass(frozen=True, slots=True)
class Tables:
    """Tables, those with most needless files first; and why catalogs could not be listed."""

    tables: tuple[TableHealth, ...]
    unlisted: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[TableHealth]:
        return iter(self.tables)

    def __len__(self) -> int:
        return len(self.tables)

    def __getitem__(self, index: int) -> TableHealth:
        return self.tables[index]

    def to_arrow(self) -> pa.Table:
        """A row for each table. `files_by_spec`, `columns` and `condition` are text of JSON."""
        return arrow_of(TableHealth, self.tables)

    def _repr_html_(self) -> str:
        """The tables, for a notebook."""
        numbers = ("size", "files", "small files", "manifests", "needless files")
        rows = [
            (
                one.table_name,
                size(one.bytes),
                *map(_count, (one.data_files, one.small_files, one.manifests, one.needless_files)),
            )
            for one in self.tables
        ]
        failures = (f"{one.table_name}: {one.failure}" for one in self.tables if one.failure)
        notes = "".join(map(html.paragraph, (*failures, *self.unlisted)))
        return html.table(("table", *numbers), rows, numbers=numbers) + notes


def _count(number: float | None) -> str:
    return "unknown" if number is None else f"{number:,.0f}"


def tables(table: str | IcebergTable = "*", *, config: Config = CONFIG) -> Tables:
    """Measures tables by their metadata. Needs no query log.

    Args:
        table: A name, or a glob over `catalog.namespace.table`, by default all tables; or a table
            of PyIceberg.
        config: The path of the configuration, of which catalogs and tables are used.

    Raises:
        PrunescopeError: No table has such a name, or the catalogs cannot be listed. A table that
            cannot be read does not raise: its `failure` says why.
    """
    from prunescope.audit_jobs.config import load_tables_config
    from prunescope.audit_jobs.jobs.survey import Survey, survey, surveyed
    from prunescope.audit_jobs.views.table_json import table_document

    if isinstance(table, str):
        found = survey(load_tables_config(path_of(config)), table, lambda _stage: None)
    else:
        found = Survey([surveyed(open_iceberg(table), dt.datetime.now(dt.UTC))], ())
    return Tables(
        tuple(answer_of(TableHealth, table_document(one)) for one in found.tables),
        tuple(map(str, found.unlisted)),
    )
