"""Rewrites keep the bounds that scans skip files by, whatever properties have become."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from prunescope.audit_jobs.findings.keeping import keeping_bounds
from prunescope.audit_jobs.findings.model import (
    KEPT,
    Change,
    Confidence,
    Files,
    Finding,
    Fix,
    Severity,
)
from prunescope.audit_jobs.findings.trials import modes_of, trial_of
from prunescope.collectors.predicates.operators import Op
from tests.audit_jobs.findings.usages import (
    ID,
    NAME,
    TABLE,
    Night,
    column,
    compared,
    part,
    scan,
    table,
)

PREFIX = "write.metadata.metrics."
NONE = {f"{PREFIX}default": "none"}
REWRITE = Change(files=Files.ALL)
BOUNDED = replace(REWRITE, modes=(("id", "truncate(16)"),))


def finding(change: Change) -> Finding:
    return Finding(
        cause="small_files",
        severity=Severity.LOW,
        confidence=Confidence.HIGH,
        table=TABLE,
        sentence="",
        scans=2,
        bytes_read=1,
        bytes_at_stake=None,
        fix=Fix(advice="Merge.", change=change),
    )


def kept(of: Night, finding: Finding) -> Finding:
    """A finding with the bounds that its layout needs."""
    return keeping_bounds(finding, modes_of(of.usage, finding.fix.change))


def night(
    properties: Mapping[str, str], *, pruned: int = 990, bounded: float | None = 1.0
) -> Night:
    """Scans by id, whose bounds rule out so many files, and by a name, which rule out none."""
    return Night(
        (
            scan(
                part(compared(ID, Op.EQ, 7), pruned=pruned),
                part(compared(NAME, Op.EQ, b"x")),
                kept=1_000 - pruned,
            ),
        ),
        health=table(column(ID, bounded=bounded)),
        properties=properties,
    )


@pytest.mark.parametrize(
    "properties",
    [
        pytest.param(NONE, id="nothing-by-default"),
        pytest.param({f"{PREFIX}column.id": "Counts"}, id="nothing-of-the-column"),
        pytest.param({f"{PREFIX}max-inferred-column-defaults": "0"}, id="beyond-the-first"),
    ],
)
def test_what_scans_skip_files_by_is_written(properties: Mapping[str, str]) -> None:
    found = kept(night(properties), finding(REWRITE)).fix
    assert found.change == BOUNDED
    assert found.advice is not None
    assert found.advice.startswith("Merge. What is written from now on has no bounds of id,")


@pytest.mark.parametrize(
    ("of", "change"),
    [
        pytest.param(night({}), REWRITE, id="bounds-are-kept"),
        pytest.param(night({**NONE, f"{PREFIX}column.id": "full"}), REWRITE, id="as-a-column-says"),
        pytest.param(
            night({f"{PREFIX}max-inferred-column-defaults": "1"}), REWRITE, id="the-first-column"
        ),
        pytest.param(night(NONE, pruned=0), REWRITE, id="no-file-is-skipped"),
        pytest.param(night(NONE, bounded=0.0), REWRITE, id="skipped-by-partitions"),
        pytest.param(night(NONE, bounded=None), REWRITE, id="nobody-knows"),
        pytest.param(night(NONE), KEPT, id="nothing-is-done"),
        pytest.param(night(NONE), Change(added=(("day", "ts"),)), id="no-rewrite"),
        pytest.param(night(NONE), BOUNDED, id="they-are-written-already"),
    ],
)
def test_others_stay_as_they_are(of: Night, change: Change) -> None:
    stays = finding(change)
    assert kept(of, stays) == stays


def test_what_is_sorted_by_is_written_against_its_own_property() -> None:
    by_name = finding(replace(REWRITE, order=("name",)))
    found = kept(night({f"{PREFIX}column.name": "none"}), by_name).fix
    assert found.change == replace(by_name.fix.change, modes=(("name", "truncate(16)"),))
    # Whatever the default is, writers keep bounds of what a table is sorted by.
    assert kept(night(NONE, pruned=0), by_name) == by_name


@pytest.mark.parametrize(
    "properties", [NONE, {f"{PREFIX}max-inferred-column-defaults": "0"}], ids=["none", "beyond"]
)
def test_a_z_order_is_no_order_of_the_table_that_brings_bounds(
    properties: Mapping[str, str],
) -> None:
    by_both = Change(order=("id", "name"), is_zorder=True, files=Files.ALL)
    found = kept(night(properties, pruned=0), finding(by_both)).fix
    assert found.change == replace(
        by_both, modes=tuple((name, "truncate(16)") for name in by_both.order)
    )


def test_a_layout_is_tried_with_the_bounds_that_its_own_statements_set() -> None:
    by_id = replace(REWRITE, order=("id",))
    by_name = replace(REWRITE, order=("name",), modes=(("name", "full"),))
    both = replace(REWRITE, order=("id", "name"), is_zorder=True)
    trial = trial_of(night(NONE, pruned=0).usage, [by_id, by_name, both])
    assert trial is not None
    assert trial.modes == {
        by_id.layout: {},
        by_name.layout: {"name": "full"},
        both.layout: {"id": "truncate(16)", "name": "truncate(16)"},
    }
