"""A real Trino in a process of its own, which Judge.groovy runs."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from prunescope.collectors.observed import TableName
from prunescope.collectors.tables.catalog import Table, open_metadata_file
from tests.jars import artefacts, packaged_java

VERSION = "483"
_ARTEFACTS = (
    f"io.trino:trino-testing:{VERSION}",
    f"io.trino:trino-main:{VERSION}",
    f"io.trino:trino-iceberg:{VERSION}",
    "org.apache.groovy:groovy:5.0.2",
)
# Trino wants Java 25 with the module jdk.incubator.vector.
_JAVA = ("arcadedb-embedded==26.10.2.post1", "arcadedb_embedded/jre/bin/java")
_OPTIONS = (
    "-Xmx2g",
    # Short programs gain nothing from optimised code.
    "-XX:TieredStopAtLevel=1",
    "-XX:+UseSerialGC",
    "--add-modules=jdk.incubator.vector",
    "--enable-native-access=ALL-UNNAMED",
    "--add-opens=java.base/java.nio=ALL-UNNAMED",
)
_PROGRAM = Path(__file__).with_name("Judge.groovy")

Domains = Mapping[str, Mapping[str, Any]]
"""By column (`st.x` is a field of a struct): its `type`, whether `nulls` are let through, and the
`ranges`, each a low bound, whether it is included, a high bound, whether it is included."""


class Refused(Exception):
    """Trino does not run a statement."""


@dataclass(frozen=True)
class Scan:
    """One scan as Trino plans it: the table, the files of its splits, the predicates that the
    connector took (None if it lets nothing through), the filter above the scan, the columns it
    reads, and the filters further up."""

    table: str
    files: tuple[str, ...]
    enforced: Domains | None
    unenforced: Domains | None
    filter: str | None
    filtered: frozenset[str]
    higher: tuple[str, ...] = ()


@dataclass(frozen=True)
class Trino:
    """A running Trino whose default catalog "lake" and schema "db" keep their tables in a
    directory."""

    process: subprocess.Popen[str]
    warehouse: Path

    def run(
        self, sql: str, *, zone: str = "UTC", settings: Mapping[str, str] | None = None
    ) -> list[list[str]]:
        """The rows of a statement's result, as text, with settings of the connector. Raises
        Refused."""
        asked = {"op": "run", "sql": sql, "zone": zone, "settings": settings}
        return list(self._ask(asked)["rows"])

    def event(self, sql: str, *, zone: str = "UTC") -> str:
        """Runs a statement: the JSON of its QueryCompletedEvent, in one line. Raises Refused."""
        answer = self._ask({"op": "run", "sql": sql, "zone": zone, "event": True})
        return json.dumps(json.loads(answer["event"]))

    def scans(self, sql: str, *, zone: str = "UTC") -> list[Scan]:
        """The scans of a query, which is planned and not run. Raises Refused."""
        found = self._ask({"op": "scans", "sql": sql, "zone": zone})["scans"]
        return [
            Scan(
                table=scan["table"],
                files=tuple(scan["files"]),
                enforced=scan["enforced"],
                unenforced=scan["unenforced"],
                filter=scan["filter"],
                filtered=frozenset(scan["filtered"]),
                higher=tuple(scan["higher"]),
            )
            for scan in found
        ]

    def guard(self, table: str, condition: str) -> None:
        """From now on, access control adds a condition to what reads a table."""
        self._ask({"op": "guard", "table": table, "condition": condition})

    def open(self, name: str) -> Table:
        """A table as it is now."""
        return open_metadata_file(
            self.metadata_location(name),
            TableName("lake", ("db",), name),
            path_map=(("local:///", f"{self.warehouse}/"),),
        )

    def metadata_location(self, name: str) -> str:
        """The newest metadata of a table, as Trino names it."""
        files = (self.warehouse / "db").glob(f"{name}-*/metadata/*.metadata.json")
        newest = max(files, key=lambda path: path.name)
        return f"local:///{newest.relative_to(self.warehouse)}"

    def _ask(self, request: Mapping[str, Any]) -> dict[str, Any]:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise AssertionError(f"Trino ended; see {self.warehouse.with_suffix('.log')}")
        answer: dict[str, Any] = json.loads(line)
        if "error" in answer:
            raise Refused(answer["cause"])
        return answer


@contextmanager
def running(directory: Path, require_program: Callable[[str], Path]) -> Iterator[Trino]:
    """A Trino with an empty warehouse in the directory, and its log beside it."""
    jars = artefacts(f"trino-{VERSION}", _ARTEFACTS, require_program)
    java = packaged_java(*_JAVA)
    warehouse = directory / "warehouse"
    warehouse.mkdir()
    program = ("groovy.ui.GroovyMain", str(_PROGRAM), str(warehouse))
    command: Sequence[str] = (str(java), *_OPTIONS, "-cp", f"{jars}/*", *program)
    with (
        warehouse.with_suffix(".log").open("w") as log,
        subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True
        ) as process,
    ):
        try:
            yield Trino(process, warehouse)
        finally:
            assert process.stdin is not None
            process.stdin.close()
            try:
                process.wait(timeout=30)
            except subprocess.TimeoutExpired:
                process.kill()
