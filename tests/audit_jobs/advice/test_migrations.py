"""Statements of layouts, as they are written, and as tables take them."""

from __future__ import annotations

import pytest

from audit_jobs.advice.candidates import Candidate, Curve, Order, Term
from audit_jobs.advice.migrations import migration
from audit_jobs.advice.partition_ranges import condition
from collectors.observed import TableName
from collectors.predicates.model import Field

TABLE = TableName("lake", ("shop",), "orders")
TS, ID, CITY = Field(1, "ts", "timestamptz"), Field(2, "id", "long"), Field(3, "City", "string")
DAY, BUCKET, KEY = Term("day", TS), Term("bucket[16]", ID), Term("identity", ID)
REWRITE = (
    "CALL `lake`.system.rewrite_data_files(table => '`lake`.`shop`.`orders`', strategy => 'sort', "
)
OPTIONS = "options => map('rewrite-all', 'true'))"
TRINO = 'ALTER TABLE "lake"."shop"."orders"'
OPTIMIZE = f"{TRINO} EXECUTE optimize(file_size_threshold => '100TB')"


def _sort(*columns: Field) -> Order:
    return Order(Curve.SORT, columns)


def test_a_field_is_replaced_before_rows_are_written_anew() -> None:
    found = migration(TABLE, (DAY,), Candidate((BUCKET,), _sort(CITY)))
    assert found.spark == (
        "ALTER TABLE `lake`.`shop`.`orders` DROP PARTITION FIELD days(`ts`)",
        "ALTER TABLE `lake`.`shop`.`orders` ADD PARTITION FIELD bucket(16, `id`)",
        "ALTER TABLE `lake`.`shop`.`orders` WRITE ORDERED BY `City`",
        f"{REWRITE}sort_order => '`City`', {OPTIONS}",
    )
    assert found.trino == (
        f"{TRINO} SET PROPERTIES partitioning = ARRAY['bucket(\"id\", 16)']",
        f"{TRINO} SET PROPERTIES sorted_by = ARRAY['\"City\"']",
        OPTIMIZE,
    )


def test_what_stays_is_not_touched() -> None:
    found = migration(TABLE, (DAY,), Candidate((DAY,), _sort(ID)))
    assert not any("PARTITION" in line for line in found.spark)
    assert not any("partitioning" in line for line in found.trino)


def test_ranges_of_values_are_an_order_of_spark_alone() -> None:
    order = Order(Curve.SORT, (ID, TS), "truncate[5000]")
    by = "truncate(5000, `id`), `ts`"
    found = migration(TABLE, (DAY,), Candidate((DAY,), order))
    assert found.spark == (
        f"ALTER TABLE `lake`.`shop`.`orders` WRITE ORDERED BY {by}",
        f"{REWRITE}sort_order => '{by}', {OPTIONS}",
    )
    assert found.trino == ()
    assert "Trino has no such order." in found.notes[0]
    where = condition((DAY,), [(20_000,)])
    assert (
        f"sort_order => '{by}'"
        in migration(TABLE, (DAY,), Candidate((DAY,), order), where).spark[1]
    )
    moved = migration(TABLE, (DAY,), Candidate((BUCKET,), order))
    assert moved.trino == (
        f"{TRINO} SET PROPERTIES partitioning = ARRAY['bucket(\"id\", 16)']",
        OPTIMIZE,
    )


def test_partitions_are_dropped() -> None:
    found = migration(TABLE, (DAY,), Candidate((), _sort(ID)))
    assert found.spark[0] == "ALTER TABLE `lake`.`shop`.`orders` DROP PARTITION FIELD days(`ts`)"
    assert found.trino[0].endswith("SET PROPERTIES partitioning = ARRAY[]")


@pytest.mark.parametrize(
    ("partition", "conditions"),
    [
        pytest.param((DAY, KEY), 2, id="as they are"),
        pytest.param((DAY, KEY, BUCKET), 2, id="with one more"),
        pytest.param((DAY,), 0, id="one of them"),
        pytest.param((BUCKET,), 0, id="another"),
    ],
)
def test_trino_is_told_partitions_of_several_columns_while_every_spec_tells_them(
    partition: tuple[Term, ...], conditions: int
) -> None:
    where = condition((DAY, KEY), [(20_000, 5), (20_001, 7)])
    found = migration(TABLE, (DAY, KEY), Candidate(partition, _sort(CITY)), where)
    assert found.spark
    assert sum(" WHERE " in line for line in found.trino) == conditions
    assert bool(found.trino) is bool(conditions)


@pytest.mark.parametrize(
    "partition", [pytest.param((KEY,), id="another"), pytest.param((DAY,), id="as they are")]
)
def test_trino_is_told_partitions_of_one_column_at_once(partition: tuple[Term, ...]) -> None:
    where = condition((DAY,), [(20_000,), (20_005,)])
    found = migration(TABLE, (DAY,), Candidate(partition, _sort(CITY)), where)
    assert sum(" WHERE " in line for line in found.trino) == 1


@pytest.mark.parametrize("curve", [Curve.ZORDER, Curve.HILBERT])
def test_curves_are_spark_s_alone(curve: Curve) -> None:
    found = migration(TABLE, (), Candidate((), Order(curve, (ID, CITY))))
    assert found.spark == (f"{REWRITE}sort_order => '{curve}(`id`, `City`)', {OPTIONS}",)
    assert found.trino == ()
    assert any("4.1" in note for note in found.notes) is (curve is Curve.HILBERT)
