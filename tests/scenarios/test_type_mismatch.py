"""Columns that are compared as another type than they have."""

from __future__ import annotations

import pytest

from tests.scenarios.lake import Lake, Query, bytes_kept, causes, of_cause

pytestmark = [pytest.mark.slow, pytest.mark.exhaustive]


@pytest.fixture(scope="module")
def events(lake: Lake) -> Lake:
    """Thirty days of text, a file each, as Hive partitions them; and the day as a number."""
    lake.sql(
        "CREATE TABLE lake.db.hive_events (dt STRING, ymd INT, note STRING) USING iceberg "
        "PARTITIONED BY (dt)",
        "INSERT INTO lake.db.hive_events SELECT string(date '2026-01-01' + int(id div 50)), "
        "int(date_format(date '2026-01-01' + int(id div 50), 'yyyyMMdd')), sha1(string(id)) "
        "FROM range(1500)",
    )
    return lake


@pytest.mark.parametrize(
    ("query", "days"),
    [
        (Query("SELECT * FROM hive_events WHERE dt = DATE '2026-01-05'", "spark"), 1),
        (Query("SELECT * FROM hive_events WHERE dt >= current_date - 3", "spark"), 0),
        (
            Query(
                "SELECT * FROM hive_events WHERE to_date(dt) BETWEEN '2026-01-05' AND '2026-01-09'",
                "spark",
            ),
            5,
        ),
        # No one part of it says which days are left.
        (Query("SELECT * FROM hive_events WHERE CAST(dt AS date) = DATE '2026-01-05'"), 1),
        (Query("SELECT * FROM hive_events WHERE date(dt) > DATE '2026-01-25'"), 5),
    ],
)
def test_text_that_is_compared_with_dates_is_found(
    events: Lake, query: Query, days: int | None
) -> None:
    result = events.audit(query)
    (finding,) = of_cause(result, "type_mismatch")
    assert causes(result) == {"type_mismatch"}
    assert finding.columns == ("dt",)
    assert finding.evidence["column_type"] == "string"
    assert finding.lost_at == "manifests"
    assert finding.bytes_read == bytes_kept(result)
    if days is None:
        assert finding.bytes_at_stake is None
    else:
        others = bytes_kept(result) * (1 - days / 30)
        assert finding.bytes_at_stake == pytest.approx(others, rel=0.01)
    assert finding.fix.advice is not None
    name = "`dt`" if query.engine == "spark" else '"dt"'
    assert f"{name} >= '2026-01-31'" in finding.fix.advice


def test_text_that_is_compared_with_text_prunes(events: Lake) -> None:
    result = events.audit("SELECT * FROM hive_events WHERE dt >= '2026-01-25'")
    assert causes(result) == set()
    assert [row["data_files_kept"] for row in result.scan_plans("data_files_kept")] == [6]


def test_a_range_beside_it_prunes(events: Lake) -> None:
    both = "dt = '2026-01-05' AND CAST(dt AS date) = DATE '2026-01-05'"
    assert causes(events.audit(f"SELECT * FROM hive_events WHERE {both}")) == set()


def test_engines_convert_the_literal_where_they_can(events: Lake) -> None:
    text = Query("SELECT * FROM hive_events WHERE ymd = '20260105'", "spark")
    assert "type_mismatch" not in causes(events.audit(text))
