"""The window of `prunescope audit`, by its options."""

from __future__ import annotations

import datetime as dt
from contextlib import closing
from pathlib import Path
from typing import Any, NoReturn

import pytest
import yaml
from click.testing import CliRunner, Result
from pyiceberg.catalog.sql import SqlCatalog

from prunescope.audit_jobs.cli import main
from prunescope.audit_jobs.errors import SparkUnavailable
from prunescope.audit_jobs.jobs import runners
from prunescope.audit_jobs.records import Window
from prunescope.audit_jobs.sinks.audit_tables import publish
from tests.audit_jobs.sinks.results import DAY, MIDNIGHT, audit_result, replayed


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The properties of a catalog with audit tables of one day, which nothing here changes."""
    folder = tmp_path_factory.mktemp("published")
    properties = {"uri": f"sqlite:///{folder}/c.db", "warehouse": f"file://{folder}"}
    with closing(SqlCatalog("lake", **properties)) as catalog:
        publish(audit_result(replayed("a")), catalog, "audit")
    return {"type": "sql", **properties}


@pytest.fixture
def config(tmp_path: Path, published: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> Path:
    """Of an audit that ends where Spark would start."""

    def no_spark(_: object) -> NoReturn:
        raise SparkUnavailable("Spark is not started here")

    monkeypatch.setattr(runners, "open_spark_session", no_spark)
    document = {
        "catalogs": {"lake": {"properties": published}},
        "sources": [{"type": "trino_events", "paths": ["none"]}],
        "audit": {"catalog": "lake", "namespace": "audit"},
    }
    path = tmp_path / "audit.yaml"
    path.write_text(yaml.safe_dump(document))
    return path


def audit(config: Path, *arguments: str) -> Result:
    result = CliRunner().invoke(main, ["audit", "--config", str(config), *arguments])
    assert result.exit_code == 2
    assert "Traceback" not in result.output
    return result


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param(["--window", "2026-01-01/2100-01-01"], "is not over", id="not over"),
        pytest.param(["--window-start", "2100-01-01"], "is not over", id="not begun"),
        pytest.param(["--last", "1w"], "Use minutes, hours or days: 90m, 24h, 7d.", id="no length"),
        pytest.param(["--window", "monday"], "Invalid window 'monday'", id="no window"),
        pytest.param(["--today", "--zone", "Berlin"], "did you mean Europe/Berlin", id="no zone"),
        pytest.param(["--today", "--last", "1h"], "give one of --last, --today", id="two"),
        pytest.param(
            ["--window", "2026-03-10", "--window-end", "2026-03-11"], "give one of", id="three"
        ),
        pytest.param(
            ["--window-start", "2026-03-10", "--window-end", "2026-03-10"],
            "ends when it starts",
            id="empty",
        ),
    ],
)
def test_a_window_that_is_none_is_refused(config: Path, arguments: list[str], message: str) -> None:
    assert message in audit(config, *arguments).stderr


@pytest.mark.parametrize(
    ("section", "message"),
    [
        pytest.param(
            {"metrics": {"textfile": "/no/such/folder/x.prom"}},
            "metrics.textfile /no/such/folder/x.prom cannot be written: there is no directory",
            id="metrics",
        ),
        pytest.param(
            {"report": {"path": "/no/such/{window_start}.html"}},
            "report.path /no/such/2026-03-10.html cannot be written: there is no directory",
            id="report",
        ),
        pytest.param(
            {"audit": {"catalog": "lake", "namespace": "elsewhere"}},
            "audit tables cannot be written in catalog 'lake': creating the table",
            id="audit tables",
        ),
    ],
)
def test_an_audit_that_cannot_be_published_ends_before_it_begins(
    config: Path, section: dict[str, Any], message: str
) -> None:
    document = yaml.safe_load(config.read_text()) | section
    (config.parent / "file").write_text("")
    nowhere = {"warehouse": f"file://{config.parent}/file/w"}
    document["catalogs"]["lake"]["properties"] |= nowhere
    config.write_text(yaml.safe_dump(document))
    said = audit(config, "--window", "2026-03-10").stderr
    assert message in said
    assert "Spark" not in said


HALF = dt.timedelta(hours=12)


@pytest.mark.parametrize(
    ("window", "overlaps"),
    [
        pytest.param(Window(MIDNIGHT, MIDNIGHT + DAY), False, id="the same"),
        pytest.param(Window(MIDNIGHT - DAY, MIDNIGHT + DAY), False, id="within"),
        pytest.param(Window(MIDNIGHT - DAY, MIDNIGHT), False, id="beside"),
        pytest.param(Window(MIDNIGHT - HALF, MIDNIGHT + HALF), True, id="in part"),
        pytest.param(Window(MIDNIGHT, MIDNIGHT + HALF), True, id="around"),
    ],
)
def test_windows_that_overlap_are_told_before_anything_is_read(
    config: Path, window: Window, overlaps: bool
) -> None:
    text = f"{window.start.isoformat()}/{window.end.isoformat()}"
    said = audit(config, "--window", text).stderr
    assert ("overlaps this window" in said) is overlaps
    assert "overlaps" not in audit(config, "--window", text, "--replace-overlapping").stderr
    if overlaps:
        assert f"{window.start.isoformat()} to {window.end.isoformat()}" in said
