"""The least text after all that begin alike."""

from __future__ import annotations

import pytest

from prunescope.collectors.predicates.text_order import after_all_of

AFTER = [
    ("202603", "202604"),
    ("a9", "a:"),
    ("é", "ê"),
    ("a\ud7ff", "a\ue000"),
    ("a\U0010ffff", "b"),
    ("\U0010ffff", None),
    ("", None),
]


@pytest.mark.parametrize(("prefix", "after"), AFTER)
def test_it_is_the_least(prefix: str, after: str | None) -> None:
    assert after_all_of(prefix) == after
    if after is not None:
        assert f"{prefix}\U0010ffff".encode() < after.encode()
