"""Killing the job, over and over, on what the kills before have left behind."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import cycle

from tests.chaos.drivers import Drivers
from tests.chaos.lake import DAY
from tests.chaos.moments import (
    STAGES,
    AfterSeconds,
    AtCommit,
    AtStage,
    AtWrite,
    Moment,
    preparations,
    strike,
)
from tests.chaos.processes import Audit, start_audit
from tests.chaos.publication import CLEAN, Extent, Outcome, Publication

_COMPLETE_EVERY = 10
"""Kills."""


def whole_moments(number: int, extent: Extent, rng: random.Random) -> list[Moment]:
    """Moments for a driver with its JVM and workers: each stage boundary and each commit, and
    between stages at random."""
    moments: list[Moment] = [AtStage(stage) for stage in STAGES]
    moments += commits(extent)
    while len(moments) < number:
        moments.append(AtStage(rng.choice(STAGES), rng.uniform(0, 3)))
    return moments[:number]


def forked_moments(number: int, extent: Extent, rng: random.Random) -> list[Moment]:
    """Moments for what the driver does alone: each commit and each file, and at random."""
    moments: list[Moment] = [*commits(extent)]
    moments += [AtWrite(n) for n in range(1, extent.files + 1)]
    while len(moments) < number:
        moments.append(AfterSeconds(rng.uniform(0, 2)))
    return moments[:number]


def commits(extent: Extent) -> list[Moment]:
    """Right before and right after each commit."""
    return [AtCommit(n, before) for n in range(1, extent.commits + 1) for before in (True, False)]


def kill_whole_jobs(publication: Publication, moments: Sequence[Moment]) -> Iterator[Outcome]:
    """Runs of the first and the second log in turn, each killed with all that it started; every
    tenth is followed by one that is left alone."""
    configs = cycle(publication.configs)
    for number, moment in enumerate(moments):
        log = publication.log(f"whole-{number}")
        audit = start_audit(next(configs), DAY, log, *preparations(moment))
        yield _killed(publication, f"whole job, killed {moment}", audit, moment)
        if _is_last_of_ten(number):
            undisturbed = start_audit(next(configs), DAY, publication.log(f"whole-{number}-after"))
            yield _left_alone(publication, undisturbed)


def kill_forked_drivers(
    publication: Publication, drivers: Drivers, moments: Sequence[Moment]
) -> Iterator[Outcome]:
    """The same with forks of drivers that are about to publish."""
    turns = cycle(drivers)
    for number, moment in enumerate(moments):
        log = publication.log(f"fork-{number}")
        audit = next(turns).fork(log, *preparations(moment))
        yield _killed(publication, f"driver, killed {moment}", audit, moment)
        if _is_last_of_ten(number):
            undisturbed = next(turns).fork(publication.log(f"fork-{number}-after"))
            yield _left_alone(publication, undisturbed)


def _is_last_of_ten(number: int) -> bool:
    return number % _COMPLETE_EVERY == _COMPLETE_EVERY - 1


def _killed(publication: Publication, fault: str, audit: Audit, moment: Moment) -> Outcome:
    killed = strike(audit, moment)
    completed = not killed and audit.process.exitcode == CLEAN
    note = "" if killed or completed else f"ended with {audit.process.exitcode}"
    return publication.judged(fault, audit.log, injected=killed, completed=completed, note=note)


def _left_alone(publication: Publication, audit: Audit) -> Outcome:
    code = audit.exit_code()
    return publication.judged(
        "none, after ten kills",
        audit.log,
        injected=False,
        completed=code == CLEAN,
        note="" if code == CLEAN else f"ended with {code}",
    )
