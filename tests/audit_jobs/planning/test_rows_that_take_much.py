"""Of a file whose rows take too much it is told which and why; rows of the others are sampled."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa

from prunescope.audit_jobs.health.sketch import SampledFile
from prunescope.audit_jobs.planning.items import SHARED, ItemGroup
from prunescope.audit_jobs.planning.row_sample_stage import (
    MATCHING,
    UNSAMPLED,
    RowSample,
    sample_stage,
)
from prunescope.audit_jobs.planning.stages import BLOCK
from prunescope.audit_jobs.planning.work import table_work
from prunescope.audit_jobs.pruning.rules import FLOOR
from prunescope.audit_jobs.pruning.scans import Scan
from prunescope.collectors.partitioning import PartitionSpec
from prunescope.collectors.predicates.model import BoundComparison, Field
from prunescope.collectors.predicates.operators import Op
from tests.collectors.tables.parquet_bombs import TEXTS, of_one_text, written
from tests.footers import parquet_file

TEXT = (1, "string")


def test_one_file_that_takes_too_much_is_told_and_the_other_sampled(tmp_path: Path) -> None:
    paths = [tmp_path / "bomb.parquet", tmp_path / "plain.parquet"]
    paths[0].write_bytes(written(of_one_text(2_000), TEXTS, dictionary_pagesize_limit=64 << 20))
    paths[1].write_bytes(written(["a", "b", "b", None], pa.string()))
    predicate = BoundComparison(Op.EQ, Field(1, "c1", "string"), (b"b",))
    scan = Scan(0, predicate, FLOOR)
    block = table_work(0, "t", 0, {0: PartitionSpec(0, ())}, [(1, scan)]).block
    sample = RowSample(
        schema_id=0,
        files=tuple(parquet_file(str(path), [TEXT]) for path in paths),
        known=tuple(SampledFile(str(path), 1, 4, True, {}) for path in paths),
        strata=(0, 0),
        populations=(2,),
    )
    items = list(sample_stage([ItemGroup("t", [(0, BLOCK, block)], {SHARED: {0: sample}})], 1))
    by_kind = {item.kind: item.payload for item in items}
    table, why = by_kind[UNSAMPLED]
    assert table == "t"
    assert "bomb.parquet cannot be sampled: what it says takes more than 64 MiB" in why
    (found,) = by_kind[MATCHING][1].of_scans()
    assert found is not None
    assert found.whole.rows == 4
    assert found.whole.share == 0.5
