"""Statements that change a table's layout, for Spark with Iceberg's SQL extensions and for Trino's
Iceberg connector. All names are quoted: which words need it differs by engine and version."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from prunescope.audit_jobs.findings.model import Times
from prunescope.collectors.observed import TableName
from prunescope.collectors.partitioning import PartitionSpec

_SPARK_TRANSFORMS = {"year": "years", "month": "months", "day": "days", "hour": "hours"}


def spark_identifier(path: str) -> str:
    """A column by its dotted name."""
    return ".".join(spark_part(part) for part in path.split("."))


def spark_part(part: str) -> str:
    """One part of a name in Spark's SQL."""
    return "`" + part.replace("`", "``") + "`"


def trino_identifier(path: str) -> str:
    """A column by its dotted name, as the table properties have it: a field of a struct is one
    identifier with dots (Trino's PartitionFields). Older Trinos refuse names in upper case there
    (trinodb/trino#12668)."""
    return trino_part(path)


def trino_part(part: str) -> str:
    """One part of a name in Trino's SQL."""
    return '"' + part.replace('"', '""') + '"'


def text(value: str) -> str:
    """A string literal of Trino's SQL, and of Spark's where it has no backslash."""
    return "'" + value.replace("'", "''") + "'"


def _spark_text(value: str) -> str:
    return "'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'"


SPLIT = (
    "No SQL shown: a name contains `;` or an invisible character, and clients could split the "
    "statement there."
)


def splits(statement: str) -> bool:
    """True if a client may split a statement: spark-sql does at `;`, within quotes as well, and
    shells at the ends of lines. Only names have such characters."""
    return ";" in statement or not statement.isprintable()


def spark_table(table: TableName) -> str:
    """The table, as statements name it."""
    named = table.named_in("spark")
    parts = [*([named.catalog] if named.catalog else []), *named.namespace, named.table]
    return ".".join(spark_part(part) for part in parts)


def trino_table(table: TableName) -> str:
    """The table, as statements name it. Trino takes a nested namespace as one name with dots."""
    named = table.named_in("trino")
    parts = [*([named.catalog] if named.catalog else []), ".".join(named.namespace), named.table]
    return ".".join(trino_part(part) for part in parts)


_Argument = str | Mapping[str, str] | Sequence[str]


def spark_call(table: TableName, procedure: str, **arguments: _Argument) -> str:
    """`CALL catalog.system.procedure(table => …, …)`; a mapping becomes a map of texts, a sequence
    an array of them."""
    named = table.named_in("spark").catalog
    catalog = f"{spark_part(named)}." if named else ""
    # With its catalog: else Spark first takes the namespace for one, and logs a stack trace.
    given = {"table": _spark_text(spark_table(table))} | {
        name: _spark_argument(value) for name, value in arguments.items()
    }
    written = ", ".join(f"{name} => {value}" for name, value in given.items())
    return f"CALL {catalog}system.{procedure}({written})"


def _spark_argument(value: _Argument) -> str:
    if isinstance(value, str):
        return _spark_text(value)
    if isinstance(value, Mapping):
        return _spark_map(value)
    return f"array({', '.join(map(_spark_text, value))})"


def _spark_map(options: Mapping[str, str]) -> str:
    return "map(" + ", ".join(_spark_text(part) for item in options.items() for part in item) + ")"


def spark_times(times: Times) -> str:
    """A condition on files for `rewrite_data_files`, as its `where` takes it."""
    keyword = "TIMESTAMP_NTZ" if times.type == "timestamp" else "TIMESTAMP"
    return _condition(times, spark_identifier(times.column), keyword)


def trino_times(times: Times) -> str:
    """Condition on times for Trino's `optimize`."""
    return _condition(times, trino_identifier(times.column), "TIMESTAMP")


def _condition(times: Times, column: str, keyword: str) -> str:
    """Instants are in UTC, in which partitions are, whatever the session's time zone."""
    keyword = "DATE" if times.type == "date" else keyword
    zone = " UTC" if times.type == "timestamptz" else ""
    ends = ((">=", times.start), ("<", times.until))
    return " AND ".join(
        f"{column} {sign} {keyword} '{moment(times.type, end)}{zone}'"
        for sign, end in ends
        if end is not None
    )


def moment(type_name: str, value: int) -> str:
    """A date, or a time of microseconds at a full second, as SQL writes it."""
    if type_name == "date":
        return str(np.datetime64(value, "D"))
    return str(np.datetime64(value // 1_000_000, "s")).replace("T", " ")


def spark_properties(table: TableName, properties: Mapping[str, str]) -> str:
    """`ALTER TABLE … SET TBLPROPERTIES …`."""
    written = ", ".join(f"{_spark_text(k)} = {_spark_text(v)}" for k, v in properties.items())
    return f"ALTER TABLE {spark_table(table)} SET TBLPROPERTIES ({written})"


def spark_write_order(table: TableName, columns: Sequence[str], rounded: str = "identity") -> str:
    """`ALTER TABLE … WRITE ORDERED BY …`: for what will be written."""
    return f"ALTER TABLE {spark_table(table)} WRITE ORDERED BY {spark_order(columns, rounded)}"


def has_curve(column: str, type_name: str) -> bool:
    """True if Spark can order by a curve over a column. It cannot by fields of structs, which its
    action does not find (Iceberg 1.11), nor by types that it refuses (timestamps without a zone in
    1.10 and before)."""
    return "." not in column and (
        type_name.startswith("fixed")
        or type_name
        in {
            *("boolean", "int", "long", "float", "double", "date", "timestamptz", "string"),
            *("binary", "uuid"),
        }
    )


def spark_order(
    columns: Sequence[str], rounded: str = "identity", *, is_zorder: bool = False
) -> str:
    """An order of rows, of a table and of `rewrite_data_files` alike: Spark marks the files that it
    rewrites as sorted only if both are the same. Values of the first column may be `rounded` by a
    transform. Nulls are where they are by default, in Spark as in Trino (Iceberg's SortOrderParser,
    Trino's SortFieldUtils): first."""
    if is_zorder:
        return f"zorder({', '.join(map(spark_identifier, columns))})"
    first, *others = columns
    return ", ".join([spark_transform(rounded, first), *map(spark_identifier, others)])


def spark_transform(transform: str, column: str) -> str:
    """A partition transform: `days(ts)`, `bucket(16, id)`, `truncate(4, s)`, or the column."""
    name, _, width = transform.rstrip("]").partition("[")
    identifier = spark_identifier(column)
    if name == "identity":
        return identifier
    if width:
        return f"{name}({width}, {identifier})"
    return f"{_SPARK_TRANSFORMS.get(name, name)}({identifier})"


def spark_add_field(table: TableName, transform: str, column: str) -> str:
    """`ALTER TABLE … ADD PARTITION FIELD …`: for what will be written."""
    field = spark_transform(transform, column)
    return f"ALTER TABLE {spark_table(table)} ADD PARTITION FIELD {field}"


def spark_drop_field(table: TableName, transform: str, column: str) -> str:
    """`ALTER TABLE … DROP PARTITION FIELD …`: for what will be written."""
    field = spark_transform(transform, column)
    return f"ALTER TABLE {spark_table(table)} DROP PARTITION FIELD {field}"


def spark_replace_field(table: TableName, old: tuple[str, str], new: tuple[str, str]) -> str:
    """`ALTER TABLE … REPLACE PARTITION FIELD … WITH …`, both by transform and column: for what
    will be written."""
    return (
        f"ALTER TABLE {spark_table(table)} REPLACE PARTITION FIELD "
        f"{spark_transform(*old)} WITH {spark_transform(*new)}"
    )


def trino_transform(transform: str, column: str) -> str:
    """Element of Trino's `partitioning` property for a partition transform."""
    name, _, width = transform.rstrip("]").partition("[")
    identifier = trino_identifier(column)
    if name == "identity":
        return identifier
    return f"{name}({identifier}, {width})" if width else f"{name}({identifier})"


def trino_partitioning(
    table: TableName,
    spec: PartitionSpec,
    names: Mapping[int, str],
    *,
    without: Sequence[int] = (),
    add: Sequence[tuple[str, str]] = (),
) -> str:
    """Sets the partitioning: the fields of `spec` (void ones, and those of ids `without`, left
    out; `names` are columns by field id) and (transform, column) pairs in addition."""
    kept = [
        trino_transform(field.transform, names[field.source_id])
        for field in spec.fields
        if field.field_id not in without and field.transform != "void" and field.source_id in names
    ]
    added = [trino_transform(transform, column) for transform, column in add]
    return _trino_property(table, "partitioning", [*kept, *added])


def trino_sorted_by(table: TableName, columns: Sequence[str]) -> str:
    """The columns by which rows of each file that will be written are sorted."""
    return _trino_property(table, "sorted_by", list(map(trino_identifier, columns)))


def _trino_property(table: TableName, name: str, values: Sequence[str]) -> str:
    array = ", ".join(text(value) for value in values)
    return f"ALTER TABLE {trino_table(table)} SET PROPERTIES {name} = ARRAY[{array}]"


def trino_optimize(
    table: TableName, where: Times | None = None, *, threshold: str | None = "100TB"
) -> str:
    """Rewrites data files smaller than a threshold (default: all), of some times. With None,
    Trino's own threshold of 100 MB counts."""
    option = "" if threshold is None else f"(file_size_threshold => {text(threshold)})"
    condition = "" if where is None else f" WHERE {trino_times(where)}"
    return f"ALTER TABLE {trino_table(table)} EXECUTE optimize{option}{condition}"


def trino_execute(table: TableName, procedure: str) -> str:
    """`ALTER TABLE … EXECUTE …`, without arguments."""
    return f"ALTER TABLE {trino_table(table)} EXECUTE {procedure}"


def trino_bloom_filters(table: TableName, columns: Sequence[str]) -> str:
    """Bloom filters of Parquet files in what will be written, of these columns alone."""
    return _trino_property(table, "parquet_bloom_filter_columns", list(dict.fromkeys(columns)))
