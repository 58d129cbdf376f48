"""Agreements and blind spots, case by case."""

from __future__ import annotations

from dataclasses import replace

import pytest

from prunescope.audit_jobs.agreement import Agreement, agreement_of
from prunescope.audit_jobs.pruning.summary import Funnel
from tests.audit_jobs.sinks.results import summary

KEPT, ALLOWED = 10, 4
ALL = {"snapshot_known": True, "filter_known": True, "has_runtime_filter": False}


@pytest.mark.parametrize(
    ("files", "known", "traits", "expected"),
    [
        (10, {}, (), Agreement.AGREES),
        (10, {"snapshot_known": False}, ("join", "limit"), Agreement.AGREES),
        (7, {}, (), Agreement.PRUNES_MORE),
        (4, {}, (), Agreement.PRUNES_MORE),
        (3, {}, (), Agreement.OVER_PRUNE),
        (0, {}, (), Agreement.OVER_PRUNE),
        (11, {}, (), Agreement.OVER_READ),
        (13, {}, ("join", "limit", "aggregate"), Agreement.OVER_READ),
        (20, {}, (), Agreement.PLANNED_REPEATEDLY),
        (40, {}, (), Agreement.PLANNED_REPEATEDLY),
        (50, {}, (), Agreement.OVER_READ),
        (3, {"snapshot_known": False}, (), Agreement.SNAPSHOT_ASSUMED),
        (11, {"snapshot_known": False}, (), Agreement.SNAPSHOT_ASSUMED),
        (3, {"filter_known": False}, (), Agreement.FILTER_UNKNOWN),
        (11, {"filter_known": False}, (), Agreement.FILTER_UNKNOWN),
        (3, {"has_runtime_filter": True}, (), Agreement.DYNAMIC_FILTER),
        (3, {}, ("join",), Agreement.DYNAMIC_FILTER),
        (7, {}, ("join",), Agreement.DYNAMIC_FILTER),
        (3, {}, ("limit",), Agreement.LIMIT),
        (0, {}, ("aggregate",), Agreement.AGGREGATE_PUSH_DOWN),
        (3, {}, ("aggregate",), Agreement.OVER_PRUNE),
    ],
)
def test_agreement(
    files: int, known: dict[str, bool], traits: tuple[str, ...], expected: Agreement
) -> None:
    plan = summary(data_files=Funnel(40, 20, KEPT))
    potential = summary(data_files=Funnel(40, 20, ALLOWED))
    found = agreement_of(
        {"result_data_files": files}, plan, potential, traits=traits, **(ALL | known)
    )
    assert found is expected


@pytest.mark.parametrize(
    ("manifests", "known", "expected"),
    [
        (2, False, Agreement.SNAPSHOT_ASSUMED),
        (5, False, Agreement.AGREES),
        (None, False, Agreement.AGREES),
        (2, True, Agreement.AGREES),  # where the snapshot is told, only files count
    ],
)
def test_another_number_of_manifests_is_another_snapshot(
    manifests: int | None, known: bool, expected: Agreement
) -> None:
    plan = replace(summary(data_files=Funnel(40, 20, KEPT)), manifests=Funnel(5, 5, 4))
    counts = {"result_data_files": KEPT, "total_data_manifests": manifests}
    observed = {name: count for name, count in counts.items() if count is not None}
    found = agreement_of(observed, plan, plan, traits=(), **(ALL | {"snapshot_known": known}))
    assert found is expected


def test_a_planner_that_is_known_to_lose_files_is_told() -> None:
    plan, potential = (summary(data_files=Funnel(40, 20, kept)) for kept in (3, 4))
    found = agreement_of({"result_data_files": 3}, plan, potential, traits=(), **ALL)
    assert found is Agreement.OVER_PRUNE


def test_one_file_read_twice_is_more_than_planned() -> None:
    one = summary(data_files=Funnel(40, 20, 1))
    assert agreement_of({"result_data_files": 2}, one, one, traits=(), **ALL) is Agreement.OVER_READ


@pytest.mark.parametrize("observed", [None, {}, {"physical_input_bytes": 7}])
def test_without_a_count_of_files_nothing_is_said(observed: dict[str, int] | None) -> None:
    plan = summary()
    assert agreement_of(observed, plan, plan, traits=(), **ALL) is None


def test_without_a_known_plan_nothing_is_said() -> None:
    plan = replace(summary(), data_files=Funnel(None, None, None))
    assert agreement_of({"result_data_files": 3}, plan, plan, traits=(), **ALL) is None
