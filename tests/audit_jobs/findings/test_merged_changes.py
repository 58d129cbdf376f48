"""All that has every file of a table written anew is one change."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest

from prunescope.audit_jobs.findings.merged_changes import in_one_rewrite
from prunescope.audit_jobs.findings.model import KEPT, Change, Files, Finding, Fix, Severity, Wish
from tests.audit_jobs.findings.wishes import BUCKETS, BY_ID, asking

BOUNDS = Change(modes=(("name", "full"),), files=Files.ALL)
ALONE = replace(BOUNDS, file_by_file=True)
FILTERS = Change(bloom_filters=(("id", 4096),), files=Files.ALL, file_by_file=True)
OTHER_FILTERS = replace(FILTERS, bloom_filters=(("name", 32),))
ROW_GROUPS = Change(row_group_bytes=64, files=Files.ALL, file_by_file=True)
SMALLER = replace(ROW_GROUPS, row_group_bytes=32)
IN_ORDER = Change(rewrites=True, keeps=("ts",), files=Files.ALL)
MERGED = Change(files=Files.SMALL)
IN_PLACE = replace(MERGED, file_by_file=True)
MANIFESTS = Change(manifests=True)
DELETES = Change(files=Files.DELETED, position_deletes=True, manifests=True)
ALL_DELETES = replace(DELETES, files=Files.ALL)


@dataclass(frozen=True)
class Row:
    """Changes that are asked for, and what each becomes."""

    asked: tuple[Change, ...]
    told: tuple[Change, ...]


def of_all(*asked: Change, told: Change) -> Row:
    return Row(asked, (told,) * len(asked))


ROWS = {
    "nothing": Row((), ()),
    "one": of_all(BY_ID, told=BY_ID),
    "bounds, beside a sort": of_all(BOUNDS, BY_ID, told=replace(BY_ID, modes=BOUNDS.modes)),
    "filters of two columns": of_all(
        FILTERS,
        OTHER_FILTERS,
        told=replace(FILTERS, bloom_filters=(("id", 4096), ("name", 32))),
    ),
    "the smaller row groups": of_all(ROW_GROUPS, SMALLER, told=SMALLER),
    "files by themselves, and other partitions": of_all(
        ALONE, BUCKETS, told=replace(BUCKETS, modes=ALONE.modes)
    ),
    "files by themselves, and filters": of_all(
        ALONE, FILTERS, told=replace(FILTERS, modes=ALONE.modes)
    ),
    "an order that is kept, and bounds": of_all(
        IN_ORDER, BOUNDS, told=replace(IN_ORDER, modes=BOUNDS.modes)
    ),
    "deletes": of_all(
        ALL_DELETES, BY_ID, told=replace(BY_ID, manifests=True, position_deletes=True)
    ),
    "small files are merged by a sort": Row((MERGED, BY_ID), (BY_ID, BY_ID)),
    "those that are written by themselves, too": Row((IN_PLACE, BY_ID), (BY_ID, BY_ID)),
    "but not by what leaves files as they are": Row((MERGED, FILTERS), (MERGED, FILTERS)),
    "what writes no file": Row((MANIFESTS, BY_ID), (MANIFESTS, BY_ID)),
    "what writes some": Row((DELETES, BY_ID), (DELETES, BY_ID)),
    "nothing is done": Row((KEPT, BY_ID), (KEPT, BY_ID)),
}


def findings(*changes: Change) -> list[Finding]:
    return [
        asking(change, "ids", cause=f"cause {number}", columns=())
        for number, change in enumerate(changes)
    ]


@pytest.mark.parametrize("row", [pytest.param(row, id=name) for name, row in ROWS.items()])
def test_what_writes_all_files_is_one_change(row: Row) -> None:
    found = in_one_rewrite(findings(*row.asked))
    assert tuple(one.fix.change for one in found) == row.told
    for before, after in zip(findings(*row.asked), found, strict=True):
        kept = replace(after.fix, change=before.fix.change, advice=before.fix.advice)
        assert replace(after, fix=kept) == before


def test_several_that_ask_for_it_say_so() -> None:
    first, beside, other, small = in_one_rewrite(findings(BY_ID, MANIFESTS, BOUNDS, MERGED))
    assert first.fix.advice == (
        "These are the statements of cause 2, cause 3 as well: run them once. Once."
    )
    for one in (other, small):
        assert one.fix.advice == "These are the statements of cause 0: run them once. Once."
    assert beside.fix.advice == "Once."
    (alone,) = in_one_rewrite(findings(BY_ID))
    assert alone.fix.advice == "Once."
    bare = [replace(one, fix=replace(one.fix, advice=None)) for one in findings(BY_ID, BOUNDS)]
    assert in_one_rewrite(bare)[1].fix.advice == (
        "These are the statements of cause 0: run them once."
    )


def test_who_has_the_statements_asks_for_the_layout_or_has_most_at_stake() -> None:
    bounds, sort, small, filters = findings(BOUNDS, BY_ID, MERGED, FILTERS)
    more = replace(bounds, bytes_at_stake=10**15)
    for some in ([more, sort, small], [small, more, sort]):
        has, *others = sorted(in_one_rewrite(some), key=lambda one: one.cause != sort.cause)
        assert (has.fix.advice or "").startswith("These are the statements of cause 0, cause 2 as")
        assert all("of cause 1: run" in (one.fix.advice or "") for one in others)
    _, beside = in_one_rewrite([filters, more])
    assert "of cause 3 as well" in (beside.fix.advice or "")


@pytest.mark.parametrize("change", [BOUNDS, MERGED])
def test_what_may_be_wrong_is_mended_by_itself(change: Change) -> None:
    wrong, sort = findings(change, BY_ID)
    wrong = replace(wrong, severity=Severity.CRITICAL)
    assert in_one_rewrite([wrong, sort]) == [wrong, sort]


LEFT = Wish(keeps_files=True)


@pytest.mark.parametrize(
    ("change", "wish"), [(BOUNDS, Wish()), (BY_ID, Wish()), (MERGED, Wish()), (KEPT, LEFT)]
)
def test_suppressed_findings_stay_and_decide_nothing(change: Change, wish: Wish) -> None:
    hidden, sort = findings(change, BY_ID)
    hidden = replace(hidden, suppressed="known", fix=replace(hidden.fix, wish=wish))
    assert in_one_rewrite([hidden, sort]) == [hidden, sort]


@pytest.mark.parametrize(
    ("change", "is_named"),
    [
        pytest.param(BY_ID, True, id="rows are mixed"),
        pytest.param(FILTERS, False, id="each file by itself"),
        pytest.param(MERGED, False, id="not of all files"),
    ],
)
def test_small_files_that_stay_are_merged_by_who_mixes_rows(change: Change, is_named: bool) -> None:
    left, other = findings(KEPT, change)
    left = replace(left, fix=Fix(advice="Leave the files.", wish=LEFT))
    found, _ = in_one_rewrite([left, other])
    if not is_named:
        assert found == left
        return
    assert found.fix.change == KEPT
    assert (found.fix.advice or "").startswith("The statements of cause 1 write all files anew")
