"""Spans of tables and passes, made from what tasks noted."""

from dataclasses import replace

from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from prunescope.audit_jobs.isolation import Failed
from prunescope.audit_jobs.planning.driver import Replay, TableFailure
from prunescope.audit_jobs.planning.pass_spans import MAX_LINKS, record_passes
from prunescope.audit_jobs.planning.runner import LocalItems
from prunescope.audit_jobs.planning.timing import MANIFEST, MANIFEST_LIST, PassTiming, PassWork
from prunescope.audit_jobs.planning.work import TableContext
from prunescope.audit_jobs.spans import recorded_by, span, traceparent
from prunescope.collectors.observed import TableName
from prunescope.collectors.storage.files import Storage
from prunescope.collectors.storage.traffic import Traffic

ORDERS = TableName("lake", ("sales",), "orders")
QUERY = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


def recorded(
    timings: list[PassTiming],
    failures: tuple[TableFailure, ...] = (),
    queries: tuple[str, ...] = (),
) -> dict[str, ReadableSpan]:
    """The spans by name; the timings get the parent that tasks would have been told."""
    exporter = InMemorySpanExporter()
    provider = TracerProvider(shutdown_on_exit=False)
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    name = str(ORDERS)
    contexts = {name: {0: TableContext(name, {}, Storage(), {}, {}, {})}}
    with recorded_by(provider.get_tracer("test")), span("collect"):
        parent = traceparent()
        tasks = tuple(
            PassWork(t.name, (replace(t, traceparent=parent),), Traffic()) for t in timings
        )
        replay = Replay(LocalItems([]), {}, {}, failures, {}, {}, tasks)
        record_passes({name: ORDERS}, {name: 0}, contexts, replay, {ORDERS: queries})
    return {found.name: found for found in exporter.get_finished_spans()}


def timing(name: str, started: int, ended: int, containers: int = 1) -> PassTiming:
    return PassTiming(name, str(ORDERS), started, ended, containers, "")


def test_times_are_those_that_tasks_noted() -> None:
    spans = recorded(
        [timing(MANIFEST_LIST, 100, 110), timing(MANIFEST, 120, 150, 3), timing(MANIFEST, 115, 130)]
    )
    times = {name: (s.start_time, s.end_time) for name, s in spans.items() if name != "collect"}
    assert times == {"table": (100, 150), MANIFEST_LIST: (100, 110), MANIFEST: (115, 150)}
    attributes = spans[MANIFEST].attributes or {}
    assert (attributes["prunescope.tasks"], attributes["prunescope.manifests"]) == (2, 4)
    table, collect = spans["table"], spans["collect"]
    assert table.parent is not None
    assert collect.context is not None
    assert table.parent.span_id == collect.context.span_id
    assert spans[MANIFEST].parent == table.context


def test_a_table_that_nobody_worked_on_has_no_span() -> None:
    assert recorded([]).keys() == {"collect"}


def test_a_failure_is_told_by_its_code() -> None:
    why = Failed("unreadable_metadata", "s3://bucket/of/ana is missing")
    failure = TableFailure(str(ORDERS), why, is_needed=False)
    table = recorded([timing(MANIFEST, 1, 2)], failures=(failure,))["table"]
    assert table.status.description == "unreadable_metadata"
    assert (table.attributes or {})["error.type"] == "unreadable_metadata"
    assert "ana" not in table.to_json()


def test_queries_that_read_the_table_are_linked_once_each() -> None:
    table = recorded([timing(MANIFEST, 1, 2)], queries=(QUERY, "nonsense", QUERY))["table"]
    linked = [f"{link.context.trace_id:032x}-{link.context.span_id:016x}" for link in table.links]
    assert linked == [QUERY[3:-3]]


def test_links_are_capped() -> None:
    many = tuple(f"00-{number:032x}-b7ad6b7169203331-01" for number in range(1, 300))
    assert len(recorded([timing(MANIFEST, 1, 2)], queries=many)["table"].links) == MAX_LINKS
