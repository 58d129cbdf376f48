"""A lake of which advice is published, and audited on a day after that."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

import yaml
from click.testing import CliRunner
from pyiceberg.catalog.sql import SqlCatalog

from audit_jobs.cli import main
from audit_jobs.config import load_config
from audit_jobs.jobs.nightly import run_nightly
from audit_jobs.planning.items import Runner
from audit_jobs.planning.runner import LocalRunner
from audit_jobs.records import Window

START = dt.datetime(2026, 3, 1, tzinfo=dt.UTC)
LATER = dt.datetime.combine(
    dt.datetime.now(dt.UTC).date() + dt.timedelta(days=2), dt.time(), dt.UTC
)
"""A day that begins after the test ends: scans count from the audit that saw a layout."""
DAY = dt.timedelta(days=1)


@contextmanager
def in_process(*_: object) -> Iterator[Runner]:
    yield LocalRunner()


class AdvisedLake:
    """A lake, and a log of it: of twenty days from START on, and of the day from LATER on. Some of
    its `tables` may be of no catalog."""

    def __init__(self, folder: Path, tables: Mapping[str, str] | None = None) -> None:
        self.folder, self.config = folder, folder / "audit.yaml"
        properties = {
            "type": "sql",
            "uri": f"sqlite:///{folder}/catalog.db",
            "warehouse": f"file://{folder}/warehouse",
        }
        self.catalog = SqlCatalog("lake", **properties)
        self.catalog.create_namespace("db")
        self._document: dict[str, Any] = {
            "catalogs": {"lake": {"properties": properties}},
            "audit": {"catalog": "lake", "namespace": "ops"},
            "sources": [
                {
                    "type": "sql_records",
                    "paths": [str(folder / "log.jsonl")],
                    "dialect": "trino",
                    "engine": "trino",
                }
            ],
            "report": {"path": str(folder / "report.html")},
            "advice": {"days": 7},
        }
        self.has(tables or {})

    def has(self, tables: Mapping[str, str]) -> None:
        """Has tables by their metadata files, whatever the catalog has."""
        named = [{"name": name, "metadata": metadata} for name, metadata in tables.items()]
        self.config.write_text(yaml.safe_dump({**self._document, "tables": named}))

    @property
    def page(self) -> str:
        """The last report."""
        return (self.folder / "report.html").read_text()

    def asked(self, queries: Sequence[tuple[str, dt.datetime]]) -> None:
        """Writes the log: each query, and when it started."""
        lines = [
            json.dumps({"sql": sql, "query_id": f"q{number}", "started_at": f"{at:%FT%TZ}"})
            for number, (sql, at) in enumerate(queries)
        ]
        self.folder.joinpath("log.jsonl").write_text("\n".join(lines))

    def advise(self, *arguments: str) -> dict[str, Any]:
        """What is advised from the twenty days."""
        window = ("--window", "2026-03-01/2026-03-21")
        result = CliRunner().invoke(
            main, ["advise", "--config", str(self.config), *window, "--json", *arguments]
        )
        assert result.exit_code == 0, result.output
        found: dict[str, Any] = json.loads(result.stdout)
        return found

    def kept(self) -> list[dict[str, Any]]:
        """The rows of layout_advice."""
        table = self.catalog.load_table("ops.layout_advice")
        rows: list[dict[str, Any]] = table.scan().to_arrow().to_pylist()
        return sorted(rows, key=lambda row: (row["advised_at"], row["table"]))

    def followed(self, kind: str) -> dict[str, Any]:
        """What became of the one piece of advice of a kind."""
        (found,) = (one for one in self.advise()["earlier"]["advice"] if one["kind"] == kind)
        assert isinstance(found, dict)
        return found

    def audit(self) -> None:
        """Audits the day, and advises again."""
        window = Window(LATER, LATER + DAY)
        with patch("audit_jobs.jobs.nightly.require_passed"):  # nobody waits for that day
            run_nightly(load_config(self.config), window, lambda _: None, open_runner=in_process)
