"""Trying layouts that findings ask for: rows of some files of each table are read, or drawn from
bounds if none may or can be read, and laid out as the statements would lay them out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from prunescope.audit_jobs.advice.arrival import share_spanned
from prunescope.audit_jobs.advice.bounded_rows import may_rule_out, rows_of_bounds
from prunescope.audit_jobs.advice.candidates import Candidate, Term
from prunescope.audit_jobs.advice.indexes import read_with_index
from prunescope.audit_jobs.advice.layouts import Layouts
from prunescope.audit_jobs.advice.parts import part_worth_most
from prunescope.audit_jobs.advice.row_groups import read_inside
from prunescope.audit_jobs.advice.rows import SampledRows, sampled_rows
from prunescope.audit_jobs.advice.sampled_files import SampledFiles, kept_of_files
from prunescope.audit_jobs.advice.scores import scores
from prunescope.audit_jobs.errors import WorkerKilled
from prunescope.audit_jobs.findings.bloom_filters import Index, Indexed
from prunescope.audit_jobs.findings.model import Change
from prunescope.audit_jobs.findings.trials import Read, Reads, Trial
from prunescope.audit_jobs.findings.what_if import WhatIf, what_if
from prunescope.audit_jobs.health.sketch import SampledFile, Sketch
from prunescope.audit_jobs.isolation import attempt
from prunescope.audit_jobs.jobs.trial_tasks import TrialTask, trial_task
from prunescope.audit_jobs.planning.items import Instead, Item, ItemGroup, Runner
from prunescope.audit_jobs.planning.timing import READ
from prunescope.audit_jobs.planning.work import TableContext
from prunescope.audit_jobs.tuning import BYTES_TRIED, FILES_TRIED, HALF, ROWS_TRIED
from prunescope.collectors.arrays import Floats
from prunescope.collectors.errors import PrunescopeError
from prunescope.collectors.observed import TableName
from prunescope.collectors.statistics import Statistics
from prunescope.collectors.storage.traffic import bytes_read
from prunescope.collectors.tables.row_samples import RowsOfFile, rows_of_files

TRIAL, TRIED, INDEXED, UNTRIED = "trial", "tried", "indexed", "untried"


class LayoutTrials:
    """Tries layouts in the tasks of a runner, on rows of tables with these contexts and sketches:
    on FILES_TRIED files for each of the `files` whose rows are matched; if that is none, on rows
    drawn from bounds (see Trying). Afterwards has a message for each table of which no rows could
    be laid out, the number of bytes that were read, and the effects of the trials' indexes."""

    def __init__(
        self,
        contexts: Mapping[str, Mapping[int, TableContext]],
        sketches: Mapping[str, tuple[object, Sketch]],
        runner: Runner,
        *,
        seed: int,
        files: int,
    ) -> None:
        self._contexts = contexts
        self._sketches = sketches
        self._runner = runner
        self._seed = seed
        self._files = files
        self.indexes: dict[TableName, tuple[WhatIf, ...]] = {}
        self.failed: dict[str, str] = {}
        self.read_bytes = 0

    def __call__(self, trials: Sequence[Trial]) -> Reads:
        """The bytes and files that scans keep of each layout, by table."""
        items = []
        for trial in trials:
            name = str(trial.table)
            made = attempt(
                f"preparing trials of {name}", trial.usage.clock.timed(self._task), trial
            )
            if isinstance(made, PrunescopeError):
                self.failed[name] = str(made)
            elif made is not None:
                items.append(Item(TRIAL, made, name))
        if not items:
            return {}
        stage = partial(trial_stage, seed=self._seed)
        groups = {item.table: 1 for item in items}
        tasks = self._runner.items(items)
        tried = self._runner.run(stage, tasks, groups, instead=Instead(untried_stage))
        found = tried.found(TRIED, INDEXED, UNTRIED, READ)
        self.failed |= dict(found.get(UNTRIED, ()))
        self.read_bytes += sum(found.get(READ, ()))
        reads, indexed = dict(found.get(TRIED, ())), dict(found.get(INDEXED, ()))
        for trial in (trial for trial in trials if trial.indexes):
            of_table = reads.get(trial.table, {}), indexed.get(trial.table, {})
            self.indexes[trial.table] = what_if(trial, *of_table)
        return reads

    def _task(self, trial: Trial) -> TrialTask | None:
        name = str(trial.table)
        contexts = self._contexts.get(name, {}).values()
        measured = next((one for one in contexts if one.measure is not None), None)
        if name not in self._sketches or measured is None:
            return None
        return trial_task(trial, measured, self._sketches[name][1], FILES_TRIED * self._files)


def untried_stage(groups: Iterable[ItemGroup]) -> Iterator[Item]:
    """Replaces `trial_stage` if it kills its worker."""
    return (Item(UNTRIED, (group.table, str(WorkerKilled()))) for group in groups)


def trial_stage(groups: Iterable[ItemGroup], seed: int) -> Iterator[Item]:
    """Reads rows, and lays them out. A failing table stops no other."""
    before = bytes_read()
    for group in groups:
        for _, _, task in group.tasks:
            found = attempt(f"trying layouts of {group.table}", _reads, task, seed)
            if isinstance(found, PrunescopeError):
                yield Item(UNTRIED, (group.table, str(found)))
            else:
                yield Item(TRIED, (task.table, found[0]))
                yield Item(INDEXED, (task.table, found[1]))
    yield Item(READ, bytes_read() - before)


def _reads(task: TrialTask, seed: int) -> tuple[dict[Change, Read], dict[Index, Indexed]]:
    """Returns the reads of scans by layout, and by index; the latter are empty if no row was
    read."""
    sample = task.sample
    drawn: Sequence[Statistics | None] = _drawn(task, seed) if task.may_read else ()
    is_read = any(drawn)
    if not is_read:
        drawn = _drawn_of_bounds(task, seed)
    has_rows = [one is not None and one.count > 0 for one in drawn]
    if not any(has_rows):
        return {}, {}
    known = [file for file, has in zip(sample.known, has_rows, strict=True) if has]
    rows = sampled_rows(
        [one for one in drawn if one is not None and one.count],
        [file.records for file in known],
        task.names,
        table=task.whole,
        modes=task.modes_now,
        files_each=sample.weights(has_rows),
    )
    missing = set(task.asking.scans.columns) - set(rows.columns)
    if not is_read and may_rule_out(known, missing, task.terms):
        return {}, {}
    files = SampledFiles(
        [file.bounds for file in known],
        [_terms(task, rows, file.spec_id) for file in known],
        [file.untold for file in known],
    )
    layouts = Layouts(rows, task.target_bytes)
    own = _as_partitions_are(rows, known, task.partitions)
    alone = layouts.standing_for(own, np.array([file.records for file in known], np.float64))
    found: dict[Change, Read] = {}
    for layout, candidate in task.candidates.items():
        # Partitions that become one are more than there are sampled ones.
        of = layouts if layout.dropped else alone
        if of.can_lay(candidate) and _is_told(candidate, rows, files):
            now = kept_of_files(of, files, task.asking.scans)
            modes = {key: task.modes[layout].mode(name) for key, name in task.names.items()}
            of = of.in_modes(modes)
            found[layout] = Read(*now, *_then(of, candidate, task), is_assumed=not is_read)
            if not layout.changes_fields:
                found |= _of_part(layout, found[layout], of, files, candidate, task)
    indexed = {
        index: read_with_index(index, key, alone, files, task.asking.scans)
        for index, key in task.indexes.items()
        if is_read and key in rows.columns
    }
    return found, indexed


def _of_part(
    layout: Change,
    whole: Read,
    layouts: Layouts,
    files: SampledFiles,
    candidate: Candidate,
    task: TrialTask,
) -> dict[Change, Read]:
    """Returns the reads of scans if only the files are rewritten for which a layout saves most."""
    calendar, asking = task.calendar, task.asking
    if calendar is None:
        return {}
    part = part_worth_most(calendar, layouts, files, candidate, asking, task.part)
    if part is None or (times := calendar.times(part)) is None:
        return {}
    inside, others = calendar.apart(part, layouts)
    beside, count = kept_of_files(others, files, asking.scans)
    size, number, row_groups = _then(inside, candidate, task)
    then = (size + beside, number + count, row_groups + beside * asking.inside)
    read = Read(whole.bytes_now, whole.files_now, *then, whole.is_assumed, calendar.share(part))
    return {replace(layout, where=times): read}


def _drawn(task: TrialTask, seed: int) -> list[Statistics | None]:
    """Rows of each file, None if it has none or they cannot be read."""
    sample = task.sample
    each = max(1, ROWS_TRIED // len(sample.files))
    read = rows_of_files(sample.files, seed, each, BYTES_TRIED)
    return [one.rows if isinstance(one, RowsOfFile) and one.rows.count else None for one in read]


def _drawn_of_bounds(task: TrialTask, seed: int) -> Sequence[Statistics]:
    known = task.sample.known
    columns = [key for key in task.names if key in task.measured]
    return rows_of_bounds(known, columns, task.terms, seed, max(1, ROWS_TRIED // len(known)))


def _then(layouts: Layouts, candidate: Candidate, task: TrialTask) -> tuple[Floats, Floats, Floats]:
    """The bytes and files that each scan keeps of a layout, and the bytes of its row groups. Files
    do not end at ends of value ranges, so files are cut from the first row and from half a file
    later, and each scan keeps the larger of both results."""
    first = _cut_from(0.0, layouts, candidate, task)
    if not candidate.order.is_by_ranges:
        return first
    other = _cut_from(HALF, layouts, candidate, task)
    bytes_, files, inside = map(np.maximum, first, other)
    return bytes_, files, inside


def _cut_from(
    phase: float, layouts: Layouts, candidate: Candidate, task: TrialTask
) -> tuple[Floats, Floats, Floats]:
    kept = scores(layouts, [candidate], task.asking.scans, phase=phase)
    inside = kept.bytes[0]
    if task.row_group_bytes is not None:
        read = read_inside(layouts, candidate, task.asking.scans, task.row_group_bytes, phase=phase)
        inside = read.bytes
    return kept.bytes[0], kept.files[0], inside


def _terms(task: TrialTask, rows: SampledRows, spec_id: int) -> tuple[Term, ...]:
    """The terms of a spec whose columns are among the sampled rows."""
    return tuple(term for term in task.terms.get(spec_id, ()) if term.key in rows.columns)


def _is_told(candidate: Candidate, rows: SampledRows, files: SampledFiles) -> bool:
    """True if the rows of sampled files represent all files in the order of a layout. Not so if
    files are already ordered without bounds that show it: then the files that scans keep of the
    sample say nothing about the others."""
    for column in candidate.order.columns[:1]:
        key = (column.field_id, column.type)
        is_bounded = all(key in of_file for of_file in files.bounds)
        if not is_bounded and share_spanned(rows.columns[key], rows) < HALF:
            return False
    return True


def _as_partitions_are(
    rows: SampledRows, files: Sequence[SampledFile], partitions: Mapping[int, int]
) -> Floats:
    """Weights of rows that make the rows of each partition stand for its own bytes, however many of
    its files were drawn. Without sizes of partitions, the weights of the rows."""
    if not partitions:
        return rows.weight
    usual = float(np.median(list(partitions.values())))
    keys = [file.partition for file in files]
    numbers = {key: number for number, key in enumerate(dict.fromkeys(keys))}
    place = np.array([numbers[key] for key in keys], np.int64)[rows.cluster]
    drawn = np.bincount(place, rows.weight) * rows.row_bytes
    own = [drawn[numbers[None]] if key is None else partitions.get(key, usual) for key in numbers]
    found: Floats = rows.weight * (np.array(own) / np.maximum(drawn, 1e-9))[place]
    return found
