"""Partitions that are too large for the filters, and partitions too small for anybody."""

from __future__ import annotations

import pytest

from prunescope.audit_jobs.results.result import AuditResult
from tests.scenarios.lake import Lake, bytes_kept, causes, files, of_cause

pytestmark = [pytest.mark.slow, pytest.mark.exhaustive]

COARSE, FINE = "partitions_too_coarse", "partitions_too_fine"
YEAR = "timestamp_seconds(1704067200 + pmod(id * 7919, 366) * 86400)"
DAYS = "timestamp_seconds(1704067200 + pmod(id * 7919, 32) * 3600)"
MARCH = "\"When\" >= TIMESTAMP '2024-03-01 00:00:00' AND \"When\" < TIMESTAMP '2024-04-01 00:00:00'"
DAY = "\"When\" >= TIMESTAMP '2024-01-01 00:00:00' AND \"When\" < TIMESTAMP '2024-01-02 00:00:00'"


def of_events(
    lake: Lake, name: str, partitioning: str, when: str, writes: int, **properties: int
) -> None:
    """Events of which every write holds all times."""
    settings = ", ".join(f"'{k}' = '{v}'" for k, v in properties.items())
    lake.sql(
        f"CREATE TABLE lake.db.{name} (id BIGINT, `When` TIMESTAMP_NTZ, text STRING) "
        f"USING iceberg PARTITIONED BY ({partitioning}) TBLPROPERTIES ({settings})",
        *files(
            name,
            writes,
            rows=3_000 // writes,
            columns=["id", when, "sha2(CAST(id AS STRING), 256)"],
        ),
    )


def files_kept(result: AuditResult) -> int:
    """Data files that the engines' planners keep, over all scans."""
    return sum(scan["data_files_kept"] or 0 for scan in result.scan_plans())


def target(size: int, open_file: int = 4_000) -> dict[str, int]:
    """Properties of a table of small files."""
    return {"write.target-file-size-bytes": size, "read.split.open-file-cost": open_file}


def test_finer_partitions_read_what_was_promised(lake: Lake) -> None:
    of_events(lake, "by_year", "years(`When`)", YEAR, 10, **target(9_000))
    query = f"SELECT * FROM by_year WHERE {MARCH}"
    before = lake.audit(query, query)
    (finding,) = of_cause(before, COARSE)
    assert causes(before) == {COARSE}
    assert finding.evidence["better_transform"] == "month"
    assert finding.evidence["share_asked"] == pytest.approx(31 / 366, abs=0.01)
    assert finding.bytes_at_stake is not None

    lake.sql(*finding.fix.spark)
    after = lake.audit(query, query)

    promised = bytes_kept(before) - finding.bytes_at_stake
    assert bytes_kept(after) == pytest.approx(promised, rel=0.3)
    assert causes(after) == set()


def test_small_tables_are_not_cut_into_crumbs(lake: Lake) -> None:
    of_events(lake, "one_file_a_year", "years(`When`)", YEAR, 10, **target(500_000))
    query = f"SELECT * FROM one_file_a_year WHERE {MARCH}"
    assert COARSE not in causes(lake.audit(query, query))


def test_filters_that_ask_for_whole_partitions_are_left_alone(lake: Lake) -> None:
    of_events(lake, "by_asked_year", "years(`When`)", YEAR, 10, **target(9_000))
    most = "\"When\" >= TIMESTAMP '2024-03-01 00:00:00'"
    query = (
        f"SELECT * FROM by_asked_year WHERE {most} AND \"When\" < TIMESTAMP '2024-12-01 00:00:00'"
    )
    assert COARSE not in causes(lake.audit(query, query))


def test_coarser_partitions_open_fewer_files(lake: Lake) -> None:
    of_events(lake, "by_hour", "hours(`When`)", DAYS, 2, **target(160_000))
    query = f"SELECT * FROM by_hour WHERE {DAY}"
    before = lake.audit(query, query)
    (finding,) = of_cause(before, FINE)
    assert finding.evidence["partitions"] == 32
    assert finding.fix.change.added == (("day", "When"),)

    lake.sql(*finding.fix.spark)
    after = lake.audit(query, query)

    assert files_kept(after) <= 0.5 * files_kept(before)
    assert bytes_kept(after) <= bytes_kept(before)
    assert causes(after) == set()


def test_partitions_that_fill_files_are_left_alone(lake: Lake) -> None:
    of_events(lake, "by_full_hour", "hours(`When`)", DAYS, 2, **target(4_000))
    query = f"SELECT * FROM by_full_hour WHERE {DAY}"
    assert FINE not in causes(lake.audit(query, query))


def test_small_partitions_that_filters_ask_for_are_left_alone(lake: Lake) -> None:
    """To open a file costs nothing here, so that coarser partitions would only read more."""
    of_events(lake, "by_cheap_hour", "hours(`When`)", DAYS, 2, **target(160_000, open_file=1))
    hour = DAY.replace("2024-01-02 00", "2024-01-01 01")
    query = f"SELECT * FROM by_cheap_hour WHERE {hour}"
    assert FINE not in causes(lake.audit(query, query))


@pytest.mark.parametrize(
    ("name", "type_", "value", "where", "better"),
    [
        pytest.param(
            "each_date",
            "DATE",
            "date_add(DATE '2024-01-01', int(id % 120))",
            "key >= DATE '2024-01-11' AND key < DATE '2024-04-21'",
            ("year", "month"),
            id="dates",
        ),
        pytest.param(
            "each_number",
            "INT",
            "int(2450000 + id % 120)",
            "key BETWEEN 2450010 AND 2450110",
            ("truncate[10]", "truncate[100]", "truncate[1000]", "truncate[10000]"),
            id="numbers",
        ),
    ],
)
def test_values_with_a_partition_each_can_share_one(
    lake: Lake, name: str, type_: str, value: str, where: str, better: tuple[str, ...]
) -> None:
    lake.sql(
        f"CREATE TABLE lake.db.{name} (key {type_}, text STRING) USING iceberg "
        "PARTITIONED BY (key) TBLPROPERTIES ('write.target-file-size-bytes' = '60000', "
        "'read.split.open-file-cost' = '4000')",
        f"INSERT INTO lake.db.{name} SELECT {value}, sha2(string(id), 256) FROM range(2400)",
    )
    query = f"SELECT * FROM {name} WHERE {where}"
    before = lake.audit(query, query)
    (finding,) = of_cause(before, FINE)
    assert causes(before) == {FINE}
    ((transform, _),) = finding.fix.change.added
    assert transform in better

    lake.sql(*finding.fix.spark)
    after = lake.audit(query, query)

    assert FINE not in causes(after)
    assert files_kept(after) < 0.2 * files_kept(before)


def test_far_apart_values_share_no_partition_by_truncation(lake: Lake) -> None:
    lake.sql(
        "CREATE TABLE lake.db.each_far (key BIGINT, text STRING) USING iceberg "
        "PARTITIONED BY (key) TBLPROPERTIES ('write.target-file-size-bytes' = '60000', "
        "'read.split.open-file-cost' = '4000')",
        "INSERT INTO lake.db.each_far SELECT (id % 120) * 1000003, sha2(string(id), 256) "
        "FROM range(2400)",
    )
    query = "SELECT * FROM each_far WHERE key > 5000000"
    assert FINE not in causes(lake.audit(query, query))


def of_numbers(lake: Lake, name: str, partitioning: str) -> None:
    """Numbers from 0 to 3,199, a hundred to a partition, far below the size of a file."""
    settings = ", ".join(f"'{k}' = '{v}'" for k, v in target(400_000, 40_000).items())
    lake.sql(
        f"CREATE TABLE lake.db.{name} (id BIGINT, text STRING) USING iceberg "
        f"PARTITIONED BY ({partitioning}) TBLPROPERTIES ({settings})",
        *files(name, 1, rows=3_200, columns=["id", "sha2(CAST(id AS STRING), 256)"]),
    )


@pytest.mark.parametrize(
    ("name", "partitioning", "condition", "better"),
    [
        (
            "in_small_buckets",
            "bucket(32, id)",
            "id IN (" + ", ".join(str(number) for number in range(0, 3_200, 160)) + ")",
            "bucket[2]",
        ),
        ("in_small_ranges", "truncate(100, id)", "id < 1600", "truncate[1000]"),
    ],
)
def test_fewer_buckets_and_wider_ranges_open_fewer_files(
    lake: Lake, name: str, partitioning: str, condition: str, better: str
) -> None:
    of_numbers(lake, name, partitioning)
    query = f"SELECT * FROM {name} WHERE {condition}"
    before = lake.audit(query, query)
    (finding,) = of_cause(before, FINE)
    assert finding.fix.change.added == ((better, "id"),)

    lake.sql(*finding.fix.spark)
    after = lake.audit(query, query)

    assert files_kept(after) <= 0.3 * files_kept(before)
    assert FINE not in causes(after)
