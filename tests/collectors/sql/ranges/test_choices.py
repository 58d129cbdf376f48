"""Choices among values: what engines choose of single values is in the set of what they may choose
of sets of values."""

from __future__ import annotations

import itertools
import random

import pytest

from prunescope.collectors.sql.functions.spans import NOTHING, Span, numbers_of
from prunescope.collectors.sql.ranges.choices import extreme
from prunescope.collectors.sql.ranges.truths import Evaluate
from tests.unseen_forms.containers import predicate_of

Values = tuple[int | None, ...]


def chosen(values: Values, *, is_least: bool, skips_null: bool) -> int | None:
    """The least or the greatest of single values, as engines have it."""
    present = [value for value in values if value is not None]
    if not present or (len(present) < len(values) and not skips_null):
        return None
    return min(present) if is_least else max(present)


def span_of(values: Values) -> Span:
    present = [value for value in values if value is not None]
    if not present:
        return NOTHING
    return Span(min(present), max(present), null=None in values)


def _is_in(span: Span, value: int | None) -> bool:
    if value is None:
        return span.null
    ends = numbers_of(span)
    return ends is not None and ends[0] <= value <= ends[1]


def _told(span: Span | None) -> Evaluate:
    return lambda _given: span


@pytest.mark.parametrize("is_least", [True, False])
@pytest.mark.parametrize("skips_null", [True, False, None])
@pytest.mark.parametrize("is_known", [True, False])
def test_an_extreme_is_within_what_sets_leave(
    is_least: bool, skips_null: bool | None, is_known: bool
) -> None:
    source = random.Random(7)  # noqa: S311  # samples
    for _ in range(300):
        sets = [source.sample([None, 1, 2, 3, 4, 5], source.randrange(1, 4)) for _ in range(3)]
        spans = [span_of(tuple(each)) for each in sets]
        parts: list[Span | None] = [*spans[:2], spans[2] if is_known else None]
        each = [_told(part) for part in parts]
        found = extreme(each, is_least=is_least, skips_null=skips_null)({})
        if found is None:
            continue
        for values in itertools.product(*sets):
            for skips in (True, False) if skips_null is None else (skips_null,):
                value = chosen(values, is_least=is_least, skips_null=skips)
                assert _is_in(found, value), (parts, values, found)


def test_a_condition_that_leaves_null_of_another_column_does_not_rule_this_out() -> None:
    columns = {"n": "long", "n2": "long"}
    beside = "(n2 IS NULL OR n2 BETWEEN 5 AND 7)"
    with_null = predicate_of(f"{beside} AND coalesce(n2, n) = 9", "spark", "UTC", columns)
    without = predicate_of("n2 BETWEEN 5 AND 7 AND coalesce(n2, n) = 9", "spark", "UTC", columns)
    assert "value=False" in repr(without)
    assert "value=False" not in repr(with_null)
