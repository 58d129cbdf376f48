"""Commands end in time, and say what to do, whatever their catalog answers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from prunescope.audit_jobs.cli import main
from prunescope.audit_jobs.secret import VARIABLE
from tests.collectors.tables.odd_rest_catalog import (
    CONFIG,
    LISTED,
    NAMESPACES,
    TABLE,
    Answer,
    odd_catalog,
)

pytestmark = pytest.mark.slow

LIMIT = 1.0
"""Seconds that a catalog has to answer, in place of those of a file."""

RUNS = "/v1/namespaces/pruning_audit/tables/audit_runs"
NEVER = Answer(pause=60)
"""Whoever waits for it for so long is told something else."""
DRIP = Answer(body=[0] * 999, pause=0.1)
HTML = Answer(body=b"<html>SECRET</html>")

COMMANDS = {
    "explain": (["explain", "lake.db.t", "--where", "id = 1"], 2),
    "tables": (["tables"], 2),
    "check": (["check", "--sql-dir", "FOLDER/sql"], 1),
    "findings": (["findings"], 2),
    "report": (["report", "--output", "FOLDER/x.html"], 2),
    "doctor": (["doctor", "--no-spark"], 1),
    "maintain": (["maintain"], 2),
}


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """No wait, and none for an answer, is as long as it is at night."""
    monkeypatch.setattr("prunescope.collectors.tables.catalog.FILE_SECONDS", LIMIT)
    monkeypatch.setattr("prunescope.collectors.tables.catalog_patience.FIRST_WAIT", 0.01)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """With a log and a file of SQL that read the table."""
    record = {"sql": "SELECT * FROM lake.db.t WHERE id = 1", "started_at": "2026-03-10T10:00:00Z"}
    (tmp_path / "log.jsonl").write_text(json.dumps(record))
    (tmp_path / "sql").mkdir()
    (tmp_path / "sql" / "a.sql").write_text(record["sql"])
    return tmp_path


def run(folder: Path, uri: str, arguments: list[str]) -> tuple[Result, str]:
    """How a command ends, and what it said without the ends of its lines."""
    properties = {"type": "rest", "uri": uri, "token": "TOKEN"}
    document = {
        "catalogs": {"lake": {"properties": properties}},
        "sources": [{"type": "sql_records", "paths": [str(folder / "log.jsonl")]}],
        "audit": {"catalog": "lake"},
    }
    config = folder / "audit.yaml"
    config.write_text(json.dumps(document))
    command, *options = (one.replace("FOLDER", str(folder)) for one in arguments)
    result = CliRunner().invoke(main, [command, "--config", str(config), *options])
    return result, "".join(result.output.split())


OPENING = {
    "never": (NEVER, "didnotanswerwithin1s"),
    "drip": (DRIP, "didnotanswerwithin1s"),
    "html": (HTML, "itsanswerisnotthatofaRESTcatalog"),
}


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("odd", [*OPENING, "refused", "no-tls"])
def test_catalogs_that_do_not_open(folder: Path, command: str, odd: str) -> None:
    arguments, code = COMMANDS[command]
    answer, told = OPENING.get(odd, (NEVER, ""))
    with odd_catalog({CONFIG: answer}) as catalog:
        uri = catalog.uri
        if odd == "refused":
            uri, told = "http://127.0.0.1:1", "theconnectionwasrefused:isitrunning"
        if odd == "no-tls":
            uri, told = uri.replace("http:", "https:"), "itdoesnotspeakTLS:writehttp://"
        result, said = run(folder, uri, arguments)
    assert result.exit_code == code, result.output
    assert told in said
    assert "lake" in said
    assert "SECRET" not in said.replace(VARIABLE, "")
    assert "TOKEN" not in said


OPENED = {
    "never": (NEVER, ("notanswer", "didnotreturn")),
    "drip": (DRIP, ("notanswer", "didnotreturn")),
    "html": (HTML, ("itsanswerisnotthatofaRESTcatalog",)),
}


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("odd", OPENED)
def test_catalogs_that_open_and_no_more(folder: Path, command: str, odd: str) -> None:
    arguments, code = COMMANDS[command]
    answer, told = OPENED[odd]
    answers: dict[str, Any] = dict.fromkeys((LISTED, NAMESPACES, TABLE.format("t"), RUNS), answer)
    for table in ("findings", "scan_plans", "conjuncts", "table_health", "layout_advice"):
        answers[RUNS.replace("audit_runs", table)] = answer
    answers["/v1/namespaces/pruning_audit"] = answer
    with odd_catalog(answers) as catalog:
        result, said = run(folder, catalog.uri, arguments)
    # Each audit table is tried where each is answered.
    code = 1 if (command, odd) == ("maintain", "html") else code
    assert result.exit_code == code, result.output
    assert any(words in said for words in told), result.output
    assert "SECRET" not in said.replace(VARIABLE, "")
