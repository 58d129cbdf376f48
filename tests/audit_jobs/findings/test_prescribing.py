"""What becomes of the findings of a table: one layout, what each of them wins by it, and why others
ask for nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from prunescope.audit_jobs.findings.choosing import ROW_GROUPS
from prunescope.audit_jobs.findings.model import (
    KEPT,
    NO_WISH,
    Change,
    Confidence,
    Files,
    Finding,
    Fix,
    Severity,
    Wish,
)
from prunescope.audit_jobs.findings.prescribing import prescribed
from prunescope.audit_jobs.findings.proposing import proposed
from prunescope.audit_jobs.findings.trials import Tried
from prunescope.audit_jobs.findings.unused_conditions import serves_later, serving_later
from prunescope.audit_jobs.findings.usage import TableUsage
from prunescope.audit_jobs.findings.wording import MORE_WINDOWS
from tests.audit_jobs.findings.wishes import (
    BUCKETS,
    BY_BOTH,
    BY_ID,
    BY_MONTHS,
    BY_NAME,
    CURVE,
    INSTEAD,
    POINT,
    asking,
    in_all,
    tried,
    usage,
)

USAGE = usage()
OF_IDS = asking(BY_ID, "ids")
OF_NAMES = asking(BY_NAME, "names")
IN_BUCKETS = asking(BUCKETS, "ids")


def told(
    findings: list[Finding],
    points: Mapping[Change, Mapping[str, float] | Tried],
    of: TableUsage = USAGE,
) -> list[Finding]:
    """What is prescribed where queries win so many points by layouts."""
    known = {
        change.layout: won if isinstance(won, Tried) else tried(of, won)
        for change, won in points.items()
    }
    return prescribed(of, findings, known)


def points_of(finding: Finding) -> float | None:
    """The points at stake."""
    return None if finding.bytes_at_stake is None else finding.bytes_at_stake / POINT


def test_who_asks_for_the_chosen_change_wins_what_was_tried() -> None:
    (found,) = told([OF_IDS], {BY_ID: {"ids": 20}})
    assert found.fix.change == BY_ID
    assert points_of(found) == 20
    assert found.severity is USAGE.thresholds.severity(20 * POINT) is Severity.HIGH
    assert (found.sentence, found.scans) == ("s", 2)
    # 100 GB are read, and as many written; a window saves between half of that and all of it.
    assert found.fix.advice == (
        "Once. It pays after 2 windows like this one (200.0 GB are read and written)."
    )
    assert found.evidence["pays_after_windows"] == 2


@pytest.mark.parametrize(
    ("is_assumed", "before", "then"),
    [
        (False, Confidence.LOW, Confidence.MEDIUM),
        (False, Confidence.HIGH, Confidence.HIGH),
        (True, Confidence.LOW, Confidence.LOW),
    ],
)
def test_what_rows_tell_that_were_read_is_no_assumption(
    is_assumed: bool, before: Confidence, then: Confidence
) -> None:
    known = tried(USAGE, {"ids": 20}, is_assumed=is_assumed)
    (found,) = told([replace(OF_IDS, confidence=before)], {BY_ID: known})
    assert found.confidence is then


def test_all_whose_columns_the_change_has_ask_for_it_and_share_what_it_wins() -> None:
    points = {BY_ID: {"ids": 20}, BY_NAME: {"names": 20}, CURVE: {"ids": 18, "names": 16}}
    found = told([OF_IDS, OF_NAMES], points)
    assert [one.fix.change for one in found] == [CURVE, CURVE]
    assert [points_of(one) for one in found] == [18, 16]
    assert "These are the statements of c of name as well: run them once." in (
        found[0].fix.advice or ""
    )
    assert "These are the statements of c of id: run them once." in (found[1].fix.advice or "")


def test_sorts_that_may_as_well_be_of_several_columns_are_one_finding() -> None:
    wish = Wish(bytes_by_order=10 * POINT, of_spread=True, any_columns=True)
    both = [replace(one, fix=replace(one.fix, wish=wish)) for one in (OF_IDS, OF_NAMES)]
    (found,) = told(both, {CURVE: {"ids": 18, "names": 16}})
    assert (found.columns, found.fix.change, points_of(found)) == (CURVE.order, CURVE, 34)
    assert (found.scans, found.bytes_read) == (4, 50 * POINT)
    assert found.evidence["fingerprints"] == ["ids", "names"]
    assert "4 scans filter by id or name" in found.sentence


def test_each_group_is_of_one_finding() -> None:
    again = asking(BY_ID, "ids", "names", cause="d", points=9)
    first, other = told([again, OF_IDS], {BY_ID: {"ids": 20, "names": 7}})
    assert (first.cause, points_of(first)) == ("c", 20)
    assert (other.cause, points_of(other)) == ("d", 7)


def test_what_others_win_is_of_the_first() -> None:
    """Of what they read, a quarter of the points each: times win a little of it."""
    found = told(
        [OF_IDS, asking(BY_ID, "ats", points=9)], {BY_ID: {"ids": 20, "names": 10, "times": 4}}
    )
    assert [points_of(one) for one in found] == [30, 0]
    assert (found[0].scans, found[0].bytes_read) == (4, 50 * POINT)
    assert found[0].evidence["fingerprints"] == ["ids", "names"]
    assert found[0].sentence == "s Scans that ask for name skip files by it as well."


def test_what_is_about_the_table_has_what_all_win() -> None:
    (found,) = told([asking(BUCKETS)], {BUCKETS: {"ids": 20, "names": 10, "times": 4}})
    assert (points_of(found), found.sentence, found.scans) == (34, "s", 2)


def test_what_others_lose_is_taken_off() -> None:
    points = {CURVE: {"ids": 20, "names": 20, "times": -10}}
    found = told([OF_IDS, OF_NAMES], points)
    assert [points_of(one) for one in found] == [15, 15]
    assert found[0].evidence["bytes_lost_by_others"] == 10 * POINT
    assert found[0].evidence["losing_fingerprints"] == ["times"]
    assert "2 other scans lose" in (found[0].fix.advice or "")
    assert "lose" not in (found[1].fix.advice or "")


@pytest.mark.parametrize(
    ("ids", "says"),
    [
        pytest.param(10, "these scans skip as much", id="half of it"),
        pytest.param(9, "its scans skip more in all", id="less"),
    ],
)
def test_who_wins_half_of_its_own_wish_says_so(ids: float, says: str) -> None:
    asked, left = told(
        [OF_NAMES, IN_BUCKETS], {BY_NAME: {"names": 20, "ids": ids}, BUCKETS: {"ids": 20}}
    )
    assert (asked.fix.change, left.fix.change) == (BY_NAME, KEPT)
    assert left.fix.advice == (
        "Not partitioned by bucket(8, id): a table has one layout, and sorted by name, as asked "
        f"for otherwise (c of name), {says}."
    )
    assert (points_of(left), left.severity) == (None, Severity.INFO)
    assert left.evidence["better_order"] == ["name"]
    assert left.evidence["bytes_by_this_change"] == 10 * POINT


def test_what_a_rewrite_of_its_condition_wins_is_left_to_who_is_left() -> None:
    """Of its 10 points, the order wins 7."""
    of_both = asking(BY_ID, "ids", wish=Wish(bytes_by_order=7 * POINT))
    _, left = told([OF_NAMES, of_both], {BY_NAME: {"names": 20}, BY_ID: {"ids": 7}})
    assert (left.fix.change, points_of(left)) == (KEPT, 3)
    assert left.evidence["bytes_by_this_order"] == 7 * POINT


@pytest.mark.parametrize(
    ("known", "says"),
    [
        pytest.param({"ids": 8, "names": -9}, "queries would read 72.0 GB more", id="others lose"),
        pytest.param({"ids": 2}, "about 2.0% of what all scans", id="it is little"),
        pytest.param({}, "read about as much as now", id="it is nothing"),
    ],
)
def test_where_nothing_is_chosen_the_wish_says_why(known: Mapping[str, float], says: str) -> None:
    (found,) = told([IN_BUCKETS], {BUCKETS: known})
    assert found.fix.change == KEPT
    assert (found.fix.advice or "").startswith("Keep the layout: ")
    assert says in (found.fix.advice or "")
    assert found.severity is Severity.INFO


def test_what_was_not_tried_is_not_told_of_rows() -> None:
    """Times are in order, so that nothing else is chosen untried."""
    (found,) = told([OF_IDS], {}, usage(in_order=True))
    assert (found.fix.change, found.severity) == (KEPT, Severity.INFO)
    assert "queries skip files by the order of ts" in (found.fix.advice or "")
    assert "sampled" not in (found.fix.advice or "")


def test_where_partitions_are_overwritten_none_are_changed() -> None:
    of = replace(USAGE, overwrites=3)
    points = {BUCKETS: {"ids": 24}, BY_ID: {"ids": 20}}
    asked, left = told([IN_BUCKETS, OF_IDS], points, of)
    assert (asked.fix.change, points_of(asked)) == (BY_ID, 20)
    assert "Do not repartition yet" in (left.fix.advice or "")
    assert left.evidence["overwrites"] == 3
    assert left.evidence["bytes_by_this_change"] == 10 * POINT


IN_RANGES = Change(added=(("truncate[1000]", "id"),), files=Files.ALL)
OF_CHANGING = (
    "Not partitioned by id: UPDATE or MERGE changes the values, and rows would move between "
    "partitions."
)


@pytest.mark.parametrize("changing", [{"id"}, {"id", "name"}])
def test_what_statements_change_is_sorted_and_not_partitioned(changing: set[str]) -> None:
    of = replace(USAGE, changing=frozenset(changing))
    points = {IN_RANGES: {"ids": 24}, BY_ID: {"ids": 20}}
    (found,) = told([asking(IN_RANGES, "ids")], points, of)
    assert (found.fix.change, points_of(found)) == (BY_ID, 20)
    assert (found.fix.advice or "").startswith(f"{OF_CHANGING} Prefer Spark. ")
    assert found.evidence["changing_columns"] == ["id"]


@pytest.mark.parametrize(
    ("points", "change", "says"),
    [
        pytest.param({IN_RANGES: {"ids": 24}}, KEPT, "Keep the layout", id="an order wins nothing"),
        pytest.param(
            {BY_ID: {"ids": 5}, BY_NAME: {"names": 20}}, KEPT, "Not sorted by id", id="others more"
        ),
        pytest.param(
            {BY_ID: {"ids": 20}, BY_NAME: {"names": 20}, CURVE: {"ids": 18, "names": 16}},
            CURVE,
            "A Z-order",
            id="with another",
        ),
    ],
)
def test_why_there_are_no_such_partitions_is_said_whatever_is_done(
    points: Mapping[Change, Mapping[str, float]], change: Change, says: str
) -> None:
    of = replace(USAGE, changing=frozenset({"id"}))
    asked = [asking(IN_RANGES, "ids"), OF_NAMES]
    known = {**{layout: {"ids": 0} for layout in proposed(of, asked)}, **points}
    (found,) = (one for one in told(asked, known, of) if "id" in one.columns)
    assert found.fix.change == change
    assert OF_CHANGING in (found.fix.advice or "")
    assert says in (found.fix.advice or "")


def test_what_waits_for_more_windows_has_its_bytes_and_no_change() -> None:
    of = usage(spec=BY_MONTHS)
    waits = asking(
        KEPT, "times", columns=("ts",), wish=Wish(withheld=replace(INSTEAD, keeps=("ts",)))
    )
    later = replace(INSTEAD, keeps=("ts",))
    (found,) = told([waits], {later: {"times": 20}}, of)
    assert (found.fix.change, found.fix.advice) == (KEPT, MORE_WINDOWS)
    assert (points_of(found), found.severity) == (20, Severity.HIGH)
    (found,) = told([waits], {later: {"times": 5, "ids": -20}}, of)
    assert points_of(found) is None
    assert "Keep the layout" in (found.fix.advice or "")


def test_what_is_worse_until_conditions_are_written_has_its_bytes_and_no_change() -> None:
    known = tried(USAGE, {"ids": 20, "times": -2}, is_worse_yet=True)
    (found,) = told([OF_IDS], {BY_ID: known})
    assert (found.fix.change, points_of(found)) == (KEPT, 18)
    assert (found.fix.advice or "").startswith("Write the conditions")


def test_who_brings_the_condition_along_asks_for_the_change_all_the_same() -> None:
    known = tried(USAGE, {"ids": 18, "names": 16}, is_worse_yet=True)
    fix = replace(OF_IDS.fix, rewrite="id < ?")
    found = told([replace(OF_IDS, fix=fix), OF_NAMES], {CURVE: known, BY_ID: {"ids": 20}})
    assert [one.fix.change for one in found] == [CURVE, KEPT]
    assert [points_of(one) for one in found] == [18, 16]


def test_what_an_order_wins_inside_of_files_stays_as_it_is() -> None:
    inside = asking(BY_ID, "ids", lost_at=ROW_GROUPS)
    (found,) = told([inside], {BY_ID: {"names": 1}})
    assert (found.fix.change, points_of(found)) == (BY_ID, 10)


def of_blooms(points: float) -> Finding:
    """A finding of row groups, of which filters let so many points be skipped."""
    filters = Change(bloom_filters=(("id", 4096),), files=Files.ALL)
    found = asking(filters, "ids", points=points, cause="d", columns=("id",), lost_at=ROW_GROUPS)
    return replace(found, fix=replace(found.fix, wish=NO_WISH))


@pytest.mark.parametrize(("won", "left"), [({"ids": 15}, 8), ({"ids": 15, "names": 5}, 8)])
def test_what_serves_without_an_order_counts_what_it_wins_of_what_that_leaves(
    won: Mapping[str, float], left: float
) -> None:
    """Of 25 points that its scans read, an order of ids leaves ten."""
    order, beside = told([OF_IDS, of_blooms(20)], {BY_ID: won})
    assert points_of(beside) == left
    assert order.fix.change == beside.fix.change == replace(BY_ID, bloom_filters=(("id", 4096),))


def test_what_serves_without_an_order_counts_all_where_there_is_none() -> None:
    assert told([of_blooms(20)], {}) == [of_blooms(20)]


def test_where_nothing_was_tried_what_is_promised_is_not_promised_twice() -> None:
    order, beside = told([OF_IDS, of_blooms(20)], {})
    assert (points_of(order), points_of(beside)) == (10, 12)


def test_what_is_too_small_to_be_told_is_no_part_of_the_rewrite() -> None:
    """Of 25 points that its scans read, a fifth would be told."""
    order, beside = told([OF_IDS, of_blooms(20)], {BY_ID: {"ids": 20}})
    assert (points_of(beside), order.fix.change) == (4, BY_ID)


def test_what_no_byte_is_known_of_stays_unknown() -> None:
    fewer = asking(BUCKETS, points=None, wish=Wish(fewer_files=True))
    (found,) = told([fewer], {BUCKETS: in_all(USAGE, 0, opening=20)})
    assert (found.fix.change, points_of(found)) == (BUCKETS, None)
    known = tried(USAGE, {"ids": 1, "names": -1}, opening=20)
    (found,) = told([fewer], {BUCKETS: known})
    assert (found.fix.advice or "").endswith("2 other scans lose 8.0 GB by it.")


def test_suppressed_findings_stay_and_decide_nothing() -> None:
    hidden = replace(asking(BY_BOTH, "ids", points=90), suppressed="known")
    points = {BY_BOTH: {"ids": 25, "names": 25}, BY_NAME: {"names": 20}}
    found = told([hidden, OF_NAMES], points)
    assert hidden in found
    assert [one for one in found if one != hidden] == told([OF_NAMES], points)


def test_what_is_too_little_to_be_told_is_not_chosen() -> None:
    """A fifth of what is read by who asks is told, and high bytes are."""
    of = replace(USAGE, thresholds=replace(USAGE.thresholds, high_bytes=90 * POINT))
    of_all = asking(BUCKETS, "ids", "names", "times", points=30)
    for points, is_told in ((14, False), (16, True)):
        (found,) = told([of_all], {BUCKETS: {"ids": points}}, of)
        assert found.fix.change == (BUCKETS if is_told else KEPT)


def test_what_asks_for_no_layout_is_told_as_it_is() -> None:
    other = asking(KEPT, "times", fix=Fix(rewrite="ts >= ?"))
    assert told([other], {}) == [other]
    assert other in told([other, OF_IDS], {BY_ID: {"ids": 20}})


def test_what_was_not_tried_and_is_little_is_told_as_findings_say() -> None:
    (found,) = told([replace(OF_IDS, bytes_at_stake=2 * POINT)], {})
    assert "about 2.0% of what all scans" in (found.fix.advice or "")


def test_what_serves_only_later_says_so_in_whatever_layout() -> None:
    later = serving_later(OF_IDS.fix)
    found = told([replace(OF_IDS, fix=later), OF_NAMES], {CURVE: {"ids": 18, "names": 16}})
    assert [serves_later(one.fix) for one in found] == [True, False]
