"""Progress of a job while it runs: a bar on a terminal, lines elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, TimeElapsedColumn
from rich.progress import Progress as ProgressBar

from prunescope.audit_jobs.printing import TOLD, tell_progress
from prunescope.audit_jobs.progress import METER, Meter, Progress, every
from prunescope.audit_jobs.views.console import PlainConsole
from prunescope.collectors.safe_text import plain

LINE_SECONDS = 30.0
BAR_SECONDS = 1.0
"""Between two looks at how much is done."""


@contextmanager
def stages(count: int, *, quiet: bool = False) -> Iterator[Progress]:
    """Shows the stages of a job of `count` stages, and the progress within each: a progress bar on
    a terminal; elsewhere a line per stage, and one now and then within a long one."""
    console = PlainConsole(stderr=True)
    told = TOLD.get()
    if quiet or told.quiet:
        yield _ignore
        return
    meter = Meter()
    before = METER.set(meter)
    try:
        is_drawn = console.is_terminal and not told.as_json
        shown = _moving(console, count, meter) if is_drawn else _lines(meter)
        with shown as announce:
            yield announce
    finally:
        METER.reset(before)


def _ignore(_stage: str) -> None:
    pass


@contextmanager
def _lines(meter: Meter) -> Iterator[Progress]:
    stages = [""]

    def announce(stage: str) -> None:
        meter.begin()
        stages.append(stage)
        tell_progress(plain(stage))

    def tell() -> None:
        if text := meter.text():
            tell_progress(plain(f"{stages[-1]}: {text}"))

    with every(LINE_SECONDS, tell):
        yield announce


@contextmanager
def _moving(console: Console, count: int, meter: Meter) -> Iterator[Progress]:
    columns = ("{task.description}", BarColumn(), TimeElapsedColumn(), "{task.fields[done]}")
    with ProgressBar(*columns, console=console, transient=True) as bar:
        task = bar.add_task("", total=count, done="")
        # A stage is announced when it starts, so the bar is always one behind.
        bar.advance(task, -1)

        def announce(stage: str) -> None:
            meter.begin()
            bar.update(task, description=plain(stage), advance=1, done="")

        with every(BAR_SECONDS, lambda: bar.update(task, done=meter.text())):
            yield announce
