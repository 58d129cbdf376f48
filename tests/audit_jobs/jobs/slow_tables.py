"""Tables of whose files one kind hangs, and what becomes of each."""

from __future__ import annotations

from pathlib import Path

from prunescope.audit_jobs.jobs.audit import run_audit
from prunescope.audit_jobs.planning.items import Runner
from tests.audit_jobs.jobs.lakes import WINDOW, config_of, outcomes, queries_of, write_table
from tests.object_store import BUCKET, ObjectStore

LIMIT = 3.0
"""Seconds: far more than any of these tables takes."""

HANGING = {
    "hanging_metadata": "*.metadata.json",
    "hanging_list": "*/snap-*.avro",
    "hanging_manifests": "*-m0.avro",
    "hanging_data": "*.parquet",
}
"""Which files of the table of a name."""


def check_outcomes(store: ObjectStore, folder: Path, runner: Runner) -> None:
    """Audits them all in one run, beside one in the same store and one on this disk, with which
    nothing is wrong."""
    names = [*HANGING, "swift"]
    for name in names:
        write_table(folder, name)
    (folder / "warehouse").rename(store.folder / "warehouse")
    store.hanging = tuple(f"*/{name}/{pattern}" for name, pattern in HANGING.items())
    config = config_of(
        {"healthy": write_table(folder / "local")},
        catalogs={
            "lake": {
                "properties": {
                    "type": "sql",
                    "uri": f"sqlite:///{folder}/catalog.db",
                    "warehouse": f"s3://{BUCKET}",
                    **store.properties,
                }
            }
        },
        path_map=[{"from": f"file://{folder}/warehouse", "to": f"s3://{BUCKET}/warehouse"}],
        locations={"allow": [f"s3://{BUCKET}", str(folder)]},
        table_timeout_seconds=LIMIT,
    )
    try:
        inputs = queries_of(["healthy", *names], runner)
        result = run_audit(config, WINDOW, inputs, runner, lambda _: None)
    finally:
        store.hanging = ()
    assert outcomes(result) == {
        "healthy": "replayed",
        "swift": "replayed",
        **dict.fromkeys(HANGING, "table_too_slow"),
    }
    assert set(result.run.tables_failed) == {f"lake.db.{name}" for name in HANGING}
    assert all("table_timeout_seconds" in told for told in result.run.tables_failed.values())
    assert result.run.tables_unmeasured == {}
    assert {health.table.table for health in result.health} == {"healthy", "swift"}
