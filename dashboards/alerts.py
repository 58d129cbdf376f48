"""Alert rules: what is worth interrupting somebody for, each with a runbook."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from audit_jobs.agreement import Agreement
from audit_jobs.findings.model import DOCUMENTATION, Severity
from audit_jobs.sinks import metric_catalogue as catalogue
from audit_jobs.status import Status
from dashboards import recording
from dashboards.promql import FLEET, TABLE, Selection
from dashboards.settings import Settings, seconds

MISALIGNED = "misaligned_partitioning"
OVER_PRUNE = "over_prune"
"""Ids of causes."""

_THE_TABLE = "{{ $labels.catalog }}.{{ $labels.namespace }}.{{ $labels.table }}"
_CONTAINERS = {"manifests": "manifests", "data_files": "data files", "row_groups": "row groups"}


@dataclass(frozen=True, slots=True)
class AlertRule:
    """A condition, and what to say about it.

    `severity` is `critical` for results that may be wrong, `warning` for what somebody should
    look at in working hours, `info` for what is worth knowing. `burn_in` is for how long the
    condition must hold before the alert fires, `hold` for how long it must not before it is
    resolved, both Prometheus durations.
    """

    name: str
    expr: str
    severity: str
    summary: str
    description: str
    burn_in: str
    hold: str
    labels: Mapping[str, str] = field(default_factory=dict)
    documentation: str | None = None

    @property
    def anchor(self) -> str:
        """Where the runbook has it."""
        return self.name.lower()


def alert_rules(settings: Settings) -> tuple[AlertRule, ...]:
    """All of them; rules of one name differ in their label `pass`."""
    source = Selection(settings.selector, settings.lookback)
    return (
        *_low_pruning(source, settings),
        *_regressions(source, settings),
        *_findings(source, settings),
        *_run(source, settings),
        _maintenance(source, settings),
        _exporter(settings),
        *_receiver(settings),
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
            f"Scans of {_THE_TABLE} prune hardly any {containers}",
            f"Of the {containers} of {_THE_TABLE} that reach the pass, scans keep "
            "{{ $value | humanizePercentage }}. The findings on the table name the cause.",
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
            f"{now} - {usual} > {settings.thresholds.regression} "
            f"and {_much_is_read(source, settings)}",
            "warning",
            f"Scans of {_THE_TABLE} prune fewer {containers} than they used to",
            f"The share of {containers} of {_THE_TABLE} that scans keep is "
            "{{ $value | humanizePercentage }} of all above the median of its last "
            f"{settings.baseline_window}.",
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
        f"{_THE_TABLE} is partitioned by something that its queries do not filter by",
        f"The queries that read {_THE_TABLE} filter by other columns than its partitions, so that "
        "no partition is ever ruled out. The finding holds the statements that repartition it.",
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
        f"An engine skipped files of {_THE_TABLE} that may hold matching rows",
        "{{ $value }} scans of " + _THE_TABLE + " read fewer files than the statistics justify. "
        "Their results may lack rows.",
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


def _run(source: Selection, settings: Settings) -> Iterator[AlertRule]:
    limits = settings.thresholds
    age = f"{seconds(limits.success_age):.0f}"
    # One audit of several whose metrics vanish would leave nothing to compare: its last ones count.
    known = Selection(settings.selector, settings.baseline_window)
    # An audit within its period of the window's end is at most two periods behind before the next
    # one; a window that is audited again is a success, and as old as it was. `absent` has no value
    # to tell an age by, and the ages no sample where nothing was ever pushed.
    yield AlertRule(
        "PrunescopeAuditMissing",
        f"{known.max(catalogue.LAST_SUCCESS, FLEET)} < time() - {age} "
        f"or {known.max(catalogue.RUN_WINDOW_END, FLEET)} < time() - 2 * {age} "
        f"or absent({source.of(catalogue.LAST_SUCCESS)})",
        "warning",
        "No audit has succeeded lately",
        f"No audit has published its results within {limits.success_age}, or none of a recent "
        "window, or its metrics do not arrive. Pruning may be getting worse unseen.",
        settings.settle,
        settings.settle,
    )
    failed = source.sum(catalogue.RUN_STATUS, FLEET, f'status="{Status.FAILED}"')
    yield AlertRule(
        "PrunescopeAuditFailing",
        f"{failed} > 0",
        "warning",
        "The last audit failed",
        "The last audit published nothing: its rows contradicted each other. What an earlier run "
        "published stays.",
        settings.settle,
        settings.settle,
    )
    share = source.recorded(recording.UNPARSEABLE)
    usual = source.recorded(recording.baseline_name(recording.UNPARSEABLE))
    yield AlertRule(
        "PrunescopeUnparseableRising",
        f"{share} - {usual} > {limits.unparseable_rise}",
        "warning",
        "More queries than usual cannot be parsed",
        "The share of queries that cannot be parsed is {{ $value | humanizePercentage }} of all "
        f"above the median of the last {settings.baseline_window}: the audit is losing sight of "
        "part of the workload.",
        settings.settle,
        settings.hold,
    )
    yield AlertRule(
        "PrunescopeTablesFailed",
        f"{source.sum(catalogue.RUN_TABLES_FAILED, FLEET)} > 0",
        "warning",
        "{{ $value }} tables could not be audited",
        "The last audit could not read the metadata of {{ $value }} tables; the row of the run in "
        "audit_runs names them, with reasons.",
        settings.settle,
        settings.settle,
    )
    yield from _incomplete(source, settings)
    folded = source.sum(catalogue.RUN_TABLES_FOLDED, FLEET)
    labels = source.sum(catalogue.RUN_LABELS_FOLDED, FLEET)
    yield AlertRule(
        "PrunescopeCardinalityFolded",
        f"{folded} > 0 or {labels} > 0",
        "info",
        "{{ $value }} tables or label values are not told apart in metrics",
        "{{ $value }} tables, or values of another label, share the label "
        f"'{catalogue.OTHER}', so no other alert can name them. The audit tables hold all.",
        settings.settle,
        settings.settle,
    )


def _incomplete(source: Selection, settings: Settings) -> Iterator[AlertRule]:
    """What is missing of a run that was published, beside tables that could not be read."""
    limit = settings.thresholds.footers_unread
    read, unread = (
        source.sum(metric, FLEET)
        for metric in (catalogue.RUN_FOOTERS_READ, catalogue.RUN_FOOTERS_UNREAD)
    )
    for name, expr, severity, summary, description in (
        (
            "PrunescopeTablesSetAside",
            f"{source.sum(catalogue.RUN_TABLES_SET_ASIDE, FLEET)} > 0",
            "warning",
            "The results of {{ $value }} tables were withheld",
            (
                "Rows of {{ $value }} tables contradict each other, so the last audit published "
                "none of theirs; the row of the run in audit_runs names them, with reasons."
            ),
        ),
        (
            "PrunescopeCausesFailed",
            f"{source.sum(catalogue.RUN_CAUSES_FAILED, FLEET)} > 0",
            "warning",
            "{{ $value }} causes could not be judged",
            (
                "The last audit could not judge {{ $value }} causes, each on some table: findings "
                "may be missing. The row of the run in audit_runs names them, with reasons."
            ),
        ),
        (
            "PrunescopeTablesUnmeasured",
            f"{source.sum(catalogue.RUN_TABLES_UNMEASURED, FLEET)} > 0",
            "info",
            "The layout of {{ $value }} tables could not be measured",
            (
                "The last audit could not measure the layout, or rows, of {{ $value }} tables that "
                "it read; the row of the run in audit_runs names them, with reasons."
            ),
        ),
        (
            "PrunescopeFootersUnread",
            f"{unread} / ({read} + {unread}) > {limit}",
            "warning",
            "Many Parquet footers could not be read",
            (
                "{{ $value | humanizePercentage }} of the Parquet footers that the last audit "
                "needed could not be read: what their row groups rule out is not known."
            ),
        ),
        (
            "PrunescopeFooterBudgetSpent",
            f"{source.sum(catalogue.RUN_FOOTERS_SKIPPED, FLEET)} > 0",
            "info",
            "{{ $value }} Parquet footers were left out by max_footers",
            (
                "The last audit needed {{ $value }} Parquet footers more than its budget, "
                "max_footers: what row groups rule out is estimated from a random sample."
            ),
        ),
    ):
        yield AlertRule(
            name, expr, severity, summary, description, settings.settle, settings.settle
        )


def _maintenance(source: Selection, settings: Settings) -> AlertRule:
    """Has no sample, and is silent, where nothing was ever maintained."""
    age = settings.thresholds.maintenance_age
    return AlertRule(
        "PrunescopeMaintenanceMissing",
        f"{source.max(catalogue.LAST_MAINTENANCE, FLEET)} < time() - {seconds(age):.0f}",
        "warning",
        "The audit tables have not been maintained lately",
        f"No `prunescope maintain` has ended without a failure within {age}: old rows, small files "
        "and snapshots of the audit tables pile up, and audits and queries of them slow down.",
        settings.settle,
        settings.settle,
    )


def _exporter(settings: Settings) -> AlertRule:
    # What an exporter says of itself is of now, whatever is repeated of a run.
    is_up = Selection(settings.selector).of(catalogue.EXPORT_UP)
    return AlertRule(
        "PrunescopeExporterCannotRead",
        f"min by ({', '.join(FLEET)}, instance) ({is_up}) == 0",
        "warning",
        "The exporter {{ $labels.instance }} cannot read the audit tables",
        "The exporter {{ $labels.instance }} shows what it read last, or nothing since it was "
        "started: newer audits, and what they find, are not seen.",
        settings.settle,
        settings.settle,
    )


def _receiver(settings: Settings) -> Iterator[AlertRule]:
    """Of the receiver, whose samples have another job than the audit's."""
    writable = Selection("").recorded(catalogue.RECEIVER_WRITABLE.name).removesuffix("{}")
    yield AlertRule(
        "PrunescopeReceiverCannotWrite",
        f"min by (job, instance) ({writable}) == 0",
        "warning",
        "The receiver {{ $labels.instance }} cannot write",
        "The last write of the receiver {{ $labels.instance }} failed: it refuses events until one "
        "succeeds, and engines that do not send them again lose them.",
        settings.settle,
        settings.settle,
    )
    # Pods change their instance with each release; where there never was a receiver, none is known.
    one = "max by (job, namespace)"
    yield AlertRule(
        "PrunescopeReceiverMissing",
        f"{one} (last_over_time({writable}[{settings.baseline_window}])) unless {one} ({writable})",
        "warning",
        "No receiver of {{ $labels.job }} answers",
        "There was a receiver of {{ $labels.job }} within "
        f"{settings.baseline_window}, and no metrics of one arrive now: engines that cannot send "
        "their events lose them.",
        settings.settle,
        settings.settle,
    )


def _much_is_read(source: Selection, settings: Settings) -> str:
    read = source.recorded(recording.sum_name(recording.BYTES.kept))
    return f"{read} >= {settings.thresholds.bytes_read}"
