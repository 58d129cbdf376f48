"""One fingerprint whose conditions say something else with other literals."""

from __future__ import annotations

import pytest

from prunescope.audit_jobs.records import ConjunctRecord
from prunescope.collectors.predicates.model import Reason, Written, any_of
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.predicates.walks import written_as
from tests.audit_jobs.findings.usages import ID, Night, compared, opaque, part, scan

_WRITTEN = Written("coalesce(id, 1) >= 14", "coalesce(id, ?) >= ?")
_SAME = part(written_as(_WRITTEN, compared(ID, Op.GT_EQ, 14)), pushed=False, pruned=900)
_LATER = part(written_as(_WRITTEN, compared(ID, Op.GT_EQ, 19)), pushed=False, pruned=900)
_OR_NULL = part(
    written_as(_WRITTEN, any_of(compared(ID, Op.GT_EQ, 14), compared(ID, Op.IS_NULL))),
    pushed=False,
    pruned=900,
)
_UNKNOWN = part(opaque(Reason.FUNCTION, _WRITTEN.text, _WRITTEN.redacted, "id"), pushed=False)


@pytest.mark.parametrize(
    ("conditions", "ranges", "is_of_some"),
    [
        pytest.param((_SAME, _LATER), 1, False, id="other values"),
        pytest.param((_SAME, _OR_NULL), 2, True, id="one takes nulls as well"),
        pytest.param((_SAME, _UNKNOWN), 1, True, id="one is no range"),
    ],
)
def test_each_reading_has_words_of_its_own(
    conditions: tuple[ConjunctRecord, ...], ranges: int, is_of_some: bool
) -> None:
    scans = (scan(one, allowed=100) for one in conditions)
    found = Night(tuple(scans)).findings("wrapped_column")
    told = [finding.fix for finding in found if finding.fix.rewrite is not None]
    assert len({fix.rewrite for fix in told}) == len(told) == ranges
    assert all(("another range" in (fix.advice or "")) == is_of_some for fix in told)


def test_scans_of_one_query_have_a_finding_for_each_of_their_conditions() -> None:
    """As an event log has them that has no text: the fingerprint is that of the whole plan."""
    other = Written("id + 0 = 19", "id + ? = ?")
    single = part(written_as(other, compared(ID, Op.EQ, 19)), pushed=False, pruned=900)
    scans = (scan(one, allowed=100) for one in (_SAME, single))
    found = Night(tuple(scans)).findings("wrapped_column")
    assert {finding.conjunct for finding in found} == {_WRITTEN.redacted, other.redacted}
    assert all("with others" not in (finding.fix.advice or "") for finding in found)
