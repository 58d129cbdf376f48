"""The data files that the product keeps are those that PyIceberg's own planner keeps."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prunescope.audit_jobs.planning.local import replay
from prunescope.audit_jobs.pruning.rules import PYICEBERG
from prunescope.collectors.predicates.bind import bind
from prunescope.collectors.predicates.model import And, Or, Predicate, Unsupported
from prunescope.collectors.predicates.walks import comparisons
from prunescope.collectors.sql.planners.profiles import as_planned, planner_of
from tests.differential.pyiceberg.differences import DIFFERENCES, Kind
from tests.differential.pyiceberg.expressions import to_pyiceberg
from tests.property.lake import Lake, Lakes
from tests.property.strategies import OF_TABLES, Design, designs, predicates

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def lakes(tmp_path_factory: pytest.TempPathFactory) -> Lakes:
    return Lakes(tmp_path_factory.mktemp("lakes"))


@st.composite
def cases(draw: st.DrawFn) -> tuple[Design, list[Predicate]]:
    design = draw(designs())
    one = predicates(design, transform_terms=False)
    return design, draw(st.lists(one, min_size=4, max_size=8))


@OF_TABLES
@given(case=cases())
def test_keeps_the_files_that_pyiceberg_keeps(
    lakes: Lakes, case: tuple[Design, list[Predicate]]
) -> None:
    design, unbound = case
    with lakes.holding(design) as lake:
        snapshot = lake.table.metadata.current_snapshot()
        schema = lake.table.metadata.schema(snapshot)
        planner = planner_of("pyiceberg", None)
        bound = [p for p in (bind(u, schema) for u in unbound) if not _has_unsupported(p)]
        planned = [(as_planned(planner, p, schema), PYICEBERG) for p in bound]
        replays = replay(lake.table, snapshot, planned, list_files=True)
        for predicate, replayed in zip(bound, replays, strict=True):
            _compare(lake, predicate, set(replayed.kept_files))


def _compare(lake: Lake, predicate: Predicate, ours: set[str]) -> None:
    expression = to_pyiceberg(predicate)
    try:
        tasks = list(lake.written.scan(row_filter=expression).plan_files())
    except (TypeError, OverflowError):
        if not _explained(Kind.RAISES, predicate, lake):
            raise
        return
    theirs = {task.file.file_path for task in tasks}
    if ours - theirs:
        assert _explained(Kind.MORE, predicate, lake), "keeps more files than PyIceberg"
    if theirs - ours:
        assert _explained(Kind.FEWER, predicate, lake), "keeps fewer files than PyIceberg"


def _explained(kind: Kind, predicate: Predicate, lake: Lake) -> bool:
    return any(
        difference.kind is kind and difference.explains(leaf, lake.table.metadata)
        for difference in DIFFERENCES
        for leaf in comparisons(predicate)
    )


def _has_unsupported(predicate: Predicate) -> bool:
    match predicate:
        case And(children) | Or(children):
            return any(_has_unsupported(child) for child in children)
        case _:
            return isinstance(predicate, Unsupported)
