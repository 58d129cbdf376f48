"""Spark event logs that grow: the work does so in proportion."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

from prunescope.collectors.observed import ObservedQuery
from prunescope.collectors.queries.spark import events
from prunescope.collectors.storage.files import Storage
from tests.collectors.queries.spark.logs import all_queries, encoded, read_files
from tests.log_growth import SHAPES, TEXTS, doubled
from tests.steps import grows_in_proportion, steps

_CHARACTERS = 4_000_000
"""Of a text in a log, of which a regular expression that tries every pair would never end."""


@pytest.mark.parametrize("shape", SHAPES)
def test_twice_the_log_is_twice_the_work(shape: str, tmp_path: Path) -> None:
    def steps_of(size: int) -> int:
        log = tmp_path / f"app-{size}"
        log.write_bytes(encoded(SHAPES[shape](size)))
        return steps(lambda: read_files(log))

    assert grows_in_proportion(steps_of, 150)


@pytest.mark.parametrize("shape", TEXTS)
def test_long_texts_are_read_to_their_end(shape: str, tmp_path: Path) -> None:
    log = tmp_path / "app-1"
    log.write_bytes(encoded(TEXTS[shape](_CHARACTERS)))
    assert len(read_files(log)) == 1


def test_of_functions_that_double_a_condition_it_is_hidden(tmp_path: Path) -> None:
    log = tmp_path / "app-1"
    log.write_bytes(encoded(doubled(60)))
    (query,) = all_queries(read_files(log))
    assert [scan.row_filter.is_shown for scan in query.scans] == [False]
    log.write_bytes(encoded(doubled(3)))
    (query,) = all_queries(read_files(log))
    assert [scan.row_filter.is_shown for scan in query.scans] == [True]


def test_executions_that_never_end_are_held_in_bounded_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(events, "MOST_OPEN", 10)
    log = tmp_path / "app-1"
    log.write_bytes(encoded(SHAPES["never_ended"](30)))
    found = events.read_spark_log([str(log)], Storage())
    early = list(islice(found, 20))
    assert [r.query_id for r in early if isinstance(r, ObservedQuery)] == [
        f"app-1/{number}" for number in range(20)
    ]
    assert len(list(found)) == 10
