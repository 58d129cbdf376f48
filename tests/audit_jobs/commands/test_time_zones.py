"""The zone of the session in which `explain` and `check` take a query to run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from click.testing import CliRunner, Result
from pyiceberg.catalog.sql import SqlCatalog

from prunescope.audit_jobs.cli import main
from prunescope.audit_jobs.jobs.check import Asked, NoSqlFiles

_MIDNIGHT = 20_500 * 86_400_000_000
"""Of a day, in UTC."""
_AT_MIDNIGHT = "at = TIMESTAMP '2026-02-16 00:00:00'"


@pytest.fixture(scope="module")
def metadata(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Two files of one instant each: a midnight of Kathmandu, and that of UTC, which comes after
    it."""
    folder = tmp_path_factory.mktemp("lake")
    catalog = SqlCatalog("lake", uri=f"sqlite:///{folder}/catalog.db", warehouse=f"file://{folder}")
    catalog.create_namespace("db")
    instants = [_MIDNIGHT - (5 * 60 + 45) * 60_000_000, _MIDNIGHT]
    kind = pa.timestamp("us", "UTC")
    created = catalog.create_table("db.t", pa.schema([("at", kind)]))
    for instant in instants:
        created.append(pa.table({"at": pa.array([instant], kind)}))
    return created.metadata_location.removeprefix("file://")


def explain(metadata: str, *arguments: str) -> Result:
    return CliRunner().invoke(main, ["explain", "--metadata", metadata, *arguments])


def predicates(result: Result) -> list[Any]:
    answers = map(json.loads, result.stdout.splitlines())
    return [(answer["predicate"], answer["data_files"]["kept"]) for answer in answers]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ((), "2026-02-16 00:00:00 UTC"),
        (("--time-zone", "Asia/Kathmandu"), "2026-02-15 18:15:00 UTC"),
        (("--time-zone", "+05:45"), "2026-02-15 18:15:00 UTC"),
    ],
)
def test_times_are_those_of_the_session(
    metadata: str, options: tuple[str, ...], expected: str
) -> None:
    ((predicate, kept),) = predicates(
        explain(metadata, "--json", "--where", _AT_MIDNIGHT, *options)
    )
    assert expected in predicate
    assert kept == 1


def test_lines_of_a_where_file_have_their_own(metadata: str, tmp_path: Path) -> None:
    lines = [
        {"where": _AT_MIDNIGHT},
        {"where": _AT_MIDNIGHT, "time_zone": "UTC"},
        {"where": _AT_MIDNIGHT, "time_zone": "Mars/Olympus"},
        {"where": _AT_MIDNIGHT, "time_zone": 5},
    ]
    path = tmp_path / "questions.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)))
    found = explain(metadata, "--where-file", str(path), "--time-zone", "Asia/Kathmandu")
    answers = [json.loads(line) for line in found.stdout.splitlines()]
    assert [answer["outcome"] for answer in answers] == [
        *("replayed", "replayed", "malformed_question", "malformed_question")
    ]
    assert "18:15" in answers[0]["predicate"]
    assert "00:00:00 UTC" in answers[1]["predicate"]
    assert "Europe/Berlin" in answers[2]["message"]


def test_one_that_is_none_is_told(metadata: str) -> None:
    found = explain(metadata, "--where", _AT_MIDNIGHT, "--time-zone", "Mars/Olympus")
    assert found.exit_code == 2
    assert (
        "'Mars/Olympus' is no time zone; write one such as Europe/Berlin or +02:00" in found.output
    )


@pytest.mark.parametrize("zone", ["UTC", "Asia/Kathmandu"])
def test_files_of_a_check_have_it(
    zone: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Asked] = []
    (tmp_path / "a.sql").touch()

    def checked(_config: Path, _files: object, what: Asked, **_: object) -> None:
        asked.append(what)
        raise NoSqlFiles("seen")

    monkeypatch.setattr("prunescope.audit_jobs.jobs.check.run_check", checked)
    given = ["--time-zone", zone] if zone != "UTC" else []
    found = CliRunner().invoke(main, ["check", "--sql-dir", str(tmp_path), *given])
    assert found.exit_code == 2
    assert [what.session.time_zone for what in asked] == [zone]
    assert [what.is_zone_certain for what in asked] == [bool(given)]
