"""One case: audited after 30 days, done as it is asked, and tried on the 7 days after."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from prunescope.audit_jobs.findings.catalogue import is_repeated
from prunescope.audit_jobs.findings.entries import entries
from prunescope.audit_jobs.findings.model import Finding
from prunescope.audit_jobs.findings.remedy import remedy_of
from prunescope.audit_jobs.results.sums import PassSums
from tests.backtest.lake import Lake, bytes_of
from tests.backtest.model import DAYS, TRAINING_DAYS, Case
from tests.workloads.layouts import apply


@dataclass(frozen=True)
class Trial:
    """What was asked for that moves rows, and what test queries keep: shares of the table's bytes.
    `promised` is what is kept when it is done, as the audit says, None where it does not; `before`
    what they keep of the table as it was, `actual` what they do when it was done. The audit took so
    many seconds."""

    case: Case
    steps: tuple[Finding, ...]
    promised: float | None
    before: float
    actual: float
    seconds: float

    @property
    def asked(self) -> str:
        """What was asked for, in words."""
        return "; ".join(step.fix.step or "" for step in self.steps) or "nothing"

    @property
    def error(self) -> float | None:
        """By how much the promise is off."""
        return None if self.promised is None else abs(self.promised - self.actual)


def trial(case: Case, lake: Lake) -> Trial:
    """Audits, does what is asked for, and tries."""
    training, test = case.asked(0, TRAINING_DAYS), case.asked(TRAINING_DAYS, DAYS)
    then = lake.write(case.lay(case.rows(TRAINING_DAYS)))
    started = time.perf_counter()
    result = lake.audit(then, training)
    seconds = time.perf_counter() - started
    found = (entry.finding for entry in remedy_of(entries(result.findings)).entries)
    steps = tuple(finding for finding in found if finding.fix.change.moves_rows)
    before = case.lay(case.rows(DAYS))
    statements = dict.fromkeys(line for finding in steps for line in finding.fix.spark)
    after = apply([*statements], before, row_bytes=lake.row_bytes(then))
    kept_before, kept_after = (lake.kept_share(lake.write(one), test) for one in (before, after))
    promised = _promised(bytes_of(result), steps)
    return Trial(case, steps, promised, kept_before, kept_after, seconds)


def _promised(read: PassSums, steps: Sequence[Finding]) -> float | None:
    stakes = [one.bytes_at_stake for one in steps if not is_repeated(one.cause)]
    known = [stake for stake in stakes if stake is not None]
    assert read.total
    return (read.kept - sum(known)) / read.total if len(known) == len(stakes) else None
