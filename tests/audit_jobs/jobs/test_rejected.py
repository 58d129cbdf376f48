"""Inputs that could not be read, as a run names them."""

from __future__ import annotations

from pathlib import Path

from prunescope.audit_jobs.config import load_config
from tests.integration.audits import WINDOW, run_here, trino_event, write_config, write_lines


def test_a_run_names_the_first_few_of_each_reason(tmp_path: Path) -> None:
    event = trino_event("q", "SELECT 1")
    running = {**event, "metadata": {**event["metadata"], "queryState": "RUNNING"}}
    log = write_lines(tmp_path / "a.jsonl", ["{", "{", event, "{", "{", running])
    paths = [str(log), *(f"{tmp_path}/gone{number}.jsonl" for number in range(2))]
    config = load_config(write_config(tmp_path, [{"type": "trino_events", "paths": paths}]))

    run = run_here(config, WINDOW).run

    named = {(one.reason, one.location.removeprefix(f"{tmp_path}/")) for one in run.rejected}
    assert named == {
        *(("no_such_file", f"gone{number}.jsonl") for number in range(2)),
        *(("malformed_json", f"a.jsonl:{line}") for line in (1, 2, 4)),
        ("not_a_completed_query", "a.jsonl:6"),
    }
    assert run.queries["malformed_json"] == 4
