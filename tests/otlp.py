"""A real OTLP receiver, by HTTP and by gRPC, that decodes what comes and may misbehave."""

from __future__ import annotations

import gzip
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import grpc
from opentelemetry.proto.collector.metrics.v1 import metrics_service_pb2, metrics_service_pb2_grpc
from opentelemetry.proto.collector.trace.v1 import trace_service_pb2, trace_service_pb2_grpc
from opentelemetry.proto.metrics.v1.metrics_pb2 import Metric
from opentelemetry.proto.trace.v1.trace_pb2 import Span


@dataclass
class Received:
    """What came, whole requests in order, and the headers of each."""

    endpoint: str = ""
    traces: list[trace_service_pb2.ExportTraceServiceRequest] = field(default_factory=list)
    metrics: list[metrics_service_pb2.ExportMetricsServiceRequest] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)

    @property
    def spans(self) -> list[Span]:
        """All spans."""
        return [
            span
            for request in self.traces
            for of_resource in request.resource_spans
            for of_scope in of_resource.scope_spans
            for span in of_scope.spans
        ]

    @property
    def families(self) -> list[Metric]:
        """All metrics."""
        return [
            metric
            for request in self.metrics
            for of_resource in request.resource_metrics
            for of_scope in of_resource.scope_metrics
            for metric in of_scope.metrics
        ]

    @property
    def samples(self) -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
        """Values by name and labels."""
        return {
            (metric.name, tuple(sorted((a.key, a.value.string_value) for a in point.attributes))): (
                point.as_double if point.HasField("as_double") else float(point.as_int)
            )
            for metric in self.families
            for point in metric.gauge.data_points
        }


@contextmanager
def http_receiver(status: int = 200) -> Iterator[Received]:
    """Takes both signals by HTTP, and answers with a status."""
    received = Received()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            if self.headers.get("Content-Encoding") == "gzip":
                body = gzip.decompress(body)
            received.headers.append({k.lower(): v for k, v in self.headers.items()})
            match self.path:
                case "/v1/traces":
                    received.traces.append(
                        trace_service_pb2.ExportTraceServiceRequest.FromString(body)
                    )
                case "/v1/metrics":
                    received.metrics.append(
                        metrics_service_pb2.ExportMetricsServiceRequest.FromString(body)
                    )
            self.send_response(status)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        received.endpoint = f"http://127.0.0.1:{server.server_port}"
        try:
            yield received
        finally:
            server.shutdown()
            thread.join()


@contextmanager
def grpc_receiver(status: grpc.StatusCode | None = None) -> Iterator[Received]:
    """Takes both signals by gRPC; with a status, refuses them."""
    received = Received()

    def note(context: grpc.ServicerContext) -> None:
        metadata = context.invocation_metadata()
        received.headers.append({str(key): str(value) for key, value in metadata})
        if status is not None:
            context.abort(status, "refused")

    class Traces(trace_service_pb2_grpc.TraceServiceServicer):
        def Export(self, request: Any, context: grpc.ServicerContext) -> Any:  # noqa: N802
            note(context)
            received.traces.append(request)
            return trace_service_pb2.ExportTraceServiceResponse()

    class Metrics(metrics_service_pb2_grpc.MetricsServiceServicer):
        def Export(self, request: Any, context: grpc.ServicerContext) -> Any:  # noqa: N802
            note(context)
            received.metrics.append(request)
            return metrics_service_pb2.ExportMetricsServiceResponse()

    with ThreadPoolExecutor(2) as pool:
        server = grpc.server(pool)
        trace_service_pb2_grpc.add_TraceServiceServicer_to_server(Traces(), server)  # type: ignore[no-untyped-call]
        metrics_service_pb2_grpc.add_MetricsServiceServicer_to_server(Metrics(), server)  # type: ignore[no-untyped-call]
        received.endpoint = f"http://127.0.0.1:{server.add_insecure_port('127.0.0.1:0')}"
        server.start()
        try:
            yield received
        finally:
            server.stop(None).wait()
