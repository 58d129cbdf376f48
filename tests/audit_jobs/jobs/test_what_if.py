"""What bloom filters are told to save, against files that have them."""

from __future__ import annotations

from contextlib import chdir
from dataclasses import replace
from pathlib import Path

import pytest

from prunescope.audit_jobs.findings.what_if import WhatIf
from prunescope.audit_jobs.results.result import AuditResult
from tests.scenarios.lake import audit
from tests.workloads.corpus import PAIRS
from tests.workloads.filters import FILTERED
from tests.workloads.lake import Tables
from tests.workloads.model import Pair
from tests.workloads.physical import Layout

pytestmark = pytest.mark.slow


def _audited(tables: Tables, pair: Pair, layout: Layout, folder: str) -> AuditResult:
    metadata = tables.write(folder, layout)
    with chdir(tables.directory):
        return audit({pair.name: metadata}, pair.queries, what_if=True)


def _read(result: AuditResult) -> int:
    return sum(row["row_group_bytes_kept"] or 0 for row in result.scan_plans())


@pytest.mark.parametrize(
    ("name", "column"),
    [
        pytest.param("tokens_alone", "token", id="keys-in-no-order"),
        pytest.param("receipts_of_three_lines", "receipt", id="row-groups-of-one-file"),
        pytest.param("receipts_of_one_row_group", "receipt", id="one-row-group-that-has-them"),
        pytest.param("matches_in_order_of_players", "player_id", id="in-order-already"),
    ],
)
def test_filters_save_what_is_told(name: str, column: str, tmp_path: Path) -> None:
    pair, tables = PAIRS[name], Tables(tmp_path)
    layout = pair.layout()
    before = _audited(tables, pair, layout, "before")
    told = {one.column: one for found in before.indexes.values() for one in found}[column]
    filtered = replace(layout, properties={**layout.properties, **_filters(told)})
    after = _audited(tables, pair, filtered, "after")
    assert told.bytes_won is not None
    saved = _read(before) - _read(after)
    assert told.bytes_won / told.bytes_read == pytest.approx(saved / told.bytes_read, abs=0.03)
    assert told.column not in {one.column for found in after.indexes.values() for one in found}


def _filters(told: WhatIf) -> dict[str, str]:
    size = {"write.parquet.bloom-filter-max-bytes": "8192"}
    return {FILTERED + told.column: "true", **size}


def test_nothing_is_told_unless_it_is_asked(tmp_path: Path) -> None:
    pair, tables = PAIRS["tokens_alone"], Tables(tmp_path)
    metadata = tables.of(pair)
    with chdir(tables.directory):
        assert not audit({pair.name: metadata}, pair.queries).indexes


def test_what_no_rows_tell_is_unknown(tmp_path: Path) -> None:
    pair, tables = PAIRS["tokens_alone"], Tables(tmp_path)
    metadata = tables.of(pair)
    with chdir(tables.directory):
        result = audit({pair.name: metadata}, pair.queries, what_if=True, sampled_files=0)
    ((told,),) = result.indexes.values()
    assert (told.column, told.scans) == ("token", len(pair.queries))
    assert told.bytes_won is told.filter_bytes is told.share_written is None
