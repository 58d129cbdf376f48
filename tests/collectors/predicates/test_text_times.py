"""Texts of times, by their pattern, as texts that sort as the times do."""

from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prunescope.collectors.predicates.text_times import sortable, sortable_number

PATTERNS = (
    "%Y-%m-%d",
    "%Y%m%d",
    "%d.%m.%Y",
    "%m/%d/%Y",
    "%Y-%m",
    "%Y%m%d%H",
    "%Y-%m-%d-%H",
    "%Y-%m-%d %H:%M:%S",
)
_COARSEST = {"%H": dt.timedelta(hours=1), "%d": dt.timedelta(days=1)}
_TIMES = st.datetimes(dt.datetime(1000, 1, 1), dt.datetime(9999, 12, 31))


@given(pattern=st.sampled_from(PATTERNS), first=_TIMES, second=_TIMES)
def test_texts_sort_as_the_times_that_they_stand_for(
    pattern: str, first: dt.datetime, second: dt.datetime
) -> None:
    texts = [time.strftime(pattern) for time in (first, second)]
    meant = [dt.datetime.strptime(text, pattern) for text in texts]  # no zone
    found = [sortable(text, pattern) for text in texts]
    assert found == [time.isoformat(" ", "seconds") for time in meant]
    assert (found[0] < found[1]) == (meant[0] < meant[1])  # type: ignore[operator]


@pytest.mark.parametrize(
    ("text", "pattern"),
    [
        ("2026-1-31", "%Y-%m-%d"),
        ("2026-01-31 ", "%Y-%m-%d"),
        ("2026-02-30", "%Y-%m-%d"),
        ("2026-13", "%Y-%m"),
        ("26-01-31", "%Y-%m-%d"),
        ("20260131", "%Y-%m-%d"),
        ("31.01.2026", "%m.%d.%Y"),
        ("2026-01-31-24", "%Y-%m-%d-%H"),
        ("٢٠٢٦-01-31", "%Y-%m-%d"),
        ("0999-01-31", "%Y-%m-%d"),
        ("__HIVE_DEFAULT_PARTITION__", "%Y-%m-%d"),
        ("", "%Y-%m-%d"),
    ],
)
def test_texts_of_another_form_stand_for_nothing(text: str, pattern: str) -> None:
    assert sortable(text, pattern) is None


@given(st.integers(0, 10**15 - 1), st.integers(0, 10**15 - 1), st.integers(0, 3))
def test_digits_sort_as_numbers(first: int, second: int, zeros: int) -> None:
    texts = "0" * zeros + str(first), str(second)
    found = [sortable_number(text) for text in texts]
    if len(texts[0]) <= 15:
        assert (found[0] < found[1]) == (first < second)  # type: ignore[operator]
        assert (found[0] == found[1]) == (first == second)


@pytest.mark.parametrize("text", ["", "-1", "+1", " 1", "1.0", "1e3", "x", "9" * 16, "٣"])
def test_other_texts_are_no_numbers(text: str) -> None:
    assert sortable_number(text) is None
