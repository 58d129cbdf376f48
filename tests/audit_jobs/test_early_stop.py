"""When LIMIT ends a query early."""

from __future__ import annotations

import pytest

from prunescope.audit_jobs.early_stop import enough_rows, part_read, share_matching, stops_early
from prunescope.collectors.needed_rows import AnyRows, Extremes, FirstRows


@pytest.mark.parametrize(
    ("sampled", "by_bounds", "most", "share"),
    [
        (0.1, 0.5, 0.2, 0.1),
        (0.0, 0.01, 0.02, 0.01),
        (0.0, 0.5, 0.02, 0.02),
        (0.0, None, 0.02, 0.02),
        (0.0, None, None, None),
        (None, 0.3, None, 0.3),
        (None, None, None, None),
    ],
)
def test_rows_that_are_sampled_say_more_than_bounds(
    sampled: float | None, by_bounds: float | None, most: float | None, share: float | None
) -> None:
    assert share_matching(sampled, by_bounds, most) == share


@pytest.mark.parametrize(
    ("enough", "matching", "part", "stops"),
    [
        (None, 100.0, 1.0, False),
        (10, None, 1.0, False),
        (10, 1_000.0, 0.01, True),
        (50, 100.0, 0.5, True),
        (51, 100.0, 0.51, False),
        (1, 0.0, 1.0, False),
        (0, 0.0, 0.0, True),
        (500, 100.0, 1.0, False),
    ],
)
def test_as_much_is_read_as_has_enough_rows(
    enough: int | None, matching: float | None, part: float, stops: bool
) -> None:
    assert part_read(enough, matching) == part
    assert stops_early(part) is stops


def test_only_limit_without_an_order_stops_and_nothing_that_is_written() -> None:
    assert enough_rows(AnyRows(7), {"limit"}) == 7
    assert enough_rows(AnyRows(7), {"limit", "write"}) is None
    assert enough_rows(FirstRows("a", 7, False, False), ()) is None
    assert enough_rows(Extremes(("a",)), ()) is None
    assert enough_rows(None, ()) is None
