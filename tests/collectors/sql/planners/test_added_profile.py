"""A planner profile that is added, as CONTRIBUTING.md says."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pytest
from pyiceberg.catalog.sql import SqlCatalog
from sqlglot import exp

from prunescope.audit_jobs.commands.inputs import planner_named
from prunescope.audit_jobs.jobs import explain as explaining
from prunescope.audit_jobs.jobs.explain import explain
from prunescope.audit_jobs.jobs.questions import Question
from prunescope.audit_jobs.planning.planner_rules import rules_of
from prunescope.audit_jobs.pruning.rules import ICEBERG_1_10
from prunescope.collectors.observed import TableName
from prunescope.collectors.predicates.model import Reason
from prunescope.collectors.sql.planners import registry
from prunescope.collectors.sql.planners.profile import UNKNOWN, Profile, Pushdown, Version
from prunescope.collectors.sql.planners.profiles import PLANNERS, Planner, planner_of
from prunescope.collectors.sql.scopes.time_travel import CURRENT
from prunescope.collectors.sql.text.boolean import Leaf
from prunescope.collectors.tables.catalog import Table, open_table


def _refusal(leaf: Leaf, version: Version) -> Reason | None:
    """It pushes equalities, and ranges since version 2."""
    is_range = isinstance(leaf.expression, exp.LT | exp.GT)
    is_pushed = isinstance(leaf.expression, exp.EQ) or (
        is_range and (not version or version >= (2,))
    )
    return None if is_pushed else Reason.FUNCTION


PROFILE = Profile("quokka", Pushdown(_refusal), aliases=("quokka-cloud",))


@pytest.fixture
def _added(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    planner_of.cache_clear()
    for name in (PROFILE.engine, *PROFILE.aliases):
        monkeypatch.setitem(registry.ENGINES, name, PROFILE)
    monkeypatch.setattr(explaining, "PLANNERS", (*PLANNERS, Planner(PROFILE.engine)))
    yield
    planner_of.cache_clear()


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    """Two files, of which one has ids below 5."""
    catalog = SqlCatalog("lake", uri="sqlite:///:memory:", warehouse=f"file://{tmp_path}")
    catalog.create_namespace("db")
    ids = pa.table({"id": pa.array(range(10), pa.int64())})
    created = catalog.create_table("db.t", ids.schema)
    for part in (ids[:5], ids[5:]):
        created.append(part)
    yield open_table(catalog, TableName("lake", ("db",), "t"))
    catalog.close()


@pytest.mark.usefixtures("_added")
@pytest.mark.parametrize(
    ("named", "pushed", "kept"), [("quokka-1", "TRUE", 2), ("quokka-2.1", "id < 3", 1)]
)
def test_a_profile_is_a_value_and_a_line(table: Table, named: str, pushed: str, kept: int) -> None:
    where = Question(None, where="id < 3 AND id + 1 <> 2")
    (answer,) = explain(table, CURRENT, [where], planner=planner_named(named))
    assert (answer["pushed"], answer["data_files"]["kept"]) == (pushed, kept)
    by_engine = [conjunct["pushed_by"] for conjunct in answer["conjuncts"]]
    assert [each[PROFILE.engine] for each in by_engine] == [pushed != "TRUE", False]
    assert [each["spark"] for each in by_engine] == [True, False]


@pytest.mark.usefixtures("_added")
def test_it_plans_as_icebergs_library_does_unless_it_has_rules_of_its_own() -> None:
    assert rules_of(planner_of("quokka", "1", "1.10.1")) == ICEBERG_1_10
    assert planner_of("Quokka-Cloud", "2024") == Planner("quokka", UNKNOWN, UNKNOWN)


def test_without_the_line_it_is_not_known() -> None:
    assert planner_of("quokka", "2") is None
