"""No pruned manifest, data file or row group holds a row that the query needs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prunescope.audit_jobs.planning.local import Replayed, replay
from prunescope.audit_jobs.planning.planner_rules import rules_of
from prunescope.audit_jobs.pruning.rules import FLOOR, PlannerRules
from prunescope.collectors.predicates.bind import bind
from prunescope.collectors.predicates.column_domains import tightened
from prunescope.collectors.predicates.model import Predicate, all_of
from prunescope.collectors.sql.planners.profiles import (
    as_expression,
    as_pushed,
    bind_pushed,
    planner_of,
)
from tests.property.lake import Lake, Lakes
from tests.property.oracle import matches
from tests.property.plan import Plan, plan
from tests.property.strategies import OF_TABLES, Design, designs, predicates

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::UserWarning:pyiceberg"),
]


@pytest.fixture(scope="module")
def lakes(tmp_path_factory: pytest.TempPathFactory) -> Lakes:
    return Lakes(tmp_path_factory.mktemp("lakes"))


@st.composite
def cases(draw: st.DrawFn) -> tuple[Design, list[Predicate]]:
    design = draw(designs())
    return design, draw(st.lists(predicates(design), min_size=4, max_size=8))


@OF_TABLES
@given(case=cases())
def test_no_pruned_container_holds_a_matching_row(
    lakes: Lakes, case: tuple[Design, list[Predicate]]
) -> None:
    design, unbound = case
    with lakes.holding(design) as lake:
        check(lake, unbound)


# Without Iceberg 1.11, which loses NaN in files without counts of NaN: the floor keeps these.
PLANNERS = [
    planner_of("spark", "4.1.0", "1.12.0"),
    planner_of("spark", "3.5.6", "1.10.1"),
    planner_of("trino", "483"),
    planner_of("trino", "477"),
]


@OF_TABLES
@given(case=cases())
def test_the_floor_keeps_what_matches_and_no_more_than_a_planner(
    lakes: Lakes, case: tuple[Design, list[Predicate]]
) -> None:
    design, unbound = case
    with lakes.holding(design) as lake:
        snapshot = lake.table.metadata.current_snapshot()
        schema = lake.table.metadata.schema(snapshot)
        plans: list[tuple[Predicate, PlannerRules]] = []
        for predicate in unbound:
            whole = bind(predicate, schema)
            plans.append((tightened(whole), FLOOR))
            for planner in PLANNERS:
                assert planner is not None
                asked = as_pushed(planner, predicate)
                pushed = bind_pushed(planner, asked, schema, time_zone=None)
                plans.append((as_expression(planner, pushed), rules_of(planner)))
                plans.append((tightened(all_of(whole, pushed)), FLOOR))
        replays = iter(replay(lake.table, snapshot, plans, list_files=True))
        for predicate in unbound:
            floor = next(replays)
            assert needed_files(lake, predicate) <= set(floor.kept_files)
            for planner in PLANNERS:
                kept, potential = next(replays), next(replays)
                assert set(potential.kept_files) <= set(kept.kept_files), str(planner)
                for funnel in ("manifests", "row_groups"):
                    fewest = getattr(potential.summary, funnel).kept
                    assert fewest <= getattr(kept.summary, funnel).kept, f"{funnel}, {planner}"


def needed_files(lake: Lake, predicate: Predicate) -> set[str]:
    return {
        path
        for path, groups in lake.rows.items()
        if any(matches(predicate, row, lake.written.schema()) for rows in groups for row in rows)
    }


def check(lake: Lake, unbound: list[Predicate]) -> None:
    """Plans the predicates pass by pass and as a whole; asserts soundness and the counts."""
    snapshot = lake.table.metadata.current_snapshot()
    schema = lake.table.metadata.schema(snapshot)
    bound = [bind(predicate, schema) for predicate in unbound]
    replays = replay(lake.table, snapshot, bound, list_files=True)
    for predicate, kept, replayed in zip(unbound, plan(lake.table, bound), replays, strict=True):
        needed = {
            (path, number)
            for path, groups in lake.rows.items()
            for number, rows in enumerate(groups)
            if any(matches(predicate, row, lake.written.schema()) for row in rows)
        }
        needed_files = {path for path, _ in needed}
        assert needed_files <= kept.reached, "a pruned manifest holds a matching row"
        assert needed_files <= kept.files, "a pruned data file holds a matching row"
        assert needed <= kept.row_groups, "a pruned row group holds a matching row"
        for (path, number), rows in kept.rows.items():
            of_group = lake.rows[path][number]
            matching = {
                place
                for place, row in enumerate(of_group)
                if matches(predicate, row, lake.written.schema())
            }
            assert matching <= rows, "a pruned page holds a matching row"
        check_counts(replayed, kept, lake)


def check_counts(replayed: Replayed, kept: Plan, lake: Lake) -> None:
    """The replay counts what the passes keep one by one, and every funnel narrows."""
    summary = replayed.summary
    assert summary is not None
    assert sorted(replayed.kept_files) == sorted(kept.files)
    assert not summary.unread
    records = {path: [len(rows) for rows in groups] for path, groups in lake.rows.items()}
    assert summary.manifests.kept == len(kept.manifests)
    assert summary.data_files.total == len(records)
    assert summary.data_files.considered == len(kept.reached)
    assert summary.data_files.kept == len(kept.files)
    assert summary.records.total == sum(map(sum, records.values()))
    assert summary.records.considered == sum(sum(records[path]) for path in kept.reached)
    assert summary.records.kept == sum(sum(records[path]) for path in kept.files)
    assert summary.row_groups.considered == sum(len(records[path]) for path in kept.files)
    assert summary.row_groups.kept == len(kept.row_groups)
    if summary.page_records.kept is not None:
        assert summary.page_records.kept == sum(map(len, kept.rows.values()))
    assert summary.row_group_records.considered == summary.records.kept
    assert summary.row_group_records.kept == sum(records[path][n] for path, n in kept.row_groups)
    if summary.row_groups.total is not None:
        assert summary.row_groups.total == sum(map(len, records.values()))
    for funnel in (summary.manifests, summary.data_files, summary.bytes, summary.records):
        assert funnel.total is not None
        assert funnel.considered is not None
        assert funnel.kept is not None
        assert 0 <= funnel.kept <= funnel.considered <= funnel.total
