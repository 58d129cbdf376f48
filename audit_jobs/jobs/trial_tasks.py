"""The needs of the trial of a table: which of its files are read, and layouts as new files would
have them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from prunescope.audit_jobs.advice.candidates import Candidate, Curve, Order, Term
from prunescope.audit_jobs.advice.current_layout import current_terms, terms_of
from prunescope.audit_jobs.advice.parts import Asking, Calendar, calendar_of
from prunescope.audit_jobs.advice.scores import replayed
from prunescope.audit_jobs.findings.bloom_filters import Index
from prunescope.audit_jobs.findings.model import Change
from prunescope.audit_jobs.findings.statements import has_curve
from prunescope.audit_jobs.findings.trials import Trial
from prunescope.audit_jobs.health.sketch import Sketch
from prunescope.audit_jobs.planning.row_sample_stage import RowSample, row_sample
from prunescope.audit_jobs.planning.work import TableContext
from prunescope.audit_jobs.tuning import FILES_BOUNDED
from prunescope.collectors.observed import TableName
from prunescope.collectors.predicates.model import Field
from prunescope.collectors.schema import Schema
from prunescope.collectors.statistics import ColumnKey
from prunescope.collectors.tables.metadata import TableMetadata
from prunescope.collectors.tables.metrics_modes import MetricsModes, mode_property


@dataclass(frozen=True, slots=True, eq=False)
class TrialTask:
    """The trial of a table with bytes, records and files in `whole`: files whose rows are read, if
    they may be, layouts, and scans. Manifests were asked for bounds of `measured` columns. Orders
    are tried as well on a range of the `calendar`, if there is one, that has at most the share
    `part` of the table's bytes."""

    table: TableName
    sample: RowSample
    may_read: bool
    measured: frozenset[ColumnKey]
    whole: tuple[int, int, int]
    partitions: Mapping[int, int]
    names: Mapping[ColumnKey, str]
    modes: Mapping[Change, MetricsModes]
    modes_now: MetricsModes
    target_bytes: int
    terms: Mapping[int, tuple[Term, ...]]
    candidates: Mapping[Change, Candidate]
    asking: Asking
    row_group_bytes: int | None
    calendar: Calendar | None
    part: float
    indexes: Mapping[Index, ColumnKey]


def trial_task(trial: Trial, context: TableContext, sketch: Sketch, files: int) -> TrialTask | None:
    """Returns the task of a table's trial; None if rows cannot be laid out as any of the statements
    would lay them out."""
    metadata = trial.usage.metadata
    schema, terms = metadata.schema(None), current_terms(metadata)
    if terms is None or trial.usage.health is None:
        return None
    candidates = {
        layout: candidate
        for layout in trial.layouts
        if (candidate := _candidate(layout, terms, schema)) is not None
    }
    scans = replayed([one.scan for one in trial.scans])
    laid = [column for candidate in candidates.values() for column in candidate.columns]
    by_spec = {number: terms_of(metadata, number) or () for number in metadata.specs(schema)}
    laid += [term.column for of_spec in by_spec.values() for term in of_spec]
    types = {column.field_id: column.type for column in schema.columns}
    columns = {*scans.columns, *((column.field_id, column.type) for column in laid)}
    known = tuple(sorted(key for key in columns if types.get(key[0]) == key[1]))
    sample = row_sample(context, known, sketch, files or FILES_BOUNDED)
    keys = {c.name: (c.field_id, c.type) for c in schema.columns}
    indexes = {index: keys[index.column] for index in trial.indexes}
    if not (candidates or indexes) or not sample.files:
        return None
    assert context.measure is not None
    names = {column.field_id: column.name for column in schema.columns}
    return TrialTask(
        table=trial.table,
        sample=sample,
        may_read=files > 0,
        measured=frozenset(context.measure.of_sampled),
        whole=(sketch.bytes, sketch.records, sketch.files),
        partitions={key: size for key, (_, size) in sketch.partitions.items()},
        names={key: names[key[0]] for key in known},
        modes={layout: _modes(metadata, trial, layout) for layout in candidates},
        modes_now=MetricsModes.of(metadata, ()),
        target_bytes=trial.usage.health.target_file_bytes,
        terms=by_spec,
        candidates=candidates,
        asking=Asking.of(scans, trial.scans),
        row_group_bytes=trial.row_group_bytes,
        calendar=calendar_of(metadata, sketch),
        part=trial.part,
        indexes=indexes,
    )


def _candidate(layout: Change, terms: tuple[Term, ...], schema: Schema) -> Candidate | None:
    """The layout of new files; None if the schema lacks one of its columns, or there is no Z-order
    of one."""
    fields = {c.name: Field(c.field_id, c.name, c.type) for c in schema.columns}
    asked = [*(name for _, name in (*layout.added, *layout.dropped)), *layout.order]
    if not all(name in fields for name in asked):
        return None
    kept = [term for term in terms if (term.transform, term.column.name) not in layout.dropped]
    new = [Term(transform, fields[name]) for transform, name in layout.added]
    columns = tuple(fields[name] for name in layout.order)
    if layout.is_zorder and not all(has_curve(column.name, column.type) for column in columns):
        return None
    curve = Curve.ZORDER if layout.is_zorder else Curve.SORT
    return Candidate((*kept, *new), Order(curve, columns, layout.rounded))


def _modes(metadata: TableMetadata, trial: Trial, layout: Change) -> MetricsModes:
    """Bounds as new files have them once the statements of a layout were run."""
    ids = {column.name: column.field_id for column in metadata.schema(None).columns}
    modes = MetricsModes.of(
        metadata, () if layout.is_zorder else map(ids.__getitem__, layout.order)
    )
    set_ = {mode_property(name): mode for name, mode in trial.modes[layout].items()}
    return replace(modes, properties={**modes.properties, **set_})
