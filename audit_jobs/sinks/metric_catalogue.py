"""Every metric: name, help, labels, unit, and the function that reads it from the rows of a run.
The one place from which exporters, documentation, dashboards and alerts take them.

All but those of the receiver are gauges that describe the published run of the newest window, and,
for LAST_COMPLETION and RUN_STATUS, the last run of any window and status. Counts of tables are sums
over the run's replayed scans, so ratios are ratios of sums. Unknown values are left out: no sample
ever stands for an unknown count.

Names carry their unit, as is the convention of Prometheus; by OTLP they are the same.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from prunescope.audit_jobs.sinks import metric_reading as reading
from prunescope.audit_jobs.sinks.metric_reading import Read

if TYPE_CHECKING:
    from prunescope.audit_jobs.results.sums import PassSums

TABLE_LABELS = ("catalog", "namespace", "table")
AUDIT_CATALOG = "audit_catalog"
"""The label of all but the receiver's: the catalog of the audit tables, which tells audits apart.
Of a Pushgateway it is a group's, whose labels replace those of samples: so it must not be called
`catalog`."""
OTHER = "other"
"""The label of what is folded into one: of tables, and of values beyond the cap."""


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric; `unit` is `bytes`, `seconds`, or empty for counts, ratios and flags; `type` is one
    of Prometheus'. `read` finds its samples in the rows of a run, before any are folded; None for
    metrics that no rows hold. Folded samples are summed up, and unknown if one of them is; or, with
    `worst`, their highest known value is taken."""

    name: str
    help: str
    labels: tuple[str, ...] = ()
    unit: str = ""
    type: str = "gauge"
    read: Read | None = field(default=None, compare=False)
    worst: bool = False


@dataclass(frozen=True, slots=True)
class FunnelMetrics:
    """The gauges of one funnel of a ScanPlanSummary, with labels for the table.

    `considered` and `kept` sum over the same scans: those for which both are known.
    `in_snapshot` and `allowed` sum over those scans too, and are absent if it is unknown for
    one of them.
    """

    funnel: str
    in_snapshot: Metric | None
    considered: Metric
    kept: Metric
    allowed: Metric | None

    @property
    def metrics(self) -> tuple[Metric, ...]:
        """The metrics of the funnel, in order."""
        found = (self.in_snapshot, self.considered, self.kept, self.allowed)
        return tuple(metric for metric in found if metric is not None)


def _funnel(
    funnel: str,
    what: str,
    subject: str,
    *,
    unit: str = "",
    in_snapshot: bool = True,
    allowed: bool = False,
) -> FunnelMetrics:
    def metric(stage: str, text: str, count: Callable[[PassSums], int | None]) -> Metric:
        name = "_".join(part for part in ("prunescope", subject, stage, unit) if part)
        read = reading.passes(funnel, count)
        return Metric(name, f"{what} {text}", TABLE_LABELS, unit, read=read)

    total = "in the snapshots, summed over scans; absent if unknown for a scan"
    most = (
        "that survive all pruning that the statistics allow, summed over scans; absent if unknown "
        "for a scan"
    )
    return FunnelMetrics(
        funnel,
        metric("in_snapshot", total, lambda sums: sums.total) if in_snapshot else None,
        metric(
            "considered", "that reach the pass, summed over scans", lambda sums: sums.considered
        ),
        metric("kept", "that survive the pass, summed over scans", lambda sums: sums.kept),
        metric("allowed", most, lambda sums: sums.allowed) if allowed else None,
    )


SCANS = Metric(
    "prunescope_scans",
    "Table scans that were replayed",
    TABLE_LABELS,
    read=reading.scans(lambda sums: sums.scans),
)
FUNNEL_METRICS = (
    _funnel("manifests", "Data manifests", "manifests"),
    _funnel("data_files", "Data files", "data_files", allowed=True),
    _funnel("bytes", "Bytes of data files", "data", unit="bytes", allowed=True),
    _funnel("records", "Records of data files", "records"),
    # Row groups of files that were pruned are not counted, so their total is mostly unknown.
    _funnel("row_groups", "Row groups of data files", "row_groups", in_snapshot=False),
)
SCANS_ROW_GROUPS_UNKNOWN = Metric(
    "prunescope_scans_row_groups_unknown",
    "Replayed scans that the row group metrics leave out",
    TABLE_LABELS,
    read=reading.scans(lambda sums: sums.scans - sums.passes["row_groups"].scans),
)
SCANS_ROW_GROUPS_ESTIMATED = Metric(
    "prunescope_scans_row_groups_estimated",
    "Replayed scans whose row group metrics are estimates, as max_footers left out footers",
    TABLE_LABELS,
    read=reading.scans(lambda sums: sums.estimated),
)
FALSE_KEEPS_OF = Metric(
    "prunescope_data_kept_sampled_bytes",
    "Bytes of data files that scans keep, of scans whose matching rows were sampled",
    TABLE_LABELS,
    "bytes",
    read=reading.false_keeps(lambda sums: sums.kept),
)
FALSE_KEPT = Metric(
    "prunescope_data_false_kept_bytes",
    "Bytes of them that are estimated to be in files without a matching row",
    TABLE_LABELS,
    "bytes",
    read=reading.false_keeps(lambda sums: sums.value),
)
FALSE_KEPT_LOW = Metric(
    "prunescope_data_false_kept_low_bytes",
    "The least that these may be, by the 95 % intervals of the scans",
    TABLE_LABELS,
    "bytes",
    read=reading.false_keeps(lambda sums: sums.low),
)
FALSE_KEPT_HIGH = Metric(
    "prunescope_data_false_kept_high_bytes",
    "The most that these may be, by the 95 % intervals of the scans",
    TABLE_LABELS,
    "bytes",
    read=reading.false_keeps(lambda sums: sums.high),
)
SCANS_BY_AGREEMENT = Metric(
    "prunescope_scans_by_agreement",
    "Scans for which the engine reported counters, by the result of comparing them with the replay",
    (*TABLE_LABELS, "agreement"),
    read=reading.agreements,
)
SCAN_METRICS = (
    SCANS,
    *(metric for funnel in FUNNEL_METRICS for metric in funnel.metrics),
    SCANS_ROW_GROUPS_UNKNOWN,
    SCANS_ROW_GROUPS_ESTIMATED,
    FALSE_KEEPS_OF,
    FALSE_KEPT,
    FALSE_KEPT_LOW,
    FALSE_KEPT_HIGH,
    SCANS_BY_AGREEMENT,
)

FINDINGS = Metric(
    "prunescope_findings",
    "Findings that are not suppressed",
    (*TABLE_LABELS, "finding", "severity"),
    read=reading.findings,
)
FINDING_STAKE = Metric(
    "prunescope_finding_stake_bytes",
    "Bytes that scans could skip if these findings were fixed, where known; each byte counts for "
    "one cause, and bytes that pruning_regressed repeats are left out",
    (*TABLE_LABELS, "finding"),
    "bytes",
    read=reading.stakes,
)
FINDING_METRICS = (FINDINGS, FINDING_STAKE)

TABLE_DATA_FILES = Metric(
    "prunescope_table_data_files",
    "Data files of the current snapshot",
    TABLE_LABELS,
    read=reading.layout(lambda row: row["data_files"]),
)
TABLE_SMALL_FILES = Metric(
    "prunescope_table_small_files",
    "Data files of the current snapshot below a quarter of the target file size",
    TABLE_LABELS,
    read=reading.layout(lambda row: row["small_files"]),
)
TABLE_OLD_SPEC_FILES = Metric(
    "prunescope_table_old_spec_files",
    "Data files of the current snapshot that have another partition spec than new files",
    TABLE_LABELS,
    read=reading.layout(reading.old_spec_files),
)
TABLE_MANIFESTS = Metric(
    "prunescope_table_manifests",
    "Data manifests of the current snapshot",
    TABLE_LABELS,
    read=reading.layout(lambda row: row["manifests"]),
)
TABLE_MANIFEST_DEPTH = Metric(
    "prunescope_table_manifest_depth",
    "Manifests whose summaries include a given partition: 1 is perfect; absent for unpartitioned "
    "tables; the worst of folded tables",
    TABLE_LABELS,
    read=reading.layout(lambda row: row["manifest_depth"]),
    worst=True,
)
TABLE_SIZE = Metric(
    "prunescope_table_size_bytes",
    "Bytes of the data files of the current snapshot",
    TABLE_LABELS,
    "bytes",
    read=reading.layout(lambda row: row["bytes"]),
)
TABLE_DELETE_FILES = Metric(
    "prunescope_table_delete_files",
    "Delete files of the current snapshot",
    (*TABLE_LABELS, "kind"),
    read=reading.delete_files,
)
TABLE_WORST_COLUMN_DEPTH = Metric(
    "prunescope_table_worst_column_depth",
    "Data files whose range includes the lowest value of a file, on average, for the worst column "
    "that scans filter by: 1 is perfect; absent if no column has bounds; the worst of folded "
    "tables",
    TABLE_LABELS,
    read=reading.column_depths,
    worst=True,
)
HEALTH_METRICS = (
    TABLE_DATA_FILES,
    TABLE_SMALL_FILES,
    TABLE_OLD_SPEC_FILES,
    TABLE_MANIFESTS,
    TABLE_MANIFEST_DEPTH,
    TABLE_SIZE,
    TABLE_DELETE_FILES,
    TABLE_WORST_COLUMN_DEPTH,
)

RUN_QUERIES = Metric(
    "prunescope_run_queries",
    "Inputs of the last run by outcome",
    ("outcome",),
    read=reading.outcomes,
)
RUN_DURATION = Metric(
    "prunescope_run_duration_seconds",
    "Duration of the last run",
    unit="seconds",
    read=reading.counted("duration_seconds"),
)
RUN_WINDOW_START = Metric(
    "prunescope_run_window_start_timestamp_seconds",
    "Start of the window that the last run audited",
    unit="seconds",
    read=reading.moment("window_start"),
)
RUN_WINDOW_END = Metric(
    "prunescope_run_window_end_timestamp_seconds",
    "End of the window that the last run audited, exclusive",
    unit="seconds",
    read=reading.moment("window_end"),
)
RUN_TABLES = Metric(
    "prunescope_run_tables",
    "Tables that the queries of the last run read",
    read=reading.counted("tables"),
)
RUN_TABLES_FAILED = Metric(
    "prunescope_run_tables_failed",
    "Tables that the last run could not read",
    read=reading.listed("tables_failed"),
)
RUN_TABLES_SET_ASIDE = Metric(
    "prunescope_run_tables_set_aside",
    "Tables whose rows the last run withheld, because they contradict each other",
    read=reading.listed("tables_set_aside"),
)
RUN_TABLES_UNMEASURED = Metric(
    "prunescope_run_tables_unmeasured",
    "Tables that the last run read, but whose layout or rows it could not measure",
    read=reading.listed("tables_unmeasured"),
)
RUN_CAUSES_FAILED = Metric(
    "prunescope_run_causes_failed",
    "Causes that the last run could not judge, over all tables",
    read=reading.listed("causes_failed"),
)
RUN_TABLES_MEASURED = Metric(
    "prunescope_run_tables_measured",
    "Tables whose layout the last run measured",
    read=reading.of_run(lambda rows: len(rows.table_health)),
)
RUN_TABLES_FOLDED = Metric(
    "prunescope_run_tables_folded",
    "Tables that share the labels 'other', as there is no room for more",
)
RUN_LABELS_FOLDED = Metric(
    "prunescope_run_labels_folded",
    "Values of another label that share the value 'other', as there is no room for more",
    ("label",),
)
RUN_FINDINGS = Metric(
    "prunescope_run_findings",
    "Findings of the last run that are not suppressed, by severity",
    ("severity",),
    read=reading.severities,
)
RUN_FINDINGS_SUPPRESSED = Metric(
    "prunescope_run_findings_suppressed",
    "Findings of the last run that are suppressed",
    read=reading.of_run(reading.suppressed),
)
RUN_FOOTERS_READ = Metric(
    "prunescope_run_footers_read",
    "Parquet footers that the last run could read, in this run or an earlier one",
    read=reading.counted("footers_read"),
)
RUN_FOOTERS_UNREAD = Metric(
    "prunescope_run_footers_unread",
    "Parquet footers that the last run could not read",
    read=reading.counted("footers_unread"),
)
RUN_FOOTERS_SKIPPED = Metric(
    "prunescope_run_footers_skipped",
    "Parquet footers that the last run needed, but max_footers left out",
    read=reading.of_run(reading.footers_skipped),
)
RUN_METADATA_FILES = Metric(
    "prunescope_run_metadata_files",
    "Manifests and Parquet footers that the last run read from storage, or took from its cache",
    ("kind", "source"),
    read=reading.metadata_files,
)
RUN_METADATA_REQUESTS = Metric(
    "prunescope_run_metadata_requests",
    "Requests that the last run made to storage that is not local, for metadata",
    ("kind",),
    read=reading.metadata("requests"),
)
RUN_METADATA_READ = Metric(
    "prunescope_run_metadata_read_bytes",
    "Bytes of metadata that the last run read; footers include dictionaries, bloom filters and "
    "page indexes",
    ("kind",),
    unit="bytes",
    read=reading.metadata("bytes"),
)
RUN_READ = Metric(
    "prunescope_run_read_bytes",
    "Bytes that the last run read: manifest lists, manifests, and the footers, dictionaries, bloom "
    "filters, page indexes and sampled rows of data files",
    unit="bytes",
    read=reading.counted("read_bytes"),
)
RUN_STATUS = Metric(
    "prunescope_run_status",
    "1 for the status of the last run of any window, published or not, 0 for the others",
    ("status",),
    read=reading.statuses,
)
LAST_COMPLETION = Metric(
    "prunescope_last_completion_timestamp_seconds",
    "When the last run ended, whatever its window and status",
    unit="seconds",
    read=reading.moment("finished_at"),
)
LAST_SUCCESS = Metric(
    "prunescope_last_success_timestamp_seconds",
    "When the run of the newest window ended that published it; single tables or queries may have "
    "failed",
    unit="seconds",
    read=reading.last_success,
)
BUILD_INFO = Metric(
    "prunescope_build_info",
    "Always 1; the version is in the label",
    ("version",),
    read=reading.build,
)
RUN_METRICS = (
    RUN_QUERIES,
    RUN_DURATION,
    RUN_WINDOW_START,
    RUN_WINDOW_END,
    RUN_TABLES,
    RUN_TABLES_FAILED,
    RUN_TABLES_SET_ASIDE,
    RUN_TABLES_UNMEASURED,
    RUN_CAUSES_FAILED,
    RUN_TABLES_MEASURED,
    RUN_TABLES_FOLDED,
    RUN_LABELS_FOLDED,
    RUN_FINDINGS,
    RUN_FINDINGS_SUPPRESSED,
    RUN_FOOTERS_READ,
    RUN_FOOTERS_UNREAD,
    RUN_FOOTERS_SKIPPED,
    RUN_METADATA_FILES,
    RUN_METADATA_REQUESTS,
    RUN_METADATA_READ,
    RUN_READ,
    RUN_STATUS,
    LAST_COMPLETION,
    LAST_SUCCESS,
    BUILD_INFO,
)

ATTEMPT_METRICS = (RUN_STATUS, LAST_COMPLETION)
"""Metrics that a run of any status has, by its row in audit_runs."""

LAST_MAINTENANCE = Metric(
    "prunescope_last_maintenance_timestamp_seconds",
    "When `prunescope maintain` last ended without a failure; absent until then",
    unit="seconds",
)
"""Metric of the audit tables, whatever the run: published in every way, except of a failed
attempt."""

RUN_TELEMETRY_FAILED = Metric(
    "prunescope_run_telemetry_failed",
    "1 if the OTLP collector did not take all that the last run sent; absent without a collector",
    ("signal",),
)
"""Metric of the job alone, in its file and on the Pushgateway."""

EXPORT_UP = Metric(
    "prunescope_export_up", "1 if the last attempt to read the audit tables worked, else 0"
)
EXPORT_LAST_READ = Metric(
    "prunescope_export_last_read_timestamp_seconds",
    "When the audit tables were last read; absent until then",
    unit="seconds",
)
EXPORT_METRICS = (EXPORT_UP, EXPORT_LAST_READ)
"""Metrics of `prunescope export` alone."""

RECEIVER_REQUESTS = Metric(
    "prunescope_receiver_requests_total",
    "Requests by kind and outcome",
    ("kind", "outcome"),
    type="counter",
)
RECEIVER_KEPT = Metric(
    "prunescope_receiver_kept_bytes_total", "Bytes that were kept", ("kind",), "bytes", "counter"
)
RECEIVER_FILES = Metric(
    "prunescope_receiver_files_total", "Files that were finished", ("kind",), type="counter"
)
RECEIVER_DISK_ERRORS = Metric(
    "prunescope_receiver_disk_errors_total", "Failures to write or to finish", type="counter"
)
RECEIVER_COMMIT = Metric(
    "prunescope_receiver_commit_seconds",
    "Time in which a batch of lines became durable",
    unit="seconds",
    type="histogram",
)
RECEIVER_WAITING = Metric(
    "prunescope_receiver_waiting_bytes",
    "Bytes of bodies that are not answered yet",
    unit="bytes",
)
RECEIVER_WAITING_REQUESTS = Metric(
    "prunescope_receiver_waiting_requests", "Requests with a body that are not answered yet"
)
RECEIVER_WRITABLE = Metric("prunescope_receiver_writable", "1 if the last write succeeded, else 0")
RECEIVER_METRICS = (
    RECEIVER_REQUESTS,
    RECEIVER_KEPT,
    RECEIVER_FILES,
    RECEIVER_DISK_ERRORS,
    RECEIVER_COMMIT,
    RECEIVER_WAITING,
    RECEIVER_WAITING_REQUESTS,
    RECEIVER_WRITABLE,
)
"""Metrics of `prunescope collect`."""

PUBLISHED = (*SCAN_METRICS, *FINDING_METRICS, *HEALTH_METRICS, *RUN_METRICS)
"""Metrics of a run, the same in every way of publishing."""

OF_A_JOB = (*PUBLISHED, LAST_MAINTENANCE, RUN_TELEMETRY_FAILED)
"""Metrics that the job itself publishes to Prometheus."""

CATALOGUE = (*OF_A_JOB, *EXPORT_METRICS, *RECEIVER_METRICS)
"""All of them."""
