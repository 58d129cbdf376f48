"""LIKE patterns of which planners use nothing."""

from __future__ import annotations

import pytest

from tests.scenarios.lake import Lake, Query, bytes_kept, causes, files, of_cause

pytestmark = [pytest.mark.slow, pytest.mark.exhaustive]


@pytest.fixture(scope="module")
def codes(lake: Lake) -> Lake:
    """Ten files in order of a code, a letter each: b-0000… to k-0999…."""
    lake.sql(
        "CREATE TABLE lake.db.codes (id BIGINT, `Code` STRING, note STRING) USING iceberg",
        *files(
            "codes",
            10,
            rows=100,
            columns=["id", "concat(char(98 + id div 100), '-', id)", "sha1(string(id))"],
        ),
    )
    return lake


def test_a_pattern_without_prefix_is_found(codes: Lake) -> None:
    result = codes.audit("""SELECT * FROM codes WHERE "Code" LIKE '%-317'""")
    (finding,) = of_cause(result, "like_without_prefix")
    assert causes(result) == {"like_without_prefix"}
    assert finding.columns == ("Code",)
    assert finding.bytes_at_stake is None
    assert finding.bytes_read == bytes_kept(result)


def test_a_prefix_beside_the_pattern_reads_what_was_promised(codes: Lake) -> None:
    pattern = "`Code` LIKE 'e-3_7'"
    before = codes.audit(Query(f"SELECT * FROM codes WHERE {pattern}", "spark"))
    (finding,) = of_cause(before, "like_without_prefix")
    assert causes(before) == {"like_without_prefix"}
    assert finding.bytes_at_stake is not None
    assert finding.bytes_at_stake > 0.8 * finding.bytes_read

    after = codes.audit(
        Query(f"SELECT * FROM codes WHERE {pattern} AND {finding.fix.rewrite}", "spark")
    )

    assert bytes_kept(before) - bytes_kept(after) == finding.bytes_at_stake
    assert causes(after) == set()


@pytest.mark.parametrize(
    "query",
    [
        Query("""SELECT * FROM codes WHERE "Code" LIKE 'e-3%'"""),
        Query("SELECT * FROM codes WHERE `Code` LIKE 'e-3%'", "spark"),
        Query("""SELECT * FROM codes WHERE id BETWEEN 310 AND 320 AND "Code" LIKE '%-317'"""),
        Query("""SELECT * FROM codes WHERE "Code" NOT LIKE '%-317'"""),
        Query("""SELECT * FROM codes WHERE NOT ("Code" LIKE '%-317')"""),
    ],
)
def test_what_prunes_by_a_prefix_or_by_another_column_is_left_alone(
    codes: Lake, query: Query
) -> None:
    assert causes(codes.audit(query)) == set()
