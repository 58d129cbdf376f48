"""What a query loses, divided among the causes of its conditions."""

from __future__ import annotations

import pytest

from prunescope.audit_jobs.findings.attribution import query_claims
from prunescope.audit_jobs.records import ConjunctRecord
from prunescope.collectors.predicates.model import all_of, any_of
from prunescope.collectors.predicates.operators import Op
from tests.audit_jobs.findings.usages import (
    AT,
    FILE,
    ID,
    NAME,
    TIMES,
    TS,
    Night,
    compared,
    micros,
    part,
    scan,
)

_FROM = part(compared(TS, Op.GT_EQ, micros("2024-11-01")), pushed=False, pruned=500)
_UNTIL = part(compared(TS, Op.LT, micros("2024-12-01")), pushed=False, pruned=400)
_AT = part(compared(AT, Op.GT_EQ, micros("2024-11-01")), pushed=False, pruned=600)
_BEGINS = part(compared(NAME, Op.STARTS_WITH, b"e-3"), pushed=False, pruned=700)
_SHORTER = part(compared(NAME, Op.STARTS_WITH, b"e-"), pushed=False, pruned=300)
_LIST = part(compared(ID, Op.IN, *range(260)), reason="in_list_too_long")
_UNWANTED = part(compared(NAME, Op.NOT_EQ, b"done"), reason="not_equal")
_EITHER = part(
    any_of(
        compared(ID, Op.EQ, 7),
        all_of(compared(TS, Op.GT_EQ, 7), compared(TS, Op.LT, micros("2024-02-01"))),
    ),
    pushed=False,
    pruned=800,
)
_USED = part(compared(NAME, Op.EQ, b"x"), pruned=900)

WON = {
    "one cause has all": ([_FROM], 100, {"wrapped_column": 900}),
    "of two columns as well": ([_FROM, _AT], 100, {"wrapped_column": 900}),
    "each has what it wins by itself, the largest first": (
        [_FROM, _BEGINS],
        100,
        {"like_without_prefix": 700, "wrapped_column": 200},
    ),
    "the two ends of a range rule out other files": (
        [_FROM, _UNTIL, _BEGINS],
        20,
        {"wrapped_column": 900, "like_without_prefix": 80},
    ),
    "ranges of two columns may rule out the same": (
        [_FROM, _AT, _BEGINS],
        100,
        {"like_without_prefix": 700, "wrapped_column": 200},
    ),
    "so may two beginnings": (
        [_SHORTER, _BEGINS, _FROM],
        150,
        {"like_without_prefix": 700, "wrapped_column": 150},
    ),
    "nobody has more than is lost": ([_FROM, _BEGINS], 400, {"like_without_prefix": 600}),
    "a list has what is left": ([_FROM, _LIST], 30, {"wrapped_column": 500, "long_in_list": 470}),
    "so has what is not wanted": (
        [_FROM, _UNWANTED],
        30,
        {"wrapped_column": 500, "negated_condition": 470},
    ),
    "an OR of several columns": (
        [_EITHER, _BEGINS],
        60,
        {"or_across_columns": 800, "like_without_prefix": 140},
    ),
    "what an engine uses is nobody's": ([_USED, _FROM], 100, {"wrapped_column": 900}),
    "nothing is lost": ([_FROM, _BEGINS], 1_000, {}),
}


@pytest.mark.parametrize("name", WON)
def test_causes_have_what_their_conditions_win(name: str) -> None:
    parts, allowed, expected = WON[name]
    assert _won(parts, allowed) == {cause: TIMES * n * FILE for cause, n in expected.items()}


def test_what_a_cause_has_does_not_depend_on_the_order_of_conditions() -> None:
    parts = [_FROM, _UNTIL, _BEGINS, _LIST]
    assert _won(parts, 20) == _won(parts[::-1], 20)


def _won(parts: list[ConjunctRecord], allowed: int) -> dict[str, int]:
    usage = Night((scan(*parts, allowed=allowed),)).usage
    (group,) = usage.groups
    return {cause: claim.bytes_won for cause, claim in query_claims(usage, group).items()}
