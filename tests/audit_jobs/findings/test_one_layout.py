"""Whatever findings ask for and trials tell, a table gets one layout, and each byte is won once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from prunescope.audit_jobs.findings.choosing import ROW_GROUPS
from prunescope.audit_jobs.findings.model import KEPT, Change, Files, Finding, Wish
from prunescope.audit_jobs.findings.prescribing import prescribed
from prunescope.audit_jobs.findings.proposing import proposed, wish_of
from prunescope.audit_jobs.findings.trials import Tried
from prunescope.audit_jobs.findings.usage import TableUsage
from tests.audit_jobs.findings.usages import MONTH, days_before, partitioned
from tests.audit_jobs.findings.wishes import (
    BUCKETS,
    BY_BOTH,
    BY_ID,
    BY_MONTHS,
    BY_NAME,
    INSTEAD,
    MOVED,
    POINT,
    QUERIES,
    TO_DAYS,
    WITHOUT,
    asking,
    tried,
    usage,
)

BY_TIME = Change(order=("ts",), files=Files.ALL)
IN_MONTHS = usage(spec=BY_MONTHS, health=partitioned(12), history=days_before(7))
USAGES = (
    usage(),
    usage(in_order=True),
    IN_MONTHS,
    usage(spec=[(MONTH, "identity")], health=partitioned(12), history=days_before(7)),
    replace(IN_MONTHS, overwrites=2),
)
LAYOUTS = (BY_ID, BY_NAME, BY_TIME, BY_BOTH, BUCKETS, TO_DAYS, INSTEAD, WITHOUT, MOVED)
REWRITES = (
    Change(modes=(("name", "full"),), files=Files.ALL),
    Change(bloom_filters=(("id", 64),), files=Files.ALL, file_by_file=True),
    Change(row_group_bytes=64, files=Files.ALL, file_by_file=True),
    Change(files=Files.SMALL),
    Change(manifests=True),
    KEPT,
)
SPREAD = Wish(bytes_by_order=10 * POINT, any_columns=True)


@st.composite
def findings(draw: st.DrawFn) -> list[Finding]:
    """Some that ask for a layout, or will, and some that ask for something else."""
    found = []
    for number in range(draw(st.integers(1, 5))):
        about = draw(st.sets(st.sampled_from(QUERIES), max_size=2))
        points = draw(st.sampled_from([None, 0, 4, 10, 20]))
        change = draw(st.sampled_from((*LAYOUTS, *LAYOUTS, *REWRITES)))
        wishes = [None, Wish(fewer_files=True)]
        if change in (BY_ID, BY_NAME, BY_TIME):
            wishes.append(SPREAD)
        if change in (BUCKETS, INSTEAD, WITHOUT):
            wishes.append(Wish(withheld=change))
        wish = draw(st.sampled_from(wishes))
        if wish is not None and wish.withheld is not None:
            change = KEPT
        of = asking(
            change,
            *about,
            cause=f"c{number}",
            points=None if change in REWRITES and change != KEPT else points,
            wish=wish,
        )
        rewrite = draw(st.sampled_from([None, None, "id = ?"]))
        found.append(replace(of, fix=replace(of.fix, rewrite=rewrite)))
    return found


@dataclass(frozen=True)
class Night:
    """A table, its findings, and what is tried of all layouts that are proposed, or of most."""

    usage: TableUsage = field(repr=False)
    findings: list[Finding]
    tried: Mapping[Change, Tried] = field(repr=False)

    def told(self, some: list[Finding] | None = None) -> list[Finding]:
        return prescribed(self.usage, self.findings if some is None else some, self.tried)


@st.composite
def nights(
    draw: st.DrawFn, *, untried: float = 0.0, usages: Sequence[TableUsage] = USAGES
) -> Night:
    of, found = draw(st.sampled_from(usages)), draw(findings())
    seed = draw(st.integers(0, 1_000))
    known = {}
    for layout in {change.layout for change in proposed(of, found)}:
        drawn = Random(f"{seed}{layout!r}")  # noqa: S311  # no secret
        points = {name: drawn.choice([-20, -3, 0, 0, 2, 9, 15, 24]) for name in QUERIES}
        if drawn.random() >= untried:
            is_yet = drawn.random() < 0.2
            opening = drawn.choice([-5, 0, 25])
            known[layout] = tried(of, points, opening, is_worse_yet=is_yet)
    return Night(of, found, known)


def by_text(found: list[Finding]) -> list[str]:
    return sorted(map(repr, found))


@given(nights(untried=0.3))
def test_a_table_has_one_layout(night: Night) -> None:
    found = night.told()
    moving = {one.fix.change for one in found if one.fix.change.moves_rows}
    assert len(moving) <= 1
    rewriting = {one.fix.change for one in found if one.fix.change.files is Files.ALL}
    assert len(rewriting) <= 1
    for change in moving:
        known = night.tried.get(change.layout)
        assert known is None or not known.is_worse
        assert not (night.usage.overwrites and change.changes_fields)
        wished = {wish.layout for one in night.findings if (wish := wish_of(one)) is not None}
        assert known is not None or change.layout in wished


CHANGING = [replace(of, changing=frozenset({"id", "ts"})) for of in USAGES]


@given(nights(untried=0.3, usages=CHANGING))
def test_no_field_is_of_what_statements_change(night: Night) -> None:
    found = [one for one in night.told() if one.fix.change.acts]
    assert not any(name in ("id", "ts") for one in found for _, name in one.fix.change.added)


@given(nights())
def test_each_byte_is_won_once(night: Night) -> None:
    """What trials tell of: none of it is of conditions to write."""
    sure = [
        replace(one, fix=replace(one.fix, wish=replace(one.fix.wish, bytes_by_order=20 * POINT)))
        for one in night.findings
    ]
    found = [one for one in night.told(sure) if one.fix.change.moves_rows]
    total = sum(one.bytes_at_stake or 0 for one in found)
    for change in {one.fix.change.layout for one in found}:
        assert total <= max(0, night.tried[change].won) + len(found)
    for one in found:
        assert (one.bytes_at_stake or 0) <= one.bytes_read


@given(nights(untried=0.3), st.permutations(range(5)))
def test_findings_may_come_in_any_order(night: Night, places: list[int]) -> None:
    shuffled = [night.findings[place] for place in places if place < len(night.findings)]
    assert by_text(night.told(shuffled)) == by_text(night.told())


hidden = st.one_of(
    st.builds(
        lambda change, points: asking(change, "ids", points=points),
        st.sampled_from([*LAYOUTS, *REWRITES]),
        st.sampled_from([None, 90]),
    ),
    st.sampled_from(
        [
            asking(BY_ID, "ids", lost_at=ROW_GROUPS),
            asking(KEPT, wish=Wish(withheld=INSTEAD)),
            asking(KEPT, wish=Wish(keeps_files=True)),
            asking(REWRITES[1], "ids", columns=("id",), lost_at=ROW_GROUPS),
            asking(KEPT, "ids", cause="unclustered_column", columns=("id",)),
        ]
    ),
).map(lambda one: replace(one, suppressed="known"))


@given(nights(untried=0.3), hidden, st.integers(0, 5))
def test_suppressed_findings_change_nothing(night: Night, known: Finding, place: int) -> None:
    found = night.told([*night.findings[:place], known, *night.findings[place:]])
    assert known in found
    assert by_text([one for one in found if one.suppressed is None]) == by_text(night.told())


@given(nights(untried=0.3))
def test_who_asks_for_nothing_says_why(night: Night) -> None:
    before = {one.cause: one for one in night.findings}
    for one in night.told():
        was = before[one.cause]
        if wish_of(was) is not None and not one.fix.change.acts and not one.fix.wish.withheld:
            assert one.fix.advice != was.fix.advice
