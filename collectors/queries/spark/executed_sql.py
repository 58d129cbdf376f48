"""The SQL of Spark's executions, as far as it is certain.

Spark logs no SQL of its own. The spark-sql shell and the Thrift server set the statement as the
job description of its executions (SparkSQLDriver, SparkExecuteStatementOperation, Spark 3.0 to
4.1); programs may do the same. Without a description Spark puts the call site there.
"""

from __future__ import annotations

import re
from collections import Counter, OrderedDict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from prunescope.collectors.queries.json_input import text
from prunescope.collectors.queries.spark.nodes import REDACTED, ScanNode

_Key = TypeVar("_Key")
_Value = TypeVar("_Value")

_SHELL = "SparkSQLCLIDriver"
_THRIFT_SERVER = "SparkExecuteStatementOperation"
_CALL_SITE = re.compile(r"\S+ at \S+:\d+|\S+ at <unknown>:\d+")
_SQL = re.compile(
    r"\s*+(?:--[^\n]*+\n\s*+|/\*(?>.*?\*/)\s*+)*+"
    r"(?:SELECT|WITH|INSERT|MERGE|UPDATE|DELETE|CREATE|REPLACE|CACHE)\s",
    re.IGNORECASE | re.DOTALL,
)
_WORD = re.compile(r"\w+")
# Beyond these the oldest are forgotten, so that a log of any length takes bounded memory.
MOST_OPERATIONS = 10_000
_MOST_DESCRIPTIONS = 100_000


@dataclass(frozen=True, slots=True)
class ExecutedSql:
    """The SQL of an execution and the user who runs it, None if unknown. `is_explicit` tells that a
    program described the execution with the text."""

    sql: str | None
    user: str | None
    is_explicit: bool = False


@dataclass(slots=True)
class KnownSql:
    """The known SQL of executions while a log is read."""

    _operations: OrderedDict[str, tuple[str, str | None]] = field(default_factory=OrderedDict)
    _users: dict[str, Counter[str | None]] = field(default_factory=dict)
    _described: OrderedDict[int, int] = field(default_factory=OrderedDict)

    def operation_started(self, event: Mapping[str, object]) -> None:
        """Takes note of a SparkListenerThriftServerOperationStart."""
        key, statement = text(event.get("id")), text(event.get("statement"))
        if key is not None and statement is not None:
            self._close(key)
            found = statement.strip(), text(event.get("userName"))
            self._operations[key] = found
            self._users.setdefault(found[0], Counter())[found[1]] += 1
            if len(self._operations) > MOST_OPERATIONS:
                self._close(next(iter(self._operations)))

    def operation_closed(self, event: Mapping[str, object]) -> None:
        """Takes note of a SparkListenerThriftServerOperationClosed."""
        self._close(text(event.get("id")) or "")

    def _close(self, key: str) -> None:
        sql, user = self._operations.pop(key, (None, None))
        if sql is not None:
            users = self._users[sql]
            users[user] -= 1
            if not users[user]:
                del users[user]
            if not users:
                del self._users[sql]

    def of(self, event: Mapping[str, object], user: str | None) -> ExecutedSql:
        """The SQL of a SparkListenerSQLExecutionStart in an application of `user`."""
        described, details = text(event.get("description")), text(event.get("details")) or ""
        is_served = _THRIFT_SERVER in details
        if described is None or _CALL_SITE.fullmatch(described) or REDACTED in described:
            return ExecutedSql(None, None if is_served else user)
        if is_served:
            return ExecutedSql(described, self._user(event, described))
        if _SHELL in details:
            return ExecutedSql(described, user)
        if _SQL.match(described):
            return ExecutedSql(described, user, is_explicit=True)
        return ExecutedSql(None, user)

    def _user(self, event: Mapping[str, object], described: str) -> str | None:
        """The user who asked for the statement; None if several ask for the same at once."""
        group = text(event.get("jobGroupId"))  # Spark 4
        if group is not None and group in self._operations:
            return self._operations[group][1]
        users = list(self._users.get(described.strip(), ()))
        return users[0] if len(users) == 1 else None

    def is_confirmed(self, sql: str, scans: Iterable[ScanNode]) -> bool:
        """True if scans may be those of a text that a program described their execution with.

        A description stays until the program sets another. So the text must name the scans' tables,
        and all executions with it must plan what the first one did.
        """
        nodes = list(scans)
        words = set(_WORD.findall(sql.casefold()))
        if not all(words.issuperset(_WORD.findall(n.table.table.casefold())) for n in nodes):
            return False
        planned = hash(frozenset((node.table, node.branch, node.filters) for node in nodes))
        first = self._described.setdefault(hash(sql), planned)
        forget_oldest(self._described, _MOST_DESCRIPTIONS)
        return first == planned


def forget_oldest(entries: OrderedDict[_Key, _Value], most: int) -> None:
    """Drop the entries that were added first, down to `most`. A dict would look through all that
    were dropped before, each time."""
    while len(entries) > most:
        entries.popitem(last=False)
