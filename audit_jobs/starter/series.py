"""Files that one writer made, by their names, and patterns that match some files and no others."""

from __future__ import annotations

import glob
import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from fnmatch import fnmatchcase
from typing import TypeVar

_EACH = 8
"""Files that are looked into of a series, from its first to its last."""
_MOST = 64
"""Files of a path that are looked into where it has several series."""
_NUMBERED = re.compile(r"\w*\d\w*")

_Item = TypeVar("_Item")


def series_of(files: Sequence[str]) -> list[list[str]]:
    """Files by the series of their names: names of one series differ only in words with digits, as
    in a date, a number or an id."""
    series: dict[str, list[str]] = {}
    for file in files:
        series.setdefault(_NUMBERED.sub("*", file), []).append(file)
    return list(series.values())


def some_of(series: Sequence[Sequence[str]]) -> list[list[str]]:
    """The files of each series that are worth a look: those of all, if there are not too many."""
    each = max(1, min(_EACH, _MOST // len(series)))
    kept = set(_spread(range(len(series)), _MOST))
    return [_spread(one, each) if number in kept else [] for number, one in enumerate(series)]


def more_of(series: Sequence[str], looked: Collection[str]) -> list[str]:
    """Further files of a series that has files of several kinds."""
    return [file for file in series if file not in looked][:_MOST]


def _spread(items: Sequence[_Item], most: int) -> list[_Item]:
    """At most a given number of items, from the first to the last."""
    count = min(most, len(items))
    return [items[number * (len(items) - 1) // max(1, count - 1)] for number in range(count)]


def patterns(chosen: Collection[str], files: Sequence[str]) -> tuple[str, ...]:
    """Paths that match the chosen ones of some files, and none of the others: folders that have no
    others, a glob for a series in a folder that has, and else files. Files that are written later
    are matched by folders and globs as well."""
    among, within = (
        Counter(f for file in some for f in _folders(file)) for some in (files, chosen)
    )
    found: dict[str, None] = {}
    for series in series_of([file for file in files if file in chosen]):
        alone = [
            next((folder for folder in _folders(file) if among[folder] == within[folder]), None)
            for file in series
        ]
        shape = _glob(series)
        others = (file for file in files if file not in chosen)
        if None not in alone:
            found.update(dict.fromkeys(glob.escape(folder) for folder in alone if folder))
        elif not any(fnmatchcase(file, shape) for file in others):
            found[shape] = None
        else:
            found.update(dict.fromkeys(map(glob.escape, series)))
    return tuple(found)


def _folders(file: str) -> Iterator[str]:
    """The folders of a file, the outermost first."""
    start = file.find("://") + 3 if "://" in file else 1
    while (start := file.find("/", start) + 1) > 0:
        yield file[: start - 1]


def _glob(series: Sequence[str]) -> str:
    """A pattern of a series: `*` in place of words with digits, but for folders that all have."""
    parts = list(zip(*(file.split("/") for file in series), strict=True))
    folders = (
        glob.escape(part[0]) if len(set(part)) == 1 else _starred(part[0]) for part in parts[:-1]
    )
    return "/".join([*folders, _starred(parts[-1][0])])


def _starred(part: str) -> str:
    return "*".join(map(glob.escape, _NUMBERED.split(part)))
