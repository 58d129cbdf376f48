"""Whatever tables, columns, files and queries are called, no output obeys it."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from prometheus_client import generate_latest

from prunescope.audit_jobs.cli import main
from prunescope.audit_jobs.config import validate_config
from prunescope.audit_jobs.errors import GateClosed
from prunescope.audit_jobs.findings.entries import FileOutcome, entries
from prunescope.audit_jobs.findings.model import Finding
from prunescope.audit_jobs.findings.rows import finding_row
from prunescope.audit_jobs.jobs.check import Check
from prunescope.audit_jobs.printing import print_json, tell
from prunescope.audit_jobs.results.answers import failed_answer
from prunescope.audit_jobs.results.result import AuditResult
from prunescope.audit_jobs.sinks import metric_catalogue as catalogue
from prunescope.audit_jobs.sinks.metric_samples import run_samples
from prunescope.audit_jobs.sinks.prometheus import registry
from prunescope.audit_jobs.sinks.run_rows import rows_of
from prunescope.audit_jobs.views.answer_text import print_answer
from prunescope.audit_jobs.views.finding_lists import print_check
from prunescope.audit_jobs.views.run_text import print_run
from prunescope.audit_jobs.views.sarif import sarif
from prunescope.audit_jobs.views.stages import stages
from prunescope.collectors.observed import TableName
from tests.audit_jobs.sinks.results import FOUND, audit_result, replayed

HOSTILE = "x\x1b]0;owned\x07\x1b[2J\x9b31m\rsucceeded\u202e\u2066\nprunescope: all is well"
# Styles of our own, which a terminal gets.
_STYLES = re.compile(r"\r?\x1b\[[0-9;?]*[mhlAK]")
_OBEYED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u2028\u2029]")

TABLE = TableName(HOSTILE, (HOSTILE,), HOSTILE)
CONFIG = validate_config(
    {
        "catalogs": {"lake": {}},
        "sources": [{"type": "trino_events", "paths": ["none"]}],
        "audit": {"catalog": "lake"},
    },
    "test",
)


def hostile_finding() -> Finding:
    return replace(
        FOUND,
        table=TABLE,
        sentence=f"A function on {HOSTILE} is not sargable.",
        conjunct=f"{HOSTILE} = ?",
        columns=(HOSTILE,),
        fix=replace(FOUND.fix, rewrite=HOSTILE, advice=HOSTILE, spark=(HOSTILE,)),
        evidence={"fields": [HOSTILE], HOSTILE: 1},
        suppressed=None,
    )


def hostile_run() -> AuditResult:
    result = audit_result(replayed("a", TABLE), findings=(hostile_finding(),))
    return replace(result, run=replace(result.run, tables_failed={HOSTILE: HOSTILE}))


def assert_plain(printed: str) -> None:
    assert "owned" in printed
    rest = _STYLES.sub("", printed)
    assert _OBEYED.findall(rest) == []
    assert not re.search(r"^prunescope: all is well", rest, re.MULTILINE)


@pytest.fixture(params=[False, True], ids=["pipe", "terminal"])
def screen(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param:
        monkeypatch.setenv("FORCE_COLOR", "1")
        monkeypatch.setenv("COLUMNS", "400")


@pytest.mark.usefixtures("screen")
class TestTerminal:
    """On a screen and in a pipe."""

    def test_a_run(self, capsys: pytest.CaptureFixture[str]) -> None:
        print_run(hostile_run(), CONFIG)
        assert_plain(capsys.readouterr().out)

    @pytest.mark.parametrize("details", [False, True])
    def test_a_check(self, capsys: pytest.CaptureFixture[str], *, details: bool) -> None:
        found = tuple(replace(e, files=(HOSTILE,)) for e in entries([hostile_finding()]))
        print_check(Check((FileOutcome(HOSTILE, "odd", HOSTILE),), found), details=details)
        assert_plain(capsys.readouterr().out)

    def test_an_answer(self, capsys: pytest.CaptureFixture[str]) -> None:
        answer = failed_answer(None, None, "table_not_found", HOSTILE)
        print_answer({**answer, "table": HOSTILE})
        assert_plain(capsys.readouterr().out)

    def test_progress(self, capsys: pytest.CaptureFixture[str]) -> None:
        with stages(2) as announce:
            announce(HOSTILE)
        assert_plain(capsys.readouterr().err)

    def test_messages(self, capsys: pytest.CaptureFixture[str]) -> None:
        tell(GateClosed([HOSTILE]))
        assert_plain(capsys.readouterr().err)


def test_a_file_that_cannot_be_read_is_named_plainly(tmp_path: Path) -> None:
    config = str(tmp_path / "no\x1b]0;owned\x07.yaml")
    answer = CliRunner().invoke(main, ["findings", "--config", config])
    assert answer.exit_code == 2
    assert_plain(answer.output)


@pytest.mark.parametrize("indent", [None, 2])
def test_json_is_plain_and_exact(capsys: pytest.CaptureFixture[str], indent: int | None) -> None:
    document = finding_row("key", 1, hostile_finding())
    print_json(document, indent=indent)
    printed = capsys.readouterr().out
    assert_plain(printed)
    assert json.loads(printed) == document


def test_sarif_tells_names_plainly_to_its_viewers() -> None:
    outcome = FileOutcome("a.sql", "odd", HOSTILE)
    document = sarif(entries([hostile_finding()]), {"a.sql": Path("a.sql")}, [outcome])
    assert_plain("\n".join(texts(document)))


def texts(value: Any) -> list[str]:
    match value:
        case str():
            return [value]
        case dict():
            return [text for inner in value.values() for text in texts(inner)]
        case list():
            return [text for inner in value for text in texts(inner)]
    return []


def test_metrics_have_plain_labels() -> None:
    samples = run_samples(rows_of(hostile_run()), max_tables=9)
    assert_plain(generate_latest(registry(samples, catalogue.OF_A_JOB, "lake")).decode())
