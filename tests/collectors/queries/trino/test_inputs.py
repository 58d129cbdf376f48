import pytest

from prunescope.collectors.observed import ObservedScan, TableName
from prunescope.collectors.queries.trino.inputs import read_scans


def event(*inputs: object) -> dict[str, object]:
    return {"ioMetadata": {"inputs": list(inputs)}}


def test_an_iceberg_input_becomes_a_scan_with_its_snapshot_and_counters() -> None:
    count = "io.trino.plugin.base.metrics.LongCount"
    metrics = {
        "dataFiles": 11,
        "dataFileSizeBytes": 12,
        "dataManifests": 13,
        "skippedDataManifests": 14,
        "skippedDataFiles": 15,
        "deleteManifests": 16,
        "skippedDeleteManifests": 17,
        "equalityDeleteFiles": 18,
        "positionalDeleteFiles": 19,
        "deletionVectorFiles": 20,
    }
    scans = read_scans(
        event(
            {
                "connectorName": "iceberg",
                "catalogName": "lake",
                "schema": "sales",
                "table": "orders",
                "columns": [{"name": "id", "type": "bigint"}],
                "connectorInfo": {
                    "formatVersion": 2,
                    "snapshotId": 3632375038726047818,
                    "partitionFields": ["day(ts)"],
                    "totalRecords": "1000",
                    "deletedRecords": "7",
                    "totalDataFiles": "40",
                    "totalDeleteFiles": "2",
                },
                "connectorMetrics": {
                    **{name: {"@class": count, "total": n} for name, n in metrics.items()},
                    "scanPlanningDuration": {"duration": "5.00ms"},
                },
                "physicalInputBytes": 123,
                "physicalInputRows": 45,
            }
        )
    )
    assert scans == (
        ObservedScan(
            table=TableName("lake", ("sales",), "orders"),
            snapshot_id=3632375038726047818,
            counters={
                "physical_input_bytes": 123,
                "physical_input_rows": 45,
                "result_data_files": 11,
                "total_file_size_in_bytes": 12,
                "scanned_data_manifests": 13,
                "skipped_data_manifests": 14,
                "skipped_data_files": 15,
                "scanned_delete_manifests": 16,
                "skipped_delete_manifests": 17,
                "equality_delete_files": 18,
                "positional_delete_files": 19,
                "dvs": 20,
                "snapshot_total_records": 1000,
                "snapshot_total_data_files": 40,
                "snapshot_total_delete_files": 2,
            },
        ),
    )


@pytest.mark.parametrize(
    ("written", "read"),
    [
        pytest.param(7, 7, id="number"),
        pytest.param("7", 7, id="text"),
        pytest.param(0, 0, id="zero-is-a-count"),
        pytest.param({"value": 7}, 7, id="wrapped"),
        pytest.param({"present": True, "value": "7"}, 7, id="wrapped-text"),
        pytest.param({"present": True, "asLong": 7}, 7, id="optional-long"),
        pytest.param({"present": False}, None, id="empty-optional"),
        pytest.param(None, None, id="null"),
        pytest.param(-1, None, id="no-snapshot"),
        pytest.param(2**63, None, id="beyond-long"),
        pytest.param("9" * 5000, None, id="endless-text"),
        pytest.param(True, None, id="boolean"),
        pytest.param(7.0, None, id="float"),
        pytest.param("seven", None, id="word"),
        pytest.param([7], None, id="list"),
        pytest.param({"value": {"value": 7}}, None, id="wrapped-twice"),
    ],
)
def test_whole_numbers_are_read_in_every_wrapping_and_nothing_else(
    written: object, read: int | None
) -> None:
    (scan,) = read_scans(
        event(
            {"table": "t", "connectorInfo": {"snapshotId": written}, "physicalInputRows": written}
        )
    )
    assert scan.snapshot_id == read
    assert scan.counters == ({} if read is None else {"physical_input_rows": read})


@pytest.mark.parametrize(
    ("entry", "table"),
    [
        pytest.param({"table": "t"}, TableName(None, (), "t"), id="table-alone"),
        pytest.param(
            {"catalogName": None, "schema": "a.b", "table": "t"},
            TableName(None, ("a.b",), "t"),
            id="nested-namespace-is-one-part",
        ),
        pytest.param(
            {"catalogName": ["c"], "schema": 5, "table": "t", "connectorInfo": "x"},
            TableName(None, (), "t"),
            id="wrong-types-are-absent",
        ),
    ],
)
def test_absent_parts_of_an_input_stay_absent(entry: object, table: TableName) -> None:
    assert read_scans(event(entry)) == (ObservedScan(table, None, {}),)


@pytest.mark.parametrize(
    "given",
    [
        pytest.param({}, id="no-io-metadata"),
        pytest.param({"ioMetadata": None}, id="null-io-metadata"),
        pytest.param({"ioMetadata": {"inputs": {"table": "t"}}}, id="inputs-not-a-list"),
        pytest.param(event("t", None, 5), id="entries-not-objects"),
        pytest.param(event({"catalogName": "c"}, {"table": ""}), id="entries-without-table"),
    ],
)
def test_events_without_usable_inputs_have_no_scans(given: dict[str, object]) -> None:
    assert read_scans(given) == ()


def test_a_self_join_yields_one_scan_per_input() -> None:
    scans = read_scans(event({"table": "t", "physicalInputRows": 1}, {"table": "t"}))
    assert [scan.counters for scan in scans] == [{"physical_input_rows": 1}, {}]
