"""Kept beside matched: it is not how much a query keeps, but how much more than it needs."""

from __future__ import annotations

from typing import Any

import pytest

from prunescope.audit_jobs.records import Matching
from tests.scenarios.lake import Lake, bytes_kept, causes, files, of_cause

pytestmark = [pytest.mark.slow, pytest.mark.exhaustive]


@pytest.fixture(scope="module")
def measured(lake: Lake) -> Lake:
    """Forty files. `day` tells them apart; `code` is in no order, a thousand values of it in each
    file."""
    lake.sql(
        "CREATE TABLE lake.db.sampled (day BIGINT, code BIGINT, amount BIGINT) USING iceberg "
        "TBLPROPERTIES ('write.target-file-size-bytes' = '12000')",
        *files(
            "sampled",
            40,
            rows=1_000,
            columns=["id div 1000", "id * 7919 % 40000", "id * 31 % 97"],
        ),
    )
    return lake


def matching(result: Any) -> Matching:
    """What sampled rows tell of the only scan."""
    (scan,) = result.scan_plans()
    return Matching(
        scan["matching_share"],
        scan["matching_share_low"],
        scan["matching_share_high"],
        scan["matching_rows"],
    )


def kept(result: Any) -> float:
    (scan,) = result.scan_plans()
    ratio: float = scan["data_files_kept"] / scan["data_files_total"]
    return ratio


def test_most_of_a_table_is_kept_because_most_of_it_matches(measured: Lake) -> None:
    result = measured.audit("SELECT sum(amount) FROM sampled WHERE day < 32", sampled_files=40)
    assert kept(result) == 0.8
    assert matching(result).share == 0.8
    assert not causes(result)


def test_a_twentieth_is_kept_and_a_fiftieth_of_that_matches(lake: Lake) -> None:
    """The partition is the right one, and all of its files are read for one row in fifty."""
    lake.sql(
        "CREATE TABLE lake.db.by_day (day BIGINT, code BIGINT, note STRING) USING iceberg "
        "PARTITIONED BY (day) TBLPROPERTIES ('write.target-file-size-bytes' = '20000', "
        "'write.distribution-mode' = 'none', 'write.spark.fanout.enabled' = 'true')",
        "INSERT INTO lake.db.by_day SELECT id % 20, id * 7919 % 40000, sha1(string(id)) "
        "FROM range(0, 40000, 1, 10)",
    )
    query = "SELECT * FROM by_day WHERE day = 3 AND code < 800"
    before = lake.audit(query, sampled_files=200)
    assert kept(before) == 0.05
    assert matching(before).share == pytest.approx(0.001, rel=0.1)
    (finding,) = of_cause(before, "unclustered_column")
    assert finding.columns == ("code",)
    assert finding.bytes_at_stake is not None
    assert finding.bytes_at_stake > 0.5 * finding.bytes_read

    lake.sql(*finding.fix.spark)

    after = lake.audit(query, sampled_files=200)
    assert bytes_kept(after) <= 1.2 * (bytes_kept(before) - finding.bytes_at_stake)
    assert "unclustered_column" not in causes(after)


def test_all_is_kept_and_little_of_it_matches(measured: Lake) -> None:
    result = measured.audit("SELECT * FROM sampled WHERE code < 400")
    assert kept(result) == 1.0
    assert matching(result).high < 0.05
    (finding,) = of_cause(result, "unclustered_column")
    assert finding.bytes_at_stake is not None
    assert finding.bytes_at_stake > 0.85 * finding.bytes_read


def test_without_samples_bounds_have_to_do(measured: Lake) -> None:
    result = measured.audit("SELECT * FROM sampled WHERE code < 400", sampled_files=0)
    (scan,) = result.scan_plans()
    assert scan["matching_share"] is None
    (finding,) = of_cause(result, "unclustered_column")
    assert finding.confidence == "low"
