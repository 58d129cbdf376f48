"""Metrics for Prometheus: a registry, written to a file or pushed to a gateway."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from http.client import HTTPException
from pathlib import Path
from urllib.parse import SplitResult, unquote, urlsplit

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.exposition import basic_auth_handler, push_to_gateway, pushadd_to_gateway
from prometheus_client.metrics_core import GaugeMetricFamily
from prometheus_client.metrics_core import Metric as Family
from prometheus_client.parser import text_string_to_metric_families
from prometheus_client.registry import Collector

from prunescope.audit_jobs.errors import PublishFailed
from prunescope.audit_jobs.sinks.metric_catalogue import AUDIT_CATALOG, Metric
from prunescope.audit_jobs.sinks.metric_samples import Sample
from prunescope.audit_jobs.writing import replace_text
from prunescope.collectors.addresses import address_shown
from prunescope.collectors.errors import what_failed


def families(
    samples: Iterable[Sample], metrics: Sequence[Metric], audit_catalog: str
) -> Iterator[Family]:
    """The families of some metrics in their order, also of those without any sample."""
    by_metric: dict[Metric, list[Sample]] = defaultdict(list)
    for sample in samples:
        by_metric[sample.metric].append(sample)
    for metric in metrics:
        labels = (AUDIT_CATALOG, *metric.labels)
        family = GaugeMetricFamily(metric.name, metric.help, labels=labels)
        for sample in by_metric[metric]:
            family.add_metric((audit_catalog, *sample.labels), sample.value)
        yield family


def registry(
    samples: Iterable[Sample], metrics: Sequence[Metric], audit_catalog: str
) -> CollectorRegistry:
    """Samples of these metrics as a registry, of the audit whose tables are in a catalog."""
    return _registry(families(samples, metrics, audit_catalog))


class _Families(Collector):
    def __init__(self, found: Iterable[Family]) -> None:
        self._found = list(found)

    def collect(self) -> Iterable[Family]:
        return self._found


def _registry(found: Iterable[Family]) -> CollectorRegistry:
    result = CollectorRegistry(auto_describe=False)
    result.register(_Families(found))
    return result


def write_textfile(metrics: CollectorRegistry, path: Path, *, beside: bool = False) -> None:
    """Writes the exposition text for the node exporter's textfile collector. Replaces the whole
    file, or, with `beside`, only families of the same names. The name must end in `.prom` to be
    collected. Raises PublishFailed."""
    if not path.parent.is_dir():
        raise PublishFailed(
            f"metrics file {path} cannot be written: there is no directory {path.parent}; create "
            "it, or correct metrics.textfile"
        )
    try:
        told = generate_latest(_merged(path, metrics) if beside else metrics)
        replace_text(path, told.decode())
    except OSError as error:
        raise PublishFailed(
            f"metrics file {path} cannot be written ({what_failed(error)}); check permissions and "
            "space"
        ) from error


def push(
    metrics: CollectorRegistry, url: str, job: str, audit_catalog: str, *, beside: bool = False
) -> None:
    """Replaces the Pushgateway's group of `job` and `audit_catalog` with these metrics (PUT), so
    that dropped tables vanish; or, with `beside`, only families of the same names (POST). User and
    password in the URL become basic authentication. Raises PublishFailed."""
    try:
        target = urlsplit(url)
    except ValueError as error:
        raise PublishFailed(
            "metrics cannot be pushed: metrics.pushgateway is not a URL such as http://host:9091"
        ) from error
    address = _without_credentials(target)
    send = partial(pushadd_to_gateway if beside else push_to_gateway, address, job, metrics)
    if target.username is not None:
        login = partial(
            basic_auth_handler,
            username=unquote(target.username),
            password=unquote(target.password or ""),
        )
        send = partial(send, handler=login)
    try:
        send(grouping_key={AUDIT_CATALOG: audit_catalog})
    except (OSError, ValueError, HTTPException) as error:
        # Of an address that it takes for none, a client quotes what stands where a port should.
        why = str(error) if isinstance(error, OSError) else type(error).__name__
        raise PublishFailed(
            f"Cannot push metrics to {address_shown(address) or 'metrics.pushgateway'} ({why}). "
            f"Check that it is the base URL of a Pushgateway."
        ) from error


def _merged(path: Path, metrics: CollectorRegistry) -> CollectorRegistry:
    """The families of a file, with those of a registry in place of families of the same names."""
    new = list(metrics.collect())
    names = {family.name for family in new}
    try:
        old = list(text_string_to_metric_families(path.read_text(encoding="utf-8")))
    except (FileNotFoundError, ValueError):  # none yet, or none of ours
        old = []
    return _registry([*(family for family in old if family.name not in names), *new])


def _without_credentials(url: SplitResult) -> str:
    host = url.netloc.rpartition("@")[2]
    return f"{url.scheme}://{host}{url.path}"
