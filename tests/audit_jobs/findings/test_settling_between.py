"""Other partitions or an order of rows, where both are asked for."""

from __future__ import annotations

from dataclasses import replace

import pytest
from audit_jobs.findings.joint_orders import joint_targets
from audit_jobs.findings.settling import settled
from audit_jobs.findings.settling_between import targets_of_both

from audit_jobs.findings.model import KEPT, Finding
from audit_jobs.findings.trials import Target, Tried
from tests.audit_jobs.findings.test_joint_orders import asking, known
from tests.audit_jobs.findings.test_settling import BY_DAY, BY_ID, FILE, change, scan, usage

DAYS = frozenset({("add", BY_DAY)})
BY_DAYS = Target(DAYS, ())
BY_A = Target(frozenset(), ("a",))
A_THEN_TS = Target(frozenset(), ("a", "ts"))
USAGE = usage(scan("q", BY_ID, 0))
ORDER = asking("a", 50 * FILE)
CHANGE = replace(change(60 * FILE, BY_DAY), evidence={"fingerprints": ["of ts"]})
BOTH = [ORDER, CHANGE]


def won(days: int, order: int, both: int, joint: int = 0, joint_in_days: int = 0) -> list[Finding]:
    """What is settled on if layouts win so many files."""
    tried = {
        BY_DAYS: days,
        BY_A: order,
        BY_A._replace(fields=DAYS): both,
        A_THEN_TS: joint,
        A_THEN_TS._replace(fields=DAYS): joint_in_days,
    }
    return settled(USAGE, BOTH, {target: _tried(files) for target, files in tried.items()})


def _tried(files: int) -> Tried:
    return replace(
        known(files * FILE, share=files / 100), won_by={"of a": files * FILE, "of ts": files * FILE}
    )


def test_partitions_and_orders_that_are_asked_for_are_tried_together() -> None:
    joint = joint_targets(BOTH, USAGE)
    assert A_THEN_TS in joint
    inside = [order._replace(fields=DAYS) for order in [BY_A, *joint]]
    assert targets_of_both(BOTH, joint) == inside


@pytest.mark.parametrize(
    "findings",
    [
        pytest.param([CHANGE], id="no order"),
        pytest.param([ORDER], id="no change"),
        pytest.param([ORDER, replace(CHANGE, suppressed="known")], id="a change nobody asks for"),
    ],
)
def test_one_of_both_is_tried_by_itself(findings: list[Finding]) -> None:
    assert targets_of_both(findings, joint_targets([ORDER], USAGE)) == []


def test_of_both_that_add_up_partitions_are_first_and_the_order_wins_what_is_left() -> None:
    order, partitions = won(60, 50, 80)
    assert partitions.bytes_at_stake == 60 * FILE
    assert order.bytes_at_stake == 20 * FILE
    assert order.fix.change.acts
    assert partitions.fix.change.acts
    assert "Change the partitions first (partition_ts of ts)" in (order.fix.advice or "")


def test_the_order_that_serves_all_is_told_inside_the_partitions() -> None:
    order, partitions = won(60, 50, 70, joint=65, joint_in_days=90)
    assert partitions.fix.change.acts
    assert (order.columns, order.bytes_at_stake) == (("a", "ts"), 30 * FILE)


def test_an_order_that_wins_little_in_other_partitions_gives_way_to_them() -> None:
    order, partitions = won(60, 50, 62)
    assert partitions.bytes_at_stake == 60 * FILE
    assert partitions.fix.change.acts
    assert (order.fix.change, order.bytes_at_stake) == (KEPT, None)
    assert order.evidence["better_change"] == ["add day(ts)"]
    assert order.evidence["bytes_by_this_order"] == 50 * FILE
    assert "Change the partitions as another finding asks (partition_ts of ts)" in (
        order.fix.advice or ""
    )


def test_partitions_give_way_to_an_order_that_wins_more() -> None:
    order, partitions = won(60, 70, 71)
    assert order.bytes_at_stake == 70 * FILE
    assert "Change the partitions first" not in (order.fix.advice or "")
    assert (partitions.fix.change, partitions.bytes_at_stake) == (KEPT, None)
    assert partitions.evidence["better_order"] == ["a"]
    assert partitions.evidence["bytes_by_this_change"] == 60 * FILE


@pytest.mark.parametrize(("days", "both", "is_told"), [(60, 71, False), (80, 81, True)])
def test_a_change_without_bytes_of_its_own_takes_no_statements_from_an_order(
    days: int, both: int, is_told: bool
) -> None:
    tried = {BY_DAYS: _tried(days), BY_A: _tried(70), BY_A._replace(fields=DAYS): _tried(both)}
    order, partitions = settled(USAGE, [ORDER, change(None, BY_DAY)], tried)
    assert order.bytes_at_stake == 70 * FILE
    assert order.fix.change.acts
    assert partitions.fix.change.acts is is_told


def test_an_order_of_both_columns_may_win_more_than_either() -> None:
    order, partitions = won(60, 50, 62, joint=90, joint_in_days=70)
    assert (order.columns, order.bytes_at_stake) == (("a", "ts"), 90 * FILE)
    assert "and others ask for ts" in order.sentence
    assert partitions.fix.change == KEPT
    assert partitions.evidence["better_order"] == ["a", "ts"]


def test_an_order_that_wins_nothing_takes_nothing_from_partitions() -> None:
    fewer = change(60 * FILE, BY_DAY, dropped=(("identity", "name"),))
    target = Target(fewer.fix.change.fields, ())
    tried = {target: _tried(-10), BY_A: _tried(-5), target._replace(order=("a",)): _tried(-20)}
    _, partitions = settled(USAGE, [ORDER, fewer], tried)
    assert "better_order" not in partitions.evidence


def test_what_was_not_tried_together_is_told_as_it_is() -> None:
    tried = {BY_DAYS: _tried(60), BY_A: _tried(50)}
    order, partitions = settled(USAGE, BOTH, tried)
    assert order.fix.change.acts
    assert partitions.fix.change.acts


def test_partitions_that_cost_more_take_nothing_from_an_order() -> None:
    tried = {
        BY_DAYS: replace(_tried(60), is_worse=True),
        BY_A: _tried(50),
        BY_A._replace(fields=DAYS): _tried(62),
    }
    order, partitions = settled(USAGE, BOTH, tried)
    assert (order.bytes_at_stake, partitions.fix.change) == (50 * FILE, KEPT)
