"""`python -m tests.workloads.record FILE` writes what findings say of each made table, a line each.

Before the machinery behind findings is changed it says what they say now, and `diff` says
afterwards which of them changed.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from tests.workloads.corpus import PAIRS
from tests.workloads.lake import Tables, audit_pair
from tests.workloads.model import Pair
from tests.workloads.side_by_side import side_by_side


def recorded(pairs: Sequence[Pair]) -> list[str]:
    """The findings of pairs of one table, each as a line of JSON."""
    with tempfile.TemporaryDirectory() as directory:
        tables = Tables(Path(directory))
        return [
            json.dumps({"pair": pair.name, **asdict(finding)}, default=str, sort_keys=True)
            for pair in pairs
            for finding in audit_pair(pair, tables).findings
        ]


def main(file: str) -> None:
    """Writes all of them."""
    by_layout: dict[object, list[Pair]] = {}
    for pair in PAIRS.values():
        by_layout.setdefault(pair.layout, []).append(pair)
    lines = [line for some in side_by_side(recorded, by_layout.values()) for line in some]
    Path(file).write_text("".join(f"{line}\n" for line in sorted(lines)), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
