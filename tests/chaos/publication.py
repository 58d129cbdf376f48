"""The audit tables that runs are published to while things go wrong, and what they are to hold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from prunescope.audit_jobs.records import Window
from tests.chaos.damage import Damage, Rows, compare, leaks, torn, visible
from tests.chaos.lake import DAY, NEXT_DAY, Lake
from tests.chaos.processes import start_audit, without_spark

CLEAN = 0
"""The exit code of an audit of healthy tables."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one run that met a fault."""

    fault: str
    injected: bool
    """Whether the fault came before the run was over."""
    completed: bool
    damage: Damage
    note: str = ""

    @property
    def as_expected(self) -> bool:
        """Whether nobody was misled, and nothing else was wrong."""
        return not self.damage.misled and not self.note


@dataclass(frozen=True, slots=True)
class Extent:
    """What one run does: commits to audit tables, and files written to them."""

    commits: int
    files: int


@dataclass(frozen=True, slots=True)
class Publication:
    """A folder of audit tables. Two configurations publish the same window there, of logs that
    differ. That window was published before, and is never without a run; another one was as well,
    and stays as it is."""

    folder: Path
    configs: tuple[Path, Path]
    truths: tuple[Rows, Rows]
    neighbour: Rows
    extent: Extent
    _read: set[Path] = field(default_factory=set)

    def _unread(self, paths: Sequence[Path]) -> Iterator[Path]:
        """Files that were not there before; of folders, those in them. What is in a warehouse is
        never written again."""
        for path in paths:
            if not path.is_dir():
                yield path
                continue
            new = {file for file in path.rglob("*") if file.is_file()} - self._read
            self._read.update(new)
            yield from new

    def log(self, name: str) -> Path:
        """Where a process is to print to."""
        path = self.folder.parent / f"{self.folder.name}-logs" / name
        path.parent.mkdir(exist_ok=True)
        return path

    def judged(
        self,
        fault: str,
        log: Path,
        *,
        injected: bool,
        completed: bool,
        note: str = "",
    ) -> Outcome:
        """The outcome of a run as readers see it: it is there, or one before it still is."""
        found, neighbour = visible(self.folder, DAY, NEXT_DAY)
        damage = compare(found, self.truths)
        damage += compare(neighbour, [self.neighbour])
        damage += torn(self.folder / "prunescope.prom")
        damage += leaks(self._unread(readable(self.folder, log)))
        return Outcome(fault, injected, completed, damage, note)


def readable(folder: Path, *logs: Path) -> list[Path]:
    """What people and programs get to read of a run: audit tables, metrics, reports, output."""
    names = ("warehouse", "prunescope.prom", "report.html", "checks")
    return [*(folder / name for name in names), *logs]


def publish_in_peace(lake: Lake, folder: Path, **sections: Any) -> Publication:
    """Tables that hold a day and the next, each published by a run without Spark that nothing
    disturbs: the truth."""
    configs = tuple(
        lake.config(folder, log, **sections) for log in (lake.logs.first, lake.logs.second)
    )
    first, second = configs
    log = folder.parent / f"{folder.name}.log"
    _publish(first, NEXT_DAY, log)
    _publish(second, DAY, log)
    (truth_of_second,) = visible(folder, DAY)
    before = _files(folder)
    _publish(first, DAY, log)
    written = _files(folder) - before
    commits = sum(path.name.endswith(".metadata.json") for path in written)
    truth_of_first, neighbour = visible(folder, DAY, NEXT_DAY)
    return Publication(
        folder,
        (first, second),
        (truth_of_first, truth_of_second),
        neighbour,
        Extent(commits, len(written)),
    )


def _publish(config: Path, window: Window, log: Path) -> None:
    code = start_audit(config, window, log, without_spark).exit_code()
    if code != CLEAN:
        raise RuntimeError(f"an undisturbed audit ended with {code}: {log.read_text()}")


def _files(folder: Path) -> set[Path]:
    return {path for path in (folder / "warehouse").rglob("*") if path.is_file()}
