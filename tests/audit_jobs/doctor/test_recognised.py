"""What `prunescope doctor` recognises: logs of another type, another catalog's tables, places."""

from __future__ import annotations

import datetime as dt
import json
from pathlib import Path

import pytest
import yaml

from tests.audit_jobs.commands.test_init import TRINO
from tests.audit_jobs.doctor.test_doctor import DAY, LOG, NOW, Lake

pytestmark = pytest.mark.slow


@pytest.fixture
def lake(tmp_path: Path) -> Lake:
    return Lake(tmp_path)


def test_a_log_of_another_type_is_recognised_as_init_does(lake: Lake) -> None:
    lake.document["sources"] = [{"type": "trino_events", "paths": [str(lake.log)]}]
    check = lake.checks()["sources[0] trino_events"]
    assert check["state"] == "failed"
    assert check["remedy"] == f"{lake.log}: the file is SQL records: write type: sql_records"


def test_other_files_beside_a_log_are_recognised_as_init_does(lake: Lake) -> None:
    folder = lake.folder / "logs"
    folder.mkdir()
    lake.log.rename(folder / "sql.jsonl")
    (folder / "events.jsonl").write_text(json.dumps(TRINO))
    lake.document["sources"][0]["paths"] = [str(folder)]
    check = lake.checks()[LOG]
    assert check["state"] == "warning"
    assert check["remedy"].startswith(
        f"{folder}: 1 of 2 files are trino events: write type: trino_events, in a source of its own"
    )


def test_a_database_of_a_catalog_of_another_name_is_told(lake: Lake) -> None:
    lake.document["catalogs"] = {"other": lake.document["catalogs"]["lake"]}
    lake.document["audit"] = {"catalog": "other"}
    check = lake.checks()["catalog other"]
    assert check["state"] == "warning"
    assert "catalog 'lake', and of no other" in check["remedy"]
    assert "catalogs.lake in place of catalogs.other" in check["remedy"]
    assert "aliases: [other]" in check["remedy"]
    # As it is told, it works.
    lake.document["catalogs"] = {
        "lake": {"aliases": ["other"], **lake.document["catalogs"]["other"]}
    }
    lake.document["audit"] = {"catalog": "lake"}
    lake.write_log([("SELECT * FROM other.db.t WHERE id = 271828", NOW - DAY)])
    checks = lake.checks()
    del checks["secret"]  # there is none
    assert {check["state"] for check in checks.values()} <= {"ok", "skipped"}


def test_tables_that_came_to_lie_elsewhere_are_named(lake: Lake) -> None:
    lake.add("db.there", f"file://{lake.folder}/there")
    lake.add("db.moved", f"file://{lake.folder}/elsewhere/moved")
    checks = {name: c for name, c in lake.checks().items() if name.startswith("place")}
    assert {(name, c["state"], c["detail"].rpartition(": ")[2]) for name, c in checks.items()} == {
        (f"place {lake.folder}/there", "warning", "lake.db.there"),
        (f"place {lake.folder}/elsewhere/moved", "warning", "lake.db.moved"),
    }
    lines = [c["remedy"].rpartition("audit.yaml: ")[2] for c in checks.values()]
    allowed = [place for one in lines for place in yaml.safe_load(one)["locations"]["allow"]]
    lake.document["locations"] = {"allow": allowed}
    assert not [name for name in lake.checks() if name.startswith("place")]


def test_folders_side_by_side_are_one_place(lake: Lake) -> None:
    for number in range(60):
        lake.add(f"db.t{number}", f"file://{lake.folder}/other/db/t{number}")
    checks = lake.checks()
    assert "lists 61 tables" in checks["catalog lake"]["detail"]
    (place,) = (name for name in checks if name.startswith("place"))
    assert place == f"place {lake.folder}/other/db"
    assert checks[place]["detail"].startswith("60 tables have files here")


@pytest.mark.parametrize("ahead", [dt.timedelta(hours=1), dt.timedelta(days=30)])
def test_a_log_that_is_ahead_of_the_clock(lake: Lake, ahead: dt.timedelta) -> None:
    """A window that ends in the future would be refused."""
    now = dt.datetime.now(dt.UTC)
    lake.write_log([("SELECT * FROM lake.db.t WHERE id = 271828", now + ahead)])
    check = lake.checks()[LOG]
    assert check["state"] == "warning"
    assert check["remedy"].startswith("these times have not come yet by the clock of this machine")


def test_a_log_in_a_dialect_that_nobody_said(lake: Lake) -> None:
    text = "SELECT * EXCEPT (id) FROM `lake.db.t` WHERE id = 271828"
    lake.write_log([(text, NOW - DAY)])
    del lake.document["sources"][0]["engine"]
    assert "engine: bigquery" in lake.checks()[LOG]["remedy"]
    # As it is told, it works.
    lake.document["sources"][0]["engine"] = "bigquery"
    assert lake.checks()[LOG]["state"] == "ok"


def test_a_log_that_is_missing(lake: Lake) -> None:
    lake.log.unlink()
    check = lake.checks()[LOG]
    assert (check["state"], check["detail"]) == ("failed", "no query: 1 no_such_file")
    missing = f"{lake.log}: the path matches no file: {lake.folder} has no log.jsonl"
    assert check["remedy"] == missing
    (lake.folder / "logs.jsonl").touch()
    assert lake.checks()[LOG]["remedy"] == f"{missing}; did you mean logs.jsonl?"


def test_what_is_missing_beside_a_log_is_named(lake: Lake) -> None:
    lake.document["sources"][0]["paths"].append("/no/such/*.jsonl")
    check = lake.checks()[LOG]
    assert check["state"] == "warning"
    assert check["detail"].endswith("; not read: 1 no_such_file")
    assert check["remedy"].startswith("/no/such/*.jsonl: the path matches no file: / has no no; ")
