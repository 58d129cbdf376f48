"""What is told within a stage: how much of it is done, and how long the rest takes."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from prunescope.audit_jobs.progress import METER, Count, Meter, counted, every, told
from prunescope.audit_jobs.views import stages as shown
from prunescope.audit_jobs.views.stages import stages


@pytest.mark.parametrize(
    ("count", "seconds", "text"),
    [
        pytest.param(Count(0, 80, "tasks"), 90, "0 of 80 tasks", id="nothing"),
        pytest.param(Count(3, 80, "tasks"), 0.5, "3 of 80 tasks", id="too soon"),
        pytest.param(Count(80, 80, "tasks"), 9, "80 of 80 tasks", id="all"),
        pytest.param(Count(20, 80, "tasks"), 10, "20 of 80 tasks, 2/s, 30 s left", id="seconds"),
        pytest.param(
            Count(2_000, 10_000, "tables"),
            100,
            "2,000 of 10,000 tables, 20/s, 7 min left",
            id="minutes",
        ),
        pytest.param(
            Count(1, 100, "tasks"), 60, "1 of 100 tasks, 0.017/s, 1 h 39 min left", id="h"
        ),
    ],
)
def test_a_count_is_told_with_its_speed(count: Count, seconds: float, text: str) -> None:
    assert told(count, seconds) == text


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time, which passes only where a test says so."""
    seconds = [1_000.0]
    monkeypatch.setattr("prunescope.audit_jobs.progress.monotonic", lambda: seconds[0])
    return seconds


def test_a_speed_is_that_of_one_count(now: list[float]) -> None:
    meter = Meter()
    meter.set(Count(0, 10, "tasks", 1))
    now[0] += 10
    meter.set(Count(5, 10, "tasks", 1))
    assert meter.text() == "5 of 10 tasks, 0.5/s, 10 s left"
    meter.set(Count(5, 20, "tasks", 2))
    assert meter.text() == "5 of 20 tasks"
    meter.begin()
    assert meter.text() == ""


def test_what_is_asked_for_is_shown_as_long_as_it_runs() -> None:
    meter, answers = Meter(), iter([Count(1, 2, "tasks"), None])
    with meter.asking(lambda: next(answers)):
        assert meter.text() == "1 of 2 tasks"
        assert meter.text() == ""
    meter.set(Count(3, 4, "tables"))
    assert meter.text() == "3 of 4 tables"


def slowly(asked: threading.Semaphore) -> Iterator[int]:
    for number in range(3):
        asked.acquire(timeout=10)
        yield number


@pytest.fixture
def watched(monkeypatch: pytest.MonkeyPatch) -> threading.Semaphore:
    """Lets an item come with each look at how many there were."""
    monkeypatch.setattr(shown, "LINE_SECONDS", 0.01)
    monkeypatch.setattr(shown, "BAR_SECONDS", 0.01)
    looks, look = threading.Semaphore(0), Meter.text

    def text(meter: Meter) -> str:
        found = look(meter)
        if found:
            looks.release()
        return found

    monkeypatch.setattr(Meter, "text", text)
    return looks


def test_a_long_stage_has_lines_of_its_own(
    watched: threading.Semaphore, capsys: pytest.CaptureFixture[str]
) -> None:
    with stages(1) as announce:
        announce("Opening tables")
        assert list(counted(slowly(watched), 3, "tables")) == [0, 1, 2]
    first, *rest = capsys.readouterr().err.splitlines()
    assert first == "Opening tables …"
    assert rest[0] == "Opening tables: 0 of 3 tables …"
    assert all(line.startswith("Opening tables: ") for line in rest)


def test_a_terminal_shows_it_beside_the_bar(
    watched: threading.Semaphore,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TTY_COMPATIBLE", "1")
    monkeypatch.setenv("COLUMNS", "200")
    with stages(1) as announce:
        announce("Opening tables")
        list(counted(slowly(watched), 3, "tables"))
    assert "of 3 tables" in capsys.readouterr().err


def test_a_short_stage_has_one_line_and_a_quiet_command_none(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for quiet in (False, True):
        with stages(1, quiet=quiet) as announce:
            announce("Opening tables")
            list(counted(range(100), 100, "tables"))
    assert capsys.readouterr().err == "Opening tables …\n"


def test_the_count_of_a_command_is_not_that_of_the_next() -> None:
    with stages(1):
        inside = METER.get()
        list(counted(range(2), 2, "tables"))
    assert METER.get() is not inside


def test_what_is_told_now_and_then_is_told_as_was_asked() -> None:
    seen: list[str] = []
    was_told = threading.Event()
    meter = Meter()
    meter.set(Count(1, 2, "tasks"))
    before = METER.set(meter)

    def look() -> None:
        seen.append(METER.get().text())
        was_told.set()

    try:
        with every(0.01, look):
            assert was_told.wait(10)
    finally:
        METER.reset(before)
    assert seen[0] == "1 of 2 tasks"
