"""`python -m tests.workloads.on_spark` measures on real Spark what is promised for made tables.

Draws tables that need other files (as many of `--tables` as findings say so of, by `--seed`), of
each theme in turn; writes each by Spark; runs the statements of its first step, in order; and
audits the same log again. Prints what was promised and what came, as shares of what all scans read,
and sums: whether scans read more afterwards, or when statements stop half-way; what Spark refuses;
and what is asked for then.

Spark gives files other names each time, by which an audit draws samples: figures differ a little.
"""

from __future__ import annotations

import argparse
import random
import shutil
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, zip_longest
from pathlib import Path
from statistics import median

from prunescope.audit_jobs.findings.choosing import ROW_GROUPS
from prunescope.audit_jobs.findings.entries import entries
from prunescope.audit_jobs.findings.model import Change, Files, Finding
from prunescope.audit_jobs.findings.remedy import Step, remedy_of
from tests.jars import iceberg_spark_runtime
from tests.scenarios.lake import Lake, start
from tests.workloads.corpus import PAIRS
from tests.workloads.lake import Night, Tables
from tests.workloads.model import Pair
from tests.workloads.outcomes import Outcome, rewritten
from tests.workloads.report import Row, aligned
from tests.workloads.spark_tables import CannotWrite, write_by_spark
from tests.workloads.steadiness import shortly
from tests.workloads.unseen.truths import truths_of

ONLY_COUNTS = {"small_table_bytes": 1 << 60}
"""Thresholds of audits that find nothing."""
_OTHERS = {"nothing", "condition", "manifests", "scattered_manifests", "many_deletes"}
"""What leaves data files as they are, or is of delete files, which Spark's SQL does not write."""


@dataclass(frozen=True)
class Trial:
    """The first step of a table with statements, as an outcome; the nights after each statement but
    the last; what is asked for when all is done; and what Spark refused, if anything."""

    name: str
    step: Step
    outcome: Outcome
    halfway: tuple[Night, ...]
    then: tuple[Step, ...] = ()
    refused: str | None = None

    @property
    def saved(self) -> float | None:
        """Returns the share of what scans read that they do not read any more; that of row groups,
        where some of what is promised is of these, and some of files."""
        before, after = self.outcome.before, self.outcome.after
        of_row_groups = {one.finding.lost_at == ROW_GROUPS for one in self.step.entries}
        if after is None or len(of_row_groups) == 1:
            return self.outcome.saved
        return 1 - after.bytes_inside / before.bytes_inside

    @property
    def error(self) -> float | None:
        """Returns by how much the promise is wrong, of what scans read; None without a promise."""
        promised, saved = self.outcome.promised, self.saved
        return None if promised is None or saved is None else abs(promised - saved)

    @property
    def worse_halfway(self) -> bool:
        """Tells whether scans cost more after some of the statements than before the first."""
        return any(replace(self.outcome, after=night).harmful for night in self.halfway)

    @property
    def asked_again(self) -> list[Step]:
        """Returns the steps that ask for files to be written anew when that was just done."""
        return [one for one in self.then if one.finding.fix.change.files is not Files.NONE]


def pairs() -> dict[str, dict[str, Pair]]:
    """Returns the tables of which somebody said that they need other files, by name: by what they
    are said to have, or by whom, for each."""
    found: dict[str, dict[str, Pair]] = defaultdict(dict)
    for pair in PAIRS.values():
        for one in pair.expected:
            if one.statements and one.cause not in _OTHERS:
                found[one.cause.split("|")[0]][pair.name] = pair
                break
    for truth in (*truths_of("unseen"), *truths_of("unseen_second")):
        if truth.first.kind not in _OTHERS:
            pair = Pair(truth.name, truth.layout, truth.queries, days=truth.days)
            found[truth.layout.folder.rpartition(".")[0]][pair.name] = pair
    return found


def drawn(of_theme: Mapping[str, Mapping[str, Pair]], seed: int) -> Iterator[str]:
    """Yields the names of all, in an order that the seed draws: of each theme one in turn."""
    draw = random.Random(seed)  # noqa: S311  # no secret
    shuffled = [
        draw.sample(sorted(of_theme[theme]), len(of_theme[theme])) for theme in sorted(of_theme)
    ]
    in_turn = chain.from_iterable(zip_longest(*shuffled))
    return (name for name in in_turn if name is not None)


def first_step(findings: Sequence[Finding]) -> Step | None:
    """Returns the first thing that is to be done by statements that write data files."""
    return next((one for one in _steps(findings) if kind_of(one.finding.fix.change)), None)


def _steps(findings: Sequence[Finding]) -> tuple[Step, ...]:
    return tuple(one for one in remedy_of(entries(findings)).steps if one.finding.fix.spark)


def kind_of(change: Change) -> str | None:
    """Returns what a change does above all; None where it leaves data files as they are."""
    of_order = "Z-order" if change.is_zorder else "sort"
    if change.rounded != "identity":
        of_order = "ranges"
    kinds = {
        "partitions and an order": change.changes_fields and bool(change.order),
        "partitions": change.changes_fields,
        of_order: bool(change.order),
        "bloom filters": bool(change.bloom_filters),
        "bounds": bool(change.modes),
        "old files": change.rewrites,
        "small files": change.files is Files.SMALL,
        "deletes": change.files is Files.DELETED,
        "files": change.files is Files.ALL,
    }
    return next((kind for kind, is_so in kinds.items() if is_so), None)


def trial(lake: Lake, pair: Pair) -> Trial | None:
    """Writes a table and does its first step; None where it asks for none. Raises CannotWrite."""
    layout, tables = pair.layout(), Tables(lake.directory)
    write_by_spark(lake, pair.name, layout)

    def night(of: Pair) -> Night:
        return tables.audit(of, lake.metadata_of(pair.name), of.queries)

    before = night(pair)
    step = first_step(before.findings)
    if step is None:
        return None
    asked = replace(pair, queries=rewritten(pair, step.finding) or pair.queries)
    counted = replace(asked, thresholds=ONLY_COUNTS)
    opening = int(layout.properties["read.split.open-file-cost"])
    finding = replace(step.finding, bytes_at_stake=step.bytes_at_stake)
    outcome = Outcome(finding, opening, before, None)
    halfway: list[Night] = []
    for statement in finding.fix.spark:
        try:
            lake.sql(statement)
        except AssertionError as error:
            return Trial(pair.name, step, outcome, tuple(halfway), refused=str(error))
        halfway.append(night(counted))
    after = night(asked)
    outcome = replace(outcome, after=after)
    return Trial(pair.name, step, outcome, tuple(halfway[:-1]), _steps(after.findings))


def row(one: Trial) -> Row:
    """Returns what is told of one table."""
    outcome = one.outcome
    faults = {
        "HARMFUL": outcome.harmful,
        "WORSE HALF-WAY": one.worse_halfway,
        "REFUSED": one.refused is not None,
    }
    then = [f"THEN {_told(step)}" for step in one.then]
    said = [fault for fault, is_so in faults.items() if is_so]
    shares = (outcome.promised, one.saved, one.error)
    return (one.name, _told(one.step), *map(_percent, shares), "; ".join([*said, *then]))


def _told(step: Step) -> str:
    change = step.finding.fix.change
    moved = shortly(change)
    return f"{kind_of(change)}: {moved}" if moved != "nothing" else str(kind_of(change))


def summed_up(trials: Sequence[Trial]) -> list[Row]:
    """Returns what all tables say together."""
    errors = [one.error for one in trials if one.error is not None]
    return [
        ("tables", str(len(trials))),
        ("promised", str(len(errors))),
        ("median error", _percent(median(errors) if errors else None)),
        ("within 5 points", str(sum(error <= 0.05 for error in errors))),
        ("largest error", _percent(max(errors, default=None))),
        ("harmful", str(sum(one.outcome.harmful for one in trials))),
        ("worse half-way", str(sum(one.worse_halfway for one in trials))),
        ("refused by Spark", str(sum(one.refused is not None for one in trials))),
        ("files asked for again", str(sum(bool(one.asked_again) for one in trials))),
    ]


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{share:.1%}"


def _found(program: str) -> Path:
    path = shutil.which(program)
    if path is None:
        raise SystemExit(f"the program {program} is not on the PATH")
    return Path(path)


def main(arguments: Sequence[str] | None = None) -> None:
    """Measures some tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=40, help="how many")
    parser.add_argument("--seed", type=int, default=51, help="by which they are drawn")
    parser.add_argument("names", nargs="*", help="names of tables, instead of some")
    options = parser.parse_args(arguments)
    of_theme = pairs()
    known = {name: pair for some in of_theme.values() for name, pair in some.items()}
    names = options.names or drawn(of_theme, options.seed)
    trials: list[Trial] = []
    with tempfile.TemporaryDirectory() as directory:
        lake, process = start(iceberg_spark_runtime(_found), Path(directory), sys.executable)
        for name in names:
            try:
                one = trial(lake, known[name])
            except CannotWrite as error:
                sys.stderr.write(f"{name} is not written by Spark: {error}\n")
                continue
            if one is None:
                sys.stderr.write(f"{name} asks for nothing, written by Spark\n")
                continue
            trials.append(one)
            sys.stderr.write(" | ".join(row(one)) + "\n")
            if one.refused:
                sys.stderr.write(f"  {one.refused}\n")
            if len(trials) == options.tables:
                break
        lake.requests.close()
        process.wait(60)
    head = ("table", "step", "promised", "came", "error", "")
    sys.stdout.write(f"{aligned([head, *map(row, trials)])}\n\n{aligned(summed_up(trials))}\n")


if __name__ == "__main__":
    main()
