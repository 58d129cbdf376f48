"""Texts of partitions that conditions read as days: what their findings promise is what the same
queries save that compare text with text."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.workloads.lake import Tables, audit_pair
from tests.workloads.model import Pair
from tests.workloads.unseen.truths import truths_of

pytestmark = pytest.mark.slow

_TRUTHS = {truth.name: truth for truth in truths_of("unseen")}


@pytest.mark.parametrize("name", ["hive_pages", "feeds_by_german_day"])
def test_the_promise_is_what_queries_of_text_save(name: str, tmp_path: Path) -> None:
    truth = _TRUTHS[name]
    tables = Tables(tmp_path)
    before = audit_pair(Pair(name, truth.layout, truth.queries), tables)
    after = audit_pair(Pair(name, truth.layout, truth.rewritten), tables)
    (finding,) = before.findings
    assert finding.bytes_at_stake == before.bytes_kept - after.bytes_kept
    assert not after.findings
