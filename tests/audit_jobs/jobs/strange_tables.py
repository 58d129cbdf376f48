"""Tables that were found to end a run for all, and what becomes of each."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from prunescope.audit_jobs.planning.items import Runner
from tests.audit_jobs.jobs.lakes import audited, outcomes, write_table

HUGE_ID = 9876543210123456789
"""As a public table has it: no signed number of 64 bits."""

Change = Callable[[dict[str, Any]], dict[str, Any]]


def with_snapshot(snapshot_id: int) -> Change:
    """Another id of the snapshot, whose manifest list does not note which snapshot's it is."""

    def change(document: dict[str, Any]) -> dict[str, Any]:
        snapshot = document["snapshots"][-1]
        noted = Path(snapshot["manifest-list"].removeprefix("file://"))
        unnoted = noted.with_name("unnoted.avro")
        unnoted.write_bytes(noted.read_bytes().replace(b"snapshot-id", b"snapshot-no"))
        snapshot["manifest-list"] = f"file://{unnoted}"
        # Names of files have it as well, and stay.
        current = f'-id": {document["current-snapshot-id"]}'
        text = json.dumps(document).replace(current, f'-id": {snapshot_id}')
        changed: dict[str, Any] = json.loads(text)
        return changed

    return change


def with_property(name: str, value: Any) -> Change:
    return lambda document: {**document, "properties": {name: value}}


STRANGE: dict[str, tuple[Change, str]] = {
    "snapshot_beyond_63_bits": (with_snapshot(HUGE_ID), "replayed"),
    "snapshot_beyond_64_bits": (with_snapshot(2**64), "unreadable_metadata"),
    "deep_name_mapping": (
        with_property("schema.name-mapping.default", "[" * 100_000),
        "replayed",
    ),
    "target_of_5000_digits": (
        with_property("write.target-file-size-bytes", "9" * 5_000),
        "replayed",
    ),
    "snapshot_is_a_list": (
        lambda document: {**document, "current-snapshot-id": [1]},
        "unreadable_metadata",
    ),
    "properties_are_a_list": (
        lambda document: {**document, "properties": [1]},
        "unreadable_metadata",
    ),
    "snapshot_that_is_not_there": (
        lambda document: {**document, "current-snapshot-id": 7},
        "unreadable_metadata",
    ),
}


def write_strange_tables(folder: Path) -> dict[str, Path]:
    """Metadata files of a healthy table, and of one for each of STRANGE."""
    found = {"healthy": write_table(folder)}
    for name, (change, _) in STRANGE.items():
        path = found["healthy"].with_name(f"{name}.metadata.json")
        path.write_text(json.dumps(change(json.loads(found["healthy"].read_text()))))
        found[name] = path
    return found


def check_outcomes(tables: dict[str, Path], runner: Runner) -> None:
    """Audits them all in one run: each has its own outcome."""
    result = audited(tables, runner)
    assert outcomes(result) == {
        "healthy": "replayed",
        **{name: outcome for name, (_, outcome) in STRANGE.items()},
    }
    assert result.run.causes_failed == {}
    assert result.run.tables_unmeasured == {}
    ids = {
        row["table"]: row["snapshot_id"]
        for row in result.scan_plans()
        if row["schema_id"] is not None
    }
    assert ids["snapshot_beyond_63_bits"] == HUGE_ID - 2**64
