"""Records of an audit: one run, its scans and their conjuncts."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from prunescope.audit_jobs.agreement import Agreement
from prunescope.audit_jobs.pruning.summary import ConjunctSummary, ScanPlanSummary
from prunescope.audit_jobs.status import Status
from prunescope.collectors.observed import Effects, Rejected, TableName
from prunescope.collectors.outcomes import Outcome
from prunescope.collectors.table_scans import UNPLACED, TextPlace

REPLAYED = Outcome.REPLAYED
HIDDEN = "a condition that the log does not show"
"""The text of what an engine checks on a scan's rows, where its log tells no more of it."""
ALWAYS_FALSE = Outcome.ALWAYS_FALSE
"""The outcome of a scan by a filter that no row can satisfy: nothing is read for it."""


@dataclass(frozen=True, slots=True)
class Window:
    """The half-open span of time whose queries a run audits, in UTC."""

    start: dt.datetime
    end: dt.datetime

    @property
    def days(self) -> frozenset[dt.date]:
        """The dates on which the window, and further days of it, start."""
        begun = -((self.start - self.end) // dt.timedelta(days=1))
        return frozenset(self.start.date() + dt.timedelta(days=n) for n in range(max(1, begun)))


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """The number of queries that a log has outside of a window, and the start times of the first
    and the last. For Spark they are executions, also of other tables."""

    queries: int
    first: dt.datetime
    last: dt.datetime

    @staticmethod
    def together(found: Iterable[Elsewhere]) -> Elsewhere | None:
        """The sum over several logs; None if there are none."""
        parts = list(found)
        if not parts:
            return None
        return Elsewhere(
            sum(part.queries for part in parts),
            min(part.first for part in parts),
            max(part.last for part in parts),
        )


@dataclass(frozen=True, slots=True)
class Matching:
    """The share of a table's rows that match a filter, or a part of one, estimated from `rows`
    sampled ones, and its 95 % interval. Parts that cannot be evaluated count as matching.

    Of the sampled files, `candidates` have values on both sides of the requested ones, so that
    their bounds cannot rule them out; these have `candidate_rows` of the rows, as many as if files
    of each stratum had been sampled as often. Of the table's bytes, the share `holding` is in files
    with sampled rows that match; `holding_low` and `holding_high` are its 95 % interval, as files
    may hold matching rows that were not sampled.
    """

    share: float
    low: float
    high: float
    rows: int
    candidates: int = 0
    candidate_rows: int = 0
    holding: float = 1.0
    holding_low: float = 0.0
    holding_high: float = 1.0


@dataclass(frozen=True, slots=True)
class ConjunctRecord:
    """One conjunct of a scan's filter: its text (redacted unless literals are kept), its class in
    planning, and the containers that it alone rules out.

    `pushed` tells whether the engine gives it to the planner; None if unknown. `matching` is the
    estimate from sampled rows for it alone.
    """

    text: str
    conjunct_class: str
    pushed: bool | None
    counts: ConjunctSummary
    matching: Matching | None = None


@dataclass(frozen=True, slots=True)
class ScanRecord:
    """One table scan of one query; or, with `table` None, a query or an input without any.

    `scan_key` is unique within a run. `outcome` is `replayed` or a reason code, explained by
    `message`. `predicate` is the known filter, `written` the same in the query's own words (None if
    they do not differ), `pushed` the part that the engine gives to the planner (None if unknown);
    all are redacted unless literals are kept on purpose. `summary` is the engine's plan: that of
    `pushed`, if known. `potential` is the plan of the whole `predicate` by all that the statistics
    allow. `observed` holds the counts that the engine reported, `agreement` the result of comparing
    the two, `matching` the estimate from sampled rows.

    `traits` are those of the query's text: `limit`, `join`, `aggregate`, `write` (it changes a
    table), `merge`, `delete`, `update`, and of its plan, which shows `join`, `write` and `merge`.
    `calculation` has literals of the text, and is never written down: queries of one fingerprint
    that differ in it calculate different things. With `enough` matching rows the query is complete,
    and its engine stops (LIMIT without an order); None if it reads on. `effects` are the query's
    changes to existing rows of tables: its first record has them. `named_catalog` is the query's
    name for the table's catalog, None if it leaves that out; `place` locates it in a log that has
    no id of it. `inputs` is the number of inputs that the record stands for: more than one for the
    lines of a log that were rejected for one reason, beyond the first ones. `newer` says of a
    planner that is newer than any known one as what it was planned.
    """

    scan_key: str
    source: str
    location: str | None
    query_id: str | None
    query_outcome: str
    outcome: str
    message: str | None = None
    engine: str | None = None
    engine_version: str | None = None
    planner: str | None = None
    user: str | None = None
    started_at: dt.datetime | None = None
    fingerprint: str | None = None
    calculation: tuple[str, ...] = ()
    table: TableName | None = None
    predicate: str | None = None
    written: str | None = None
    pushed: str | None = None
    conjuncts: tuple[ConjunctRecord, ...] = ()
    summary: ScanPlanSummary | None = None
    potential: ScanPlanSummary | None = None
    observed: Mapping[str, int] | None = None
    agreement: Agreement | None = None
    matching: Matching | None = None
    traits: frozenset[str] = frozenset()
    text_place: TextPlace = UNPLACED
    enough: int | None = None
    effects: Effects = ()
    named_catalog: str | None = None
    place: str | None = None
    inputs: int = 1
    newer: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RunRecord:
    """One run. `status` says how it ended. `queries` counts inputs by outcome: each input once.

    Four maps name failures, with a message for each: `tables_failed` could not be read or planned,
    `tables_set_aside` have rows that contradict each other, which are withheld; for
    `tables_unmeasured` all queries may have been replayed, but the layout or sampled rows are
    unknown; `causes_failed` (as `CAUSE of TABLE`) could not be judged. `footers_read` could be
    read, now or before, `footers_unread` could not. `metadata` tells how metadata was read (see
    `Replay.of_metadata`). `read_bytes` are those of manifest lists, manifests and data files that
    were read. `elsewhere` describes the logs outside of the window, if it has no query. `rejected`
    are examples of the inputs that should have been read and were not: the first few of each
    reason. `newer_planners` has the number of queries of planners that are newer than any known
    one, by the words for it. `too_small` faults are below the thresholds, with `too_small_bytes` at
    stake, and no findings.
    """

    run_id: str
    window: Window
    started_at: dt.datetime
    finished_at: dt.datetime
    status: Status
    versions: Mapping[str, str]
    queries: Mapping[str, int]
    tables: int
    tables_failed: Mapping[str, str]
    footers_read: int
    read_bytes: int | None = None
    footers_unread: int = 0
    metadata: Mapping[str, int] = field(default_factory=dict)
    tables_set_aside: Mapping[str, str] = field(default_factory=dict)
    tables_unmeasured: Mapping[str, str] = field(default_factory=dict)
    causes_failed: Mapping[str, str] = field(default_factory=dict)
    elsewhere: Elsewhere | None = None
    rejected: Sequence[Rejected] = ()
    newer_planners: Mapping[str, int] = field(default_factory=dict)
    too_small: int = 0
    too_small_bytes: int = 0
