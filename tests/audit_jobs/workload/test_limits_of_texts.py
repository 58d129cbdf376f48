"""What a text may cost by its length: what multiplies ends early, and no text of people does."""

from __future__ import annotations

import datetime as dt
import gc
import tracemalloc
from contextlib import suppress

import pytest

from prunescope.audit_jobs.workload.queries import ScanFinder, name_tables
from prunescope.audit_jobs.workload.text_scans import TextScans
from prunescope.collectors.errors import QueryError, TooComplexSql
from prunescope.collectors.observed import ObservedQuery
from prunescope.collectors.sql.text.cost import bounded, steps_for, usual_steps_for
from prunescope.collectors.sql.text.parse import split
from tests.sql_corpus import texts
from tests.sql_growth import COLUMNS, MULTIPLYING, QUERIES

pytestmark = pytest.mark.slow

NO_LIMIT = 10_000_000
ORDINARY = ("int", "string", "timestamp", "date")


def _query(sql: str) -> ObservedQuery:
    noon = dt.datetime(2026, 3, 10, 12, tzinfo=dt.UTC)
    return ObservedQuery("test", "1", sql, "trino", noon, catalog="lake", schema="s")


def _end(query: ObservedQuery) -> str | None:
    found = TextScans(COLUMNS).find(query)
    return None if found.failure is None else found.failure.code


@pytest.mark.parametrize("shape", sorted(MULTIPLYING))
def test_a_short_text_of_much_work_is_too_complex(shape: str) -> None:
    """Though it takes less than a long one may."""
    query = QUERIES[shape](12)
    assert _end(query) == "too_complex"


@pytest.mark.parametrize("shape", sorted(MULTIPLYING))
def test_what_doubles_a_few_times_is_read(shape: str) -> None:
    assert _end(QUERIES[shape](6)) is None


def test_texts_that_people_write_draw_on_no_allowance() -> None:
    for sql in texts()[::20]:
        query = _query(sql)
        with bounded(NO_LIMIT) as reading:
            named = name_tables(query)
        columns = {
            table: {f"{kind}_{i}": kind for i, kind in enumerate(ORDINARY)}
            for table in named.tables
        }
        with bounded(NO_LIMIT) as finding:
            ScanFinder(columns).find(query)
        assert max(reading.steps, finding.steps) <= usual_steps_for(len(sql)), sql


def test_a_text_that_cannot_be_read_is_so_with_other_literals() -> None:
    """Views that double each other in one text: what is read before any scan is looked for."""
    views = "CREATE TEMPORARY VIEW v0 AS SELECT * FROM t; " + "".join(
        f"CREATE TEMPORARY VIEW v{i} AS SELECT x.a FROM v{i - 1} x JOIN v{i - 1} y ON x.a = y.a; "
        for i in range(1, 16)
    )
    written = [f"{views} SELECT * FROM v15 WHERE a = {literal}" for literal in (1, 22, 333)]
    first = name_tables(_query(written[0])).failure
    assert first is not None
    assert first.code == "too_complex"
    with bounded(NO_LIMIT) as others:
        assert [name_tables(_query(text)).failure for text in written[1:]] == [first, first]
    assert others.steps < 2 * len(views)


def test_a_longer_literal_gives_a_text_no_more_work() -> None:
    """All texts of a template have one bound, so that it is all the same which comes first."""
    query = QUERIES["cte doubling"](9)
    assert query.sql is not None
    for literal in ("1", "'" + "x" * 900 + "'"):
        sql = query.sql.replace("a = 1", f"c = {literal}")
        assert _end(_query(sql)) == "too_complex"


def _peak_of(sql: str) -> int:
    """Bytes that splitting a text takes."""
    tracemalloc.start()
    try:
        with bounded(), suppress(QueryError):
            split(sql, "trino")
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_tokens_that_are_too_many_are_not_made() -> None:
    assert _peak_of(";" * 800_000) < 1 << 20


@pytest.mark.parametrize("quote", ["'", '"', "/* */", "--"])
def test_what_is_quoted_is_one_token_however_long(quote: str) -> None:
    words = "a, b; " * 300_000
    sql = {
        "'": f"SELECT 1 FROM t WHERE c = '{words}'",
        '"': f'SELECT "{words}" FROM t',
        "/* */": f"SELECT /* {words} */ 1 FROM t",
        "--": f"SELECT 1 -- {words}\nFROM t",
    }[quote]
    with bounded():
        assert len(split(sql, "trino")) == 1


def test_a_long_text_that_multiplies_is_stopped_by_what_any_may_cost() -> None:
    assert steps_for(10**9) == steps_for(10**8)
    with bounded(steps_for(10**9)), pytest.raises(TooComplexSql):
        split("a," * 3_000_000, "trino")


def test_texts_that_are_too_complex_leave_little_behind() -> None:
    scans, sql = TextScans(COLUMNS), QUERIES["cte doubling"](9).sql
    assert sql is not None
    scans.find(_query(sql))
    gc.collect()
    tracemalloc.start()
    try:
        for i in range(4):
            assert scans.find(_query(sql.replace("c8", f"z{i}"))).failure is not None
        gc.collect()
        assert tracemalloc.get_traced_memory()[0] < 4 * 400_000
    finally:
        tracemalloc.stop()
