"""Explaining single queries against one table, in-process and without Spark."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite

from audit_jobs.planning.local import Replayed, replay
from audit_jobs.planning.planner_rules import rules_of
from audit_jobs.pruning.conjunct_classes import classify
from audit_jobs.pruning.rules import FLOOR, PlannerRules
from audit_jobs.results.answers import Answer, failed_answer, replayed_answer
from audit_jobs.suggestions import suggestion
from collectors.errors import PrunescopeError
from collectors.observed import TableName
from collectors.outcomes import Outcome
from collectors.predicates.bind import bind, unknown_columns
from collectors.predicates.column_domains import tightened
from collectors.predicates.instants import parse_zone
from collectors.predicates.model import Predicate, conjuncts
from collectors.schema import Schema
from collectors.sql.dialects import dialect_of
from collectors.sql.planners.profiles import (
    PLANNERS,
    Planner,
    as_expression,
    bind_pushed,
    plans_by_domains,
    pushed_domains,
)
from collectors.tables.catalog import Table
from collectors.tables.metadata import Snapshot


@dataclass(frozen=True, slots=True)
class Question:
    """A condition over the table's columns (`where`) or a whole query (`sql`), in a session of a
    time zone."""

    id: str | None
    where: str | None = None
    sql: str | None = None
    dialect: str = "trino"
    time_zone: str = "UTC"


@dataclass(frozen=True, slots=True)
class Asked:
    """One scan that a question asks for: its filter, bound, and what the planner of each engine
    pushes of it, by engine. `planned` is the expression that the one that was chosen plans by."""

    number: int
    question: Question
    predicate: Predicate
    pushed_by: Mapping[str, Predicate]
    planned: Predicate

    def plans(self, rules: PlannerRules) -> tuple[tuple[Predicate, PlannerRules], ...]:
        """What is planned: what is pushed, the whole filter, and its potential."""
        whole = (self.predicate, rules)
        return (self.planned, rules), whole, (tightened(self.predicate), FLOOR)


@dataclass(frozen=True, slots=True)
class SnapshotChoice:
    """Which snapshot to plan; the current one if nothing is set."""

    snapshot_id: int | None = None
    ref: str | None = None
    as_of: dt.datetime | None = None


def choose_snapshot(table: Table, choice: SnapshotChoice) -> Snapshot | None:
    """The chosen snapshot; None for a table that has never been written. Raises
    SnapshotNotFound."""
    if choice.snapshot_id is not None:
        return table.metadata.snapshot_by_id(choice.snapshot_id)
    if choice.ref is not None:
        return table.metadata.snapshot_by_ref(choice.ref)
    if choice.as_of is not None:
        return table.metadata.snapshot_as_of(choice.as_of)
    return table.metadata.current_snapshot()


def parse_question(
    line: bytes, number: int, dialect: str, time_zone: str = "UTC"
) -> Question | Answer:
    """A question from a line of `--where-file`, in `dialect` and a session of `time_zone` unless it
    names its own, or the answer that it is none."""
    try:
        document = json.loads(line, parse_float=_finite, parse_constant=_finite)
    except (ValueError, RecursionError):
        document = None
    if not isinstance(document, dict):
        return _malformed(None, f"line {number} is not a JSON object")
    texts = {key: document.get(key) for key in ("where", "sql")}
    given = [key for key, text in texts.items() if isinstance(text, str)]
    name = None if document.get("id") is None else str(document["id"])
    if len(given) != 1:
        return _malformed(name, f'line {number} needs "where" or "sql", as text')
    usual = {"dialect": dialect, "time_zone": time_zone}
    named = {key: document.get(key, value) for key, value in usual.items()}
    for key, value in named.items():
        if not isinstance(value, str):
            return _malformed(name, f'line {number}: "{key}" is no text')
    if parse_zone(named["time_zone"]) is None:
        return _malformed(name, f'line {number}: "time_zone" is none, such as Europe/Berlin')
    return Question(document.get("id"), texts["where"], texts["sql"], **named)


def _finite(text: str) -> float:
    """A number of JSON. Raises ValueError for one that JSON cannot print again."""
    number = float(text)
    if not isfinite(number):
        raise ValueError("a number that is infinite, or none")
    return number


def _malformed(name: str | None, message: str) -> Answer:
    return failed_answer(name, None, Outcome.MALFORMED_QUESTION, message)


def explain(
    table: Table,
    snapshot: Snapshot | None,
    questions: Iterable[Question | Answer],
    *,
    planner: Planner | None = None,
    list_files: bool = False,
    max_footers: int | None = None,
) -> list[Answer]:
    """One answer per question, in order; manifests and footers are read once for all, of more
    than `max_footers` footers a sample.

    With a planner, the plan is of what that planner pushes, by its version's rules; without, of
    the whole filter, by those of the newest Iceberg. The answer tells beside it what the whole
    filter would keep by all that the statistics allow. A question that cannot be answered is
    answered with its outcome and a message.
    """
    answers: list[Answer | None] = []
    asked: list[Asked] = []
    for number, question in enumerate(questions):
        answers.append(None)
        if isinstance(question, dict):
            answers[number] = question
            continue
        try:
            found = _asked(table, snapshot, number, question, planner)
        except PrunescopeError as error:
            answers[number] = failed_answer(question.id, table.name, error.code, str(error))
            continue
        unknown = [name for scan in found for name in unknown_columns(scan.predicate)]
        if unknown:
            message = _no_columns(table, snapshot, tuple(dict.fromkeys(unknown)))
            answers[number] = failed_answer(
                question.id, table.name, Outcome.UNKNOWN_COLUMN, message
            )
            continue
        asked.extend(found)
    rules = rules_of(planner)
    wanted = list(dict.fromkeys(plan for scan in asked for plan in scan.plans(rules)))
    replays = replay(table, snapshot, wanted, list_files=list_files, max_footers=max_footers)
    plans = dict(zip(wanted, replays, strict=True))
    for scan in asked:
        chosen, whole, potential = (plans[plan] for plan in scan.plans(rules))
        answer = _answer(table, snapshot, scan, (chosen, whole, potential), planner)
        if list_files and answer["outcome"] == Outcome.REPLAYED:
            answer["kept_files"] = list(chosen.kept_files)
        first = answers[scan.number]
        if first is None:
            answers[scan.number] = answer
        else:  # a query that scans the table more than once
            first.setdefault("more_scans", []).append(answer)
    return [answer for answer in answers if answer is not None]


class TableNotScanned(PrunescopeError):
    """A query does not read the table that it should be explained against."""

    code = Outcome.TABLE_NOT_SCANNED


def _no_columns(table: Table, snapshot: Snapshot | None, names: Sequence[str]) -> str:
    message = f"{table.name} has no column {', '.join(names)}"
    if len(names) > 1:
        return message
    columns = [column.name for column in table.metadata.schema(snapshot).columns]
    return f"{message}; {suggestion(names[0], columns)}"


def _asked(
    table: Table,
    snapshot: Snapshot | None,
    number: int,
    question: Question,
    planner: Planner | None,
) -> list[Asked]:
    """The scans of a question: one, or one per scan of the table."""
    schema = table.metadata.schema(snapshot)
    planners = _planners(planner)
    now = dt.datetime.now(dt.UTC)
    filters = (
        [_condition(schema, question, planners, now)]
        if question.where is not None
        else _scans(table.name, schema, question, planners, now)
    )
    asked = []
    for unbound in filters:
        whole = bind(unbound[0], schema, time_zone=question.time_zone)
        pushed = {
            each.engine: bind_pushed(each, part, schema, time_zone=question.time_zone)
            for each, part in zip(planners, unbound[1:], strict=True)
        }
        planned = as_expression(planner, pushed[planner.engine] if planner else whole)
        asked.append(Asked(number, question, whole, pushed, planned))
    return asked


def _planners(chosen: Planner | None) -> list[Planner]:
    """A planner of each engine: the one that was chosen, and the newest of the others."""
    by_engine = {planner.engine: planner for planner in PLANNERS}
    if chosen is not None:
        by_engine[chosen.engine] = chosen
    return list(by_engine.values())


_Filter = Sequence[Predicate]
"""A filter, and what each planner pushes of it; all unbound."""


def _condition(
    schema: Schema, question: Question, planners: Sequence[Planner], now: dt.datetime
) -> _Filter:
    from collectors.sql.extraction.extract import condition  # noqa: PLC0415

    assert question.where is not None
    return [
        condition(
            question.where,
            question.dialect,
            started_at=now,
            time_zone=question.time_zone,
            planner=planner,
            types=schema.top_level_types,
        )
        for planner in (None, *planners)
    ]


def _scans(
    table: TableName,
    schema: Schema,
    question: Question,
    planners: Sequence[Planner],
    now: dt.datetime,
) -> list[_Filter]:
    from collectors.sql.extraction.extract import extract  # noqa: PLC0415
    from collectors.sql.scopes.tables import referenced_tables  # noqa: PLC0415
    from collectors.sql.text.parse import parse  # noqa: PLC0415

    assert question.sql is not None
    tree = parse(question.sql, question.dialect)
    named = referenced_tables(tree, None, None)
    meant = _meant(named, table)
    if not meant:
        raise TableNotScanned(
            f"the query does not read {table}; it reads: {', '.join(map(str, named)) or 'no table'}"
        )
    by_planner = [
        extract(
            tree,
            dialect=question.dialect,
            columns=dict.fromkeys(meant, schema.top_level_types),
            started_at=now,
            time_zone=question.time_zone,
            planner=planner,
        )
        for planner in planners
    ]
    return [
        [scans[0].predicate, *(scan.pushed for scan in scans if scan.pushed is not None)]
        for scans in zip(*by_planner, strict=True)
    ]


def _meant(named: Sequence[TableName], table: TableName) -> list[TableName]:
    """Those of the query's tables that are the explained one: of the same name, or the only
    one there is, where only a metadata file is known and not what its catalog names it."""
    same = [name for name in named if name.table.casefold() == table.table.casefold()]
    is_guessed = table.catalog is None and not table.namespace
    return same or (list(named) if len(named) == 1 and is_guessed else [])


def _answer(
    table: Table,
    snapshot: Snapshot | None,
    scan: Asked,
    plans: tuple[Replayed, Replayed, Replayed],
    planner: Planner | None,
) -> Answer:
    """`plans` are those of what is pushed, of the whole filter, and of its potential."""
    chosen, whole, potential = plans
    failure = chosen.failure or whole.failure or potential.failure
    if failure is not None:
        why = failure
        return failed_answer(scan.question.id, table.name, why.code, why.message or "")
    assert chosen.summary is not None
    assert whole.summary is not None
    assert potential.summary is not None
    specs = table.metadata.specs(table.metadata.schema(snapshot))
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
        whole=whole.summary,
        potential=potential.summary,
        classes=classes,
        pushed_by=pushed_by,
        chosen=None if planner is None else (str(planner), scan.pushed_by[planner.engine]),
    )


def _engine_of(dialect: str) -> str | None:
    return "trino" if dialect_of(dialect).is_trino else None
