"""Reading advice back from the audit tables, beside what audits have seen since."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Mapping
from functools import partial
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from pyiceberg.catalog import Catalog

from audit_jobs.advice.advice_rows import ADVISED, KEEP, layout_of, promise_of
from audit_jobs.advice.promises import Followed, Kept, Name, Promise, Seen, followed
from audit_jobs.isolation import attempt
from audit_jobs.printing import tell
from audit_jobs.records import REPLAYED
from audit_jobs.results.scan_schemas import SCAN_PLANS
from audit_jobs.results.schemas import AUDIT_RUNS, LAYOUT_ADVICE, TABLE_HEALTH
from audit_jobs.sinks.published_rows import IS_VISIBLE, is_there, read_batches, read_rows
from collectors.errors import PrunescopeError

_TOLD = f"outcome in ('{ADVISED}', '{KEEP}')"
_NAME = ("catalog", "namespace", "table")
_LAYOUT = ("partition_fields", "sort_columns", "added_since")
_KEPT = ("bytes_kept", "bytes_total", "bytes_considered")


def read_followed(catalog: Catalog, namespace: str) -> tuple[Followed, ...]:
    """All advice so far and what became of it, the newest first; nothing where there is none.
    Raises NotAudited."""
    if not is_there(catalog, namespace, LAYOUT_ADVICE):
        return ()
    rows = read_rows(catalog, namespace, LAYOUT_ADVICE, _TOLD)
    promises = [found for found in map(promise_of, rows) if found is not None]
    if not is_there(catalog, namespace, AUDIT_RUNS):
        return followed(promises, {}, lambda *_: {})
    columns = ("run_id", "finished_at")
    runs = {
        row["run_id"]: row["finished_at"]
        for row in read_rows(catalog, namespace, AUDIT_RUNS, IS_VISIBLE, columns)
    }
    seen = _seen(catalog, namespace, promises, runs)
    return followed(promises, seen, partial(_kept, catalog, namespace, frozenset(runs)))


def earlier_advice(catalog: Catalog, namespace: str) -> tuple[Followed, ...]:
    """`read_followed`; nothing, and a warning, where it cannot be read."""
    found = attempt("reading earlier advice", read_followed, catalog, namespace)
    if isinstance(found, PrunescopeError):
        tell(f"what became of earlier advice is not known: {found}")
        return ()
    return found


def _seen(
    catalog: Catalog,
    namespace: str,
    promises: list[Promise],
    runs: Mapping[str, dt.datetime],
) -> dict[Name, list[Seen]]:
    """The tables for which there was advice, as visible audits saw them."""
    wanted = {promise.table for promise in promises}
    found: dict[Name, list[Seen]] = defaultdict(list)
    columns = ("run_id", *_NAME, *_LAYOUT)
    for row in read_rows(catalog, namespace, TABLE_HEALTH, "run_id is not null", columns):
        name = tuple(row[part] for part in _NAME)
        if name in wanted and row["run_id"] in runs:
            at = runs[row["run_id"]]
            found[name].append(Seen(at, layout_of(row), row["added_since"]))
    return found


def _kept(
    catalog: Catalog,
    namespace: str,
    runs: frozenset[str],
    table: Name,
    start: dt.datetime,
    end: dt.datetime,
) -> dict[str, Kept]:
    """What scans of visible audits kept, by shape of query: of a table, and of some time."""
    since, until = (moment.astimezone(dt.UTC).isoformat() for moment in (start, end))
    # Windows are what audit tables are partitioned by.
    where = (
        f"window_end > '{since}' and window_start < '{until}' and started_at >= '{since}' "
        f"and started_at < '{until}' and outcome = '{REPLAYED}'"
    )
    found: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
    columns = ("run_id", *_NAME, "fingerprint", *_KEPT)
    for batch in read_batches(catalog, namespace, SCAN_PLANS, where, columns):
        for row in _grouped(batch):
            if row["run_id"] in runs and tuple(row[part] for part in _NAME) == table:
                sums = found[row["fingerprint"]]
                for place, name in enumerate(("whole_count", "bytes_kept_sum", "whole_sum")):
                    sums[place] += row[name] or 0
    return {shape: Kept(*sums) for shape, sums in found.items()}


def _grouped(batch: pa.RecordBatch) -> list[dict[str, Any]]:
    """A row for each run, table and shape: of scans of which it is known what they keep of what."""
    rows = pa.Table.from_batches([batch])
    whole = pc.coalesce(rows["bytes_total"], rows["bytes_considered"])
    shape = pc.fill_null(rows["fingerprint"], "")
    rows = rows.select(["run_id", *_NAME, "bytes_kept"])
    rows = rows.append_column("fingerprint", shape).append_column("whole", whole)
    rows = rows.filter(pc.and_(pc.is_valid(rows["whole"]), pc.is_valid(rows["bytes_kept"])))
    aggregates = [("whole", "count"), ("bytes_kept", "sum"), ("whole", "sum")]
    grouped: list[dict[str, Any]] = (
        rows.group_by(["run_id", *_NAME, "fingerprint"]).aggregate(aggregates).to_pylist()
    )
    return grouped
