"""What texts of one log may cost together: each template draws what is beyond the usual once."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import pytest

from prunescope.audit_jobs.jobs import sources
from prunescope.audit_jobs.jobs.audit import read_inputs, run_audit
from prunescope.audit_jobs.planning.runner import LocalRunner
from prunescope.audit_jobs.workload import extract
from prunescope.audit_jobs.workload.allowance import Allowance
from prunescope.audit_jobs.workload.queries import name_tables
from prunescope.audit_jobs.workload.text_scans import TextScans
from prunescope.collectors.observed import ObservedQuery
from prunescope.collectors.sql.text.cost import bounded, steps_for, usual_steps_for
from tests.audit_jobs.jobs.lakes import WINDOW, config_of, outcomes, write_table
from tests.sql_growth import COLUMNS

READ, COMPLEX, REFUSED = None, "too_complex", "too_many_complex"
LONG, ENDLESS = 7, 10
"""Of what doubles so often, more than is usual has to be done, and more than any text may."""


def doubled_views(number: int, name: str, literal: int = 1) -> str:
    """Much work to read; texts of other names are other templates."""
    views = "".join(
        f"CREATE TEMPORARY VIEW v{i} AS SELECT x.a FROM v{i - 1} x JOIN v{i - 1} y ON x.a = y.a; "
        for i in range(1, number)
    )
    first = "CREATE TEMPORARY VIEW v0 AS SELECT * FROM t; "
    return f"{first}{views}SELECT * FROM v{number - 1} AS {name} WHERE a = {literal}"


def doubled_queries(number: int, name: str, literal: int = 1) -> str:
    """Little work to read, much to find the scans of."""
    queries = ", ".join(
        f"c{i} AS (SELECT * FROM c{i - 1} UNION ALL SELECT * FROM c{i - 1})"
        for i in range(1, number)
    )
    first = "c0 AS (SELECT * FROM t)"
    return f"WITH {first}, {queries} SELECT * FROM c{number - 1} AS {name} WHERE a = {literal}"


def query(sql: str) -> ObservedQuery:
    return ObservedQuery("test", "1", sql, "trino", catalog="lake", schema="s")


class Reading:
    """Reads texts of one log."""

    def __init__(self, steps: int) -> None:
        self._allowance = Allowance(steps)

    def end(self, sql: str) -> str | None:
        failure = name_tables(query(sql), self._allowance).failure
        return None if failure is None else failure.code


class Finding:
    """Finds the scans of texts that come to one task."""

    def __init__(self, steps: int) -> None:
        self._scans = TextScans(COLUMNS, Allowance(steps))

    def end(self, sql: str) -> str | None:
        failure = self._scans.find(query(sql)).failure
        return None if failure is None else failure.code


def two_of(sql: str) -> int:
    """Steps that are enough for two such templates, and for no third."""
    return 5 * steps_for(len(sql)) // 2


STEPS = {Reading: doubled_views, Finding: doubled_queries}


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("number", [LONG, ENDLESS])
def test_two_templates_are_given_more_and_no_third(
    step: type[Reading | Finding], number: int
) -> None:
    text, end = STEPS[step], READ if number == LONG else COMPLEX
    log = step(two_of(text(number, "first")))
    assert [log.end(text(number, name)) for name in ("first", "other", "third")] == [
        end,
        end,
        REFUSED,
    ]
    # Whatever else is drawn by then, what a template was given is its own.
    assert [log.end(text(number, name, 2)) for name in ("third", "first")] == [REFUSED, end]
    assert log.end("SELECT * FROM t WHERE a = 1") is READ


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("number", [LONG, ENDLESS])
def test_a_log_ends_alike_whatever_was_read_before(
    step: type[Reading | Finding], number: int
) -> None:
    """Processes keep what they read, refusals as well."""
    text = STEPS[step]
    names = [f"{step.__name__}_{number}_{i}" for i in range(3)]
    steps = two_of(text(number, names[0]))

    def ends(allowed: int) -> list[str | None]:
        log = step(allowed)
        return [log.end(text(number, name)) for name in names]

    refused, fresh = ends(0), ends(steps)
    assert refused == [REFUSED] * 3
    assert fresh[2] == REFUSED
    assert fresh[0] == fresh[1] != REFUSED
    ends(100 * steps)
    assert ends(steps) == fresh
    assert ends(0) == refused


@pytest.mark.parametrize("step", STEPS)
def test_a_refused_template_costs_what_is_usual_once(step: type[Reading | Finding]) -> None:
    log, text = step(0), partial(STEPS[step], ENDLESS, f"once_{step.__name__}")
    assert log.end(text(1)) == REFUSED
    with bounded(10_000_000) as meter:
        assert {log.end(text(literal)) for literal in range(2, 12)} == {REFUSED}
    assert meter.steps < 10 * usual_steps_for(len(text(1))) / 2


def test_a_night_of_such_texts_is_told_and_stops_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = {"t": write_table(tmp_path, "t")}
    texts = {
        "plain": "SELECT * FROM lake.db.t WHERE id = 2",
        **{f"views-{i}": doubled_views(ENDLESS, f"n{i}") for i in range(3)},
        **{f"queries-{i}": doubled_queries(2 * ENDLESS, f"n{i}") for i in range(3)},
        "last": "SELECT name FROM lake.db.t WHERE id = 3",
    }
    log = tmp_path / "log.jsonl"
    records = [
        {"query_id": name, "sql": sql, "catalog": "lake", "schema": "db"}
        for name, sql in texts.items()
    ]
    log.write_text("".join(json.dumps(record) + "\n" for record in records))
    config = config_of(tables, sources=[{"type": "sql_records", "paths": [str(log)]}])
    most = partial(Allowance, two_of(texts["queries-0"]) // 2)
    monkeypatch.setattr(sources, "Allowance", most)
    monkeypatch.setattr(extract, "Allowance", most)
    runner = LocalRunner()
    result = run_audit(config, WINDOW, read_inputs(config, WINDOW, runner), runner, lambda _: None)
    found = outcomes(result)
    assert found.pop("plain") == found.pop("last") == "replayed"
    assert found.pop("views-0") == COMPLEX
    assert [found.pop(f"views-{i}") for i in (1, 2)] == [REFUSED] * 2
    assert sorted(found.values()) == [COMPLEX, REFUSED, REFUSED]
    assert result.run.queries[REFUSED] == 4
