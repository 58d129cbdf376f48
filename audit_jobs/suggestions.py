"""Suggestions for names that are not known."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from glob import has_magic
from pathlib import Path

from prunescope.collectors.storage.locations import local_path

_MOST = 12
"""Names that are listed."""


def suggestion(name: str, known: Iterable[str]) -> str:
    """The known name that is like `name`, or the known names."""
    names = list(known)
    close = get_close_matches(name, names, 1)
    return f"did you mean {close[0]}?" if close else f"known: {listed(names)}"


def zone_suggestion(name: str, such_as: str) -> str:
    """The time zone whose name is like `name`, in any case; without one, examples (`such_as`)."""
    from zoneinfo import available_timezones  # noqa: PLC0415  # not always needed

    by_lower = {zone.lower(): zone for zone in available_timezones()}
    close = get_close_matches(name.lower(), sorted(by_lower), 1)
    return f"did you mean {by_lower[close[0]]}?" if close else f"write one such as {such_as}"


def table_suggestion(glob: str, tables: Sequence[str]) -> str:
    """The table whose name is like a glob over `catalog.namespace.table`: its whole name if the
    glob has only the last parts."""
    ends = [table for table in tables if table.casefold().endswith(f".{glob.casefold()}")]
    if 0 < len(ends) <= _MOST:
        return f"did you mean {' or '.join(ends)}?"
    if glob.endswith(".*"):
        return suggestion(glob, dict.fromkeys(f"{table.rpartition('.')[0]}.*" for table in tables))
    return suggestion(glob, tables)


def path_suggestion(location: str) -> str:
    """The folder of a path, or of a glob, that lacks a name, and its similar names, if no file
    matches; empty if that tells nothing more."""
    path = local_path(location)
    if path is None:
        return ""
    missing = Path(path).absolute()
    while not missing.parent.exists():
        missing = missing.parent
    if missing.exists() or has_magic(missing.name):
        return ""
    try:
        close = get_close_matches(missing.name, [p.name for p in missing.parent.iterdir()], 1)
    except OSError:
        close = []
    more = f"; did you mean {close[0]}?" if close else ""
    return f": {missing.parent} has no {missing.name}{more}"


def listed(names: Sequence[str]) -> str:
    """The first names, and the number of others."""
    more = f", and {len(names) - _MOST:,} more" if len(names) > _MOST else ""
    return (", ".join(names[:_MOST]) or "none") + more
