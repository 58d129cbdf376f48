"""Grouping of messages that are alike."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

_LOCATION = re.compile(r"(?:[\w.+-]+://|(?<![^\s(])/)[^\s,;)]*")


def alike(told: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Names and messages. Of messages that differ in locations and in the name alone, only the
    first is yielded, under its name and the number of others."""
    groups: dict[str, list[tuple[str, str]]] = {}
    for name, message in told:
        groups.setdefault(_LOCATION.sub("", message.replace(name, "")), []).append((name, message))
    for (name, message), *others in groups.values():
        yield f"{name} and {len(others):,} more" if others else name, message
