"""Event logs that Spark wrote."""

from __future__ import annotations

from pathlib import Path

import pytest

from prunescope.collectors.observed import ObservedQuery, PlanText, Rejected
from prunescope.collectors.queries.spark.events import read_spark_log
from prunescope.collectors.storage.files import Storage
from tests.collectors.queries.spark.logs import all_queries, pushed, read_files


@pytest.mark.shared
class TestSamples:
    """Logs that Spark 3.5.6 with Iceberg 1.9.0 wrote."""

    def read(self, shared: Path, name: str) -> dict[str, ObservedQuery]:
        (log,) = (shared / "samples/spark_event_logs" / f"spark35_iceberg190_{name}").iterdir()
        found = list(read_spark_log([str(log)], Storage()))
        assert not [record for record in found if isinstance(record, Rejected)]
        return {
            record.query_id.rpartition("/")[2]: record
            for record in found
            if isinstance(record, ObservedQuery)
        }

    def test_every_scan_node_is_found_with_all_its_counts(self, shared: Path) -> None:
        found = self.read(shared, "plain")
        assert len(found) == 34
        assert {query.engine_version for query in found.values()} == {"3.5.6"}
        assert {query.time_zone for query in found.values()} == {"UTC"}
        assert {len(scan.counters) for query in found.values() for scan in query.scans} == {15}
        assert found["0"].scans[0].counters == {
            "total_data_manifests": 1,
            "scanned_data_manifests": 1,
            "skipped_data_manifests": 0,
            "result_data_files": 4,
            "skipped_data_files": 24,
            "total_file_size_in_bytes": 8485467,
            "total_delete_manifests": 0,
            "scanned_delete_manifests": 0,
            "skipped_delete_manifests": 0,
            "result_delete_files": 0,
            "skipped_delete_files": 0,
            "indexed_delete_files": 0,
            "equality_delete_files": 0,
            "positional_delete_files": 0,
            "total_delete_file_size_in_bytes": 0,
        }

    @pytest.mark.parametrize(
        ("number", "expected"),
        [
            pytest.param("3", ["(country = 'O'Brien' OR country = '日本')"], id="quotes"),
            pytest.param("16", [""], id="nothing pushed"),
            pytest.param(
                "28",
                ["event_id IS NOT NULL, event_id = 77", "o_id = 77, o_id IS NOT NULL"],
                id="a join",
            ),
            pytest.param("39", ["o_id IS NOT NULL, o_id = 99"], id="rows to delete"),
        ],
    )
    def test_filters_are_as_printed(self, shared: Path, number: str, expected: list[str]) -> None:
        assert pushed(self.read(shared, "plain")[number]) == expected

    def test_dynamic_pruning_is_a_runtime_filter(self, shared: Path) -> None:
        query = self.read(shared, "plain")["24"]
        by_table = {scan.table.table: scan for scan in query.scans}
        assert len(query.scans) == 2
        assert [getattr(leaf, "columns", None) for leaf in by_table["orders"].runtime] == [
            ("o_date",)
        ]
        assert by_table["dim"].runtime == ()

    def test_metadata_tables_and_answers_from_metadata_are_no_scans(self, shared: Path) -> None:
        found = self.read(shared, "plain")
        assert "32" not in found
        assert (found["34"].sql, found["34"].scans) == ("select count(*) from lake.db.events", ())

    def test_the_shell_and_the_server_tell_the_statement(self, shared: Path) -> None:
        shell, server = self.read(shared, "sqlcli"), self.read(shared, "thrift")
        assert [query.sql for query in shell.values()] == [
            "select count(*) from lake.db.events where country='DE' and event_id between 10 and 20",
            " select o_status from lake.db.orders where o_id = 7",
        ]
        assert [(query.sql, query.user) for query in server.values()] == [
            (
                "select count(*) from lake.db.events where country = 'DE' and event_id > 19990",
                "tester",
            )
        ]


@pytest.mark.shared
@pytest.mark.parametrize(
    ("name", "scans", "with_sql"),
    [("plain", 34, None), ("sqlcli", 2, 2), ("thrift", 1, 1)],
)
def test_the_samples(shared: Path, name: str, scans: int, with_sql: int | None) -> None:
    (log,) = (shared / "samples" / "spark_event_logs" / f"spark35_iceberg190_{name}").iterdir()
    found = all_queries(read_files(log))
    assert sum(len(query.scans) for query in found) == scans
    for query in found:
        for scan in query.scans:
            assert isinstance(scan.pushed, PlanText)
            total = scan.counters["scanned_data_manifests"]
            total += scan.counters["skipped_data_manifests"]
            assert total == scan.counters["total_data_manifests"]
    if with_sql is not None:
        assert sum(query.sql is not None for query in found) == with_sql
