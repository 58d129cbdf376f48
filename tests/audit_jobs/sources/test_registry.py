"""A source is a module and a line."""

from __future__ import annotations

import datetime as dt
import json
from pathlib import Path

import pytest
import yaml

from prunescope.audit_jobs.config import validate_config
from prunescope.audit_jobs.sources.registry import BY_TYPE, SOURCES
from prunescope.audit_jobs.sources.source import Log
from prunescope.collectors.observed import ObservedQuery, Rejected
from prunescope.collectors.storage.files import Storage
from tests.additions import Additions
from tests.audit_jobs.jobs.lakes import WINDOW
from tests.audit_jobs.sources import tabbed


@pytest.fixture(scope="module")
def added(tmp_path_factory: pytest.TempPathFactory) -> Additions:
    """The code with one more source, and a log of it."""
    added = Additions.within(tmp_path_factory.mktemp("added"))
    added.module("audit_jobs/sources/tabbed.py", Path(__file__).with_name("tabbed.py"))
    added.lines(
        "audit_jobs/sources/registry.py",
        ("    sql_records,\n", "    tabbed,\n"),
        ("    sql_records.SOURCE,\n", "    tabbed.SOURCE,\n"),
    )
    moment = dt.datetime.now(dt.UTC) - dt.timedelta(hours=1)
    query = f"{moment.isoformat()}\tSELECT * FROM lake.s.t WHERE k = 1"
    (added.folder / "queries.tsv").write_text(f"{query}\nnothing\n")
    return added


def doctor(added: Additions, **section: str) -> tuple[list[dict[str, str]], str]:
    """What `doctor` finds with a configuration that has the source, and what it complains of."""
    properties = {
        "type": "sql",
        "uri": f"sqlite:///{added.folder}/catalog.db",
        "warehouse": f"file://{added.folder}/warehouse",
    }
    document = {
        "catalogs": {"lake": {"properties": properties}},
        "sources": [{"type": "tabbed", "paths": ["queries.tsv"]} | section],
        "audit": {"catalog": "lake"},
    }
    (added.folder / "audit.yaml").write_text(yaml.safe_dump(document))
    ran = added.runs(
        "-m", "prunescope.audit_jobs.cli", "doctor", "--last", "2d", "--no-spark", "--json"
    )
    return [json.loads(line) for line in ran.stdout.splitlines()], ran.stderr


@pytest.mark.slow
def test_a_source_is_a_value_and_a_line(added: Additions) -> None:
    """Its section is one of the configuration, and its logs are read."""
    checks, _ = doctor(added)
    (log,) = (check for check in checks if check["name"] == "sources[0] tabbed")
    assert log["detail"].startswith("1 query of the last 2 days: 1 of trino, ")
    assert log["detail"].endswith("1 on tables of the configured catalogs; not read: 1 missing_sql")
    _, complaint = doctor(added, dialct="spark")
    assert "sources[0].dialct: there is no such key; did you mean dialect?" in complaint


def test_no_line_of_such_a_log_stops_the_others(tmp_path: Path) -> None:
    """As its reader is one to copy."""
    log = tmp_path / "queries.tsv"
    log.write_bytes(b"\n".join([b"soon\tSELECT 1", b"nothing", b"\xff\t\xff", b"\tSELECT \xff"]))
    section = tabbed.Tabbed(type="tabbed", paths=(str(log),))
    read = tabbed.SOURCE.read(Log(section.paths, section), Storage(), WINDOW, lambda _: None)
    told = [each.sql if isinstance(each, ObservedQuery) else each for each in read]
    reasons = [each.reason if isinstance(each, Rejected) else each for each in told]
    assert reasons == ["malformed_record", "missing_sql", "malformed_record", "SELECT \ufffd"]


@pytest.mark.slow
def test_init_recognises_what_is_registered(added: Additions) -> None:
    catalog = ("--catalog-type", "rest", "--uri", "http://catalog", "--no-probe")
    logs = ("--logs", "queries.tsv", "--output", "new.yaml")
    ran = added.runs("-m", "prunescope.audit_jobs.cli", "init", *catalog, *logs)
    assert ran.returncode == 0, ran.stderr
    written = yaml.safe_load((added.folder / "new.yaml").read_text())
    assert [source["type"] for source in written["sources"]] == ["tabbed"]


def test_a_configuration_may_have_every_source() -> None:
    assert len(BY_TYPE) == len(SOURCES)
    document = {
        "catalogs": {"lake": {}},
        "sources": [{"type": each.type, "paths": ["x"]} for each in SOURCES],
        "audit": {"catalog": "lake"},
    }
    sections = [type(section) for section in validate_config(document, "here").sources]
    assert sections == [each.section for each in SOURCES]
