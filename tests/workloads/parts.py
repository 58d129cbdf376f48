"""What a rewrite of a fifth of a table saves, beside one of all of it, by how much more often scans
ask for its newest days: `python -m tests.workloads.parts`."""

from __future__ import annotations

import re
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import chdir
from pathlib import Path

import numpy as np

from prunescope.audit_jobs.results.result import AuditResult
from tests.scenarios.lake import Query, audit, bytes_kept, week_before
from tests.workloads.lake import Tables
from tests.workloads.layouts import apply
from tests.workloads.physical import Layout
from tests.workloads.rows import DAY, FILE_ROWS, SPARK, each, instant, laid_out, rng, table, times

DAYS, FILES = 30, 10
NAME, SCANS = "events", 300
BUDGET = 0.21
"""Of the table's bytes: six days have a little more than a fifth."""

ASKED: Mapping[str, Sequence[float]] = {
    "of each day as many": [1.0] * DAYS,
    "of a day n days old 1/(n + 1) as many": [1 / (n + 1) for n in range(DAYS)],
    "of a day n days old 1/(n + 1)² as many": [1 / (n + 1) ** 2 for n in range(DAYS)],
    "of each day half as many as of the next": [0.5**n for n in range(DAYS)],
}


def days_of_customers() -> Layout:
    """Thirty days of ten files each, in each of which are any customers."""
    count, draw = DAYS * FILES * FILE_ROWS, rng(5201)
    seconds = np.repeat(np.arange(DAYS), FILES * FILE_ROWS) * DAY + draw.uniform(0, DAY, count)
    rows = {"ts": times(seconds), "customer_id": draw.integers(0, 10_000, count)}
    return laid_out(table(rows), "days(ts)")


def customers(often: Sequence[float]) -> list[Query]:
    """Customers of days, which are asked for as often as days of their ages are."""
    draw = rng(5202)
    ages = draw.choice(DAYS, SCANS, p=np.array(often) / sum(often))
    days, drawn = (DAYS - 1 - ages).tolist(), draw.integers(0, 10_000, SCANS).tolist()
    return each(
        f"SELECT * FROM lake.db.{NAME} WHERE ts >= TIMESTAMP '{{}}' AND ts < TIMESTAMP '{{}}'"
        " AND customer_id = {}",
        [
            (instant(day * DAY), instant((day + 1) * DAY), customer)
            for day, customer in zip(days, drawn, strict=True)
        ],
        **SPARK,
    )


def audited(metadata: str, queries: Sequence[Query], budget: int | None = None) -> AuditResult:
    """An audit of the table, of which so many bytes may be written anew in a night."""
    advice = {"rewrite_bytes_per_night": budget}
    return audit({NAME: metadata}, queries, history=week_before(NAME), advice=advice)


def saved(tables: Tables, queries: Sequence[Query], statements: Sequence[str]) -> int:
    """The bytes that scans keep of the table after some statements."""
    with tempfile.TemporaryDirectory(dir=tables.directory) as folder:
        metadata = tables.write(folder, apply(statements, days_of_customers()))
        return bytes_kept(audited(metadata, queries))


def row(tables: Tables, present: str, how: str, often: Sequence[float]) -> str:
    """A line of the table: shares of what scans keep, and of the table's bytes."""
    queries = customers(often)
    with chdir(tables.directory):
        size = audited(present, queries).health[0].bytes
        before = audited(present, queries, round(BUDGET * size))
    (finding,) = before.findings
    kept, stake = bytes_kept(before), finding.bytes_at_stake or 0
    whole = [re.sub(r"where => '.*', options", "options", one) for one in finding.fix.spark]
    of_all, of_part = (kept - saved(tables, queries, done) for done in (whole, finding.fix.spark))
    written = finding.evidence["rewrite_bytes"] / 2 / size
    told = (written, of_all / kept, of_part / kept, of_part / of_all, stake / kept)
    return " | ".join([how, *(f"{share:.0%}" for share in told)])


def main() -> None:
    """Prints a line for each way of asking."""
    sys.stdout.write(
        "| scans | bytes rewritten | all of them save | this part saves | of that | promised |\n"
    )
    sys.stdout.write("|---|---|---|---|---|---|\n")
    with tempfile.TemporaryDirectory() as folder:
        tables = Tables(Path(folder))
        present = tables.write("present", days_of_customers())
        for how, often in ASKED.items():
            sys.stdout.write(f"| {row(tables, present, how, often)} |\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
