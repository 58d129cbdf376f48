"""What is inside of a table's files as they are: what scans keep of their row groups, and how these
were written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from audit_jobs.advice.changes import Written
from audit_jobs.advice.present import bloom_filters
from audit_jobs.advice.row_groups import ReadInside
from audit_jobs.pruning.counts import Numbers
from collectors.predicates.model import Field
from collectors.tables.footers import Footer, ParquetFile, read_footers
from collectors.tables.metadata import TableMetadata
from collectors.tables.properties import BLOOM_FILTER_BYTES, ROW_GROUP_BYTES
from collectors.tables.row_groups import JoinedRowGroups

COUNTED_INSIDE = (
    *("bytes_kept", "records_kept", "data_files_kept"),
    *("row_groups_considered", "row_groups_kept", "whole_row_groups", "skipped_row_groups"),
    *("row_group_bytes_considered", "row_group_bytes_kept"),
)
"""What passes count, by which is told what scans keep of row groups."""

_FOOTERS = 20
"""Footers by which it is told how columns are written."""


def kept_inside(counted: Mapping[str, Numbers]) -> ReadInside:
    """What scans keep of row groups, as files have bytes: of those whose footers were left out as
    much as of the others that a scan keeps, or, where there is none, that all scans do."""
    whole, skipped = counted["whole_row_groups"], counted["skipped_row_groups"]
    judged = counted["row_groups_considered"] - whole
    kept = counted["row_groups_kept"] - whole
    considered = counted["row_group_bytes_considered"]
    pruned = _share(considered - counted["row_group_bytes_kept"], considered)
    # Files that need no judging are kept whole; of the others, what is beside row groups goes too.
    may_go = (judged + skipped) / np.maximum(judged + skipped + whole, 1)
    bytes_kept = counted["bytes_kept"] * (1 - pruned * may_go)
    groups = whole + kept + skipped * (1 - _share(judged - kept, judged))
    return ReadInside(
        bytes_kept,
        np.maximum(groups, bytes_kept > 0).astype(np.float64),
        counted["data_files_kept"].astype(np.float64),
    )


def _share(part: Numbers, whole: Numbers) -> np.ndarray:
    usual = float(part.sum()) / max(1.0, float(whole.sum()))
    return np.where(whole > 0, part / np.maximum(whole, 1), usual)


def written(metadata: TableMetadata, files: Sequence[ParquetFile]) -> Written:
    """How a table's files are written, by some of their footers and its properties."""
    properties = metadata.properties
    columns = {
        column.field_id: Field(column.field_id, column.name, column.type)
        for column in metadata.schema(None).columns
    }
    order = tuple(columns[id_] for id_ in metadata.sort_columns if id_ in columns)
    return Written(
        ROW_GROUP_BYTES.of(properties),
        BLOOM_FILTER_BYTES.of(properties),
        _told(files[:_FOOTERS]),
        order if len(order) == len(metadata.sort_columns) else (),
        bloom_filters(metadata),
    )


def _told(files: Sequence[ParquetFile]) -> frozenset[int]:
    """The columns of which at least half of the row groups have a dictionary of all values, of
    which writers make no filter, or a filter."""
    chunks, told = Counter[int](), Counter[int]()
    for footer in read_footers(files):
        if not isinstance(footer, Footer):
            continue
        joined = JoinedRowGroups([(footer.row_groups, footer.number)])
        every = np.ones(len(joined.records), np.bool_)
        for key in footer.conversions:
            some = (joined.layouts(key, every, name) for name in ("dictionary", "bloom_filter"))
            chunks[key[0]] += len(every)
            told[key[0]] += len({row_group for found in some for row_group, _ in found})
    return frozenset(column for column, count in chunks.items() if 2 * told[column] >= count)
