"""Remedy of one table: the steps that its findings ask for, in the order of doing, and what is left
as it is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from prunescope.audit_jobs.findings import wording
from prunescope.audit_jobs.findings.catalogue import is_repeated, title_of
from prunescope.audit_jobs.findings.entries import Entry
from prunescope.audit_jobs.findings.model import Change, Finding, Severity


@dataclass(frozen=True, slots=True)
class Step:
    """One thing to do: the finding that asks for it, with most at stake, and those that ask for the
    same."""

    entries: tuple[Entry, ...]

    @property
    def finding(self) -> Finding:
        """The first one."""
        return self.entries[0].finding

    @property
    def bytes_at_stake(self) -> int | None:
        """Sums the bytes that planners could skip then, each once; None if unknown."""
        known = [one.bytes_at_stake for one in self._telling if one.bytes_at_stake is not None]
        return sum(known) if known else None

    @property
    def bytes_read(self) -> int:
        """Sums the bytes that the scans read which would skip these, or all that are told of."""
        telling = [one.bytes_read for one in self._telling if one.bytes_at_stake is not None]
        return sum(telling) if telling else max(one.finding.bytes_read for one in self.entries)

    @property
    def _telling(self) -> list[Finding]:
        return [one.finding for one in self.entries if not is_repeated(one.finding.cause)]


@dataclass(frozen=True, slots=True)
class Remedy:
    """The `steps` of a table: conditions to write, which cost nothing, then statements, of which at
    most one changes partitions and one the order of rows. What is `left` was seen, and asks for
    nothing: the advice of each says why."""

    steps: tuple[Step, ...]
    left: tuple[Entry, ...]

    @property
    def entries(self) -> tuple[Entry, ...]:
        """Returns what the steps do something about, in their order."""
        return tuple(entry for step in self.steps for entry in step.entries)

    @property
    def bytes_at_stake(self) -> int:
        """Sums the bytes that planners could skip by all steps, as far as known: each byte once."""
        return sum(step.bytes_at_stake or 0 for step in self.steps)

    @property
    def columns(self) -> frozenset[str]:
        """The columns by which the steps partition and order rows."""
        return frozenset(
            name
            for step in self.steps
            for change in (step.finding.fix.change,)
            for name in (*change.order, *change.keeps, *(name for _, name in change.added))
        )


def remedy_of(entries: Iterable[Entry]) -> Remedy:
    """The remedy of the table of some findings, which are all that it has; suppressed ones ask for
    nothing, and are not told."""
    told = [entry for entry in entries if entry.finding.suppressed is None]
    together: dict[object, list[Entry]] = {}
    for entry in told:
        if _asks(entry.finding):
            fix = entry.finding.fix
            same = (fix.spark, fix.trino) if _takes_statements(entry.finding) else entry.key
            together.setdefault(same, []).append(entry)
    steps = [Step(tuple(sorted(some, key=_most_first))) for some in together.values()]
    steps.sort(key=lambda one: (_takes_statements(one.finding), -(one.bytes_at_stake or 0)))
    left = tuple(entry for entry in told if not _asks(entry.finding))
    return Remedy(tuple(steps), left)


def _most_first(entry: Entry) -> int:
    return -(entry.finding.bytes_at_stake or 0)


def _asks(finding: Finding) -> bool:
    fix = finding.fix
    return finding.severity is not Severity.INFO and bool(fix.spark or fix.trino or fix.rewrite)


def _takes_statements(finding: Finding) -> bool:
    return bool(finding.fix.spark or finding.fix.trino)


def with_step(finding: Finding) -> Finding:
    """A finding that tells in a few words what to do, if anything."""
    if not _asks(finding):
        return finding
    return replace(finding, fix=replace(finding.fix, step=_in_words(finding)))


def _in_words(finding: Finding) -> str:
    fix = finding.fix
    if not _takes_statements(finding):
        return f"write the condition on {', '.join(finding.columns) or 'its columns'}"
    return "; ".join(_of_change(fix.change)) or f"run the statements: {title_of(finding.cause)}"


def _of_change(change: Change) -> Iterator[str]:
    dropped = ", ".join(map(wording.field, change.dropped))
    if change.added:
        instead = f" instead of {dropped}" if dropped else ""
        yield f"partition by {', '.join(map(wording.field, change.added))}{instead}"
    elif dropped:
        yield f"drop the partition fields {dropped}"
    elif change.rewrites:
        yield "rewrite files of older partition specs"
    if change.order:
        first, *others = change.order
        columns = ", ".join([wording.field((change.rounded, first)), *others])
        order = f"Z-order by {columns}" if change.is_zorder else f"sort by {columns}"
        yield f"{order}{wording.times(change.where)}"
    if change.modes:
        yield f"keep bounds of {', '.join(column for column, _ in change.modes)}"
