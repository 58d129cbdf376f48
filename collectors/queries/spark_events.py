"""Queries from Spark's event logs."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from collectors.errors import PrunescopeError, QueryError
from collectors.queries.instants import parse_instant
from collectors.queries.json_input import UnreadableInput, decode_object, text
from collectors.queries.observed import ObservedQuery, ObservedScan, PlanText, Rejected
from collectors.queries.spark_log_files import log_lines
from collectors.queries.spark_nodes import ScanNode, scan_node
from collectors.tables.storage import Storage

SOURCE = "spark_event_logs"

Span = tuple[dt.datetime, dt.datetime]

# Most lines are of tasks: they are told by their first bytes, without being decoded.
_EVENT = re.compile(rb'\s*\{"Event":"(?:[\w.$]+\.)?(\w+)"')
_WANTED = frozenset(
    (
        b"SparkListenerLogStart",
        b"SparkListenerApplicationStart",
        b"SparkListenerEnvironmentUpdate",
        b"SparkListenerThriftServerOperationStart",
        b"SparkListenerThriftServerOperationClosed",
        b"SparkListenerSQLExecutionStart",
        b"SparkListenerSQLAdaptiveExecutionUpdate",
        b"SparkListenerDriverAccumUpdates",
        b"SparkListenerSQLExecutionEnd",
    )
)
# The shell and the Thrift server set the statement as the description of their executions.
_STATEMENT_RUNNERS = ("SparkSQLCLIDriver", "SparkExecuteStatementOperation")
_SQL = re.compile(
    r"\s*(?:--[^\n]*\n\s*|/\*.*?\*/\s*)*"
    r"(?:SELECT|WITH|INSERT|MERGE|UPDATE|DELETE|CREATE|REPLACE|CACHE)\s",
    re.IGNORECASE | re.DOTALL,
)
_TIME_ZONE = "spark.sql.session.timeZone"
_DEFAULT_CATALOG = "spark.sql.defaultCatalog"


def read_spark_log(
    paths: Sequence[str], storage: Storage, span: Span | None = None
) -> Iterator[ObservedQuery | Rejected]:
    """The queries in the files of one log, streamed; only executions that have not ended are
    held. With a span, executions that started outside of it are passed over.

    A query is an execution, with those that it started itself, that scans an Iceberg table or
    carries SQL. Others are no input: Spark runs them for commands and other sources. Its scans
    are those of the plan that adaptive execution settled on, with the filters as printed
    (`PlanText`) and the counts of the node's driver metrics; a scan that several plans share
    (a cached table, a reused exchange) is one scan of the first.

    A log may be cut off anywhere. Reasons of a Rejected: `unreadable_file`,
    `unsupported_codec`, `malformed_json`, `malformed_event`, `line_too_long`, and
    `unreadable_plan` for a scan node that cannot be read.
    """
    log = _Log(span)
    for path in paths:
        number = 0
        broken: Rejected | None = None
        try:
            for number, line in enumerate(log_lines(path, storage), start=1):
                if broken is not None:
                    yield broken
                broken = None
                location = f"{path}:{number}"
                if line is None:
                    yield Rejected(SOURCE, location, "line_too_long", "the line is too long")
                    continue
                try:
                    yield from log.line(line, location)
                except UnreadableInput as error:
                    # The last line may be cut off: it is an error only if another follows.
                    broken = Rejected(SOURCE, location, error.code, str(error))
        except (OSError, PrunescopeError) as error:
            code = error.code if isinstance(error, QueryError) else "unreadable_file"
            message = f"the log cannot be read from here on ({type(error).__name__})"
            yield Rejected(SOURCE, f"{path}:{number + 1}" if number else path, code, message)
    yield from log.rest()


@dataclass(slots=True)
class _Execution:
    """A root execution that has not ended: the scan nodes of the latest plan of each execution
    under it, and the values of driver metrics."""

    started_at: dt.datetime | None
    location: str
    sql: str | None
    user: str | None
    time_zone: str | None
    nodes: dict[int, list[ScanNode]] = field(default_factory=dict)
    refused: dict[str, None] = field(default_factory=dict)
    values: dict[int, int] = field(default_factory=dict)


class _Log:
    """What is known while a log is read."""

    def __init__(self, span: Span | None) -> None:
        self._span = span
        self._version: str | None = None
        self._application = "unknown"
        self._user: str | None = None
        self._settings: dict[str, object] = {}
        self._zone: str | None = None
        self._operations: dict[str, tuple[str, str | None]] = {}
        self._open: dict[int, _Execution] = {}
        self._root_of: dict[int, int] = {}
        self._seen: set[frozenset[int]] = set()

    def line(self, line: bytes, location: str) -> Iterator[ObservedQuery | Rejected]:
        """What the line completes. Raises UnreadableInput."""
        named = _EVENT.match(line)
        if not line.strip() or (named is not None and named[1] not in _WANTED):
            return
        event = decode_object(line, not_an_object="malformed_event")
        kind = event.get("Event")
        match kind.rpartition(".")[2] if isinstance(kind, str) else None:
            case "SparkListenerLogStart":
                self._version = text(event.get("Spark Version"))
            case "SparkListenerApplicationStart":
                self._application = text(event.get("App ID")) or self._application
                self._user = text(event.get("User"))
            case "SparkListenerEnvironmentUpdate":
                self._environment(event)
            case "SparkListenerThriftServerOperationStart":
                statement, key = text(event.get("statement")), text(event.get("id"))
                if statement is not None and key is not None:
                    self._operations[key] = statement, text(event.get("userName"))
            case "SparkListenerThriftServerOperationClosed":
                self._operations.pop(text(event.get("id")) or "", None)
            case "SparkListenerSQLExecutionStart":
                self._start(event, location)
            case "SparkListenerSQLAdaptiveExecutionUpdate":
                self._plan(event)
            case "SparkListenerDriverAccumUpdates":
                self._metrics(event)
            case "SparkListenerSQLExecutionEnd":
                yield from self._end(event)

    def rest(self) -> Iterator[ObservedQuery | Rejected]:
        """The executions that the log does not see end."""
        for root in list(self._open):
            yield from self._finished(root)

    def _environment(self, event: Mapping[str, object]) -> None:
        self._settings = _section(event, "Spark Properties")
        system = _section(event, "System Properties")
        self._zone = text(self._settings.get(_TIME_ZONE)) or text(system.get("user.timezone"))

    def _start(self, event: Mapping[str, object], location: str) -> None:
        execution = _number(event.get("executionId"))
        if execution is None:
            raise UnreadableInput(
                "malformed_event", "field 'executionId' is no number; check what writes the log"
            )
        root = _number(event.get("rootExecutionId"))
        root = execution if root is None else root
        if root not in self._open:
            started_at = parse_instant(event.get("time"))
            if root != execution or not self._is_wanted(started_at):
                return
            self._open[root] = self._execution(event, location, started_at)
        self._root_of[execution] = root
        self._plan(event)

    def _is_wanted(self, moment: dt.datetime | None) -> bool:
        return self._span is None or moment is None or self._span[0] <= moment < self._span[1]

    def _execution(
        self, event: Mapping[str, object], location: str, started_at: dt.datetime | None
    ) -> _Execution:
        described = text(event.get("description"))
        details = event.get("details")
        is_statement = isinstance(details, str) and any(
            runner in details for runner in _STATEMENT_RUNNERS
        )
        sql = described if described and (is_statement or _SQL.match(described)) else None
        users = {s: user for s, user in self._operations.values() if s == described}
        modified = _section(event, "modifiedConfigs")
        return _Execution(
            started_at,
            location,
            sql,
            users.get(described or "") or self._user,
            text(modified.get(_TIME_ZONE)) or self._zone,
        )

    def _plan(self, event: Mapping[str, object]) -> None:
        execution = _number(event.get("executionId"))
        root = None if execution is None else self._root_of.get(execution)
        if execution is None or root is None:
            return
        plan = event.get("sparkPlanInfo")
        nodes: list[ScanNode] = []
        pending = [plan]
        while pending:
            node = pending.pop()
            if not isinstance(node, dict):
                continue
            children = node.get("children")
            pending += reversed(children) if isinstance(children, list) else []
            try:
                found = scan_node(node)
            except QueryError as error:
                self._open[root].refused[str(error)] = None
                continue
            if found is not None:
                nodes.append(found)
        self._open[root].nodes[execution] = nodes

    def _metrics(self, event: Mapping[str, object]) -> None:
        root = self._root_of.get(_number(event.get("executionId")) or 0)
        updates = event.get("accumUpdates")
        if root is None or not isinstance(updates, list):
            return
        for update in updates:
            match update:
                case [int(number), int(value)] if value >= 0:
                    self._open[root].values[number] = value

    def _end(self, event: Mapping[str, object]) -> Iterator[ObservedQuery | Rejected]:
        execution = _number(event.get("executionId"))
        if execution is not None and execution in self._open:
            yield from self._finished(execution)

    def _finished(self, root: int) -> Iterator[ObservedQuery | Rejected]:
        execution = self._open.pop(root)
        self._root_of = {e: r for e, r in self._root_of.items() if r != root}
        query_id = f"{self._application}/{root}"
        for message in execution.refused:
            yield Rejected(SOURCE, execution.location, "unreadable_plan", message, query_id)
        nodes = list(self._new(n for found in execution.nodes.values() for n in found))
        if not nodes and (execution.sql is None or execution.refused):
            return
        yield ObservedQuery(
            source=SOURCE,
            query_id=query_id,
            sql=execution.sql,
            dialect="spark",
            started_at=execution.started_at,
            catalog=text(self._settings.get(_DEFAULT_CATALOG)),
            user=execution.user,
            engine="spark",
            engine_version=self._version,
            time_zone=execution.time_zone,
            scans=tuple(_observed(node, execution.values) for node in nodes),
            plan_known=True,
        )

    def _new(self, nodes: Iterator[ScanNode]) -> Iterator[ScanNode]:
        for node in nodes:
            if not node.identity:
                yield node
            elif node.identity not in self._seen:
                self._seen.add(node.identity)
                yield node


def _observed(node: ScanNode, values: Mapping[int, int]) -> ObservedScan:
    counters = {name: values[n] for n, name in node.accumulators.items() if n in values}
    return ObservedScan(
        node.table,
        node.snapshot_id,
        counters,
        ref=node.branch,
        pushed=PlanText(node.filters),
        runtime=node.runtime,
    )


def _section(event: Mapping[str, object], name: str) -> dict[str, object]:
    section = event.get(name)
    return section if isinstance(section, dict) else {}


def _number(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None
