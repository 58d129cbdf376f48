"""Scan nodes of Spark's plans: the table, the snapshot and the filters of an Iceberg scan.

A node's `simpleString` is, since Spark 3.4, `BatchScan <table>[<output>] <description>
RuntimeFilters: [<filters>]`, before it with `BatchScan` alone. Iceberg's description is

    lake.db.t [filters=…]                                                       before 1.2
    lake.db.t (branch=…) [filters=…, groupedBy=…]                               from 1.2 on
    IcebergScan(table=…, schemaId=…, snapshotId=…, branch=…, filters=…, …)      1.11, Spark 4.1

Accelerators give the node another name. Nothing in it is quoted, so it is taken apart from the
outside, and refused where it does not fit.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from collectors.errors import QueryError
from collectors.predicates.model import Predicate, Reason, Unsupported
from collectors.predicates.sql_tables import METADATA_TABLES
from collectors.queries.observed import TableName

_RUNTIME = " RuntimeFilters: ["
# Scans of staged files (compaction) have no filters, and are not planned.
_LOOKS_ICEBERG = re.compile(r"\[filters=|\bIceberg\w*Scan\(table=.*\bfilters=", re.DOTALL)
_DESCRIPTIONS = (
    re.compile(
        r"Iceberg\w*Scan\(table=(?P<table>.+?)(?:, schemaId=[^,]*)?"
        r"(?:, snapshotId=(?P<snapshot>[^,]*))?(?:, branch=(?P<branch>[^,]*))?"
        r"(?:, \w+=[^,]*)*?, filters=(?P<filters>.*), groupedBy=[^=]*\)",
        re.DOTALL,
    ),
    re.compile(
        r"(?P<table>.+?) \(branch=(?P<branch>.*?)\) \[filters=(?P<filters>.*), groupedBy=[^=]*\]",
        re.DOTALL,
    ),
    re.compile(r"(?P<table>.+?) \[filters=(?P<filters>.*)\]", re.DOTALL),
)
_INNER_RUNTIME = ", runtimeFilters="
_REDACTED = "*********(redacted)"
_ATTRIBUTE = re.compile(r"([^\s(),\[\]]+)#\d+")
_NO_COLUMNS = ("subquery", "dynamicpruning", "scalar-subquery")

_METRICS = {
    "total data manifests": "total_data_manifests",
    "number of scanned data manifests": "scanned_data_manifests",
    "number of skipped data manifests": "skipped_data_manifests",
    "number of result data files": "result_data_files",
    "number of skipped data files": "skipped_data_files",
    "total data file size (bytes)": "total_file_size_in_bytes",
    "total delete manifests": "total_delete_manifests",
    "number of scanned delete manifests": "scanned_delete_manifests",
    "number of skipped delete manifests": "skipped_delete_manifests",
    "number of skipped delete manifest": "skipped_delete_manifests",
    "number of result delete files": "result_delete_files",
    "number of skipped delete files": "skipped_delete_files",
    "number of indexed delete files": "indexed_delete_files",
    "number of equality delete files": "equality_delete_files",
    "number of positional delete files": "positional_delete_files",
    "total delete file size (bytes)": "total_delete_file_size_in_bytes",
}


class UnreadableNode(QueryError):
    """A scan node of Iceberg has a form that is not known, or Spark shortened or redacted it."""

    code = "unreadable_plan"


@dataclass(frozen=True, slots=True)
class ScanNode:
    """One scan of an Iceberg table in a plan. `accumulators` maps the ids of its metrics to the
    names of Iceberg's counters; they identify the node within its application."""

    table: TableName
    snapshot_id: int | None
    branch: str | None
    filters: str
    runtime: tuple[Predicate, ...]
    accumulators: Mapping[int, str]
    identity: frozenset[int]


def scan_node(node: Mapping[str, object]) -> ScanNode | None:
    """The scan of an Iceberg table that a node of `sparkPlanInfo` is; None for other nodes and
    for scans of metadata tables. Raises UnreadableNode; its message holds none of the text."""
    name, text = node.get("nodeName"), node.get("simpleString")
    if not isinstance(name, str) or not isinstance(text, str) or not text.startswith(name):
        return None
    if not _LOOKS_ICEBERG.search(text):
        return None
    described, _, runtime = text.rpartition(_RUNTIME)
    found = _description(described or text, len(name))
    if found is None or _REDACTED in text:
        raise UnreadableNode(
            "a scan node of the plan cannot be read: its form is not known, or Spark shortened or "
            "redacted it (spark.sql.redaction.string.regex)"
        )
    table = _table(found["table"])
    if table is None:
        return None
    groups = found.groupdict()
    branch, snapshot = groups.get("branch"), groups.get("snapshot") or ""
    ids = _accumulators(node.get("metrics"))
    return ScanNode(
        table,
        int(snapshot) if re.fullmatch(r"\d{1,19}", snapshot) else None,
        None if branch in (None, "null") else branch,
        found["filters"].rpartition(_INNER_RUNTIME)[0]
        if _INNER_RUNTIME in found["filters"]
        else found["filters"],
        _runtime_filters(runtime),
        {number: _METRICS[metric] for number, metric in ids.items() if metric in _METRICS},
        frozenset(ids),
    )


def _description(text: str, start: int) -> re.Match[str] | None:
    """The description behind the node's name and its output columns."""
    place = start
    if text.startswith("[", place):
        place = text.find("] ", place)
        while place >= 0:
            for pattern in _DESCRIPTIONS:
                if found := pattern.fullmatch(text, place + 2):
                    return found
            place = text.find("] ", place + 1)
    return None


def _table(name: str) -> TableName | None:
    """The table's name, in which the catalog comes first; None for metadata tables."""
    *before, table = name.split(".")
    if len(before) > 2 and table.lower() in METADATA_TABLES:
        return None
    if len(before) < 2 or "/" in name:
        return TableName(None, tuple(before), table)
    return TableName(before[0], tuple(before[1:]), table)


def _runtime_filters(text: str) -> tuple[Predicate, ...]:
    """One leaf per column that is filtered at runtime; columns of rows' positions are none."""
    names = dict.fromkeys(_ATTRIBUTE.findall(text))
    columns = [n for n in names if n not in _NO_COLUMNS and not n.startswith("_")]
    return tuple(
        Unsupported(Reason.RUNTIME, f"{c} IN runtime filter", f"{c} IN runtime filter", (c,))
        for c in columns
    )


def _accumulators(metrics: object) -> dict[int, str]:
    found = {}
    for metric in metrics if isinstance(metrics, list) else ():
        if isinstance(metric, dict):
            number, name = metric.get("accumulatorId"), metric.get("name")
            if isinstance(number, int) and isinstance(name, str):
                found[number] = name
    return found
