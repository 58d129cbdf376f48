"""A sink that tests add."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from prunescope.audit_jobs.results.columns import Row
from prunescope.audit_jobs.sinks.run_rows import RunRows


@dataclass(frozen=True, slots=True)
class RunLines:
    """A Sink: a line for each run."""

    path: Path

    def publish(self, rows: RunRows) -> None:
        """See Sink."""
        self._tell(rows.run)

    def failed(self, run: Row) -> None:
        """See Sink."""
        self._tell(run)

    def _tell(self, run: Row) -> None:
        with self.path.open("a") as file:
            file.write(json.dumps([run["run_id"], run["status"]]) + "\n")
