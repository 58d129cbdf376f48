"""The nightly job around the audit: configuration, session, publishing, and what it prints."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from audit_jobs.config import AuditConfig, load_config
from audit_jobs.errors import GateClosed, HistoryUnreadable
from audit_jobs.findings.history import NO_HISTORY, History
from audit_jobs.gate.validate import validate
from audit_jobs.jobs.audit import read_inputs, run_audit
from audit_jobs.records import AuditResult, Window
from audit_jobs.replay.session import open_session
from audit_jobs.replay.spark import SparkRunner
from audit_jobs.sinks.audit_tables import mark_failed, publish
from audit_jobs.sinks.prometheus import push, registry, write_textfile
from audit_jobs.sinks.published_history import read_history
from audit_jobs.terminal import print_run, run_summary, stages
from collectors.tables.catalog import load_catalog

if TYPE_CHECKING:
    from pyiceberg.catalog import Catalog

_STAGES = 9


def run_nightly(config_path: Path, window: Window, *, as_json: bool = False) -> bool:
    """Audits a window, publishes it, and prints a summary; whether everything worked.

    Raises BadConfiguration, CatalogUnavailable or PublishFailed where nothing was published, and
    GateClosed where the rows of the run contradict each other: then its window keeps what an
    earlier run published, and `audit_runs` has a row of status `failed`.
    """
    config = load_config(config_path)
    # Opened first: an audit that cannot be written need not be made.
    catalog = load_catalog(config.audit.catalog, config.catalogs[config.audit.catalog].properties)
    with stages(_STAGES, quiet=as_json) as progress:
        progress("Starting Spark")
        spark, ours = open_session(config.spark)
        try:
            runner = SparkRunner(spark)
            progress("Reading query logs")
            inputs = read_inputs(config, window, runner)
            history = _history(catalog, config, window)
            result = run_audit(config, window, inputs, runner, progress, history)
        finally:
            if ours:
                spark.stop()
        progress("Checking")
        failed = validate(result, config.gate.directory).failed
        if failed:
            mark_failed(result, catalog, config.audit.namespace)
            raise GateClosed(failed)
        progress("Publishing")
        publish(result, catalog, config.audit.namespace)
        _publish_metrics(result, config)
    if as_json:
        print(json.dumps(run_summary(result)))  # noqa: T201  # the command's answer
    else:
        print_run(result, config)
    return result.run.status == "succeeded"


def _history(catalog: Catalog, config: AuditConfig, window: Window) -> History:
    """Earlier windows; none, and a warning, where they cannot be read."""
    try:
        return read_history(catalog, config.audit.namespace, window.start)
    except HistoryUnreadable as error:
        click.echo(f"prunescope: {error}", err=True)
        return NO_HISTORY


def _publish_metrics(result: AuditResult, config: AuditConfig) -> None:
    """After the audit tables: what is not committed is not reported as a success."""
    metrics = registry(result, max_tables=config.metrics.max_tables)
    if config.metrics.textfile is not None:
        write_textfile(metrics, config.metrics.textfile)
    if config.metrics.pushgateway is not None:
        push(metrics, config.metrics.pushgateway, config.metrics.job)
