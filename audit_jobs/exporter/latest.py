"""The samples of the run of the newest window, from the audit tables."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pyiceberg.catalog import Catalog

from prunescope.audit_jobs.errors import NotAudited
from prunescope.audit_jobs.results.schemas import AUDIT_RUNS
from prunescope.audit_jobs.sinks.maintained_at import MAINTAINED_AT, maintenance_samples
from prunescope.audit_jobs.sinks.metric_samples import Sample, attempt_samples, run_samples
from prunescope.audit_jobs.sinks.published_run import read_run
from prunescope.audit_jobs.windows import has_passed

if TYPE_CHECKING:
    from pyiceberg.table import Table

_ATTEMPT_COLUMNS = ("finished_at", "status")
_ATTEMPTS = 3


@dataclass(frozen=True, slots=True)
class Latest:
    """The samples of the visible run of the newest window, with the status and the end of the run
    of any status that finished last, and the last maintenance; and the version of audit_runs with
    these facts."""

    version: tuple[int | None, str | None]
    samples: tuple[Sample, ...]


class LatestRun:
    """Reads the run of the newest window, and only if there is something new. `connect` loads the
    catalog."""

    def __init__(self, connect: Callable[[], Catalog], namespace: str, *, max_tables: int) -> None:
        self._connect = connect
        self._namespace = namespace
        self._max_tables = max_tables

    def read(self, known: Latest | None) -> Latest:
        """The samples of the visible run; `known` itself if nothing has changed since.

        Raises whatever stops it: catalogs and storage raise many kinds of errors.
        """
        catalog = self._connect()
        for _ in range(_ATTEMPTS):
            runs = self._runs(catalog)
            version = _version(runs)
            if known is not None and known.version == version:
                return known
            samples = self._samples(catalog, runs)
            # Rows of a run that was withdrawn in between may have been replaced half-way.
            if _version(self._runs(catalog)) == version:
                return Latest(version, samples)
        raise NotAudited(f"runs were published during each of {_ATTEMPTS} attempts to read one")

    def _runs(self, catalog: Catalog) -> Table:
        return catalog.load_table((*self._namespace.split("."), AUDIT_RUNS.name))

    def _samples(self, catalog: Catalog, runs: Table) -> tuple[Sample, ...]:
        rows = read_run(catalog, self._namespace, None)
        samples = run_samples(rows, max_tables=self._max_tables)
        attempts = runs.scan(selected_fields=_ATTEMPT_COLUMNS).to_arrow().to_pylist()
        now = dt.datetime.now(dt.UTC)
        # One by a clock that is ahead would be the last one until then.
        ended = [row for row in attempts if has_passed(row["finished_at"], now)] or [rows.run]
        of_last = attempt_samples(max(ended, key=lambda row: row["finished_at"]))
        replaced = {sample.metric for sample in of_last}
        kept = (sample for sample in samples if sample.metric not in replaced)
        return (*kept, *of_last, *maintenance_samples(runs))


def _version(runs: Table) -> tuple[int | None, str | None]:
    """A value that changes with the runs, and with the recorded maintenance."""
    return runs.metadata.current_snapshot_id, runs.properties.get(MAINTAINED_AT)
