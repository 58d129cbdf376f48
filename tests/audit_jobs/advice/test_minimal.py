"""What to rewrite first: against tables of which just that was rewritten, and sets of partitions
that are told by brute force."""

from __future__ import annotations

import datetime as dt
from contextlib import chdir
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from audit_jobs.advice.candidates import Curve, Term
from audit_jobs.advice.migrations import migration
from audit_jobs.advice.minimal import Minimal, Point, knee_of
from audit_jobs.advice.minimal_document import (
    minimal_document,
    minimal_migration,
    minimal_sentences,
)
from audit_jobs.advice.model import Advice
from audit_jobs.advice.partition_ranges import (
    condition,
    described,
    spark_condition,
    trino_conditions,
)
from audit_jobs.pruning.transforms import apply
from collectors.predicates.model import And, BoundComparison, Field, Or, Predicate
from collectors.predicates.operators import Op
from collectors.types import arrow_type
from tests.backtest.lake import NAME, Lake, advise_table, asked_of, kept_share
from tests.backtest.model import Asked
from tests.workloads.physical import Commit, Layout, cut

pytestmark = pytest.mark.slow

DAYS = 16
A_DAY = 480
FILES_A_DAY = 6
HOT = (3, 9, 15)
DAY, TS = Field(1, "day", "date"), Field(2, "ts", "timestamptz")


def _day(number: int) -> dt.date:
    return dt.date(2026, 1, 1) + dt.timedelta(days=number)


def _rows() -> pa.Table:
    draw = np.random.default_rng(8)
    count = DAYS * A_DAY
    return pa.table(
        {
            "day": pa.array([_day(n // A_DAY) for n in range(count)]),
            "customer": pa.array(draw.permutation(count)),
            "amount": pa.array(draw.integers(0, 1 << 40, count)),
        }
    )


def _layout(target: int, rewritten: frozenset[int] = frozenset()) -> Layout:
    """A table by days, of which some are sorted by customer."""
    rows, files = _rows(), []
    for number in range(DAYS):
        of_day = rows.slice(number * A_DAY, A_DAY)
        if number in rewritten:
            of_day = of_day.sort_by("customer")
        files += cut(of_day, A_DAY // FILES_A_DAY)
    properties = {"write.target-file-size-bytes": str(target), "read.split.open-file-cost": "0"}
    return Layout((Commit(tuple(files), ("day",)),), ("day",), properties)


def _queries(days: tuple[int, ...]) -> list[Asked]:
    first = np.random.default_rng(4).integers(0, DAYS * A_DAY - 800, 60).tolist()
    return [
        Asked(
            number % 10,
            f"SELECT * FROM t WHERE day = DATE '{_day(days[number % len(days)])}' "
            f"AND customer >= {start} AND customer < {start + 800}",
        )
        for number, start in enumerate(first)
    ]


def _advised(tmp_path: Path, days: tuple[int, ...]) -> tuple[Lake, int, Advice]:
    lake = Lake(tmp_path)
    table = lake.open(lake.write(_layout(1 << 20)))
    snapshot = table.metadata.current_snapshot()
    assert snapshot is not None
    target = int(snapshot.summary["total-files-size"]) // (DAYS * FILES_A_DAY)
    table = lake.open(lake.write(_layout(target)))
    return lake, target, advise_table(table, asked_of(table, _queries(days)), 1)


@pytest.fixture(scope="module")
def hot(tmp_path_factory: pytest.TempPathFactory) -> tuple[Lake, int, Advice]:
    """A table of which some days are read, and the advice for it."""
    folder = tmp_path_factory.mktemp("hot")
    with chdir(folder):
        return _advised(folder, HOT)


def test_the_partitions_that_queries_read_are_worth_it(hot: tuple[Lake, int, Advice]) -> None:
    lake, target, advice = hot
    with chdir(lake.directory):
        assert advice.best is not None
        assert isinstance(advice.minimal, Minimal)
        assert advice.best.candidate.partition == (Term("identity", DAY),)
        assert advice.best.candidate.order.curve is Curve.SORT
        assert {key[0] for key in advice.minimal.keys} == {_number(day) for day in HOT}
        knee = advice.minimal.knee
        assert knee is not None
        # What was promised, and what rewriting these days, and no other, does.
        before = lake.open(lake.write(_layout(target)))
        after = lake.open(lake.write(_layout(target, frozenset(HOT))))
        kept = [kept_share(table, _queries(HOT)) for table in (before, after)]
        assert knee.saved / advice.now.bytes == pytest.approx(kept[0] - kept[1], abs=0.002)
        assert knee.bytes / advice.now.bytes == pytest.approx(len(HOT) / DAYS, rel=0.02)
        assert advice.minimal.points[-1].partitions == DAYS


def _number(day: int) -> int:
    return (_day(day) - dt.date(1970, 1, 1)).days


def test_values_of_rows_are_told_where_they_are_asked_for(hot: tuple[Lake, int, Advice]) -> None:
    _, _, advice = hot
    redacted = minimal_document(NAME, advice, literals=False)
    assert redacted is not None
    assert redacted["statements"] is None
    assert "2026" not in str(redacted)
    assert "3 of 16 partitions of day" in minimal_sentences(advice)[0]
    assert minimal_migration(NAME, advice, literals=False) is None
    told = minimal_migration(NAME, advice, literals=True)
    assert told is not None
    dates = " OR ".join(f"`day` = DATE '{_day(day)}'" for day in HOT)
    assert told.trino[-1].endswith(" WHERE " + dates.replace("`", '"'))
    assert "where => '" + dates.replace("'", "\\'") + "'" in told.spark[-1]


def test_trino_is_told_no_partitions_while_files_have_older_specs(
    hot: tuple[Lake, int, Advice],
) -> None:
    _, _, advice = hot
    assert isinstance(advice.minimal, Minimal)
    older = replace(advice, minimal=replace(advice.minimal, older_bytes=1))
    told = minimal_migration(NAME, older, literals=True)
    assert told is not None
    assert told.spark
    assert told.trino == ()


def test_partitions_that_are_read_alike(tmp_path: Path) -> None:
    with chdir(tmp_path):
        _, _, advice = _advised(tmp_path, tuple(range(DAYS)))
    assert isinstance(advice.minimal, Minimal)
    assert advice.minimal.knee is None
    assert minimal_sentences(advice)[0].startswith("All partitions count alike")


def test_the_knee_is_where_the_curve_bends() -> None:
    line = [Point(n, 10.0 * n, 5.0 * n) for n in range(1, 11)]
    assert knee_of(line, 100.0) is None
    bent = [Point(n, 10.0 * n, min(n, 3) * 10.0 + n) for n in range(1, 11)]
    assert knee_of(bent, 100.0) == bent[2]
    assert knee_of([Point(1, 10.0, -1.0)], 10.0) is None
    assert knee_of([], 0.0) is None


def _matches(predicate: Predicate, value: int | None) -> bool:
    match predicate:
        case And(children):
            return all(_matches(child, value) for child in children)
        case Or(children):
            return any(_matches(child, value) for child in children)
        case BoundComparison(Op.IS_NULL):
            return value is None
        case BoundComparison(op, _, (int(other),)) if value is not None:
            return {Op.EQ: value == other, Op.GT_EQ: value >= other, Op.LT: value < other}[op]
    return False


@pytest.mark.parametrize("transform", ["year", "month", "day", "hour", "identity", "truncate[7]"])
@pytest.mark.parametrize("seed", range(3))
def test_a_condition_means_the_rows_of_its_partitions(transform: str, seed: int) -> None:
    kind = "long" if transform.startswith("truncate") else "timestamptz"
    draw = np.random.default_rng(seed)
    scale = 100 if kind == "long" else 400 * 86_400_000_000
    values = [int(value) for value in draw.integers(-scale, scale, 400)]
    values += [value // 3_600_000_000 * 3_600_000_000 for value in values[:50]]
    term = Term(transform, Field(1, "x", kind))
    of_value = {value: apply(transform, kind, value) for value in values}
    assert arrow_type(kind) == pa.int64()
    chosen = set(draw.choice(sorted(set(of_value.values())), 5).tolist())
    chosen |= {key + 1 for key in list(chosen)[:2]} & set(of_value.values())
    found = condition((term,), {(key,) for key in (*chosen, None)})
    assert found is not None
    assert _matches(found, None)
    for value, key in of_value.items():
        assert _matches(found, value) == (key in chosen), (value, key)


def test_partitions_that_no_condition_tells() -> None:
    bucket, text = Term("bucket[4]", TS), Term("identity", Field(3, "s", "string"))
    assert condition((bucket,), {(1,)}) is None
    assert condition((Term("day", TS), bucket), {(1, 1)}) is None
    assert condition((text,), {(b"it's",)}) is None
    assert condition((text,), {(b"DE",), (None,)}) is not None
    assert condition((Term("day", TS),), {(10**9,)}) is None


def test_conditions_of_each_engine() -> None:
    plain = Term("day", Field(2, "Ts", "timestamp"))
    found = condition((plain,), {(20_454,), (20_455,)})
    assert found is not None
    start, end = "'2026-01-01 00:00:00'", "'2026-01-03 00:00:00'"
    assert spark_condition(found) == (
        f"`Ts` >= TIMESTAMP_NTZ {start} AND `Ts` < TIMESTAMP_NTZ {end}"
    )
    assert trino_conditions(found) == (f'"Ts" >= TIMESTAMP {start} AND "Ts" < TIMESTAMP {end}',)
    both = condition(
        (Term("identity", DAY), Term("identity", TS._replace(type="long"))), {(0, 5), (1, 7)}
    )
    assert both is not None
    arms = ["`day` = DATE '1970-01-01' AND `ts` = 5", "`day` = DATE '1970-01-02' AND `ts` = 7"]
    assert trino_conditions(both) == tuple(arm.replace("`", '"') for arm in arms)
    assert spark_condition(both) == f"({arms[0]}) OR ({arms[1]})"


def test_words_for_sets_of_partitions() -> None:
    terms, every = (Term("day", TS),), [(n,) for n in (5, 3, 9, None, 7)]
    assert described(terms, [(9,), (7,)], every) == "the newest 2 of 5 partitions of day(ts)"
    assert described(terms, [(3,)], every) == "the oldest 1 of 5 partitions of day(ts)"
    assert described(terms, [(5,)], every) == "1 of 5 partitions of day(ts)"


def test_statements_rewrite_these_partitions_alone(hot: tuple[Lake, int, Advice]) -> None:
    _, _, advice = hot
    assert advice.best is not None
    where = condition((Term("day", TS),), {(20_454,)})
    candidate = advice.best.candidate
    some, every = (migration(NAME, candidate.partition, candidate, w) for w in (where, None))
    assert some.spark[:-1] == every.spark[:-1]
    assert some.spark[-1].startswith(every.spark[-1].partition(", options")[0])
    assert some.trino[-1].startswith(every.trino[-1] + ' WHERE "ts" >= ')
