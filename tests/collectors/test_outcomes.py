"""Outcomes and statuses are told in one place, and documented as they are."""

from __future__ import annotations

import pickle
import pkgutil
from importlib import import_module
from pathlib import Path

import pyarrow as pa
import pytest

import prunescope.audit_jobs.jobs
import prunescope.collectors
from prunescope.audit_jobs.errors import InternalError
from prunescope.audit_jobs.jobs.explain import TableNotScanned
from prunescope.audit_jobs.status import Status
from prunescope.collectors.errors import PrunescopeError, QueryError, TableError
from prunescope.collectors.outcomes import CLEAN, NOTHING_TO_JUDGE, Outcome

AUDIT = (Path(__file__).parents[2] / "docs" / "audit.md").read_text()


def test_the_outcomes_are_documented_with_what_they_mean_and_what_to_do() -> None:
    rows = [f"| `{each}` | {each.meaning} | {each.remedy or '–'} |" for each in Outcome]
    table = "\n".join(["| outcome | meaning | what to do |", "|---|---|---|", *rows])
    assert f"## Outcomes\n\n{table}\n\n" in AUDIT, f"docs/audit.md needs:\n{table}"


def test_the_statuses_are_documented_with_what_they_mean() -> None:
    rows = [f"| `{each}` | {each.meaning} |" for each in Status]
    table = "\n".join(["| status | meaning |", "|---|---|", *rows])
    assert f"\n\n{table}\n\n" in AUDIT, f"docs/audit.md needs:\n{table}"


def test_what_is_clean_and_what_is_not_judged() -> None:
    nothing = {"no_iceberg_table", "not_a_query", "always_false"}
    reports = {"report_matched", "report_unmatched", "report_ambiguous"}
    assert nothing == NOTHING_TO_JUDGE
    assert {"replayed", "repeated", "not_scanned", *nothing, *reports} == CLEAN


def test_what_is_raised_for_queries_and_tables_is_an_outcome() -> None:
    for package in (prunescope.collectors, prunescope.audit_jobs.jobs):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            import_module(module.name)
    of_inputs = _below(QueryError) | _below(TableError)
    raised: set[type[PrunescopeError]] = {InternalError, TableNotScanned, *of_inputs}
    assert len(raised) > 15
    assert {error.__name__ for error in raised if not isinstance(error.code, Outcome)} == set()


def _below(error: type[PrunescopeError]) -> set[type[PrunescopeError]]:
    return {error}.union(*(_below(each) for each in error.__subclasses__()))


@pytest.mark.parametrize("code", [*Outcome, *Status])
def test_a_code_is_its_text_wherever_it_goes(code: Outcome | Status) -> None:
    assert pickle.loads(pickle.dumps(code)) is code  # noqa: S301  # made here
    assert pa.array([code]).to_pylist() == [code.value]
    assert {code.value: 1}[code] == 1
    assert f"{code}" == str(code) == code.value
