"""IN lists of more than 200 values."""

from __future__ import annotations

import pytest

from tests.scenarios.lake import Lake, Query, bytes_kept, causes, files, of_cause

pytestmark = [pytest.mark.slow, pytest.mark.exhaustive]


def in_list(count: int) -> str:
    """A condition on so many keys, which lie in two of twenty files."""
    return f"`Key` IN ({', '.join(str(1000 + number) for number in range(count))})"


@pytest.fixture(scope="module")
def keyed(lake: Lake) -> Lake:
    """Twenty files in order of their key."""
    lake.sql(
        "CREATE TABLE lake.db.keyed (`Key` BIGINT, note STRING) USING iceberg",
        *files("keyed", 20, rows=200, columns=["id", "sha1(string(id))"]),
    )
    return lake


def test_short_lists_read_what_was_promised(keyed: Lake) -> None:
    before = keyed.audit(Query(f"SELECT * FROM keyed WHERE {in_list(300)}", "spark"))
    (finding,) = of_cause(before, "long_in_list")
    assert causes(before) == {"long_in_list"}
    assert finding.columns == ("Key",)
    assert finding.evidence["values"] == 300
    assert finding.bytes_at_stake is not None
    assert finding.bytes_at_stake > 0.8 * finding.bytes_read

    rewrite = finding.fix.rewrite
    assert rewrite == "(`Key` IN (?) OR `Key` IN (?))"
    for first in (1000, 1200):
        values = ", ".join(str(number) for number in range(first, min(first + 200, 1300)))
        rewrite = rewrite.replace("?", values, 1)
    after = keyed.audit(Query(f"SELECT * FROM keyed WHERE {rewrite}", "spark"))

    assert bytes_kept(before) - bytes_kept(after) == finding.bytes_at_stake
    assert causes(after) == set()
    # Spark's own optimiser leaves the lists apart.
    (plan,) = keyed.sql(f"EXPLAIN SELECT * FROM lake.db.keyed WHERE {rewrite}")
    assert plan[0].count("Key IN (") == 2


def test_for_trino_parts_of_the_list_are_united(keyed: Lake) -> None:
    # Whole numbers without a gap are a range to Trino.
    parts = [(*range(1000, 1150), *range(1151, 1201)), range(1201, 1301)]
    lists = [f'"Key" IN ({", ".join(map(str, part))})' for part in parts]
    listed = ", ".join(str(number) for part in parts for number in part)
    before = keyed.audit(f'SELECT * FROM keyed WHERE "Key" IN ({listed})')
    (finding,) = of_cause(before, "long_in_list")
    assert finding.fix.rewrite is None
    assert finding.fix.advice is not None
    assert "UNION ALL" in finding.fix.advice

    after = keyed.audit(" UNION ALL ".join(f"SELECT * FROM keyed WHERE {part}" for part in lists))
    assert finding.bytes_at_stake is not None
    assert bytes_kept(before) - bytes_kept(after) == pytest.approx(finding.bytes_at_stake, rel=0.1)
    assert causes(after) == set()


def test_trino_takes_the_range_of_a_list_without_gaps(keyed: Lake) -> None:
    listed = ", ".join(str(number) for number in range(1000, 2001))
    result = keyed.audit(f'SELECT * FROM keyed WHERE "Key" IN ({listed})')
    assert "long_in_list" not in causes(result)


def test_for_trino_a_list_of_more_than_1000_values_with_gaps_is_too_long(keyed: Lake) -> None:
    """Trino 483 plans by all values of a list (tests/differential/trino)."""
    listed = ", ".join(str(number) for number in (*range(1000, 2001), 2005))
    result = keyed.audit(f'SELECT * FROM keyed WHERE "Key" IN ({listed})')
    (finding,) = of_cause(result, "long_in_list")
    assert finding.evidence["values"] == 1002


def test_a_list_of_200_is_left_alone(keyed: Lake) -> None:
    assert causes(keyed.audit(Query(f"SELECT * FROM keyed WHERE {in_list(200)}", "spark"))) == set()


def test_a_long_list_of_values_in_all_files_is_left_alone(keyed: Lake) -> None:
    values = ", ".join(str(number) for number in range(0, 4000, 10))
    result = keyed.audit(Query(f"SELECT * FROM keyed WHERE `Key` IN ({values})", "spark"))
    assert "long_in_list" not in causes(result)
