"""`python -m tests.workloads.report` measures findings against what engineers said of made tables.

Applies each fix for real, one at a time. `--markdown` prints the tables of docs/judged.md.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from prunescope.audit_jobs.findings.model import Finding
from tests.workloads.corpus import PAIRS, THEMES
from tests.workloads.judge import Assessment, judge
from tests.workloads.lake import Night, Tables
from tests.workloads.model import Pair
from tests.workloads.outcomes import Outcome, outcomes
from tests.workloads.physical import Layout
from tests.workloads.side_by_side import side_by_side

Row = Sequence[str]
SUMMED: Row = (
    *("theme", "pairs", "as told", "needed", "found", "recall"),
    *("right", "false", "precision", "bytes false", "harmful"),
)


@dataclass(frozen=True)
class Measured:
    """A pair, its assessment, and what its fixes did."""

    pair: Pair
    assessment: Assessment
    outcomes: tuple[Outcome, ...]


def measure(pairs: Iterable[Pair]) -> list[Measured]:
    """Audits each pair, and applies what is found: pairs side by side, those of one table after
    each other."""
    by_layout: dict[Callable[[], Layout], list[Pair]] = {}
    for pair in pairs:
        by_layout.setdefault(pair.layout, []).append(pair)
    found = (one for some in side_by_side(_measured, by_layout.values()) for one in some)
    of_pair = {one.pair.name: one for one in found}
    return [of_pair[name] for name in PAIRS if name in of_pair]


def _measured(pairs: Sequence[Pair]) -> list[Measured]:
    """Pairs of one table."""
    measured = []
    with tempfile.TemporaryDirectory() as directory:
        tables = Tables(Path(directory))
        for pair in pairs:
            made = tuple(outcomes(pair, tables))
            night = made[0].before if made else Night((), 0, 0, 0.0, 0.0, 0, 0)
            measured.append(Measured(pair, judge(pair, night), made))
    return measured


def summary(measured: Sequence[Measured]) -> list[Row]:
    """By theme and in all: how much of what is said is right, and how much of what is right is
    said."""
    of_pair = {one.pair.name: one for one in measured}
    rows = [
        _summed(theme, [of_pair[pair.name] for pair in pairs if pair.name in of_pair])
        for theme, pairs in THEMES.items()
    ]
    return [
        SUMMED,
        *(row for row in rows if row[1] != "0"),
        _summed("all", measured),
    ]


def _summed(name: str, measured: Sequence[Measured]) -> Row:
    needed = sum(one.assessment.needed for one in measured)
    found = needed - sum(len(one.assessment.missing) for one in measured)
    right = sum(len(one.assessment.found) for one in measured)
    false = sum(len(one.assessment.false) for one in measured)
    harmful = sum(len(harms(one)) for one in measured)
    return (
        name,
        str(len(measured)),
        str(sum(one.assessment.right for one in measured)),
        str(needed),
        str(found),
        _percent(found / needed if needed else None),
        str(right),
        str(false),
        _percent(right / (right + false) if right + false else None),
        _percent(_false_bytes(measured)),
        str(harmful),
    )


def _false_bytes(measured: Sequence[Measured]) -> float | None:
    """The part of all bytes at stake that false findings promise."""
    told = sum(
        _at_stake(one.assessment.found) + _at_stake(one.assessment.false) for one in measured
    )
    return sum(_at_stake(one.assessment.false) for one in measured) / told if told else None


def _at_stake(findings: Iterable[Finding]) -> int:
    return sum(finding.bytes_at_stake or 0 for finding in findings)


def harms(measured: Measured) -> list[str]:
    """Advice of a pair that does harm: it makes the workload read more, or an engineer said that
    nobody should follow it."""
    advised = {one.finding.cause for one in measured.outcomes if one.harmful}
    said = {
        fault.split()[1] for fault in measured.assessment.faults if fault.startswith("harmful: ")
    }
    return sorted(advised | said)


def promises(measured: Sequence[Measured]) -> list[Row]:
    """By cause: shares of the bytes read that findings promise, and that their fixes save."""
    applied = defaultdict(list)
    for one in measured:
        for outcome in one.outcomes:
            told = outcome.promised is not None and outcome.saved is not None
            if told and outcome.finding.cause != "scattered_manifests":
                applied[outcome.finding.cause].append(outcome)
    everything = [outcome for some in applied.values() for outcome in some]
    return [
        ("cause", "applied", "promised", "saved", "kept promise", "off by more than 20 points"),
        *(_kept(cause, some) for cause, some in sorted(applied.items())),
        _kept("all", everything),
    ]


def _kept(cause: str, applied: Sequence[Outcome]) -> Row:
    pairs = [(one.promised or 0.0, one.saved or 0.0) for one in applied]
    promised = sum(promise for promise, _ in pairs) / len(pairs) if pairs else None
    saved = sum(saving for _, saving in pairs) / len(pairs) if pairs else None
    # A promise is kept by what is saved of it, to five points; more than that does no harm.
    kept = sum(saving >= promise - 0.05 for promise, saving in pairs)
    off = sum(abs(saving - promise) > 0.2 for promise, saving in pairs)
    return (cause, str(len(pairs)), _percent(promised), _percent(saved), str(kept), str(off))


def details(measured: Sequence[Measured]) -> list[Row]:
    """One row for each pair of which something was said, or should have been."""
    rows: list[Row] = [
        ("pair", "found", "missing", "false", "faults", "harmful", "promised", "saved", "again")
    ]
    for one in measured:
        assessment = one.assessment
        if not (one.outcomes or assessment.missing):
            continue
        applied = [outcome for outcome in one.outcomes if outcome.after is not None]
        rows.append(
            (
                one.pair.name,
                " ".join(finding.cause for finding in assessment.found),
                "; ".join(assessment.missing),
                " ".join(finding.cause for finding in assessment.false),
                str(len(assessment.faults) or ""),
                " ".join(harms(one)),
                " ".join(_percent(outcome.promised) for outcome in applied),
                " ".join(_percent(outcome.saved) for outcome in applied),
                " ".join(outcome.finding.cause for outcome in applied if outcome.again),
            )
        )
    return rows


def disagreements(measured: Sequence[Measured]) -> list[Row]:
    """What an engineer would not sign."""
    return [
        ("pair", "what is wrong"),
        *((one.pair.name, str(one.assessment)) for one in measured if not one.assessment.right),
    ]


def unapplied(measured: Sequence[Measured]) -> list[Row]:
    """Statements of fixes that were not applied, and why."""
    return [
        ("pair", "cause", "why its fix was not applied"),
        *(
            (one.pair.name, outcome.finding.cause, outcome.reason or "")
            for one in measured
            for outcome in one.outcomes
            if outcome.after is None and outcome.finding.fix.spark
        ),
    ]


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{share:.0%}"


def aligned(rows: Sequence[Row]) -> str:
    """A table for a terminal; the last column is as wide as it needs."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    )


def markdown(rows: Sequence[Row]) -> str:
    """A table for a document."""
    lines = [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join([lines[0], "|" + "---|" * len(rows[0]), *lines[1:]])


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints the report; exits with 1 if some advice does harm."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--markdown", action="store_true", help="print tables of Markdown")
    parser.add_argument("--promises", action="store_true", help="print what fixes saved, alone")
    parser.add_argument("pairs", nargs="*", help="names of pairs; all, if none is given")
    options = parser.parse_args(arguments)
    measured = measure(PAIRS[name] for name in options.pairs or PAIRS)
    made = [promises(measured)] if options.promises else [summary(measured), promises(measured)]
    if not (options.markdown or options.promises):
        made = [details(measured), disagreements(measured), unapplied(measured), *made]
    show = markdown if options.markdown else aligned
    sys.stdout.write("\n\n".join(show(rows) for rows in made) + "\n")
    return int(any(harms(one) for one in measured))


if __name__ == "__main__":
    sys.exit(main())
