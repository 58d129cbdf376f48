"""Reads of scans from sampled files as they are. Layouts of their rows are compared with these
reads, so that differences between sample and table count on both sides."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from prunescope.audit_jobs.advice.candidates import Candidate, Curve, Order, Term
from prunescope.audit_jobs.advice.layouts import Layouts, partition_values
from prunescope.audit_jobs.advice.rows import RankedColumn
from prunescope.audit_jobs.advice.scores import Replayed, batch_of, judged
from prunescope.audit_jobs.advice.simulated_containers import Laid
from prunescope.collectors.arrays import Floats, IntArray
from prunescope.collectors.predicates.literals import PhysicalValue
from prunescope.collectors.statistics import (
    ColumnKey,
    ColumnStatistics,
    FileBatch,
    Statistics,
    constant,
    from_counts,
)
from prunescope.collectors.types import arrow_type, is_floating

FileBounds = Mapping[ColumnKey, tuple[PhysicalValue, PhysicalValue]]


@dataclass(frozen=True, slots=True, eq=False)
class SampledFiles:
    """Known facts about sampled files: the bounds in their manifests, the terms of the spec that
    each was written under, by which its rows are in one partition, and the columns of which the
    manifest has no statistics."""

    bounds: Sequence[FileBounds]
    terms: Sequence[tuple[Term, ...]]
    untold: Sequence[Collection[ColumnKey]]


class Present(NamedTuple):
    """Sampled files of one spec: as containers, with the statistics of their manifests, and the
    spec's terms."""

    laid: Laid
    files: FileBatch
    candidate: Candidate


def kept_of_files(layouts: Layouts, files: SampledFiles, scans: Replayed) -> tuple[Floats, Floats]:
    """The bytes and files that scans keep, scaled by the weights of the files' rows."""
    size, count = np.zeros(scans.count), np.zeros(scans.count)
    for one in present(layouts, files, scans):
        for part in judged(one.files, one.candidate, scans):
            size[part.scans] += part.kept @ one.laid.bytes
            count[part.scans] += part.kept @ one.laid.files
    return size, count


def present(layouts: Layouts, files: SampledFiles, scans: Replayed) -> Iterator[Present]:
    """Yields sampled files as they are, by spec, with the columns that scans compare."""
    clusters = np.unique(layouts.rows.cluster)
    for terms in dict.fromkeys(files.terms):
        chosen = clusters[[files.terms[number] == terms for number in clusters.tolist()]]
        if len(chosen):
            laid = _as_they_are(layouts, terms, chosen)
            candidate = Candidate(terms, Order(Curve.SORT, ()))
            partition = partition_values(layouts, candidate, [laid])
            found = batch_of(partition, _metrics(layouts, files, scans, chosen))
            yield Present(laid, found, candidate)


def _as_they_are(layouts: Layouts, terms: tuple[Term, ...], clusters: IntArray) -> Laid:
    """Some sampled files as containers; each stands for as many files as its rows do."""
    rows = layouts.rows
    order = np.flatnonzero(np.isin(rows.cluster, clusters))
    starts = np.searchsorted(rows.cluster[order], clusters)
    weight = np.bincount(rows.cluster, rows.weight, rows.clusters).astype(np.float64)
    usual = rows.records / max(1, rows.files)
    return Laid(
        order=order,
        starts=starts,
        weight=weight[clusters],
        bytes=weight[clusters] * rows.row_bytes,
        files=weight[clusters] / max(1.0, usual),
        partition=clusters,
        codes=tuple(layouts.partitions(term).code[order[starts]] for term in terms),
    )


def _metrics(
    layouts: Layouts, files: SampledFiles, scans: Replayed, clusters: IntArray
) -> Statistics:
    columns = {
        key: _column(key, layouts.rows.columns[key], layouts.rows.cluster, files, clusters)
        for key in scans.columns
        if key in layouts.rows.columns
    }
    return Statistics(len(clusters), constant(False, len(clusters)), columns)


def _column(
    key: ColumnKey,
    column: RankedColumn,
    cluster: IntArray,
    files: SampledFiles,
    clusters: IntArray,
) -> ColumnStatistics:
    """Bounds from manifests, and nulls as among the sampled rows, if manifests have statistics of
    the column."""
    numbers = clusters.tolist()
    known = [files.bounds[number].get(key, (None, None)) for number in numbers]
    untold = np.array([key in files.untold[number] for number in numbers], np.bool_)
    kind = arrow_type(key[1])
    masks = (column.rank < 0, column.rank == column.nan, column.has_value)
    count = len(files.bounds)
    nulls, nans, values = (np.bincount(cluster, mask, count)[clusters] for mask in masks)
    return from_counts(
        pa.array([low for low, _ in known], kind),
        pa.array([high for _, high in known], kind),
        null_count=pa.array(nulls.astype(np.int64), mask=untold),
        nan_count=pa.array(nans.astype(np.int64)) if is_floating(key[1]) else None,
        value_count=pa.array((nulls + nans + values).astype(np.int64)),
    )
