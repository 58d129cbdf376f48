"""What a comparison with an engine found, in numbers: printed, and as a table of the documentation.

PRUNESCOPE_COMPARED names a file that gets a line of JSON per comparison, in whatever order tests
side by side end; `python -m tests.differential.summary FILE docs/differential.md` prints them, and
writes that page's table of it.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

_FILE = "PRUNESCOPE_COMPARED"
_BEGIN = "<!-- begin: make differential -->"
_END = "<!-- end: make differential -->"
_ENGINES = (
    "Iceberg",
    "Trino",
    "Spark",
    "PyIceberg",
    "Polars",
    "DuckDB",
    "DataFusion",
    "ClickHouse",
)
"""In the order of the table; versions of one come as they are told."""
_COLUMNS = ("tables", "scans", "refused", "equal", "explained", "unexplained", "over_pruned")
_TITLES = (
    "engine", "tables", "scans", "it fails to plan", "equal in everything", "explained",
    "unexplained", "over-pruned",
)  # fmt: skip


@dataclass(frozen=True)
class Summary:
    """Numbers of scans of one version of an engine; `refused` ones are not among the `scans`."""

    engine: str
    version: str
    tables: int
    scans: int
    refused: int
    equal: int
    explained: int
    unexplained: int
    over_pruned: int


def tell(summary: Summary, differences: Counter[str]) -> None:
    """Print it, with the scans of each named difference, and keep it where that is asked for."""
    _print(summary, differences)
    if path := os.environ.get(_FILE):
        with Path(path).open("a") as file:
            file.write(json.dumps([asdict(summary), differences]) + "\n")


def _print(summary: Summary, differences: Counter[str]) -> None:
    lines = [
        f"{summary.engine} {summary.version}",
        *(
            f"{getattr(summary, column):7} {title}"
            for column, title in zip(_COLUMNS, _TITLES[1:], strict=True)
        ),
        *(f"{count:7} {name}" for name, count in differences.most_common()),
    ]
    sys.stdout.write("\n" + "\n".join(lines) + "\n")


def table(summaries: Iterable[Summary]) -> str:
    """As Markdown, in the order given."""
    rows = [
        (
            f"{summary.engine} {summary.version}",
            *(f"{getattr(summary, column):,}" for column in _COLUMNS),
        )
        for summary in summaries
    ]
    return "\n".join(f"| {' | '.join(row)} |" for row in (_TITLES, ("---",) * len(_TITLES), *rows))


def with_table(page: str, summaries: Iterable[Summary]) -> str:
    """The page with its table written anew. ValueError: the page has no place for it."""
    place = re.compile(f"{re.escape(_BEGIN)}.*?{re.escape(_END)}", re.DOTALL)
    if not place.search(page):
        raise ValueError(f"no {_BEGIN} … {_END} in the page")
    return place.sub(lambda _: f"{_BEGIN}\n{table(summaries)}\n{_END}", page)


def main(found: str, page: str) -> None:
    """Print a file of comparisons, and write the table of it into a page."""
    told = [json.loads(line) for line in Path(found).read_text().splitlines()]
    told.sort(key=lambda one: _ENGINES.index(one[0]["engine"]))
    for summary, differences in told:
        _print(Summary(**summary), Counter(differences))
    summaries = [Summary(**summary) for summary, _ in told]
    Path(page).write_text(with_table(Path(page).read_text(), summaries))


if __name__ == "__main__":
    main(*sys.argv[1:])
