"""From plans to records: one for every scan, and one for every query or input without any."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from typing import Any

from prunescope.audit_jobs.agreement import agreement_of
from prunescope.audit_jobs.early_stop import enough_rows
from prunescope.audit_jobs.isolation import Failed, attempt
from prunescope.audit_jobs.planning.planner_rules import rules_of
from prunescope.audit_jobs.planning.row_sample_stage import ScanMatching
from prunescope.audit_jobs.pruning.conjunct_classes import UNSUPPORTED, classify
from prunescope.audit_jobs.pruning.summary import ConjunctSummary, ScanPlanSummary, conjuncts_within
from prunescope.audit_jobs.records import ALWAYS_FALSE, REPLAYED, ConjunctRecord, ScanRecord
from prunescope.audit_jobs.results.keys import key_of_scan
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
from prunescope.collectors.sql.planners.profiles import planner_of, plans_by_domains, pushed_domains

TextOf = Callable[[Predicate], str]
"""How predicates are written down: with their literals, or without."""

_Fields = dict[str, Any]
"""Fields of a ScanRecord."""


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
    engine = None if planner is None else planner.engine
    found = [_try_scan(scan, plans, engine, named, text_of) for scan in planned.scans]
    found += [
        {"outcome": failed[name].code, "message": failed[name].message, "table": name.shown}
        for name in named.tables
        if name in failed
    ]
    failure = named.failure
    if not found and failure is None:
        failure = Failed(Outcome.NO_ICEBERG_TABLE, None)
    if failure is not None:
        found.append({"outcome": failure.code, "message": failure.message})
    outcome = _query_outcome([of_scan["outcome"] for of_scan in found])
    about: _Fields = {
        "source": query.source,
        "location": None,
        "query_id": query.query_id,
        "query_outcome": outcome,
        "engine": query.engine,
        "engine_version": query.engine_version,
        "planner": rules_of(planner).name,
        "user": query.user,
        "place": query.place,
        "started_at": query.started_at,
        "fingerprint": named.fingerprint or _fingerprint(planned.scans, query.dialect),
        "calculation": named.calculation or _calculation(planned.scans, query.dialect),
        "traits": named.all_traits,
    }
    found[0]["effects"] = planned.effects
    return [
        ScanRecord(scan_key=key_of_scan(planned.key, position), **about, **of_scan)
        for position, of_scan in enumerate(found)
    ]


def _try_scan(
    scan: PlannedScan,
    plans: Plans,
    engine: str | None,
    named: NamedTables,
    text_of: TextOf,
) -> _Fields:
    doing = f"writing down a scan of {scan.table}"
    found = attempt(doing, scan_fields, scan, plans, engine, named, text_of)
    if isinstance(found, PrunescopeError):
        return {"outcome": found.code, "message": str(found), "table": scan.table}
    return found


def scan_fields(
    scan: PlannedScan,
    plans: Plans,
    engine: str | None,
    named: NamedTables,
    text_of: TextOf,
) -> _Fields:
    """The fields of a scan's record."""
    failure = _failure(scan, plans)
    observed = None if scan.observed is None else scan.observed.counters
    found: _Fields = {"table": scan.table, "observed": observed}
    if scan.predicate is not None:
        found["predicate"] = understood = text_of(scan.predicate)
        written = text_of(in_own_words(scan.predicate))
        found["written"] = None if written == understood else written
        found["pushed"] = None if scan.pushed is None else text_of(scan.pushed)
    if failure is not None:
        return {**found, "outcome": failure.code, "message": failure.message}
    assert scan.predicate is not None
    assert scan.scan_id is not None
    assert scan.whole_id is not None
    assert scan.potential_id is not None
    plan, potential = plans.summary(scan.scan_id), plans.summary(scan.potential_id)
    whole = plan if scan.whole_id == scan.scan_id else plans.summary(scan.whole_id)
    pushed = None if scan.pushed is None else set(conjuncts(scan.pushed))
    parts = conjuncts(scan.predicate)
    matching = plans.matching.get(scan.potential_id)
    # What its conditions imply together stands after them, here and in the plan by all that the
    # statistics allow.
    alone = [None] * len(parts) if matching is None else matching.conjuncts[: len(parts)]
    selecting = [part.selects_partitions for part in whole.conjuncts]
    classes = classify(
        parts,
        selecting,
        plans.specs[scan.whole_id],
        pushed_domains(engine, scan.pushed),
        by_domains=plans_by_domains(engine),
    )
    return {
        **found,
        "outcome": REPLAYED,
        "text_place": scan.text_place,
        "named_catalog": scan.named_catalog,
        "enough": enough_rows(scan.needed, named.all_traits),
        "conjuncts": tuple(
            ConjunctRecord(
                text_of(part),
                conjunct_class,
                None if pushed is None else part in pushed,
                # The plan may be that of another query's filter of the same meaning.
                counts if counts.predicate is part else replace(counts, predicate=part),
                part_matching,
            )
            for part, counts, conjunct_class, part_matching in zip(
                parts, _counts(whole, plan, potential), classes, alone, strict=True
            )
        ),
        "summary": plan,
        "potential": potential,
        "matching": None if matching is None else matching.whole,
        "agreement": agreement_of(
            observed,
            plan,
            potential,
            snapshot_known=scan.snapshot_known,
            filter_known=_is_filter_known(scan, pushed, parts, classes),
            has_runtime_filter=scan.observed is not None and bool(scan.observed.runtime),
            # Those of a plan bear on nothing that the plan counts.
            traits=named.traits,
        ),
    }


def _counts(
    whole: ScanPlanSummary, plan: ScanPlanSummary, potential: ScanPlanSummary
) -> Iterator[ConjunctSummary]:
    """Returns the counts of a filter's conjuncts. For conjuncts by which no planner prunes, returns
    the counts of testing them on partition values, if these rule out any file."""
    for counts, tested in zip_longest(conjuncts_within(whole, plan), potential.conjuncts):
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
    if scan.failure is not None:
        return scan.failure
    for scan_id in (scan.scan_id, scan.whole_id, scan.potential_id):
        assert scan_id is not None
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
