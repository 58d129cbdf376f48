"""Queries from Spark's event logs."""

from __future__ import annotations

import datetime as dt
import re
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence

from prunescope.collectors.errors import PrunescopeError, QueryError, what_failed
from prunescope.collectors.observed import ObservedQuery, Rejected
from prunescope.collectors.outcomes import Outcome
from prunescope.collectors.queries.instants import parse_instant
from prunescope.collectors.queries.json_input import UnreadableInput, decode_object, text
from prunescope.collectors.queries.spark.executed_sql import KnownSql, forget_oldest
from prunescope.collectors.queries.spark.executions import (
    Execution,
    Plan,
    driver_values,
    malformed,
    read_plan,
)
from prunescope.collectors.queries.spark.log_files import is_missing_before, log_lines
from prunescope.collectors.queries.spark.nodes import ScanNode
from prunescope.collectors.storage.files import Storage
from prunescope.collectors.types import MAX_INT64

SOURCE = "spark_event_logs"

Span = tuple[dt.datetime, dt.datetime]

# Most lines are of tasks: they are told by their first bytes, without being decoded. Spark
# writes the name of the event first, and the ids of the execution next.
_EVENT = re.compile(
    rb'\s*\{"Event":"(?:[\w.$]+\.)?(?P<kind>\w+)"'
    rb'(?:,"executionId":(?P<execution>\d{1,19})(?=[,}])'
    rb'(?:,"rootExecutionId":(?P<root>\d{1,19})(?=[,}]))?)?'
)
_ICEBERG_JAR = re.compile(
    r"(?>.*?iceberg-spark-runtime-)[0-9.]++_[0-9.]++-([0-9]++(?:\.[0-9]++)++).*\.jar"
)
_TIME = re.compile(rb'"time":(\d{1,15})[,}]')
_START = b"SparkListenerSQLExecutionStart"
_OF_EXECUTIONS = frozenset(
    (
        b"SparkListenerSQLAdaptiveExecutionUpdate",
        b"SparkListenerDriverAccumUpdates",
        b"SparkListenerSQLExecutionEnd",
    )
)
_WANTED = _OF_EXECUTIONS | {
    _START,
    b"SparkListenerLogStart",
    b"SparkListenerApplicationStart",
    b"SparkListenerEnvironmentUpdate",
    b"SparkListenerThriftServerOperationStart",
    b"SparkListenerThriftServerOperationClosed",
}
_TIME_ZONE = "spark.sql.session.timeZone"
_DEFAULT_CATALOG = "spark.sql.defaultCatalog"
# Scans of cached tables come again in later plans; beyond these the oldest are forgotten.
MOST_SCANS = 200_000
# Executions that run at the same time, with those that they started; beyond these the oldest is
# taken to have ended.
MOST_OPEN = 10_000


def read_spark_log(
    paths: Sequence[str],
    storage: Storage,
    span: Span | None = None,
    passed_over: Callable[[dt.datetime], None] = lambda _: None,
) -> Iterator[ObservedQuery | Rejected]:
    """The queries in the files of one log, streamed; only executions that have not ended are held,
    MOST_OPEN at most. With a span, executions that started outside of it are passed over, and
    `passed_over` is called with their start.

    A query is an execution, with those that it started itself, that scans an Iceberg table,
    replaces partitions of one, or carries SQL. Others are no input: Spark runs them for commands
    and other sources. Its scans are those of the plan that adaptive execution settled on, and those
    that it dropped after they ran, with the filters as printed (`PlanText`) and the counts of the
    node's driver metrics. A scan that several plans share (a cached table, a reused exchange) is
    one scan of the first.

    A log may be cut off anywhere, without a Rejected: an application that runs or was killed leaves
    such. Reasons of a Rejected: `unreadable_file`, `missing_file`, `unsupported_codec`,
    `malformed_json`, `malformed_event`, `line_too_long`, and with the query's id `query_failed`,
    and of a scan node `unreadable_plan`, `truncated_plan` and `ambiguous_plan`.
    """
    log = _Log(span, passed_over)
    broken: Rejected | None = None
    for previous, path in zip([None, *paths], paths, strict=False):
        if previous is not None and is_missing_before(path, previous):
            yield Rejected(
                SOURCE, path, Outcome.MISSING_FILE, "files of the rolling log before it are missing"
            )
        number = 0
        try:
            for number, line in enumerate(log_lines(path, storage), start=1):
                if broken is not None:
                    yield broken
                broken = None
                location = f"{path}:{number}"
                if line is None:
                    yield Rejected(SOURCE, location, Outcome.LINE_TOO_LONG, "the line is too long")
                    continue
                try:
                    yield from log.line(line, location)
                except UnreadableInput as error:
                    rejected = Rejected(SOURCE, location, error.code, str(error))
                    if error.code == Outcome.MALFORMED_JSON:
                        # The last line may be cut off: it is an error only if another follows.
                        broken = rejected
                    else:
                        yield rejected
        except (OSError, PrunescopeError) as error:
            code = error.code if isinstance(error, QueryError) else Outcome.UNREADABLE_FILE
            why = str(error) if isinstance(error, QueryError) else what_failed(error)
            message = f"the log cannot be read from here on ({why})"
            yield Rejected(SOURCE, f"{path}:{number + 1}" if number else path, code, message)
    yield from log.rest()


class _Log:
    """The state of a log while it is read."""

    def __init__(self, span: Span | None, passed_over: Callable[[dt.datetime], None]) -> None:
        self._span = span
        self._tell_passed_over = passed_over
        self._version: str | None = None
        self._iceberg: str | None = None
        self._application = "unknown"
        self._user: str | None = None
        self._settings: Mapping[str, object] = {}
        self._zone: str | None = None
        self._sql = KnownSql()
        self._open: OrderedDict[int, Execution] = OrderedDict()
        self._root_of: dict[int, int] = {}
        self._passed_over: set[int] = set()
        self._seen: OrderedDict[int | str, None] = OrderedDict()

    def line(self, line: bytes, location: str) -> Iterator[ObservedQuery | Rejected]:
        """The queries and errors that a line completes. Raises UnreadableInput."""
        head = _EVENT.match(line)
        if not line.strip() or (head is not None and self._is_passed_over(head, line)):
            return
        event = decode_object(line, not_an_object=Outcome.MALFORMED_EVENT)
        kind = event.get("Event")
        match kind.rpartition(".")[2] if isinstance(kind, str) else None:
            case "SparkListenerLogStart":
                self._version = text(event.get("Spark Version"))
            case "SparkListenerApplicationStart":
                self._application_started(event)
            case "SparkListenerEnvironmentUpdate":
                self._settings = _section(event, "Spark Properties")
                system = _section(event, "System Properties")
                zone = text(self._settings.get(_TIME_ZONE))
                self._zone = zone or text(system.get("user.timezone"))
                self._iceberg = _iceberg_version(_section(event, "Classpath Entries"))
            case "SparkListenerThriftServerOperationStart":
                self._sql.operation_started(event)
            case "SparkListenerThriftServerOperationClosed":
                self._sql.operation_closed(event)
            case "SparkListenerSQLExecutionStart":
                self._start(event, location)
                if len(self._root_of) > MOST_OPEN:
                    yield from self._end(next(iter(self._open)))
            case "SparkListenerSQLAdaptiveExecutionUpdate":
                found = self._execution(event)
                if found is not None:
                    found[1].plan(found[0], _plan(event))
            case "SparkListenerDriverAccumUpdates":
                found = self._execution(event)
                if found is not None:
                    found[1].values.update(driver_values(event.get("accumUpdates")))
            case "SparkListenerSQLExecutionEnd":
                yield from self._end(_id(event, "executionId"))
            case None:
                raise malformed("Event")

    def rest(self) -> Iterator[ObservedQuery | Rejected]:
        """The executions that have not ended when the log does."""
        for root in list(self._open):
            yield from self._end(root)

    def _is_passed_over(self, head: re.Match[bytes], line: bytes) -> bool:
        """True if a line needs no decoding: most lines, and the longest of the others."""
        kind, execution, root = head["kind"], head["execution"], head["root"]
        if kind not in _WANTED:
            return True
        if execution is None:
            return False
        number = int(execution)
        if kind in _OF_EXECUTIONS and number not in self._root_of:
            if kind == b"SparkListenerSQLExecutionEnd":
                self._passed_over.discard(number)
            return True
        if kind != _START or root not in (None, execution) or self._span is None:
            return False
        # Within strings the quotes are escaped, so that this can only be a field.
        time = _TIME.match(line, max(line.rfind(b'"time":'), 0))
        started_at = None if time is None else parse_instant(int(time[1]))
        if started_at is None or self._is_within(started_at):
            return False
        self._passed_over.add(number)
        self._tell_passed_over(started_at)
        return True

    def _is_within(self, moment: dt.datetime | None) -> bool:
        return self._span is None or moment is None or self._span[0] <= moment < self._span[1]

    def _application_started(self, event: Mapping[str, object]) -> None:
        name, attempt = text(event.get("App ID")), text(event.get("App Attempt ID"))
        if name is not None:
            # Each attempt counts its executions from 0.
            self._application = name if attempt is None else f"{name}_{attempt}"
        self._user = text(event.get("User"))

    def _start(self, event: Mapping[str, object], location: str) -> None:
        number = _id(event, "executionId")
        root = _id(event, "rootExecutionId") if event.get("rootExecutionId") is not None else number
        started_at = parse_instant(event.get("time"))
        if root not in self._open:
            is_child = root != number and root in self._passed_over
            if is_child or not self._is_within(started_at):
                self._passed_over.add(number)
                if started_at is not None and not is_child:
                    self._tell_passed_over(started_at)
                return
            # The start of the root is not in the log.
            root = number
        plan = _plan(event)
        if root == number and number not in self._open:
            executed = self._sql.of(event, self._user)
            modified = _section(event, "modifiedConfigs")
            self._open[number] = Execution(
                f"{self._application}/{number}",
                location,
                started_at,
                executed.sql,
                executed.is_explicit,
                text(modified.get(_DEFAULT_CATALOG)) or text(self._settings.get(_DEFAULT_CATALOG)),
                executed.user,
                text(modified.get(_TIME_ZONE)) or self._zone,
            )
        self._root_of[number] = root
        self._open[root].plan(number, plan)

    def _execution(self, event: Mapping[str, object]) -> tuple[int, Execution] | None:
        """The execution that an event belongs to, and its root."""
        number = _id(event, "executionId")
        root = self._root_of.get(number)
        return None if root is None else (number, self._open[root])

    def _end(self, number: int) -> Iterator[ObservedQuery | Rejected]:
        execution = self._open.pop(number, None)
        if execution is None:
            return
        for each in execution.numbers:
            if self._root_of.get(each) == number:
                del self._root_of[each]
        refused = execution.refused()
        for error in refused:
            yield Rejected(SOURCE, execution.location, error.code, str(error), execution.query_id)
        planned = execution.scans()
        sql = execution.sql
        if sql is not None and execution.is_explicit:
            sql = sql if self._sql.is_confirmed(sql, planned.values()) else None
        if sql is not None and execution.has_failed():
            message = "Spark could not plan the query, so it read nothing"
            failed = Outcome.QUERY_FAILED
            yield Rejected(SOURCE, execution.location, failed, message, execution.query_id)
            return
        nodes = list(self._new(planned))
        effects = execution.effects()
        if not (nodes or refused or effects) and execution.reads_changes():
            yield Rejected(
                SOURCE,
                execution.location,
                Outcome.NOT_SCANNED,
                "the query reads what was added to a table or changed in it between two snapshots, "
                "which no filter on one snapshot explains",
                execution.query_id,
            )
            return
        if not nodes and (refused or (sql is None and not effects)):
            return
        yield ObservedQuery(
            source=SOURCE,
            query_id=execution.query_id,
            sql=sql,
            dialect="spark",
            started_at=execution.started_at,
            catalog=execution.catalog,
            user=execution.user,
            engine="spark",
            engine_version=self._version,
            iceberg_version=self._iceberg,
            time_zone=execution.time_zone,
            scans=tuple(execution.observed(node) for node in nodes),
            plan_known=True,
            traits=execution.traits(),
            effects=effects,
        )

    def _new(self, planned: Mapping[int | str, ScanNode]) -> Iterator[ScanNode]:
        for key, node in planned.items():
            if isinstance(key, int):
                if key in self._seen:
                    continue
                self._seen[key] = None
                forget_oldest(self._seen, MOST_SCANS)
            yield node


def _plan(event: Mapping[str, object]) -> Plan:
    return read_plan(event.get("sparkPlanInfo"), text(event.get("physicalPlanDescription")) or "")


def _section(event: Mapping[str, object], name: str) -> Mapping[str, object]:
    section = event.get(name)
    return section if isinstance(section, dict) else {}


def _iceberg_version(classpath: Mapping[str, object]) -> str | None:
    """The version in the name of Iceberg's runtime, however it came to the class path."""
    found = (_ICEBERG_JAR.match(entry.rpartition("/")[2]) for entry in classpath)
    return next((match[1] for match in found if match), None)


def _id(event: Mapping[str, object], name: str) -> int:
    value = event.get(name)
    is_id = isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MAX_INT64
    if not is_id or not isinstance(value, int):
        raise malformed(name)
    return value
