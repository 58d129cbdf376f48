"""`python -m tests.backtest` measures what audits ask for: what is promised, what comes of it, and
what an exhaustive search would have chosen. `--markdown` prints the tables of docs/advice.md."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from tests.backtest.cases import BY_NAME
from tests.backtest.exhaustive import Tried, search
from tests.backtest.lake import Lake
from tests.backtest.trial import Trial, trial
from tests.workloads.report import Row, aligned, markdown

NEAR = 0.05
"""How near to the best layout, as a part of the table's bytes, is near enough."""
SLACK = 0.005
"""What queries may keep more than before: files are not cut to the row."""


def measured(trials: Sequence[Trial], searched: dict[str, list[Tried]]) -> list[Row]:
    """One row for each case."""
    rows: list[Row] = [
        ("case", "before", "promised", "actual", "error", "asked for")
        + (("best", "by search") if searched else ())
    ]
    for one in trials:
        shares = (one.before, one.promised, one.actual, one.error)
        row = (one.case.name, *map(_percent, shares), one.asked)
        found = searched.get(one.case.name)
        rows.append(row if found is None else (*row, _percent(found[0].share), found[0].layout))
    return rows


def summed_up(trials: Sequence[Trial], searched: dict[str, list[Tried]]) -> list[Row]:
    """What the cases say together."""
    asked = [one for one in trials if one.steps]
    keeps = [one for one in trials if one.case.keeps]
    errors = [one.error for one in trials if one.error is not None]
    rows: list[Row] = [
        ("measure", "reached", "wanted"),
        (
            "promised, where something is asked for",
            _of([t.promised is not None for t in asked]),
            "",
        ),
        (
            "median error, of the table's bytes",
            _percent(median(errors) if errors else None),
            "< 5 %",
        ),
        ("largest error", _percent(max(errors, default=None)), ""),
        ("nothing asked for, where nothing is to be won", _of([not t.steps for t in keeps]), "all"),
        ("no worse than before", _of([t.actual <= t.before + SLACK for t in trials]), "all"),
    ]
    rows.append(("seconds of an audit", f"{median(t.seconds for t in trials):.1f}", ""))
    if searched:
        near = [one.actual <= searched[one.case.name][0].share + NEAR for one in trials]
        count = sum(map(len, searched.values()))
        rows.append((f"within 5 points of the best of {count:,} layouts", _of(near), "7 of 8"))
    return rows


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{share:.1%}"


def _of(said: Sequence[bool]) -> str:
    return f"{sum(said)} of {len(said)}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints what is measured."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--markdown", action="store_true", help="print tables of Markdown")
    parser.add_argument("--no-search", action="store_true", help="without the exhaustive search")
    parser.add_argument("cases", nargs="*", help="names of cases; all, if none is given")
    options = parser.parse_args(arguments)
    trials = []
    searched: dict[str, list[Tried]] = {}
    for name in options.cases or BY_NAME:
        with tempfile.TemporaryDirectory() as directory:
            lake = Lake(Path(directory))
            trials.append(trial(BY_NAME[name], lake))
            if not options.no_search:
                searched[name] = search(BY_NAME[name], lake)
        sys.stderr.write(" | ".join(measured(trials[-1:], searched)[1]) + "\n")
    show = markdown if options.markdown else aligned
    made = [measured(trials, searched), summed_up(trials, searched)]
    sys.stdout.write("\n\n".join(show(rows) for rows in made) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
