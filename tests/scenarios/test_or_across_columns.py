"""ORs over two columns."""

from __future__ import annotations

import pytest

from tests.scenarios.lake import Lake, Query, bytes_kept, causes, files, of_cause

pytestmark = [pytest.mark.slow, pytest.mark.exhaustive]

EITHER = """SELECT * FROM parcels WHERE "Sent" = 150 OR arrived = 1750"""


@pytest.fixture(scope="module")
def parcels(lake: Lake) -> Lake:
    """Twenty files in order of two columns that go together."""
    lake.sql(
        "CREATE TABLE lake.db.parcels (`Sent` BIGINT, arrived BIGINT, note STRING) USING iceberg",
        *files("parcels", 20, rows=100, columns=["id", "id + 1", "sha1(string(id))"]),
    )
    return lake


def test_a_union_reads_what_was_promised(parcels: Lake) -> None:
    before = parcels.audit(EITHER)
    (finding,) = of_cause(before, "or_across_columns")
    assert causes(before) == {"or_across_columns"}
    assert finding.columns == ("Sent", "arrived")
    assert finding.bytes_at_stake is not None
    assert finding.bytes_at_stake > 0.7 * finding.bytes_read

    assert finding.fix.rewrite is not None
    rows = finding.fix.rewrite.replace("SELECT …", "SELECT * FROM parcels")
    after = parcels.audit(f"SELECT * {rows}")

    saved = bytes_kept(before) - bytes_kept(after)
    assert finding.bytes_at_stake <= saved <= finding.evidence["bytes_at_stake_at_most"]
    assert causes(after) == set()


def test_an_engine_that_pushes_it_is_left_alone(parcels: Lake) -> None:
    assert causes(parcels.audit(Query(EITHER.replace('"', "`"), "spark"))) == set()


def test_an_or_on_one_column_is_left_alone(parcels: Lake) -> None:
    query = """SELECT * FROM parcels WHERE "Sent" = 150 OR "Sent" > 1900"""
    assert causes(parcels.audit(query)) == set()


def test_an_or_that_statistics_do_not_help_is_left_alone(parcels: Lake) -> None:
    query = """SELECT * FROM parcels WHERE "Sent" > 100 OR arrived < 1750"""
    assert causes(parcels.audit(query)) == set()
