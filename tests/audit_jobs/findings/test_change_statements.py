"""The statements that make a change: written out by hand for each kind, and what holds for all."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prunescope.audit_jobs.findings.change_statements import spark_statements, trino_statements
from prunescope.audit_jobs.findings.model import KEPT, Change, Field, Files, Times
from tests.audit_jobs.findings.usages import AT, NAME, TABLE, TS, Night

# A table by months of one time, and by names.
USAGE = Night((), spec=[(AT, "month"), (NAME, "identity")]).usage

SPARK = "ALTER TABLE `lake`.`db`.`t`"
TRINO = 'ALTER TABLE "lake"."db"."t"'
REWRITE = "CALL `lake`.system.rewrite_data_files(table => '`lake`.`db`.`t`'"
REWRITE_ALL = f"{REWRITE}, options => map('rewrite-all', 'true'))"
REWRITE_DELETED = (
    f"{REWRITE}, options => map('delete-file-threshold', '1', 'remove-dangling-deletes', 'true'))"
)
REWRITE_POSITIONS = (
    "CALL `lake`.system.rewrite_position_delete_files(table => '`lake`.`db`.`t`', "
    "options => map('rewrite-all', 'true'))"
)
REWRITE_MANIFESTS = "CALL `lake`.system.rewrite_manifests(table => '`lake`.`db`.`t`')"
OPTIMIZE = f"{TRINO} EXECUTE optimize(file_size_threshold => '100TB')"
OPTIMIZE_SMALL = f"{TRINO} EXECUTE optimize"
MONTHS: Field = ("month", AT.name)


def rewrite_by(order: str, options: str = "'rewrite-all', 'true'") -> str:
    """A rewrite by Spark that sorts."""
    return f"{REWRITE}, strategy => 'sort', sort_order => '{order}', options => map({options}))"


def set_in_spark(*properties: str) -> str:
    """Properties of a table."""
    return f"{SPARK} SET TBLPROPERTIES ({', '.join(properties)})"


def set_in_trino(name: str, *values: str) -> str:
    """A property of Trino that is a list."""
    return f"{TRINO} SET PROPERTIES {name} = ARRAY[{', '.join(values)}]"


@dataclass(frozen=True, slots=True)
class Row:
    """A change, and what either engine runs."""

    change: Change
    spark: tuple[str, ...]
    trino: tuple[str, ...]


DAY_OF_DATES, DAY_OF_MICROS = 20_513, 20_513 * 86_400_000_000


def of_times(column: str, kind: str, start: int | None, until: int | None = None) -> Change:
    """A sort by ids of part of the table."""
    return Change(order=("id",), files=Files.ALL, where=Times(column, kind, start, until))


def of_part(spark: str, trino: str | None) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Returns what either engine runs for it."""
    rewrite = (
        f"{REWRITE}, strategy => 'sort', sort_order => '`id`', where => '{spark}', "
        "options => map('rewrite-all', 'true'))"
    )
    in_trino = (set_in_trino("sorted_by", "'\"id\"'"), f"{OPTIMIZE} WHERE {trino}")
    return (f"{SPARK} WRITE ORDERED BY `id`", rewrite), () if trino is None else in_trino


ROWS = {
    "an order of the newest instants": Row(
        of_times("at", "timestamptz", DAY_OF_MICROS),
        *of_part(
            r"`at` >= TIMESTAMP \'2026-03-01 00:00:00 UTC\'",
            """"at" >= TIMESTAMP '2026-03-01 00:00:00 UTC'""",
        ),
    ),
    "an order of times without a zone, up to an hour": Row(
        of_times("ts", "timestamp", None, DAY_OF_MICROS + 3_600_000_000),
        *of_part(
            r"`ts` < TIMESTAMP_NTZ \'2026-03-01 01:00:00\'",
            """"ts" < TIMESTAMP '2026-03-01 01:00:00'""",
        ),
    ),
    "an order of two dates": Row(
        of_times("d`s\\day", "date", DAY_OF_DATES, DAY_OF_DATES + 2),
        *of_part(
            r"`d``s\\day` >= DATE \'2026-03-01\' AND `d``s\\day` < DATE \'2026-03-03\'",
            """"d`s\\day" >= DATE '2026-03-01' AND "d`s\\day" < DATE '2026-03-03'""",
        ),
    ),
    "an order of times in a struct": Row(
        of_times("event.day", "date", DAY_OF_DATES),
        *of_part(r"`event`.`day` >= DATE \'2026-03-01\'", None),
    ),
    "a field comes": Row(
        Change(added=(("day", "ts"),), files=Files.ALL),
        (f"{SPARK} ADD PARTITION FIELD days(`ts`)", REWRITE_ALL),
        (set_in_trino("partitioning", "'month(\"at\")'", "'\"name\"'", "'day(\"ts\")'"), OPTIMIZE),
    ),
    "a field goes": Row(
        Change(dropped=(("identity", "name"),), files=Files.ALL),
        (f"{SPARK} DROP PARTITION FIELD `name`", REWRITE_ALL),
        (set_in_trino("partitioning", "'month(\"at\")'"), OPTIMIZE),
    ),
    "a field of the same column comes instead": Row(
        Change(added=(("day", "at"),), dropped=(MONTHS,), files=Files.ALL),
        (f"{SPARK} REPLACE PARTITION FIELD months(`at`) WITH days(`at`)", REWRITE_ALL),
        (set_in_trino("partitioning", "'\"name\"'", "'day(\"at\")'"), OPTIMIZE),
    ),
    "a field of the same kind comes instead": Row(
        Change(added=(("month", "ts"),), dropped=(MONTHS,), files=Files.ALL),
        (f"{SPARK} REPLACE PARTITION FIELD months(`at`) WITH months(`ts`)", REWRITE_ALL),
        (set_in_trino("partitioning", "'\"name\"'", "'month(\"ts\")'"), OPTIMIZE),
    ),
    "a field of another kind comes, and one goes": Row(
        Change(added=(("bucket[8]", "id"),), dropped=(MONTHS,), files=Files.ALL),
        (
            f"{SPARK} ADD PARTITION FIELD bucket(8, `id`)",
            f"{SPARK} DROP PARTITION FIELD months(`at`)",
            REWRITE_ALL,
        ),
        (set_in_trino("partitioning", "'\"name\"'", "'bucket(\"id\", 8)'"), OPTIMIZE),
    ),
    "one comes for two": Row(
        Change(added=(("day", "at"),), dropped=(MONTHS, ("identity", "name")), files=Files.ALL),
        (
            f"{SPARK} ADD PARTITION FIELD days(`at`)",
            f"{SPARK} DROP PARTITION FIELD months(`at`)",
            f"{SPARK} DROP PARTITION FIELD `name`",
            REWRITE_ALL,
        ),
        (set_in_trino("partitioning", "'day(\"at\")'"), OPTIMIZE),
    ),
    "all fields go": Row(
        Change(dropped=(MONTHS, ("identity", "name"))),
        (
            f"{SPARK} DROP PARTITION FIELD months(`at`)",
            f"{SPARK} DROP PARTITION FIELD `name`",
        ),
        (set_in_trino("partitioning"),),
    ),
    "other partitions, sorted": Row(
        Change(dropped=(MONTHS,), order=("id",), files=Files.ALL),
        (
            f"{SPARK} DROP PARTITION FIELD months(`at`)",
            f"{SPARK} WRITE ORDERED BY `id`",
            rewrite_by("`id`"),
        ),
        (
            set_in_trino("partitioning", "'\"name\"'"),
            set_in_trino("sorted_by", "'\"id\"'"),
            OPTIMIZE,
        ),
    ),
    "sorted": Row(
        Change(order=("id", "ts"), files=Files.ALL),
        (f"{SPARK} WRITE ORDERED BY `id`, `ts`", rewrite_by("`id`, `ts`")),
        (set_in_trino("sorted_by", "'\"id\"'", "'\"ts\"'"), OPTIMIZE),
    ),
    "in ranges": Row(
        Change(order=("id", "ts"), rounded="truncate[1000]", files=Files.ALL),
        (
            f"{SPARK} WRITE ORDERED BY truncate(1000, `id`), `ts`",
            rewrite_by("truncate(1000, `id`), `ts`"),
        ),
        (),
    ),
    "in ranges of time": Row(
        Change(order=("ts", "id"), rounded="day", files=Files.ALL),
        (f"{SPARK} WRITE ORDERED BY days(`ts`), `id`", rewrite_by("days(`ts`), `id`")),
        (),
    ),
    "in a Z-order": Row(
        Change(order=("id", "name"), is_zorder=True, files=Files.ALL),
        (rewrite_by("zorder(`id`, `name`)"),),
        (),
    ),
    "an order is kept": Row(
        Change(rewrites=True, keeps=("id", "ts"), files=Files.ALL),
        (rewrite_by("`id`, `ts`"),),
        (),
    ),
    "an order is kept in other partitions": Row(
        Change(dropped=(MONTHS,), keeps=("id",), files=Files.ALL),
        (f"{SPARK} DROP PARTITION FIELD months(`at`)", rewrite_by("`id`")),
        (),
    ),
    "small files": Row(
        Change(files=Files.SMALL),
        (f"{REWRITE}, options => map('min-input-files', '2'))",),
        (OPTIMIZE_SMALL,),
    ),
    "small files, whose order is kept": Row(
        Change(files=Files.SMALL, keeps=("id",)),
        (rewrite_by("`id`", "'min-input-files', '2'"),),
        (),
    ),
    "each file by itself": Row(
        Change(files=Files.ALL, file_by_file=True),
        (f"{REWRITE}, options => map('max-file-group-size-bytes', '1', 'rewrite-all', 'true'))",),
        (),
    ),
    "deletes by position": Row(
        Change(files=Files.DELETED, position_deletes=True),
        (
            REWRITE_DELETED,
            REWRITE_POSITIONS,
        ),
        (OPTIMIZE,),
    ),
    "deletes of both kinds": Row(
        Change(files=Files.DELETED, manifests=True, position_deletes=True),
        (
            REWRITE_MANIFESTS,
            REWRITE_DELETED,
            REWRITE_POSITIONS,
        ),
        (OPTIMIZE,),
    ),
    "manifests": Row(
        Change(manifests=True),
        (REWRITE_MANIFESTS,),
        (f"{TRINO} EXECUTE optimize_manifests",),
    ),
    "bounds": Row(
        Change(modes=(("id", "full"), ("name", "truncate(64)")), files=Files.ALL),
        (
            set_in_spark(
                "'write.metadata.metrics.column.id' = 'full'",
                "'write.metadata.metrics.column.name' = 'truncate(64)'",
            ),
            REWRITE_ALL,
        ),
        (OPTIMIZE,),
    ),
    "a bloom filter": Row(
        Change(bloom_filters=(("id", 4096),), files=Files.ALL),
        (
            set_in_spark(
                "'write.parquet.bloom-filter-enabled.column.id' = 'true'",
                "'write.parquet.bloom-filter-max-bytes' = '4096'",
            ),
            REWRITE_ALL,
        ),
        (set_in_trino("parquet_bloom_filter_columns", "'id'"), OPTIMIZE),
    ),
    "bloom filters of two columns": Row(
        Change(bloom_filters=(("id", 4096), ("name", 32)), files=Files.ALL),
        (
            set_in_spark(
                "'write.parquet.bloom-filter-enabled.column.id' = 'true'",
                "'write.parquet.bloom-filter-enabled.column.name' = 'true'",
                "'write.parquet.bloom-filter-max-bytes' = '4096'",
            ),
            REWRITE_ALL,
        ),
        (set_in_trino("parquet_bloom_filter_columns", "'id'", "'name'"), OPTIMIZE),
    ),
    "sorted, in smaller row groups": Row(
        Change(order=("id",), row_group_bytes=1_048_576, files=Files.ALL),
        (
            set_in_spark("'write.parquet.row-group-size-bytes' = '1048576'"),
            f"{SPARK} WRITE ORDERED BY `id`",
            rewrite_by("`id`"),
        ),
        (set_in_trino("sorted_by", "'\"id\"'"), OPTIMIZE),
    ),
}


@pytest.mark.parametrize("row", [pytest.param(row, id=name) for name, row in ROWS.items()])
def test_a_change_is_made_by_statements(row: Row) -> None:
    assert tuple(spark_statements(TABLE, row.change)) == row.spark
    assert tuple(trino_statements(USAGE, row.change)) == row.trino


def test_nothing_is_run_where_nothing_is_done() -> None:
    assert not KEPT.acts
    assert [*spark_statements(TABLE, KEPT), *trino_statements(USAGE, KEPT)] == []


columns = st.sampled_from(["id", TS.name, AT.name, NAME.name])
fields = st.tuples(st.sampled_from(["identity", "bucket[8]", "truncate[4]", "day"]), columns)
orders = st.lists(columns, max_size=3, unique=True).map(tuple)


@st.composite
def changes(draw: st.DrawFn) -> Change:
    """Any change, of those too that no cause asks for."""
    return Change(
        added=tuple(draw(st.lists(fields, max_size=2, unique=True))),
        dropped=tuple(draw(st.lists(st.sampled_from([MONTHS, ("identity", "name")]), max_size=2))),
        order=draw(orders),
        is_zorder=draw(st.booleans()),
        rounded=draw(st.sampled_from(["identity", "truncate[1000]"])),
        keeps=draw(orders),
        modes=tuple(draw(st.dictionaries(columns, st.just("full"), max_size=2)).items()),
        bloom_filters=tuple(draw(st.dictionaries(columns, st.just(1024), max_size=2)).items()),
        row_group_bytes=draw(st.none() | st.just(1024)),
        files=draw(st.sampled_from(Files)),
        file_by_file=draw(st.booleans()),
        rewrites=draw(st.booleans()),
        manifests=draw(st.booleans()),
        position_deletes=draw(st.booleans()),
    )


@given(changes())
def test_files_are_rewritten_once_and_after_what_they_are_to_be(change: Change) -> None:
    """Properties are set first, and all that is for new files before these are written."""
    spark = [*spark_statements(TABLE, change)]
    rewrites = [place for place, one in enumerate(spark) if ".rewrite_data_files(" in one]
    assert len(rewrites) == (change.files is not Files.NONE)
    alters = [place for place, one in enumerate(spark) if one.startswith("ALTER TABLE")]
    assert alters == [*range(len(alters))]
    assert all(" SET TBLPROPERTIES " not in one for one in spark[1:])
    trino = [*trino_statements(USAGE, change)]
    assert all(" SET PROPERTIES " in one for one in trino[:-1])
    assert len([one for one in trino if " EXECUTE " in one]) <= 1


@given(changes())
def test_equal_changes_are_made_by_the_same_statements(change: Change) -> None:
    again = replace(change)
    assert again is not change
    assert again == change
    assert [*spark_statements(TABLE, again)] == [*spark_statements(TABLE, change)]
    assert [*trino_statements(USAGE, again)] == [*trino_statements(USAGE, change)]
    assert change.acts is (change != KEPT)
