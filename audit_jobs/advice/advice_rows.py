"""Advice as rows of `layout_advice`, and what such a row promises."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping
from typing import Any

from audit_jobs.advice.beyond import Beyond
from audit_jobs.advice.beyond_document import could_skip
from audit_jobs.advice.inside_document import inside_break_even
from audit_jobs.advice.inside_statements import advised_migration
from audit_jobs.advice.intervals import Interval
from audit_jobs.advice.manifests import Manifests
from audit_jobs.advice.model import Advice
from audit_jobs.advice.present import bloom_filters, current_terms, row_group_bytes, sorted_by
from audit_jobs.advice.promises import Advised, Kind, Layout, Promise
from audit_jobs.isolation import Failed
from collectors.observed import TableName
from collectors.tables.metadata import TableMetadata

ADVISED, INSIDE, KEEP = "advised", "inside_files", "keep_as_is"
"""Outcomes of tables that there is advice for: others are codes that say why there is none."""

_LONGS = 1 << 64


def advice_row(
    name: TableName, metadata: TableMetadata, advice: Advice, beyond: Beyond | Failed
) -> dict[str, Any]:
    """What is advised for a table, and what could be skipped beyond filters. The statements hold no
    value of a row and no literal."""
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
        "written_row_group_bytes": row_group_bytes(metadata),
        "written_bloom_filters": list(bloom_filters(metadata)),
        "sequence_number": metadata.last_sequence_number,
    }
    row |= _inside(advice) | _manifests(advice)
    if isinstance(beyond, Beyond):
        row_bytes = advice.now.bytes / max(1, advice.now.records)
        row["could_skip"] = sorted(could_skip(beyond, row_bytes).items())
    found = advised_migration(name, advice)
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


def _manifests(advice: Advice) -> dict[str, Any]:
    found = advice.manifests
    if not isinstance(found, Manifests):
        return {}
    row: dict[str, Any] = {
        "manifest_bytes": found.bytes,
        "opened_bytes_now": found.now.bytes.value,
    }
    if found.then is None or found.by is None:
        return row
    then = found.then.bytes
    return row | {
        "manifests_by": list(found.by),
        "opened_bytes": then.value,
        "opened_bytes_low": then.low,
        "opened_bytes_high": then.high,
    }


def failed_row(name: TableName, why: Failed) -> dict[str, Any]:
    """That there is no advice for a table."""
    return {**_named(name), "outcome": why.code, "message": why.message}


def _named(name: TableName) -> dict[str, Any]:
    return {"catalog": name.catalog, "namespace": ".".join(name.namespace), "table": name.table}


PROMISING = (ADVISED, INSIDE, KEEP)
"""Outcomes of rows that promise something."""

_MEASURED = {
    Kind.LAYOUT: ("kept_bytes", "bytes"),
    Kind.INSIDE: ("read_bytes", "bytes"),
    Kind.MANIFESTS: ("opened_bytes", "manifest_bytes"),
}
"""What a kind of advice promises, and of what."""


def promises_of(row: Mapping[str, Any]) -> Iterator[Promise]:
    """What a row of one of PROMISING promises, of each kind of which it tells: none of those that
    it did not look at."""
    for kind, (name, of_all) in _MEASURED.items():
        whole, now = row[of_all], row[f"{name}_now"]
        if not whole or now is None:
            continue
        advised = _advised(row, kind)
        promised = None
        if advised is not None:
            promised = Interval(*(row[f"{name}{end}"] / whole for end in ("", "_low", "_high")))
        yield Promise(
            table=(row["catalog"], row["namespace"], row["table"]),
            kind=kind,
            at=_moment(row["advised_at"]),
            advised=advised,
            layout=layout_of(row),
            sequence_number=row["sequence_number"] or 0,
            before=now / whole,
            promised=promised,
            runs=dict(row["fingerprints"] or ()),
        )


def _advised(row: Mapping[str, Any], kind: Kind) -> Advised | None:
    """What a row advises; None where that is to stay as it is."""
    is_layout = row["outcome"] == ADVISED
    if kind is Kind.MANIFESTS:
        by = tuple(row["manifests_by"] or ())
        return Advised(manifests_by=by) if by else None
    fields = row["partition"] if is_layout else row["partition_fields"]
    partition = None if fields is None else tuple(fields)
    columns = tuple(row["columns"] or ())
    if kind is Kind.LAYOUT:
        return Advised(partition, row["order"], columns) if is_layout else None
    size, filters = row["row_group_bytes"], tuple(row["bloom_filters"] or ())
    if row["outcome"] != INSIDE and size is None and not filters:
        return None
    return Advised(partition, row["order"], columns, size, filters)


def layout_of(row: Mapping[str, Any]) -> Layout:
    """The layout that a row of `layout_advice` or `table_health` tells; rows of versions that did
    not know it tell none."""
    fields = row["partition_fields"]
    return Layout(
        None if fields is None else tuple(fields),
        tuple(row["sort_columns"] or ()),
        row["written_row_group_bytes"],
        tuple(row["written_bloom_filters"] or ()),
    )


def _moment(value: dt.datetime) -> dt.datetime:
    return value.astimezone(dt.UTC)
