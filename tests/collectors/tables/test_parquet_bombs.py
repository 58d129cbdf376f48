"""Parquet files of which little stands for much are read, or left unknown, in bounded memory and
time."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from prunescope.collectors.partitioning import PartitionSpec
from prunescope.collectors.statistics import Wanted
from prunescope.collectors.tables.evidence import plan_evidence, read_evidence
from prunescope.collectors.tables.footers import FooterUnreadable, read_footers, row_group_batch
from prunescope.collectors.tables.pages import read_pages
from prunescope.collectors.tables.row_samples import RowsOfFile, RowsRefused, rows_of_files
from tests.bounded import MEMORY, SECONDS, bounded
from tests.collectors.tables.parquet_bombs import BOMBS
from tests.footers import parquet_file

pytestmark = [pytest.mark.slow, pytest.mark.exhaustive]

KEYS = ((1, "string"), (1, "long"))


def write(made: Callable[[], bytes], path: Path) -> None:
    path.write_bytes(made())


def inside(path: Path) -> str:
    """All that an audit reads of what is inside of a file, but for rows."""
    file = parquet_file(str(path), KEYS)
    (footer,) = read_footers([file])
    if isinstance(footer, FooterUnreadable):
        return footer.cause
    batch = row_group_batch([(footer, {})], PartitionSpec(0, ()), KEYS, ())
    every = np.ones(len(batch.records), np.bool_)
    files = [(file, footer)]
    evidence = plan_evidence(files, {key: Wanted(every, every) for key in KEYS})
    dictionaries, filters = read_evidence(files, evidence, len(every))
    pages = read_pages(files, KEYS, every)
    return (
        f"{len(every)} row groups, {len(pages.records)} pages, "
        f"{len(dictionaries)} dictionaries, {len(filters)} filters"
    )


def rows(path: Path) -> str:
    """What is told of sampled rows."""
    (found,) = rows_of_files([parquet_file(str(path), KEYS)], seed=1)
    match found:
        case RowsOfFile():
            return f"{found.rows.count} rows"
        case RowsRefused():
            return found.why
        case None:
            return "not read"


REFUSED = {
    "a_long_text_in_a_dictionary": "takes more than 64 MiB",
    "long_texts_that_share_their_start": "takes more than 64 MiB",
    "wide_nulls": "takes more than 256 MiB",
    "two_billion_nulls": "larger in memory than in the file",
    "less_wide_nulls": "takes more than 256 MiB",
    "a_page_of_more_values_than_rows": "not one value for each row",
}
"""Why rows are not sampled."""


@pytest.mark.parametrize("read", [inside, rows])
@pytest.mark.parametrize("made", [pytest.param(one, id=name) for name, one in BOMBS.items()])
def test_it_ends_soon(
    made: Callable[[], bytes], read: Callable[[Path], str], tmp_path: Path
) -> None:
    path = tmp_path / "f.parquet"
    ended = bounded(read, path, before=partial(write, made, path))
    assert ended.code == "", ended
    assert ended.seconds < SECONDS
    if read is rows and made.__name__ in REFUSED:
        assert REFUSED[made.__name__] in ended.result
        assert "f.parquet" in ended.result


def test_many_files_of_large_footers_are_not_held_together(tmp_path: Path) -> None:
    """Reads 100 files of 50 MB, which are links to one."""
    first = tmp_path / "f.parquet"
    first.write_bytes(BOMBS["a_note_of_50_megabytes"]())
    paths = [tmp_path / f"{number}.parquet" for number in range(100)]
    for path in paths:
        path.hardlink_to(first)
    ended = bounded(footers_read, list(map(str, paths)), memory=3 * MEMORY)
    assert ended.code == "", ended
    read, unread = ended.result
    assert read > 5
    assert read + unread == len(paths)


def footers_read(paths: list[str]) -> tuple[int, int]:
    found = list(read_footers([parquet_file(path, KEYS) for path in paths]))
    unread = sum(isinstance(one, FooterUnreadable) for one in found)
    return len(found) - unread, unread
