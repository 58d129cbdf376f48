"""Expectations on the rows of every run, as Great Expectations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Literal

from great_expectations.expectations.core import (
    ExpectColumnPairValuesAToBeGreaterThanB,
    ExpectColumnPairValuesToBeEqual,
    ExpectColumnValuesToBeBetween,
    ExpectColumnValuesToBeInSet,
    ExpectColumnValuesToNotBeNull,
    ExpectCompoundColumnsToBeUnique,
    ExpectTableColumnsToMatchSet,
)
from great_expectations.expectations.expectation import Expectation

from prunescope.audit_jobs.findings.catalogue import BY_ID
from prunescope.audit_jobs.findings.model import Confidence, Severity
from prunescope.audit_jobs.results.counters import COUNTERS
from prunescope.audit_jobs.results.scan_schemas import (
    CONJUNCTS,
    ESTIMATED,
    FUNNELS,
    PASSES,
    SCAN_PLANS,
)
from prunescope.audit_jobs.results.schemas import AUDIT_RUNS, FINDINGS

ACCOUNTING = "accounting"
"""The frame of one row that holds a run's own counts beside those of its rows."""

SCAN = "scan_"
"""The prefix of the columns of a conjunct's scan in the frame of conjuncts."""

_EITHER: Literal["either_value_is_missing"] = "either_value_is_missing"


def expectations() -> dict[str, list[Expectation]]:
    """The expectations by frame: the audit tables, and ACCOUNTING."""
    return {
        SCAN_PLANS.name: list(_scan_plans()),
        CONJUNCTS.name: list(_conjuncts()),
        FINDINGS.name: list(_findings()),
        AUDIT_RUNS.name: [_exactly(column.name for column in AUDIT_RUNS.columns)],
        ACCOUNTING: list(_accounting()),
    }


@cache
def columns_read(frame: str) -> frozenset[str]:
    """The columns of a frame whose values its expectations read."""
    return frozenset().union(*map(columns_of, expectations()[frame]))


def columns_of(expectation: Expectation) -> set[str]:
    """The columns whose values an expectation reads."""
    settings = expectation.configuration.kwargs
    named = {settings[key] for key in ("column", "column_A", "column_B") if key in settings}
    return named.union(settings.get("column_list", ()))


def _scan_plans() -> Iterator[Expectation]:
    yield _exactly(column.name for column in SCAN_PLANS.columns)
    yield ExpectCompoundColumnsToBeUnique(column_list=["run_id", "scan_key"])
    for name in ("scan_key", "outcome", "query_outcome"):
        yield ExpectColumnValuesToNotBeNull(column=name)
    for funnel in FUNNELS:
        yield _at_least_0(f"{funnel}_kept")
        yield _at_most(f"{funnel}_kept", f"{funnel}_considered")
        yield _at_most(f"{funnel}_considered", f"{funnel}_total")
        yield _at_most(f"{funnel}_kept", f"{funnel}_total")
    for funnel in ESTIMATED:
        yield _at_most(f"{funnel}_kept_low", f"{funnel}_kept")
        yield _at_most(f"{funnel}_kept", f"{funnel}_kept_high")
    # What one pass keeps is what the next considers, in the unit that both count.
    yield ExpectColumnPairValuesToBeEqual(
        column_A="row_group_records_considered", column_B="records_kept", ignore_row_if=_EITHER
    )
    for counter in COUNTERS:
        if counter.part_of is not None:
            yield _at_least_0(counter.column)
            yield _at_most(counter.column, counter.part_of)


def _conjuncts() -> Iterator[Expectation]:
    own = [column.name for column in CONJUNCTS.columns]
    yield _exactly([*own, *(f"{SCAN}{name}_considered" for name in PASSES)])
    yield ExpectCompoundColumnsToBeUnique(column_list=["run_id", "scan_key", "position"])
    yield ExpectColumnValuesToBeInSet(
        column="class", value_set=["enforced", "unenforced", "unsupported", "runtime"]
    )
    for name in PASSES:
        yield _at_least_0(f"{name}_pruned")
        yield _at_most(f"{name}_pruned", f"{SCAN}{name}_considered")


def _findings() -> Iterator[Expectation]:
    yield _exactly(column.name for column in FINDINGS.columns)
    yield ExpectCompoundColumnsToBeUnique(column_list=["run_id", "finding_key"])
    yield ExpectColumnValuesToBeInSet(column="cause", value_set=list(BY_ID))
    yield ExpectColumnValuesToBeInSet(column="severity", value_set=[s.value for s in Severity])
    yield ExpectColumnValuesToBeInSet(column="confidence", value_set=[c.value for c in Confidence])
    for name in ("sentence", "table"):
        yield ExpectColumnValuesToNotBeNull(column=name)
    for name in ("scans", "bytes_read", "bytes_at_stake"):
        yield _at_least_0(name)
    yield _at_most("bytes_at_stake", "bytes_read")


def _accounting() -> Iterator[Expectation]:
    yield ExpectColumnPairValuesToBeEqual(column_A="inputs", column_B="outcomes")
    yield ExpectColumnPairValuesToBeEqual(column_A="scans", column_B="scan_rows")
    yield ExpectColumnPairValuesToBeEqual(column_A="findings", column_B="finding_rows")


def _exactly(names: Iterable[str]) -> Expectation:
    return ExpectTableColumnsToMatchSet(column_set=list(names), exact_match=True)


def _at_least_0(column: str) -> Expectation:
    return ExpectColumnValuesToBeBetween(column=column, min_value=0)


def _at_most(small: str, large: str) -> Expectation:
    return ExpectColumnPairValuesAToBeGreaterThanB(
        column_A=large, column_B=small, or_equal=True, ignore_row_if=_EITHER
    )
