"""The questions that `explain` is asked, and lines of files that hold them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from math import isfinite

from prunescope.audit_jobs.results.answers import Answer, failed_answer
from prunescope.collectors.outcomes import Outcome
from prunescope.collectors.predicates.instants import parse_zone
from prunescope.collectors.predicates.model import Predicate


@dataclass(frozen=True, slots=True)
class Question:
    """A condition over the table's columns (`where`), a whole query (`sql`), in a session of a
    time zone, or an unbound expression of Iceberg's, whose negations match nulls."""

    id: str | None = None
    where: str | None = None
    sql: str | None = None
    dialect: str = "trino"
    time_zone: str = "UTC"
    expression: Predicate | None = None


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
