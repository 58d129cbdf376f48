"""Parts of the files that have tests to run, about as large as each other, to run side by side."""

from __future__ import annotations

import re
from pathlib import Path

TESTS = Path(__file__).parent

_PART = re.compile(r"([1-9]\d*)/([1-9]\d*)", re.ASCII)
_PYTESTMARK = re.compile(r"^pytestmark = (?:\[.*?\]$|.*?$)", re.MULTILINE | re.DOTALL)
_WITHOUT = re.compile(r"not \w+(?: and not \w+)*", re.ASCII)


def files_of(part: str, marks: str = "") -> frozenset[Path]:
    """The files of part `1/2`, of every second one by size, of those that have tests for the
    expression of `-m`. Raises ValueError for what is no part."""
    found = _PART.fullmatch(part)
    number, parts = map(int, found.groups()) if found else (1, 0)
    if number > parts:
        raise ValueError(f"{part} is no part: 1/2 and 2/2 are")
    unwanted = set(re.findall(r"not (\w+)", marks)) if _WITHOUT.fullmatch(marks) else set()
    files = sorted(TESTS.rglob("test_*.py"), key=lambda file: (file.stat().st_size, file))
    if unwanted:  # to import a third of the files less takes a quarter off collecting
        files = [file for file in files if unwanted.isdisjoint(marks_of_all(file.read_text()))]
    return frozenset(files[number - 1 :: parts])


def marks_of_all(text: str) -> frozenset[str]:
    """The marks that all tests of a file have: those of its `pytestmark`."""
    marked = _PYTESTMARK.search(text)
    return frozenset(re.findall(r"pytest\.mark\.(\w+)", marked[0]) if marked else ())
