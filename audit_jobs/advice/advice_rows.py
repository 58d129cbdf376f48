"""Advice as rows of `layout_advice`, and what such a row promises."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Any

from audit_jobs.advice.inside_document import inside_break_even
from audit_jobs.advice.inside_statements import advised_statements
from audit_jobs.advice.intervals import Interval
from audit_jobs.advice.model import Advice
from audit_jobs.advice.present import current_terms, sorted_by
from audit_jobs.advice.promises import Advised, Layout, Promise
from audit_jobs.isolation import Failed
from collectors.observed import TableName
from collectors.tables.metadata import TableMetadata

ADVISED, INSIDE, KEEP = "advised", "inside_files", "keep_as_is"
"""Outcomes of tables that there is advice for: others are codes that say why there is none."""

_LONGS = 1 << 64


def advice_row(name: TableName, metadata: TableMetadata, advice: Advice) -> dict[str, Any]:
    """What is advised for a table. The statements hold no value of a row and no literal."""
    terms = current_terms(metadata)
    snapshot_id = metadata.current_snapshot_id
    best = advice.best
    row = {
        **_named(name),
        "outcome": _outcome(advice),
        "bytes": advice.now.bytes,
        "files": advice.now.files,
        "kept_bytes_now": advice.kept.value,
        "kept_files_now": advice.files_kept,
        "least_bytes": advice.least,
        "fingerprints": sorted((one.fingerprint, one.runs) for one in advice.effects),
        "snapshot_id": (
            snapshot_id
            if snapshot_id is None or snapshot_id < _LONGS >> 1
            else snapshot_id - _LONGS
        ),
        "spec_id": metadata.default_spec_id,
        "partition_fields": None if terms is None else list(map(str, terms)),
        "sort_columns": list(sorted_by(metadata)),
        "sequence_number": metadata.last_sequence_number,
    }
    row |= _inside(advice)
    found = advised_statements(name, advice)
    if found is not None:
        row |= {"fix_spark": list(found.spark), "fix_trino": list(found.trino)}
    if best is None:
        return row
    return row | {
        "partition": list(map(str, best.candidate.partition)),
        "order": best.candidate.order.curve.value,
        "columns": [column.name for column in best.candidate.order.columns],
        "kept_bytes": best.bytes.value,
        "kept_bytes_low": best.bytes.low,
        "kept_bytes_high": best.bytes.high,
        "kept_files": best.files,
        "break_even_days": advice.break_even_days,
    }


def _outcome(advice: Advice) -> str:
    if advice.best is not None:
        return ADVISED
    inside = advice.inside
    return KEEP if inside is None or inside.change is None else INSIDE


def _inside(advice: Advice) -> dict[str, Any]:
    inside = advice.inside
    if inside is None:
        return {}
    row: dict[str, Any] = {"read_bytes_now": inside.now.bytes.value}
    then = inside.then or inside.layout
    if then is not None:
        row |= {
            "read_bytes": then.bytes.value,
            "read_bytes_low": then.bytes.low,
            "read_bytes_high": then.bytes.high,
        }
    change = inside.change
    if change is not None:
        row |= {
            "row_group_bytes": change.row_group_bytes,
            "bloom_filters": [column.name for column in change.bloom_filters],
            "break_even_days": inside_break_even(advice, inside),
        }
        if change.order is not None:
            columns = [column.name for column in change.order.columns]
            row |= {"order": change.order.curve.value, "columns": columns}
    return row


def failed_row(name: TableName, why: Failed) -> dict[str, Any]:
    """That there is no advice for a table."""
    return {**_named(name), "outcome": why.code, "message": why.message}


def _named(name: TableName) -> dict[str, Any]:
    return {"catalog": name.catalog, "namespace": ".".join(name.namespace), "table": name.table}


def promise_of(row: Mapping[str, Any]) -> Promise | None:
    """What a row promises; None where it has no advice."""
    whole = row["bytes"]
    if row["outcome"] not in (ADVISED, KEEP) or not whole:
        return None
    advised = promised = None
    if row["outcome"] == ADVISED:
        advised = Advised(tuple(row["partition"]), row["order"], tuple(row["columns"]))
        value, low, high = (row[f"kept_bytes{end}"] / whole for end in ("", "_low", "_high"))
        promised = Interval(value, low, high)
    return Promise(
        table=(row["catalog"], row["namespace"], row["table"]),
        at=_moment(row["advised_at"]),
        advised=advised,
        layout=layout_of(row),
        sequence_number=row["sequence_number"] or 0,
        before=row["kept_bytes_now"] / whole,
        promised=promised,
        runs=dict(row["fingerprints"] or ()),
    )


def layout_of(row: Mapping[str, Any]) -> Layout:
    """The layout that a row of `layout_advice` or `table_health` tells; rows of versions that did
    not know it tell none."""
    fields = row["partition_fields"]
    return Layout(None if fields is None else tuple(fields), tuple(row["sort_columns"] or ()))


def _moment(value: dt.datetime) -> dt.datetime:
    return value.astimezone(dt.UTC)
