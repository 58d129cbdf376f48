"""Statements of what is inside of files, alone and with those of a layout."""

from __future__ import annotations

from dataclasses import replace

import pytest

from audit_jobs.advice.candidates import Candidate, Curve, Order, Term
from audit_jobs.advice.changes import Change, Inside, Reading, Written
from audit_jobs.advice.inside_statements import advised_migration
from audit_jobs.advice.intervals import Interval
from audit_jobs.advice.limits import limits
from audit_jobs.advice.model import Advice, Now, Prediction, Sizes
from collectors.observed import TableName
from collectors.predicates.model import Field

TABLE = TableName("lake", ("db",), "t")
ID, TS = Field(1, "The Id", "string"), Field(2, "ts", "timestamptz")
KEPT = Interval(1.0, 1.0, 1.0)
DAY = Term("day", TS)
FILTERED = Change(None, None, (ID,))
SET = "ALTER TABLE `lake`.`db`.`t` SET TBLPROPERTIES ("
FILTER = "'write.parquet.bloom-filter-enabled.column.The Id' = 'true'"
CALL = "CALL `lake`.system.rewrite_data_files(table => '`lake`.`db`.`t`', "
TRINO = 'ALTER TABLE "lake"."db"."t"'
OPTIMIZE = f"{TRINO} EXECUTE optimize(file_size_threshold => '100TB')"


def _advice(change: Change | None, layout: Candidate | None, written: Written) -> Advice:
    inside = Inside(Reading(KEPT, 1.0), None, change, None, None, {}, written)
    best = None if layout is None else Prediction(layout, KEPT, 1.0, KEPT, Sizes(1, 1, 1.0, 1.0))
    now = Now(1, 1, 1, 1, 1, (DAY,))
    return Advice(now, 1, 1.0, 1, KEPT, 1.0, 1.0, best, (), (), 1, 1, 1, 1, None, (), None, inside)


WRITTEN = Written(128 << 20, 1 << 20, frozenset())


def test_filters_alone_need_a_rewrite_of_all_files() -> None:
    found = advised_migration(TABLE, _advice(FILTERED, None, WRITTEN))
    assert found is not None
    assert found.spark == (
        f"{SET}{FILTER})",
        f"{CALL}options => map('rewrite-all', 'true'))",
    )
    assert found.trino == (
        f"{TRINO} SET PROPERTIES parquet_bloom_filter_columns = ARRAY['The Id']",
        OPTIMIZE,
    )


def test_a_table_that_is_sorted_stays_so_and_keeps_the_filters_that_it_has() -> None:
    written = replace(WRITTEN, order=(TS,), filtered=("other",))
    found = advised_migration(TABLE, _advice(FILTERED, None, written))
    assert found is not None
    assert "sort_order => '`ts`'" in found.spark[1]
    assert found.trino[0].endswith("ARRAY['other', 'The Id']")


def test_settings_come_before_the_rewrite_of_a_layout() -> None:
    layout = Candidate((), Order(Curve.SORT, (TS,)))
    change = Change(None, 16 << 20, (ID,))
    found = advised_migration(TABLE, _advice(change, layout, WRITTEN))
    assert found is not None
    size = "'write.parquet.row-group-size-bytes' = '16777216'"
    assert found.spark[0] == f"{SET}{size}, {FILTER})"
    assert [line.split("(")[0].split(" ")[0] for line in found.spark] == [
        *("ALTER", "ALTER", "ALTER", "CALL")
    ]
    assert found.trino[0] == "SET SESSION \"lake\".parquet_writer_block_size = '16777216B'"
    assert found.trino[-1] == OPTIMIZE


@pytest.mark.parametrize("layout", [None, Candidate((), Order(Curve.SORT, (TS,)))])
def test_a_layout_says_that_findings_may_ask_for_another_one(layout: Candidate | None) -> None:
    said = [one for one in limits(_advice(FILTERED, layout, WRITTEN)) if "Findings" in one]
    assert bool(said) is (layout is not None)


def test_an_order_keeps_partitions() -> None:
    change = Change(Order(Curve.SORT, (ID,)), None, ())
    found = advised_migration(TABLE, _advice(change, None, WRITTEN))
    assert found is not None
    assert found.spark[0] == "ALTER TABLE `lake`.`db`.`t` WRITE ORDERED BY `The Id`"
    assert not any("PARTITION" in line for line in found.spark)


@pytest.mark.parametrize("layout", [None, Candidate((DAY,), Order(Curve.SORT, (TS,)))])
def test_without_a_change_there_is_what_the_layout_needs(layout: Candidate | None) -> None:
    found = advised_migration(TABLE, _advice(None, layout, WRITTEN))
    assert (found is None) is (layout is None)


def test_a_name_at_which_a_client_splits_stands_in_no_statement() -> None:
    table = replace(TABLE, table="t; DROP TABLE z")
    layout = Candidate((DAY,), Order(Curve.SORT, (ID,)))
    found = advised_migration(table, _advice(None, layout, WRITTEN))
    assert found is not None
    assert (found.spark, found.trino) == ((), ())
    assert "No statement is told" in found.notes[-1]
