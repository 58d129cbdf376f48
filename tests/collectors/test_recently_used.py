"""A mapping of bounded size."""

from __future__ import annotations

from prunescope.collectors.recently_used import Recent


def test_what_was_not_used_for_the_longest_time_is_forgotten() -> None:
    recent: Recent[str, int] = Recent(2)
    recent.put("a", 1)
    recent.put("b", 2)
    assert recent.get("a") == 1
    recent.put("c", 3)
    assert (recent.get("a"), recent.get("b"), recent.get("c")) == (1, None, 3)
    assert len(recent) == 2
