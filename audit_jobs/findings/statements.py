"""Statements that change a table's layout, for Spark with Iceberg's SQL extensions and for Trino's
Iceberg connector. All names are quoted: which words need it differs by engine and version."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from collectors.observed import TableName
from collectors.partitioning import PartitionSpec

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
    "No statement is told: a name in it has a `;`, or a character that is not shown, at which a "
    "client may split it."
)


def splits(statement: str) -> bool:
    """Whether a client may take a statement for several: spark-sql splits what it is given at `;`
    within quotes as well, and shells at the ends of lines. Only names have such characters."""
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


def spark_properties(table: TableName, properties: Mapping[str, str]) -> str:
    """`ALTER TABLE … SET TBLPROPERTIES …`."""
    written = ", ".join(f"{_spark_text(k)} = {_spark_text(v)}" for k, v in properties.items())
    return f"ALTER TABLE {spark_table(table)} SET TBLPROPERTIES ({written})"


def spark_sort(
    table: TableName, columns: Sequence[str], rounded: str = "identity"
) -> tuple[str, ...]:
    """Sorts what will be written, then what is there, by values of the first column that are
    `rounded` by a transform."""
    order = spark_order(columns, rounded)
    return (
        f"ALTER TABLE {spark_table(table)} WRITE ORDERED BY {order}",
        _spark_rewrite_by(table, order, {"rewrite-all": "true"}),
    )


def spark_rewrite(
    table: TableName, *, sort: Sequence[str] = (), options: Mapping[str, str] | None = None
) -> str:
    """Rewrites all data files, sorted if columns are given."""
    options = {"rewrite-all": "true", **(options or {})}
    if not sort:
        return spark_call(table, "rewrite_data_files", options=options)
    return _spark_rewrite_by(table, spark_order(sort), options)


def has_curve(column: str, type_name: str) -> bool:
    """Whether Spark orders by a curve over a column: not by fields of structs, which its action
    does not find (Iceberg 1.11), nor by types that it refuses (of timestamps without a zone, 1.10
    and before)."""
    return "." not in column and (
        type_name.startswith("fixed")
        or type_name
        in {
            *("boolean", "int", "long", "float", "double", "date", "timestamptz", "string"),
            *("binary", "uuid"),
        }
    )


def spark_rewrite_by_zorder(table: TableName, columns: Sequence[str]) -> str:
    """Rewrites all data files, with rows in a Z-order by columns."""
    order = f"zorder({', '.join(map(spark_identifier, columns))})"
    return _spark_rewrite_by(table, order, {"rewrite-all": "true"})


def _spark_rewrite_by(table: TableName, order: str, options: Mapping[str, str]) -> str:
    return spark_call(
        table, "rewrite_data_files", strategy="sort", sort_order=order, options=options
    )


def is_rewrite(statement: str) -> bool:
    """Whether one of Spark's statements writes data files anew."""
    return ".rewrite_data_files(" in statement


def is_packing(statement: str) -> bool:
    """Whether one of Spark's statements writes data files anew, with rows in no order."""
    return is_rewrite(statement) and "strategy =>" not in statement


def in_order(statement: str, columns: Sequence[str]) -> str:
    """The same of one that is packing, with rows sorted by columns."""
    arguments = f"strategy => 'sort', sort_order => {_spark_text(spark_order(columns))}"
    return statement.replace(", options =>", f", {arguments}, options =>", 1)


def file_by_file(statement: str) -> str:
    """The same of one that is packing, with rows of each file in a file of their own: Iceberg plans
    groups of files by their size, of one file at least, and mixes those of a group alone."""
    return statement.replace("=> map(", "=> map('max-file-group-size-bytes', '1', ", 1)


def spark_order(columns: Sequence[str], rounded: str = "identity") -> str:
    """An order of rows, of a table and of `rewrite_data_files` alike: Spark marks the files that it
    rewrites as sorted only if both are the same. Values of the first column may be `rounded` by a
    transform. Nulls are where they are by default, in Spark as
    in Trino (Iceberg's SortOrderParser, Trino's SortFieldUtils): first."""
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
    """The same as an element of Trino's `partitioning` property."""
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


def trino_sort(table: TableName, columns: Sequence[str]) -> tuple[str, ...]:
    """Sorts what will be written, then what is there: files of any size are rewritten."""
    identifiers = [trino_identifier(column) for column in columns]
    return (_trino_property(table, "sorted_by", identifiers), trino_optimize(table))


def _trino_property(table: TableName, name: str, values: Sequence[str]) -> str:
    array = ", ".join(text(value) for value in values)
    return f"ALTER TABLE {trino_table(table)} SET PROPERTIES {name} = ARRAY[{array}]"


def trino_optimize(table: TableName, *, threshold: str | None = "100TB") -> str:
    """Rewrites data files smaller than a threshold (default: all). With None, Trino's own
    threshold of 100 MB counts."""
    option = "" if threshold is None else f"(file_size_threshold => {text(threshold)})"
    return f"ALTER TABLE {trino_table(table)} EXECUTE optimize{option}"


def trino_execute(table: TableName, procedure: str) -> str:
    """`ALTER TABLE … EXECUTE …`, without arguments."""
    return f"ALTER TABLE {trino_table(table)} EXECUTE {procedure}"


def trino_bloom_filter(table: TableName, column: str) -> tuple[str, ...]:
    """Bloom filters of Parquet files, in what will be written and in what is there; the list of
    columns replaces any that was set before."""
    return (trino_bloom_filters(table, [column]), trino_optimize(table))


def trino_bloom_filters(table: TableName, columns: Sequence[str]) -> str:
    """Bloom filters of Parquet files in what will be written, of these columns alone."""
    return _trino_property(table, "parquet_bloom_filter_columns", list(dict.fromkeys(columns)))
