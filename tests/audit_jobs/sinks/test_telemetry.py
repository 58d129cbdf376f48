"""OTLP, to real receivers that decode it: good ones, and ones that hang or refuse."""

import socket
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import grpc
import pytest

from prunescope.audit_jobs.config import validate_config
from prunescope.audit_jobs.errors import BadConfiguration
from prunescope.audit_jobs.publishing_config import Otlp
from prunescope.audit_jobs.sinks import metric_catalogue as catalogue
from prunescope.audit_jobs.sinks.metric_samples import Sample, run_samples
from prunescope.audit_jobs.sinks.run_rows import rows_of
from prunescope.audit_jobs.sinks.telemetry import METRICS, TRACES, open_telemetry
from prunescope.audit_jobs.spans import span
from tests.audit_jobs.sinks.results import FOUND, UNPARSEABLE, audit_result, replayed
from tests.otlp import Received, grpc_receiver, http_receiver

Receiver = Callable[[], AbstractContextManager[Received]]

RECEIVERS = pytest.mark.parametrize(
    ("protocol", "receiver"), [("http", http_receiver), ("grpc", grpc_receiver)]
)
RESULT = audit_result(replayed("a"), replayed("b"), UNPARSEABLE, findings=(FOUND,))
SAMPLES = run_samples(rows_of(RESULT), max_tables=9)


def otlp(endpoint: str, protocol: str, **options: Any) -> Otlp:
    return Otlp.model_validate({"endpoint": endpoint, "protocol": protocol, **options})


@RECEIVERS
def test_samples_arrive_under_the_same_names(protocol: str, receiver: Receiver) -> None:
    with receiver() as received:
        sent = open_telemetry(otlp(received.endpoint, protocol), "lake").send(SAMPLES)
    assert sent == {TRACES: None, METRICS: None}
    assert received.samples == {
        (
            s.metric.name,
            tuple(
                sorted((("audit_catalog", "lake"), *zip(s.metric.labels, s.labels, strict=True)))
            ),
        ): s.value
        for s in SAMPLES
    }
    units = {"bytes": "By", "seconds": "s", "": ""}
    described = {m.name: (m.help, units[m.unit]) for m in catalogue.PUBLISHED}
    assert {m.name: (m.description, m.unit) for m in received.families} == {
        m.metric.name: described[m.metric.name] for m in SAMPLES
    }
    resource = received.metrics[0].resource_metrics[0].resource
    assert {a.key: a.value.string_value for a in resource.attributes}["service.name"] == (
        "prunescope"
    )


@RECEIVERS
def test_spans_arrive_with_their_parents_and_attributes(protocol: str, receiver: Receiver) -> None:
    with receiver() as received:
        telemetry = open_telemetry(otlp(received.endpoint, protocol), "lake")
        with telemetry.recording(), span("outer", {"prunescope.tables": 3}), span("inner"):
            pass
        assert received.spans == []
        assert telemetry.send(()) == {TRACES: None, METRICS: None}
    inner, outer = received.spans
    assert (inner.name, outer.name) == ("inner", "outer")
    assert (inner.parent_span_id, inner.trace_id) == (outer.span_id, outer.trace_id)
    assert outer.parent_span_id == b""
    assert [(a.key, a.value.int_value) for a in outer.attributes] == [("prunescope.tables", 3)]
    assert outer.start_time_unix_nano <= inner.start_time_unix_nano
    assert inner.end_time_unix_nano <= outer.end_time_unix_nano


@RECEIVERS
def test_many_samples_and_spans_are_sent_in_several_requests(
    protocol: str, receiver: Receiver
) -> None:
    many = [Sample(catalogue.SCANS, ("lake", "s", f"t{n}"), n) for n in range(4_001)]
    with receiver() as received:
        telemetry = open_telemetry(otlp(received.endpoint, protocol), "lake")
        with telemetry.recording():
            for number in range(600):
                with span(f"span {number}"):
                    pass
        assert telemetry.send(many) == {TRACES: None, METRICS: None}
    assert (len(received.traces), len(received.metrics)) == (2, 3)
    assert len(received.samples) == 4_001
    assert [s.name for s in received.spans] == [f"span {number}" for number in range(600)]


@RECEIVERS
def test_credentials_come_from_the_environment(
    protocol: str, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_HEADERS", "x-key=abc")
    with receiver() as received:
        open_telemetry(otlp(received.endpoint, protocol), "lake").send(SAMPLES)
    assert received.headers
    assert {headers["x-key"] for headers in received.headers} == {"abc"}


def test_a_span_that_an_error_ends_tells_its_type_only() -> None:
    with http_receiver() as received:
        telemetry = open_telemetry(otlp(received.endpoint, "http"), "lake")
        with pytest.raises(ValueError, match="Ana"), telemetry.recording(), span("stage"):
            raise ValueError("customer = 'Ana'")
        telemetry.send(())
    (found,) = received.spans
    assert (found.status.code, found.status.message) == (2, "ValueError")
    assert not any(b"Ana" in request.SerializeToString() for request in received.traces)


@pytest.mark.parametrize(
    ("signal", "other"), [(TRACES, METRICS), (METRICS, TRACES)], ids=["traces", "metrics"]
)
def test_a_signal_that_is_switched_off_is_not_sent(signal: str, other: str) -> None:
    with http_receiver() as received:
        telemetry = open_telemetry(otlp(received.endpoint, "http", **{signal: False}), "lake")
        with telemetry.recording(), span("stage"):
            pass
        assert telemetry.send(SAMPLES) == {other: None}
    assert getattr(received, signal) == []
    assert getattr(received, other) != []


def test_without_a_collector_there_is_nothing_to_send() -> None:
    telemetry = open_telemetry(None, "lake")
    with telemetry.recording(), span("stage") as current:
        assert not current.is_recording()
    assert telemetry.send(SAMPLES) == {}


@contextmanager
def hanging() -> Iterator[Received]:
    """Takes connections, and never answers."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        yield Received(f"http://127.0.0.1:{taken.getsockname()[1]}")


@contextmanager
def closed() -> Iterator[Received]:
    """A port on which nobody listens."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield Received(f"http://127.0.0.1:{taken.getsockname()[1]}")


@pytest.mark.parametrize(
    ("protocol", "receiver"),
    [
        pytest.param("http", hanging, id="http hangs"),
        pytest.param("grpc", hanging, id="grpc hangs"),
        pytest.param("http", closed, id="http refused"),
        pytest.param("grpc", closed, id="grpc refused"),
        pytest.param("http", lambda: http_receiver(400), id="http 400"),
        pytest.param("http", lambda: http_receiver(503), id="http 503"),
        pytest.param(
            "grpc", lambda: grpc_receiver(grpc.StatusCode.PERMISSION_DENIED), id="grpc denied"
        ),
        pytest.param(
            "grpc", lambda: grpc_receiver(grpc.StatusCode.UNAVAILABLE), id="grpc unavailable"
        ),
    ],
)
@pytest.mark.slow
def test_a_collector_that_does_not_take_it_is_told_of(protocol: str, receiver: Receiver) -> None:
    with receiver() as received:
        telemetry = open_telemetry(otlp(received.endpoint, protocol, timeout_seconds=0.2), "lake")
        with telemetry.recording(), span("stage"):
            pass
        sent = telemetry.send(SAMPLES)
    assert set(sent) == {TRACES, METRICS}
    assert all(failure is not None for failure in sent.values())


@pytest.mark.parametrize(
    ("section", "message"),
    [
        pytest.param({"endpoint": "collector:4318"}, "write a URL", id="no URL"),
        pytest.param({"endpoint": "http://a:b@c"}, "OTEL_EXPORTER_OTLP_HEADERS", id="password"),
        pytest.param(
            {"endpoint": "http://c", "timeout_seconds": 0}, "must be more than 0", id="0 s"
        ),
        pytest.param({"endpoint": "http://c", "headers": {}}, "there is no such key", id="headers"),
    ],
)
def test_a_wrong_section_is_explained_without_its_values(
    section: dict[str, Any], message: str
) -> None:
    document = {
        "catalogs": {"lake": {}},
        "sources": [{"type": "trino_events", "paths": ["x"]}],
        "audit": {"catalog": "lake"},
        "otlp": section,
    }
    with pytest.raises(BadConfiguration, match=message) as raised:
        validate_config(document, "audit.yaml")
    assert "a:b" not in str(raised.value)
