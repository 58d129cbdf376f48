"""Reading advice back from the audit tables, beside what audits have seen since."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from pyiceberg.catalog import Catalog

from audit_jobs.advice.advice_rows import PROMISING, layout_of, promises_of
from audit_jobs.advice.beyond import CouldSkip
from audit_jobs.advice.promises import Followed, Kept, Kind, Name, Promise, Seen, followed
from audit_jobs.isolation import attempt
from audit_jobs.printing import tell
from audit_jobs.records import REPLAYED
from audit_jobs.results.advice_schema import LAYOUT_ADVICE
from audit_jobs.results.columns import NAME
from audit_jobs.results.scan_schemas import SCAN_PLANS
from audit_jobs.results.schemas import AUDIT_RUNS, TABLE_HEALTH
from audit_jobs.sinks.published_rows import IS_VISIBLE, is_there, read_batches, read_rows
from collectors.errors import PrunescopeError

_TOLD = f"outcome in {PROMISING}"
_LAYOUT = (
    *("partition_fields", "sort_columns", "written_row_group_bytes", "written_bloom_filters"),
    *("added_since", "listed_since"),
)
_BYTES = ("bytes_kept", "bytes_total", "bytes_considered")
_KEPT = {
    Kind.LAYOUT: _BYTES,
    Kind.INSIDE: (*_BYTES, "row_groups_kept", "row_groups_considered"),
    Kind.MANIFESTS: ("manifests_kept", "manifests_total"),
}


def read_followed(catalog: Catalog, namespace: str) -> tuple[Followed, ...]:
    """All advice so far and what became of it, the newest first; nothing where there is none.
    Raises NotAudited."""
    if not is_there(catalog, namespace, LAYOUT_ADVICE):
        return ()
    rows = read_rows(catalog, namespace, LAYOUT_ADVICE, _TOLD)
    promises = [promise for row in rows for promise in promises_of(row)]
    if not is_there(catalog, namespace, AUDIT_RUNS):
        return followed(promises, {}, lambda *_: {})
    columns = ("run_id", "finished_at")
    runs = {
        row["run_id"]: row["finished_at"]
        for row in read_rows(catalog, namespace, AUDIT_RUNS, IS_VISIBLE, columns)
    }
    seen = _seen(catalog, namespace, promises, runs)
    return followed(promises, seen, _Audits(catalog, namespace, frozenset(runs)).kept)


def latest_skips(catalog: Catalog, namespace: str) -> tuple[CouldSkip, ...]:
    """What could be skipped beyond filters, as advice for each table told it last, most bytes
    first; nothing where there is no advice, or it cannot be read."""
    found = attempt("reading advice on joins", _latest_skips, catalog, namespace)
    return () if isinstance(found, PrunescopeError) else found


def _latest_skips(catalog: Catalog, namespace: str) -> tuple[CouldSkip, ...]:
    if not is_there(catalog, namespace, LAYOUT_ADVICE):
        return ()
    columns = (*NAME, "advised_at", "could_skip")
    rows = read_rows(catalog, namespace, LAYOUT_ADVICE, _TOLD, columns)
    last = {
        ".".join(row[part] for part in NAME if row[part]): row["could_skip"] or ()
        for row in sorted(rows, key=itemgetter("advised_at"))
    }
    skips = (CouldSkip(table, *one) for table, found in last.items() for one in found)
    return tuple(sorted(skips, key=lambda one: (-one.bytes, one.table, one.what)))


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
    columns = ("run_id", *NAME, *_LAYOUT)
    for row in read_rows(catalog, namespace, TABLE_HEALTH, "run_id is not null", columns):
        name = tuple(row[part] for part in NAME)
        if name in wanted and row["run_id"] in runs:
            at = runs[row["run_id"]]
            tells = (row["added_since"], row["listed_since"])
            found[name].append(Seen(at, layout_of(row), *tells))
    return found


@dataclass(frozen=True, slots=True)
class _Audits:
    """The visible audits of a namespace, by their ids."""

    catalog: Catalog
    namespace: str
    runs: frozenset[str]

    def kept(
        self, table: Name, kind: Kind, start: dt.datetime, end: dt.datetime
    ) -> dict[str, Kept]:
        """What scans of them kept, by shape of query: of a table, and of some time."""
        since, until = (moment.astimezone(dt.UTC).isoformat() for moment in (start, end))
        # Windows are what audit tables are partitioned by.
        where = (
            f"window_end > '{since}' and window_start < '{until}' and started_at >= '{since}' "
            f"and started_at < '{until}' and outcome = '{REPLAYED}'"
        )
        found: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
        columns = ("run_id", *NAME, "fingerprint", *_KEPT[kind])
        for batch in read_batches(self.catalog, self.namespace, SCAN_PLANS, where, columns):
            for row in _grouped(pa.Table.from_batches([batch]), kind):
                if row["run_id"] in self.runs and tuple(row[part] for part in NAME) == table:
                    sums = found[row["fingerprint"]]
                    for place, name in enumerate(("whole_count", "kept_sum", "whole_sum")):
                        sums[place] += row[name] or 0
        return {shape: Kept(*sums) for shape, sums in found.items()}


def _grouped(rows: pa.Table, kind: Kind) -> list[dict[str, Any]]:
    """A row for each run, table and shape: of scans of which it is known what they keep of what."""
    kept, whole = _kept_of(rows, kind)
    shape = pc.fill_null(rows["fingerprint"], "")
    rows = rows.select(["run_id", *NAME]).append_column("fingerprint", shape)
    rows = rows.append_column("kept", kept).append_column("whole", whole)
    rows = rows.filter(pc.and_(pc.is_valid(rows["whole"]), pc.is_valid(rows["kept"])))
    aggregates = [("whole", "count"), ("kept", "sum"), ("whole", "sum")]
    grouped: list[dict[str, Any]] = (
        rows.group_by(["run_id", *NAME, "fingerprint"]).aggregate(aggregates).to_pylist()
    )
    return grouped


def _kept_of(rows: pa.Table, kind: Kind) -> tuple[pa.ChunkedArray, pa.ChunkedArray]:
    """What each scan keeps and of how much, null where that is not known: manifests, bytes of
    files, or of these as much as scans keep of their row groups."""
    if kind is Kind.MANIFESTS:
        return rows["manifests_kept"], rows["manifests_total"]
    kept, whole = rows["bytes_kept"], pc.coalesce(rows["bytes_total"], rows["bytes_considered"])
    if kind is Kind.INSIDE:
        # Nothing is kept of a scan that considers none.
        considered = pc.max_element_wise(rows["row_groups_considered"], 1, skip_nulls=False)
        share = pc.divide(pc.cast(rows["row_groups_kept"], pa.float64()), considered)
        kept = pc.cast(pc.round(pc.multiply(kept, share)), pa.int64())
    return kept, whole
