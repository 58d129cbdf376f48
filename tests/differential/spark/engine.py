"""Running a version of Spark that writes the tables and answers conditions (judge.py), and auditing
its event log."""

from __future__ import annotations

import datetime as dt
import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from prunescope.audit_jobs.config import load_config
from prunescope.audit_jobs.jobs.audit import read_inputs, run_audit
from prunescope.audit_jobs.planning.runner import LocalRunner
from prunescope.audit_jobs.records import Window
from prunescope.collectors.observed import TableName
from prunescope.collectors.tables.catalog import Table, open_metadata_file
from tests.differential.spark.comparison import Asked
from tests.differential.spark.conditions import Condition
from tests.differential.spark.tables import NAMES, statements
from tests.integration.audits import write_config

_PROGRAM = Path(__file__).with_name("judge.py")
_TIMEOUT = 1200
_EVERYTHING = Window(dt.datetime(2000, 1, 1, tzinfo=dt.UTC), dt.datetime(2100, 1, 1, tzinfo=dt.UTC))
_NUMBER = re.compile(r"/\* (\d+) \*/")


@dataclass(frozen=True)
class Judged:
    """What a Spark made of conditions, in a directory with its `warehouse` and its `events`: what
    it plans, and the errors of what it refuses."""

    directory: Path
    asked: Sequence[Asked]
    refused: Sequence[tuple[Condition, str]]

    def open(self, name: str) -> Table:
        """A table as it is now."""
        return open_metadata_file(str(self._metadata(name)), TableName("lake", ("db",), name))

    def audited(self) -> dict[int, Mapping[str, Any]]:
        """The rows of `scan_plans` of an audit of the log, by the number of what was asked."""
        config = load_config(
            write_config(
                self.directory,
                [{"type": "spark_event_logs", "paths": [str(self.directory / "events")]}],
                tables=[
                    {"name": f"lake.db.{name}", "metadata": str(self._metadata(name))}
                    for name in NAMES
                ],
            )
        )
        runner = LocalRunner()
        inputs = read_inputs(config, _EVERYTHING, runner)
        result = run_audit(config, _EVERYTHING, inputs, runner, lambda _: None)
        numbers = self._numbers()
        executions = ((str(row["query_id"]).rpartition("/")[2], row) for row in result.scan_plans())
        return {numbers[number]: row for number, row in executions if number in numbers}

    def _metadata(self, name: str) -> Path:
        folder = self.directory / "warehouse" / "db" / name / "metadata"
        return folder / f"v{(folder / 'version-hint.text').read_text().strip()}.metadata.json"

    def _numbers(self) -> dict[str, int]:
        """The number of what was asked, by the number of the execution in the log."""
        found = {}
        logs = (path for path in (self.directory / "events").rglob("*") if path.is_file())
        for line in (line for log in logs for line in log.read_text().splitlines()):
            if '"description":"/* ' in line:
                event = json.loads(line)
                number = _NUMBER.match(event["description"])
                if number is not None and "executionId" in event:
                    found[str(event["executionId"])] = int(number[1])
        return found


def judge(
    directory: Path, iceberg: Path, asked: Sequence[tuple[str, Condition]], spark: Path | None
) -> Judged:
    """What Spark makes of conditions on tables: the installed one, or that in a folder."""
    request = {
        "statements": list(statements()),
        "asked": [(table, found.sql, found.zone) for table, found in asked],
    }
    done = subprocess.run(
        [sys.executable, str(_PROGRAM), str(iceberg), str(directory)],
        input=json.dumps(request),
        capture_output=True,
        check=False,
        env=os.environ | ({} if spark is None else {"PYTHONPATH": str(spark)}),
        text=True,
        timeout=_TIMEOUT,
    )
    assert done.returncode == 0, done.stderr[-4000:]
    planned, refused = [], []
    for number, ((table, found), answer) in enumerate(
        zip(asked, json.loads(done.stdout), strict=True)
    ):
        if "filters" in answer:
            planned.append(
                Asked(number, table, found, answer["filters"], answer.get("counters", {}))
            )
        else:
            refused.append((found, answer["error"]))
    return Judged(directory, planned, refused)
