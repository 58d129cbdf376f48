"""Scans summed up: what is unknown is no zero, and parts add up to the whole."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from prunescope.audit_jobs.results.arrow import to_arrow
from prunescope.audit_jobs.results.scan_schemas import SCAN_PLANS
from prunescope.audit_jobs.results.sums import (
    SCAN_COLUMNS,
    OutcomeReason,
    PassSums,
    TableKey,
    merged,
    parts_of,
    run_sums,
    summed,
)

pytestmark = pytest.mark.slow

T = TableKey("c", None, "t")
Counts = tuple[int | None, int | None, int | None, int | None]


def scan(counts: Counts, **columns: Any) -> Mapping[str, Any]:
    total, considered, kept, allowed = counts
    return (
        dict.fromkeys(SCAN_COLUMNS)
        | {
            "catalog": "c",
            "table": "t",
            "outcome": "replayed",
            "bytes_total": total,
            "bytes_considered": considered,
            "bytes_kept": kept,
            "potential_bytes_kept": allowed,
        }
        | columns
    )


def rows(scans: Iterable[Mapping[str, Any]]) -> pa.Table:
    return to_arrow(scans, SCAN_PLANS)


@pytest.mark.parametrize(
    ("scans", "expected"),
    [
        pytest.param([], PassSums(), id="no scans"),
        pytest.param([(9, 5, 3, 1), (9, 9, 9, 9)], PassSums(2, 18, 14, 12, 10), id="all known"),
        pytest.param([(None, 5, 3, 1), (9, 5, 3, 1)], PassSums(2, None, 10, 6, 2), id="no total"),
        pytest.param([(9, 5, 3, None), (9, 5, 3, 1)], PassSums(2, 18, 10, 6, None), id="no floor"),
        pytest.param([(9, 5, None, 1), (9, 5, 3, 1)], PassSums(1, 9, 5, 3, 1), id="one unknown"),
        pytest.param([(9, None, None, None)], PassSums(0, 0, 0, 0, 0), id="all unknown"),
        pytest.param([(0, 0, 0, 0)], PassSums(1, 0, 0, 0, 0), id="an empty table"),
    ],
)
def test_unknown_counts_are_left_out_or_spread(scans: list[Counts], expected: PassSums) -> None:
    sums = summed([rows(scan(counts) for counts in scans)])
    found = sums.tables[T].passes["bytes"] if scans else PassSums()
    assert found == expected


def test_the_columns_exist() -> None:
    assert set(SCAN_COLUMNS) <= {column.name for column in SCAN_PLANS.columns}


def test_queries_are_summed_by_shape_and_reasons_by_outcome() -> None:
    lost = {"outcome": "table_not_found", "query_outcome": "table_not_found", "source": "s"}
    sums = summed(
        [
            rows(
                [
                    scan((9, 5, 3, 1), fingerprint="f1", predicate="b = ?"),
                    scan((9, 5, 3, 1), fingerprint="f1", predicate="a = ?"),
                    scan((9, 5, 3, 1), fingerprint="f2", predicate="a >= ?", written="year(a) = ?"),
                    scan((9, 5, 3, 1), fingerprint=None),
                    scan((None,) * 4, **lost, message="no t", location="log:7"),
                    scan((None,) * 4, **lost, message="no t", location="log:3"),
                    scan((None,) * 4, **lost, message="no u", location=None),
                    scan((None,) * 4, **lost, message="no v", query_id="q9"),
                    scan((None,) * 4, **lost, message=None),
                ]
            )
        ]
    )
    assert {s: (q.scans, q.filter) for s, q in sums.queries[T].items()} == {
        "f1": (2, "a = ?"),
        "f2": (1, "year(a) = ?\nwhich implies\na >= ?"),
    }
    assert sums.tables[T].scans == 4
    assert sums.reasons == {
        "table_not_found": (
            OutcomeReason("no t", 2, "log:3"),
            OutcomeReason("no u", 1, "s"),
            OutcomeReason("no v", 1, "q9"),
        )
    }


COUNT = st.none() | st.integers(0, 9)
SCAN = st.builds(
    scan,
    st.tuples(COUNT, COUNT, COUNT, COUNT),
    table=st.sampled_from(["t", "u"]),
    fingerprint=st.sampled_from([None, "f", "g"]),
    agreement=st.sampled_from([None, "agrees", "over_read"]),
    outcome=st.sampled_from(["replayed", "not_a_query"]),
    query_outcome=st.sampled_from(["replayed", "not_a_query"]),
    message=st.sampled_from([None, "m", "n"]),
    query_id=st.sampled_from(["a", "b"]),
    predicate=st.sampled_from(["a = ?", "b = ?"]),
    written=st.sampled_from([None, "f(a) = ?"]),
)


@given(st.lists(SCAN, min_size=1), st.randoms(use_true_random=False), st.integers(1, 4))
def test_parts_in_any_order_add_up_to_the_whole(
    scans: list[Mapping[str, Any]], chance: Any, size: int
) -> None:
    whole = run_sums(parts_of(rows(scans)))
    shuffled = chance.sample(scans, len(scans))
    cut = [shuffled[at : at + size] for at in range(0, len(shuffled), size)]
    assert run_sums(merged(parts_of(rows(part)) for part in cut)) == whole
    assert summed(rows(part) for part in cut) == whole
