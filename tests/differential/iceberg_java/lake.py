"""Running the programs that write the tables, and that let a version of Iceberg plan scans of
them. Each is a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from prunescope.collectors.observed import TableName
from prunescope.collectors.tables.catalog import Table, open_metadata_file
from tests.differential.iceberg_java.filters import Filter, random_scan_filter
from tests.differential.iceberg_java.tables import TableCase
from tests.differential.iceberg_java.values import seeded

_HERE = Path(__file__).parent
_ROOT = _HERE.parents[2]
_TIMEOUT = 900
# Short programs gain nothing from optimised code. Iceberg's iterator over its worker pool sleeps
# for 10 ms whenever it finds no file yet.
_JAVA = (
    "java",
    "-XX:TieredStopAtLevel=1",
    "-XX:+UseSerialGC",
    "-Diceberg.scan.plan-in-worker-pool=false",
)


@dataclass(frozen=True)
class Answer:
    """What Iceberg says of one scan: its counters and the files of its tasks, or the exception
    that it `raises`."""

    table: str
    filter: Filter
    counters: Mapping[str, int]
    files: frozenset[str]
    raises: str | None


@dataclass(frozen=True)
class Lake:
    """Tables in a directory, as Spark's catalog of files lays them out."""

    directory: Path
    cases: Sequence[TableCase]

    def location(self, name: str) -> Path:
        """The directory of a table."""
        return self.directory / "warehouse" / "db" / name

    def open(self, name: str) -> Table:
        """A table as it is now."""
        metadata = self.location(name) / "metadata"
        version = (metadata / "version-hint.text").read_text().strip()
        return open_metadata_file(
            str(metadata / f"v{version}.metadata.json"), TableName("lake", ("db",), name)
        )


def write_lake(directory: Path, iceberg: Path, cases: Sequence[TableCase]) -> Lake:
    """Writes tables, with the Iceberg runtime for Spark in a JAR."""
    lake = Lake(directory, cases)
    warehouse = str(directory / "warehouse")
    program = "tests.differential.iceberg_java.write_tables"
    names = [case.name for case in cases]
    _run([sys.executable, "-m", program, str(iceberg), warehouse, *names])
    commands = directory / "commands.jsonl"
    write_lines(
        commands,
        (
            {"location": str(lake.location(case.name)), **command}
            for case in cases
            for command in case.commands
        ),
    )
    run_java(iceberg, "WriteTables.java", commands)
    return lake


def judge(lake: Lake, iceberg: Path, scans_per_table: int) -> list[Answer]:
    """The answers of a version of Iceberg on random scans of every table: the same for each."""
    requests, answers = lake.directory / "requests.jsonl", lake.directory / "answers.jsonl"
    wanted = [(case, _scans(case, scans_per_table)) for case in lake.cases]
    write_lines(
        requests,
        (
            {"name": case.name, "location": str(lake.location(case.name)), "scans": scans}
            for case, scans in wanted
        ),
    )
    run_java(iceberg, "Judge.java", requests, answers)
    filters = [scan["filter"] for _, scans in wanted for scan in scans]
    with answers.open() as lines:
        return [
            _answer(json.loads(line), filter_) for line, filter_ in zip(lines, filters, strict=True)
        ]


def _scans(case: TableCase, count: int) -> list[dict[str, Any]]:
    random_ = seeded(case.name)
    drawn = [random_scan_filter(random_, case.columns) for _ in range(count)]
    return [asdict(scan) for scan in (*case.scans, *drawn)]


def _answer(raw: Mapping[str, Any], filter_: Filter) -> Answer:
    return Answer(
        table=raw["table"],
        filter=filter_,
        counters=raw.get("counters", {}),
        files=frozenset(raw.get("files", ())),
        raises=raw.get("raises"),
    )


def write_lines(path: Path, values: Iterable[Mapping[str, Any]]) -> None:
    """A file of JSON lines."""
    with path.open("w") as lines:
        lines.writelines(json.dumps(value) + "\n" for value in values)


def class_path(iceberg: Path) -> str:
    """A version of Iceberg, with the classes of Hadoop that it needs."""
    import pyspark  # noqa: PLC0415  # only for where these are

    return f"{iceberg}:{Path(pyspark.__file__).parent}/jars/*"


def run_java(iceberg: Path, program: str, *arguments: Path) -> None:
    """Runs a program of this folder with a version of Iceberg."""
    _run([*_JAVA, "-cp", class_path(iceberg), str(_HERE / program), *map(str, arguments)])


def _run(command: list[str]) -> None:
    done = subprocess.run(
        command, cwd=_ROOT, capture_output=True, text=True, timeout=_TIMEOUT, check=False
    )
    assert done.returncode == 0, f"{command[:4]}: {done.stderr[-4000:]}"
