"""Conditions that findings have queries written with select the rows that the queries did."""

from __future__ import annotations

import pyarrow as pa
import pytest

from tests.scenarios.lake import Query
from tests.workloads.answers import selected
from tests.workloads.lake import Tables, audit_pair
from tests.workloads.model import Pair
from tests.workloads.outcomes import rewritten
from tests.workloads.pairs import (
    composed_keys,
    expressions,
    fifth_sql_keys,
    fifth_sql_later,
    fifth_sql_times,
    hive,
    kinds,
    label_dates,
    made_and_labelled,
    mismatch,
    patterns,
    sixth_sql_later,
    sixth_sql_texts,
    sixth_sql_times,
    third_days,
    third_queries,
    third_texts,
    wrapped,
)

MODULES = (
    *(expressions, fifth_sql_keys, fifth_sql_later, fifth_sql_times, hive, kinds, mismatch),
    *(
        composed_keys,
        label_dates,
        made_and_labelled,
        patterns,
        sixth_sql_later,
        sixth_sql_texts,
        sixth_sql_times,
        third_days,
        third_texts,
        third_queries,
        wrapped,
    ),
)

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Tables:
    return Tables(tmp_path_factory.mktemp("tables"))


@pytest.mark.parametrize(
    "pair",
    [pytest.param(pair, id=pair.name) for module in MODULES for pair in module.PAIRS],
)
def test_a_condition_beside_another_leaves_its_rows(pair: Pair, tables: Tables) -> None:
    rows = pa.concat_tables(pair.layout().files)
    for finding in audit_pair(pair, tables).findings:
        told = rewritten(pair, finding)
        # What is merged or deleted has no rows to count.
        if not told or finding.cause in pair.rewritten:
            continue
        asked = pair.queries[0]
        assert isinstance(asked, Query), "what has no text is not rewritten"
        count = selected(asked, rows)
        assert count > 0
        assert selected(told[0], rows) == count, finding.fix.rewrite
