"""The tables that Iceberg is asked about: every transform, format version, kind of evolution,
delete, statistic and file format that Spark SQL writes, and what only Iceberg's own library does.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tests.differential.iceberg_java.filters import Filter, ScanFilter
from tests.differential.iceberg_java.made_by_library import library_cases, with_equality_deletes

DDL = (
    "i INT, l BIGINT, f FLOAT, d DOUBLE, dec DECIMAL(9, 2), b BOOLEAN, s STRING, bin BINARY,"
    " dt DATE, ts TIMESTAMP, tsn TIMESTAMP_NTZ, st STRUCT<x: INT, y: STRING>"
)
NAMES = ("i", "l", "f", "d", "dec", "b", "s", "bin", "dt", "ts", "tsn", "st")
COLUMNS = (*NAMES, "st.x", "st.y")

PARTS = 4
"""The view `rows` has so many parts, which are not written together."""
MANY = "many"
"""The view of rows for files of several row groups."""


@dataclass(frozen=True)
class TableCase:
    """A table: `columns` that filters compare, Spark `statements` and then `commands` for the
    library that make it."""

    name: str
    columns: tuple[str, ...]
    statements: tuple[str, ...] = ()
    commands: tuple[dict[str, Any], ...] = ()

    @property
    def scans(self) -> tuple[ScanFilter, ...]:
        """Filters that each show a known difference, which random ones do rarely."""
        return _SCANS.get(self.name, ())


def _transformed(kind: str, transform: str, column: str) -> Filter:
    return {"type": kind, "term": {"type": "transform", "transform": transform, "term": column}}


def _compared(kind: str, column: str, value: Any) -> Filter:
    return {"type": kind, "term": column, "value": value}


_OR_OF_A_BUCKET = {
    "type": "or",
    "left": {**_transformed("eq", "bucket[3]", "l"), "value": 1},
    "right": _compared("lt", "tsn", "1970-01-01T00:00:00"),
}
_FLOATS_NOT_IN = {
    "type": "and",
    "left": {"type": "not-in", "term": "f", "values": [2.5, 1.0, 0.5]},
    "right": _compared("lt-eq", "st.y", "qq"),
}
_ZEROS_NOT_IN = {"type": "not-in", "term": "d", "values": [0.0, -0.0, 0.1]}
_SCANS = {
    name: tuple(ScanFilter(filter_, typed=typed) for filter_ in filters)
    for name, typed, *filters in (
        ("several", True, _OR_OF_A_BUCKET, _transformed("is-null", "bucket[4]", "i")),
        ("hour_tsn", True, _compared("not-starts-with", "s", "")),
        (
            "rare_by_truncate_of_big_dec",
            True,
            _compared("gt", "big_dec", "9999999999999999999999999999.9999999999"),
        ),
        ("identity_b", True, _compared("lt", "f", 0.0)),
        ("identity_f", False, _compared("gt-eq", "f", 1e300)),
        ("identity_l", False, _compared("gt", "f", -1e300)),
        ("metrics_counts_by_day", False, _compared("lt-eq", "dec", "-123456789.01")),
        (
            "rare_by_identity_of_u",
            True,
            _compared("lt", "u", "00000000-0000-0000-0000-000000000000"),
        ),
        ("position_deletes_identity_i", True, _transformed("not-null", "bucket[4]", "i")),
        ("smallest_by_truncate_of_small_i", True, _compared("eq", "small_i", -(2**31))),
        ("files_of_orc", True, {"type": "is-null", "term": "st"}),
        ("uncounted", True, _compared("not-eq", "d", 1.0)),
        ("defaults", True, {"type": "not-null", "term": "later"}),
        ("identity_s", True, _compared("not-starts-with", "st.y", "qq"), _ZEROS_NOT_IN),
        ("vectors_identity_i", True, _FLOATS_NOT_IN),
    )
}


SOME = frozenset({
    "plain", "empty", "identity_i", "identity_l", "identity_s", "identity_dt", "identity_b",
    "identity_f", "bucket_l", "bucket_bin", "bucket_dec", "truncate_i", "truncate_s",
    "truncate_dec", "truncate_bin", "month_ts", "day_ts", "hour_tsn", "year_dt", "several",
    "nested", "v1_bucket_l", "v3_day_ts", "metrics_none", "metrics_counts_by_day",
    "metrics_truncate3", "metrics_of_some_columns", "files_of_orc", "files_of_avro",
    "copy_on_write_plain", "position_deletes_identity_i", "vectors_identity_i",
    "deletes_per_partition", "upgraded_with_deletes", "everything_deleted", "overwritten",
    "specs_evolve", "field_dropped_v1", "schema_evolves", "types_promoted", "manifests_rewritten",
    "files_rewritten", "row_groups", "row_groups_bloom_no_dictionaries",
    "row_groups_bloom_small_dictionaries", "row_groups_by_truncate", "row_groups_evolve",
    "rare_by_identity_of_u", "rare_by_bucket_of_fx", "rare_by_identity_of_fx",
    "rare_by_truncate_of_big_dec",
    "nanos_by_hour_of_tns", "nanos_by_identity_of_tns", "smallest_by_truncate_of_small_i",
    "rare", "required", "nested_required", "void", "defaults", "uncounted",
    "equality_deletes_plain_v3", "equality_deletes_by_truncate_v2",
})  # fmt: skip
"""Tables that show each kind once: the others pair the same kinds in other ways."""


def table_cases() -> list[TableCase]:
    """Every table."""
    return [
        *_partitioned(),
        *_measured(),
        *_changed(),
        *_evolved(),
        *_rewritten(),
        *_in_row_groups(),
        *(TableCase(name, columns, commands=made) for name, columns, made in library_cases()),
        *(
            _table(name, clause, version=version, commands=commands)
            for name, clause, version, commands in with_equality_deletes()
        ),
    ]


def _table(
    name: str,
    partitioning: str = "",
    *,
    version: int = 2,
    properties: dict[str, str] | None = None,
    steps: tuple[str, ...] = ("0", "1", "2", "3"),
    commands: tuple[dict[str, Any], ...] = (),
) -> TableCase:
    """A table of Spark. Steps are SQL in which `{t}` is its name, or a part of the rows to
    insert, and what to order it by."""
    listed = ", ".join(
        f"'{key}' = '{value}'"
        for key, value in {"format-version": str(version), **(properties or {})}.items()
    )
    clause = f" PARTITIONED BY ({partitioning})" if partitioning else ""
    table = f"lake.db.{name}"
    return TableCase(
        name,
        COLUMNS,
        (
            f"CREATE TABLE {table} ({DDL}) USING iceberg{clause} TBLPROPERTIES ({listed})",
            *(_statement(table, step) for step in steps),
        ),
        commands,
    )


def _statement(table: str, step: str) -> str:
    source, _, order = step.partition(" ")
    if not source.isdigit() and source != MANY:
        return step.format(t=table)
    columns = ", ".join(NAMES)
    rows = MANY if source == MANY else f"rows WHERE part = {source}"
    suffix = f" ORDER BY {order}" if order else ""
    return f"INSERT INTO {table} ({columns}) SELECT {columns} FROM {rows}{suffix}"


_BUCKETED = ("i", "l", "s", "bin", "dt", "ts", "dec")
PARTITIONINGS = {
    **{f"identity_{name}": name for name in (*_BUCKETED, "b", "f", "d")},
    **{f"bucket_{name}": f"bucket(4, {name})" for name in _BUCKETED},
    "truncate_i": "truncate(10, i)",
    "truncate_l": "truncate(20, l)",
    "truncate_s": "truncate(2, s)",
    "truncate_dec": "truncate(100, dec)",
    "truncate_bin": "truncate(1, bin)",
    **{f"{unit}_ts": f"{unit}s(ts)" for unit in ("year", "month", "day", "hour")},
    **{f"{unit}_tsn": f"{unit}s(tsn)" for unit in ("year", "day", "hour")},
    **{f"{unit}_dt": f"{unit}s(dt)" for unit in ("year", "month", "day")},
    "several": "days(ts), bucket(3, l), truncate(1, s)",
    "nested": "st.x",
}  # fmt: skip

_MERGE_ON_READ = {
    f"write.{command}.mode": "merge-on-read" for command in ("delete", "update", "merge")
}
_DELETES = (
    "0",
    "1",
    "DELETE FROM {t} WHERE i = 10 OR s = 'ab'",
    "2",
    "UPDATE {t} SET d = 7.5 WHERE l > 19",
    "DELETE FROM {t} WHERE dt < DATE '1970-01-01'",
)
_METRICS = "write.metadata.metrics.default"


def _partitioned() -> Iterator[TableCase]:
    yield _table("plain")
    yield _table("sorted", steps=tuple(f"{part} i, s" for part in range(PARTS)))
    yield _table("empty", steps=())
    for name, partitioning in PARTITIONINGS.items():
        yield _table(name, partitioning)
    for version in (1, 3):
        for name in ("identity_s", "bucket_l", "truncate_s", "day_ts", "year_dt"):
            yield _table(f"v{version}_{name}", PARTITIONINGS[name], version=version)


def _measured() -> Iterator[TableCase]:
    for mode in ("none", "counts", "truncate(3)", "full"):
        name = mode.replace("(", "").rstrip(")")
        yield _table(f"metrics_{name}", properties={_METRICS: mode})
        yield _table(f"metrics_{name}_by_day", "days(ts)", properties={_METRICS: mode})
    yield _table(
        "metrics_of_some_columns",
        properties={_METRICS: "none", "write.metadata.metrics.column.l": "full"},
    )
    for file_format in ("orc", "avro"):
        yield _table(
            f"files_of_{file_format}",
            "truncate(1, s)",
            properties={"write.format.default": file_format},
        )


def _changed() -> Iterator[TableCase]:
    for partitioning in ("", "identity_i", "day_ts"):
        clause = PARTITIONINGS.get(partitioning, "")
        suffix = partitioning or "plain"
        yield _table(f"copy_on_write_{suffix}", clause, steps=_DELETES)
        yield _table(
            f"position_deletes_{suffix}", clause, properties=_MERGE_ON_READ, steps=_DELETES
        )
        yield _table(
            f"vectors_{suffix}", clause, version=3, properties=_MERGE_ON_READ, steps=_DELETES
        )
    yield _table(
        "deletes_per_partition",
        "truncate(10, i)",
        properties={**_MERGE_ON_READ, "write.delete.granularity": "partition"},
        steps=_DELETES,
    )
    yield _table(
        "upgraded_with_deletes",
        "days(ts)",
        properties=_MERGE_ON_READ,
        steps=(
            *_DELETES,
            "ALTER TABLE {t} SET TBLPROPERTIES ('format-version' = '3')",
            "3",
            "DELETE FROM {t} WHERE l = 7",
        ),
    )
    yield _table("everything_deleted", "i", steps=("0", "DELETE FROM {t} WHERE TRUE", "1"))
    yield _table(
        "overwritten",
        "s",
        steps=("0", "1", "DELETE FROM {t} WHERE s = 'a'", "INSERT OVERWRITE {t} SELECT * FROM {t}"),
    )


def _evolved() -> Iterator[TableCase]:
    yield _table(
        "specs_evolve",
        steps=(
            "0",
            "ALTER TABLE {t} ADD PARTITION FIELD days(ts)",
            "1",
            "ALTER TABLE {t} REPLACE PARTITION FIELD days(ts) WITH months(ts)",
            "2",
            "ALTER TABLE {t} ADD PARTITION FIELD bucket(4, l)",
            "3",
        ),
    )
    for version in (1, 2):
        yield _table(
            f"field_dropped_v{version}",
            "i, days(ts)",
            version=version,
            steps=("0", "1", "ALTER TABLE {t} DROP PARTITION FIELD i", "2", "3"),
        )
    yield _table(
        "schema_evolves",
        "truncate(10, i)",
        steps=(
            "0",
            "ALTER TABLE {t} RENAME COLUMN s TO old_s",
            "ALTER TABLE {t} ADD COLUMN s STRING",
            "1",
            "ALTER TABLE {t} DROP COLUMN b",
            "ALTER TABLE {t} ADD COLUMN b BOOLEAN",
            "2",
        ),
    )
    yield _table(
        "types_promoted",
        "i, f",
        steps=(
            "0",
            "ALTER TABLE {t} ALTER COLUMN i TYPE BIGINT",
            "ALTER TABLE {t} ALTER COLUMN f TYPE DOUBLE",
            "ALTER TABLE {t} ALTER COLUMN dec TYPE DECIMAL(18, 2)",
            "1",
            "2",
        ),
    )


def _rewritten() -> Iterator[TableCase]:
    yield _table(
        "manifests_rewritten",
        "days(ts)",
        steps=("0", "1", "2", "3", "CALL lake.system.rewrite_manifests('{t}')"),
    )
    yield _table(
        "files_rewritten",
        "bucket(4, l)",
        properties=_MERGE_ON_READ,
        steps=(
            *_DELETES,
            "CALL lake.system.rewrite_data_files('{t}', options => map('rewrite-all', 'true'))",
            "3",
        ),
    )


_SMALL_ROW_GROUPS = {
    "write.parquet.row-group-size-bytes": "4096",
    "write.parquet.row-group-check-min-record-count": "10",
    "write.parquet.row-group-check-max-record-count": "10",
    "write.distribution-mode": "none",
}
_BLOOM_FILTERS = {
    # Each open file holds filters of this size, and there is one file per partition.
    "write.parquet.bloom-filter-max-bytes": "1024",
    **{
        f"write.parquet.bloom-filter-enabled.column.{column}": "true"
        for column in ("i", "l", "f", "d", "dec", "s", "bin", "dt", "ts", "tsn", "st.x", "st.y")
    },
}
_NO_DICTIONARIES = {"parquet.enable.dictionary": "false"}
# Chunks fall back to plain pages.
_SMALL_DICTIONARIES = {"write.parquet.dict-size-bytes": "128"}


def _in_row_groups() -> Iterator[TableCase]:
    kinds = {
        "": {},
        "_bloom": _BLOOM_FILTERS,
        "_no_dictionaries": _NO_DICTIONARIES,
        "_bloom_no_dictionaries": _BLOOM_FILTERS | _NO_DICTIONARIES,
        "_bloom_small_dictionaries": _BLOOM_FILTERS | _SMALL_DICTIONARIES,
    }
    for suffix, properties in kinds.items():
        yield _table(
            f"row_groups{suffix}",
            properties=_SMALL_ROW_GROUPS | properties,
            steps=("0", f"{MANY} i", f"{MANY}"),
        )
    yield _table(
        "row_groups_by_truncate",
        "truncate(100, i)",
        properties=_SMALL_ROW_GROUPS | _BLOOM_FILTERS,
        steps=(f"{MANY} l", "1"),
    )
    yield _table(
        "row_groups_by_day",
        "days(ts), bucket(2, s)",
        properties=_SMALL_ROW_GROUPS | _BLOOM_FILTERS | _NO_DICTIONARIES,
        steps=(f"{MANY} l",),
    )
    yield _table(
        "row_groups_evolve",
        properties=_SMALL_ROW_GROUPS | _BLOOM_FILTERS,
        steps=(
            f"{MANY} i",
            "ALTER TABLE {t} ALTER COLUMN i TYPE BIGINT",
            "ALTER TABLE {t} ALTER COLUMN f TYPE DOUBLE",
            "ALTER TABLE {t} ALTER COLUMN dec TYPE DECIMAL(18, 2)",
            "ALTER TABLE {t} RENAME COLUMN s TO old_s",
            "ALTER TABLE {t} ADD COLUMN s STRING",
            f"{MANY}",
        ),
    )
