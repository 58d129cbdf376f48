"""Tables that take more memory than the workers of Spark may have: the kernel ends these."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path

from pyiceberg.schema import Schema
from pyiceberg.typedef import Record

from tests.chaos.scenes import Fault, Scene
from tests.chaos.victim import rewrite_all, set_field

_LIMIT = 800 << 20
"""Bytes of all workers together, which work on the healthy tables in half of it."""
_MANIFESTS, _FILES, _CHARACTERS = 120, 1_900, 8_000
"""None of these manifests is large for one."""
_FILE_PATH, _MANIFEST_PATH, _LENGTH, _ADDED_FILES = 100, 500, 501, 504
_GROUPS = (
    (Path("/sys/fs/cgroup"), "memory.max"),
    (Path("/sys/fs/cgroup/memory"), "memory.limit_in_bytes"),
)
"""Where control groups of version 2 and 1 are, and what limits the memory of one."""


@dataclass(frozen=True, slots=True)
class LimitedWorkers:
    """Has workers of Spark be processes of a control group: its folder, and the program that starts
    them there."""

    group: Path
    python: Path

    def __call__(self) -> None:
        """From now on."""
        os.environ["PYSPARK_PYTHON"] = str(self.python)

    def kills(self) -> int:
        """How many of them the kernel has ended."""
        told = "memory.oom_control", "memory.events"
        (events,) = (self.group / name for name in told if (self.group / name).exists())
        counts = dict(line.split() for line in events.read_text().splitlines())
        return int(counts["oom_kill"])


@contextmanager
def limited_workers(folder: Path) -> Iterator[LimitedWorkers | None]:
    """Workers whose memory is limited; None where no control group can be made."""
    group = _group()
    if group is None:
        yield None
        return
    folder.mkdir(parents=True, exist_ok=True)
    python = folder / "python"
    start = f'echo $$ > {group}/cgroup.procs\nexec {sys.executable} "$@"\n'
    python.write_text(f"#!/bin/sh\n{start}")
    python.chmod(0o755)
    try:
        yield LimitedWorkers(group, python)
    finally:
        group.rmdir()


def _group() -> Path | None:
    for root, limit in _GROUPS:
        group = root / f"prunescope-chaos-{os.getpid()}"
        if not (root / "cgroup.procs").exists():
            continue
        try:
            group.mkdir()
            # The kernel makes what limits the group, where it has that.
            with (group / limit).open("r+") as file:
                file.write(str(_LIMIT))
        except OSError:
            with suppress(OSError):
                group.rmdir()
        else:
            return group
    return None


def manifests_that_fill_the_memory(scene: Scene) -> None:
    """Many of files with long names, of which a task has some in memory at a time."""
    first = scene.victim.manifests[0]

    def named(records: list[Record], schema: Schema) -> list[Record]:
        set_field(records[0], schema, _FILE_PATH, "file:///" + "n" * _CHARACTERS)
        return records[:1] * _FILES

    rewrite_all(first, named)
    copies = [first.with_name(f"{number}-{first.name}") for number in range(_MANIFESTS)]
    for copy in copies:
        shutil.copy(first, copy)

    def listed(records: list[Record], schema: Schema) -> list[Record]:
        found = []
        for copy in copies:
            record = deepcopy(records[0])
            set_field(record, schema, _MANIFEST_PATH, f"file://{copy}")
            set_field(record, schema, _LENGTH, copy.stat().st_size)
            set_field(record, schema, _ADDED_FILES, _FILES)
            found.append(record)
        return found

    rewrite_all(scene.victim.manifest_list, listed)


MEMORY_FAULTS = (Fault(manifests_that_fill_the_memory, "worker_killed"),)
