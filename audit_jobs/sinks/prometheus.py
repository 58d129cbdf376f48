"""Prometheus metrics of a run: a registry, written to a file or pushed to a gateway."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import partial
from http.client import HTTPException
from pathlib import Path
from urllib.parse import SplitResult, unquote, urlsplit

from prometheus_client import CollectorRegistry, Gauge, write_to_textfile
from prometheus_client.exposition import basic_auth_handler, push_to_gateway

from audit_jobs.errors import PublishFailed
from audit_jobs.pruning.summary import Funnel, ScanPlanSummary
from audit_jobs.records import REPLAYED, AuditResult
from audit_jobs.sinks import metric_catalogue as catalogue
from audit_jobs.sinks.metric_catalogue import FunnelMetrics, Metric

Labels = tuple[str, str, str]
Plans = Mapping[Labels, list[ScanPlanSummary]]


def registry(result: AuditResult, *, max_tables: int) -> CollectorRegistry:
    """The metrics of a finished run, as `metric_catalogue` describes them.

    At most `max_tables` tables have labels of their own: those of which most bytes were
    considered. All others are summed under `other`. The version in `prunescope_build_info` is
    the run's version of `prunescope`.
    """
    metrics = CollectorRegistry()
    plans = _plans_by_table(result)
    kept = _most_considered(plans, max_tables)
    _add_tables(metrics, _folded(plans, kept))
    _add_run(metrics, result, folded=len(plans) - len(kept))
    return metrics


def write_textfile(metrics: CollectorRegistry, path: Path) -> None:
    """Writes the exposition text for the node exporter's textfile collector, replacing the
    file as a whole. The name must end in `.prom` to be collected. Raises PublishFailed."""
    if not path.parent.is_dir():
        raise PublishFailed(
            f"metrics file {path} cannot be written: there is no directory {path.parent}; create "
            "it, or correct metrics.textfile"
        )
    try:
        write_to_textfile(str(path), metrics)
    except OSError as error:
        raise PublishFailed(
            f"metrics file {path} cannot be written ({type(error).__name__}); check permissions "
            "and space"
        ) from error


def push(metrics: CollectorRegistry, url: str, job: str) -> None:
    """Replaces the Pushgateway's group of `job` with these metrics (PUT), so that tables that
    were dropped vanish. User and password in the URL become basic authentication. Raises
    PublishFailed."""
    try:
        target = urlsplit(url if "://" in url else f"http://{url}")
    except ValueError as error:
        raise PublishFailed(
            "metrics cannot be pushed: metrics.pushgateway is not a URL such as http://host:9091"
        ) from error
    address = _without_credentials(target)
    try:
        if target.username is None:
            push_to_gateway(address, job, metrics)
        else:
            login = partial(
                basic_auth_handler,
                username=unquote(target.username),
                password=unquote(target.password or ""),
            )
            push_to_gateway(address, job, metrics, handler=login)
    except (OSError, ValueError, HTTPException) as error:
        raise PublishFailed(
            f"metrics cannot be pushed to {address} ({error}); is it a Pushgateway's base URL?"
        ) from error


def _without_credentials(url: SplitResult) -> str:
    host = url.netloc.rpartition("@")[2]
    return f"{url.scheme}://{host}{url.path}"


def _plans_by_table(result: AuditResult) -> Plans:
    plans = defaultdict(list)
    for scan in result.scans:
        if scan.outcome == REPLAYED and scan.table is not None and scan.summary is not None:
            table = scan.table
            labels = (table.catalog or "", ".".join(table.namespace), table.table)
            plans[labels].append(scan.summary)
    return plans


def _most_considered(plans: Plans, max_tables: int) -> frozenset[Labels]:
    def rank(labels: Labels) -> tuple[int, Labels]:
        return -sum(plan.bytes.considered or 0 for plan in plans[labels]), labels

    return frozenset(sorted(plans, key=rank)[:max_tables])


def _folded(plans: Plans, kept: frozenset[Labels]) -> Plans:
    """The plans by the labels that they are exported under, in the order of the labels."""
    folded = defaultdict(list)
    for labels in sorted(plans):
        exported = labels if labels in kept else (catalogue.OTHER,) * 3
        folded[exported].extend(plans[labels])
    return folded


def _add_tables(metrics: CollectorRegistry, plans: Plans) -> None:
    scans = _gauge(metrics, catalogue.SCANS)
    for labels, summaries in plans.items():
        scans.labels(*labels).set(len(summaries))
    for family in catalogue.FUNNELS:
        _add_funnel(metrics, family, plans)
    unknown = _gauge(metrics, catalogue.SCANS_ROW_GROUPS_UNKNOWN)
    for labels, summaries in plans.items():
        known = _known(plan.row_groups for plan in summaries)
        unknown.labels(*labels).set(len(summaries) - len(known))


def _add_funnel(metrics: CollectorRegistry, family: FunnelMetrics, plans: Plans) -> None:
    in_snapshot = None if family.in_snapshot is None else _gauge(metrics, family.in_snapshot)
    considered = _gauge(metrics, family.considered)
    kept = _gauge(metrics, family.kept)
    for labels, summaries in plans.items():
        known = _known(getattr(plan, family.funnel) for plan in summaries)
        if not known:
            continue
        totals = [funnel.total for funnel in known]
        if in_snapshot is not None and None not in totals:
            in_snapshot.labels(*labels).set(sum(total or 0 for total in totals))
        considered.labels(*labels).set(sum(funnel.considered or 0 for funnel in known))
        kept.labels(*labels).set(sum(funnel.kept or 0 for funnel in known))


def _known(funnels: Iterable[Funnel]) -> list[Funnel]:
    """Those that say how much reached the pass and how much survived it."""
    return [f for f in funnels if f.considered is not None and f.kept is not None]


def _add_run(metrics: CollectorRegistry, result: AuditResult, *, folded: int) -> None:
    run = result.run
    queries = _gauge(metrics, catalogue.RUN_QUERIES)
    for outcome, count in sorted(run.queries.items()):
        queries.labels(outcome).set(count)
    finished = run.finished_at.timestamp()
    values = {
        catalogue.RUN_DURATION: (run.finished_at - run.started_at).total_seconds(),
        catalogue.RUN_TABLES: run.tables,
        catalogue.RUN_TABLES_FAILED: len(run.tables_failed),
        catalogue.RUN_TABLES_FOLDED: folded,
        catalogue.RUN_FOOTERS_READ: run.footers_read,
        catalogue.LAST_COMPLETION: finished,
    }
    if run.status in catalogue.SUCCESSFUL:
        values[catalogue.LAST_SUCCESS] = finished
    for metric, value in values.items():
        _gauge(metrics, metric).set(value)
    version = run.versions.get("prunescope", "unknown")
    _gauge(metrics, catalogue.BUILD_INFO).labels(version).set(1)


def _gauge(metrics: CollectorRegistry, metric: Metric) -> Gauge:
    return Gauge(metric.name, metric.help, metric.labels, registry=metrics)
