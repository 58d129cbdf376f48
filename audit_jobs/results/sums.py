"""Rows of scan_plans summed up by table, by query and by outcome, as every sink reports them. Sums
are Arrow tables themselves, so that tasks make them of their rows, and a run adds them up: the
result is the same for the same rows in any order and in any parts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from prunescope.audit_jobs.records import HIDDEN, REPLAYED
from prunescope.audit_jobs.results.columns import NAME
from prunescope.audit_jobs.results.false_keeps import FalseKeepRate, FalseKeepSums
from prunescope.collectors.observed import TableName

SHOWN = ("manifests", "data_files", "row_groups", "bytes")
"""Three passes, and the bytes of the files that are left."""

SUMMED = (*SHOWN, "records")
"""The funnels that are summed up."""

_QUERY = (*NAME, "fingerprint")
_REASON = ("query_outcome", "message")
_STAGES = ("_total", "_considered", "_kept")
_FALSE_KEPT = ("false_kept_bytes", "false_kept_bytes_low", "false_kept_bytes_high")

SCAN_COLUMNS = (
    *_QUERY,
    *("source", "location", "query_id", "query_outcome", "inputs", "outcome", "message"),
    *("predicate", "written", "agreement", "row_groups_kept_low"),
    *(f"{name}_{stage}" for name in SUMMED for stage in ("total", "considered", "kept")),
    *(f"potential_{name}_kept" for name in SHOWN),
    *_FALSE_KEPT,
)
"""The columns of scan_plans that are needed."""

_NUMBERS = ("inputs", "row_groups_kept_low", *_FALSE_KEPT)
_TYPES = {
    name: pa.int64() if name in _NUMBERS or name.endswith(_STAGES) else pa.string()
    for name in SCAN_COLUMNS
}


class TableKey(NamedTuple):
    """A table as the audit tables name it; any part may be missing there."""

    catalog: str | None
    namespace: str | None
    table: str | None

    def __str__(self) -> str:
        """Its full name, as in TableName's text."""
        return ".".join(part for part in self if part)


@dataclass(frozen=True, slots=True)
class PassSums:
    """One funnel, summed over the `scans` whose considered and kept counts are known.

    `total` is the sum of all in the snapshots, `allowed` of those that would be kept by all that
    the statistics allow; each is None if it is unknown for one of these scans.
    """

    scans: int = 0
    total: int | None = 0
    considered: int = 0
    kept: int = 0
    allowed: int | None = 0

    def __add__(self, other: PassSums) -> PassSums:
        return PassSums(
            self.scans + other.scans,
            _plus(self.total, other.total),
            self.considered + other.considered,
            self.kept + other.kept,
            _plus(self.allowed, other.allowed),
        )


def _plus(known: int | None, more: int | None) -> int | None:
    return None if known is None or more is None else known + more


@dataclass(frozen=True, slots=True)
class ScanSums:
    """Replayed scans of a table, or of one shape of query on it. In `estimated` of them, row
    groups rest on a sample. `filter` is that of one of them, as it is written, and what that
    implies: the first by its text, as rows come in any order. `agreements` counts what comparing
    with the engine's counts says; `hidden` are scans that keep every data file and have conditions
    that no log shows. `sampled` sums up the scans whose false keeps rest on sampled rows, `bounded`
    those of which statistics alone say something."""

    scans: int = 0
    estimated: int = 0
    filter: str | None = None
    passes: Mapping[str, PassSums] = field(
        default_factory=lambda: dict.fromkeys(SUMMED, PassSums())
    )
    agreements: Mapping[str, int] = field(default_factory=dict)
    hidden: int = 0
    sampled: FalseKeepSums = field(default_factory=FalseKeepSums)
    bounded: FalseKeepSums = field(default_factory=FalseKeepSums)

    @property
    def false_keep_rate(self) -> FalseKeepRate | None:
        """The rate of the sampled scans, or its ends for the others if there are no sampled ones;
        None if no bytes are known to be kept."""
        return self.sampled.rate(is_sampled=True) or self.bounded.rate(is_sampled=False)

    def __add__(self, other: ScanSums) -> ScanSums:
        texts = [text for text in (self.filter, other.filter) if text is not None]
        return ScanSums(
            self.scans + other.scans,
            self.estimated + other.estimated,
            min(texts, default=None),
            {name: sums + other.passes[name] for name, sums in self.passes.items()},
            Counter(self.agreements) + Counter(other.agreements),
            self.hidden + other.hidden,
            self.sampled + other.sampled,
            self.bounded + other.bounded,
        )


@dataclass(frozen=True, slots=True)
class OutcomeReason:
    """A reason why inputs have an outcome: the message, the number of its rows, and the place of
    one."""

    message: str
    rows: int
    place: str


@dataclass(frozen=True, slots=True)
class RunSums:
    """Scans by table, by table and fingerprint; reasons by the outcome of their inputs, most
    frequent first."""

    tables: Mapping[TableKey, ScanSums] = field(default_factory=dict)
    queries: Mapping[TableKey, Mapping[str, ScanSums]] = field(default_factory=dict)
    reasons: Mapping[str, tuple[OutcomeReason, ...]] = field(default_factory=dict)

    @property
    def all_scans(self) -> ScanSums:
        """The sums over all tables."""
        return sum(self.tables.values(), ScanSums())


@dataclass(frozen=True, slots=True, eq=False)
class Parts:
    """Sums of some rows, by query, by agreement of a query, and by reason; pickles."""

    queries: pa.Table
    agreements: pa.Table
    reasons: pa.Table


def parts_of(rows: pa.Table | pa.RecordBatch) -> Parts:
    """The sums of some rows of scan_plans, which must have SCAN_COLUMNS."""
    table = pa.table({name: pc.cast(rows.column(name), _TYPES[name]) for name in SCAN_COLUMNS})
    replayed = pc.fill_null(pc.equal(table["outcome"], REPLAYED), False)
    scans = table.filter(replayed)
    return Parts(
        _added(_of_queries(scans), _QUERY),
        _added(_of_agreements(scans), (*_QUERY, "agreement")),
        _added(_of_reasons(table.filter(pc.invert(replayed))), _REASON),
    )


def merged(parts: Iterable[Parts]) -> Parts:
    """The sums of all rows together."""
    all_parts = list(parts)
    return Parts(
        _added(pa.concat_tables(p.queries for p in all_parts), _QUERY),
        _added(pa.concat_tables(p.agreements for p in all_parts), (*_QUERY, "agreement")),
        _added(pa.concat_tables(p.reasons for p in all_parts), _REASON),
    )


def run_sums(parts: Parts) -> RunSums:
    """The sums of a run, as every sink reads them."""
    agreements: dict[tuple[TableKey, str | None], dict[str, int]] = {}
    for row in parts.agreements.to_pylist():
        of_query = agreements.setdefault((table_key(row), row["fingerprint"]), {})
        of_query[row["agreement"]] = row["scans"]
    tables: dict[TableKey, ScanSums] = {}
    queries: dict[TableKey, dict[str, ScanSums]] = {}
    for row in parts.queries.to_pylist():
        key, shape = table_key(row), row["fingerprint"]
        sums = ScanSums(
            row["scans"],
            row["estimated"],
            row["filter"],
            {name: _pass_sums(row, name) for name in SUMMED},
            agreements.get((key, shape), {}),
            row["hidden"],
            *(FalseKeepSums(*(row[name] for name in names)) for names in _FALSE_KEEP_SUMS.values()),
        )
        tables[key] = tables.get(key, ScanSums()) + sums
        if shape is not None:
            queries.setdefault(key, {})[shape] = sums
    found = parts.reasons.to_pylist()
    reasons: dict[str, list[OutcomeReason]] = {}
    for row in sorted(found, key=lambda r: (-r["rows"], r["query_outcome"] or "", r["message"])):
        reason = OutcomeReason(row["message"], row["rows"], row["place"])
        reasons.setdefault(row["query_outcome"], []).append(reason)
    return RunSums(tables, queries, {outcome: tuple(why) for outcome, why in reasons.items()})


def summed(batches: Iterable[pa.Table | pa.RecordBatch]) -> RunSums:
    """The sums of all rows, which are walked through once."""
    whole: Parts | None = None
    for batch in batches:
        more = parts_of(batch)
        whole = more if whole is None else merged((whole, more))
    return RunSums() if whole is None else run_sums(whole)


def _of_queries(scans: pa.Table) -> pa.Table:
    one = pa.array([1] * len(scans), pa.int64())
    columns = {name: scans[name] for name in _QUERY}
    columns |= {
        "scans": one,
        "estimated": pc.cast(pc.is_valid(scans["row_groups_kept_low"]), pa.int64()),
        "hidden": pc.cast(_is_hidden(scans), pa.int64()),
        "filter": _filter(scans),
        **_of_false_keeps(scans),
    }
    for name in SUMMED:
        considered, kept = scans[f"{name}_considered"], scans[f"{name}_kept"]
        known = pc.and_(pc.is_valid(considered), pc.is_valid(kept))
        columns |= {
            f"{name}_scans": pc.cast(known, pa.int64()),
            f"{name}_considered": _where(known, considered),
            f"{name}_kept": _where(known, kept),
        }
        further = {"total": f"{name}_total", "allowed": f"potential_{name}_kept"}
        for stage, column in further.items():
            values = scans[column] if column in scans.column_names else pa.nulls(len(scans))
            columns |= {
                f"{name}_{stage}": _where(known, values),
                f"{name}_{stage}_unknown": pc.cast(pc.and_(known, pc.is_null(values)), pa.int64()),
            }
    return pa.table(columns)


_FALSE_KEEP_SUMS = {
    is_sampled: tuple(
        f"{'sampled' if is_sampled else 'bounded'}_{name}"
        for name in ("kept", "value", "low", "high")
    )
    for is_sampled in (True, False)
}
"""Columns of sums, by whether rows were sampled."""


def _of_false_keeps(scans: pa.Table) -> dict[str, pa.ChunkedArray]:
    """Bytes that are kept, and those in vain, of scans whose bounds of these are known."""
    value, low, high = (scans[name] for name in _FALSE_KEPT)
    is_known = pc.is_valid(low)
    found: dict[str, pa.ChunkedArray] = {}
    for is_sampled, names in _FALSE_KEEP_SUMS.items():
        counts = pc.and_(is_known, pc.is_valid(value) if is_sampled else pc.is_null(value))
        columns = (scans["bytes_kept"], value, low, high)
        found |= {n: _where(counts, column) for n, column in zip(names, columns, strict=True)}
    return found


def _filter(scans: pa.Table) -> pa.ChunkedArray:
    implied = pc.binary_join_element_wise(scans["written"], scans["predicate"], "\nwhich implies\n")
    return pc.coalesce(implied, scans["predicate"])


def _is_hidden(scans: pa.Table) -> pa.ChunkedArray:
    is_full = pc.equal(scans["data_files_kept"], scans["data_files_total"])
    has_hidden = pc.match_substring(scans["predicate"], HIDDEN)
    return pc.fill_null(pc.and_kleene(is_full, has_hidden), False)


def _where(known: pa.ChunkedArray, values: pa.ChunkedArray) -> pa.ChunkedArray:
    return pc.if_else(known, pc.fill_null(pc.cast(values, pa.int64()), 0), 0)


def _of_agreements(scans: pa.Table) -> pa.Table:
    compared = scans.filter(pc.is_valid(scans["agreement"]))
    columns = {name: compared[name] for name in (*_QUERY, "agreement")}
    return pa.table(columns | {"scans": pa.array([1] * len(compared), pa.int64())})


def _of_reasons(rows: pa.Table) -> pa.Table:
    told = rows.filter(pc.is_valid(rows["message"]))
    return pa.table(
        {name: told[name] for name in _REASON}
        | {
            "rows": pc.fill_null(pc.cast(told["inputs"], pa.int64()), 1),
            "place": pc.coalesce(told["location"], told["query_id"], told["source"]),
        }
    )


_FIRST = ("filter", "place")
"""Texts, of which the first is taken; all else is added up."""


def _added(table: pa.Table, keys: tuple[str, ...]) -> pa.Table:
    """One row for each key."""
    values = [name for name in table.column_names if name not in keys]
    how = [(name, "min" if name in _FIRST else "sum") for name in values]
    found = table.group_by(list(keys)).aggregate(how)
    names = {f"{name}_{function}": name for name, function in how}
    found = found.rename_columns([names.get(name, name) for name in found.column_names])
    return found.select(table.column_names).cast(table.schema)


def key_of(table: TableName) -> TableKey:
    """The key of a table."""
    return TableKey(table.catalog, ".".join(table.namespace), table.table)


def table_key(row: Mapping[str, Any]) -> TableKey:
    """The table of a row of any audit table."""
    return TableKey(*(row[name] for name in NAME))


def _pass_sums(row: Mapping[str, int], name: str) -> PassSums:
    def known(stage: str) -> int | None:
        return None if row[f"{name}_{stage}_unknown"] else row[f"{name}_{stage}"]

    return PassSums(
        row[f"{name}_scans"],
        known("total"),
        row[f"{name}_considered"],
        row[f"{name}_kept"],
        known("allowed"),
    )
