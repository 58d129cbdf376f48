"""Tables are advised the same in however many groups their layouts are scored."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from audit_jobs.advice.layouts import Layouts
from audit_jobs.advice.model import Advice
from audit_jobs.isolation import Failed
from audit_jobs.jobs import advice_stages
from audit_jobs.jobs.advice_stages import advise_tables, chosen
from audit_jobs.jobs.table_basis import AdviceTask, prepared
from audit_jobs.planning.items import SHARED, Instead, Item, Items, Stage
from audit_jobs.planning.runner import LocalItems, LocalRunner
from collectors.observed import TableName
from tests.backtest.cases import BY_NAME
from tests.backtest.lake import Lake, advise_table, asked_of
from tests.backtest.model import TRAINING_DAYS
from tests.backtest.trial import BUDGET

pytestmark = pytest.mark.slow

CASES = ("region_and_time", "late_data", "three_columns")


class ManySlots(LocalRunner):
    """As many groups as there are for a cluster, and how many there were at most."""

    slots = 16
    most = 0

    def run(
        self,
        stage: Stage,
        tasks: Items,
        groups: Mapping[str, int],
        beside: Items | None = None,
        instead: Instead | None = None,
    ) -> LocalItems:
        """See Runner."""
        self.most = max(self.most, *groups.values(), 0)
        return super().run(stage, tasks, groups, beside, instead)


@pytest.fixture
def tasks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[AdviceTask]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(advice_stages, "LEAST_WORK", 1)  # groups of a few rows
    lake, found = Lake(tmp_path), []
    for name in CASES:
        case = BY_NAME[name]
        table = lake.open(lake.write(case.lay(case.rows(TRAINING_DAYS))))
        asked = asked_of(table, case.asked(0, TRAINING_DAYS))
        named = replace(table, name=TableName("lake", ("db",), name))
        found.append(AdviceTask(named, asked, 7, BUDGET))
    return found


def test_groups_change_no_bit(tasks: list[AdviceTask]) -> None:
    together, many = LocalRunner(), ManySlots()
    found = {one.name: one for one in advise_tables(tasks, together)}

    assert {one.name: one for one in advise_tables(tasks, many)} == found
    assert many.most > 8
    for task in tasks:
        told = found[task.table.name].found
        assert not isinstance(told, Failed)
        assert told[0] == advise_table(task.table, task.asked, task.seed, task.budget)


def test_what_goes_wrong_with_one_layout_is_its_tables_own(tasks: list[AdviceTask]) -> None:
    bases, rows = {}, []
    for task in tasks[:2]:
        name = str(task.table.name)
        bases[name], sampled = prepared(task)
        if task is tasks[0]:  # a column that the sample is said to have, and has not
            lost = bases[name].by.columns[0]
            rows_without = replace(
                sampled.layouts.rows,
                columns={
                    key: column
                    for key, column in sampled.layouts.rows.columns.items()
                    if key != (lost.field_id, lost.type)
                },
            )
            sampled = replace(sampled, layouts=Layouts(rows_without, bases[name].now.target_bytes))
        rows.append(Item(SHARED, sampled, name))
    runner = ManySlots()
    wrong, right = chosen(bases, runner, runner.items(rows)).values()

    assert isinstance(wrong, Failed)
    assert wrong.code == "internal_error"
    assert isinstance(right, Advice)
