"""Every metric: name, help, labels. The one place for dashboards and alerts to look them up.

All are gauges that describe the last run. Counts of tables are sums over the run's replayed
scans, so ratios are ratios of sums. What is unknown is left out: no sample ever stands for an
unknown count.
"""

from __future__ import annotations

from dataclasses import dataclass

TABLE_LABELS = ("catalog", "namespace", "table")
OTHER = "other"
"""Every label of the tables that are folded into one."""


@dataclass(frozen=True, slots=True)
class Metric:
    """A gauge."""

    name: str
    help: str
    labels: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FunnelMetrics:
    """The gauges of one funnel of a ScanPlanSummary, with labels for the table.

    `considered` and `kept` sum over the same scans: those for which both are known.
    `in_snapshot` sums over those scans too, and is absent if the total of one is unknown.
    """

    funnel: str
    in_snapshot: Metric | None
    considered: Metric
    kept: Metric


def _funnel(
    funnel: str, what: str, subject: str, *, unit: str = "", in_snapshot: bool = True
) -> FunnelMetrics:
    def metric(stage: str, text: str) -> Metric:
        return Metric(f"prunescope_{subject}_{stage}{unit}", f"{what} {text}", TABLE_LABELS)

    total = "in the snapshots, summed over scans; absent where that is unknown for a scan"
    return FunnelMetrics(
        funnel,
        metric("in_snapshot", total) if in_snapshot else None,
        metric("considered", "that reach the pass, summed over scans"),
        metric("kept", "that survive the pass, summed over scans"),
    )


SCANS = Metric("prunescope_scans", "Table scans that were replayed", TABLE_LABELS)
FUNNELS = (
    _funnel("manifests", "Data manifests", "manifests"),
    _funnel("data_files", "Data files", "data_files"),
    _funnel("bytes", "Bytes of data files", "data", unit="_bytes"),
    _funnel("records", "Records of data files", "records"),
    # Row groups of files that were pruned are not counted, so their total is mostly unknown.
    _funnel("row_groups", "Row groups of data files", "row_groups", in_snapshot=False),
)
SCANS_ROW_GROUPS_UNKNOWN = Metric(
    "prunescope_scans_row_groups_unknown",
    "Replayed scans that the row group metrics leave out",
    TABLE_LABELS,
)

RUN_QUERIES = Metric("prunescope_run_queries", "Inputs of the last run by outcome", ("outcome",))
RUN_DURATION = Metric("prunescope_run_duration_seconds", "Duration of the last run")
RUN_TABLES = Metric("prunescope_run_tables", "Tables that the queries of the last run read")
RUN_TABLES_FAILED = Metric(
    "prunescope_run_tables_failed", "Tables that the last run could not read"
)
RUN_TABLES_FOLDED = Metric(
    "prunescope_run_tables_folded", "Tables that share the labels 'other' for want of room"
)
RUN_FOOTERS_READ = Metric("prunescope_run_footers_read", "Parquet footers that the last run read")
LAST_COMPLETION = Metric(
    "prunescope_last_completion_timestamp_seconds", "When the last run ended, whatever its status"
)
LAST_SUCCESS = Metric(
    "prunescope_last_success_timestamp_seconds",
    "When the last run ended that published its window; single tables or queries may have failed",
)
BUILD_INFO = Metric("prunescope_build_info", "Always 1; the version is in the label", ("version",))

SUCCESSFUL = frozenset({"succeeded", "partial"})
"""The statuses that set LAST_SUCCESS. A partial run counts: one query that cannot be parsed
makes a run partial, and must not raise the alert that no audit is done."""
