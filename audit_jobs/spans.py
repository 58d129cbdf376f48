"""Spans of a run, by OpenTelemetry's API: without an SDK they are nothing, and cost nothing.

Attributes hold names and counts: never SQL, and never a literal.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar

from opentelemetry import context as contexts
from opentelemetry import trace
from opentelemetry.context import Context
from opentelemetry.trace import Span, Tracer
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator
from opentelemetry.util.types import AttributeValue

Attributes = Mapping[str, AttributeValue]

_PROPAGATOR = TraceContextTextMapPropagator()
_TRACEPARENT = "traceparent"
_RECORDING: ContextVar[Tracer | None] = ContextVar("prunescope_tracer", default=None)


@contextmanager
def recorded_by(recorder: Tracer) -> Iterator[None]:
    """Has `span` and `tracer` use this tracer, and not the one that is set for the process."""
    token = _RECORDING.set(recorder)
    try:
        yield
    finally:
        _RECORDING.reset(token)


def tracer() -> Tracer:
    """The tracer that records this run."""
    return _RECORDING.get() or trace.get_tracer("prunescope")


@contextmanager
def span(name: str, attributes: Attributes | None = None) -> Iterator[Span]:
    """A child of the current span, for as long as the block runs. Of an exception it tells the
    type only: a message can hold anything."""
    with tracer().start_as_current_span(
        name, attributes=attributes, record_exception=False, set_status_on_exception=False
    ) as current:
        try:
            yield current
        except Exception as error:
            current.set_status(trace.StatusCode.ERROR, type(error).__name__)
            raise


def traceparent() -> str:
    """The current span as W3C's Trace Context writes it, for other processes; empty without."""
    carrier: dict[str, str] = {}
    _PROPAGATOR.inject(carrier)
    return carrier.get(_TRACEPARENT, "")


def remote_context(parent: str) -> Context:
    """The context of a traceparent; empty if it is none."""
    return _PROPAGATOR.extract({_TRACEPARENT: parent}, Context())


@contextmanager
def within(parent: str) -> Iterator[None]:
    """Makes spans that a task's libraries make children of a span of the driver."""
    if not parent:
        yield
        return
    token = contexts.attach(remote_context(parent))
    try:
        yield
    finally:
        contexts.detach(token)
