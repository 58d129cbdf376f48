"""Explaining single queries against one table, in-process and without Spark."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypedDict

from prunescope.audit_jobs.jobs.questions import Question
from prunescope.audit_jobs.planning.local import Replayed, replay
from prunescope.audit_jobs.planning.planner_rules import rules_of
from prunescope.audit_jobs.pruning.conjunct_classes import classify
from prunescope.audit_jobs.pruning.rules import FLOOR, PlannerRules
from prunescope.audit_jobs.pruning.summary import conjuncts_within
from prunescope.audit_jobs.results.answers import Answer, failed_answer, replayed_answer
from prunescope.audit_jobs.suggestions import suggestion
from prunescope.audit_jobs.workload.versions import schema_of_version
from prunescope.collectors.errors import PrunescopeError
from prunescope.collectors.observed import TableName
from prunescope.collectors.outcomes import Outcome
from prunescope.collectors.predicates.bind import bind, unknown_columns
from prunescope.collectors.predicates.column_domains import tightened
from prunescope.collectors.predicates.model import Predicate, conjuncts
from prunescope.collectors.schema import Schema
from prunescope.collectors.sql.dialects import dialect_of, zone_of_session
from prunescope.collectors.sql.planners.profiles import (
    PLANNERS,
    Planner,
    as_expression,
    bind_pushed,
    plans_by_domains,
    pushed_domains,
)
from prunescope.collectors.sql.scopes.time_travel import CURRENT, Version
from prunescope.collectors.tables.catalog import Table
from prunescope.collectors.tables.metadata import Snapshot
from prunescope.collectors.tables.refs import snapshot_of_ref


@dataclass(frozen=True, slots=True)
class Asked:
    """One scan of a question: its snapshot and schema, its bound filter, and the part of it that
    the planner of each engine pushes, by engine. `planned` is the expression by which the chosen
    planner plans."""

    number: int
    question: Question
    snapshot: Snapshot | None
    schema: Schema
    predicate: Predicate
    pushed_by: Mapping[str, Predicate]
    planned: Predicate

    @property
    def read(self) -> tuple[int | None, int]:
        """The ids of its snapshot and its schema."""
        return None if self.snapshot is None else self.snapshot.snapshot_id, self.schema.schema_id

    def plans(self, rules: PlannerRules) -> tuple[tuple[Predicate, PlannerRules], ...]:
        """The predicates to plan, with their rules: the pushed filter, the whole filter, and its
        potential."""
        whole = (self.predicate, rules)
        return (self.planned, rules), whole, (tightened(self.predicate), FLOOR)


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
    rules = rules_of(planner)
    by_read: dict[tuple[int | None, int], list[Asked]] = {}
    for scan in asked:
        by_read.setdefault(scan.read, []).append(scan)
    plans: dict[tuple[tuple[int | None, int], tuple[Predicate, PlannerRules]], Replayed] = {}
    for key, scans in by_read.items():
        wanted = list(dict.fromkeys(plan for scan in scans for plan in scan.plans(rules)))
        replays = replay(
            table,
            scans[0].snapshot,
            wanted,
            schema=scans[0].schema,
            list_files=list_files,
            max_footers=max_footers,
        )
        plans |= {(key, plan): found for plan, found in zip(wanted, replays, strict=True)}
    for scan in asked:
        chosen, whole, potential = (plans[scan.read, plan] for plan in scan.plans(rules))
        answer = _answer(table, scan, (chosen, whole, potential), planner)
        if list_files and answer["outcome"] == Outcome.REPLAYED:
            answer["kept_files"] = list(chosen.kept_files)
        first = answers.setdefault(scan.number, answer)
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
    now = dt.datetime.now(dt.UTC)
    engine = planner.engine if planner else _engine_of(question.dialect)

    def schema_of(version: Version, snapshot: Snapshot | None) -> Schema:
        return schema_of_version(table.metadata, version, snapshot, engine=engine, moment=as_of)

    columns = schema_of(*chosen).types
    filters = (
        [_Filter(_condition(columns, question, planners, now))]
        if question.where is not None
        else _scans(table.name, columns, question, planners, now)
    )
    asked = []
    for unbound in filters:
        version, snapshot = chosen
        if unbound.version != CURRENT:
            version, snapshot = unbound.version, _snapshot_of(table, unbound.version, as_of)
        schema = schema_of(version, snapshot)
        session: _Session = {
            "time_zone": unbound.time_zone or question.time_zone,
            "plain_are_moments": dialect_of(question.dialect).plain_are_moments,
        }
        whole = bind(unbound.parts[0], schema, **session)
        _require_columns(table, schema, whole)
        pushed = {
            each.engine: bind_pushed(each, part, schema, **session)
            for each, part in zip(planners, unbound.parts[1:], strict=True)
        }
        planned = as_expression(planner, pushed[planner.engine] if planner else whole)
        asked.append(Asked(number, question, snapshot, schema, whole, pushed, planned))
    return asked


def _planners(chosen: Planner | None) -> list[Planner]:
    """A planner of each engine: the one that was chosen, and the newest of the others."""
    by_engine = {planner.engine: planner for planner in PLANNERS}
    if chosen is not None:
        by_engine[chosen.engine] = chosen
    return list(by_engine.values())


class _Session(TypedDict):
    """The parts of a question's session that binding takes."""

    time_zone: str
    plain_are_moments: bool


@dataclass(frozen=True, slots=True)
class _Filter:
    """The unbound parts of a scan's filter, the version of the table that its query names, and the
    time zone of its session."""

    parts: Sequence[Predicate]
    version: Version = CURRENT
    time_zone: str | None = None


def _condition(
    columns: Mapping[str, str], question: Question, planners: Sequence[Planner], now: dt.datetime
) -> Sequence[Predicate]:
    from prunescope.collectors.sql.extraction.extract import condition  # noqa: PLC0415

    assert question.where is not None
    return [
        condition(
            question.where,
            question.dialect,
            started_at=now,
            time_zone=question.time_zone,
            planner=planner,
            types=columns,
        )
        for planner in (None, *planners)
    ]


def _scans(
    table: TableName,
    columns: Mapping[str, str],
    question: Question,
    planners: Sequence[Planner],
    now: dt.datetime,
) -> list[_Filter]:
    from prunescope.collectors.sql.extraction.extract import extract  # noqa: PLC0415
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
    setting = zone_set_by(nodes_of(tree))
    time_zone = zone_of_session(question.dialect, question.time_zone, setting)
    by_planner = [
        extract(
            tree,
            dialect=question.dialect,
            columns=dict.fromkeys(meant, columns),
            started_at=now,
            time_zone=time_zone,
            planner=planner,
        )
        for planner in planners
    ]
    if not by_planner[0]:
        raise TableNotScanned(
            f"The query mentions {table} but does not read it: an unused CTE, or an unsupported "
            f"form."
        )
    return [
        _Filter(
            [scans[0].predicate, *(scan.pushed for scan in scans if scan.pushed is not None)],
            Version(scans[0].snapshot_id, scans[0].ref, scans[0].as_of),
            time_zone,
        )
        for scans in zip(*by_planner, strict=True)
    ]


def _meant(named: Sequence[TableName], table: TableName) -> list[TableName]:
    """The query's tables that are the explained one: those of the same name, or the only one there
    is, if only a metadata file is known and not its name in a catalog."""
    same = [name for name in named if name.table.casefold() == table.table.casefold()]
    is_guessed = table.catalog is None and not table.namespace
    return same or (list(named) if len(named) == 1 and is_guessed else [])


def _answer(
    table: Table,
    scan: Asked,
    plans: tuple[Replayed, Replayed, Replayed],
    planner: Planner | None,
) -> Answer:
    """The answer for one scan; `plans` are those of the pushed filter, of the whole filter, and of
    its potential."""
    chosen, whole, potential = plans
    failure = chosen.failure or whole.failure or potential.failure
    if failure is not None:
        why = failure
        return failed_answer(scan.question.id, table.name, why.code, why.message or "")
    assert chosen.summary is not None
    assert whole.summary is not None
    assert potential.summary is not None
    specs = table.metadata.specs(scan.schema)
    engine = planner.engine if planner else _engine_of(scan.question.dialect)
    classes = classify(
        conjuncts(scan.predicate),
        [part.selects_partitions for part in whole.summary.conjuncts],
        [specs[i] for i in whole.summary.spec_ids],
        pushed_domains(engine, None if engine is None else scan.pushed_by.get(engine)),
        by_domains=plans_by_domains(engine),
    )
    pushed_by = {each.engine: set(conjuncts(scan.pushed_by[each.engine])) for each in PLANNERS}
    return replayed_answer(
        scan.question.id,
        table.name,
        scan.predicate,
        plan=chosen.summary,
        whole=replace(whole.summary, conjuncts=conjuncts_within(whole.summary, chosen.summary)),
        potential=potential.summary,
        classes=classes,
        pushed_by=pushed_by,
        chosen=None if planner is None else (str(planner), scan.pushed_by[planner.engine]),
    )


def _engine_of(dialect: str) -> str | None:
    return "trino" if dialect_of(dialect).is_trino else None
