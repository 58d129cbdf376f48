"""Executors and their Python workers that die while they work."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pyspark

from tests.chaos.lake import DAY
from tests.chaos.processes import Audit, start_audit
from tests.chaos.publication import CLEAN, Outcome, Publication

EXECUTOR, WORKER = "CoarseGrainedExecutorBackend", "pyspark.daemon"
MASTERS = {EXECUTOR: "local-cluster[2,1,1024]", WORKER: "local[2,4]"}
"""Where each of them is a process of its own, and what it did is done again."""
STAGES = ("Reading query logs", "Extracting predicates", "Planning scans")
"""Those in which executors work."""


@dataclass(frozen=True, slots=True)
class SparkHome:
    """Tells Spark where it is: executors that are processes are started from there."""

    def __call__(self) -> None:
        """From now on."""
        os.environ["SPARK_HOME"] = str(Path(pyspark.__file__).parent)


def lose_executors(publication: Publication, kind: str) -> Iterator[Outcome]:
    """Runs that lose a process of a kind in each stage, and are to do without."""
    for number, stage in enumerate(STAGES):
        config = publication.configs[number % 2]
        log = publication.log(f"{kind}-{number}")
        audit = start_audit(config, DAY, log, SparkHome())
        hit = audit.reaches(stage) and _hit(audit, kind)
        code = audit.exit_code()
        note = "" if code == CLEAN else f"ended with {code}: {audit.printed[-500:]}"
        yield publication.judged(
            f"{kind} killed in {stage!r}", log, injected=hit, completed=code == CLEAN, note=note
        )


def _hit(audit: Audit, kind: str) -> bool:
    """Kills one process of a kind, as soon as there is one."""
    while audit.running:
        for pid in audit.tree():
            with suppress(OSError):
                if kind.encode() in Path(f"/proc/{pid}/cmdline").read_bytes():
                    os.kill(pid, signal.SIGKILL)
                    return True
        time.sleep(0.01)
    return False
