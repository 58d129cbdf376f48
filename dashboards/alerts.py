"""Alert rules: conditions that are worth interrupting somebody for, each with a runbook."""

from __future__ import annotations

from collections.abc import Iterator

from prunescope.audit_jobs.agreement import Agreement
from prunescope.audit_jobs.findings.model import DOCUMENTATION, Severity
from prunescope.audit_jobs.sinks import metric_catalogue as catalogue
from prunescope.dashboards import recording
from prunescope.dashboards.alert_rule import AlertRule
from prunescope.dashboards.alerts_of_runs import alerts_of_runs
from prunescope.dashboards.promql import TABLE, Selection
from prunescope.dashboards.settings import Settings

MISALIGNED = "misaligned_partitioning"
OVER_PRUNE = "over_prune"
"""Ids of causes."""

_THE_TABLE = "{{ $labels.catalog }}.{{ $labels.namespace }}.{{ $labels.table }}"
_CONTAINERS = {"manifests": "manifests", "data_files": "data files", "row_groups": "row groups"}


def alert_rules(settings: Settings) -> tuple[AlertRule, ...]:
    """All alert rules; rules of one name differ in their label `pass`."""
    source = Selection(settings.selector, settings.lookback)
    return (
        *_low_pruning(source, settings),
        *_regressions(source, settings),
        *_findings(source, settings),
        *alerts_of_runs(source, settings),
    )


def _low_pruning(source: Selection, settings: Settings) -> Iterator[AlertRule]:
    limits = settings.thresholds
    for name, limit in limits.kept_ratio.items():
        family = recording.BY_NAME[name]
        containers = _CONTAINERS[family.funnel]
        ratio = source.recorded(recording.ratio_name("table", family.kept))
        reaching = source.recorded(recording.per_scan_name(family.considered))
        yield AlertRule(
            "PrunescopeLowPruning",
            f"{ratio} > {limit} and {reaching} >= {limits.containers_per_scan} "
            f"and {_much_is_read(source, settings)}",
            "warning",
            f"{_THE_TABLE}: scans skip almost no {containers}",
            "Scans keep {{ $value | humanizePercentage }} of the "
            f"{containers} considered (threshold {limit}). See the table's findings for cause "
            "and fix.",
            settings.burn_in,
            settings.hold,
            {"pass": family.funnel},
        )


def _regressions(source: Selection, settings: Settings) -> Iterator[AlertRule]:
    for family in recording.PASS_METRICS:
        name = recording.ratio_name("table", family.kept)
        now, usual = source.recorded(name), source.recorded(recording.baseline_name(name))
        containers = _CONTAINERS[family.funnel]
        yield AlertRule(
            "PrunescopePruningRegressed",
            f"100 * ({now} - {usual}) > 100 * {settings.thresholds.regression} "
            f"and {_much_is_read(source, settings)}",
            "warning",
            f"{_THE_TABLE}: scans skip fewer {containers} than before",
            f"Scans of {_THE_TABLE} keep "
            '{{ $value | printf "%.0f" }} percentage points more '
            f"{containers} than the median of {settings.baseline_window}. See finding "
            "`pruning_regressed` for what changed.",
            settings.burn_in,
            settings.hold,
            {"pass": family.funnel},
        )


def _findings(source: Selection, settings: Settings) -> Iterator[AlertRule]:
    by_finding = (*TABLE, "finding")
    misaligned = source.sum(catalogue.FINDINGS, by_finding, f'finding="{MISALIGNED}"')
    yield AlertRule(
        "PrunescopeMisalignedPartitioning",
        f"{misaligned} > 0",
        "warning",
        f"{_THE_TABLE}: queries do not filter on its partition columns",
        f"Queries of {_THE_TABLE} filter on columns other than its partition columns: no partition "
        f"is pruned. The finding has the statements that repartition it.",
        settings.settle,
        settings.settle,
        documentation=f"{DOCUMENTATION}#{MISALIGNED}",
    )
    over_pruned = source.sum(
        catalogue.SCANS_BY_AGREEMENT, TABLE, f'agreement="{Agreement.OVER_PRUNE}"'
    )
    yield AlertRule(
        "PrunescopeOverPruned",
        f"{over_pruned} > 0",
        "critical",
        f"{_THE_TABLE}: query results may be incomplete",
        "{{ $value }} scans of "
        ""
        + _THE_TABLE
        + " skipped files that may hold matching rows. Verify the results before you use them.",
        "0s",
        settings.settle,
        documentation=f"{DOCUMENTATION}#{OVER_PRUNE}",
    )
    critical = source.sum(
        catalogue.FINDINGS,
        by_finding,
        f'severity="{Severity.CRITICAL}"',
        f'finding!="{OVER_PRUNE}"',  # has an alert of its own
    )
    yield AlertRule(
        "PrunescopeCriticalFinding",
        f"{critical} > 0",
        "critical",
        f"{_THE_TABLE} has a critical finding: {{{{ $labels.finding }}}}",
        f"Queries of {_THE_TABLE} may return wrong results: {{{{ $labels.finding }}}}.",
        "0s",
        settings.settle,
        documentation=f"{DOCUMENTATION}#{{{{ $labels.finding }}}}",
    )


def _much_is_read(source: Selection, settings: Settings) -> str:
    read = source.recorded(recording.sum_name(recording.BYTES.kept))
    return f"{read} >= {settings.thresholds.bytes_read}"
