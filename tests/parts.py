"""Parts of the files that have tests to run, about as large as each other, to run side by side."""

from __future__ import annotations

import re
from pathlib import Path

TESTS = Path(__file__).parent

_PART = re.compile(r"([1-9]\d*)/([1-9]\d*)", re.ASCII)
_PYTESTMARK = re.compile(r"^pytestmark = (?:\[.*?\]$|.*?$)", re.MULTILINE | re.DOTALL)
_WITHOUT = re.compile(r"not \w+(?: and not \w+)*", re.ASCII)


def files_of(part: str, marks: str = "") -> frozenset[Path]:
    """The files of part `1/2`, which is about as many bytes as the other, of those that have tests
    for the expression of `-m`. Raises ValueError for what is no part."""
    found = _PART.fullmatch(part)
    number, parts = map(int, found.groups()) if found else (1, 0)
    if number > parts:
        raise ValueError(f"{part} is no part: 1/2 and 2/2 are")
    unwanted = set(re.findall(r"not (\w+)", marks)) if _WITHOUT.fullmatch(marks) else set()
    sizes = {file: file.stat().st_size for file in TESTS.rglob("test_*.py")}
    if unwanted:  # to import a third of the files less takes a quarter off collecting
        sizes = {
            file: size
            for file, size in sizes.items()
            if unwanted.isdisjoint(marks_of_all(file.read_text()))
        }
    taken: list[list[Path]] = [[] for _ in range(parts)]
    loads = [0] * parts
    for file in sorted(sizes, key=lambda file: (-sizes[file], file)):
        least = loads.index(min(loads))
        taken[least].append(file)
        loads[least] += sizes[file]
    return frozenset(taken[number - 1])


def marks_of_all(text: str) -> frozenset[str]:
    """The marks that all tests of a file have: those of its `pytestmark`."""
    marked = _PYTESTMARK.search(text)
    return frozenset(re.findall(r"pytest\.mark\.(\w+)", marked[0]) if marked else ())
