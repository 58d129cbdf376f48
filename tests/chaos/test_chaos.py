"""A small draw of `make chaos`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext
from pathlib import Path

import pytest

from tests.chaos.bomb_faults import BOMB_FAULTS
from tests.chaos.damage import Rows
from tests.chaos.disk_faults import fill_the_disk
from tests.chaos.drivers import Drivers, waiting_drivers
from tests.chaos.fault_runs import by_limited_workers, by_spark, in_process, meet, truth_of
from tests.chaos.kills import kill_forked_drivers, kill_whole_jobs
from tests.chaos.lake import Lake, make_lake
from tests.chaos.log_faults import LOG_FAULTS
from tests.chaos.memory_faults import MEMORY_FAULTS, limited_workers
from tests.chaos.moments import AfterSeconds, AtCommit, AtStage, AtWrite, Moment
from tests.chaos.publication import Extent, Outcome, Publication, publish_in_peace
from tests.chaos.service_faults import CATALOG_FAULTS, STORE_FAULTS
from tests.chaos.table_faults import TABLE_FAULTS
from tests.object_store import PROGRAM

pytestmark = [pytest.mark.slow(minutes=3), pytest.mark.exhaustive]

# Each fault is met once: logs are bounded in memory, which is limited in one process alone, and
# tables and stores are read by Spark's workers. `make chaos` has both meet what they can.
FAULTS = {
    "in-process": (*CATALOG_FAULTS, *LOG_FAULTS),
    "spark": (*TABLE_FAULTS, *BOMB_FAULTS, *STORE_FAULTS),
}


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Lake:
    return make_lake(tmp_path_factory.mktemp("chaos") / "lake")


@pytest.fixture(scope="module")
def truth(lake: Lake, tmp_path_factory: pytest.TempPathFactory) -> Rows:
    return truth_of(lake, tmp_path_factory.mktemp("chaos") / "truth")


@pytest.fixture(scope="module")
def publication(lake: Lake, tmp_path_factory: pytest.TempPathFactory) -> Publication:
    return publish_in_peace(lake, tmp_path_factory.mktemp("chaos") / "audit")


@pytest.fixture(scope="module")
def drivers(publication: Publication) -> Iterator[Drivers]:
    with waiting_drivers(publication) as waiting:
        yield waiting


def unexpected(outcomes: Iterable[Outcome]) -> list[Outcome]:
    found = list(outcomes)
    assert any(outcome.injected for outcome in found)
    return [outcome for outcome in found if not outcome.as_expected]


def test_a_driver_that_is_killed_leaves_a_whole_run(
    publication: Publication, drivers: Drivers
) -> None:
    assert unexpected(kill_forked_drivers(publication, drivers, moments(publication.extent))) == []


def moments(extent: Extent) -> list[Moment]:
    """Before or after each commit, at some files, and some time or other: ten, after which a run is
    left alone."""
    commits = [AtCommit(number, number % 2 == 0) for number in range(1, extent.commits + 1)]
    writes = [AtWrite(number) for number in range(2, extent.files, extent.files // 2)]
    found: list[Moment] = [*commits, *writes]
    return [*found, *(AfterSeconds(0.2 * n) for n in range(1, 11 - len(found)))]


def test_a_job_that_is_killed_with_all_its_processes_leaves_a_whole_run(
    publication: Publication,
) -> None:
    assert unexpected(kill_whole_jobs(publication, [AtStage("Publishing", 0.3)])) == []


def test_a_full_disk_leaves_a_whole_run(publication: Publication, drivers: Drivers) -> None:
    sizes = (1 << 12, 1 << 13, 3 << 13)
    assert unexpected(fill_the_disk(publication, drivers, mounted=False, sizes=sizes)) == []


@pytest.mark.parametrize("how", FAULTS)
def test_one_bad_table_log_or_service_stops_nothing_else(
    lake: Lake, truth: Rows, tmp_path: Path, how: str, require_program: Callable[[str], Path]
) -> None:
    require_program(PROGRAM)
    with nullcontext(in_process) if how == "in-process" else by_spark(tmp_path / "session") as run:
        assert unexpected(meet(FAULTS[how], lake, truth, tmp_path / "all", run)) == []


def test_a_table_that_ends_workers_is_set_aside(lake: Lake, truth: Rows, tmp_path: Path) -> None:
    with limited_workers(tmp_path) as limited:
        if limited is None:
            pytest.skip("no control group can be made here")
        run = by_limited_workers(limited)
        assert unexpected(meet(MEMORY_FAULTS, lake, truth, tmp_path / "all", run)) == []
        assert limited.kills() > 0
