"""Orders of rows come after the conditions that they serve, where others lose until then."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from audit_jobs.findings.settling import settled
from audit_jobs.findings.settling_conditions import once_written

from audit_jobs.findings.trials import trial_of, tried
from audit_jobs.records import ConjunctRecord, ScanRecord
from collectors.predicates.operators import Op
from tests.audit_jobs.findings.test_trials import OPENING, SORTED, by_id, by_name, order, read
from tests.audit_jobs.findings.usages import FILE, FILES, ID, Night, compared, part, scan


def wrapped(*others: ConjunctRecord) -> ScanRecord:
    """A scan of a fiftieth of the ids, by a condition that the engine keeps to itself."""
    unused = part(compared(ID, Op.LT, 20_000), pushed=False, share=0.02)
    return scan(unused, *others, share=0.02, fingerprint="ids")


OF_A_TENTH = part(compared(ID, Op.GT_EQ, 900_000), share=0.1)


@pytest.mark.parametrize(
    ("first", "names", "rewrite", "is_told"),
    [
        pytest.param(wrapped(), [40, 80], None, False, id="others lose until then"),
        pytest.param(wrapped(), [40, 40], None, True, id="nobody loses"),
        pytest.param(wrapped(OF_A_TENTH), [40, 80], None, False, id="what is used says less"),
        pytest.param(by_id(FILES), [40, 80], None, True, id="conditions that are used"),
        pytest.param(wrapped(), [40, 80], "id < ?", True, id="the condition is beside it"),
    ],
)
def test_an_order_comes_after_the_conditions_that_it_serves(
    first: ScanRecord, names: Sequence[float], rewrite: str | None, is_told: bool
) -> None:
    """Scans by id win nine tenths by it, once their condition is used, and those by name may read
    twice as much."""
    asked = order(10)
    asked = replace(asked, fix=replace(asked.fix, rewrite=rewrite))
    usage = Night((first, by_name(400))).usage
    one = trial_of(usage, [asked])
    assert one is not None
    now, then = zip([100, 10], names, strict=True)
    (found,) = settled(usage, [asked], tried(one, {SORTED: read(now, then)}, OPENING))
    assert found.fix.change.acts is is_told
    assert ("Write the conditions" in (found.fix.advice or "")) is not is_told
    assert (found.bytes_at_stake or 0) >= 2 * 500 * FILE


@pytest.mark.parametrize(
    ("first", "lost", "is_told"),
    [
        pytest.param(wrapped(), 10 * FILE, False, id="others lose"),
        pytest.param(wrapped(), 0, True, id="nobody does"),
        pytest.param(by_id(FILES), 10 * FILE, True, id="a condition that is used"),
    ],
)
def test_so_does_an_order_that_was_not_tried(first: ScanRecord, lost: int, is_told: bool) -> None:
    asked = order(500 * FILE)
    asked = replace(asked, evidence={**asked.evidence, "bytes_lost_by_others": lost})
    beside = replace(asked, cause="d", evidence={"fingerprints": ["ids"]})
    usage = Night((first, by_name(400))).usage
    for found in once_written(usage, [asked, beside], {}):
        assert found.fix.change.acts is is_told
