"""Random conditions on functions of columns, of which an engine tells the rows that match, held
against the predicates that are read of them:

    python -m tests.collectors.sql.ranges.drawn --engine duckdb --samples 200000

draws as many (condition, row) samples, and prints by which shares of the conditions that match some
rows and not others the predicates are

- exact: the rows that are kept are those that match;
- wider: others are kept as well, or all of them (`not read`);

and the rows that are lost: those that match, and that the predicate rules out. Ends with 1 if there
are any.
"""

from __future__ import annotations

import argparse
import random
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from prunescope.audit_jobs.config import SparkConfig
from prunescope.audit_jobs.planning.spark_session import open_spark_session
from prunescope.audit_jobs.pruning.algebra import Evaluation
from prunescope.collectors.predicates.model import Predicate
from prunescope.collectors.predicates.render import render
from tests.collectors.sql.ranges.engines import Engine, InDuckDB, InSpark, InTrino, Values, told
from tests.collectors.sql.ranges.rows import COLUMNS, ZONES, rows, values_of
from tests.collectors.sql.ranges.trees import compared, expression, joined
from tests.differential.trino.engine import running
from tests.unseen_forms.containers import kept_by, predicate_of, statistics_of
from tests.unseen_forms.value_sets import Row
from tests.unsupported import has_unsupported

_TOGETHER = 40
"""Conditions of one query."""

_ROWS = 100
"""Of one table."""

_JOINED = 0.15
"""Share of the conditions that are joined with another."""


@dataclass(frozen=True)
class Lost:
    """A condition, the zone of its session, its predicate, and a row of which it is true that the
    predicate rules out."""

    sql: str
    zone: str
    predicate: Predicate
    row: Row
    names: frozenset[str]

    def __str__(self) -> str:
        row = ", ".join(values_of(self.row, self.names))
        return f"{self.zone}: {self.sql}\n  is {render(self.predicate)}\n  at {row}"


@dataclass
class Found:
    """Samples, conditions by how they are answered, and rows that are lost, one of a condition."""

    samples: int = 0
    results: Counter[str] = field(default_factory=Counter)
    lost: list[Lost] = field(default_factory=list)

    def __str__(self) -> str:
        told = sum(self.results[name] for name in ("exact", "wider", "not read"))
        shares = ", ".join(
            f"{count} {name}"
            + (f" ({count / told:.0%})" if name in ("exact", "wider", "not read") else "")
            for name, count in sorted(self.results.items())
        )
        return f"{self.samples} samples: {shares}; {len(self.lost)} conditions lose rows"


@dataclass(frozen=True)
class _Condition:
    """A condition, and the columns that it names."""

    sql: str
    names: frozenset[str]


@dataclass(frozen=True)
class _Table:
    """Rows, each a container of its own, that a session of a zone asks for."""

    dialect: str
    zone: str
    rows: Sequence[Row]
    evaluation: Evaluation


def held(engine: Engine, seed: int, samples: int) -> Found:
    """So many samples, or a few more, of what an engine tells and is read."""
    source = random.Random(seed)  # noqa: S311  # nothing secret
    found, turn = Found(), 0
    while found.samples < samples:
        drawn = rows(source.randrange(2**32), _ROWS)
        engine.load(drawn)
        evaluation = Evaluation(statistics_of(COLUMNS, drawn, sorts_nan=engine.sorts_nan))
        table = _Table(engine.dialect, ZONES[turn % len(ZONES)], drawn, evaluation)
        conditions = list(_conditions(engine, table.zone, source))
        truths = told(engine, [one.sql for one in conditions], table.zone)
        for one, values in zip(conditions, truths, strict=True):
            if values is None:
                found.results["refused"] += 1
            else:
                _judge(found, one, values, table)
        turn += 1
    return found


def _conditions(engine: Engine, zone: str, source: random.Random) -> Iterator[_Condition]:
    """Conditions on one expression, and of these some with the one before."""
    drawn = [expression(engine.dialect, source) for _ in range(_TOGETHER)]
    before: _Condition | None = None
    for each, values in zip(drawn, told(engine, [one.sql for one in drawn], zone), strict=True):
        sql = None if values is None else compared(each, values, engine.dialect, source)
        if sql is None:
            continue
        one = _Condition(sql, each.names)
        if before is not None and source.random() < _JOINED:
            yield _Condition(joined((sql, before.sql), source), one.names | before.names)
        else:
            yield one
        before = one


def _judge(found: Found, asked: _Condition, values: Values, table: _Table) -> None:
    """Count what became of one condition."""
    predicate = predicate_of(asked.sql, table.dialect, table.zone, COLUMNS)
    kept = kept_by(predicate, table.evaluation)
    matches = [value is not None and value.lower() == "true" for value in values]
    found.samples += len(kept)
    for row, is_kept, is_match in zip(table.rows, kept, matches, strict=True):
        if is_match and not is_kept:
            found.lost.append(Lost(asked.sql, table.zone, predicate, row, asked.names))
            found.results["lost"] += 1
            return
    if all(matches):
        found.results["all match"] += 1
    elif kept == matches:
        found.results["exact"] += 1
    else:
        is_read = not all(kept) or not has_unsupported(predicate)
        found.results["wider" if is_read else "not read"] += 1


@contextmanager
def _engine(name: str) -> Iterator[Engine]:
    if name == "duckdb":
        yield InDuckDB()
    elif name == "spark":
        session, _ = open_spark_session(SparkConfig(master="local[1]"))
        session.sparkContext.setLogLevel("OFF")
        yield InSpark(session)
        session.stop()
    else:
        with (
            tempfile.TemporaryDirectory() as folder,
            running(Path(folder), lambda name: Path(shutil.which(name) or name)) as trino,
        ):
            yield InTrino(trino)


def main() -> int:
    """Print what became of the samples that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--engine", choices=("duckdb", "spark", "trino"), default="duckdb")
    parser.add_argument("--samples", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    with _engine(asked.engine) as engine:
        found = held(engine, asked.seed, asked.samples)
    lost = sorted(found.lost, key=lambda one: len(one.sql))
    print(found, *lost, sep="\n")  # noqa: T201
    return int(bool(lost))


if __name__ == "__main__":
    sys.exit(main())
