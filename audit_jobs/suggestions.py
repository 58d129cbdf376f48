"""What somebody may have meant by a name that is not known."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from zoneinfo import available_timezones

_MOST = 12
"""Names that are listed."""


def suggestion(name: str, known: Iterable[str]) -> str:
    """The name that is like it, or the names that there are."""
    names = list(known)
    close = get_close_matches(name, names, 1)
    return f"did you mean {close[0]}?" if close else f"known: {listed(names)}"


def zone_suggestion(name: str, such_as: str) -> str:
    """The same for a time zone, in whatever case; without one like it, some that there are."""
    by_lower = {zone.lower(): zone for zone in available_timezones()}
    close = get_close_matches(name.lower(), sorted(by_lower), 1)
    return f"did you mean {by_lower[close[0]]}?" if close else f"write one such as {such_as}"


def table_suggestion(glob: str, tables: Sequence[str]) -> str:
    """The same for a glob over `catalog.namespace.table`: of a table that is named by its last
    parts, the whole name."""
    ends = [table for table in tables if table.casefold().endswith(f".{glob.casefold()}")]
    if 0 < len(ends) <= _MOST:
        return f"did you mean {' or '.join(ends)}?"
    return suggestion(glob, tables)


def listed(names: Sequence[str]) -> str:
    """The first of the names, and how many more there are."""
    more = f", and {len(names) - _MOST:,} more" if len(names) > _MOST else ""
    return (", ".join(names[:_MOST]) or "none") + more
