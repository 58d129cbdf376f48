"""Alert rules about audits themselves, which must run and see the whole workload."""

from __future__ import annotations

from collections.abc import Iterator

from prunescope.audit_jobs.records import REPLAYED
from prunescope.audit_jobs.sinks import metric_catalogue as catalogue
from prunescope.audit_jobs.status import Status
from prunescope.dashboards import recording
from prunescope.dashboards.alert_rule import AlertRule
from prunescope.dashboards.promql import FLEET, Selection
from prunescope.dashboards.settings import Settings, seconds

_REPLAYED = f'outcome="{REPLAYED}"'


def alerts_of_runs(source: Selection, settings: Settings) -> Iterator[AlertRule]:
    """Alerts about audits themselves, and about what runs beside them."""
    yield from _run(source, settings)
    yield _maintenance(source, settings)
    yield _exporter(settings)
    yield from _receiver(settings)


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
        "No recent audit published",
        f"No audit within {limits.success_age}, none of a recent window, or no metrics. Check the "
        f"scheduler, then `audit_runs`.",
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
    # A log that is nowhere, or empty, is no error of a run.
    yield AlertRule(
        "PrunescopeNothingReplayed",
        f"{source.max(catalogue.RUN_WINDOW_END, FLEET)} "
        f"unless {source.sum(catalogue.RUN_QUERIES, FLEET, _REPLAYED)} > 0",
        "warning",
        "Audit replayed no queries",
        "The logs have no queries in the window, or none on a configured catalog. Run `prunescope "
        "doctor`.",
        settings.burn_in,
        settings.settle,
    )
    share = source.recorded(recording.UNPARSEABLE)
    usual = source.recorded(recording.baseline_name(recording.UNPARSEABLE))
    yield AlertRule(
        "PrunescopeUnparseableRising",
        f"100 * ({share} - {usual}) > 100 * {limits.unparseable_rise}",
        "warning",
        "More queries than usual cannot be parsed",
        'Unparseable queries are {{ $value | printf "%.0f" }} percentage points above the '
        f"median of {settings.baseline_window}. The audit does not cover them. See their messages "
        "in `scan_plans`.",
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
        "{{ $value }} tables or label values are folded into 'other'",
        "{{ $value }} tables, or values of another label, share the label "
        f"'{catalogue.OTHER}', so no other alert can name them. The audit tables hold all.",
        settings.settle,
        settings.settle,
    )


def _incomplete(source: Selection, settings: Settings) -> Iterator[AlertRule]:
    """Alerts about gaps in a run that was published, beside tables that could not be read."""
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
    """The alert about maintenance; without samples, and so silent, if nothing was ever
    maintained."""
    age = settings.thresholds.maintenance_age
    return AlertRule(
        "PrunescopeMaintenanceMissing",
        f"{source.max(catalogue.LAST_MAINTENANCE, FLEET)} < time() - {seconds(age):.0f}",
        "warning",
        "Audit tables not maintained",
        f"No `prunescope maintain` succeeded within {age}. Old rows, small files and snapshots "
        f"accumulate, and audits slow down. Schedule it, or see its last output.",
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
        "The exporter {{ $labels.instance }} shows old results, or none since its start. Newer "
        "audits are not visible. Check the catalog and its credentials.",
        settings.settle,
        settings.settle,
    )


def _receiver(settings: Settings) -> Iterator[AlertRule]:
    """Alerts about the receiver, whose samples have another job than the audit's."""
    writable = Selection("").recorded(catalogue.RECEIVER_WRITABLE.name).removesuffix("{}")
    yield AlertRule(
        "PrunescopeReceiverCannotWrite",
        f"min by (job, instance) ({writable}) == 0",
        "warning",
        "The receiver {{ $labels.instance }} cannot write",
        "Receiver {{ $labels.instance }} rejects events until a write succeeds. Engines that do "
        "not retry lose events. Check disk space and permissions.",
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
        "A receiver of {{ $labels.job }} ran within "
        f"{settings.baseline_window} and sends no metrics now. Engines that do not retry lose "
        "events. Check the receiver.",
        settings.settle,
        settings.settle,
    )
