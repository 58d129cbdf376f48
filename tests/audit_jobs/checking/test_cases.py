"""Places and fixes of findings in files as people write them (tests/data/check/cases.yaml)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import pytest
import sqlglot
import yaml

from prunescope.audit_jobs.findings.model import Severity
from prunescope.audit_jobs.jobs.check import Asked, Check, run_check
from prunescope.collectors.queries.sql_files import SqlSession, find_sql_files
from tests.audit_jobs.checking.lake import rows

CASES: list[dict[str, Any]] = yaml.safe_load(
    (Path(__file__).parents[2] / "data/check/cases.yaml").read_text()
)
ENGINES = sorted({case.get("engine", "spark-4.1") for case in CASES})
CAUSES = {cause for case in CASES for cause, *_ in case["findings"]}
"""Causes of conditions: what the layout loses in all files together is no matter here."""
OF_COUNTS = re.compile(r"(WITH|SELECT)\b", re.IGNORECASE)

pytestmark = pytest.mark.slow


@dataclass(frozen=True)
class Checked:
    """What was found in the files of a folder."""

    folder: Path
    check: Check

    def places(self, name: str) -> list[list[Any]]:
        """Causes, regions, and whether there is a fix, of the findings on conditions of a file."""
        return [
            [
                entry.finding.cause,
                f"{place.line}:{place.column}-{place.end_line}:{place.end_column}",
                place.replacement is not None,
            ]
            for entry in self.check.entries
            for place in entry.places
            if place.file == name and entry.finding.cause in CAUSES
        ]

    def changes(self) -> dict[str, tuple[str, str]]:
        """Files before and after the edits."""
        return {each.file.name: (each.before, each.after) for each in self.check.edited}


def checked(config: Path, folder: Path, engine: str) -> Checked:
    name, version = engine.split("-")
    session = SqlSession(name, name, version, "999")
    files = find_sql_files(folder)
    return Checked(folder, run_check(config, files, Asked(session), progress=lambda _: None))


@pytest.fixture(scope="module")
def found(monthly_lake: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Checked]:
    """What is found in the cases of each engine."""
    all_ = {}
    for engine in ENGINES:
        folder = tmp_path_factory.mktemp(engine)
        for case in CASES:
            if case.get("engine", "spark-4.1") == engine:
                text = case["text"].replace("\n", "\r\n") if case.get("crlf") else case["text"]
                (folder / f"{case['id']}.sql").write_bytes(text.encode())
        all_[engine] = checked(monthly_lake, folder, engine)
    return all_


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_a_case(case: dict[str, Any], found: dict[str, Checked]) -> None:
    of_engine = found[case.get("engine", "spark-4.1")]
    name = f"{case['id']}.sql"
    outcomes = {file.path: file.outcome for file in of_engine.check.files}
    assert outcomes[name] == case.get("outcome", "replayed")
    assert of_engine.places(name) == case["findings"]
    failed = name in {file.path for file in of_engine.check.failed}
    high = {
        place.file
        for entry in of_engine.check.at_least(Severity.HIGH)
        for place in entry.places
        if entry.finding.cause in CAUSES
    }
    assert int(failed or name in high) == case["exit"]
    change = of_engine.changes().get(name)
    assert (change is not None) == any(is_fixed for *_, is_fixed in case["findings"])
    if "fixed" in case:
        assert change is not None
        assert change[1] == case["fixed"]


def test_line_ends_and_marks_stay(found: dict[str, Checked]) -> None:
    changes = found["spark-4.1"].changes()
    before, after = changes["crlf.sql"]
    assert after.count("\r\n") == before.count("\r\n") == after.count("\n")
    assert changes["byte_order_mark_is_no_column.sql"][1].startswith("\ufeffSELECT")


def test_edits_select_the_same_rows_and_there_are_none_afterwards(
    monthly_lake: Path, found: dict[str, Checked], tmp_path: Path
) -> None:
    with duckdb.connect() as db:
        db.sql("CREATE SCHEMA web")
        db.register("all_rows", rows())
        db.sql("CREATE TABLE web.events AS SELECT * FROM all_rows")
        compared = 0
        for name, (before, after) in found["spark-4.1"].changes().items():
            (tmp_path / name).write_bytes(after.encode())
            if "SELEC " in before:
                continue
            for old, new in zip(statements(before), statements(after), strict=True):
                if OF_COUNTS.match(old):
                    assert db.sql(old).fetchall() == db.sql(new).fetchall(), name
                    compared += 1
    assert compared > 20
    again = checked(monthly_lake, tmp_path, "spark-4.1")
    assert again.changes() == {}
    wrapped = {
        place.file
        for entry in again.check.entries
        for place in entry.places
        if entry.finding.cause == "wrapped_column"
    }
    assert wrapped == set()


def statements(text: str) -> list[str]:
    """The statements of a text of Spark as DuckDB's."""
    parsed = sqlglot.parse(text.lstrip("\ufeff"), read="spark")
    return [each.sql("duckdb") for each in parsed if each is not None]
