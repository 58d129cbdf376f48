"""Explaining single queries against one table, in-process and without Spark."""

from __future__ import annotations

import datetime as dt
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from prunescope.audit_jobs.jobs.questions import Question
from prunescope.audit_jobs.planning.local import Replayed, replay
from prunescope.audit_jobs.planning.planner_rules import rules_of
from prunescope.audit_jobs.pruning.plan_triple import PlanTriple
from prunescope.audit_jobs.pruning.rules import FLOOR
from prunescope.audit_jobs.pruning.summary import ScanPlanSummary, without_plan
from prunescope.audit_jobs.results.answers import Answer, failed_answer, replayed_answer
from prunescope.audit_jobs.suggestions import suggestion
from prunescope.audit_jobs.workload.bind import Binder, BoundScan, ByRules, TableState, classes_of
from prunescope.audit_jobs.workload.versions import schema_of_version
from prunescope.collectors.errors import PrunescopeError
from prunescope.collectors.observed import TableName
from prunescope.collectors.outcomes import Outcome
from prunescope.collectors.predicates.bind import unknown_columns
from prunescope.collectors.predicates.column_domains import tightened
from prunescope.collectors.predicates.iceberg_negations import matching_nulls
from prunescope.collectors.predicates.model import Predicate, conjuncts
from prunescope.collectors.schema import Schema
from prunescope.collectors.sql.dialects import dialect_of, zone_of_session
from prunescope.collectors.sql.planners.profiles import PLANNERS, Planner, as_expression
from prunescope.collectors.sql.scopes.time_travel import CURRENT, Version
from prunescope.collectors.table_scans import TableScan
from prunescope.collectors.tables.catalog import Table
from prunescope.collectors.tables.metadata import Snapshot
from prunescope.collectors.tables.refs import snapshot_of_ref


@dataclass(frozen=True, slots=True)
class Asked:
    """One scan of a question, and the part of its filter that the planner of each engine pushes."""

    number: int
    question: Question
    scan: BoundScan
    pushed_by: Mapping[str, Predicate]


def _snapshot_of(
    table: Table, version: Version, moment: dt.datetime | None = None
) -> Snapshot | None:
    """The snapshot that a version names, a branch as it was at `moment`, the current one if it
    names none; None for a table that has never been written. Raises SnapshotNotFound."""
    if version.snapshot_id is not None:
        return table.metadata.snapshot_by_id(version.snapshot_id)
    if version.ref is not None:
        return snapshot_of_ref(table.metadata, version.ref, moment)
    if version.as_of is not None:
        return table.metadata.snapshot_as_of(version.as_of)
    return table.metadata.current_snapshot()


def explain(  # noqa: PLR0913  # all that an answer depends on
    table: Table,
    version: Version,
    questions: Iterable[Question | Answer],
    *,
    as_of: dt.datetime | None = None,
    planner: Planner | None = None,
    list_files: bool = False,
    max_footers: int | None = None,
) -> list[Answer]:
    """One answer per question, in order. Manifests and footers are read once for all; of more than
    `max_footers` footers, a sample.

    The plan is one of `version`, unless a query names another version of the table; of a branch
    that it names, as it was `as_of`. With a planner, it is a plan of the filter that this planner
    pushes, by its version's rules; without, of the whole filter, by the rules of the newest
    Iceberg. The answer also has the containers that the whole filter would keep by all that the
    statistics allow. A question that cannot be answered is answered with its outcome and a message.
    Raises SnapshotNotFound if there is no such `version`.
    """
    snapshot = _snapshot_of(table, version)
    answers: dict[int, Answer] = {}
    asked: list[Asked] = []
    for number, question in enumerate(questions):
        if isinstance(question, dict):
            answers[number] = question
            continue
        try:
            found = _asked(table, (version, snapshot), as_of, number, question, planner)
        except PrunescopeError as error:
            answers[number] = failed_answer(question.id, table.name, error.code, str(error))
            continue
        asked.extend(found)
    by_state: dict[Hashable, list[BoundScan]] = {}
    for each in asked:
        by_state.setdefault(each.scan.state.key, []).append(each.scan)
    plans: dict[tuple[Hashable, ByRules], Replayed] = {}
    for key, scans in by_state.items():
        state = scans[0].state
        wanted = list(dict.fromkeys(plan for scan in scans for plan in scan.plans))
        replays = replay(
            table,
            state.snapshot,
            wanted,
            schema=state.schema,
            list_files=list_files,
            max_footers=max_footers,
        )
        plans |= {(key, plan): found for plan, found in zip(wanted, replays, strict=True)}
    for each in asked:
        key = each.scan.state.key
        made = {plan: plans[key, plan] for plan in each.scan.plans}
        replayed = each.scan.plans.map(made.__getitem__)
        answer = _answer(table, each, replayed, planner)
        if list_files and answer["outcome"] == Outcome.REPLAYED:
            answer["kept_files"] = list(replayed.pushed.kept_files)
        first = answers.setdefault(each.number, answer)
        if first is not answer:  # a query that scans the table more than once
            first.setdefault("more_scans", []).append(answer)
    return [answers[number] for number in sorted(answers)]


class TableNotScanned(PrunescopeError):
    """A query does not read the table that it should be explained against."""

    code = Outcome.TABLE_NOT_SCANNED


class UnknownColumn(PrunescopeError):
    """A filter compares a name that is no column of the table."""

    code = Outcome.UNKNOWN_COLUMN


def _require_columns(table: Table, schema: Schema, predicate: Predicate) -> None:
    """Raises UnknownColumn if a filter compares a name that is no column of the schema."""
    names = unknown_columns(predicate)
    if not names:
        return
    message = f"{table.name} has no column {', '.join(names)}"
    columns = [column.name for column in schema.columns]
    hint = f"; {suggestion(names[0], columns)}" if len(names) == 1 else ""
    raise UnknownColumn(message + hint)


def _asked(
    table: Table,
    chosen: tuple[Version, Snapshot | None],
    as_of: dt.datetime | None,
    number: int,
    question: Question,
    planner: Planner | None,
) -> list[Asked]:
    """The scans of a question: one, or one per scan of the table, of the chosen version and its
    snapshot, unless the query names another."""
    planners = _planners(planner)
    engine = planner.engine if planner else dialect_of(question.dialect).planner

    def state_of(version: Version, snapshot: Snapshot | None) -> TableState:
        schema = schema_of_version(table.metadata, version, snapshot, engine=engine, moment=as_of)
        return TableState(table, snapshot, schema)

    usual = state_of(*chosen)
    asked = []
    for scans in _scans(table.name, usual.schema.types, question, planners):
        first, state = scans[0], usual
        version = Version(first.snapshot_id, first.ref, first.as_of)
        if version != CURRENT:
            state = state_of(version, _snapshot_of(table, version, as_of))
        moments = dialect_of(question.dialect).plain_are_moments
        binder = Binder(state.schema, first.time_zone or question.time_zone, moments)
        whole = binder.whole(first.predicate)
        if question.expression is not None:
            whole = matching_nulls(whole, state.schema)
        _require_columns(table, state.schema, whole)
        pushed_by = {
            each.engine: whole if scan.pushed is None else binder.pushed(each, scan.pushed)
            for each, scan in zip(planners, scans, strict=True)
        }
        pushed = None if planner is None else pushed_by[planner.engine]
        planned = whole if pushed is None else as_expression(planner, pushed)
        rules = rules_of(planner)
        plans = PlanTriple((planned, rules), (whole, rules), (tightened(whole), FLOOR))
        asked.append(Asked(number, question, BoundScan(state, whole, pushed, plans), pushed_by))
    return asked


def _planners(chosen: Planner | None) -> list[Planner]:
    """A planner of each engine: the one that was chosen, and the newest of the others."""
    by_engine = {planner.engine: planner for planner in PLANNERS}
    if chosen is not None:
        by_engine[chosen.engine] = chosen
    return list(by_engine.values())


_ByPlanner = Iterable[tuple[TableScan, ...]]
"""Scans, each once for every planner, with what that pushes; None for an expression of Iceberg's,
all of which any planner is given."""


def _scans(
    table: TableName, columns: Mapping[str, str], question: Question, planners: Sequence[Planner]
) -> _ByPlanner:
    if question.expression is not None:
        return [tuple(TableScan(table, question.expression) for _ in planners)]
    found = _of_query if question.where is None else _of_condition
    return found(table, columns, question, planners)


def _of_condition(
    table: TableName, columns: Mapping[str, str], question: Question, planners: Sequence[Planner]
) -> _ByPlanner:
    from prunescope.collectors.sql.extraction.extract import condition_filter, session_of  # noqa: PLC0415
    from prunescope.collectors.sql.text.cost import bounded  # noqa: PLC0415

    assert question.where is not None
    now = dt.datetime.now(dt.UTC)
    read = condition_filter(question.where, question.dialect, columns)

    def predicate(planner: Planner | None) -> Predicate:
        session = session_of(question.dialect, now, question.time_zone, planner)
        with bounded():
            return read.predicate(session, planner)

    whole = predicate(None)
    return [tuple(TableScan(table, whole, predicate(planner)) for planner in planners)]


def _of_query(
    table: TableName, columns: Mapping[str, str], question: Question, planners: Sequence[Planner]
) -> _ByPlanner:
    from prunescope.collectors.sql.extraction.extract import place, session_of  # noqa: PLC0415
    from prunescope.collectors.sql.scopes.tables import referenced_tables  # noqa: PLC0415
    from prunescope.collectors.sql.text.nodes import nodes_of  # noqa: PLC0415
    from prunescope.collectors.sql.text.parse import parse  # noqa: PLC0415
    from prunescope.collectors.sql.text.statements import zone_set_by  # noqa: PLC0415

    assert question.sql is not None
    tree = parse(question.sql, question.dialect)
    named = referenced_tables(tree, None, None)
    meant = _meant(named, table)
    if not meant:
        reads = ", ".join(str(name.shown) for name in named) or "no table"
        raise TableNotScanned(f"The query does not read {table}. It reads: {reads}.")
    zone = zone_of_session(question.dialect, question.time_zone, zone_set_by(nodes_of(tree)))
    now = dt.datetime.now(dt.UTC)
    sessions = [session_of(question.dialect, now, zone, planner) for planner in planners]
    placed = place(tree, sessions[0], columns=dict.fromkeys(meant, columns))
    if not placed.placed:
        raise TableNotScanned(
            f"The query mentions {table} but does not read it: an unused CTE, or an unsupported "
            "form."
        )
    by_planner = map(placed.scans, sessions, planners)
    return [
        tuple(replace(scan, time_zone=zone) for scan in scans)
        for scans in zip(*by_planner, strict=True)
    ]


def _meant(named: Sequence[TableName], table: TableName) -> list[TableName]:
    """The query's tables that are the explained one: those of the same name, or the only one there
    is, if only a metadata file is known and not its name in a catalog."""
    same = [name for name in named if name.table.casefold() == table.table.casefold()]
    is_guessed = table.catalog is None and not table.namespace
    return same or (list(named) if len(named) == 1 and is_guessed else [])


def _answer(
    table: Table, asked: Asked, plans: PlanTriple[Replayed], planner: Planner | None
) -> Answer:
    """The answer for one scan."""
    question, scan = asked.question, asked.scan
    for each in plans:
        if each.failure is not None:
            why = each.failure
            return failed_answer(question.id, table.name, why.code, why.message or "")
    made = plans.map(_summary)
    if not rules_of(planner).plans:
        made = replace(made, pushed=without_plan(made.pushed, made.potential))
    specs = table.metadata.specs(scan.state.schema)
    engine = planner.engine if planner else dialect_of(question.dialect).planner
    classes = classes_of(
        engine,
        scan.predicate,
        None if engine is None else asked.pushed_by.get(engine),
        [part.selects_partitions for part in made.whole.conjuncts],
        [specs[i] for i in made.whole.spec_ids],
    )
    pushed_by = {each.engine: set(conjuncts(asked.pushed_by[each.engine])) for each in PLANNERS}
    return replayed_answer(
        question.id,
        table.name,
        scan.predicate,
        plans=made,
        classes=classes,
        pushed_by=pushed_by,
        chosen=None if scan.pushed is None else (str(planner), scan.pushed),
    )


def _summary(replayed: Replayed) -> ScanPlanSummary:
    assert replayed.summary is not None
    return replayed.summary
