"""Parts of all test files: about as large as each other, for runs side by side."""

from __future__ import annotations

import re
from pathlib import Path

TESTS = Path(__file__).parent


_PART = re.compile(r"([1-9]\d*)/([1-9]\d*)", re.ASCII)


def files_of(part: str) -> frozenset[Path]:
    """The files of part `1/2`, of every second one by size. Raises ValueError for what is none."""
    found = _PART.fullmatch(part)
    number, parts = map(int, found.groups()) if found else (1, 0)
    if number > parts:
        raise ValueError(f"{part} is no part: 1/2 and 2/2 are")
    files = sorted(TESTS.rglob("test_*.py"), key=lambda file: (file.stat().st_size, file))
    return frozenset(files[number - 1 :: parts])
