"""Any table and workload, those at the edges above all: nothing there, nothing read, nothing
known."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hypothesis import strategies as st

from prunescope.audit_jobs.agreement import Agreement
from prunescope.audit_jobs.findings.history import History, PastHealth, PastWindow
from prunescope.audit_jobs.findings.thresholds import Thresholds
from prunescope.audit_jobs.findings.usage import TableUsage
from prunescope.audit_jobs.health.model import ColumnHealth, TableHealth
from prunescope.audit_jobs.pruning.conjunct_classes import (
    ENFORCED,
    RUNTIME,
    UNENFORCED,
    UNSUPPORTED,
)
from prunescope.audit_jobs.pruning.summary import ConjunctSummary, Footers, Funnel, ScanPlanSummary
from prunescope.audit_jobs.pruning.tally import DELETE_KINDS, FILTER_LEVELS
from prunescope.audit_jobs.records import REPLAYED, ConjunctRecord, Matching, ScanRecord
from prunescope.collectors.observed import TableName
from prunescope.collectors.predicates.model import (
    BoundComparison,
    Field,
    Predicate,
    Reason,
    Unsupported,
    any_of,
)
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.tables.metadata import TableMetadata
from prunescope.collectors.tables.metadata_reading import metadata_from_json
from tests.audit_jobs.findings.groups import START, WINDOW, usage_of
from tests.audit_jobs.plans import plan_of

TABLE = TableName("lake", ("db",), "t")
ID, TS, NAME = Field(1, "id", "long"), Field(2, "ts", "timestamp"), Field(3, "name", "string")
FIELDS = (ID, TS, NAME)

counts = st.sampled_from([0, 0, 1, 2, 7, 1_000, 10**12])
shares = st.sampled_from([0.0, 0.0, 1e-12, 0.5, 1.0])
maybe_counts = st.none() | counts


def funnels(*, exact: bool = False) -> st.SearchStrategy[Funnel]:
    """Kept ≤ considered ≤ total, each of which may be nothing or unknown."""
    found = st.lists(counts, min_size=3, max_size=3).map(
        lambda drawn: Funnel(*sorted(drawn, reverse=True))
    )
    unknown = st.sampled_from([Funnel(None, None, None), Funnel(0, 0, 0), Funnel(5, 5, None)])
    return found if exact else found | unknown


LEAVES: tuple[Predicate, ...] = (
    BoundComparison(Op.EQ, ID, (7,)),
    BoundComparison(Op.IN, ID, (1, 2, 3)),
    BoundComparison(Op.IN, ID, tuple(range(250))),
    BoundComparison(Op.NOT_EQ, ID, (0,)),
    BoundComparison(Op.GT_EQ, TS, (0,)),
    BoundComparison(Op.LT, TS, (-1,)),
    BoundComparison(Op.EQ, TS, (2**62,)),
    BoundComparison(Op.IS_NULL, NAME),
    BoundComparison(Op.NOT_NULL, TS),
    BoundComparison(Op.STARTS_WITH, NAME, (b"",)),
    BoundComparison(Op.EQ, NAME, (b"\xff",)),
    BoundComparison(Op.EQ, Field(99, "gone", "long"), (1,)),
    Unsupported(Reason.FUNCTION, "date(ts) = ?", "date(ts) = ?", ("ts",)),
    Unsupported(Reason.FUNCTION, "1 = 1", "? = ?", ()),
)
predicates = st.sampled_from([*LEAVES, any_of(LEAVES[0], LEAVES[4]), any_of(LEAVES[4], LEAVES[12])])


@st.composite
def scans(draw: st.DrawFn, parts: tuple[Predicate, ...], name: str) -> ScanRecord:
    def plan() -> ScanPlanSummary:
        return plan_of(
            snapshot_id=draw(st.sampled_from([1, None])),
            spec_ids=draw(st.sampled_from([(), (0,), (0, 1)])),
            manifests=draw(funnels(exact=True)),
            delete_manifests=draw(funnels(exact=True)),
            **{
                funnel: draw(funnels())
                for funnel in (
                    "data_files",
                    "delete_files",
                    "bytes",
                    "records",
                    "row_groups",
                    "row_group_bytes",
                    "row_group_records",
                    "pages",
                    "page_bytes",
                    "page_records",
                )
            },
            delete_files_by={kind: draw(counts) for kind in DELETE_KINDS},
            dangling_delete_files={kind: draw(counts) for kind in DELETE_KINDS},
            row_groups_by={level: draw(counts) for level in FILTER_LEVELS},
            old_spec_files=draw(counts),
            old_spec_bytes=draw(counts),
            footers=Footers(draw(counts), draw(counts), draw(counts)),
            conjuncts=tuple(
                ConjunctSummary(
                    *(part, draw(counts), draw(counts), draw(maybe_counts), {}),
                    data_files_unmeasured=draw(counts),
                )
                for part in parts
            ),
        )

    summary = plan()
    matching = st.none() | st.builds(Matching, shares, shares, shares, counts)
    potential = draw(st.none() | st.builds(plan))
    observed = draw(
        st.sampled_from([None, {}, {"result_data_files": 0}, {"result_data_files": 10**12}])
    )
    # An agreement needs both sides.
    compared = potential is not None and bool(observed)
    return ScanRecord(
        scan_key=f"{draw(st.integers(0, 10**9))}/0",
        source="trino_events",
        location=None,
        query_id=None,
        query_outcome=REPLAYED,
        outcome=REPLAYED,
        engine=draw(st.sampled_from([None, "trino", "spark"])),
        started_at=draw(st.sampled_from([None, START])),
        fingerprint=name,
        table=TABLE,
        conjuncts=tuple(
            ConjunctRecord(
                "x = ?",
                draw(st.sampled_from([ENFORCED, UNENFORCED, UNSUPPORTED, RUNTIME])),
                draw(st.sampled_from([None, True, False])),
                counted,
                draw(matching),
            )
            for counted in summary.conjuncts
        ),
        summary=summary,
        potential=potential,
        observed=observed,
        agreement=draw(st.sampled_from([None, *Agreement])) if compared else None,
        matching=draw(matching),
        traits=draw(st.sampled_from([frozenset(), frozenset({"limit", "join", "merge", "write"})])),
    )


def columns() -> st.SearchStrategy[tuple[ColumnHealth, ...]]:
    def of(field: Field) -> st.SearchStrategy[ColumnHealth]:
        bound: st.SearchStrategy[Any] = (
            st.sampled_from([None, b"", b"a", b"\xff"])
            if field.type == "string"
            else st.sampled_from([None, 0, 0, -1, 10**15, -(2**63), 2**63 - 1])
        )
        return st.builds(
            ColumnHealth,
            field_id=st.just(field.field_id),
            name=st.just(field.name),
            type=st.just(field.type),
            bounded=st.none() | shares,
            overlap=st.none() | shares,
            depth=st.sampled_from([None, 0.0, 1.0, 1e9]),
            common_bounds=st.none() | shares,
            impossible=counts,
            low=bound,
            high=bound,
            ranges=st.sampled_from([(), ((0.0, 0.0),), ((0.0, 0.5), (0.5, 1.0))]),
        )

    return st.sets(st.sampled_from(FIELDS)).flatmap(
        lambda chosen: st.tuples(*(of(field) for field in sorted(chosen, key=str)))
    )


healths = st.builds(
    TableHealth,
    table=st.just(TABLE),
    snapshot_id=st.just(1),
    spec_id=st.just(0),
    measured=shares,
    manifests=counts,
    manifest_bytes=counts,
    manifest_depth=st.sampled_from([None, 0.0, 1.0, 1e9]),
    data_files=counts,
    records=counts,
    bytes=counts,
    target_file_bytes=counts,
    small_files=counts,
    files_by_spec=st.sampled_from([{}, {0: 0}, {0: 1, 9: 5}]),
    position_delete_files=counts,
    equality_delete_files=counts,
    deletion_vectors=counts,
    partitions=maybe_counts,
    partition_files=st.sampled_from([None, 0.0, 0.5, 1.0, 1e9]),
    partition_bytes=st.sampled_from([None, 0.0, 1.0, 1e12]),
    columns=columns(),
)


def partition_field(source: int, transform: str) -> dict[str, Any]:
    return {"source-id": source, "name": f"p{source}{transform[:3]}", "transform": transform}


SPECS: tuple[list[dict[str, Any]], ...] = (
    [],
    [partition_field(2, "day")],
    [partition_field(2, "hour"), partition_field(1, "bucket[16]")],
    [partition_field(2, "month"), partition_field(3, "identity")],
    [partition_field(1, "bucket[1]")],
    [partition_field(1, "bucket[0]"), partition_field(1, "truncate[0]")],
    [partition_field(1, "truncate[10]"), partition_field(3, "truncate[1]")],
    [partition_field(9, "identity"), partition_field(2, "void"), partition_field(2, "nonsense")],
)


def metadata(spec: list[dict[str, Any]], properties: Mapping[str, str]) -> TableMetadata:
    columns = [
        {"id": field.field_id, "name": field.name, "required": False, "type": field.type}
        for field in FIELDS
    ]
    return metadata_from_json(
        {
            "format-version": 2,
            "location": "/t",
            "schemas": [{"type": "struct", "schema-id": 0, "fields": columns}],
            "current-schema-id": 0,
            "partition-specs": [
                {"spec-id": 0, "fields": spec},
                {"spec-id": 1, "fields": []},
            ],
            "default-spec-id": 0,
            "snapshots": [{"snapshot-id": 1, "timestamp-ms": 1, "manifest-list": "/l"}],
            "current-snapshot-id": 1,
            "properties": dict(properties),
        },
        "/t/m.json",
    )


@st.composite
def usages(draw: st.DrawFn) -> TableUsage:
    """A table in which anything may be 0, None or empty, with the scans of up to two shapes."""
    records = []
    for name in draw(st.sampled_from([(), ("f",), ("f", "g")])):
        parts = tuple(draw(st.lists(predicates, max_size=3)))
        records += draw(st.lists(scans(parts, name), min_size=1, max_size=2))
    past = st.builds(
        PastWindow,
        st.just(WINDOW),
        counts,
        counts,
        counts,
        counts,
        snapshot_ids=st.just(frozenset()),
    )
    past_health = st.builds(PastHealth, st.just(WINDOW), st.just(0), counts, counts, counts)
    history = History(
        {(TABLE, name): tuple(draw(st.lists(past, max_size=4))) for name in ("f", "g")},
        {TABLE: tuple(draw(st.lists(past_health, max_size=2)))},
    )
    properties = st.dictionaries(
        st.sampled_from(
            [
                "write.target-file-size-bytes",
                "read.split.open-file-cost",
                "commit.manifest.target-size-bytes",
                "write.metadata.metrics.default",
                "write.distribution-mode",
            ]
        ),
        st.sampled_from(["", "0", "-1", "none", "9" * 5_000]),
        max_size=3,
    )
    return usage_of(
        TABLE,
        records,
        metadata(draw(st.sampled_from(SPECS)), draw(properties)),
        draw(st.none() | healths),
        Thresholds(0, 0, 0, 0, draw(st.sampled_from([0.0, 0.2])), 0),
        history,
    )
