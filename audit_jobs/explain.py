"""Explaining single queries against one table, in-process and without Spark."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from audit_jobs.pruning.summary import UNREAD_REASONS, ConjunctSummary, Funnel
from audit_jobs.records import REPLAYED
from audit_jobs.replay.local import Replayed, replay
from audit_jobs.replay.work import Failure
from collectors.errors import PrunescopeError, TableError
from collectors.predicates.bind import bind, unknown_columns
from collectors.predicates.model import Predicate
from collectors.predicates.render import render
from collectors.queries.observed import TableName
from collectors.tables.catalog import Table
from collectors.tables.metadata import Snapshot

Answer = dict[str, Any]
"""One answer in the JSON shape that users rely on; see `docs/explain.md`."""


@dataclass(frozen=True, slots=True)
class Question:
    """A condition over the table's columns (`where`) or a whole query (`sql`)."""

    id: str | None
    where: str | None = None
    sql: str | None = None
    dialect: str = "trino"


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


def parse_question(line: str, number: int) -> Question | Answer:
    """A question from a line of `--where-file`, or the answer that it is none."""
    try:
        document = json.loads(line)
    except ValueError:
        document = None
    if not isinstance(document, dict):
        return _failed(None, None, "malformed_question", f"line {number} is not a JSON object")
    texts = {key: document.get(key) for key in ("where", "sql")}
    given = [key for key, text in texts.items() if isinstance(text, str)]
    name = None if document.get("id") is None else str(document["id"])
    if len(given) != 1:
        return _failed(
            name, None, "malformed_question", f'line {number} needs "where" or "sql", as text'
        )
    dialect = document.get("dialect", "trino")
    if not isinstance(dialect, str):
        return _failed(name, None, "malformed_question", f'line {number}: "dialect" is no text')
    return Question(document.get("id"), texts["where"], texts["sql"], dialect)


def explain(
    table: Table,
    snapshot: Snapshot | None,
    questions: Iterable[Question | Answer],
    *,
    list_files: bool = False,
) -> list[Answer]:
    """One answer per question, in order; manifests and footers are read once for all.

    A question that cannot be answered is answered with its outcome and a message.
    """
    answers: list[Answer | None] = []
    pending: list[tuple[int, Question, Predicate]] = []
    for number, question in enumerate(questions):
        answers.append(None)
        if isinstance(question, dict):
            answers[number] = question
            continue
        try:
            predicates = _predicates(table, snapshot, question)
        except PrunescopeError as error:
            answers[number] = _failed(question.id, table, error.code, str(error))
            continue
        unknown = [name for p in predicates for name in unknown_columns(p)]
        if unknown:
            message = f"{table.name} has no column {', '.join(dict.fromkeys(unknown))}"
            answers[number] = _failed(question.id, table, "unknown_column", message)
            continue
        pending.extend((number, question, predicate) for predicate in predicates)
    try:
        replayed = replay(
            table, snapshot, [predicate for _, _, predicate in pending], list_files=list_files
        )
    except TableError as error:  # the manifest list: no question can be answered
        failure = Failure(str(table.name), (), error.code, str(error))
        replayed = [Replayed(None, failure) for _ in pending]
    for (number, question, predicate), outcome in zip(pending, replayed, strict=True):
        answer = _answer(question, table, predicate, outcome, list_files=list_files)
        first = answers[number]
        if first is None:
            answers[number] = answer
        else:  # a query that scans the table more than once
            first.setdefault("more_scans", []).append(answer)
    return [answer for answer in answers if answer is not None]


class TableNotScanned(PrunescopeError):
    """A query does not read the table that it should be explained against."""

    code = "table_not_scanned"


def _predicates(table: Table, snapshot: Snapshot | None, question: Question) -> Sequence[Predicate]:
    """The bound predicates of a question: one, or one per scan of the table."""
    schema = table.metadata.schema(snapshot)
    now = dt.datetime.now(dt.UTC)
    if question.where is not None:
        from collectors.predicates.sql_extract import condition  # noqa: PLC0415

        unbound = condition(question.where, question.dialect, started_at=now, time_zone="UTC")
        return [bind(unbound, schema, time_zone="UTC")]
    from collectors.predicates.sql_extract import extract  # noqa: PLC0415
    from collectors.predicates.sql_parse import parse  # noqa: PLC0415
    from collectors.predicates.sql_tables import referenced_tables  # noqa: PLC0415

    assert question.sql is not None
    tree = parse(question.sql, question.dialect)
    named = referenced_tables(tree, None, None)
    meant = _meant(named, table.name)
    if not meant:
        raise TableNotScanned(
            f"the query does not read {table.name}; it reads: "
            f"{', '.join(map(str, named)) or 'no table'}"
        )
    scans = extract(
        tree,
        dialect=question.dialect,
        columns=dict.fromkeys(meant, schema.top_level_names),
        started_at=now,
        time_zone="UTC",
    )
    return [bind(scan.predicate, schema, time_zone="UTC") for scan in scans]


def _meant(named: Sequence[TableName], table: TableName) -> list[TableName]:
    """Those of the query's tables that are the explained one: of the same name, or the only
    one there is."""
    same = [name for name in named if name.table.casefold() == table.table.casefold()]
    return same or (list(named) if len(named) == 1 else [])


def _answer(
    question: Question,
    table: Table,
    predicate: Predicate,
    outcome: Replayed,
    *,
    list_files: bool,
) -> Answer:
    if outcome.failure is not None or outcome.summary is None:
        assert outcome.failure is not None
        return _failed(question.id, table, outcome.failure.code, outcome.failure.message)
    summary = outcome.summary
    answer: Answer = {
        "id": question.id,
        "table": str(table.name),
        "snapshot_id": summary.snapshot_id,
        "outcome": REPLAYED,
        "predicate": render(predicate),
        "manifests": _funnel(summary.manifests),
        "data_files": _funnel(summary.data_files),
        "row_groups": _funnel(summary.row_groups),
        "bytes": _funnel(summary.bytes),
        "records": _funnel(summary.records),
        "row_group_bytes": _funnel(summary.row_group_bytes),
        "row_group_records": _funnel(summary.row_group_records),
        "delete_manifests": {
            "total": summary.delete_manifests.total,
            "kept": summary.delete_manifests.kept,
        },
        "delete_files": {
            "total": summary.delete_files.total,
            "kept": summary.delete_files.kept,
        },
        "spec_ids": list(summary.spec_ids),
        "conjuncts": [_conjunct(conjunct) for conjunct in summary.conjuncts],
        "unread": {UNREAD_REASONS[name]: count for name, count in summary.unread.items()},
    }
    if list_files:
        answer["kept_files"] = list(outcome.kept_files)
    return answer


def _funnel(funnel: Funnel) -> dict[str, int | None]:
    return {"total": funnel.total, "considered": funnel.considered, "kept": funnel.kept}


def _conjunct(conjunct: ConjunctSummary) -> dict[str, Any]:
    reasons = dict(conjunct.reasons)
    pruned = conjunct.manifests_pruned + conjunct.data_files_pruned
    return {
        "predicate": render(conjunct.predicate),
        "class": conjunct.conjunct_class,
        "manifests_pruned": conjunct.manifests_pruned,
        "data_files_pruned": conjunct.data_files_pruned,
        "row_groups_pruned": conjunct.row_groups_pruned,
        "reason": None if pruned else (reasons.get("data_files") or reasons.get("manifests")),
        "reasons": reasons,
    }


def _failed(name: str | None, table: Table | None, outcome: str, message: str) -> Answer:
    """An answer of the same shape, without numbers."""
    nothing = {"total": None, "considered": None, "kept": None}
    return {
        "id": name,
        "table": None if table is None else str(table.name),
        "snapshot_id": None,
        "outcome": outcome,
        "message": message,
        "predicate": None,
        **{
            key: dict(nothing)
            for key in (
                "manifests",
                "data_files",
                "row_groups",
                "bytes",
                "records",
                "row_group_bytes",
                "row_group_records",
            )
        },
        "delete_manifests": {"total": None, "kept": None},
        "delete_files": {"total": None, "kept": None},
        "spec_ids": [],
        "conjuncts": [],
        "unread": {},
    }
