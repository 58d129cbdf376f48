"""The sections of the configuration that say where results go beside the audit tables.

What stands below each key is its meaning in docs/configuration.md, which `make generated` writes.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import Field, field_validator

from prunescope.audit_jobs.config_problems import is_http
from prunescope.audit_jobs.sections import Section
from prunescope.audit_jobs.suggestions import suggestion

REPORT_FIELDS = ("{window_start}", "{window_end}", "{run_id}")
"""Placeholders that the path of a report may have."""


class Metrics(Section):
    """The places that metrics are written to."""

    textfile: Path | None = None
    """a `.prom` file, written atomically"""
    pushgateway: str | None = None
    """the URL of a Pushgateway (PUT, grouped by `job` and `audit_catalog`)"""
    job: str = "prunescope"
    """the name of the job in the Pushgateway"""
    max_tables: Annotated[int, Field(ge=1)] = 200
    """how many tables have labels of their own; the others are folded into `other`"""

    @field_validator("pushgateway")
    @classmethod
    def _is_url(cls, address: str | None) -> str | None:
        if address is not None and not is_http(address):
            raise ValueError("write a URL such as http://pushgateway:9091")
        return address

    @field_validator("textfile")
    @classmethod
    def _is_collected(cls, path: Path | None) -> Path | None:
        if path is not None and path.suffix != ".prom":
            raise ValueError("write a name that ends in .prom; no other is collected")
        return path


class Otlp(Section):
    """An OpenTelemetry collector for what a run does (traces) and finds (metrics). Credentials
    belong into the environment variable OTEL_EXPORTER_OTLP_HEADERS."""

    endpoint: str
    """the base URL of an OpenTelemetry collector: [telemetry.md](telemetry.md)"""
    protocol: Literal["http", "grpc"] = "http"
    """`http` or `grpc`"""
    timeout_seconds: Annotated[float, Field(gt=0, le=300)] = 10
    """how long the collector may hold up a run, in all"""
    traces: bool = True
    """whether the collector gets traces"""
    metrics: bool = True
    """whether the collector gets metrics"""

    @field_validator("endpoint")
    @classmethod
    def _is_base_url(cls, endpoint: str) -> str:
        if not is_http(endpoint):
            raise ValueError("write a URL such as http://collector:4318, or :4317 for grpc")
        url = urlsplit(endpoint)
        if url.username is not None or url.query or url.fragment or ";" in url.path:
            raise ValueError("credentials belong into OTEL_EXPORTER_OTLP_HEADERS")
        return endpoint.rstrip("/")

    def url_of(self, signal: str) -> str:
        """The URL to which a signal is posted over HTTP."""
        return f"{self.endpoint}/v1/{signal}"


class Report(Section):
    """The place of the report of each run."""

    path: Annotated[str | None, Field(min_length=1)] = None
    """an HTML file for each run; `{window_start}`, `{window_end}` and `{run_id}` are filled in:
    [report.md](report.md)"""

    @field_validator("path")
    @classmethod
    def _known_fields(cls, path: str | None) -> str | None:
        unknown = sorted(set(re.findall(r"{[^{}]*}", path or "")) - set(REPORT_FIELDS))
        if unknown:
            raise ValueError(f"unknown: {unknown[0]}; {suggestion(unknown[0], REPORT_FIELDS)}")
        return path


class Gate(Section):
    """The data quality gate before publishing. Without a directory, only what failed is told."""

    directory: Path | None = None
    """where Great Expectations keeps its results and renders Data Docs
    (`gx/uncommitted/data_docs/local_site/index.html`)"""
