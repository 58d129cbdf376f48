"""Scan nodes of Spark's plans: the table, the snapshot and the filters of an Iceberg scan.

A node's `simpleString` is, since Spark 3.4, `BatchScan <table>[<output>] <description>
RuntimeFilters: [<filters>]`, before it with `BatchScan` alone, and before Spark 3.2 without
runtime filters. Iceberg's description is (`description()` of SparkScan and its subclasses)

    lake.db.t [filters=…]                                                       before 1.2
    lake.db.t (branch=…) [filters=…, groupedBy=…]                               1.2 to 1.11
    IcebergScan(table=…, schemaId=…, snapshotId=…, branch=…, filters=…, …)      1.11, Spark 4.1

Accelerators give the node another name. Nothing in it is quoted, so it is taken apart from the
outside, and refused where it does not fit.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from prunescope.collectors.errors import QueryError
from prunescope.collectors.needed_rows import AnyRows
from prunescope.collectors.observed import ALL_ROWS, RowFilter, TableName
from prunescope.collectors.outcomes import Outcome
from prunescope.collectors.predicates.model import Predicate, Reason, Unsupported
from prunescope.collectors.sql.scopes.tables import METADATA_TABLES
from prunescope.collectors.storage.clock import tick

REDACTED = "*********(redacted)"
"""Spark's replacement for a text that it redacts."""

# What was added between two snapshots, or the changes between them.
_OF_CHANGES = re.compile(
    r"MicroBatchScan.*(?:\] Iceberg\w*Scan\(table=| \[filters=)"
    r"|(?>\w*?BatchScan).*?(?:\] Iceberg(?:Incremental|Changelog)Scan\(table=| \[fromSnapshotId=)",
    re.DOTALL,
)
_KIND = re.compile(r"\w+")
# A micro-batch reads what was added since the last, whatever the table holds.
_MICRO_BATCH = "MicroBatchScan"
_ICEBERG = "Iceberg"
_CALL = re.compile(r"\] (Iceberg\w*Scan)\(table=")
_CALL_OF_TABLE = frozenset(("IcebergScan", "IcebergCopyOnWriteScan"))
# What was added between two snapshots, the changes between them, rows that planning made up, and
# files that a rewrite has staged: none is planned from a snapshot.
_OTHER_CALLS = frozenset(
    (
        "IcebergIncrementalScan",
        "IcebergChangelogScan",
        "IcebergLocalScan",
        "IcebergStagedScan",
    )
)
_CALL_HEAD = re.compile(
    r"(?P<table>.+?)(?:, schemaId=[^,]*)?(?:, snapshotId=(?P<snapshot>[^,]*))?"
    r"(?:, branch=(?P<branch>.*))?",
    re.DOTALL,
)

_RUNTIME = " RuntimeFilters: ["
_FILTERS = " [filters="
_BRANCH = " (branch="
_CALL_FILTERS = ", filters="
_CALL_RUNTIME = ", runtimeFilters="
_GROUPED = ", groupedBy="
_SHORTENED = re.compile(r"\.\.\. \d+ more fields|\.\.\.\Z")

# A node that names no table may be another source's, with this text in a literal.
_NO_NAME = re.compile(r"[\s\[\](),=]")
_ATTRIBUTE = re.compile(r"#(\d{1,19})")
_BEFORE_NAME = re.compile(r"[\s(),\[\]]")
# Characters; a longer name of a column is not looked for.
_LONGEST_NAME = 1_000
_NO_COLUMNS = frozenset(("subquery", "dynamicpruning", "scalar-subquery"))
METADATA_COLUMNS = frozenset(("_file", "_pos", "_deleted", "_spec_id", "_partition"))
"""Columns that Iceberg adds to rows that it reads."""


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
    """A scan node of Iceberg cannot be read. `code` is `truncated_plan` if it was cut short,
    `ambiguous_plan` if it can be read in two ways, else `unreadable_plan`."""

    def __init__(self, code: Outcome, problem: str, advice: str) -> None:
        super().__init__(f"a scan node of the plan {problem}; {advice}")
        self.code = code


@dataclass(frozen=True, slots=True)
class ScanNode:
    """One scan of an Iceberg table in a plan. `accumulators` maps the ids of its metrics to the
    names of Iceberg's counters. `identity`, one of the ids, tells the node within its
    application: Spark gives none twice. It is None for a node without metrics. `row_filter`,
    `joined` (columns) and `needed` are of the nodes above it. `is_cached` tells that it stands
    below a cached table: it is in the plan of every query that reads the cache, and only the first
    runs it."""

    table: TableName
    snapshot_id: int | None
    branch: str | None
    filters: str
    runtime: tuple[Predicate, ...]
    accumulators: Mapping[int, str]
    identity: int | None
    row_filter: RowFilter = ALL_ROWS
    joined: tuple[str, ...] = ()
    needed: AnyRows | None = None
    is_cached: bool = False


@dataclass(frozen=True, slots=True)
class _Description:
    table: str
    snapshot: str | None
    branch: str | None
    filters: str


def scan_node(node: Mapping[str, object]) -> ScanNode | None:
    """The scan of an Iceberg table that a node of `sparkPlanInfo` is.

    None for other nodes, and for scans that no filter and snapshot explain: of metadata tables,
    of changes, of streams and of staged files. Before Iceberg 1.11 a scan of what was added
    between two snapshots cannot be told from others. Raises UnreadableNode; its message holds
    none of the text.
    """
    name, text = node.get("nodeName"), node.get("simpleString")
    if not isinstance(name, str) or not isinstance(text, str) or not text.startswith(name):
        return None
    kind = name.partition(" ")[0]
    if not _is_scan(kind):
        return None
    call = _CALL.search(text, len(name))
    listed = text.find(_FILTERS, len(name))
    if call is not None and (listed < 0 or call.start() < listed):
        if call[1] in _OTHER_CALLS:
            return None
        boundary, is_call = call.start(), True
    elif listed >= 0:
        boundary, is_call = text.rfind("] ", len(name), listed), False
    elif _ICEBERG in kind:
        raise _unreadable("is of an accelerator that prints no filters")
    else:
        return None
    if REDACTED in text:
        raise _unreadable("was redacted (spark.sql.redaction.string.regex)")
    if boundary < 0 or not text.startswith("[", len(name)):
        raise _unreadable("has a form that is not known")
    described, runtime = _without_runtime(text[boundary + 2 :])
    found = _call(described) if is_call else _list(described)
    if _SHORTENED.search(found.filters):
        raise _truncated()
    if found.table != name.partition(" ")[2] and _NO_NAME.search(found.table):
        raise _unreadable("has a form that is not known")
    table = table_named(found.table)
    if table is None:
        return None
    ids = _accumulators(node.get("metrics"))
    snapshot = found.snapshot or ""
    return ScanNode(
        table,
        int(snapshot) if re.fullmatch(r"\d{1,19}", snapshot, re.ASCII) else None,
        None if found.branch in (None, "null") else found.branch,
        found.filters,
        _runtime_filters(runtime, text[len(name) + 1 : boundary]),
        {number: _METRICS[metric] for number, metric in ids.items() if metric in _METRICS},
        min(ids, default=None),
    )


def _is_scan(kind: str) -> bool:
    """True if nodes of a kind may be scans of Iceberg tables."""
    is_named = "BatchScan" in kind or "Scan" in kind.partition(_ICEBERG)[2]
    return is_named and not kind.startswith(_MICRO_BATCH) and _KIND.fullmatch(kind) is not None


def reads_changes(text: str) -> bool:
    """True if the node that prints a text reads rows that were added to an Iceberg table, or
    changed in it, between two snapshots: no filter and one snapshot explain that."""
    return _OF_CHANGES.match(text) is not None


def _accumulators(metrics: object) -> dict[int, str]:
    """The metrics of a node: names of the counters by accumulator."""
    found = {}
    for metric in metrics if isinstance(metrics, list) else [None]:
        match metric:
            case {"accumulatorId": int(number), "name": str(name)} if not isinstance(number, bool):
                found[number] = name
            case _:
                raise _unreadable("has metrics that are not what Spark writes")
    return found


def _without_runtime(text: str) -> tuple[str, str]:
    """A description and the runtime filters behind it, which Spark 3.1 does not print."""
    described, separator, runtime = text.rpartition(_RUNTIME)
    if not separator:
        return text, ""
    if not runtime.endswith("]"):
        raise _truncated()
    # Spark has no others than these; anything else stands in a literal.
    if runtime != "]" and not runtime.startswith("dynamicpruning"):
        raise _ambiguous()
    return described, runtime[:-1]


def _call(described: str) -> _Description:
    """The description as of Iceberg 1.11 with Spark 4.1."""
    kind, _, rest = described.partition("(table=")
    if kind not in _CALL_OF_TABLE:
        raise _unreadable("has a form that is not known")
    head, separator, body = rest.partition(_CALL_FILTERS)
    if not body.endswith(")"):
        raise _truncated()
    found = _CALL_HEAD.fullmatch(head)
    if found is None:
        raise _unreadable("has a form that is not known")
    filters = _before_grouping(body[:-1])
    if kind == "IcebergScan":
        # Spark replaces them while the query runs, by values that it found.
        filters, separator, more = filters.partition(_CALL_RUNTIME)
        if _CALL_RUNTIME in more:
            raise _ambiguous()
        if not separator:
            raise _unreadable("has a form that is not known")
    return _Description(found["table"], found["snapshot"], found["branch"], filters)


def _list(described: str) -> _Description:
    """The description up to Iceberg 1.11."""
    head, _, body = described.partition(_FILTERS)
    if not body.endswith("]"):
        raise _truncated()
    table, separator, branch = head.partition(_BRANCH)
    if not table or (separator and not branch.endswith(")")):
        raise _unreadable("has a form that is not known")
    if separator:
        return _Description(table, None, branch[:-1], _before_grouping(body[:-1]))
    if _GROUPED in body:
        raise _ambiguous()
    return _Description(table, None, None, body[:-1])


def _before_grouping(body: str) -> str:
    filters, separator, grouped = body.rpartition(_GROUPED)
    if not separator:
        raise _unreadable("has a form that is not known")
    if "=" in grouped:
        raise _ambiguous()
    return filters


def table_named(name: str) -> TableName | None:
    """The table of a name as plans print it, the catalog first; None for metadata tables."""
    *before, table = name.split(".")
    if len(before) > 2 and table.lower() in METADATA_TABLES:
        return None
    if len(before) < 2 or "/" in name:
        return TableName(None, tuple(before), table)
    return TableName(before[0], tuple(before[1:]), table)


def _runtime_filters(text: str, output: str) -> tuple[Predicate, ...]:
    """One leaf per column that is filtered at runtime; columns of rows' positions are none."""
    names = {}
    for attribute in output.split(", ") if text else ():
        name, _, number = attribute.rpartition("#")
        names[number.removesuffix("L")] = name
    columns: dict[str, None] = {}
    for found in _ATTRIBUTE.finditer(text):
        tick()
        before = text[max(found.start() - _LONGEST_NAME, 0) : found.start()]
        name = _BEFORE_NAME.split(before)[-1]
        if name and name not in _NO_COLUMNS:
            columns[names.get(found[1], name)] = None
    return tuple(
        Unsupported(Reason.RUNTIME, f"{c} IN runtime filter", f"{c} IN runtime filter", (c,))
        for c in columns
        if c not in METADATA_COLUMNS
    )


def _truncated() -> UnreadableNode:
    return UnreadableNode(
        Outcome.TRUNCATED_PLAN,
        "was cut short",
        "look for what shortens the lines of the event log",
    )


def _ambiguous() -> UnreadableNode:
    return UnreadableNode(
        Outcome.AMBIGUOUS_PLAN,
        "can be read in more than one way, because Spark prints strings without quoting",
        "the scan cannot be replayed",
    )


def _unreadable(problem: str) -> UnreadableNode:
    return UnreadableNode(
        Outcome.UNREADABLE_PLAN, problem, "only scans that print their filters can be replayed"
    )
