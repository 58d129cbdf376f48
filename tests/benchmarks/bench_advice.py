"""How long layouts take to be scored, of a table of 100,000 files, for 1,000 shapes of queries.

python -m tests.benchmarks.bench_advice
"""

from __future__ import annotations

import sys
import time

import numpy as np
import pyarrow as pa

from audit_jobs.advice.advise import advise
from audit_jobs.advice.changes import Written
from audit_jobs.advice.inside import look_inside
from audit_jobs.advice.layouts import Layouts
from audit_jobs.advice.model import Now
from audit_jobs.advice.row_groups import ReadInside
from audit_jobs.advice.rows import sampled_rows
from audit_jobs.advice.selectivity import matching_shares
from audit_jobs.advice.workload import Asked, AskedScan, workload
from audit_jobs.pruning.rules import ICEBERG_1_11, PlannerRules
from collectors.predicates.model import BoundComparison, Field, Predicate, all_of, any_of
from collectors.predicates.operators import Op
from collectors.statistics import Statistics, constant, from_values

FILES = 100_000
FILE_BYTES = 512 * 1024 * 1024
GROUPS = 4
RECORDS = 2_000_000
FINGERPRINTS = 1_000
SAMPLED_FILES, SAMPLED_ROWS = 200, 500
COLUMNS = tuple(Field(number, f"c{number}", "long") for number in range(1, 9))
_OPS = (Op.EQ, Op.GT, Op.GT_EQ, Op.LT, Op.LT_EQ, Op.IN)


def main() -> None:
    """Prints the seconds of CPU, after sampling."""
    draw = np.random.default_rng(7)
    samples = [_sample(draw, number) for number in range(SAMPLED_FILES)]
    rows = sampled_rows(
        samples,
        [RECORDS] * SAMPLED_FILES,
        {(column.field_id, column.type): column.name for column in COLUMNS},
        table=(FILES * FILE_BYTES, FILES * RECORDS, FILES),
        properties={},
    )
    asked = Asked()
    for number in range(FINGERPRINTS):
        asked.add(AskedScan(*_filter(draw, number), f"f{number}"), None)
    found = workload(asked, 0)
    now = Now(FILES * FILE_BYTES, FILES * RECORDS, FILES, FILE_BYTES, 4 << 20, ())
    kept = np.full(FINGERPRINTS, float(now.bytes)), np.full(FINGERPRINTS, float(FILES))
    started = time.process_time()
    least = matching_shares(rows, found.whole) * now.bytes
    advice = advise(rows, found, kept, least, now)
    searched = time.process_time() - started
    look_inside(
        Layouts(rows, FILE_BYTES),
        found,
        (ReadInside(kept[0], kept[1] * GROUPS, kept[1]), least),
        Written(FILE_BYTES // GROUPS, 1 << 20, frozenset()),
        (None if advice.best is None else advice.best.candidate, (), now.open_file_cost),
    )
    seconds = time.process_time() - started
    sys.stdout.write(
        f"{len(found.scans):,} scans, {rows.count:,} rows, {advice.scored:,} layouts: "
        f"{searched:.1f} s; with what is inside of files {seconds:.1f} s\n"
    )


def _sample(draw: np.random.Generator, number: int) -> Statistics:
    columns = {}
    for column in COLUMNS:
        high = 10 ** (column.field_id + 1)
        values = draw.integers(0, high, SAMPLED_ROWS)
        if column.field_id == 1:
            values = values // SAMPLED_FILES + number
        columns[column.field_id, column.type] = from_values(pa.array(values))
    return Statistics(SAMPLED_ROWS, constant(False, SAMPLED_ROWS), columns)


def _filter(draw: np.random.Generator, number: int) -> tuple[Predicate, PlannerRules, Predicate]:
    """A filter whose shape no other has: by the digits of its number."""
    leaves = []
    left = number
    for column in COLUMNS[:4]:
        op = _OPS[left % len(_OPS)]
        left //= len(_OPS)
        high = 10 ** (column.field_id + 1)
        values = draw.integers(0, high, 3 if op is Op.IN else 1).tolist()
        leaves.append(BoundComparison(op, column, tuple(sorted(set(values)))))
    made = all_of(leaves[0], any_of(leaves[1], leaves[2]), leaves[3])
    return made, ICEBERG_1_11, made


if __name__ == "__main__":
    main()
