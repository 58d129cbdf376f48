"""Spark event logs of one shape that grow, as lines: what whoever writes a log can write at any
length."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from tests.collectors.queries.spark.logs import (
    SERVER,
    THRIFT,
    Event,
    end,
    node,
    plan,
    preamble,
    start,
    update,
    values,
)

Grow = Callable[[int], Iterator[Event]]
"""The events of a log with about so many of something."""


def _never_ended(n: int) -> Iterator[Event]:
    yield from preamble()
    yield from (start(number, plan(node("id = 1", first=100 * number))) for number in range(n))


def _interleaved(n: int) -> Iterator[Event]:
    """All begin before any ends."""
    yield from _never_ended(n)
    yield from map(end, range(n))


def _nested(n: int) -> Iterator[Event]:
    """One that begins all others."""
    yield from preamble()
    for number in range(n):
        yield start(number, plan(node("id = 1", first=100 * number)), root=0)
    yield end(0)


def _planned_again(n: int) -> Iterator[Event]:
    yield from preamble()
    yield start(0, plan(node("id = 1")))
    for number in range(n):
        yield update(0, plan(node("id = 1", first=100 * number)))
    yield end(0)


def _accumulators(n: int) -> Iterator[Event]:
    yield from preamble()
    yield start(0, plan(node("id = 1")))
    yield from (values(0, (number, number)) for number in range(n))
    yield end(0)


def _accumulators_at_once(n: int) -> Iterator[Event]:
    yield from preamble()
    yield start(0, plan(node("id = 1")))
    yield values(0, *((number, number) for number in range(n)))
    yield end(0)


def _scans_of_a_plan(n: int) -> Iterator[Event]:
    yield from preamble()
    yield start(0, plan(*(node("id = 1", first=100 * number) for number in range(n))))
    yield end(0)


def _served(n: int) -> Iterator[Event]:
    """Statements of a server of which all are open, each executed."""
    yield from preamble()
    for number in range(n):
        yield {
            "Event": f"{THRIFT}SparkListenerThriftServerOperationStart",
            "id": str(number),
            "statement": f"SELECT {number}",
            "userName": "ana",
        }
    for number in range(n):
        scan = plan(node("id = 1", first=100 * number))
        yield start(number, scan, description=f"SELECT {number}", details=SERVER)
        yield end(number)


def _of_filters(*conditions: str) -> Callable[[int], Iterator[Event]]:
    def events(n: int) -> Iterator[Event]:
        below: dict[str, Any] = node("id = 1")
        for condition in reversed(conditions):
            below = _above("Filter", condition.replace("…", "a" * n), below)
        yield from preamble()
        yield start(0, plan(below))
        yield end(0)

    return events


def _above(name: str, text: str, below: dict[str, Any]) -> dict[str, Any]:
    printed = {"nodeName": name, "simpleString": f"{name} {text}"}
    return {**printed, "children": [below], "metadata": {}, "metrics": []}


def _described(text: Callable[[int], str]) -> Callable[[int], Iterator[Event]]:
    def events(n: int) -> Iterator[Event]:
        yield from preamble()
        yield start(0, plan(node("id = 1")), description=text(n))
        yield end(0)

    return events


def _jars(n: int) -> Iterator[Event]:
    yield from _scans_of_a_plan(1)
    jar = "/" + "iceberg-spark-runtime-3.5_2.12-1.9" * (n // 30)
    yield {"Event": "SparkListenerEnvironmentUpdate", "Classpath Entries": {jar: "System"}}


def _joins(n: int) -> Iterator[Event]:
    scan = node("id = 1")
    join = _above("BroadcastHashJoin", "[" + "], [" * (n // 4), scan)
    yield from preamble()
    yield start(0, plan(join))
    yield end(0)


def _kinds(name: str) -> Callable[[int], Iterator[Event]]:
    def events(n: int) -> Iterator[Event]:
        kind = name * (n // len(name)) + "-"
        yield from preamble()
        yield start(0, plan(_above(kind, "[id#1L]", node("id = 1"))))
        yield end(0)

    return events


SHAPES: dict[str, Grow] = {
    "never_ended": _never_ended,
    "interleaved": _interleaved,
    "nested": _nested,
    "planned_again": _planned_again,
    "accumulators": _accumulators,
    "accumulators_at_once": _accumulators_at_once,
    "scans_of_a_plan": _scans_of_a_plan,
    "served": _served,
}
"""By the names of what grows."""

TEXTS: dict[str, Grow] = {
    "long_name": _of_filters("…"),
    "long_name_in_a_list": _of_filters("id#1L INSET …"),
    "comments": _described(lambda n: "/* */" * (n // 5)),
    "lines_of_comments": _described(lambda n: "--\n" * (n // 3)),
    "jars": _jars,
    "joins": _joins,
    "batch_scans": _kinds("BatchScan"),
    "iceberg_scans": _kinds("IcebergScan"),
    "merges": _kinds("MergeRows"),
}
"""By the names of texts that grow, in a log of one query."""


def doubled(levels: int) -> Iterator[Event]:
    """A condition on a function of a function, each of which asks for the one below twice."""
    below: dict[str, Any] = node("id = 1")
    for level in range(levels):
        called = f"[f(x#{level}, x#{level})#{level + 1}], [r#{level + 1}]"
        below = _above("BatchEvalPython", called, below)
    yield from preamble()
    yield start(0, plan(_above("Filter", f"(r#{levels} = 1)", below)))
    yield end(0)
