"""When each alert fires and when it is silent, as tables that become promtool's unit tests.

Series have a sample every five minutes from time 0 on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

HOUR, DAY = 12, 288
"""Samples."""
JOB = "prunescope"
TABLE = {"catalog": "lake", "namespace": "sales", "table": "orders"}
GIB = 1024**3
MUCH, LITTLE = 20 * GIB, GIB
"""Bytes that the scans of a table read."""


@dataclass(frozen=True)
class Series:
    """A metric over time: `history` has values and how many samples each of them lasts. A value
    of None is no sample."""

    metric: str
    labels: Mapping[str, str]
    history: tuple[tuple[float | None, int], ...]

    @property
    def name(self) -> str:
        labels = {"job": JOB, **self.labels}
        matchers = ", ".join(f'{name}="{value}"' for name, value in labels.items())
        return f"{self.metric}{{{matchers}}}"

    @property
    def values(self) -> str:
        """In promtool's notation, in which `_x4` is four gaps and `7x4` five sevens."""
        return " ".join(
            f"_x{count}" if value is None else f"{value:.0f}x{count - 1}"
            for value, count in self.history
        )


@dataclass(frozen=True)
class Case:
    """At `at` (a duration since time 0) the alert fires with these labels, or, if they are
    empty, not at all. `value` is what the annotations show of it."""

    id: str
    alert: str
    at: str
    series: tuple[Series, ...]
    fires: tuple[Mapping[str, str], ...] = ()
    value: str = ""


@dataclass(frozen=True)
class Pass:
    """A pass over a table of which each scan considers 100 containers."""

    funnel: str
    kept: tuple[tuple[float | None, int], ...]
    considered: float = 1000
    scans: float = 10
    bytes_read: float = MUCH
    labels: Mapping[str, str] = field(default_factory=lambda: TABLE)

    @property
    def series(self) -> tuple[Series, ...]:
        length = sum(count for _, count in self.kept)
        always = {
            f"prunescope_{self.funnel}_considered": self.considered,
            "prunescope_scans": self.scans,
            "prunescope_data_kept_bytes": self.bytes_read,
        }
        return (
            Series(f"prunescope_{self.funnel}_kept", self.labels, self.kept),
            *(Series(name, self.labels, ((value, length),)) for name, value in always.items()),
        )


def of_table(metric: str, value: float, **labels: str) -> tuple[Series, ...]:
    """A metric of the table that stands still."""
    return (Series(metric, {**TABLE, **labels}, ((value, DAY),)),)


def of_run(metric: str, *history: tuple[float | None, int], **labels: str) -> Series:
    return Series(metric, labels, history)


def low_pruning() -> Iterator[Case]:
    alert = "PrunescopeLowPruning"
    for funnel in ("manifests", "data_files", "row_groups"):
        bad = Pass(funnel, ((960, 3 * DAY),)).series
        fires = ({**TABLE, "pass": funnel, "severity": "warning"},)
        yield Case(f"{funnel} are hardly pruned", alert, "26h", bad, fires, "96%")
        yield Case(f"one bad night of {funnel}", alert, "24h", bad)
        good = Pass(funnel, ((400, 3 * DAY),)).series
        yield Case(f"{funnel} are pruned", alert, "60h", good)
    fires = ({**TABLE, "pass": "data_files", "severity": "warning"},)
    better = Pass("data_files", ((950, 2 * DAY), (100, 3 * DAY))).series
    yield Case("one good night does not resolve it", alert, "72h", better, fires, "95%")
    yield Case("two good nights resolve it", alert, "74h", better)
    small = Pass("data_files", ((950, 3 * DAY),), bytes_read=LITTLE).series
    yield Case("little is read", alert, "60h", small)
    few = Pass("data_files", ((50, 3 * DAY),), considered=50).series
    yield Case("few containers reach the pass", alert, "60h", few)
    nothing = Pass("data_files", ((0, 3 * DAY),), considered=0).series
    yield Case("nothing reaches the pass", alert, "60h", nothing)


def regressions() -> Iterator[Case]:
    alert = "PrunescopePruningRegressed"
    for funnel in ("manifests", "data_files", "row_groups"):
        worse = Pass(funnel, ((100, 4 * DAY), (600, 2 * DAY))).series
        fires = ({**TABLE, "pass": funnel, "severity": "warning"},)
        yield Case(f"{funnel} are pruned less", alert, "122h", worse, fires, "50")
        yield Case(f"one worse night of {funnel}", alert, "120h", worse)
    slightly = Pass("data_files", ((100, 4 * DAY), (300, 2 * DAY))).series
    yield Case("a little less", alert, "140h", slightly)
    better = Pass("data_files", ((600, 4 * DAY), (100, 2 * DAY))).series
    yield Case("better than usual", alert, "140h", better)
    new = Pass("data_files", ((990, 2 * DAY),)).series
    yield Case("a new table has no usual", alert, "40h", new)
    once = Pass("data_files", ((100, 2 * DAY), (900, DAY), (100, DAY), (600, 2 * DAY))).series
    fires = ({**TABLE, "pass": "data_files", "severity": "warning"},)
    yield Case("a bad night does not hide the next", alert, "122h", once, fires, "50")
    small = Pass("data_files", ((100, 4 * DAY), (900, 2 * DAY)), bytes_read=LITTLE).series
    yield Case("less of little", alert, "140h", small)


def findings() -> Iterator[Case]:
    misaligned = {"finding": "misaligned_partitioning"}
    found = of_table("prunescope_findings", 2, severity="high", **misaligned)
    other = of_table("prunescope_findings", 2, severity="high", finding="small_files")
    alert = "PrunescopeMisalignedPartitioning"
    fires = ({**TABLE, **misaligned, "severity": "warning"},)
    yield Case("misaligned partitioning", alert, "1h", found, fires)
    yield Case("another finding", alert, "1h", other)
    repaired = Series(found[0].metric, found[0].labels, ((2, 6), (None, DAY)))
    yield Case("misaligned until repaired", alert, "2h", (repaired,))

    alert = "PrunescopeOverPruned"
    scans = "prunescope_scans_by_agreement"
    fires = ({**TABLE, "severity": "critical"},)
    over = of_table(scans, 3, agreement="over_prune")
    yield Case("files were skipped", alert, "30m", over, fires, "3")
    yield Case("engine and replay agree", alert, "1h", of_table(scans, 3, agreement="agrees"))
    yield Case("too much was read", alert, "1h", of_table(scans, 3, agreement="over_read"))

    alert = "PrunescopeCriticalFinding"
    cause = {"finding": "impossible_statistics"}
    fires = ({**TABLE, **cause, "severity": "critical"},)
    critical = of_table("prunescope_findings", 1, severity="critical", **cause)
    yield Case("a critical finding", alert, "30m", critical, fires)
    yield Case("findings that only cost", alert, "1h", other)
    own = of_table("prunescope_findings", 1, severity="critical", finding="over_prune")
    yield Case("has an alert of its own", alert, "1h", own)


def missing() -> Iterator[Case]:
    alert = "PrunescopeAuditMissing"
    fires = ({"severity": "warning"},)
    success = "prunescope_last_success_timestamp_seconds"
    once = of_run(success, (3_600, 3 * DAY))
    nightly = of_run(success, (0, DAY), (86_400, DAY))
    yield Case("the last success is a day old", alert, "26h", (once,))
    yield Case("the last success is too old", alert, "28h", (once,), fires)
    yield Case("an audit every night", alert, "40h", (nightly,))
    yield Case("no success ever", alert, "1h", (), fires)
    yield Case(
        "the metrics do not arrive any more", alert, "2h", (of_run(success, (0, 12)),), fires
    )
    old = of_run(success, (0, 2 * DAY), audit_catalog="old")
    new = of_run(success, (0, DAY), (86_400, DAY), audit_catalog="new")
    fires_for_old = ({"audit_catalog": "old", "severity": "warning"},)
    yield Case("one audit of two", alert, "40h", (old, new), fires_for_old)
    gone = of_run(success, (0, HOUR), (None, 2 * DAY), audit_catalog="old")
    yield Case("one audit of two vanishes", alert, "28h", (gone, new), fires_for_old)
    yield Case("its metrics are late", alert, "25h", (gone, new))
    end = "prunescope_run_window_end_timestamp_seconds"
    again = of_run(success, *((86_400 * day, DAY) for day in range(4)))
    stands = of_run(end, (0, 4 * DAY))
    yield Case("an old window again and again", alert, "53h", (again, stands), fires)
    yield Case("the window before last", alert, "50h", (again, stands))
    moves = of_run(end, *((86_400 * (day - 1), DAY) for day in range(4)))
    yield Case("windows that end a day before the audit", alert, "71h", (again, moves))
    restarted = of_run(success, (0, 12), (None, 2), (0, DAY))
    yield Case("a gateway that restarts", alert, "90m", (restarted,))


def run() -> Iterator[Case]:
    fires = ({"severity": "warning"},)
    alert = "PrunescopeAuditFailing"
    status = "prunescope_run_status"
    failed = (of_run(status, (1, DAY), status="failed"),)
    partial = (
        of_run(status, (0, DAY), status="failed"),
        of_run(status, (1, DAY), status="partial"),
    )
    yield Case("the run failed", alert, "1h", failed, fires)
    yield Case("the run is partial", alert, "1h", partial)

    alert = "PrunescopeNothingReplayed"
    window = of_run("prunescope_run_window_end_timestamp_seconds", (0, 4 * DAY))
    foreign = of_run("prunescope_run_queries", (9, 4 * DAY), outcome="no_iceberg_table")
    some = of_run("prunescope_run_queries", (5, 4 * DAY), outcome="replayed")
    again = of_run("prunescope_run_queries", (None, DAY), (5, 3 * DAY), outcome="replayed")
    zero = of_run("prunescope_run_queries", (0, 4 * DAY), outcome="replayed")
    yield Case("no query at all", alert, "26h", (window,), fires)
    yield Case("none of an Iceberg table", alert, "26h", (window, foreign), fires)
    yield Case("none is counted as such", alert, "26h", (window, zero), fires)
    yield Case("one night without", alert, "24h", (window, foreign))
    yield Case("queries again", alert, "26h", (window, again))
    yield Case("queries are replayed", alert, "26h", (window, foreign, some))
    yield Case("there is no audit", alert, "26h", ())

    alert = "PrunescopeUnparseableRising"
    queries = "prunescope_run_queries"
    replayed = of_run(queries, (800, 6 * DAY), outcome="replayed")
    few = of_run(queries, (20, 4 * DAY), (200, 2 * DAY), outcome="unparseable")
    first = of_run(queries, (None, 4 * DAY), (200, 2 * DAY), outcome="unparseable")
    always = of_run(queries, (200, 6 * DAY), outcome="unparseable")
    yield Case("more than usual", alert, "98h", (replayed, few), fires, "18")
    yield Case("where there were none", alert, "98h", (replayed, first), fires, "20")
    yield Case("before that", alert, "95h", (replayed, few))
    yield Case("many, as always", alert, "110h", (replayed, always))
    yield Case("none at all", alert, "110h", (replayed,))

    alert = "PrunescopeTablesFailed"
    metric = "prunescope_run_tables_failed"
    yield Case("tables failed", alert, "1h", (of_run(metric, (3, DAY)),), fires, "3")
    yield Case("no table failed", alert, "1h", (of_run(metric, (0, DAY)),))

    alert = "PrunescopeCardinalityFolded"
    tables, labels = "prunescope_run_tables_folded", "prunescope_run_labels_folded"
    nothing = (of_run(tables, (0, DAY)), of_run(labels, (0, DAY), label="finding"))
    fires = ({"severity": "info"},)
    yield Case("tables are folded", alert, "1h", (of_run(tables, (7, DAY)), nothing[1]), fires, "7")
    folded = of_run(labels, (2, DAY), label="finding")
    yield Case("label values are folded", alert, "1h", (nothing[0], folded), fires, "2")
    yield Case("nothing is folded", alert, "1h", nothing)


def incomplete() -> Iterator[Case]:
    for alert, metric, severity in (
        ("PrunescopeTablesSetAside", "prunescope_run_tables_set_aside", "warning"),
        ("PrunescopeCausesFailed", "prunescope_run_causes_failed", "warning"),
        ("PrunescopeTablesUnmeasured", "prunescope_run_tables_unmeasured", "info"),
        ("PrunescopeFooterBudgetSpent", "prunescope_run_footers_skipped", "info"),
    ):
        seen = of_run(metric, (0, HOUR), (3, DAY))
        yield Case("some", alert, "3h", (seen,), ({"severity": severity},), "3")
        yield Case("none", alert, "1h", (seen,))

    alert = "PrunescopeFootersUnread"
    read = of_run("prunescope_run_footers_read", (90, DAY))
    none = of_run("prunescope_run_footers_read", (0, DAY))
    unread = "prunescope_run_footers_unread"
    fires = ({"severity": "warning"},)
    yield Case("one in ten", alert, "1h", (read, of_run(unread, (10, DAY))), fires, "10%")
    yield Case("all", alert, "1h", (none, of_run(unread, (10, DAY))), fires, "100%")
    yield Case("few", alert, "1h", (read, of_run(unread, (2, DAY))))
    yield Case("no footer was needed", alert, "1h", (none, of_run(unread, (0, DAY))))


def maintenance() -> Iterator[Case]:
    alert = "PrunescopeMaintenanceMissing"
    done = "prunescope_last_maintenance_timestamp_seconds"
    week = 7 * DAY
    fires = ({"audit_catalog": "lake", "severity": "warning"},)
    weekly = of_run(done, (0, week), (604_800, week), (1_209_600, week), audit_catalog="lake")
    once = of_run(done, (0, 3 * week), audit_catalog="lake")
    yield Case("it works every week", alert, "20d", (weekly,))
    yield Case("it failed once", alert, "14d", (once,))
    yield Case("it fails for weeks", alert, "16d", (once,), fires)
    yield Case(
        "it fails beside one that works",
        alert,
        "16d",
        (once, of_run(done, (0, week), (604_800, 2 * week), audit_catalog="sea")),
        fires,
    )
    audited = of_run("prunescope_last_success_timestamp_seconds", (0, 3 * week))
    yield Case("nothing was ever maintained", alert, "20d", (audited,))


def exporter() -> Iterator[Case]:
    alert, metric = "PrunescopeExporterCannotRead", "prunescope_export_up"
    pod = {"audit_catalog": "lake", "instance": "exporter:9898"}
    fires = ({**pod, "severity": "warning"},)
    blind = Series(metric, pod, ((1, HOUR), (0, DAY)))
    reads = Series(metric, {**pod, "instance": "other:9898"}, ((1, DAY),))
    yield Case("it cannot read", alert, "3h", (blind,), fires)
    yield Case("another one can", alert, "3h", (blind, reads), fires)
    yield Case("it reads", alert, "3h", (reads,))
    again = Series(metric, pod, ((1, HOUR), (0, HOUR), (1, DAY)))
    yield Case("it reads again", alert, "5h", (again,))
    yield Case("there is none", alert, "3h", ())


def receiver() -> Iterator[Case]:
    alert, metric = "PrunescopeReceiverCannotWrite", "prunescope_receiver_writable"
    pod = {"instance": "receiver:8787"}
    fires = ({**pod, "severity": "warning"},)
    full = Series(metric, pod, ((1, HOUR), (0, DAY)))
    yield Case("its disk is full", alert, "3h", (full,), fires)
    yield Case("it writes", alert, "3h", (Series(metric, pod, ((1, DAY),)),))
    again = Series(metric, pod, ((1, HOUR), (0, HOUR), (1, DAY)))
    yield Case("it writes again", alert, "5h", (again,))

    alert = "PrunescopeReceiverMissing"
    place = {"namespace": "lakehouse"}
    fires = ({**place, "severity": "warning"},)
    here = {**pod, **place}
    gone = Series(metric, here, ((1, HOUR), (None, 2 * DAY)))
    yield Case("it is gone", alert, "4h", (gone,), fires)
    yield Case(
        "its disk is full, and it is there", alert, "3h", (Series(metric, here, ((0, DAY),)),)
    )
    next_one = Series(metric, {**here, "instance": "10.0.0.2:8787"}, ((None, HOUR), (1, DAY)))
    yield Case("a new pod has its place", alert, "4h", (gone, next_one))
    elsewhere = Series(metric, {**pod, "namespace": "other"}, ((1, 2 * DAY),))
    yield Case("another one is there", alert, "4h", (gone, elsewhere), fires)
    yield Case("it was there long ago", alert, "30d", (gone,))
    yield Case("there never was one", alert, "4h", (of_run("up", (1, DAY)),))


CASES = (
    *low_pruning(),
    *regressions(),
    *findings(),
    *missing(),
    *run(),
    *incomplete(),
    *maintenance(),
    *exporter(),
    *receiver(),
)
