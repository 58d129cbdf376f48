"""What every test may rely on: Hypothesis profiles, sample data and external programs."""

import gc
import os
import shutil
import sys
from collections.abc import Callable, Generator
from importlib import import_module
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any, NoReturn

import pytest
from hypothesis import HealthCheck, settings

from tests import class_data
from tests.parts import files_of
from tests.sampled import few_cases

IN_CI = "CI" in os.environ

_OF_ONE_SERVER = {"tests/differential/trino"}
_FILES = pytest.StashKey[frozenset[Path]]()

# Executors must run the interpreter of the tests, not the first python3 on the PATH.
os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
class_data.share()

# Evaluating arrays of random sizes takes uneven time, so no profile has a deadline, and none fails
# where drawing them is slow, as on a busy machine. CI draws more examples, and the same ones for
# the same code, so that a change fails for what it changed: `make fuzz` and every developer's
# machine look for new ones.
untimed = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("default", untimed, max_examples=10)
settings.register_profile("ci", untimed, max_examples=50, derandomize=True)
settings.register_profile("fuzz", untimed, max_examples=20_000, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci" if IN_CI else "default"))


def pytest_addoption(parser: pytest.Parser) -> None:
    """Tests must not need each other: they run in any order, that of a seed being the same on every
    worker, and in parts."""
    parser.addoption("--shuffle", metavar="SEED", help="run tests in another order")
    parser.addoption("--cases", metavar="N", type=int, help="run at most N cases of each test")
    parser.addoption(
        "--part",
        metavar="K/N",
        default="1/1",
        help="run the K-th of N parts of all files that have tests for -m",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Which files have tests to run is known once."""
    config.stash[_FILES] = files_of(config.getoption("--part"), config.getoption("-m"))


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Files of other parts, and those without a test that is asked for, are not imported."""
    is_other = collection_path.match("test_*.py") and collection_path not in config.stash[_FILES]
    return True if is_other else None


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Files go to workers as a whole, and so do folders whose files share a server that takes
    longer to start than to ask."""
    if config.getoption("dist") != "loadfile":
        return None
    scheduler = import_module("xdist.scheduler")  # of a plugin that may be missing

    class ByServer(scheduler.LoadFileScheduling):  # type: ignore[misc, name-defined]
        def _split_scope(self, nodeid: str) -> str:
            file: str = super()._split_scope(nodeid)
            folder = Path(file).parent.as_posix()
            return folder if folder in _OF_ONE_SERVER else file

    return ByServer(config, log)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """What is collected stays: looking for garbage in it, over and over while it grows, takes half
    of the time, and once, at the end, a tenth."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_unconfigure() -> None:
    """What was kept from the collector is given back: DuckDB tells of all that is left at last."""
    gc.unfreeze()


@pytest.hookimpl(trylast=True)  # once it is known which are asked for
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Slow files first, and of these the longest, so that no worker is left with one when the
    others are done."""
    if most := config.getoption("--cases"):
        few = few_cases(items, most)
        config.hook.pytest_deselected(items=[*set(items).difference(few)])
        items[:] = few
    if seed := config.getoption("--shuffle"):
        keys = Random(seed)  # noqa: S311
        of_file = {path: keys.random() for path in sorted({item.path for item in items})}
        of_test = {item.nodeid: keys.random() for item in items}
        # Files stay together, for what their fixtures build.
        items.sort(key=lambda item: (of_file[item.path], of_test[item.nodeid]))
    items.sort(key=_minutes, reverse=True)


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, exitstatus: int, config: pytest.Config
) -> None:
    """How the order of a failure is run again."""
    if exitstatus and (seed := config.getoption("--shuffle")):
        terminalreporter.write_line(f"The order was that of SHUFFLE={seed}")


def _minutes(item: pytest.Item) -> float:
    """About how long a file of slow tests takes; 0 for tests that are not slow."""
    slow = item.get_closest_marker("slow")
    return 0.0 if slow is None else float(slow.kwargs.get("minutes", 0.5))


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of sample tables and query logs that PRUNESCOPE_SHARED names."""
    value = os.environ.get("PRUNESCOPE_SHARED")
    if not value:
        pytest.skip("PRUNESCOPE_SHARED is not set: it names the folder of sample tables and logs")
    folder = Path(value)
    if not folder.is_dir():
        pytest.skip("PRUNESCOPE_SHARED does not name a folder")
    return folder


@pytest.fixture(scope="session")
def demo_lake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The configuration of one demo for all tests of a worker that leave its tables as they are.
    Who publishes an audit of it does so into a namespace of their own."""
    from prunescope.audit_jobs.demo.setup import prepare  # noqa: PLC0415  # slow to import

    return prepare(tmp_path_factory.mktemp("demo"))


@pytest.fixture(scope="session")
def monthly_lake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The configuration of a lake with one table by month, for tests that check files."""
    from tests.audit_jobs.checking.lake import make_lake  # noqa: PLC0415  # slow to import

    return make_lake(tmp_path_factory.mktemp("monthly"))


@pytest.fixture(scope="session")
def require_program() -> Callable[[str], Path]:
    """Find an external program on the PATH; without it the test skips, and fails in CI."""

    def find(name: str) -> Path:
        found = shutil.which(name)
        if found is not None:
            return Path(found)
        _missing(f"the program {name} is not on the PATH")

    return find


@pytest.fixture(scope="session")
def require_package() -> Callable[[str], ModuleType]:
    """Import a package; without it the test skips, and fails in CI."""

    def find(name: str) -> ModuleType:
        try:
            return import_module(name)
        except ModuleNotFoundError as error:
            if error.name != name:
                raise
        _missing(f"the package {name} is not installed")

    return find


def _missing(reason: str) -> NoReturn:
    if IN_CI:
        pytest.fail(f"{reason}, and CI must not skip for that", pytrace=False)
    pytest.skip(reason)
