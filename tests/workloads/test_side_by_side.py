"""Work in several processes."""

from __future__ import annotations

import pytest

from tests.workloads.side_by_side import side_by_side

pytestmark = pytest.mark.slow


def test_results_come_in_order_and_what_is_raised_comes_through() -> None:
    assert list(side_by_side(abs, range(-9, 0))) == list(range(9, 0, -1))
    with pytest.raises(ValueError, match="invalid literal"):
        list(side_by_side(int, ["1", "one"]))
