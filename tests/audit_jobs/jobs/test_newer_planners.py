"""A run tells which queries were planned by the rules of an older version than theirs."""

from __future__ import annotations

from pathlib import Path

import pytest

from prunescope.audit_jobs.results.table_rows import run_row
from prunescope.audit_jobs.views.run_json import run_document
from prunescope.audit_jobs.views.run_text import print_run
from tests.audit_jobs.jobs.lakes import config_of, write_table
from tests.scenarios.lake import Query, audit

SQL = "SELECT count(*) FROM lake.db.t WHERE id > 1"


def test_queries_of_newer_planners_are_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    metadata = write_table(tmp_path, "t")
    asked = [
        Query(SQL, engine_version="9000"),
        Query(SQL, engine_version="9000-e.1"),
        Query(SQL, engine_version="400"),
        Query(SQL, engine_version="testversion"),
        Query(SQL, engine="spark", engine_version="4.1.0", iceberg_version="77.3.0"),
        Query(SQL, engine="hive", engine_version="9000"),
    ]
    result = audit({"t": str(metadata)}, asked)
    found = result.run.newer_planners
    by_name = {note.partition(" is newer")[0]: count for note, count in found.items()}
    assert by_name == {"trino 9000": 2, "Iceberg 77.3.0": 1}
    assert (
        dict(run_row(result)["newer_planners"]) == found == run_document(result)["newer_planners"]
    )
    print_run(result, config_of({"t": metadata}))
    shown = " ".join(capsys.readouterr().out.split())
    for note, count in (("trino 9000 is newer", "(2 queries)"), ("Iceberg 77", "(1 query)")):
        assert note in shown
        assert count in shown
