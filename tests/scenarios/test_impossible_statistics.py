"""Manifests whose bounds contradict themselves."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyiceberg.manifest import DATA_FILE_TYPE, ManifestFile, write_manifest
from pyiceberg.table import StaticTable

from tests.scenarios.lake import Lake, causes, files, of_cause

pytestmark = [pytest.mark.slow, pytest.mark.exhaustive]

FIELDS = [field.name for field in DATA_FILE_TYPE[2].fields]
QUERY = 'SELECT * FROM {} WHERE "Item Id" BETWEEN 500 AND 600'


def create(lake: Lake, table: str) -> None:
    lake.sql(
        f"CREATE TABLE lake.db.{table} (`Item Id` BIGINT) USING iceberg "
        "TBLPROPERTIES ('write.target-file-size-bytes' = '800')",
        *files(table, 6, rows=200, columns=["id"]),
    )


def swap_bounds(table: StaticTable) -> None:
    """Writes the first manifest of a table again, with lower for upper bounds."""
    snapshot = table.current_snapshot()
    assert snapshot is not None
    manifest: ManifestFile = snapshot.manifests(table.io)[0]
    entries = manifest.fetch_manifest_entry(table.io)
    path = Path(manifest.manifest_path.removeprefix("file:"))
    path.with_name(f".{path.name}.crc").unlink(missing_ok=True)
    with write_manifest(
        2,
        table.spec(),
        table.schema(),
        table.io.new_output(str(path)),
        snapshot.snapshot_id,
        "deflate",
    ) as writer:
        for entry in entries:
            file = entry.data_file
            lower, upper = file.lower_bounds, file.upper_bounds
            file[FIELDS.index("lower_bounds")], file[FIELDS.index("upper_bounds")] = upper, lower
            writer.add_entry(entry)


def test_written_anew_they_are_sound(lake: Lake) -> None:
    create(lake, "damaged")
    query = QUERY.format("damaged")
    swap_bounds(StaticTable.from_metadata(lake.metadata_of("damaged")))

    result = lake.audit(query, thresholds={"min_scans": 2, "small_table_bytes": 1_000_000_000})
    (finding,) = result.findings
    assert finding.cause == "impossible_statistics"
    assert finding.severity == "critical"
    assert finding.columns == ("Item Id",)
    assert finding.evidence["files"] == 1

    lake.sql(*finding.fix.spark)

    assert of_cause(lake.audit(query), "impossible_statistics") == []
    assert lake.sql("SELECT count(*) FROM lake.db.damaged") == [[1200]]


def test_sound_statistics_are_left_alone(lake: Lake) -> None:
    create(lake, "sound")
    assert causes(lake.audit(QUERY.format("sound"))) == set()
