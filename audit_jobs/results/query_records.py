"""From plans to records: one for every scan, and one for every query or input without any."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest

from prunescope.audit_jobs.agreement import agreement_of
from prunescope.audit_jobs.early_stop import enough_rows
from prunescope.audit_jobs.isolation import Failed, attempt
from prunescope.audit_jobs.planning.planner_rules import rules_of
from prunescope.audit_jobs.planning.row_sample_stage import ScanMatching
from prunescope.audit_jobs.pruning.conjunct_classes import UNSUPPORTED
from prunescope.audit_jobs.pruning.plan_triple import PlanTriple
from prunescope.audit_jobs.pruning.summary import ConjunctSummary, ScanPlanSummary, conjuncts_within
from prunescope.audit_jobs.records import ALWAYS_FALSE, REPLAYED, ConjunctRecord, ScanRecord
from prunescope.audit_jobs.results.keys import key_of_scan
from prunescope.audit_jobs.workload.bind import classes_of
from prunescope.audit_jobs.workload.distinct import PlannedScan
from prunescope.audit_jobs.workload.extract import PlannedQuery
from prunescope.audit_jobs.workload.queries import NamedTables
from prunescope.collectors.errors import PrunescopeError
from prunescope.collectors.observed import Rejected, TableName
from prunescope.collectors.outcomes import Outcome
from prunescope.collectors.partitioning import PartitionSpec
from prunescope.collectors.predicates.model import Predicate, PredicateLeaf, Unsupported, conjuncts
from prunescope.collectors.predicates.shape import shape
from prunescope.collectors.predicates.walks import comparisons, in_own_words, leaves, map_leaves
from prunescope.collectors.sql.planners.profiles import beyond_known, planner_of

TextOf = Callable[[Predicate], str]
"""Writes a predicate as text, with its literals or without."""


@dataclass(frozen=True, slots=True)
class Plans:
    """Results of the replay by scan id: the place of each scan among the summaries of its snapshot,
    the specs of each scan's data, failures, and estimates from sampled rows."""

    summaries: dict[int, tuple[Sequence[ScanPlanSummary], int]] = field(default_factory=dict)
    specs: dict[int, tuple[PartitionSpec, ...]] = field(default_factory=dict)
    failures: dict[int, Failed] = field(default_factory=dict)
    matching: dict[int, ScanMatching] = field(default_factory=dict)

    def summary(self, scan_id: int) -> ScanPlanSummary:
        """The summary of a scan."""
        of_snapshot, place = self.summaries[scan_id]
        return of_snapshot[place]


def rejected_record(number: int | str, rejected: Rejected) -> ScanRecord:
    """The record of an input that is no query."""
    return ScanRecord(
        scan_key=f"rejected/{number}",
        source=rejected.source,
        location=rejected.location,
        query_id=rejected.query_id,
        query_outcome=rejected.reason,
        outcome=rejected.reason,
        message=rejected.message,
        inputs=rejected.inputs,
    )


def query_records(
    planned: PlannedQuery, plans: Plans, failed: Mapping[TableName, Failed], text_of: TextOf
) -> list[ScanRecord]:
    """Records of a query: one per scan; one per table that could not be opened (`failed`); one for
    a text, or part of it, that could not be read; one for the query itself if there is none of
    these. A scan, or a query, whose record cannot be made has one that says so. A query that
    repeats another has a record that says that."""
    query = planned.named.query
    if planned.repeats:
        message = "the same query is in the log before; it was sent or exported twice"
        again = Rejected(query.source, "", Outcome.REPEATED, message, query.query_id)
        return [_without_place(rejected_record(f"{planned.key}/{planned.repeats}", again))]
    doing = "writing down a query"
    found = attempt(doing, _query_records, planned, plans, failed, text_of)
    if isinstance(found, PrunescopeError):
        broken = Rejected(query.source, "", found.code, str(found), query.query_id)
        key = key_of_scan(planned.key, 0)
        return [_without_place(replace(rejected_record(planned.key, broken), scan_key=key))]
    return found


def _without_place(record: ScanRecord) -> ScanRecord:
    """The record without a location: places of queries in the log are unknown by now."""
    return replace(record, location=None)


def _query_records(
    planned: PlannedQuery, plans: Plans, failed: Mapping[TableName, Failed], text_of: TextOf
) -> list[ScanRecord]:
    named = planned.named
    query = named.query
    planner = planner_of(query.engine, query.engine_version, query.iceberg_version)
    about = ScanRecord(
        scan_key=planned.key,
        source=query.source,
        location=None,
        query_id=query.query_id,
        query_outcome=REPLAYED,
        outcome=REPLAYED,
        engine=query.engine,
        engine_version=query.engine_version,
        planner=rules_of(planner).name,
        user=query.user,
        place=query.place,
        started_at=query.started_at,
        fingerprint=named.fingerprint or _fingerprint(planned.scans, query.dialect),
        calculation=named.calculation or _calculation(planned.scans, query.dialect),
        traits=named.all_traits,
        newer=() if planner is None else beyond_known(planner),
    )
    engine = None if planner is None else planner.engine
    found = [_try_scan(scan, plans, engine, named, about, text_of) for scan in planned.scans]
    found += [
        _failed(replace(about, table=name.shown), failed[name])
        for name in named.tables
        if name in failed
    ]
    failure = named.failure
    if not found and failure is None:
        failure = Failed(Outcome.NO_ICEBERG_TABLE, None)
    if failure is not None:
        found.append(_failed(about, failure))
    outcome = _query_outcome([record.outcome for record in found])
    return [
        replace(
            record,
            scan_key=key_of_scan(planned.key, position),
            query_outcome=outcome,
            effects=() if position else planned.effects,
        )
        for position, record in enumerate(found)
    ]


def _failed(about: ScanRecord, why: Failed) -> ScanRecord:
    return replace(about, outcome=why.code, message=why.message)


def _try_scan(
    scan: PlannedScan,
    plans: Plans,
    engine: str | None,
    named: NamedTables,
    about: ScanRecord,
    text_of: TextOf,
) -> ScanRecord:
    doing = f"writing down a scan of {scan.table}"
    about = replace(about, table=scan.table)
    found = attempt(doing, scan_record, scan, plans, engine, named, about, text_of)
    return _failed(about, Failed.of(found)) if isinstance(found, PrunescopeError) else found


def scan_record(
    scan: PlannedScan,
    plans: Plans,
    engine: str | None,
    named: NamedTables,
    about: ScanRecord,
    text_of: TextOf,
) -> ScanRecord:
    """The record of a scan, from one `about` its query and table."""
    observed = None if scan.observed is None else scan.observed.counters
    about = replace(about, observed=observed)
    if scan.predicate is not None:
        understood = text_of(scan.predicate)
        written = text_of(in_own_words(scan.predicate))
        about = replace(
            about,
            predicate=understood,
            written=None if written == understood else written,
            pushed=None if scan.pushed is None else text_of(scan.pushed),
        )
    failure = scan.failure or _failure(scan, plans)
    if failure is not None:
        return _failed(about, failure)
    assert scan.predicate is not None
    assert scan.ids is not None
    made = scan.ids.map(plans.summary)
    pushed = None if scan.pushed is None else set(conjuncts(scan.pushed))
    parts = conjuncts(scan.predicate)
    matching = plans.matching.get(scan.ids.potential)
    # What its conditions imply together stands after them, here and in the plan by all that the
    # statistics allow.
    alone = [None] * len(parts) if matching is None else matching.conjuncts[: len(parts)]
    selecting = [part.selects_partitions for part in made.whole.conjuncts]
    specs = plans.specs[scan.ids.whole]
    classes = classes_of(engine, scan.predicate, scan.pushed, selecting, specs)
    return replace(
        about,
        text_place=scan.text_place,
        named_catalog=scan.named_catalog,
        enough=enough_rows(scan.needed, named.all_traits),
        conjuncts=tuple(
            ConjunctRecord(
                text_of(part),
                conjunct_class,
                None if pushed is None else part in pushed,
                # The plan may be that of another query's filter of the same meaning.
                counts if counts.predicate is part else replace(counts, predicate=part),
                part_matching,
            )
            for part, counts, conjunct_class, part_matching in zip(
                parts, _counts(made), classes, alone, strict=True
            )
        ),
        summary=made.pushed,
        potential=made.potential,
        matching=None if matching is None else matching.whole,
        agreement=agreement_of(
            observed,
            made.pushed,
            made.potential,
            snapshot_known=scan.snapshot_known,
            filter_known=_is_filter_known(scan, pushed, parts, classes),
            has_runtime_filter=scan.observed is not None and bool(scan.observed.runtime),
            # Those of a plan bear on nothing that the plan counts.
            traits=named.traits,
        ),
    )


def _counts(plans: PlanTriple[ScanPlanSummary]) -> Iterator[ConjunctSummary]:
    """Returns the counts of a filter's conjuncts. For conjuncts by which no planner prunes, returns
    the counts of testing them on partition values, if these rule out any file."""
    alone = conjuncts_within(plans.whole, plans.pushed)
    for counts, tested in zip_longest(alone, plans.potential.conjuncts):
        if counts is not None:
            is_opaque = not any(True for _ in comparisons(counts.predicate))
            yield tested if is_opaque and tested and tested.data_files_pruned else counts


def _is_filter_known(
    scan: PlannedScan,
    pushed: Collection[Predicate] | None,
    parts: Sequence[Predicate],
    classes: Sequence[str],
) -> bool:
    """True if the whole filter that the engine may have pushed was understood. If the engine
    reported the pushed filter itself, other conditions do not count."""
    if pushed is None:
        return False
    is_told = scan.observed is not None and scan.observed.pushed is not None
    return not any(
        conjunct_class == UNSUPPORTED and (part in pushed or not is_told)
        for part, conjunct_class in zip(parts, classes, strict=True)
    )


def _failure(scan: PlannedScan, plans: Plans) -> Failed | None:
    for scan_id in scan.ids or ():
        if scan_id in plans.failures:
            return plans.failures[scan_id]
        if scan_id not in plans.summaries:
            return Failed(
                Outcome.INTERNAL_ERROR, "no plan was made for this scan; please report this"
            )
    return None


def _fingerprint(scans: Sequence[PlannedScan], dialect: str) -> str | None:
    """The fingerprint of a query without text: from its tables, and the conditions on each as its
    plan shows them. Implied conditions do not count: `date_trunc('day', ts) = X` is not the range
    as which it is planned, and a query that writes that range is another one."""
    from prunescope.collectors.sql.text.fingerprint import hashed, of_condition  # noqa: PLC0415  # sqlglot

    def as_shown(leaf: PredicateLeaf) -> Predicate:
        if not isinstance(leaf, Unsupported):
            return leaf
        found = of_condition(leaf.text, dialect)
        return leaf if found is None else replace(leaf, redacted=found[0])

    shapes = sorted(
        f"{scan.table}: {shape(map_leaves(in_own_words(scan.predicate), as_shown))}"
        for scan in scans
        if scan.predicate is not None
    )
    return hashed("\n".join(shapes)) if shapes else None


def _calculation(scans: Sequence[PlannedScan], dialect: str) -> tuple[str, ...]:
    """The literals, in the conditions that plans show, that belong to the calculation."""
    from prunescope.collectors.sql.text.fingerprint import of_condition  # noqa: PLC0415  # sqlglot

    texts = [
        leaf.text
        for scan in scans
        if scan.predicate is not None
        for leaf in leaves(in_own_words(scan.predicate))
        if isinstance(leaf, Unsupported)
    ]
    found = (of_condition(text, dialect) for text in sorted(texts))
    return tuple(literal for each in found if each is not None for literal in each[1])


def _query_outcome(outcomes: Sequence[str]) -> str:
    """One outcome for a query: the first failure, else replayed if any scan was."""
    fine = (REPLAYED, ALWAYS_FALSE, Outcome.NOT_SCANNED)
    failed = next((outcome for outcome in outcomes if outcome not in fine), None)
    return failed or next((outcome for outcome in fine if outcome in outcomes), REPLAYED)
